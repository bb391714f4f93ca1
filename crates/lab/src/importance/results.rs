//! What the study found, as tables and a picture.

use super::{
    auc::{self, Judged},
    labels::Audience,
    measures::{NAMES, OURS, Scored},
    spread::Spread,
};
use crate::{
    Folder, ResultFiles, Results,
    table::{Cell, Table},
};
use serde_json::json;
use tintype_picture::{Axis, Lines, Picture, Series};
use tintype_vocab::Change;

/// Curves that are drawn; more would hide each other.
const DRAWN: [usize; 4] = [OURS, 2, 5, 7];

/// What has less is not told unless it is asked for.
const DEFAULT: f64 = Change::IMPORTANCE_MIN as f64;

/// Every labelled pair with what every measure says of it.
#[derive(Debug)]
pub struct ImportanceResults {
    scored: Vec<Scored>,
    spreads: Vec<Spread>,
    labelled: usize,
    histories: Vec<String>,
}

impl ImportanceResults {
    /// Of so many labelled pairs those whose histories are there.
    pub(super) fn of(scored: Vec<Scored>, spreads: Vec<Spread>, labelled: usize) -> ImportanceResults {
        let histories = spreads.iter().map(|spread| spread.history.clone()).collect();
        ImportanceResults { scored, spreads, labelled, histories }
    }

    fn judged(&self, measure: usize, wanted: impl Fn(&Scored) -> bool) -> Vec<Judged> {
        let of = |scored: &Scored| (scored.scores[measure], scored.label.matters());
        self.scored.iter().filter(|scored| wanted(scored)).map(of).collect()
    }

    /// A row for each measure.
    fn measures(&self) -> Table {
        let titles = ["measure", "AUC", "AUC citizen"].map(str::to_owned);
        let own = self.histories.iter().map(|name| format!("AUC {name}"));
        let last = ["mean of sites", "held out"].map(str::to_owned);
        let mut table = Table::new(titles.into_iter().chain(own).chain(last));
        for (measure, name) in NAMES.iter().enumerate() {
            let cell = |judged: Vec<Judged>| auc::auc(&judged).map_or(Cell::Empty, |auc| Cell::Estimate(auc, 3));
            let mut row = vec![Cell::text(*name)];
            row.push(cell(self.judged(measure, |_| true)));
            row.push(cell(self.for_citizens(measure)));
            let of = |history: &String| self.judged(measure, |scored| scored.label.history == *history);
            row.extend(self.histories.iter().map(|history| cell(of(history))));
            let each: Vec<f64> =
                self.histories.iter().filter_map(|history| auc::auc(&of(history))).map(|auc| auc.mean).collect();
            row.push(Cell::maybe((!each.is_empty()).then(|| each.iter().sum::<f64>() / each.len() as f64), 3));
            row.push(Cell::maybe(self.held_out(measure), 3));
            table.push(row);
        }
        table
    }

    /// What matters to a citizen against what matters to nobody.
    fn for_citizens(&self, measure: usize) -> Vec<Judged> {
        let clear = |scored: &&Scored| scored.label.audience != Audience::Editor;
        let of = |scored: &Scored| (scored.scores[measure], scored.label.matters());
        self.scored.iter().filter(clear).map(of).collect()
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

    /// What importance says of each stratum.
    fn strata(&self) -> Table {
        let titles = ["stratum", "matters to", "pairs", "lower quartile", "median", "upper quartile", "below default"];
        let mut table = Table::new(titles);
        let mut strata: Vec<(&str, Audience)> =
            self.scored.iter().map(|scored| (scored.label.stratum.as_str(), scored.label.audience)).collect();
        strata.sort_unstable();
        strata.dedup();
        for (stratum, audience) in strata {
            let mut scores: Vec<f64> = self
                .judged(OURS, |scored| scored.label.stratum == stratum && scored.label.audience == audience)
                .into_iter()
                .map(|(score, _)| score)
                .collect();
            scores.sort_unstable_by(f64::total_cmp);
            let at = |share: f64| Cell::Number(scores[((scores.len() - 1) as f64 * share) as usize], 4);
            let below = scores.iter().filter(|score| **score < DEFAULT).count();
            let (pairs, below) = (Cell::Number(scores.len() as f64, 0), Cell::Number(below as f64, 0));
            table.push(vec![
                Cell::text(stratum),
                Cell::text(audience.name()),
                pairs,
                at(0.25),
                at(0.5),
                at(0.75),
                below,
            ]);
        }
        table
    }

    /// Every labelled pair, the most important first: who looks for what is ranked wrongly reads on from either end.
    fn pairs(&self) -> Table {
        let titles = ["history", "path", "before", "after", "stratum", "matters to", "importance"];
        let mut table = Table::new(titles);
        let mut sorted: Vec<&Scored> = self.scored.iter().collect();
        sorted.sort_by(|one, two| two.scores[OURS].total_cmp(&one.scores[OURS]));
        for Scored { label, scores } in sorted {
            let texts = [&label.history, &label.path].map(Cell::text);
            let times = [label.before, label.after].map(|time| Cell::Number(time as f64, 0));
            let judged = [Cell::text(&label.stratum), Cell::text(label.audience.name()), Cell::Number(scores[OURS], 4)];
            table.push(texts.into_iter().chain(times).chain(judged).collect());
        }
        table
    }

    /// Of what matters, how much is told by default; of what does not, how much is kept back.
    fn at_default(&self) -> [f64; 2] {
        let judged = self.judged(OURS, |_| true);
        let share = |matters: bool| {
            let all: Vec<f64> = judged.iter().filter(|one| one.1 == matters).map(|one| one.0).collect();
            let told = all.iter().filter(|score| **score >= DEFAULT).count() as f64 / all.len().max(1) as f64;
            if matters { told } else { 1.0 - told }
        };
        [share(true), share(false)]
    }

    /// Cohen's kappa between the first and the second reading, how many were read twice, and the share that agreed.
    fn agreement(&self) -> Option<(f64, usize, f64)> {
        let twice: Vec<[Audience; 2]> =
            self.scored.iter().filter_map(|scored| Some([scored.label.audience, scored.label.again?])).collect();
        let all = twice.len() as f64;
        let share = |of: &dyn Fn(&[Audience; 2]) -> bool| twice.iter().filter(|pair| of(pair)).count() as f64 / all;
        let agreed = share(&|pair| pair[0] == pair[1]);
        let chance: f64 = Audience::ALL
            .into_iter()
            .map(|audience| share(&|pair| pair[0] == audience) * share(&|pair| pair[1] == audience))
            .sum();
        (!twice.is_empty() && chance < 1.0).then(|| ((agreed - chance) / (1.0 - chance), twice.len(), agreed))
    }

    fn heading(&self) -> String {
        let count = |audience| self.scored.iter().filter(|scored| scored.label.audience == audience).count();
        let [nobody, editor, citizen] = Audience::ALL.map(count);
        let (scored, labelled) = (self.scored.len(), self.labelled);
        format!(
            "{scored} of {labelled} labelled pairs: {citizen} matter to a citizen, {editor} to an editor, {nobody} to nobody"
        )
    }

    fn notes(&self) -> String {
        let [recall, kept_back] = self.at_default();
        let told = format!("Told by default (importance {DEFAULT}): {:.1} % of what matters", 100.0 * recall);
        let told = format!("{told}; kept back: {:.1} % of what does not", 100.0 * kept_back);
        match self.agreement() {
            None => told,
            Some((kappa, pairs, agreed)) => {
                format!("{told}\nRead twice: {pairs} pairs, {:.1} % agree, kappa {kappa:.3}", 100.0 * agreed)
            }
        }
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
        let (measures, strata) = (self.measures().text(), self.strata().text());
        let spread = Spread::table(&self.spreads).text();
        format!(
            "{}\n{}\n\n{measures}\nImportance by stratum\n\n{strata}\nAll changes of each history\n\n{spread}",
            self.heading(),
            self.notes()
        )
    }

    fn json(&self) -> String {
        let matter = self.scored.iter().filter(|scored| scored.label.matters()).count();
        let (pairs, labelled, histories) = (self.scored.len(), self.labelled, &self.histories);
        let (measures, strata) = (self.measures().json(), self.strata().json());
        let [recall, kept_back] = self.at_default();
        let agreement =
            self.agreement().map(|(kappa, pairs, agreed)| json!({ "kappa": kappa, "pairs": pairs, "agreed": agreed }));
        let all = json!({ "pairs": pairs, "labelled": labelled, "matter": matter, "histories": histories,
                "recall_at_default": recall, "kept_back_at_default": kept_back, "agreement": agreement,
                "measures": measures, "strata": strata, "spread": Spread::table(&self.spreads).json() });
        all.to_string()
    }
}

impl ResultFiles for ImportanceResults {
    fn fill(&self, folder: &mut Folder, command: &str) -> anyhow::Result<()> {
        let heading = |what: &str| format!("{what}: {}\n\nMade by `{command}`", self.heading());
        folder.table("importance", &heading("How well each measure tells what matters"), &self.measures())?;
        folder.table("strata", &heading("Importance by stratum"), &self.strata())?;
        folder.table("pairs", &heading("Every pair"), &self.pairs())?;
        folder.table("spread", &heading("All changes of each history"), &Spread::table(&self.spreads))?;
        folder.picture("roc", &self.roc())
    }
}
