//! What was found, as JSON, text, tables and pictures.

use super::judge::Foretold;
use crate::{
    Folder, ResultFiles, Results,
    table::{Cell, Table},
};
use serde_json::{Value, json};
use tintype_picture::{Axis, Lines, Picture, Series};
use tintype_vocab::amount;

/// How well each history was foretold by what the others teach, and what was kept.
#[derive(Debug)]
pub struct ForecastResults {
    pub(super) left_out: Vec<LeftOut>,
    /// The label and the size.
    pub(super) kept: Option<(String, usize)>,
}

/// One history that was not taught from.
#[derive(Debug)]
pub(super) struct LeftOut {
    pub(super) name: String,
    pub(super) trained_on: String,
    /// By what the others teach, by the page's own past alone, and adapted at the visits that were chosen by it.
    pub(super) forest: Foretold,
    pub(super) own_past: Foretold,
    pub(super) chosen: Foretold,
}

impl ForecastResults {
    fn table(&self) -> Table {
        let titles = ["left out", "moments", "AUC", "own past", "log loss", "own past ", "visits", "calibration error"];
        let mut table = Table::new(titles);
        for LeftOut { name, forest, own_past, chosen, .. } in &self.left_out {
            let numbers = [forest.auc, own_past.auc, forest.log_loss, own_past.log_loss];
            let mut cells = vec![Cell::text(name.clone()), Cell::Number(forest.moments as f64, 0)];
            cells.extend(numbers.map(|number| Cell::Number(number, 3)));
            cells.extend([Cell::Number(chosen.moments as f64, 0), Cell::Number(chosen.calibration_error, 3)]);
            table.push(cells);
        }
        table
    }

    fn reliability(&self) -> Picture {
        let points = |foretold: &Foretold| -> Vec<(f64, f64)> {
            foretold.reliability.iter().filter(|bin| bin.moments >= 20).map(|bin| (bin.foretold, bin.found)).collect()
        };
        let of = |left: &LeftOut| Series::new(left.name.clone(), points(&left.chosen));
        let right = Series::new("as foretold", [(0.0, 0.0), (1.0, 1.0)]).reference();
        Lines {
            title: "New versions, foretold and found, on sites not taught from".to_owned(),
            caption: "Chances at the visits that were chosen by them, adapted on line; steps of at least 20."
                .to_owned(),
            x: Axis::linear("Chance of a new version", "foretold").including(0.0, 1.0),
            y: Axis::linear("Visits that brought one", "share").including(0.0, 1.0),
            series: self.left_out.iter().map(of).chain([right]).collect(),
        }
        .draw()
    }
}

impl Results for ForecastResults {
    fn json(&self) -> String {
        let left = |left: &LeftOut| -> Value {
            json!({
                "left_out": left.name,
                "trained_on": left.trained_on,
                "forest": left.forest,
                "own_past": left.own_past,
                "chosen": left.chosen,
            })
        };
        let kept = self.kept.as_ref().map(|(label, bytes)| json!({"trained_on": label, "bytes": bytes}));
        json!({"leave_out": self.left_out.iter().map(left).collect::<Vec<_>>(), "kept": kept}).to_string()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if !self.left_out.is_empty() {
            text += &self.table().text();
        }
        if let Some((label, bytes)) = &self.kept {
            text += &format!("Kept what was learned from {label} ({})\n", amount::bytes(*bytes as u64));
        }
        text
    }
}

impl ResultFiles for ForecastResults {
    fn fill(&self, folder: &mut Folder, command: &str) -> anyhow::Result<()> {
        let heading = format!("Forecasts of sites not taught from\n\nMade by `{command}`");
        folder.table("forecasts", &heading, &self.table())?;
        folder.picture("reliability", &self.reliability())
    }
}
