//! Captures that want some media types only.

use crate::toy::{Page, Toy, run, taught, visited};
use std::collections::BTreeSet;
use tintype_learn::media::{Media, Sight};
use tintype_plan::{MediaRules, Objection, Scheduler, Settings, policy, replay};
use tintype_vocab::{Entry, LinkKind, MediaRange, SiteId};

fn settings(policy: &str, wanted: &[&str]) -> Settings {
    let mut settings = Settings::new(SiteId(0), vec!["http://e.com/".into()]);
    settings.policy = policy.to_owned();
    settings.media = wanted.iter().map(|rule| rule.parse().unwrap()).collect();
    settings
}

fn excluded(scheduler: &Scheduler, rule: Objection) -> u64 {
    scheduler.exclusions().iter().find(|(found, _)| *found == rule).map_or(0, |(_, excluded)| excluded.links)
}

fn html(links: &[String]) -> Page {
    Page::File("text/html", links.iter().map(|url| (LinkKind::Anchor, url.clone())).collect())
}

fn file(media_type: &'static str) -> Page {
    Page::File(media_type, Vec::new())
}

/// A list of songs behind addresses that say nothing, and one of essays, equally long; each essay leads to another.
fn library() -> Toy {
    let urls = |path: &str| (0..40).map(|nth| format!("http://e.com/{path}/{nth}")).collect::<Vec<_>>();
    let (songs, essays) = (urls("hear"), urls("read"));
    let lists = ["http://e.com/essays", "http://e.com/songs"].map(str::to_owned);
    let mut toy = Toy::default()
        .with("http://e.com/", html(&lists))
        .with("http://e.com/songs", html(&songs))
        .with("http://e.com/essays", html(&essays));
    for song in &songs {
        toy = toy.with(song, file("audio/ogg"));
    }
    for (nth, essay) in essays.iter().enumerate() {
        toy = toy.with(essay, html(&essays[(nth + 1) % 40..][..1]));
    }
    toy
}

#[test]
fn wanted_files_are_fetched_before_pages_that_lead_nowhere() {
    let mut scheduler = Scheduler::new(settings("focused", &["audio"])).unwrap();
    let asked = run(&mut scheduler, &library());
    let asked = visited(&asked);
    let last_song = asked.iter().rposition(|url| url.contains("/hear/")).unwrap();
    assert_eq!(asked.iter().filter(|url| url.contains("/hear/")).count(), 40);
    assert!(last_song < 62, "{last_song} of {}", asked.len());
    let song = Sight::of("http://e.com/hear/99");
    let audio: MediaRange = "audio".parse().unwrap();
    assert!(scheduler.media().guess(&song).chance(&audio) > 0.5, "what was found was learned");
    assert!(Media::default().guess(&song).chance(&audio) < 0.5);
}

/// Addresses that look alike: first it is found that they are no songs, then the rest is left out.
#[test]
fn what_is_not_wanted_is_left_out_as_soon_as_that_is_known_and_not_before() {
    let files: Vec<String> = (0..40).map(|nth| format!("http://e.com/get/{nth}")).collect();
    let mut toy = Toy::default().with("http://e.com/", html(&files));
    for url in &files {
        toy = toy.with(url, file("image/png"));
    }
    for policy in ["focused", "breadth-first"] {
        let mut scheduler = Scheduler::new(settings(policy, &["audio"])).unwrap();
        let asked = run(&mut scheduler, &toy);
        let tried = visited(&asked).len() - 1;
        assert!((1..25).contains(&tried), "{policy}: {tried} were asked for to learn what they are");
        assert_eq!(excluded(&scheduler, Objection::UnwantedMedia), 40 - tried as u64, "{policy}");
        assert_eq!(scheduler.progress().waiting, 0, "{policy}");
    }
}

/// Whoever does not mind what a page is gets all of them; so does who wants nothing in particular.
#[test]
fn nothing_is_left_out_where_any_chance_is_enough() {
    for wanted in [&["audio:0"][..], &[]] {
        let mut scheduler = Scheduler::new(settings("focused", wanted)).unwrap();
        assert_eq!(visited(&run(&mut scheduler, &library())).len(), 83, "{wanted:?}");
    }
}

#[test]
fn seeds_feeds_and_what_servers_lead_to_are_asked_for_whatever_they_are_called() {
    let links = vec![
        (LinkKind::Feed, "http://e.com/feed.png".to_owned()),
        (LinkKind::Anchor, "http://e.com/moved".to_owned()),
        (LinkKind::Embed, "http://e.com/other.mp3".to_owned()),
    ];
    let toy = Toy::default()
        .with("http://e.com/start.png", Page::File("text/html", links))
        .with("http://e.com/feed.png", file("application/rss+xml"))
        .with("http://e.com/moved", Page::Redirect("http://e.com/new.png".into()))
        .with("http://e.com/new.png", file("text/html"))
        .with("http://e.com/other.mp3", file("audio/mpeg"));
    let mut settings = settings("focused", &["video"]);
    settings.seeds = vec!["http://e.com/start.png".into()];
    let mut scheduler = Scheduler::new(settings).unwrap();
    scheduler.know_media(taught());
    let asked = run(&mut scheduler, &toy);
    let asked: BTreeSet<&str> = visited(&asked).into_iter().collect();
    let expected = ["start.png", "feed.png", "moved", "new.png"].map(|name| format!("http://e.com/{name}"));
    assert_eq!(asked, expected.iter().map(String::as_str).collect());
    assert_eq!(excluded(&scheduler, Objection::UnwantedMedia), 1);
}

#[test]
fn what_there_is_no_room_for_is_given_up_and_counted() {
    let mut scheduler = Scheduler::with_policy(settings("focused", &["audio"]), policy::focused_bounded(24)).unwrap();
    let asked = run(&mut scheduler, &library());
    let given_up = excluded(&scheduler, Objection::NoRoom);
    assert!(given_up > 20, "{given_up}");
    assert_eq!(visited(&asked).len() as u64 + given_up + excluded(&scheduler, Objection::UnwantedMedia), 83);
    assert_eq!(scheduler.progress().waiting, 0);
}

#[test]
fn a_focused_capture_replays_step_by_step() {
    let settings = settings("focused", &["audio", "image:0.7"]);
    let mut scheduler = Scheduler::new(settings.clone()).unwrap();
    let (toy, mut log, mut now) = (library(), Vec::new(), tintype_vocab::Time::from_secs(1_000_000));
    loop {
        match scheduler.next(now) {
            tintype_plan::Step::Fetch(request) => {
                log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                let observation = toy.answer(&request, now, tintype_vocab::Span::from_millis(20));
                scheduler.settle(&observation);
                log.push(Entry::Observation(Box::new(observation)));
            }
            tintype_plan::Step::WaitUntil(until) => now = until,
            tintype_plan::Step::Idle | tintype_plan::Step::Done => break,
        }
    }
    let again = replay(settings.clone(), log.clone()).unwrap();
    assert_eq!((again.progress(), again.exclusions()), (scheduler.progress(), scheduler.exclusions()));
    let other = Settings { media: MediaRules::default(), ..settings };
    assert!(replay(other, log).is_err(), "with other wishes it goes another way");
}
