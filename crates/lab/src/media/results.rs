//! What was found, as JSON, text, tables and a picture.

use super::{
    judge::{Judgement, Online},
    models::ModelName,
    speed::Speed,
};
use crate::{
    Folder, ResultFiles, Results,
    table::{Cell, Table},
};
use serde_json::{Value, json};
use std::fmt::Write;
use tintype_picture::{Axis, Lines, Picture, Series};
use tintype_quality::MediaScore;
use tintype_vocab::{
    ContentType,
    amount::{bytes, counted},
    plain::printable,
};

/// One model and how well it did.
#[derive(Debug)]
pub struct MediaResults {
    pub(super) model: ModelName,
    pub(super) raw: bool,
    pub(super) trained_on: usize,
    pub(super) domains: usize,
    /// Domains that were also learned from: whoever knows them has it easier.
    pub(super) domains_seen: usize,
    pub(super) judgement: Judgement,
    /// Answers of a domain that are told before the rest of it is judged.
    pub(super) told: usize,
    pub(super) online: Online,
    pub(super) speed: Speed,
    pub(super) bytes: usize,
    /// Other models that learned and were judged alike.
    pub(super) beside: Vec<(ModelName, Judgement)>,
}

impl MediaResults {
    fn heading(&self) -> String {
        let names = if self.raw { "names as sent" } else { "synonyms folded" };
        let (train, test) = (counted(self.trained_on as u64, "URL"), counted(self.judgement.all.count(), "URL"));
        let domains = counted(self.domains as u64, "domain");
        let seen = match self.domains_seen {
            0 => "none of them learned from".to_owned(),
            seen => format!("{seen} of them also learned from"),
        };
        format!("{}: learned from {train}, judged on {test} of {domains}, {seen}; {names}", self.model)
    }

    fn classes(&self) -> Table {
        let mut table = Table::new(["class", "precision", "recall", "F1", "URLs"]);
        for class in self.judgement.all.classes() {
            let shares = [class.precision, class.recall, class.f1].map(|share| Cell::Number(share, 3));
            let support = Cell::Number(class.support as f64, 0);
            table.push([vec![Cell::text(class.class.name())], shares.to_vec(), vec![support]].concat());
        }
        table
    }

    fn confusion(&self) -> Table {
        let all = &self.judgement.all;
        let classes: Vec<ContentType> = all.classes().into_iter().map(|class| class.class).collect();
        let said = || {
            ContentType::ALL.into_iter().filter(|class| self.raw || *class != ContentType::Font).map(Some).chain([None])
        };
        let titles = said().map(|said| said.map_or("nothing", ContentType::name));
        let mut table = Table::new(["was"].into_iter().chain(titles));
        for was in classes {
            let cells = said().map(|said| Cell::Number(all.told(was, said) as f64, 0));
            table.push([Cell::text(was.name())].into_iter().chain(cells).collect());
        }
        table
    }

    /// The largest first.
    fn sources(&self) -> Table {
        let mut sources: Vec<_> = self.judgement.sources.iter().collect();
        sources.sort_by_key(|(_, score)| std::cmp::Reverse(score.count()));
        let mut table = Table::new(["source", "URLs", "accuracy"]);
        for (name, score) in sources {
            let count = Cell::Number(score.count() as f64, 0);
            table.push(vec![Cell::text(printable(name)), count, Cell::maybe(score.accuracy(), 4)]);
        }
        table
    }

    fn models(&self) -> Table {
        let mut table = Table::new(["model", "accuracy", "hard accuracy", "macro F1", "calibration error"]);
        let own = (&self.model, &self.judgement);
        for (name, Judgement { all, hard, .. }) in
            [own].into_iter().chain(self.beside.iter().map(|(name, judgement)| (name, judgement)))
        {
            let shares = [all.accuracy(), hard.accuracy(), all.macro_f1(), all.calibration.error()];
            let shares = shares.map(|share| Cell::maybe(share, 4));
            table.push([Cell::text(name.to_string())].into_iter().chain(shares).collect());
        }
        table
    }

    fn reliability(&self) -> Picture {
        let calibration = &self.judgement.all.calibration;
        let points = calibration.reliability().into_iter().map(|bin| (bin.said, bin.found));
        let right = Series::new("as said", [(0.0, 0.0), (1.0, 1.0)]).reference();
        let error = calibration.error().unwrap_or(0.0);
        Lines {
            title: "How sure, and how often right".to_owned(),
            caption: format!("{}. Expected calibration error {error:.4}.", self.heading()),
            x: Axis::linear("Chance of the likeliest content type", "said").including(0.0, 1.0),
            y: Axis::linear("Came true", "share").including(0.0, 1.0),
            series: vec![Series::new(self.model.to_string(), points).emphasised(), right],
        }
        .draw()
    }
}

impl Results for MediaResults {
    fn json(&self) -> String {
        let Judgement { all, hard, .. } = &self.judgement;
        let all = json!({
            "model": self.model.to_string(),
            "raw": self.raw,
            "trained_on": self.trained_on,
            "judged_on": all.count(),
            "domains": self.domains,
            "domains_seen": self.domains_seen,
            "classes": all.classes(),
            "accuracy": all.accuracy(),
            "hard_accuracy": hard.accuracy(),
            "hard": hard.count(),
            "macro_f1": all.macro_f1(),
            "calibration_error": all.calibration.error(),
            "reliability": all.calibration.reliability(),
            "classify_per_second": self.speed.classified,
            "update_per_second": self.speed.learned,
            "scan_per_second": self.speed.scanned,
            "bytes": self.bytes,
            "online_accuracy": self.online.after.accuracy(),
            "online": {
                "told": self.told,
                "domains": self.online.domains,
                "urls": self.online.after.count(),
                "accuracy_before": self.online.before.accuracy(),
            },
            "confusion": self.confusion().json(),
            "sources": self.sources().json(),
            "beside": self.beside.iter().map(|(name, judgement)| beside(*name, judgement)).collect::<Vec<_>>(),
        });
        all.to_string()
    }

    fn text(&self) -> String {
        let Judgement { all, hard, .. } = &self.judgement;
        let mut text = format!("{}\n\n", self.heading());
        let mut line = |label: &str, value: String| writeln!(text, "{label:<18} {value}").expect("strings grow");
        let of = |score: &MediaScore| format!("{} of {}", percent(score.accuracy()), counted(score.count(), "URL"));
        line("accuracy", of(all));
        line("hard URLs", format!("{}, whose extension is missing, says nothing or lies", of(hard)));
        line("macro F1", percent(all.macro_f1()));
        line("calibration error", all.calibration.error().map_or_else(String::new, |error| format!("{error:.4}")));
        let online = &self.online;
        let (told, domains) = (counted(self.told as u64, "answer"), counted(online.domains as u64, "domain"));
        let before = percent(online.before.accuracy());
        line("online", format!("{}, after {told} of each of {domains}; before {before}", of(&online.after)));
        let speed = &self.speed;
        let beside = speed.scanned / speed.classified.max(1.0);
        line(
            "classified",
            format!("{:.0} URLs a second; adding up their bytes is {beside:.0} times faster", speed.classified),
        );
        line("learned", format!("{:.0} URLs a second", speed.learned));
        line("memory", bytes(self.bytes as u64));
        for (title, table) in [
            ("By content type", self.classes()),
            ("What was there, and what was said", self.confusion()),
            ("By source", self.sources()),
            ("Beside others that learned and were judged alike", self.models()),
        ] {
            let _ = write!(text, "\n{title}\n\n{}", table.text());
        }
        text
    }
}

impl ResultFiles for MediaResults {
    fn fill(&self, folder: &mut Folder, command: &str) -> anyhow::Result<()> {
        let heading = |what: &str| format!("{what}\n\n{}. Made by `{command}`", self.heading());
        folder.table("models", &heading("Who knows what is behind a URL"), &self.models())?;
        folder.table("classes", &heading("By content type"), &self.classes())?;
        folder.table("confusion", &heading("What was there, and what was said"), &self.confusion())?;
        folder.table("sources", &heading("By source"), &self.sources())?;
        folder.picture("reliability", &self.reliability())
    }
}

fn beside(name: ModelName, Judgement { all, hard, .. }: &Judgement) -> Value {
    json!({
        "model": name.to_string(),
        "accuracy": all.accuracy(),
        "hard_accuracy": hard.accuracy(),
        "macro_f1": all.macro_f1(),
        "calibration_error": all.calibration.error(),
    })
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "nothing".to_owned(), |share| format!("{:.2} %", 100.0 * share))
}
