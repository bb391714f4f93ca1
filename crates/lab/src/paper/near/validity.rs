//! Figures 5(a) and 5(b): how long rules hold, and from how many versions they should be mined.

use super::{
    site::{NOTHING_SKIPPED, RATIOS, Site, Trial},
    sweep::Sweep,
};
use crate::paper::part::{Claim, Part};
use tintype_picture::Axis;

const DISTANCES: [usize; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const TRAINING: [usize; 6] = [5, 10, 15, 20, 25, 30];
/// What is said to be skipped, and how far from it “around” reaches.
const THIRD: std::ops::Range<f64> = 0.25..0.45;
/// What the paper would call high.
const HIGH: f64 = 0.8;
/// Less than this nobody would call a deterioration.
const SLIGHT: f64 = 0.05;

pub(super) fn parts(sites: &[Site<'_>], trial: &Trial) -> anyhow::Result<Vec<Part>> {
    Ok(vec![distance(sites, trial)?, training(sites, trial)?])
}

fn distance(sites: &[Site<'_>], trial: &Trial) -> anyhow::Result<Part> {
    let sweep = Sweep::new(sites, &DISTANCES, |distance| Trial { distance, ..*trial })?;
    let x = Axis::linear("Distance", "versions between training and test");
    Ok(Part {
        name: "figure-5a".to_owned(),
        title: "Figure 5(a): distance between training and test".to_owned(),
        text: format!(
            "{} Here the rules are used so many versions later; the archive is up to date until the version before the test.{}",
            trial.words(),
            unsaid(&sweep)
        ),
        table: Some(sweep.table("distance")),
        picture: Some(sweep.picture("Rules that are used later", &caption(sites), x)),
        claims: distance_claims(&sweep),
    })
}

fn distance_claims(sweep: &Sweep) -> Vec<Claim> {
    let mean = |nth: usize| {
        let values = (0..sweep.at.len()).map(|at| sweep.of(at, &RATIOS[nth]).mean);
        values.sum::<f64>() / sweep.at.len() as f64
    };
    let [bypass, precision, recall, changes] = [0, 1, 2, 3].map(mean);
    let lost = RATIOS.iter().map(|ratio| {
        let (first, last) = sweep.ends(ratio);
        (ratio.name, first - last)
    });
    let lost: Vec<(&str, f64)> = lost.collect();
    let words = lost.iter().map(|(name, lost)| format!("{name} {:+.3}", -lost));
    let third =
        Claim::new("around one third of the pages is skipped", THIRD.contains(&bypass), format!("BR {bypass:.3}"));
    if !sweep.skips() {
        return vec![third];
    }
    vec![
        third,
        Claim::new(
            "little freshness is lost: OP, OR and CR are high",
            [precision, recall, changes].iter().all(|value| *value >= HIGH),
            format!("OP {precision:.3}, OR {recall:.3}, CR {changes:.3}"),
        ),
        Claim::new(
            "rules do not deteriorate with the distance",
            lost.iter().all(|(_, lost)| *lost < SLIGHT),
            format!("from distance 1 to 10: {}", words.collect::<Vec<_>>().join(", ")),
        ),
    ]
}

fn unsaid(sweep: &Sweep) -> &'static str {
    if sweep.skips() { "" } else { NOTHING_SKIPPED }
}

fn training(sites: &[Site<'_>], trial: &Trial) -> anyhow::Result<Part> {
    let sweep = Sweep::new(sites, &TRAINING, |training| Trial { training, ..*trial })?;
    let x = Axis::linear("Training", "versions");
    let ends = |nth: usize| sweep.ends(&RATIOS[nth]);
    let (bypass, changes) = (ends(0), ends(3));
    let words = |(first, last): (f64, f64)| format!("{first:.3} with 5 versions, {last:.3} with 30");
    let claims = vec![
        Claim::new("the more training, the fewer pages are skipped", bypass.1 < bypass.0, words(bypass)),
        Claim::new("and the fewer changes are missed", changes.1 > changes.0, words(changes)),
    ];
    Ok(Part {
        name: "figure-5b".to_owned(),
        title: "Figure 5(b): versions to learn from".to_owned(),
        text: format!(
            "{} Here the number of training versions varies; the tests are the same.{}",
            trial.words(),
            unsaid(&sweep)
        ),
        table: Some(sweep.table("training versions")),
        picture: Some(sweep.picture("More versions to learn from", &caption(sites), x)),
        claims: if sweep.skips() { claims } else { Vec::new() },
    })
}

fn caption(sites: &[Site<'_>]) -> String {
    let names: Vec<&str> = sites.iter().map(|site| site.name.as_str()).collect();
    format!("Mean over {}; bands: 95 % intervals.", names.join(", "))
}
