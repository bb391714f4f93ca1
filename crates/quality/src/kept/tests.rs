use super::*;
use crate::{Seen, Truth, Version, judge, mean_copy_age_hours};
use proptest::{
    prelude::*,
    test_runner::{RngAlgorithm, TestRng},
};

fn day(days: f64) -> Time {
    Time::from_millis((days * 86_400_000.0) as i64)
}

fn visit(at: f64, found: KeptFound, modified: Option<f64>) -> KeptVisit {
    KeptVisit { at: day(at), found, modified: modified.map(day) }
}

fn page(visits: Vec<KeptVisit>) -> KeptPage {
    KeptPage { known: visits[0].at, visits, is_watched: true, heard_of: 0.0, foretold: None }
}

/// A page that is visited every day and found as it was.
fn quiet(days: i32) -> KeptPage {
    let found = |at: i32| if at == 0 { KeptFound::First } else { KeptFound::Same };
    page((0..=days).map(|at| visit(f64::from(at), found(at), None)).collect())
}

/// A page that has changed whenever it is visited, so many hours before.
fn lively(days: i32, hours: f64) -> KeptPage {
    let found = |at: i32| if at == 0 { KeptFound::First } else { KeptFound::New };
    page((0..=days).map(|at| visit(f64::from(at), found(at), Some(f64::from(at) - hours / 24.0))).collect())
}

#[test]
fn what_never_changes_is_complete_and_fresh() {
    let quality = KeptSite::new((0..50).map(|_| quiet(30)).collect()).quality(day(23.0), day(30.0));
    let age = quality.mean_age_hours.unwrap();
    assert!(quality.missed.unwrap().mean < 0.1 && age.mean < 0.1, "{quality:?}");
    assert!(quality.completeness.is_none(), "no version came to be: {quality:?}");
}

#[test]
fn a_version_that_is_always_an_hour_old_has_had_many_before_it() {
    let quality = KeptSite::new((0..20).map(|_| lively(30, 1.0)).collect()).quality(day(23.0), day(30.0));
    // One change an hour: 24 come in a day and one of them is caught.
    let completeness = quality.completeness.unwrap();
    assert!((0.03..0.06).contains(&completeness.mean), "{quality:?}");
    let old = KeptSite::new((0..20).map(|_| lively(30, 20.0)).collect()).quality(day(23.0), day(30.0));
    assert!(old.completeness.unwrap().mean > 0.75, "{old:?}");
}

#[test]
fn a_page_seen_once_is_thought_to_do_as_all_others_do() {
    let seen_once = |nth: i32| page(vec![visit(f64::from(nth) / 100.0, KeptFound::First, None)]);
    let pages = (0..50).map(|_| quiet(30)).chain((0..500).map(seen_once)).collect();
    let quality = KeptSite::new(pages).quality(day(23.0), day(30.0));
    assert!(quality.missed.unwrap().mean < 5.0 && quality.mean_age_hours.unwrap().mean < 5.0, "{quality:?}");
}

#[test]
fn silence_of_a_listing_that_tells_all_leaves_little_to_miss() {
    let heard_of = |share: f64| {
        let pages = (0..20).map(|_| KeptPage { heard_of: share, ..lively(30, 1.0) }).collect();
        KeptSite::new(pages).quality(day(23.0), day(30.0)).completeness.unwrap().mean
    };
    assert!(heard_of(0.95) > 0.9 && heard_of(0.5) > heard_of(0.0), "{}", heard_of(0.95));
}

#[test]
fn of_a_site_that_was_seen_once_nothing_wild_is_said() {
    let seen_once = || page(vec![visit(29.0, KeptFound::First, None)]);
    let unseen = || KeptPage { known: day(29.0), visits: Vec::new(), is_watched: true, heard_of: 0.0, foretold: None };
    for pages in [vec![seen_once(), seen_once()], vec![seen_once(), unseen()], vec![unseen()]] {
        let births = pages.iter().filter(|page| page.visits.is_empty()).count() as f64;
        let missed = KeptSite::new(pages).quality(day(23.0), day(30.0)).missed.unwrap();
        assert!(missed.mean < births + 0.5, "{missed:?}");
    }
}

#[test]
fn a_page_that_its_policy_expects_to_be_quiet_is_thought_so_here_as_well() {
    let age = |foretold: Option<f64>| {
        let left = |nth: i32| KeptPage { foretold: foretold.filter(|_| nth % 2 == 0), ..lively(20, 1.0) };
        KeptSite::new((0..20).map(left).collect()).quality(day(33.0), day(40.0)).mean_age_hours.unwrap().mean
    };
    assert!(age(Some(0.01)) < 0.6 * age(None), "{} {}", age(Some(0.01)), age(None));
}

#[test]
fn where_nothing_is_dated_what_came_and_went_is_not_known() {
    let undated = |days: i32| {
        let mut page = lively(days, 1.0);
        page.visits.iter_mut().for_each(|visit| visit.modified = None);
        page
    };
    let site = |undated_pages: i32| {
        let all = (0..20).map(|nth| if nth < undated_pages { undated(30) } else { lively(30, 1.0) });
        KeptSite::new(all.collect()).quality(day(23.0), day(30.0))
    };
    let quality = site(20);
    assert!(quality.missed.is_none() && quality.completeness.is_none() && quality.mean_age_hours.is_some());
    assert!(site(11).missed.is_none() && site(9).completeness.is_some());
}

#[test]
fn a_page_seen_a_moment_ago_is_not_foretold_to_have_changed_already() {
    let missed = |ago: f64| {
        let seen = || page(vec![visit(30.0 - ago, KeptFound::First, None)]);
        let foretold = || KeptPage { foretold: Some(0.2), ..seen() };
        KeptSite::new((0..50).map(|_| foretold()).collect()).quality(day(23.0), day(30.0)).missed.unwrap()
    };
    assert!(missed(0.0002).mean < 0.2, "{:?}", missed(0.0002));
    assert!(missed(0.5).mean > 5.0, "{:?}", missed(0.5));
}

/// An old site of which the first capture is under way has not had a birth for every page that was not asked for yet.
#[test]
fn pages_of_an_old_site_that_wait_for_their_first_visit_are_no_births() {
    let met = day(29.9);
    let seen = |modified: f64| KeptPage { known: met, ..page(vec![visit(29.9, KeptFound::First, Some(modified))]) };
    let waits = || KeptPage { known: met, visits: Vec::new(), is_watched: true, heard_of: 0.0, foretold: None };
    let missed = |modified: f64| {
        let pages = (0..30).map(|_| seen(modified)).chain((0..20).map(|_| waits()));
        KeptSite::new(pages.collect()).quality(day(23.0), day(30.0)).missed.unwrap().mean
    };
    assert!(missed(-1000.0) < 2.0, "{}", missed(-1000.0));
    assert!(missed(29.0) >= 20.0, "all that was seen came to be this week: {}", missed(29.0));
}

/// A server's dates are whole seconds, so an edit within the second of a visit is dated before that visit.
#[test]
fn what_is_edited_within_the_second_of_a_visit_is_dated() {
    let at = |millis: i64| Time::from_millis(1_800_000_000_000 + millis);
    let visits = |edited: i64| {
        let found = |at, found, modified| KeptVisit { at, found, modified: Some(modified) };
        vec![found(at(700), KeptFound::First, at(-86_400_000)), found(at(60_000), KeptFound::New, at(edited))]
    };
    let missed = |edited: i64| KeptSite::new(vec![page(visits(edited))]).quality(at(-604_800_000), at(61_000)).missed;
    assert!(missed(0).is_some(), "said at .000, seen at .700, so edited after that");
    assert!(missed(-1000).is_none(), "what is dated a second before was not edited after the visit");
}

#[test]
fn dates_that_contradict_visits_are_not_believed() {
    let lies = |at: i32| visit(f64::from(at), KeptFound::Same, Some(f64::from(at) - 0.01));
    let pages = |number: i32| (0..number).map(|_| page((0..=30).map(lies).collect())).collect();
    assert!(!KeptSite::new(pages(3)).is_dated);
    assert!(KeptSite::new((0..3).map(|_| lively(30, 1.0)).collect()).is_dated);
}

/// A site whose pages change at random, each at a rate of its own, and which are visited in turns; its truth.
struct RandomSite {
    truth: Truth,
    visits: Vec<Seen>,
}

fn uniform(dice: &mut TestRng) -> f64 {
    (f64::from(dice.next_u32()) + 1.0) / (f64::from(u32::MAX) + 1.0)
}

impl RandomSite {
    fn new(pages: u32, per_day: f64, days: f64, dice: &mut TestRng) -> RandomSite {
        let mut truth = Truth::default();
        for _ in 0..pages {
            // From once in a hundred days to ten times a day, most of them seldom.
            let rate = 10_f64.powf(-2.0 + 3.0 * uniform(dice).powi(3));
            let mut at = -60.0;
            let mut births = Vec::new();
            while at < days {
                births.push(day(at));
                at += (-uniform(dice).ln() / rate).max(1e-4);
            }
            let untils = births.iter().skip(1).copied().chain([Time::MAX]);
            let lives: Vec<Version> =
                births.iter().zip(untils).map(|(&from, until)| Version { from, until, weight: 1.0 }).collect();
            truth.push_page(lives);
        }
        let slots = (per_day * days) as u32;
        let visits = (0..slots).map(|nth| Seen { at: day(f64::from(nth) / per_day), page: nth % pages }).collect();
        RandomSite { truth, visits }
    }

    fn kept(&self, now: Time) -> KeptSite {
        let mut pages: Vec<KeptPage> = Vec::new();
        let mut held = vec![None; self.truth.pages()];
        pages.resize_with(self.truth.pages(), || KeptPage {
            known: day(0.0),
            visits: Vec::new(),
            is_watched: true,
            heard_of: 0.0,
            foretold: None,
        });
        for seen in self.visits.iter().take_while(|seen| seen.at < now) {
            let page = seen.page as usize;
            let version = self.truth.alive(page, seen.at);
            let found = match held[page].replace(version) {
                None => KeptFound::First,
                Some(before) if before == version => KeptFound::Same,
                Some(_) => KeptFound::New,
            };
            let modified = version.map(|version| self.truth.versions()[version].from);
            pages[page].visits.push(KeptVisit { at: seen.at, found, modified });
        }
        KeptSite::new(pages)
    }
}

/// Share of intervals of completeness and of mean age that hold, and the mean width of the first.
fn coverage() -> [f64; 3] {
    let mut dice = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let (mut held, mut aged, mut width, mut weeks) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..6 {
        let site = RandomSite::new(120, 60.0, 70.0, &mut dice);
        for week in 5..10 {
            let (since, now) = (day(f64::from(week) * 7.0), day(f64::from(week) * 7.0 + 7.0));
            let stated = site.kept(now).quality(since, now);
            let within =
                |range: &BelievedRange, truth: f64| f64::from(u8::from((range.low..=range.high).contains(&truth)));
            let completeness = stated.completeness.unwrap();
            held += within(&completeness, judge(&site.truth, since, now, &site.visits).completeness);
            aged +=
                within(&stated.mean_age_hours.unwrap(), mean_copy_age_hours(&site.truth, now, &site.visits).unwrap());
            width += completeness.high - completeness.low;
            weeks += 1.0;
        }
    }
    [held, aged, width].map(|sum| sum / weeks)
}

#[test]
fn intervals_hold_where_pages_change_at_random_and_say_when() {
    let [held, aged, width] = coverage();
    assert!(held >= 0.85 && aged >= 0.85 && width < 0.4, "{held} {aged}, {width} wide");
}
