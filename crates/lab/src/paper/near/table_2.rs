//! Table 2 and Figure 5(c): what skipping saves and loses, site by site.

use super::site::{Measured, RATIOS, Site, Trial};
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use tintype_picture::{Axis, Bar, Bars};

/// As the paper has them.
const PRINTED: [(&str, [f64; 4]); 5] = [
    ("www.sec.gov", [0.62, 0.99, 0.99, 0.87]),
    ("www.ksc.nasa.gov", [0.61, 0.99, 0.99, 0.85]),
    ("www.faqs.org", [0.30, 0.99, 0.90, 0.81]),
    ("www.oracle.com", [0.40, 0.99, 0.97, 0.79]),
    ("www.biosis.org", [0.85, 0.99, 0.99, 0.65]),
];
/// The least of the printed values: what the paper calls high.
const BYPASS_MIN: f64 = 0.30;
const OVERALL_MIN: f64 = 0.90;
const CHANGES_MIN: f64 = 0.65;

pub(super) fn parts(sites: &[Site<'_>], trial: &Trial) -> anyhow::Result<Vec<Part>> {
    let measured = sites.iter().map(|site| site.measure(trial)).collect::<anyhow::Result<Vec<_>>>()?;
    let rows: Vec<(&Site<'_>, &Measured)> = sites.iter().zip(&measured).collect();
    Ok(vec![table_2(&rows, trial), figure_5c(&rows)])
}

fn table_2(rows: &[(&Site<'_>, &Measured)], trial: &Trial) -> Part {
    let titles = ["site", "versions"].into_iter().chain(RATIOS.map(|ratio| ratio.name)).chain(["rules"]);
    let mut table = Table::new(titles);
    for (site, measured) in rows {
        let ratios = RATIOS.map(|ratio| Cell::Estimate(measured.of(ratio.read), 3));
        let rules = Cell::Number(measured.rules(), 1);
        table
            .push([Cell::text(&site.name), Cell::text(&site.every)].into_iter().chain(ratios).chain([rules]).collect());
    }
    for (name, values) in PRINTED {
        let ratios = values.map(|value| Cell::Number(value, 2));
        let name = Cell::text(format!("{name} (paper)"));
        table.push([name, Cell::text("weekly")].into_iter().chain(ratios).chain([Cell::Empty]).collect());
    }
    Part {
        name: "table-2".to_owned(),
        title: "Table 2: what skipping saves and loses".to_owned(),
        text: format!(
            "{} BR: share of the pages that are skipped; OP, OR: precision and recall of the archive's pages; CR: share of \
             the changes that are noticed. All by the set definitions (2) to (5). The paper's sites are not to be had any \
             more: their printed values stand below ours.",
            trial.words()
        ),
        table: Some(table),
        picture: None,
        claims: claims(rows),
    }
}

fn claims(rows: &[(&Site<'_>, &Measured)]) -> Vec<Claim> {
    let every = |nth: usize, least: f64, said: &str| {
        let values: Vec<(&str, f64)> =
            rows.iter().map(|(site, measured)| (site.name.as_str(), measured.of(RATIOS[nth].read).mean)).collect();
        let words = values.iter().map(|(name, value)| format!("{name} {value:.2}"));
        let holds = values.iter().all(|(_, value)| *value >= least);
        Claim::new(said, holds, format!("{}: {}", RATIOS[nth].name, words.collect::<Vec<_>>().join(", ")))
    };
    vec![
        every(0, BYPASS_MIN, "of every site at least three pages in ten are skipped"),
        every(1, OVERALL_MIN, "overall precision is high for all sites"),
        every(2, OVERALL_MIN, "overall recall is high for all sites"),
        every(3, CHANGES_MIN, "change recall is at least what the paper has for its worst site"),
    ]
}

fn figure_5c(rows: &[(&Site<'_>, &Measured)]) -> Part {
    let bar = |(site, measured): &(&Site<'_>, &Measured)| {
        let (name, measured) = (site.name.clone(), (*measured).clone());
        RATIOS.map(move |ratio| {
            let estimate = measured.of(ratio.read);
            let interval = estimate.ci95.map(|[low, high]| (low.max(0.0), high.min(1.0)));
            let name = format!("{name} {}", ratio.name);
            Bar { name, value: estimate.mean, interval, emphasised: ratio.name == RATIOS[0].name }
        })
    };
    let chart = Bars {
        title: "What skipping saves (BR) and keeps, by site".to_owned(),
        caption: "95 % intervals; the bypass ratio is darker.".to_owned(),
        names: "Site".to_owned(),
        value: Axis::linear("Ratio", "share").including(0.0, 1.0),
        bars: rows.iter().flat_map(bar).collect(),
        reference: None,
    };
    let best = |nth: usize| {
        let value = |row: &&(&Site<'_>, &Measured)| row.1.of(RATIOS[nth].read).mean;
        let best = rows.iter().max_by(|a, b| value(a).total_cmp(&value(b)));
        best.map_or_else(String::new, |row| format!("{} has the highest {}", row.0.name, RATIOS[nth].name))
    };
    Part {
        name: "figure-5c".to_owned(),
        title: "Figure 5(c): by kind of site".to_owned(),
        text: format!(
            "The numbers of Table 2. The paper groups its sites by domain (.org and .gov do better than .com and .edu); here \
             every site is a group of its own. {}, {}.",
            best(0),
            best(3)
        ),
        table: None,
        picture: Some(chart.draw()),
        claims: Vec::new(),
    }
}
