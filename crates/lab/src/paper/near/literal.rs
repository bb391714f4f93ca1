//! What the paper's formulas and algorithms do as they are printed.

use super::site::{Measured, NOTHING_SKIPPED, RATIOS, Site, Trial, pooled};
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use tintype_learn::directory::Literal;
use tintype_picture::{Axis, Bar, Bars, Picture};
use tintype_quality::Bypass;

/// Ratios that differ by less are the same number to a reader.
const SAME: f64 = 0.0005;

pub(super) fn parts(sites: &[Site<'_>], trial: &Trial) -> anyhow::Result<Vec<Part>> {
    Ok(vec![formulas(sites, trial)?, algorithms(sites, trial)?])
}

/// A ratio by definition and as printed.
struct Formula {
    said: &'static str,
    defined: fn(&Bypass) -> f64,
    printed: fn(&Bypass) -> f64,
}

const FORMULAS: [Formula; 2] = [
    Formula {
        said: "formula (9) computes the change recall (5)",
        defined: Bypass::change_recall,
        printed: Bypass::printed_change_recall,
    },
    Formula {
        said: "formula (7) computes the overall precision (3)",
        defined: Bypass::overall_precision,
        printed: Bypass::printed_overall_precision,
    },
];

fn formulas(sites: &[Site<'_>], trial: &Trial) -> anyhow::Result<Part> {
    let measure = |site: &Site<'_>| Ok((site.name.clone(), site.measure(trial)?));
    let measured = sites.iter().map(measure).collect::<anyhow::Result<Vec<(String, Measured)>>>()?;
    let mut table = Table::new(["site", "BR", "CR (5)", "CR by (9)", "OP (3)", "OP by (7)"]);
    for (name, measured) in &measured {
        let pairs = FORMULAS.iter().flat_map(|formula| [formula.defined, formula.printed]);
        let reads = std::iter::once(RATIOS[0].read).chain(pairs);
        let cells = reads.map(|read| Cell::Number(measured.of(read).mean, 3));
        table.push(std::iter::once(Cell::text(name)).chain(cells).collect());
    }
    let skips = measured.iter().any(|(_, measured)| measured.skips());
    let judged = if skips { &FORMULAS[..] } else { &[] };
    Ok(Part {
        name: "formulas-as-printed".to_owned(),
        title: "Formulas (7) and (9), as defined and as printed".to_owned(),
        text: format!(
            "The numbers of Table 2. Formula (9) counts changes of skipped pages as noticed unless they came or went; \
             formula (7) counts skipped new pages as archived.{}",
            if skips { "" } else { NOTHING_SKIPPED }
        ),
        table: Some(table),
        picture: Some(compared(&measured)),
        claims: judged.iter().map(|formula| formula.claim(&measured)).collect(),
    })
}

impl Formula {
    fn claim(&self, measured: &[(String, Measured)]) -> Claim {
        let off = |(name, measured): &(String, Measured)| {
            (name.clone(), measured.of(self.printed).mean - measured.of(self.defined).mean)
        };
        let off: Vec<(String, f64)> = measured.iter().map(off).collect();
        let words = off.iter().map(|(name, off)| format!("{name} {off:+.3}"));
        Claim::new(
            self.said,
            off.iter().all(|(_, off)| off.abs() < SAME),
            format!("printed − defined: {}", words.collect::<Vec<_>>().join(", ")),
        )
    }
}

fn compared(measured: &[(String, Measured)]) -> Picture {
    let bar = |(name, measured): &(String, Measured)| {
        let bar = |what: &str, read: fn(&Bypass) -> f64| Bar {
            name: format!("{name} {what}"),
            value: measured.of(read).mean,
            interval: None,
            emphasised: what == "defined",
        };
        [bar("defined", FORMULAS[0].defined), bar("as printed", FORMULAS[0].printed)]
    };
    let chart = Bars {
        title: "Change recall, as defined and as printed".to_owned(),
        caption: "Definition (5), darker, and formula (9).".to_owned(),
        names: "Site".to_owned(),
        value: Axis::linear("Change recall", "share of the changes").including(0.0, 1.0),
        bars: measured.iter().flat_map(bar).collect(),
        reference: None,
    };
    chart.draw()
}

/// The algorithms, corrected and with one letter or another of the paper.
fn variants(trial: &Trial) -> [(&'static str, Trial); 8] {
    let mining = |mining: Literal| Trial { mining, ..*trial };
    let none = Literal::default();
    [
        ("corrected", *trial),
        ("Algorithm 3: siblings leak into heads", mining(Literal { leaking_siblings: true, ..none })),
        ("Algorithm 3: no descent below a child without a rule", mining(Literal { no_descent: true, ..none })),
        ("Example 4: correlation < −γ", mining(Literal { strict: true, ..none })),
        ("Algorithm 3: γ is tried once", mining(Literal { one_try: true, ..none })),
        ("Algorithm 3 as printed", mining(Literal::ALL)),
        ("Algorithm 4 as printed", Trial { skips_as_printed: true, ..*trial }),
        ("both as printed", Trial { skips_as_printed: true, ..mining(Literal::ALL) }),
    ]
}

/// One variant on every site.
struct Row {
    name: &'static str,
    measured: Vec<Measured>,
}

fn algorithms(sites: &[Site<'_>], trial: &Trial) -> anyhow::Result<Part> {
    let row = |(name, trial): (&'static str, Trial)| {
        let measured = sites.iter().map(|site| site.measure(&trial)).collect::<anyhow::Result<_>>()?;
        Ok(Row { name, measured })
    };
    let rows = variants(trial).into_iter().map(row).collect::<anyhow::Result<Vec<_>>>()?;
    let by_site = sites.iter().map(|site| format!("BR of {}", site.name));
    let titles = ["variant", "rules"].into_iter().chain(RATIOS.map(|ratio| ratio.name)).map(str::to_owned);
    let mut table = Table::new(titles.chain(by_site));
    for row in &rows {
        let ratios = RATIOS.iter().map(|ratio| Cell::Estimate(pooled(&row.measured, ratio.read), 3));
        let by_site = row.measured.iter().map(|measured| Cell::Number(measured.of(RATIOS[0].read).mean, 3));
        let first = [Cell::text(row.name), Cell::Number(row.rules(), 1)];
        table.push(first.into_iter().chain(ratios).chain(by_site).collect());
    }
    let skips = rows.iter().flat_map(|row| &row.measured).any(Measured::skips);
    Ok(Part {
        name: "algorithms-as-printed".to_owned(),
        title: "Algorithms 3 and 4, corrected and as printed".to_owned(),
        text: format!(
            "The setting of Table 2, means over all sites that count alike; rules are means over runs and sites.{}",
            if skips { "" } else { NOTHING_SKIPPED }
        ),
        table: Some(table),
        picture: None,
        claims: if skips { vec![complete(&rows), used(&rows)] } else { Vec::new() },
    })
}

impl Row {
    fn rules(&self) -> f64 {
        self.measured.iter().map(Measured::rules).sum::<f64>() / self.measured.len() as f64
    }

    fn bypass(&self) -> f64 {
        pooled(&self.measured, RATIOS[0].read).mean
    }
}

fn complete(rows: &[Row]) -> Claim {
    let (corrected, printed) = (rows[0].rules(), rows[5].rules());
    Claim::new(
        "Algorithm 3 as printed finds all rules and no others (Definition 10)",
        rows[0].measured.iter().zip(&rows[5].measured).all(|(one, other)| one.rules() == other.rules()),
        format!("{printed:.1} rules as printed, {corrected:.1} corrected"),
    )
}

fn used(rows: &[Row]) -> Claim {
    let (corrected, printed) = (rows[0].bypass(), rows[6].bypass());
    Claim::new(
        "Algorithm 4 as printed skips what the rules say",
        (corrected - printed).abs() < SAME,
        format!("BR {printed:.3} as printed, {corrected:.3} corrected"),
    )
}
