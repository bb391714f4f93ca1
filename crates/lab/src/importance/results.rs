//! What the study found, as tables and a picture.

use super::{
    auc::{self, Judged},
    measures::{NAMES, OURS, Scored},
};
use crate::{
    Folder, ResultFiles, Results,
    table::{Cell, Table},
};
use serde_json::json;
use tintype_picture::{Axis, Lines, Picture, Series};

/// Curves that are drawn; more would hide each other.
const DRAWN: [usize; 4] = [OURS, 2, 5, 7];

/// Every labelled pair with what every measure says of it.
#[derive(Debug)]
pub struct ImportanceResults {
    scored: Vec<Scored>,
    labelled: usize,
    histories: Vec<String>,
}

impl ImportanceResults {
    /// Of so many labelled pairs those whose histories are there.
    pub(super) fn of(scored: Vec<Scored>, labelled: usize) -> ImportanceResults {
        let mut histories: Vec<String> = scored.iter().map(|scored| scored.label.history.clone()).collect();
        histories.dedup();
        ImportanceResults { scored, labelled, histories }
    }

    fn judged(&self, measure: usize, wanted: impl Fn(&Scored) -> bool) -> Vec<Judged> {
        let of = |scored: &Scored| (scored.scores[measure], scored.label.matters);
        self.scored.iter().filter(|scored| wanted(scored)).map(of).collect()
    }

    /// A row for each measure.
    fn measures(&self) -> Table {
        let titles = ["measure", "AUC", "AUC without cosmetic"].map(str::to_owned);
        let own = self.histories.iter().map(|name| format!("AUC {name}"));
        let mut table = Table::new(titles.into_iter().chain(own).chain(["held out".to_owned()]));
        for (measure, name) in NAMES.iter().enumerate() {
            let cell = |judged: Vec<Judged>| auc::auc(&judged).map_or(Cell::Empty, |auc| Cell::Estimate(auc, 3));
            let mut row = vec![Cell::text(*name)];
            row.push(cell(self.judged(measure, |_| true)));
            row.push(cell(self.judged(measure, |scored| !scored.label.cosmetic)));
            let of = |history: &String| cell(self.judged(measure, |scored| scored.label.history == *history));
            row.extend(self.histories.iter().map(of));
            row.push(Cell::maybe(self.held_out(measure), 3));
            table.push(row);
        }
        table
    }

    /// Share of pairs sorted rightly, history by history, with the threshold that was best on the others.
    fn held_out(&self, measure: usize) -> Option<f64> {
        let right = |history: &String| {
            let threshold = auc::threshold(&self.judged(measure, |scored| scored.label.history != *history));
            auc::rightly(&self.judged(measure, |scored| scored.label.history == *history), threshold)
        };
        let all = self.scored.len().max(1) as f64;
        (self.histories.len() > 1).then(|| self.histories.iter().map(right).sum::<usize>() as f64 / all)
    }

    /// What importance says of each class.
    fn classes(&self) -> Table {
        let titles = ["class", "matters", "pairs", "lower quartile", "median", "upper quartile", "none at all"];
        let mut table = Table::new(titles);
        let mut classes: Vec<(&str, bool)> =
            self.scored.iter().map(|scored| (scored.label.class.as_str(), scored.label.matters)).collect();
        classes.sort_unstable();
        classes.dedup();
        for (class, matters) in classes {
            let mut scores: Vec<f64> = self
                .judged(OURS, |scored| scored.label.class == class && scored.label.matters == matters)
                .into_iter()
                .map(|(score, _)| score)
                .collect();
            scores.sort_unstable_by(f64::total_cmp);
            let at = |share: f64| Cell::Number(scores[((scores.len() - 1) as f64 * share) as usize], 3);
            let none = scores.iter().filter(|score| **score == 0.0).count();
            let matters = Cell::text(if matters { "yes" } else { "no" });
            let (pairs, none) = (Cell::Number(scores.len() as f64, 0), Cell::Number(none as f64, 0));
            table.push(vec![Cell::text(class), matters, pairs, at(0.25), at(0.5), at(0.75), none]);
        }
        table
    }

    fn heading(&self) -> String {
        let matter = self.scored.iter().filter(|scored| scored.label.matters).count();
        format!("{} of {} labelled pairs, {matter} of which matter", self.scored.len(), self.labelled)
    }

    fn roc(&self) -> Picture {
        let series = |measure: usize| {
            let judged = self.judged(measure, |_| true);
            let area = auc::auc(&judged).map_or(f64::NAN, |auc| auc.mean);
            let series = Series::new(format!("{} {area:.2}", NAMES[measure]), auc::curve(&judged));
            if measure == OURS { series.emphasised() } else { series }
        };
        let chance = Series::new("by chance 0.50", [(0.0, 0.0), (1.0, 1.0)]).reference();
        let lines = Lines {
            title: "Which changes matter".to_owned(),
            caption: format!("{}. Beside each name the area below its line.", self.heading()),
            x: Axis::linear("Told, though it does not matter", "share").including(0.0, 1.0),
            y: Axis::linear("Told of what matters", "share").including(0.0, 1.0),
            series: DRAWN.into_iter().map(series).chain([chance]).collect(),
        };
        lines.draw()
    }
}

impl Results for ImportanceResults {
    fn text(&self) -> String {
        format!("{}\n\n{}\nImportance by class\n\n{}", self.heading(), self.measures().text(), self.classes().text())
    }

    fn json(&self) -> String {
        let matter = self.scored.iter().filter(|scored| scored.label.matters).count();
        let (pairs, labelled, histories) = (self.scored.len(), self.labelled, &self.histories);
        let (measures, classes) = (self.measures().json(), self.classes().json());
        let all = json!({ "pairs": pairs, "labelled": labelled, "matter": matter, "histories": histories,
                "measures": measures, "classes": classes });
        all.to_string()
    }
}

impl ResultFiles for ImportanceResults {
    fn fill(&self, folder: &mut Folder, command: &str) -> anyhow::Result<()> {
        let heading = |what: &str| format!("{what}: {}\n\nMade by `{command}`", self.heading());
        folder.table("importance", &heading("How well each measure tells what matters"), &self.measures())?;
        folder.table("classes", &heading("Importance by class"), &self.classes())?;
        folder.picture("roc", &self.roc())
    }
}
