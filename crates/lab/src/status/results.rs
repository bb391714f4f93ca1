//! How what was stated compares with what was true, for people, programs and documents.

use crate::{
    Folder, ResultFiles, Results,
    table::{Cell, Table},
};
use serde_json::{Value, json};
use tintype_picture::{Axis, Cloud, Scatter};
use tintype_quality::{BelievedRange, KeptQuality};
use tintype_vocab::{Span, Time};
use tintype_world::SimulationConfig;

/// What came of it.
#[derive(Debug)]
pub struct StatusResults {
    pub(super) name: String,
    pub(super) game: SimulationConfig,
    pub(super) every: Span,
    pub(super) policies: Vec<PolicyWeeks>,
}

/// All windows of one policy.
#[derive(Debug)]
pub(super) struct PolicyWeeks {
    pub(super) policy: &'static str,
    pub(super) weeks: Vec<Week>,
}

/// One window: what is stated at its end, and what is true.
#[derive(Debug)]
pub(super) struct Week {
    pub(super) at: Time,
    pub(super) stated: KeptQuality,
    pub(super) caught: u64,
    pub(super) versions: u64,
    /// Nothing where no version came to be.
    pub(super) completeness: Option<f64>,
    pub(super) mean_age_hours: Option<f64>,
}

/// A figure that is stated with an interval.
struct Figure {
    name: &'static str,
    of: fn(&Week) -> Option<(BelievedRange, f64)>,
}

const FIGURES: [Figure; 2] = [
    Figure { name: "completeness", of: |week| Some((week.stated.completeness?, week.completeness?)) },
    Figure { name: "mean_age_hours", of: |week| Some((week.stated.mean_age_hours?, week.mean_age_hours?)) },
];

/// A figure over all windows of a policy.
struct Coverage {
    weeks: usize,
    stated: f64,
    truth: f64,
    /// Share of the intervals that hold the truth, and of those that it lies below.
    held: f64,
    below: f64,
    width: f64,
}

impl Figure {
    fn over(&self, weeks: &[Week]) -> Option<Coverage> {
        let told: Vec<(BelievedRange, f64)> = weeks.iter().filter_map(self.of).collect();
        let mean =
            |value: &dyn Fn(&(BelievedRange, f64)) -> f64| told.iter().map(value).sum::<f64>() / told.len() as f64;
        (!told.is_empty()).then(|| Coverage {
            weeks: told.len(),
            stated: mean(&|(range, _)| range.mean),
            truth: mean(&|(_, truth)| *truth),
            held: mean(&|(range, truth)| f64::from(u8::from(holds(range, *truth)))),
            below: mean(&|(range, truth)| f64::from(u8::from(*truth < range.low && !holds(range, *truth)))),
            width: mean(&|(range, _)| range.high - range.low),
        })
    }
}

/// Up to rounding: where nothing was caught, both are nothing.
fn holds(range: &BelievedRange, truth: f64) -> bool {
    (range.low - 1e-9..=range.high + 1e-9).contains(&truth)
}

impl Coverage {
    fn json(&self) -> Value {
        json!({
            "weeks": self.weeks, "stated": self.stated, "true": self.truth, "held": self.held,
            "true_below": self.below, "mean_width": self.width,
        })
    }
}

impl PolicyWeeks {
    fn json(&self) -> Value {
        let range = |range: &BelievedRange| json!({ "mean": range.mean, "low": range.low, "high": range.high });
        let week = |week: &Week| {
            json!({
                "at": week.at.as_secs(), "versions": week.versions, "caught": week.caught,
                "stated_missed": week.stated.missed.as_ref().map(range),
                "stated_completeness": week.stated.completeness.as_ref().map(range), "completeness": week.completeness,
                "stated_mean_age_hours": week.stated.mean_age_hours.as_ref().map(range),
                "mean_age_hours": week.mean_age_hours,
            })
        };
        let figure =
            |figure: &Figure| (figure.name.to_owned(), figure.over(&self.weeks).map(|over| over.json()).into());
        let mut object: serde_json::Map<String, Value> = FIGURES.iter().map(figure).collect();
        object.insert("policy".into(), self.policy.into());
        object.insert("by_week".into(), self.weeks.iter().map(week).collect());
        Value::Object(object)
    }
}

impl StatusResults {
    fn heading(&self) -> String {
        let (from, to) = (self.game.from.to_rfc3339_secs(), self.game.to.to_rfc3339_secs());
        let days = self.every.as_days_f64();
        format!("{}, {} visits a day, {from} to {to}, every {days:.1} days", self.name, self.game.per_day)
    }

    fn table(&self) -> Table {
        let titles = ["site", "policy", "figure", "weeks", "stated", "true", "held %", "true below %", "mean width"];
        let mut table = Table::new(titles);
        for policy in &self.policies {
            for figure in &FIGURES {
                let Some(over) = figure.over(&policy.weeks) else { continue };
                table.push(vec![
                    Cell::text(&self.name),
                    Cell::text(policy.policy),
                    Cell::text(figure.name.replace('_', " ")),
                    Cell::Number(over.weeks as f64, 0),
                    Cell::Number(over.stated, 3),
                    Cell::Number(over.truth, 3),
                    Cell::Number(100.0 * over.held, 0),
                    Cell::Number(100.0 * over.below, 0),
                    Cell::Number(over.width, 3),
                ]);
            }
        }
        table
    }

    fn by_week(&self) -> Table {
        let titles = ["policy", "at", "figure", "stated", "low", "high", "true"];
        let mut table = Table::new(titles);
        for policy in &self.policies {
            for (week, figure) in policy.weeks.iter().flat_map(|week| FIGURES.iter().map(move |figure| (week, figure)))
            {
                let Some((range, truth)) = (figure.of)(week) else { continue };
                let numbers = [range.mean, range.low, range.high, truth].map(|value| Cell::Number(value, 3));
                let names =
                    [policy.policy.to_owned(), week.at.to_rfc3339_secs(), figure.name.to_owned()].map(Cell::Text);
                table.push(names.into_iter().chain(numbers).collect());
            }
        }
        table
    }

    fn picture(&self, figure: &Figure, quantity: &str, unit: &str) -> tintype_picture::Picture {
        let cloud = |policy: &PolicyWeeks| {
            let points = policy.weeks.iter().filter_map(figure.of).map(|(range, truth)| (range.mean, truth));
            Cloud { name: policy.policy.to_owned(), points: points.collect() }
        };
        let chart = Scatter {
            title: format!("{quantity} as status states it and as it is: {}", self.name),
            caption: self.heading(),
            x: Axis::linear(format!("Stated {}", quantity.to_lowercase()), unit),
            y: Axis::linear(format!("True {}", quantity.to_lowercase()), unit),
            clouds: self.policies.iter().map(cloud).collect(),
            diagonal: Some("as stated".to_owned()),
        };
        chart.draw()
    }
}

impl Results for StatusResults {
    fn json(&self) -> String {
        json!({
            "history": self.name, "from": self.game.from.as_secs(), "to": self.game.to.as_secs(),
            "budget_per_day": self.game.per_day, "every_days": self.every.as_days_f64(), "run_seed": self.game.run_seed,
            "results": self.policies.iter().map(PolicyWeeks::json).collect::<Vec<_>>(),
        })
        .to_string()
    }

    fn text(&self) -> String {
        format!("{}\n\n{}", self.heading(), self.table().text())
    }
}

impl ResultFiles for StatusResults {
    fn fill(&self, folder: &mut Folder, command: &str) -> anyhow::Result<()> {
        let heading = format!("{}\n\nMade by `{command}`.", self.heading());
        folder.table("coverage", &heading, &self.table())?;
        folder.table("weeks", &heading, &self.by_week())?;
        folder.picture("completeness", &self.picture(&FIGURES[0], "Completeness", "share of versions"))?;
        folder.picture("mean-age", &self.picture(&FIGURES[1], "Mean age of copies", "hours"))
    }
}
