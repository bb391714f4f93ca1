//! Small random truths, and what can be found out about them by trying everything.

use crate::{Score, Seen, Truth, Version, judge};
use proptest::{collection::vec, prelude::*};
use tintype_vocab::Time;

pub(crate) fn at(millis: i64) -> Time {
    Time::from_millis(millis)
}

pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

/// A truth of one page whose versions lived in these intervals.
pub(crate) fn page(lives: &[(i64, i64)]) -> Truth {
    let mut truth = Truth::default();
    truth.push_page(lives.iter().map(|&(from, until)| Version { from: at(from), until: at(until), weight: 1.0 }));
    truth
}

/// Pages of versions that follow each other at once or after an absence, within about 30 ms; some last for ever.
pub(crate) fn truths(pages: usize, versions: usize) -> impl Strategy<Value = Truth> {
    let version = (0_i64..4, 1_i64..7, 0_u8..4);
    vec((vec(version, 0..=versions), any::<bool>()), 1..=pages).prop_map(|pages| {
        let mut truth = Truth::default();
        for (page, lasts) in pages {
            let mut now = 0;
            let mut versions: Vec<Version> = Vec::new();
            for (gap, life, weight) in page {
                let from = now + (gap - 1).max(0);
                now = from + life;
                versions.push(Version { from: at(from), until: at(now), weight: f32::from(weight) });
            }
            if let Some(last) = versions.last_mut().filter(|_| lasts) {
                last.until = Time::MAX;
            }
            truth.push_page(versions);
        }
        truth
    })
}

/// Slots in order of time, also outside the window the tests look at.
pub(crate) fn slots(most: usize) -> impl Strategy<Value = Vec<Time>> {
    vec((0_i64..24).prop_map(at), 0..=most).prop_map(|mut slots| {
        slots.sort();
        slots
    })
}

pub(crate) fn visits(pages: u32, most: usize) -> impl Strategy<Value = Vec<Seen>> {
    (slots(most), vec(0..pages, most))
        .prop_map(|(slots, pages)| slots.into_iter().zip(pages).map(|(at, page)| Seen { at, page }).collect())
}

/// Every way to spend the slots on the pages.
pub(crate) fn plans(truth: &Truth, slots: &[Time]) -> impl Iterator<Item = Vec<Seen>> {
    let pages = truth.pages();
    (0..pages.pow(slots.len() as u32)).map(move |mut number| {
        let mut choose = |&at| {
            let page = (number % pages) as u32;
            number /= pages;
            Seen { at, page }
        };
        slots.iter().map(&mut choose).collect()
    })
}

/// The best any plan reaches, by trying them all.
pub(crate) fn best(truth: &Truth, from: Time, to: Time, slots: &[Time], value: fn(&Score) -> f64) -> f64 {
    plans(truth, slots).map(|plan| value(&judge(truth, from, to, &plan))).fold(0.0, f64::max)
}

/// Changes between a query and the capture nearest to it, the mean over the queries of `[now, now + 1)`.
///
/// The site as it is at `from` is a capture. Which capture is nearest changes at half milliseconds at most.
pub(crate) fn missed_changes(truth: &Truth, page: usize, from: i64, now: i64, captures: &[f64]) -> f64 {
    let captures: Vec<f64> = [from as f64].into_iter().chain(captures.iter().copied()).collect();
    let count = |query: f64| missed_between(truth, page, nearest(&captures, query), query);
    (count(now as f64 + 0.25) + count(now as f64 + 0.75)) / 2.0
}

fn nearest(captures: &[f64], query: f64) -> f64 {
    captures.iter().copied().min_by(|a, b| (a - query).abs().total_cmp(&(b - query).abs())).unwrap()
}

/// Changes a reader does not see who asks for `query` and is given the page as it was at `capture`.
pub(crate) fn missed_between(truth: &Truth, page: usize, capture: f64, query: f64) -> f64 {
    let versions = truth.page(page);
    let mut changes: Vec<i64> = versions.iter().flat_map(|v| [v.from.as_millis(), v.until.as_millis()]).collect();
    changes.dedup();
    let between = |&&change: &&i64| capture.min(query) < change as f64 && change as f64 <= capture.max(query);
    changes.iter().filter(between).count() as f64
}
