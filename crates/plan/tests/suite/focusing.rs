//! Captures that want some media types only.

use crate::toy::{Page, Toy, run, taught, visited};
use std::collections::BTreeSet;
use tintype_learn::media::{Media, MediaAnswer, Sight};
use tintype_plan::{MediaRules, Objection, Scheduler, Settings, Step, policy, replay};
use tintype_vocab::{Entry, LinkKind, MediaRange, Purpose, SiteId, Span, Time};

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
pub(crate) fn library() -> Toy {
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
    let (toy, mut log, mut now) = (library(), Vec::new(), Time::from_secs(1_000_000));
    loop {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                let observation = toy.answer(&request, now, Span::from_millis(20));
                scheduler.settle(&observation);
                log.push(Entry::Observation(Box::new(observation)));
            }
            Step::WaitUntil(until) => now = until,
            Step::Idle | Step::Done => break,
        }
    }
    let again = replay(settings.clone(), log.clone()).unwrap();
    assert_eq!((again.progress(), again.exclusions()), (scheduler.progress(), scheduler.exclusions()));
    let other = Settings { media: MediaRules::default(), ..settings };
    assert!(replay(other, log).is_err(), "with other wishes it goes another way");
}

/// A redirect is followed at once and still stands in the queue: what is under way is not given up with the rest.
#[test]
fn what_is_under_way_is_not_given_up_for_want_of_room() {
    let songs: Vec<String> = (0..40).map(|nth| format!("http://e.com/hear/{nth}")).collect();
    let mut toy = Toy::default()
        .with("http://e.com/", html(&["http://e.com/moved".to_owned(), "http://e.com/songs".to_owned()]))
        .with("http://e.com/moved", Page::Redirect("http://e.com/new.png".into()))
        .with("http://e.com/new.png", file("image/png"))
        .with("http://e.com/songs", html(&songs));
    for song in &songs {
        toy = toy.with(song, file("audio/ogg"));
    }
    let settings = Settings { connections: 2, delay: Some(Span::ZERO), ..settings("focused", &["audio"]) };
    let mut scheduler = Scheduler::with_policy(settings, policy::focused_bounded(4)).unwrap();
    let log = run_side_by_side(&mut scheduler, &toy);
    let progress = scheduler.progress();
    assert_eq!((progress.waiting, progress.in_flight), (0, 0));
    assert_eq!(observed(&log).iter().filter(|url| url.ends_with("new.png")).count(), 1);
    assert!(excluded(&scheduler, Objection::NoRoom) > 20);
}

/// Somebody forbids what is a PNG with one chance in five. Half of the pictures are.
#[test]
fn what_is_forbidden_is_not_tried_either() {
    let pictures: Vec<String> = (0..40).map(|nth| format!("http://e.com/pic/{nth}")).collect();
    let mut toy = Toy::default().with("http://e.com/", html(&pictures));
    let media = mixed("http://e.com/pic", &["image/png", "image/jpeg"]);
    for url in &pictures {
        toy = toy.with(url, file("image/jpeg"));
    }
    for (forbidden, asked_for) in [(&[][..], 40), (&["image/png:0.2"], 0), (&["image/png:0.9"], 40)] {
        let mut settings = settings("focused", &["image:0.3"]);
        settings.media.disallow = forbidden.iter().map(|rule: &&str| rule.parse().unwrap()).collect();
        let mut scheduler = Scheduler::new(settings).unwrap();
        scheduler.know_media(media.clone());
        let asked = run(&mut scheduler, &toy);
        assert_eq!(visited(&asked).len() - 1, asked_for, "{forbidden:?}");
    }
}

#[test]
fn a_focused_capture_replays_even_when_requests_overlap() {
    for connections in [2, 3, 8] {
        for wanted in [&["audio"][..], &["video"], &["image:0.9"]] {
            let settings = Settings { connections, delay: Some(Span::ZERO), ..settings("focused", wanted) };
            let mut scheduler = Scheduler::new(settings.clone()).unwrap();
            let log = run_side_by_side(&mut scheduler, &library());
            let again = replay(settings, log).unwrap_or_else(|other| panic!("{connections} {wanted:?}: {other}"));
            assert_eq!((again.progress(), again.exclusions()), (scheduler.progress(), scheduler.exclusions()));
        }
    }
}

/// What looks like an image is no video, until the answers that are under way say that here it is. A log says nothing of
/// when somebody found nothing to ask for: what is thought of a page then must not count.
#[test]
fn what_is_found_not_worth_it_while_answers_are_under_way_is_judged_again() {
    let clip = |nth: u32| format!("http://e.com/clips/{nth}.png");
    let feeds = (0..6).map(|nth| (LinkKind::Feed, clip(nth)));
    let links = feeds.chain([(LinkKind::Anchor, clip(99))]).collect();
    let mut toy = Toy::default().with("http://e.com/", Page::File("text/html", links));
    for nth in (0..6).chain([99]) {
        toy = toy.with(&clip(nth), file("video/mp4"));
    }
    for policy in ["focused", "breadth-first", "sharp"] {
        let settings = Settings { connections: 8, delay: Some(Span::ZERO), ..settings(policy, &["video"]) };
        let mut scheduler = Scheduler::new(settings.clone()).unwrap();
        let log = run_side_by_side(&mut scheduler, &toy);
        assert_eq!(observed(&log).len(), 8, "{policy}");
        let again = replay(settings, log).unwrap_or_else(|other| panic!("{policy}: {other}"));
        assert_eq!((again.progress(), again.exclusions()), (scheduler.progress(), scheduler.exclusions()));
    }
}

/// Cut off anywhere: what was learned is what the log says, and nothing that was tried is tried again.
#[test]
fn a_capture_that_was_cut_off_goes_on_with_what_it_had_learned() {
    let files: Vec<String> = (0..16).map(|nth| format!("http://e.com/get/{nth}")).collect();
    let mut toy = Toy::default().with("http://e.com/", html(&files));
    for url in &files {
        toy = toy.with(url, file("image/png"));
    }
    let mixed = mixed("http://e.com/get", &["image/png", "audio/ogg", "image/png", "application/zip"]);
    for (policy, tells) in [("focused", false), ("focused", true), ("breadth-first", true)] {
        let begin = || {
            let mut scheduler = Scheduler::new(settings(policy, &["audio"])).unwrap();
            if tells {
                scheduler.know_media(mixed.clone());
            }
            scheduler
        };
        let mut whole = begin();
        let log = run_side_by_side(&mut whole, &toy);
        let learned = whole.media().to_bytes();
        for cut in (0..=log.len()).step_by(3) {
            let mut scheduler = begin();
            for entry in &log[..cut] {
                match entry {
                    Entry::Decision(decision) => scheduler.assume(decision),
                    Entry::Observation(observation) => scheduler.settle(observation),
                }
            }
            scheduler.release_in_flight();
            let rest = run_side_by_side(&mut scheduler, &toy);
            let (mut asked, mut as_before) = (observed(&log[..cut]), observed(&log));
            asked.extend(observed(&rest));
            asked.sort_unstable();
            as_before.sort_unstable();
            assert_eq!(asked, as_before, "{policy} cut off after {cut}");
            assert!(scheduler.media().to_bytes() == learned, "{policy} cut off after {cut}");
        }
    }
}

/// Knows that what is in this directory is one as often as another.
fn mixed(directory: &str, media_types: &[&str]) -> Media {
    let mut media = Media::default();
    for (nth, media_type) in media_types.iter().cycle().take(200).enumerate() {
        let answer = MediaAnswer { media_type, bytes: Some(1000), links: Some(false) };
        media.learn(&Sight::of(&format!("{directory}/{}", nth + 1000)), &answer);
    }
    media
}

/// Runs to the end with as many requests under way as the settings allow.
fn run_side_by_side(scheduler: &mut Scheduler, toy: &Toy) -> Vec<Entry> {
    let (mut now, mut flying, mut log) = (Time::from_secs(1_000_000), Vec::new(), Vec::new());
    loop {
        now += Span::from_millis(7);
        match scheduler.next(now) {
            Step::Fetch(request) => {
                log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                flying.push(toy.answer(&request, now, Span::from_millis(20)));
            }
            Step::WaitUntil(until) if flying.is_empty() => now = until,
            Step::Done => return log,
            Step::Idle | Step::WaitUntil(_) => {
                assert!(!flying.is_empty(), "who waits for an answer asked for something");
                let observation = flying.remove(flying.len() / 2);
                scheduler.settle(&observation);
                log.push(Entry::Observation(Box::new(observation)));
            }
        }
    }
}

/// The pages that were answered.
fn observed(log: &[Entry]) -> Vec<&str> {
    let answered = log.iter().filter_map(|entry| match entry {
        Entry::Observation(seen) if seen.purpose == Purpose::Visit => Some(seen.url.as_str()),
        _ => None,
    });
    answered.collect()
}
