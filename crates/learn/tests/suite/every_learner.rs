//! What every registered learner must keep, whatever it learns.

use tintype_learn::{
    learner::{Context, Learner, PageSlot, Subject},
    learners::{LEARNERS, LoadError, RegisteredLearner},
};
use tintype_vocab::{
    Change, ChangeRate, LinkKind, Mention, Observation, Outcome, PageId, Purpose, Request, SiteId, Span, Time,
    Validators,
};

/// Numbers as good as drawn by lot, the same every time.
struct Lot(u64);

impl Lot {
    fn draw(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// A Monday.
const START: Time = Time::from_secs(1_704_067_200);

/// The page that says when others changed.
const SITEMAP: u32 = 5;

fn url(page: u32) -> String {
    format!("http://e.example/{}/{page}.{}", page % 7, ["html", "png", "xml"][page as usize % 3])
}

fn subject(page: u32, url: &str) -> Subject<'_> {
    let name = tintype_learn::knowledge::name(url);
    let kind = if page == SITEMAP { LinkKind::Sitemap } else { LinkKind::Anchor };
    Subject { slot: PageSlot(page), name, url, kind, mention: Mention::default(), depth: 1 }
}

fn visit(page: u32, url: &str, at: Time, change: Change) -> Observation {
    let (site, purpose) = (SiteId(0), Purpose::Visit);
    let request =
        Request { site, page: PageId(page), url: url.to_owned(), purpose, attempt: 0, rate: ChangeRate::default() };
    Observation {
        change,
        media_type: Some(["text/html", "image/png", "application/xml"][page as usize % 3].to_owned()),
        ..Observation::of(&request, at, at, Outcome::Body { status: 200 })
    }
}

/// One visit: which page, when, what it found, and when the server says that came to be.
#[derive(Clone, Debug)]
struct Step {
    page: u32,
    at: Time,
    /// The visit before, whoever made it.
    last: Option<Time>,
    change: Change,
    modified: Option<Time>,
}

/// A log of pages that are visited every five hours, some of which change with every visit and some hardly ever.
fn log(pages: std::ops::Range<u32>, days: std::ops::Range<i64>, seed: u64) -> Vec<Step> {
    let (mut lot, mut steps) = (Lot(seed), Vec::new());
    for hour in (24 * days.start..24 * days.end).step_by(5) {
        for page in pages.clone() {
            let at = START + Span::from_secs(3600 * hour + i64::from(page));
            let changed = lot.draw(100) < 5 + 85 * u64::from(page % 4 == 0);
            let change = match () {
                () if hour == 0 => Change::First,
                () if changed => Change::New { importance: 0.2 + 0.1 * (page % 5) as f32 },
                () => Change::Same,
            };
            let modified = changed.then(|| at - Span::from_secs(lot.draw(5 * 3600) as i64));
            let last = (hour > 0).then(|| at - Span::from_secs(5 * 3600));
            steps.push(Step { page, at, last, change, modified });
        }
    }
    steps
}

/// Folds a log, as a knowledge would: with the latest visit before, and what the page is listed by.
fn fold(learner: &mut dyn Learner, log: &[Step]) {
    for step in log {
        let url = url(step.page);
        let mut seen = visit(step.page, &url, step.at, step.change);
        seen.validators = Validators { etag: None, last_modified: step.modified.map(|at| at.to_mail_date()) };
        let linked: Vec<(PageSlot, u32)> =
            (0..8).map(|page| (PageSlot(page), (step.at.as_secs() / 86_400) as u32 * (page % 2) + 1)).collect();
        let dated: Vec<(PageSlot, Time)> =
            (0..8).map(|page| (PageSlot(page), step.at - Span::from_secs(3600 * (1 + i64::from(page))))).collect();
        let expected = step.last.map_or(0.0, |last| 0.1 * (step.at - last).as_days_f64());
        let context = Context {
            last: step.last,
            per_day: 0.1,
            expected,
            linked: if step.page < 3 { &linked } else { &[] },
            dated: if step.page == SITEMAP { &dated } else { &[] },
            ..Context::first(START)
        };
        learner.observe(&subject(step.page, &url), &seen, &context);
    }
}

fn taught(entry: &RegisteredLearner, log: &[Step]) -> Box<dyn Learner> {
    let mut learner = entry.make();
    fold(&mut *learner, log);
    learner
}

fn beliefs(learner: &dyn Learner, pages: u32, at: Time) -> Vec<f64> {
    let believes = |page| learner.believes(&subject(page, &url(page)), at);
    (0..pages).flat_map(|page| believes(page).into_iter().map(|(_, number)| number)).collect()
}

#[test]
fn it_is_registered_under_its_own_name_and_believes_something() {
    for entry in LEARNERS {
        let learner = taught(entry, &log(0..8, 0..20, 1));
        assert_eq!(learner.name(), entry.name);
        assert!(!beliefs(&*learner, 8, START + Span::from_days(21)).is_empty(), "{}", entry.name);
        assert!(learner.fits(&*entry.make()) && learner.blank().fits(&*learner), "{}", entry.name);
        assert_eq!(learner.blank().save(), entry.make().save(), "{}", entry.name);
        assert_eq!(LEARNERS.iter().filter(|other| other.name == entry.name).count(), 1, "{}", entry.name);
    }
}

#[test]
fn the_same_log_teaches_the_same() {
    for entry in LEARNERS {
        let log = log(0..8, 0..20, 2);
        assert_eq!(taught(entry, &log).save(), taught(entry, &log).save(), "{}", entry.name);
    }
}

#[test]
fn what_was_saved_is_what_was_known_and_learns_on_alike() {
    for entry in LEARNERS {
        let (before, after) = (log(0..8, 0..20, 3), log(0..10, 20..30, 4));
        let mut learner = taught(entry, &before);
        let bytes = entry.save(&*learner);
        let mut kept = entry.load(&bytes).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        assert_eq!(entry.save(&*kept), bytes, "{}", entry.name);
        let at = START + Span::from_days(20);
        assert_eq!(beliefs(&*kept, 8, at), beliefs(&*learner, 8, at), "{}", entry.name);
        if entry.name != "media" {
            fold(&mut *kept, &after);
            fold(&mut *learner, &after);
            assert_eq!(entry.save(&*kept), entry.save(&*learner), "{}", entry.name);
        }
    }
}

#[test]
fn bytes_of_another_version_or_damaged_ones_are_an_error() {
    for entry in LEARNERS {
        let bytes = entry.save(&*taught(entry, &log(0..4, 0..5, 5)));
        let mut other = bytes.clone();
        other[0] ^= 1;
        assert_eq!(entry.load(&other).err(), Some(LoadError::OtherVersion), "{}", entry.name);
        for cut in [0, 3, 11, bytes.len() / 2, bytes.len() - 1] {
            assert!(entry.load(&bytes[..cut]).is_err(), "{} cut at {cut}", entry.name);
        }
        for at in (4..bytes.len()).step_by(bytes.len() / 50 + 1) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x10;
            assert_eq!(entry.load(&flipped).err(), Some(LoadError::Damaged), "{} at {at}", entry.name);
        }
    }
}

/// Bytes that add up and make no sense are refused, or make a learner that goes on learning.
#[test]
fn no_bytes_make_a_learner_panic() {
    for entry in LEARNERS {
        let body = taught(entry, &log(0..4, 0..4, 6)).save();
        let mut lot = Lot(7);
        for _ in 0..200 {
            let mut bytes = body.clone();
            for _ in 0..1 + lot.draw(4) {
                let at = lot.draw(bytes.len() as u64) as usize;
                bytes[at] = lot.draw(256) as u8;
            }
            bytes.truncate(bytes.len() - (lot.draw(50) == 0) as usize);
            if let Ok(mut learner) = entry.read(&bytes) {
                fold(&mut *learner, &log(0..5, 4..6, 8));
                beliefs(&*learner, 6, START + Span::from_days(7));
                let slots: Vec<PageSlot> = (0..9).map(PageSlot).collect();
                let mut blank = learner.blank();
                blank.merge(&*learner, &slots);
                assert!(learner.bytes() < 1 << 27, "{}", entry.name);
            }
        }
        for len in 0..64 {
            let bytes: Vec<u8> = (0..len).map(|_| lot.draw(256) as u8).collect();
            let _ = (entry.read(&bytes), entry.load(&bytes));
        }
    }
}

/// How far apart two beliefs are, as a share of what would be believed, if that is more than nothing.
fn apart(one: f64, other: f64) -> f64 {
    (one - other).abs() / one.abs().max(other.abs()).max(0.1)
}

/// The farthest that a merged learner is off one that has read both logs.
fn farthest(merged: &dyn Learner, both: &dyn Learner, pages: u32, days: i64) -> f64 {
    let at = START + Span::from_days(days);
    let (merged, both) = (beliefs(merged, pages, at), beliefs(both, pages, at));
    assert_eq!(merged.len(), both.len());
    merged.into_iter().zip(both).map(|(merged, both)| apart(merged, both)).fold(0.0, f64::max)
}

/// Whether every learner is as near as it says; all of them in one list.
fn assert_near(found: &[(&RegisteredLearner, f64)]) {
    let list: Vec<_> = found.iter().map(|(entry, off)| (entry.name, *off, entry.merge_tolerance)).collect();
    assert!(list.iter().all(|(_, off, tolerance)| off <= tolerance), "off, and how far it may be: {list:?}");
}

/// Two workers saw different pages of a site.
#[test]
fn pages_seen_by_two_are_known_as_if_by_one() {
    let (one, other) = (log(0..6, 0..40, 10), log(6..12, 0..40, 11));
    let mut all = [one.clone(), other.clone()].concat();
    all.sort_by_key(|step| step.at);
    let slots: Vec<PageSlot> = (0..12).map(PageSlot).collect();
    let off = |entry: &'static RegisteredLearner| {
        let mut merged = taught(entry, &one);
        merged.merge(&*taught(entry, &other), &slots);
        (entry, farthest(&*merged, &*taught(entry, &all), 12, 41))
    };
    assert_near(&LEARNERS.iter().map(off).collect::<Vec<_>>());
}

/// One worker saw a site after another had.
#[test]
fn two_halves_of_a_log_are_the_log() {
    let (one, other) = (log(0..6, 0..40, 12), log(0..6, 40..80, 13));
    let both = [one.clone(), other.clone()].concat();
    let slots: Vec<PageSlot> = (0..6).map(PageSlot).collect();
    let off = |entry: &'static RegisteredLearner| {
        let mut merged = taught(entry, &one);
        merged.merge(&*taught(entry, &other), &slots);
        (entry, farthest(&*merged, &*taught(entry, &both), 6, 81))
    };
    assert_near(&LEARNERS.iter().map(off).collect::<Vec<_>>());
}

/// Pages have other numbers elsewhere.
#[test]
fn merging_goes_by_what_pages_are_called_here() {
    for entry in LEARNERS.iter().filter(|entry| matches!(entry.name, "changes" | "hours" | "worth")) {
        let mut blank = entry.make();
        let slots: Vec<PageSlot> = [3, 2, 1, 0].map(PageSlot).to_vec();
        blank.merge(&*taught(entry, &log(0..4, 0..20, 14)), &slots);
        let learner = taught(entry, &log(0..4, 0..20, 14));
        let at = START + Span::from_days(20);
        let believes = |learner: &dyn Learner, page| learner.believes(&subject(page, &url(page)), at)[0].1;
        for page in 0..4 {
            let (here, there) = (believes(&*blank, 3 - page), believes(&*learner, page));
            assert!(apart(here, there) <= entry.merge_tolerance, "{}: {here} {there}", entry.name);
        }
    }
}

/// A million visits, as different as can be: pages, dates, importances, links. A tenth of that where nothing is optimised,
/// which takes longer.
#[test]
fn a_hostile_stream_stays_within_the_stated_bound() {
    const VISITS: u64 = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
    for entry in LEARNERS {
        // As many pages as may take 96 MB, so that the test itself stays small.
        let pages = ((96 << 20) / entry.bound.per_page.max(64) as u64).min(VISITS);
        let mut learner = entry.make();
        let mut lot = Lot(9);
        for nth in 0..VISITS {
            let page = (nth % pages) as u32;
            let odd = [i64::MIN, i64::MAX, 0, -1][lot.draw(4) as usize];
            let at = if lot.draw(1000) == 0 { Time::from_millis(odd) } else { START + Span::from_secs(nth as i64) };
            let importance = [0.0, 1.0, f32::NAN, -1.0, 1e30][lot.draw(5) as usize];
            let change = if lot.draw(3) == 0 { Change::Same } else { Change::New { importance } };
            let url = format!("http://{page}.example/{}/{page}", Lot(page.into()).draw(1 << 30));
            let mut seen = visit(page, &url, at, change);
            seen.media_type = Some(format!("x{}/y{nth}", nth % 50));
            let linked: Vec<(PageSlot, u32)> = (0..lot.draw(4) * u64::from(nth % 10 == 0) * 900)
                .map(|_| (PageSlot(lot.draw(pages) as u32), lot.draw(1 << 32) as u32))
                .collect();
            let context = Context { linked: &linked, last: Some(at - Span::from_secs(1)), ..Context::first(at) };
            learner.observe(&subject(page, &url), &seen, &context);
        }
        let most = entry.bound.in_all + entry.bound.per_page * pages as usize;
        assert!(learner.bytes() <= most, "{}: {} bytes, {most} stated", entry.name, learner.bytes());
    }
}
