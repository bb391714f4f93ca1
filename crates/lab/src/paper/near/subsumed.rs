//! Figures 5(e) and 5(f): what the rules would do that the miner leaves out because others subsume them.

use super::site::{Measured, RATIOS, Site, Trial};
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use tintype_learn::directory::Subsumed;
use tintype_picture::{Axis, Bar, Bars};

/// One site: with the rules of the miner, and with those it leaves out.
struct Row {
    name: String,
    /// The four ratios.
    ours: [f64; 4],
    subsumed: [f64; 4],
    /// How many there are of them.
    rules: f64,
}

impl Row {
    fn new(site: &Site<'_>, trial: &Trial, by: Subsumed) -> anyhow::Result<Row> {
        let ratios = |measured: &Measured| RATIOS.map(|ratio| measured.of(ratio.read).mean);
        let ours = ratios(&site.measure(trial)?);
        let subsumed = site.measure(&Trial { subsumed: Some(by), ..*trial })?;
        Ok(Row { name: site.name.clone(), ours, subsumed: ratios(&subsumed), rules: subsumed.rules() })
    }

    /// BR1/BR and so on; nothing where there is nothing to divide by.
    fn normalised(&self, nth: usize) -> Option<f64> {
        (self.ours[nth] > 0.0).then(|| self.subsumed[nth] / self.ours[nth])
    }
}

pub(super) fn parts(sites: &[Site<'_>], trial: &Trial) -> anyhow::Result<Vec<Part>> {
    let rows = |by: Subsumed| sites.iter().map(|site| Row::new(site, trial, by)).collect::<anyhow::Result<Vec<_>>>();
    let (tail, head) = (rows(Subsumed::Tail)?, rows(Subsumed::Head)?);
    Ok(vec![
        part("e", "rules that other rules subsume (by their tails)", &tail, &trial.words(), less),
        part("f", "rules that patterns subsume (by their heads)", &head, &trial.words(), more),
    ])
}

fn part(letter: &str, who: &str, rows: &[Row], words: &str, claims: fn(f64, f64) -> Vec<Claim>) -> Part {
    let skips: Vec<&Row> = rows.iter().filter(|row| row.ours[0] > 0.0 && row.rules > 0.0).collect();
    let mean = |nth: usize| skips.iter().filter_map(|row| row.normalised(nth)).sum::<f64>() / skips.len() as f64;
    let decided = if skips.is_empty() { " There are no such rules on any site, so nothing can be said." } else { "" };
    Part {
        name: format!("figure-5{letter}"),
        title: format!("Figure 5({letter}): {who}"),
        text: format!(
            "{} Here the site is skipped by {who} instead (BR1 and so on), and held against the rules that are left (BR). \
             Claims are about the mean over sites on which there are both.{decided}",
            words
        ),
        table: Some(table(rows)),
        picture: (!skips.is_empty()).then(|| picture(who, &skips)),
        claims: if skips.is_empty() { Vec::new() } else { claims(mean(0), mean(3)) },
    }
}

fn table(rows: &[Row]) -> Table {
    let normalised = RATIOS.map(|ratio| format!("{0}1 ÷ {0}", ratio.name));
    let titles = ["site", "BR", "BR1", "CR", "CR1"].map(str::to_owned).into_iter().chain(normalised);
    let mut table = Table::new(titles.chain(["subsumed rules".to_owned()]));
    for row in rows {
        let absolute = [row.ours[0], row.subsumed[0], row.ours[3], row.subsumed[3]].map(|value| Cell::Number(value, 3));
        let normalised = [0, 1, 2, 3].map(|nth| Cell::maybe(row.normalised(nth), 3));
        let cells = std::iter::once(Cell::text(&row.name)).chain(absolute).chain(normalised);
        table.push(cells.chain([Cell::Number(row.rules, 1)]).collect());
    }
    table
}

fn picture(who: &str, rows: &[&Row]) -> tintype_picture::Picture {
    let bar = |row: &&Row, nth: usize, label: &str| Bar {
        name: format!("{} {label}", row.name),
        value: row.normalised(nth).unwrap_or(f64::NAN),
        interval: None,
        emphasised: nth == 0,
    };
    let chart = Bars {
        title: format!("Skipping by {who}"),
        caption: "Against the rules that are left: skipped pages (darker) and noticed changes.".to_owned(),
        names: "Site".to_owned(),
        value: Axis::linear("Ratio", "share of that of the rules left"),
        bars: rows.iter().flat_map(|row| [bar(row, 0, "BR1/BR"), bar(row, 3, "CR1/CR")]).collect(),
        reference: Some(("as with the rules that are left".to_owned(), 1.0)),
    };
    chart.draw()
}

fn less(bypass: f64, changes: f64) -> Vec<Claim> {
    vec![
        Claim::new("they skip less", bypass < 1.0, format!("BR1 ÷ BR {bypass:.3}")),
        Claim::new("they miss fewer changes", changes > 1.0, format!("CR1 ÷ CR {changes:.3}")),
        magnitudes(
            "they give up more pages than they gain changes",
            bypass < 1.0 && (1.0 - bypass) > (changes - 1.0),
            bypass,
            changes,
        ),
    ]
}

fn more(bypass: f64, changes: f64) -> Vec<Claim> {
    vec![
        Claim::new("they skip more", bypass > 1.0, format!("BR1 ÷ BR {bypass:.3}")),
        Claim::new("they miss more changes", changes < 1.0, format!("CR1 ÷ CR {changes:.3}")),
        magnitudes(
            "they lose more changes than they gain pages",
            changes < 1.0 && (bypass - 1.0) < (1.0 - changes),
            bypass,
            changes,
        ),
    ]
}

fn magnitudes(said: &str, holds: bool, bypass: f64, changes: f64) -> Claim {
    Claim::new(said, holds, format!("BR {:+.1} %, CR {:+.1} %", 100.0 * (bypass - 1.0), 100.0 * (changes - 1.0)))
}
