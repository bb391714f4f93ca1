//! Figure 6: how long mining takes, on trees that change at random. Times are measured, so they differ from run to run.

use super::mining::{Mine, Organised};
use crate::{
    paper::growth::{LINEAR, exponent},
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use tintype_picture::{Axis, Lines, Series};
use tintype_world::growth::Growth;

/// Shares of the nodes that change from version to version.
const CHANGED: [f64; 3] = [0.05, 0.1, 0.2];
/// Nodes of the first tree, for every page of a made-up site; nodes and versions where the other varies.
const SIZES: [usize; 5] = [25, 50, 100, 200, 400];
const SIZE: usize = 25;
const VERSIONS: [usize; 4] = [20, 40, 80, 160];
const VERSION: usize = 20;
/// The thresholds that do not vary, as in the paper; of confidence it says nothing.
const FIXED: Mine = Mine { degree: 0.1, frequency: 0.1, correlation: 0.1, confidence: 0.1 };
const THRESHOLDS: [f64; 6] = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5];
/// More than this between the fastest and the slowest is an effect.
const ALIKE: f64 = 1.25;

pub(super) fn parts(pages: usize, seed: u64) -> Vec<Part> {
    let growth = Growth { seed, nodes: SIZE * pages, ..Growth::default() };
    let by_size = Scaling::new(SIZES.map(|size| size * pages), |nodes, changed| {
        Organised::new(&Growth { nodes, changed, ..growth }, VERSION).seconds(&FIXED)
    });
    let by_versions = Scaling::new(VERSIONS, |versions, changed| {
        Organised::new(&Growth { changed, ..growth }, versions).seconds(&FIXED)
    });
    vec![
        by_size.part("a", "the size of the tree", "Size", "nodes of the first tree", &format!("{VERSION} versions")),
        by_versions.part("b", "the number of versions", "Versions", "number", &format!("{} nodes", growth.nodes)),
        thresholds(&Growth { nodes: SIZES[SIZES.len() - 1] * pages, ..growth }),
    ]
}

/// Seconds as something grows, for every share of changes.
struct Scaling {
    at: Vec<usize>,
    /// By share of changes.
    seconds: Vec<Vec<f64>>,
}

impl Scaling {
    fn new(at: impl IntoIterator<Item = usize>, measure: impl Fn(usize, f64) -> f64) -> Scaling {
        let at: Vec<usize> = at.into_iter().collect();
        let seconds = CHANGED.map(|changed| at.iter().map(|size| measure(*size, changed)).collect()).to_vec();
        Scaling { at, seconds }
    }

    fn series(&self) -> impl Iterator<Item = (String, Vec<(f64, f64)>)> {
        let points = |seconds: &Vec<f64>| self.at.iter().map(|at| *at as f64).zip(seconds.iter().copied()).collect();
        CHANGED.iter().zip(&self.seconds).map(move |(changed, seconds)| (share_words(*changed), points(seconds)))
    }

    fn part(&self, letter: &str, grows: &str, quantity: &str, unit: &str, fixed: &str) -> Part {
        let series = self.series().map(|(name, points)| Series::new(name, points));
        let chart = Lines {
            title: format!("Time to mine, by {grows}"),
            caption: format!(
                "{fixed}; both phases, the fastest of a few runs. A straight line of slope 1 is linear growth."
            ),
            x: Axis::logarithmic(quantity, unit),
            y: Axis::logarithmic("Time", "seconds"),
            series: series.collect(),
        };
        Part {
            name: format!("figure-6{letter}"),
            title: format!("Figure 6({letter}): time by {grows}"),
            text: format!(
                "{fixed}, at most {} children in a directory and {} levels in the first tree; C per cent of the nodes are \
                 updated, inserted or deleted from version to version. Seconds to compare, merge and mine all versions, \
                 every version given as its whole list of pages.",
                Growth::default().fan_out,
                Growth::default().depth
            ),
            table: Some(self.table(quantity)),
            picture: Some(chart.draw()),
            claims: vec![self.claim(grows)],
        }
    }

    fn table(&self, quantity: &str) -> Table {
        let columns = CHANGED.map(|changed| format!("seconds, {}", share_words(changed)));
        let mut table = Table::new(std::iter::once(quantity.to_lowercase()).chain(columns));
        for (nth, at) in self.at.iter().enumerate() {
            let seconds = self.seconds.iter().map(|seconds| Cell::Number(seconds[nth], 4));
            table.push(std::iter::once(Cell::text(at.to_string())).chain(seconds).collect());
        }
        table
    }

    fn claim(&self, grows: &str) -> Claim {
        let slopes: Vec<(String, f64)> = self.series().map(|(name, points)| (name, exponent(&points))).collect();
        let words = slopes.iter().map(|(name, slope)| format!("{name}: {slope:.2}"));
        Claim::new(
            format!("time is linear in {grows}"),
            slopes.iter().all(|(_, slope)| LINEAR.contains(slope)),
            format!("exponents of growth: {}", words.collect::<Vec<_>>().join(", ")),
        )
    }
}

fn share_words(changed: f64) -> String {
    format!("C = {:.0} %", 100.0 * changed)
}

/// Figure 6(c): the second phase alone.
fn thresholds(growth: &Growth) -> Part {
    let organised = Organised::new(growth, VERSION);
    let of = |make: &dyn Fn(f64) -> Mine| THRESHOLDS.map(|value| organised.mine(&make(value)));
    let varied = [
        ("degree of change", of(&|degree| Mine { degree, ..FIXED })),
        ("frequency of change", of(&|frequency| Mine { frequency, ..FIXED })),
        ("correlation of change", of(&|correlation| Mine { correlation, ..FIXED })),
    ];
    let mut table = Table::new(
        std::iter::once("threshold".to_owned())
            .chain(varied.iter().flat_map(|(name, _)| [format!("seconds, {name}"), format!("rules, {name}")])),
    );
    for (nth, value) in THRESHOLDS.iter().enumerate() {
        let cells = varied
            .iter()
            .flat_map(|(_, mined)| [Cell::Number(mined[nth].seconds, 5), Cell::Number(mined[nth].rules as f64, 0)]);
        table.push(std::iter::once(Cell::text(value.to_string())).chain(cells).collect());
    }
    let line = |(name, mined): &(&str, [super::mining::Mined; 6])| {
        Series::new(*name, THRESHOLDS.iter().zip(mined).map(|(value, mined)| (*value, 1000.0 * mined.seconds)))
    };
    let chart = Lines {
        title: "Time of the second phase, by threshold".to_owned(),
        caption: format!("{} nodes, {VERSION} versions; the other thresholds at {}.", growth.nodes, FIXED.degree),
        x: Axis::linear("Threshold", "share"),
        y: Axis::linear("Time", "milliseconds").including(0.0, 0.0),
        series: varied.iter().map(line).collect(),
    };
    Part {
        name: "figure-6c".to_owned(),
        title: "Figure 6(c): time of the second phase by threshold".to_owned(),
        text: format!(
            "{} nodes, {VERSION} versions, {}. Rules are mined from every directory; a confidence of {} is asked for.",
            growth.nodes,
            share_words(growth.changed),
            FIXED.confidence
        ),
        table: Some(table),
        picture: Some(chart.draw()),
        claims: threshold_claims(&varied.map(|(_, mined)| mined.map(|mined| mined.seconds))),
    }
}

fn threshold_claims([degree, frequency, correlation]: &[[f64; 6]; 3]) -> Vec<Claim> {
    let ends = |seconds: &[f64; 6]| {
        format!("{:.5} s at {}, {:.5} s at {}", seconds[0], THRESHOLDS[0], seconds[5], THRESHOLDS[5])
    };
    let falls = |seconds: &[f64; 6]| seconds[5] < seconds[0];
    let (least, most) =
        correlation.iter().fold((f64::MAX, 0.0_f64), |(least, most), at| (least.min(*at), most.max(*at)));
    vec![
        Claim::new("the higher the threshold of degree, the shorter", falls(degree), ends(degree)),
        Claim::new("the higher the threshold of frequency, the shorter", falls(frequency), ends(frequency)),
        Claim::new(
            "the threshold of correlation does not matter",
            most < ALIKE * least,
            format!("slowest ÷ fastest {:.2}", most / least),
        ),
    ]
}
