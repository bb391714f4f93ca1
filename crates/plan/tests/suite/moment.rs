//! Captures that are meant for a moment: where their middle falls, and what is seen on which side of it.

use crate::toy::{Toy, run};
use std::collections::BTreeMap;
use tintype_plan::{Scheduler, Settings};
use tintype_vocab::{Purpose, Request, SiteId, Span, Time};

/// When a run of the toy web begins.
const NOW: Time = Time::from_secs(1_000_000);
const PAUSE: Span = Span::from_secs(60);

fn meant_for(moment: Time, pages: Option<u64>, revisit: bool) -> Vec<(Time, Request)> {
    let settings = Settings {
        as_of: Some(moment),
        pages_expected: pages,
        delay: Some(PAUSE),
        revisit,
        ..Settings::new(SiteId(0), vec!["http://e.com/".to_owned()])
    };
    let asked = run(&mut Scheduler::new(settings).unwrap(), &Toy::tree(3, 3));
    asked.into_iter().filter(|(_, request)| matches!(request.purpose, Purpose::Visit | Purpose::Revisit)).collect()
}

/// For every page, when it was asked for.
fn by_page(asked: &[(Time, Request)]) -> BTreeMap<&str, Vec<Time>> {
    let mut times = BTreeMap::<&str, Vec<Time>>::new();
    asked.iter().for_each(|(at, request)| times.entry(&request.url).or_default().push(*at));
    times
}

#[test]
fn a_capture_begins_so_that_its_middle_falls_on_the_moment() {
    let moment = NOW + Span::from_days(2);
    for revisit in [false, true] {
        let asked = meant_for(moment, Some(40), revisit);
        assert_eq!(by_page(&asked).len(), 40);
        let (first, last) = (asked[0].0, asked[asked.len() - 1].0);
        let off = (first + (last - first) / 2 - moment).as_millis().abs();
        assert!(off < 4 * PAUSE.as_millis(), "revisits {revisit}: from {first} to {last}, {moment} is wanted");
    }
}

#[test]
fn what_proves_a_moment_is_seen_before_it_and_after_it() {
    // Nobody knows how large the site is, so it begins at once, and there is time left before the moment.
    let moment = NOW + PAUSE * 500;
    let asked = meant_for(moment, None, true);
    assert!(asked[0].0 < NOW + PAUSE * 5, "{}", asked[0].0);
    for (url, times) in by_page(&asked) {
        assert!(times.len() >= 2 && times[0] < moment && times[times.len() - 1] >= moment, "{url}: {times:?}");
    }
}

#[test]
fn a_moment_nearer_than_half_of_the_capture_is_proved_for_what_was_seen_before_it() {
    let moment = NOW + PAUSE * 12;
    let asked = meant_for(moment, Some(40), true);
    let pages = by_page(&asked);
    let proved = pages.values().filter(|times| times[0] < moment && times[times.len() - 1] >= moment).count();
    assert!(pages.len() == 40 && proved >= 8, "{proved} of {}", pages.len());
    let begun_late = asked.iter().position(|(at, request)| *at >= moment && request.purpose == Purpose::Visit);
    let last_proof = asked.iter().rposition(|(at, request)| {
        *at >= moment && request.purpose == Purpose::Revisit && pages[request.url.as_str()][0] < moment
    });
    assert!(last_proof < begun_late, "proofs come first: {last_proof:?} {begun_late:?}");
}

#[test]
fn a_moment_that_has_passed_is_no_reason_to_wait() {
    let asked = meant_for(NOW - Span::from_days(1), Some(40), true);
    assert!(asked[0].0 < NOW + PAUSE * 5 && by_page(&asked).values().all(|times| times.len() >= 2));
}
