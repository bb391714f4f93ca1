//! Table 4: how many pages are sharp.

use super::{
    super::part::{Claim, Part},
    OURS_TWICE, Played, TWICE,
};
use crate::{
    sharc::setting::SharcSetting,
    table::{Cell, Table},
};
use tintype_picture::{Axis, Bar, Bars};
use tintype_quality::{Estimate, oracle};
use tintype_world::synthetic::Sharc;

/// What reproduces the paper's numbers; it tells neither.
const DELTA: f64 = 1.7;
/// As the paper has them, in the order of [`TWICE`].
const PRINTED: [f64; 7] = [770.0, 874.0, 766.0, 776.0, 765.0, 776.0, 782.0];
const OURS: [&str; 2] = [OURS_TWICE, "pyramid"];
/// The paper's numbers are of one site: so far from the mean of many they may be.
const ONE_SITE: f64 = 0.03;

pub(super) fn part(setting: &SharcSetting) -> anyhow::Result<Part> {
    let setting = SharcSetting { shape: Sharc { rate_per_slot: DELTA, ..setting.shape }, ..setting.clone() };
    let names = [&TWICE[..], &OURS].concat();
    let played = Played::new(&setting, &names)?;
    let best = oracle::expected_sharp(&setting.rates()).sharp;
    let mut table = Table::new(["strategy", "paper", "expected", "realised"]);
    let printed = PRINTED.iter().map(|value| Some(*value)).chain([None; 2]);
    for (name, printed) in names.iter().zip(printed) {
        table.push(vec![
            Cell::text(*name),
            Cell::maybe(printed, 0),
            Cell::Estimate(played.of(name, |sample| sample.sharp), 1),
            Cell::Estimate(realised(&played, name), 1),
        ]);
    }
    table.push(vec![Cell::text("most to be expected"), Cell::Empty, Cell::Number(best, 1), Cell::Empty]);
    Ok(Part {
        name: "table-4".to_owned(),
        title: format!("Table 4: sharp pages, Δ {DELTA}, τ {}", setting.tau),
        text: format!("{} pages, {} sites. The paper tells neither Δ nor τ.", setting.pages, setting.seeds),
        picture: Some(picture(&played, &names, best)),
        claims: claims(&played, setting.pages),
        table: Some(table),
    })
}

fn realised(played: &Played, name: &str) -> Estimate {
    played.of(name, |sample| sample.realised_sharp)
}

fn claims(played: &Played, pages: usize) -> Vec<Claim> {
    let sharp = |name: &str| realised(played, name).mean;
    let threshold = sharp("sharc-threshold");
    let others: Vec<f64> = TWICE.iter().filter(|name| **name != "sharc-threshold").map(|name| sharp(name)).collect();
    let (low, high) = others.iter().fold((f64::MAX, 0.0_f64), |(low, high), value| (low.min(*value), high.max(*value)));
    let mut claims = vec![
        Claim::new(
            "SHARC-threshold has the most sharp pages",
            threshold > high,
            format!("{threshold:.1}; the others at most {high:.1}"),
        ),
        Claim::new("all others perform alike", high < low * 1.03, format!("{low:.1} to {high:.1}")),
    ];
    if pages == 1024 {
        let off = TWICE.iter().zip(PRINTED).map(|(name, printed)| (sharp(name) / printed - 1.0).abs());
        let off = off.fold(0.0, f64::max);
        let because = format!("the farthest is {:.1} % off", 100.0 * off);
        claims.push(Claim::new("the printed numbers come out again", off < ONE_SITE, because));
    }
    claims
}

fn picture(played: &Played, names: &[&str], best: f64) -> tintype_picture::Picture {
    let bar = |name: &&str| {
        let estimate = realised(played, name);
        let interval = estimate.ci95.map(|[low, high]| (low, high));
        Bar { name: (*name).to_owned(), value: estimate.mean, interval, emphasised: OURS.contains(name) }
    };
    let mut bars: Vec<Bar> = names.iter().map(bar).collect();
    bars.sort_by(|a, b| b.value.total_cmp(&a.value));
    let chart = Bars {
        title: format!("Sharp pages, Δ {DELTA}"),
        caption: "Pages whose visit and revisit saw the same, on thrown histories; 95 % intervals; ours darker."
            .to_owned(),
        names: "Strategy".to_owned(),
        value: Axis::linear("Sharp pages", "pages"),
        bars,
        reference: Some(("most to be expected".to_owned(), best)),
    };
    chart.draw()
}
