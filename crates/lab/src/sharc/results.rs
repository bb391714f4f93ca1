//! What came of it: rows by policy, the JSON other programs rely on, the tables people read.

use super::{
    charts,
    play::{self, Possible, Round, Sample},
    player::{self, Player},
    setting::{SharcSetting, SizeBelief},
};
use crate::{
    Folder, LabProgress, ResultFiles, Results,
    table::{Cell, Table},
};
use serde_json::{Value, json};
use tintype_quality::{Estimate, estimate, oracle};

/// Beyond, the exact optimum of expected sharp pages takes longer than it is worth.
const EXPECTED_PAGES_MAX: usize = 1100;

/// All policies on the sites of a setting.
#[derive(Debug)]
pub struct SharcResults {
    pub(super) setting: SharcSetting,
    pub(super) rows: Vec<Row>,
    possible: Vec<Possible>,
    /// Expected blur of SHARC-offline, every page once and all rates known: the best any single visit can do.
    offline_blur: f64,
    /// The most sharp pages that can be expected of one visit and one revisit per page.
    sharp_best: Option<f64>,
}

/// One policy on every site.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) player: Player,
    samples: Vec<Sample>,
}

impl Row {
    pub(super) fn over_sites(&self, read: impl Fn(&Sample) -> f64) -> Estimate {
        estimate(&self.samples.iter().map(read).collect::<Vec<f64>>())
    }

    fn mean(&self, read: impl Fn(&Sample) -> f64) -> f64 {
        self.over_sites(read).mean
    }

    fn visits(&self) -> f64 {
        self.mean(|sample| sample.visits)
    }
}

impl SharcResults {
    pub(super) fn of(
        setting: &SharcSetting,
        players: &[Player],
        progress: &dyn LabProgress,
    ) -> anyhow::Result<SharcResults> {
        let rounds = play::rounds(setting, players, progress)?;
        let samples = |nth: usize| rounds.iter().map(|round: &Round| round.samples[nth]).collect();
        let rows =
            players.iter().enumerate().map(|(nth, player)| Row { player: player.clone(), samples: samples(nth) });
        let rows = rows.collect();
        let possible = rounds.iter().map(|round| round.possible).collect();
        let sharp_best = (setting.pages <= EXPECTED_PAGES_MAX).then(|| oracle::expected_sharp(&setting.rates()).sharp);
        Ok(SharcResults { setting: setting.clone(), rows, possible, offline_blur: offline_blur(setting)?, sharp_best })
    }

    /// How a row's blur compares with SHARC-offline's.
    pub(super) fn of_offline(&self, row: &Row) -> Estimate {
        row.over_sites(|sample| sample.blur / self.offline_blur)
    }

    /// Whether it visits pages about once.
    pub(super) fn visits_once(&self, row: &Row) -> bool {
        row.visits() < 1.5 * self.setting.pages as f64
    }

    pub(super) fn possible_blur(&self) -> Option<f64> {
        let blurs: Option<Vec<f64>> = self.possible.iter().map(|possible| possible.blur).collect();
        blurs.map(|blurs| estimate(&blurs).mean)
    }

    pub(super) fn possible_sharp(&self) -> f64 {
        estimate(&self.possible.iter().map(|possible| possible.sharp).collect::<Vec<f64>>()).mean
    }

    fn json_row(&self, row: &Row) -> Value {
        let (blur, sharp) = (row.over_sites(|sample| sample.blur), row.over_sites(|sample| sample.sharp));
        let realised_blur = row.over_sites(|sample| sample.realised_blur);
        let realised_sharp = row.over_sites(|sample| sample.realised_sharp);
        let of_offline = self.of_offline(row);
        let once = self.visits_once(row);
        json!({
            "policy": row.player.name,
            "revisit": row.player.revisit,
            "told": row.player.is_told(),
            "visits": row.visits(),
            "blur": blur.mean,
            "blur_ci95": interval(blur),
            "blur_of_offline": of_offline.mean,
            "blur_of_offline_ci95": interval(of_offline),
            "sharp": sharp.mean,
            "sharp_ci95": interval(sharp),
            "realised_blur": realised_blur.mean,
            "realised_blur_ci95": interval(realised_blur),
            "realised_sharp": realised_sharp.mean,
            "realised_sharp_ci95": interval(realised_sharp),
            "realised_blur_of_oracle": self.possible_blur().filter(|_| once).map(|best| realised_blur.mean / best),
            "realised_sharp_of_oracle": (!once).then(|| realised_sharp.mean / self.possible_sharp().max(1.0)),
        })
    }

    pub(super) fn heading(&self) -> String {
        let setting = &self.setting;
        let place = if setting.placement() == "top" { "hot pages on top" } else { "hot pages anywhere" };
        let mut words = vec![
            format!("{} pages, skew {}, Δ {}, {place}", setting.pages, setting.shape.skew, setting.delta()),
            match setting.size {
                SizeBelief::Wrong(0.0) => String::new(),
                SizeBelief::Wrong(error) => format!("thought to be {:+.0} % larger", 100.0 * error),
                SizeBelief::Unknown => "of unknown size".to_owned(),
            },
        ];
        if setting.misestimated > 0.0 {
            words.push(format!("{:.0} % of the rates wrong", 100.0 * setting.misestimated));
        }
        if setting.mislabelled != (0.0, 0.0) {
            words.push("some pages mislabelled".to_owned());
        }
        words.push(if setting.seeds == 1 { "one site".to_owned() } else { format!("{} sites", setting.seeds) });
        words.retain(|word| !word.is_empty());
        words.join(", ")
    }

    /// One visit per page, least blur first.
    pub(super) fn once(&self) -> Table {
        let mut table = Table::new(["policy", "visits", "blur", "blur ÷ offline", "realised blur", "÷ best possible"]);
        let mut rows: Vec<&Row> = self.rows.iter().filter(|row| self.visits_once(row)).collect();
        rows.sort_by(|a, b| a.mean(|sample| sample.blur).total_cmp(&b.mean(|sample| sample.blur)));
        for row in rows {
            let realised = row.over_sites(|sample| sample.realised_blur);
            table.push(vec![
                Cell::text(&row.player.name),
                Cell::Number(row.visits(), 0),
                Cell::Estimate(row.over_sites(|sample| sample.blur), 1),
                Cell::Estimate(self.of_offline(row), 3),
                Cell::Estimate(realised, 1),
                Cell::maybe(self.possible_blur().map(|best| realised.mean / best), 3),
            ]);
        }
        table
    }

    /// Visits and revisits, most sharp pages first.
    pub(super) fn twice(&self) -> Table {
        let titles = ["policy", "visits", "blur", "sharp", "realised blur", "realised sharp", "÷ most possible"];
        let mut table = Table::new(titles);
        let mut rows: Vec<&Row> = self.rows.iter().filter(|row| !self.visits_once(row)).collect();
        rows.sort_by(|a, b| b.mean(|sample| sample.sharp).total_cmp(&a.mean(|sample| sample.sharp)));
        for row in rows {
            let realised = row.over_sites(|sample| sample.realised_sharp);
            table.push(vec![
                Cell::text(&row.player.name),
                Cell::Number(row.visits(), 0),
                Cell::Estimate(row.over_sites(|sample| sample.blur), 1),
                Cell::Estimate(row.over_sites(|sample| sample.sharp), 1),
                Cell::Estimate(row.over_sites(|sample| sample.realised_blur), 1),
                Cell::Estimate(realised, 1),
                Cell::Number(realised.mean / self.possible_sharp().max(1.0), 3),
            ]);
        }
        table
    }

    /// What the numbers alone do not say, a paragraph each.
    pub(super) fn notes(&self) -> Vec<String> {
        let most = format!("{:.1}", self.possible_sharp());
        let mut notes = vec![format!(
            "SHARC-offline's {:.1} is the least blur one visit per page can be expected to have. Knowing what would \
             happen, at most {most} pages could have been sharp on average with one visit and one revisit each.",
            self.offline_blur
        )];
        if let Some(best) = self.sharp_best {
            notes.push(format!(
                "The most sharp pages that can be expected with one visit and one revisit each: {best:.1}."
            ));
        }
        notes
    }
}

impl Results for SharcResults {
    fn json(&self) -> String {
        let setting = &self.setting;
        let (barren, bearing) = setting.mislabelled;
        let all = json!({
            "pages": setting.pages,
            "skew": setting.shape.skew,
            "outdegree": setting.shape.outdegree,
            "delta": setting.delta(),
            "tau": setting.tau,
            "placement": setting.placement(),
            "size_error": match setting.size { SizeBelief::Wrong(error) => json!(error), SizeBelief::Unknown => json!("unknown") },
            "misestimated": setting.misestimated,
            "mislabelled": [barren, bearing],
            "seeds": setting.seeds,
            "run_seed": setting.run_seed,
            "offline_blur": self.offline_blur,
            "expected_sharp_best": self.sharp_best,
            "oracle_blur": self.possible_blur(),
            "oracle_sharp": self.possible_sharp(),
            "results": self.rows.iter().map(|row| self.json_row(row)).collect::<Vec<_>>(),
        });
        all.to_string()
    }

    fn text(&self) -> String {
        let mut out = format!("{}\n\nOne visit per page, least blur first\n\n{}", self.heading(), self.once().text());
        out += &format!("\nVisits and revisits, most sharp pages first\n\n{}", self.twice().text());
        for note in self.notes() {
            out += &format!("\n{note}\n");
        }
        out
    }
}

impl ResultFiles for SharcResults {
    fn fill(&self, folder: &mut Folder, command: &str) -> anyhow::Result<()> {
        charts::write(folder, self, command)
    }
}

/// `[low, high]`; one site says nothing about how sites differ, and the interval is the value.
fn interval(estimate: Estimate) -> [f64; 2] {
    estimate.ci95.unwrap_or([estimate.mean; 2])
}

/// Rates are only placed differently from site to site, so that one will do.
fn offline_blur(setting: &SharcSetting) -> anyhow::Result<f64> {
    let right = SharcSetting { misestimated: 0.0, seeds: 1, ..setting.clone() };
    Ok(play::sampled(&right, &player::named(&["sharc-offline"]))?[0][0].blur)
}
