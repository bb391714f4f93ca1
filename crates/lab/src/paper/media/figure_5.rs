//! Figure 5: processor time against the number of URIs. It is measured, so it differs a little from run to run.

use super::players::PLAYERS;
use crate::{
    media::labelled::Labelled,
    media::models::{ModelName, learn},
    media::speed::fastest,
    paper::growth::{LINEAR, exponent},
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use std::{hint::black_box, time::Duration};
use tintype_learn::media::Sight;
use tintype_picture::{Axis, Lines, Series};

/// Parts of all URLs that are timed.
const PARTS: [usize; 5] = [16, 8, 4, 2, 1];
/// How long each is repeated at the least.
const LASTING: Duration = Duration::from_millis(50);
const MODELS: [ModelName; PLAYERS.len()] = [ModelName::Statistical, ModelName::Stream, ModelName::Tintype];
/// In the paper, on a processor of its time: URIs a second.
const PRINTED: [f64; 2] = [17_385.0, 3_000.0];
const WANTED: f64 = 1_000_000.0;

/// How long a model takes for so many URIs: telling them apart, and learning them.
struct Timed {
    model: ModelName,
    /// Number and seconds.
    classify: Vec<(f64, f64)>,
    update: Vec<(f64, f64)>,
}

impl Timed {
    fn new(model: ModelName, urls: &[Labelled<'_>]) -> Timed {
        let blank = model.blank();
        let mut learned = blank.again();
        learn(&mut *learned, urls);
        let seconds = |rows: &[Labelled<'_>], per_second: f64| (rows.len() as f64, rows.len() as f64 / per_second);
        let parts = || PARTS.iter().map(|part| &urls[..(urls.len() / part).max(1)]);
        let classify = |rows: &[Labelled<'_>]| {
            for row in rows {
                black_box(learned.content_types(&Sight::of(black_box(row.url))));
            }
        };
        let classified = |rows| seconds(rows, fastest(rows.len(), LASTING, || (), |()| classify(rows)));
        let updated = |rows: &[Labelled<'_>]| {
            seconds(rows, fastest(rows.len(), LASTING, || blank.again(), |model| learn(&mut **model, rows)))
        };
        Timed { model, classify: parts().map(classified).collect(), update: parts().map(updated).collect() }
    }

    fn lines(&self) -> [(String, &[(f64, f64)]); 2] {
        [(format!("{} classifies", self.model), &self.classify), (format!("{} learns", self.model), &self.update)]
    }
}

/// URIs a second with all of them.
fn speed(points: &[(f64, f64)]) -> f64 {
    points.last().map_or(0.0, |(count, seconds)| count / seconds)
}

pub(super) fn part(urls: &[Labelled<'_>]) -> Part {
    let timed = MODELS.map(|model| Timed::new(model, urls));
    let lines = || timed.iter().flat_map(Timed::lines);
    let chart = Lines {
        title: "Time to classify and to learn URLs".to_owned(),
        caption:
            "Processor time of one core, features included, the fastest of several passes. Slope 1 is linear growth."
                .to_owned(),
        x: Axis::logarithmic("URLs", "number"),
        y: Axis::logarithmic("Time", "seconds"),
        series: lines().map(|(name, points)| Series::new(name, points.iter().copied())).collect(),
    };
    let mut table =
        Table::new(std::iter::once("URLs".to_owned()).chain(lines().map(|(name, _)| format!("{name}, seconds"))));
    for nth in 0..PARTS.len() {
        let count = Cell::text(timed[0].classify[nth].0.to_string());
        table.push(std::iter::once(count).chain(lines().map(|(_, points)| Cell::Number(points[nth].1, 5))).collect());
    }
    Part {
        name: "figure-5".to_owned(),
        title: "Figure 5: time by number of URLs".to_owned(),
        text: "Learning is learning each URL once, in order, as a crawler does; classifying is asking for the chances of all \
               content types."
            .to_owned(),
        table: Some(table),
        picture: Some(chart.draw()),
        claims: claims(&timed),
    }
}

fn claims([statistical, stream, ours]: &[Timed; 3]) -> Vec<Claim> {
    let both = |timed: &Timed| [speed(&timed.classify), speed(&timed.update)];
    let words =
        |[classified, learned]: [f64; 2]| format!("{classified:.0} classified and {learned:.0} learned a second");
    let [classified, learned] = both(statistical);
    let (is_linear, slopes) = linear(&[statistical]);
    let (are_linear, others) = linear(&[stream, ours]);
    vec![
        Claim::new("time is linear in the number of URIs, for both", is_linear, slopes),
        Claim::new(
            "URIs are classified faster than they are learned",
            classified > learned,
            format!("{} here, {} in the paper", words([classified, learned]), words(PRINTED)),
        ),
        Claim::goal("time is linear for stream and tintype, too", are_linear, others),
        Claim::goal(
            "ours classifies a million URLs a second",
            both(ours)[0] >= WANTED,
            format!("tintype: {}; stream: {}", words(both(ours)), words(both(stream))),
        ),
    ]
}

fn linear(timed: &[&Timed]) -> (bool, String) {
    let slopes: Vec<(String, f64)> =
        timed.iter().flat_map(|timed| timed.lines()).map(|(name, points)| (name, exponent(points))).collect();
    let words: Vec<String> = slopes.iter().map(|(name, slope)| format!("{name}: {slope:.2}")).collect();
    (slopes.iter().all(|(_, slope)| LINEAR.contains(slope)), format!("exponents of growth: {}", words.join(", ")))
}
