//! Policies that leave parts of a known site alone, on a toy web whose captures are remembered.

use crate::toy::{Toy, visited};
use std::collections::BTreeSet;
use tintype_learn::directory::{Memory, Unseen, Weighing};
use tintype_plan::{Budget, Policy, Scheduler, Settings, Skipped, Step, WarmTerms, policy};
use tintype_vocab::{Change, Entry, LinkKind, Observation, Outcome, Purpose, Request, SiteId, Span, Time};

const DIRECTORIES: [&str; 4] = ["hot", "cold", "burst", "other"];

fn url(directory: &str, page: usize) -> String {
    format!("http://e.com/{directory}/{directory}{page}.html")
}

/// The entrance links everything.
pub(crate) fn site(pages: usize) -> Toy {
    let urls: Vec<String> =
        DIRECTORIES.iter().flat_map(|directory| (0..pages).map(|page| url(directory, page))).collect();
    let mut toy = Toy::default().page("http://e.com/", &urls.iter().map(String::as_str).collect::<Vec<_>>());
    for url in &urls {
        toy = toy.page(url, &[]);
    }
    toy
}

fn week(week: i64) -> Time {
    Time::from_secs(1_000_000_000) + Span::from_days(7 * week)
}

/// What changes in which week: hot pages always, cold ones never, bursts every fifth week; the others in the weeks in
/// which nothing of `hot` does.
fn changes(directory: &str, week: i64) -> bool {
    match directory {
        "hot" => week % 3 != 0,
        "burst" => week % 5 == 4,
        "other" => week % 3 == 0,
        _ => false,
    }
}

pub(crate) fn remembered(weeks: i64, pages: usize) -> Memory {
    let mut memory = Memory::new(0.05, Weighing::Count);
    let mut content = [0; DIRECTORIES.len()];
    for nth in 0..weeks {
        memory.begin(week(nth));
        for (directory, content) in DIRECTORIES.iter().zip(&mut content) {
            *content += u64::from(changes(directory, nth));
            for page in 0..pages {
                memory.observe(&observation(&url(directory, page), *content, nth));
            }
        }
        memory.end(Unseen::Kept);
    }
    memory
}

fn observation(url: &str, content: u64, nth: i64) -> Observation {
    let request = Request { url: url.to_owned(), ..request() };
    let mut observation = Observation::of(&request, week(nth), week(nth), Outcome::Body { status: 200 });
    observation.change = if nth == 0 { Change::First } else { Change::New { importance: 1.0 } };
    let mut digest = [0; 20];
    digest[..8].copy_from_slice(&content.to_be_bytes());
    observation.digest = Some(tintype_vocab::Digest(digest));
    observation
}

fn request() -> Request {
    Request {
        site: SiteId(0),
        page: tintype_vocab::PageId(0),
        url: String::new(),
        purpose: Purpose::Visit,
        attempt: 0,
        rate: tintype_vocab::ChangeRate::default(),
    }
}

/// One capture of the remembered site in a week in which `changed` directories have changed.
struct Captured {
    asked: Vec<(Time, Request)>,
    skipped: Option<Skipped>,
    log: Vec<Entry>,
}

impl Captured {
    fn directories(&self) -> BTreeSet<&str> {
        visited(&self.asked)
            .iter()
            .filter_map(|url| url.strip_prefix("http://e.com/")?.split_once('/'))
            .map(|(name, _)| name)
            .collect()
    }

    fn pages_of(&self, directory: &str) -> usize {
        visited(&self.asked).iter().filter(|url| url.contains(&format!("/{directory}/"))).count()
    }
}

fn capture(scheduler: &mut Scheduler, toy: &Toy, start: Time, changed: &[&str]) -> Captured {
    capture_with(scheduler, toy, start, changed, &|_, _| {})
}

/// The same on a site that answers more than the toy does.
fn capture_with(
    scheduler: &mut Scheduler,
    toy: &Toy,
    start: Time,
    changed: &[&str],
    adorn: &dyn Fn(&Request, &mut Observation),
) -> Captured {
    let (mut now, mut asked, mut log) = (start, Vec::new(), Vec::new());
    loop {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                let mut observation = toy.answer(&request, now, Span::from_millis(20));
                let has_changed = changed.iter().any(|name| request.url.contains(&format!("/{name}/")));
                if observation.outcome.saw_page() {
                    observation.change = if has_changed { Change::New { importance: 1.0 } } else { Change::Same };
                }
                adorn(&request, &mut observation);
                asked.push((now, request));
                now += Span::from_millis(20);
                scheduler.settle(&observation);
                log.push(Entry::Observation(Box::new(observation)));
            }
            Step::WaitUntil(until) => now = until,
            Step::Idle => panic!("idle with nothing in flight"),
            Step::Done => return Captured { asked, skipped: scheduler.skipped(), log },
        }
    }
}

fn settings(policy: &str) -> Settings {
    Settings { policy: policy.to_owned(), ..Settings::new(SiteId(0), vec!["http://e.com/".into()]) }
}

fn scheduler(settings: Settings, memory: &Memory, pages: usize, start: Time) -> Scheduler {
    let mut scheduler = Scheduler::new(settings).unwrap();
    hold(&mut scheduler, memory, pages, start);
    scheduler
}

fn with_policy(policy: Box<dyn Policy>, memory: &Memory, pages: usize, start: Time) -> Scheduler {
    let mut scheduler = Scheduler::with_policy(settings("skip"), policy).unwrap();
    hold(&mut scheduler, memory, pages, start);
    scheduler
}

fn hold(scheduler: &mut Scheduler, memory: &Memory, pages: usize, start: Time) {
    scheduler.remember(memory.clone());
    for directory in DIRECTORIES {
        (0..pages).for_each(|page| scheduler.hold(&url(directory, page), LinkKind::Anchor, start));
    }
}

#[test]
fn what_never_changed_is_left_alone_and_accounted_for() {
    let memory = remembered(20, 30);
    let mut scheduler = scheduler(settings("skip"), &memory, 30, week(20));
    let captured = capture(&mut scheduler, &site(30), week(20), &["hot"]);
    assert_eq!(captured.pages_of("hot"), 30);
    let skipped = captured.skipped.clone().unwrap();
    let drawn = captured.pages_of("cold");
    assert!(drawn as u64 <= skipped.drawn && skipped.drawn <= 5, "{:?}", captured.directories());
    let cold = skipped.directories.iter().find(|directory| directory.directory == "/cold").unwrap();
    assert_eq!(
        cold.pages as usize,
        30 - drawn,
        "what is looked at by lot does not make it a directory that is looked into"
    );
    assert!(cold.expected_lost < 0.5, "{cold:?}");
    assert_eq!(cold.rule.as_deref(), Some("it changed 0 of 19 times before"));
    assert!(skipped.expected_lost <= 0.06 * skipped.expected_changes, "{skipped:?}");
    let [from, to] = skipped.lost_between.unwrap();
    assert!(from == 0 && to <= 10, "{skipped:?}");
    let visits = visited(&captured.asked).len() as u64;
    assert_eq!(visits + skipped.pages, 121, "every page was visited or skipped");
}

#[test]
fn one_capture_shows_nothing_of_what_stands_still() {
    let memory = remembered(1, 10);
    for name in ["skip", "warm"] {
        let mut scheduler = scheduler(settings(name), &memory, 10, week(1));
        let captured = capture(&mut scheduler, &site(10), week(1), &[]);
        assert_eq!(visited(&captured.asked).len(), 41, "{name}");
    }
}

/// What the first pages of a directory show decides on the rest of it, in both directions.
#[test]
fn the_first_pages_of_a_capture_decide_on_the_rest() {
    let memory = remembered(24, 30);
    let run = |changed: &[&str]| {
        let policy = policy::skip(policy::Price::Fixed(0.1), policy::Grain::Pages);
        let mut scheduler = with_policy(policy, &memory, 30, week(24));
        capture(&mut scheduler, &site(30), week(24), changed)
    };
    let (quiet, busy) = (run(&["hot"]), run(&["hot", "burst"]));
    assert!(quiet.pages_of("burst") < 15, "{}", quiet.pages_of("burst"));
    assert_eq!((busy.pages_of("burst"), busy.pages_of("cold")), (30, 0));
}

/// The archive that never changed is edited from one end to the other: a few pages drawn by lot show it, and the rest of it
/// is asked for after all, and nothing else.
#[test]
fn an_edit_of_everything_is_noticed_while_it_is_captured() {
    let memory = remembered(20, 60);
    let mut scheduler = scheduler(settings("skip"), &memory, 60, week(20));
    let captured = capture(&mut scheduler, &site(60), week(20), &["hot", "cold"]);
    let skipped = captured.skipped.clone().unwrap();
    assert!(captured.pages_of("cold") > 50, "{} {skipped:?}", captured.pages_of("cold"));
    assert!(captured.pages_of("other") < 30, "{}", captured.pages_of("other"));
}

/// What may be lost is what a person says, however little that is.
#[test]
fn who_may_lose_less_skips_less() {
    let memory = remembered(20, 30);
    let skipped = |loss: f64| {
        let mut scheduler = scheduler(Settings { loss: Some(loss), ..settings("skip") }, &memory, 30, week(20));
        let skipped = capture(&mut scheduler, &site(30), week(20), &["hot"]).skipped.unwrap();
        assert!(skipped.expected_lost <= 1.1 * loss * skipped.expected_changes, "{loss}: {skipped:?}");
        skipped.pages
    };
    let [none, little, usual, much] = [0.0, 0.005, 0.05, 0.3].map(skipped);
    assert!(none == 0 && little < usual && usual < much, "{none} {little} {usual} {much}");
}

/// What is asked for besides, and what never gets an answer, does not keep the rest from being wanted.
#[test]
fn new_and_forbidden_pages_do_not_end_a_capture_early() {
    let memory = remembered(24, 30);
    let policy = policy::skip(policy::Price::Fixed(0.1), policy::Grain::Pages);
    let mut scheduler = with_policy(policy, &memory, 30, week(24));
    let mut toy = site(30);
    for page in 0..40 {
        let (new, forbidden) = (format!("http://e.com/new/{page}"), format!("http://e.com/private/{page}"));
        toy = toy.page(&new, &[]).page(&forbidden, &[]);
        if let Some(crate::toy::Page::Links(links)) = toy.0.get_mut("http://e.com/") {
            links.extend([new, forbidden].map(|url| (LinkKind::Anchor, url)));
        }
    }
    let toy = toy.with("http://e.com/robots.txt", crate::toy::Page::Robots("User-agent: *\nDisallow: /private/"));
    let captured = capture(&mut scheduler, &toy, week(24), &["hot", "burst"]);
    assert_eq!((captured.pages_of("new"), captured.pages_of("private")), (40, 0));
    assert_eq!(captured.pages_of("burst"), 30);
}

#[test]
fn a_directory_left_alone_for_long_is_looked_into() {
    let memory = remembered(20, 30);
    let mut scheduler = scheduler(settings("skip"), &memory, 30, week(26));
    let captured = capture(&mut scheduler, &site(30), week(26), &["hot"]);
    assert!(captured.pages_of("cold") >= 1);
    assert!(captured.pages_of("cold") < 30, "one look is enough if nothing is found");
}

#[test]
fn new_pages_and_listings_are_looked_at_wherever_they_are() {
    let memory = remembered(20, 10);
    let mut scheduler = scheduler(settings("skip"), &memory, 10, week(20));
    let new = "http://e.com/cold/new.html";
    let mut toy = site(10).page(new, &[]);
    if let Some(crate::toy::Page::Links(links)) = toy.0.get_mut("http://e.com/") {
        links.push((LinkKind::Anchor, new.to_owned()));
        links.push((LinkKind::Feed, url("cold", 3)));
    }
    let captured = capture(&mut scheduler, &toy, week(20), &["hot"]);
    let urls = visited(&captured.asked);
    assert!(urls.contains(&new), "{urls:?}");
    assert!(urls.contains(&url("cold", 3).as_str()), "a feed is never left alone");
}

/// A sitemap dates pages of a directory that never changed: they are asked for, until it is seen to date everything anew.
#[test]
fn what_a_listing_dates_anew_is_looked_at_as_far_as_that_was_right() {
    let memory = remembered(20, 30);
    let run = |dated: std::ops::Range<usize>, changed: &[&str]| {
        let mut scheduler = scheduler(settings("skip"), &memory, 30, week(20));
        let toy = site(30);
        let sitemap = |request: &Request, observation: &mut Observation| {
            if request.url == "http://e.com/" {
                let dates = Some(week(20) - Span::from_days(1));
                for page in dated.clone() {
                    let (url, kind) = (url("cold", page), LinkKind::Listed);
                    observation
                        .links
                        .push_link(tintype_vocab::Link { modified: dates, ..tintype_vocab::Link::new(&url, kind) });
                }
            }
        };
        capture_with(&mut scheduler, &toy, week(20), changed, &sitemap).pages_of("cold")
    };
    assert!(run(0..0, &["hot"]) < 3, "a few are drawn by lot");
    assert!(run(3..6, &["hot", "cold"]) >= 3, "what is dated is looked at");
    let believed = run(0..30, &["hot"]);
    assert!(believed < 25, "{believed}: a listing that is wrong time and again is no longer believed");
}

/// Whole directories are a coarser choice: whatever is entered is visited as a whole.
#[test]
fn directories_are_entered_or_left_as_wholes() {
    let memory = remembered(20, 12);
    let policy = policy::skip(policy::Price::Fixed(0.3), policy::Grain::Directories);
    let mut scheduler = with_policy(policy, &memory, 12, week(20));
    let captured = capture(&mut scheduler, &site(12), week(20), &["hot"]);
    for directory in DIRECTORIES {
        assert!([0, 12].contains(&captured.pages_of(directory)), "{directory}: {}", captured.pages_of(directory));
    }
    assert_eq!(captured.pages_of("hot"), 12);
}

/// The small directory changes in the weeks in which the large one, and with it the site, does not.
fn see_saw() -> Memory {
    let mut memory = Memory::new(0.1, Weighing::Count);
    for nth in 0..20u64 {
        memory.begin(week(nth as i64));
        (0..30).for_each(|page| memory.observe(&observation(&url("hot", page), nth / 2, nth as i64)));
        (0..2).for_each(|page| memory.observe(&observation(&url("other", page), nth.div_ceil(2), nth as i64)));
        memory.end(Unseen::Kept);
    }
    memory
}

#[test]
fn warm_leaves_alone_what_its_rules_name_and_says_which() {
    let memory = see_saw();
    let mut scheduler = Scheduler::new(settings("warm")).unwrap();
    scheduler.remember(memory);
    (0..2).for_each(|page| scheduler.hold(&url("other", page), LinkKind::Anchor, week(20)));
    let toy = site(30).page("http://e.com/other/new.html", &[]);
    let captured = capture(&mut scheduler, &toy, week(20), &["hot"]);
    let skipped = captured.skipped.clone().unwrap();
    assert_eq!((captured.pages_of("hot"), captured.pages_of("other"), skipped.pages), (30, 0, 2), "{skipped:?}");
    let rule = skipped.directories[0].rule.as_deref();
    assert_eq!(rule, Some("when / changed, /other did not: 9 of 9 times"));
}

#[test]
fn warm_goes_by_the_rules_a_person_asks_for_and_where_they_are_to_hold() {
    let run = |warm: WarmTerms| {
        let mut scheduler = Scheduler::new(Settings { warm, ..settings("warm") }).unwrap();
        scheduler.remember(see_saw());
        (0..2).for_each(|page| scheduler.hold(&url("other", page), LinkKind::Anchor, week(20)));
        capture(&mut scheduler, &site(30), week(20), &["hot"]).skipped.map_or(0, |skipped| skipped.pages)
    };
    assert_eq!(run(WarmTerms::default()), 2);
    assert_eq!(run(WarmTerms { frequency_min: Some(0.9), ..WarmTerms::default() }), 0, "no directory changes so often");
    let within = |path: &str| run(WarmTerms { within: Some(path.to_owned()), ..WarmTerms::default() });
    assert_eq!([within("/"), within("/hot"), within("/nowhere")], [2, 0, 0]);
}

/// A directory with nothing but another one in it is left alone with that, by the rule that names the other.
#[test]
fn a_rule_is_told_of_the_directory_around_the_one_it_names_too() {
    let (deep, start) = (|page: usize| format!("http://e.com/a/b/{page}.html"), week(20));
    // One page of eight is a change of the directory they are in, and just none of the one around that.
    let mut memory = Memory::new(0.105, Weighing::Count);
    for nth in 0..20u64 {
        memory.begin(week(nth as i64));
        (0..30).for_each(|page| memory.observe(&observation(&url("hot", page), nth / 2, nth as i64)));
        memory.observe(&observation(&deep(0), nth.div_ceil(2), nth as i64));
        (1..8).for_each(|page| memory.observe(&observation(&deep(page), 0, nth as i64)));
        memory.end(Unseen::Kept);
    }
    let mut scheduler = Scheduler::new(settings("warm")).unwrap();
    scheduler.remember(memory);
    (0..8).for_each(|page| scheduler.hold(&deep(page), LinkKind::Anchor, start));
    let captured = capture(&mut scheduler, &site(30), start, &["hot"]);
    let [left] = &captured.skipped.unwrap().directories[..] else { panic!("one directory") };
    assert_eq!((left.directory.as_str(), left.pages), ("/a", 8));
    assert_eq!(left.rule.as_deref(), Some("when / changed, /a/b did not: 9 of 9 times"));
}

#[test]
fn a_budget_goes_to_the_likeliest() {
    let memory = remembered(20, 30);
    let mut settings = settings("skip");
    settings.budget = Budget { requests: Some(25), bytes: None };
    let mut scheduler = scheduler(settings, &memory, 30, week(20));
    let captured = capture(&mut scheduler, &site(30), week(20), &["hot"]);
    assert!(captured.pages_of("hot") >= 20, "{}", captured.pages_of("hot"));
}

/// What a policy above may not do: leave out what the one below would have visited of a site nobody remembers.
#[test]
fn without_a_memory_everything_is_visited_in_the_order_below() {
    for (above, below) in
        [("skip", "sharp"), ("warm:breadth-first", "breadth-first"), ("skip:coldest-first", "coldest-first")]
    {
        let order = |name: &str| {
            let mut scheduler = Scheduler::new(settings(name)).unwrap();
            let captured = capture(&mut scheduler, &site(5), week(0), &[]);
            captured.asked.into_iter().map(|(_, request)| request.url).collect::<Vec<_>>()
        };
        assert_eq!(order(above), order(below), "{above}");
    }
}

#[test]
fn names_above_names_are_checked() {
    assert!(
        policy::needs_memory("skip:breadth-first") && policy::needs_memory("warm") && !policy::needs_memory("sharp")
    );
    for wrong in ["skip:nonsense", "sharp:skip", "skip:warm", "skip:tintype", "skip:", ":sharp", "skip:sharp:sharp"] {
        assert!(Scheduler::new(settings(wrong)).is_err(), "{wrong}");
        assert!(policy::find(wrong).is_none(), "{wrong}");
    }
}

/// Who wants proof gets it for all that is not left alone, and not before all of that was seen once.
#[test]
fn what_is_looked_at_is_looked_at_again_where_proof_is_wanted() {
    let memory = remembered(24, 30);
    // Some of what is wanted gets no answer.
    let robots = crate::toy::Page::Robots("User-agent: *\nDisallow: /burst/burst1\nDisallow: /hot/hot2");
    let toy = site(30).with("http://e.com/robots.txt", robots);
    for name in ["skip", "skip:breadth-first", "warm", "warm:depth-first"] {
        let settings = Settings { revisit: true, ..settings(name) };
        let mut scheduler = scheduler(settings, &memory, 30, week(24));
        let captured = capture(&mut scheduler, &toy, week(24), &["hot", "burst"]);
        let looks = |purpose: Purpose| {
            captured.asked.iter().enumerate().filter(move |(_, (_, request))| request.purpose == purpose)
        };
        let urls = |purpose: Purpose| looks(purpose).map(|(_, (_, request))| &request.url).collect::<BTreeSet<_>>();
        let (once, twice) = (urls(Purpose::Visit), urls(Purpose::Revisit));
        assert!(once.len() > 40 && once == twice, "{name}: {} and {}", once.len(), twice.len());
        let (first, last) = (looks(Purpose::Revisit).next().unwrap().0, looks(Purpose::Visit).next_back().unwrap().0);
        assert!(last < first, "{name}: the {last}th request is a first look, the {first}th a second one");
    }
}

/// New pages below what rules say stands still are not wanted, and nobody waits for them.
#[test]
fn unwanted_new_pages_do_not_keep_others_from_a_second_look() {
    let memory = see_saw();
    let settings = Settings { revisit: true, ..settings("warm:breadth-first") };
    let mut scheduler = Scheduler::new(settings).unwrap();
    scheduler.remember(memory);
    let captured = capture(&mut scheduler, &site(30), week(20), &["hot"]);
    let asked = |name: &str| captured.asked.iter().filter(|(_, request)| request.url.contains(name)).count();
    assert_eq!((asked("/hot/"), asked("/other/")), (60, 0));
}

/// A capture that was cut short goes on with the same choices: log and memory are all it takes.
#[test]
fn a_log_is_replayed_step_by_step() {
    let memory = remembered(20, 15);
    for name in ["skip", "warm", "skip:breadth-first"] {
        let mut first = scheduler(settings(name), &memory, 15, week(20));
        let captured = capture(&mut first, &site(15), week(20), &["hot", "burst"]);
        let again = scheduler(settings(name), &memory, 15, week(20));
        let again = tintype_plan::replay_with(again, captured.log.iter().cloned()).unwrap();
        assert_eq!(again.skipped(), captured.skipped, "{name}");
    }
}

/// A capture by `skip` that was killed goes on: nothing is asked for twice, and all is visited or left alone.
#[test]
fn a_capture_cut_anywhere_goes_on_where_it_was() {
    let memory = remembered(20, 15);
    for name in ["skip", "warm", "skip:breadth-first"] {
        let changed = ["hot", "burst"];
        let whole = capture(&mut scheduler(settings(name), &memory, 15, week(20)), &site(15), week(20), &changed);
        for cut in (0..whole.log.len()).step_by(7) {
            let mut resumed = scheduler(settings(name), &memory, 15, week(20));
            for entry in &whole.log[..cut] {
                match entry {
                    Entry::Decision(decision) => resumed.assume(decision),
                    Entry::Observation(observation) => resumed.settle(observation),
                }
            }
            resumed.release_in_flight();
            let rest = capture(&mut resumed, &site(15), week(20) + Span::from_secs(600), &changed);
            let answered = whole.log[..cut].iter().filter_map(|entry| match entry {
                Entry::Observation(seen) if seen.purpose == Purpose::Visit => Some(seen.url.as_str()),
                _ => None,
            });
            let all: Vec<&str> = answered.chain(visited(&rest.asked)).collect();
            let once: BTreeSet<&str> = all.iter().copied().collect();
            assert_eq!(all.len(), once.len(), "{name}, cut after {cut} entries");
            assert_eq!(once.len() as u64 + rest.skipped.unwrap().pages, 61, "{name}, cut after {cut} entries");
        }
    }
}
