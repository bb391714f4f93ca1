//! The table a person reads.

use super::{
    CalibrationResults, Coverage, Width,
    round::{Forecast, Round},
};
use std::{collections::BTreeMap, fmt::Write};
use tintype_vocab::amount::counted;

pub(super) fn text(facts: &CalibrationResults) -> String {
    let mut out = format!(
        "{}: {}, captured {} times, {} days apart, a request every {} s, {}\n\n",
        facts.history,
        counted(facts.pages as u64, "page"),
        facts.rounds.len(),
        facts.every_days,
        facts.delay_seconds,
        if facts.revisit { "with revisits" } else { "without revisits" },
    );
    let _ = writeln!(
        out,
        "{:20}  {:>5}  {:>5}  {:>8}  {:>17}  {:>8}     {:>8}  {:>15}  {:>6}",
        "begun", "hours", "pages", "blur", "90 % interval", "true", "sharp", "90 % interval", "true"
    );
    facts.rounds.iter().for_each(|round| out += &row(round));
    out += &coverage(&facts.coverage);
    out += &off(facts);
    out
}

fn row(round: &Round) -> String {
    let Round { began, hours, pages, blur, sharp, .. } = round;
    let ([low, high], [least, most]) = (blur.interval_90, sharp.interval_90);
    let interval = |low: f64, high: f64, digits: usize| format!("{low:.digits$} to {high:.digits$}");
    format!(
        "{began:20}  {hours:5.1}  {pages:5}  {:8.2}  {:>17}  {:8.2} {:3} {:8.1}  {:>15}  {:6} {:3}\n",
        blur.expected,
        interval(low, high, 2),
        blur.truth,
        mark(blur),
        sharp.expected,
        interval(least, most, 0),
        sharp.truth,
        mark(sharp),
    )
}

fn mark(forecast: &Forecast) -> &'static str {
    if forecast.holds() { "" } else { "out" }
}

/// Pages that were furthest off more than once.
fn off(facts: &CalibrationResults) -> String {
    let mut pages: BTreeMap<&str, (u32, f64, f64)> = BTreeMap::new();
    for page in facts.rounds[1..].iter().flat_map(|round| &round.off) {
        let (times, expected, truth) = pages.entry(&page.url).or_default();
        (*times, *expected, *truth) = (*times + 1, *expected + page.expected, *truth + page.truth);
    }
    let mut pages: Vec<_> = pages.into_iter().filter(|(_, (times, ..))| *times > 1).collect();
    let distance = |(expected, truth): (f64, f64)| (truth - expected).abs();
    pages.sort_by(|(_, one), (_, other)| distance((other.1, other.2)).total_cmp(&distance((one.1, one.2))));
    let mut out = String::new();
    for (url, (times, expected, truth)) in pages.into_iter().take(5) {
        let _ = writeln!(out, "furthest off in {times} captures: {url}, blur {truth:.2}, expected {expected:.2}");
    }
    out
}

fn coverage(coverage: &Coverage) -> String {
    let of = |inside: usize| format!("{inside} of {}", coverage.captures);
    let width = |width: &Width| {
        let ratio = width.ratio.map_or("no".to_owned(), |ratio| format!("{ratio:.2}"));
        format!("{:.2} against {:.2} ({ratio} times)", width.stated, width.oracle)
    };
    let [blur, sharp] = coverage.oracle;
    format!(
        "\nfrom the second capture on the truth lies inside: blur {}, sharp pages {}; 90 % is {:.1}\n\
         inside the intervals of an oracle that knows all rates: blur {}, sharp pages {}\n\
         mean width against the oracle's: blur {}, sharp pages {}\n",
        of(coverage.blur),
        of(coverage.sharp),
        0.9 * coverage.captures as f64,
        of(blur),
        of(sharp),
        width(&coverage.blur_width),
        width(&coverage.sharp_width),
    )
}

/// One capture in a line, while others are still to come.
pub(super) fn sentence(round: &Round) -> String {
    let Round { blur, sharp, requests, pages, .. } = round;
    format!(
        "{requests} requests, {pages} pages; blur {:.2}, expected {:.2}; sharp {}, expected {:.1}",
        blur.truth, blur.expected, sharp.truth, sharp.expected
    )
}
