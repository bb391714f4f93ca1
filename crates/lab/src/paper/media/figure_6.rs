//! Figure 6: wanted files against requests, for every strategy on every made-up web.

use crate::{
    paper::part::{Claim, Part},
    parallel::side_by_side,
    table::{Cell, Table},
};
use tintype_picture::{Axis, Lines, Picture, Series};
use tintype_quality::{Estimate, estimate};
use tintype_world::media::{REGISTRY, ROOM, StrategyRow, YieldCurve, compare};

/// Shares of the wanted files that are waited for.
const SHARES: [f64; 2] = [0.5, 0.9];
/// Points of a line.
const POINTS: u32 = 100;
/// The beginning of a crawl, as a part of the requests that it takes to ask for everything.
const BEGINNING: f64 = 0.05;
/// Less of the wanted files than this is nothing.
const NOTHING: f64 = 0.01;
/// What ours is held to: so much of the requests of breadth-first, so little lost without room.
const HALF: f64 = 0.5;
const LOST_MAX: f64 = 0.05;

/// Every strategy on webs of one kind.
pub(super) struct Compared {
    pub(super) name: String,
    pub(super) summary: String,
    pub(super) rows: Vec<StrategyRow>,
}

pub(super) fn parts(pages: usize, seeds: u64) -> anyhow::Result<Vec<Part>> {
    let play = |nth: u64| {
        let registered = &REGISTRY[nth as usize];
        let (name, summary) = (registered.name.to_owned(), registered.summary.to_owned());
        Ok(Compared { name, summary, rows: compare(registered, pages, seeds) })
    };
    let compared = side_by_side(REGISTRY.len() as u64, play)?;
    Ok(std::iter::once(overview(&compared)).chain(compared.iter().map(Compared::part)).collect())
}

/// Requests until 90 % of the files were found, as a part of breadth-first's, web by web.
fn overview(compared: &[Compared]) -> Part {
    let strategies = || compared[0].rows.iter().map(|row| row.strategy.name);
    let mut table = Table::new(std::iter::once("web").chain(strategies()));
    for one in compared {
        let cells = strategies().map(|name| estimated(one.of_breadth_first(name), 3));
        table.push(std::iter::once(Cell::text(&one.name)).chain(cells).collect());
    }
    Part {
        name: "figure-6".to_owned(),
        title: "Figure 6: requests for 90 % of the wanted files, as a part of breadth-first's".to_owned(),
        text: "Empty where a strategy did not find as many on every web.".to_owned(),
        table: Some(table),
        picture: None,
        claims: Vec::new(),
    }
}

fn estimated(of: Option<Estimate>, digits: usize) -> Cell {
    of.map_or(Cell::Empty, |of| Cell::Estimate(of, digits))
}

impl Compared {
    fn row(&self, name: &str) -> &StrategyRow {
        self.rows.iter().find(|row| row.strategy.name == name).expect("every strategy has played")
    }

    /// A number of every web; nothing if one does not have it.
    fn over(&self, name: &str, read: impl Fn(&YieldCurve) -> Option<f64>) -> Option<Estimate> {
        let values: Option<Vec<f64>> = self.row(name).curves.iter().map(read).collect();
        Some(estimate(&values?))
    }

    fn reached(&self, name: &str, share: f64) -> Option<Estimate> {
        self.over(name, |curve| curve.reached(share).map(f64::from))
    }

    /// The last share, web by web as a part of what another strategy took.
    fn of_other(&self, name: &str, other: &str) -> Option<Estimate> {
        let spread = self.row(name).reached_of(SHARES[1], self.row(other))?;
        let ci95 = (spread.low.is_finite() && spread.high.is_finite()).then_some([spread.low, spread.high]);
        Some(Estimate { mean: spread.mean, ci95 })
    }

    fn of_breadth_first(&self, name: &str) -> Option<Estimate> {
        self.of_other(name, "breadth-first")
    }

    pub(super) fn part(&self) -> Part {
        let wanted = self.over("oracle", |curve| Some(curve.wanted as f64)).map_or(0.0, |of| of.mean);
        let requests = self.over("breadth-first", |curve| Some(f64::from(curve.requests))).map_or(0.0, |of| of.mean);
        Part {
            name: format!("figure-6-{}", self.name),
            title: format!("Figure 6: {}", self.name),
            text: format!(
                "{}. Of {requests:.0} pages and files {wanted:.0} are wanted. {} Requests of the learning phase count. \
                 The oracle is told every link and type and goes where the most files per request are next; that is nearly, not \
                 always, the shortest way.",
                self.summary,
                self.webs()
            ),
            table: Some(self.table()),
            picture: Some(self.picture(requests as u32)),
            claims: self.claims(),
        }
    }

    fn webs(&self) -> String {
        match self.rows[0].curves.len() {
            1 => "One web.".to_owned(),
            webs => format!("Means and 95 % intervals over {webs} webs."),
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new([
            "strategy",
            "requests for 50 %",
            "for 90 %",
            "for 90 % ÷ breadth-first",
            "for 90 % ÷ oracle",
            "found in the end",
            "requests in the end",
            "given up for lack of room",
        ]);
        for row in &self.rows {
            let name = row.strategy.name;
            let [half, most] = SHARES.map(|share| estimated(self.reached(name, share), 0));
            let [of_breadth_first, of_oracle] =
                ["breadth-first", "oracle"].map(|other| estimated(self.of_other(name, other), 3));
            table.push(vec![
                Cell::text(name),
                half,
                most,
                of_breadth_first,
                of_oracle,
                estimated(self.over(name, |curve| Some(curve.share())), 3),
                estimated(self.over(name, |curve| Some(f64::from(curve.requests))), 0),
                estimated(self.over(name, |curve| Some(curve.forgotten as f64)), 0),
            ]);
        }
        table
    }

    fn picture(&self, requests: u32) -> Picture {
        let found = |curve: &YieldCurve, at: u32| curve.after(at) as f64 / curve.wanted.max(1) as f64;
        let line = |row: &StrategyRow| {
            let longest = row.curves.iter().map(|curve| curve.requests).max().unwrap_or(0);
            let at = (0..=POINTS).map(|nth| requests * nth / POINTS).filter(|at| *at <= longest);
            let at: Vec<(f64, Estimate)> = at
                .map(|at| {
                    (f64::from(at), estimate(&row.curves.iter().map(|curve| found(curve, at)).collect::<Vec<_>>()))
                })
                .collect();
            let band = at.iter().filter_map(|(x, of)| of.ci95.map(|[low, high]| (*x, low.max(0.0), high.min(1.0))));
            let series = Series::new(row.strategy.name, at.iter().map(|(x, of)| (*x, of.mean)));
            match row.strategy.name {
                "focused" => series.with_band(band).emphasised(),
                "oracle" => series.reference(),
                "breadth-first" => series.with_band(band),
                _ => series,
            }
        };
        let chart = Lines {
            title: format!("Wanted files found by requests: {}", self.name),
            caption: format!("{} A line ends where its crawl did.", self.webs()),
            x: Axis::linear("Requests", "number"),
            y: Axis::linear("Found", "share of the wanted files").including(0.0, 1.0),
            series: self.rows.iter().map(line).collect(),
        };
        chart.draw()
    }

    fn claims(&self) -> Vec<Claim> {
        let sooner = self.of_breadth_first("best-first");
        let at_most = |name: &str, part: f64| {
            let of = self.of_breadth_first(name);
            let because = of.map_or_else(|| "it never finds as many".to_owned(), part_words);
            (of.is_some_and(|of| of.mean <= part), because)
        };
        let (taught, taught_words) = at_most("focused", HALF);
        let (untaught, untaught_words) = at_most("focused-untaught", HALF);
        let [roomy, bounded] = ["focused", "focused-bounded"]
            .map(|name| self.over(name, |curve| Some(curve.share())).map_or(0.0, |of| of.mean));
        vec![
            Claim::new(
                "a best-first crawl finds 90 % of the wanted files with fewer requests than breadth-first",
                sooner.is_some_and(|of| of.ci95.map_or(of.mean, |[_, high]| high) < 1.0),
                sooner.map_or_else(|| "it never finds as many".to_owned(), part_words),
            ),
            self.blind_at_first(),
            Claim::goal("ours finds 90 % with at most half the requests of breadth-first", taught, taught_words),
            Claim::goal("so it does when it begins knowing nothing", untaught, untaught_words),
            Claim::goal(
                format!("with a queue of {ROOM} ours finds at most 5 points less"),
                roomy - bounded <= LOST_MAX,
                format!("{:.1} % and {:.1} % in the end", 100.0 * roomy, 100.0 * bounded),
            ),
        ]
    }

    fn blind_at_first(&self) -> Claim {
        let all = self.row("breadth-first").curves.iter().map(|curve| curve.requests);
        let beginnings = all.map(|requests| (BEGINNING * f64::from(requests)) as u32);
        let found = self.row("best-first").curves.iter().zip(beginnings);
        let shares: Vec<f64> = found.map(|(curve, at)| curve.after(at) as f64 / curve.wanted.max(1) as f64).collect();
        let share = estimate(&shares).mean;
        Claim::new(
            "at first the filter is untrained and a best-first crawl finds nothing",
            share < NOTHING,
            format!("{:.1} % of the wanted files with the first twentieth of all requests", 100.0 * share),
        )
    }
}

fn part_words(of: Estimate) -> String {
    let around = of.ci95.map_or_else(String::new, |[low, high]| format!(" ± {:.3}", (high - low) / 2.0));
    format!("{:.3}{around} of its requests", of.mean)
}
