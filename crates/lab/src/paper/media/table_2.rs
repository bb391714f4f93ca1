//! Table 2: media precision and recall of the paper's classifier in seven rounds, beside what is printed, and the others.

use super::{
    folds::{LETTERS, ROUNDS},
    players::THRESHOLDS,
    printed::{PRINTED, lowest},
    rounds::{Entry, F1, Measure, PRECISION, Played, RECALL, TYPES},
};
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use std::path::Path;
use tintype_picture::{Axis, Lines, Picture, Series};
use tintype_quality::Estimate;
use tintype_vocab::ContentType;

/// What the paper says of all content types, in 5.3 and in its abstract: media precision and recall above these.
const FLOORS: [(&str, [f64; 2]); 2] = [("5.3", [0.75, 0.60]), ("the abstract", [0.80, 0.65])];
const BOTH: [Measure; 2] = [PRECISION, RECALL];
/// Points between the best and the worst round that are a jump; the paper's own is 28.6.
const JUMP: f64 = 0.2;

/// How fold H came about.
struct Setting {
    /// At the end of file names.
    suffix: &'static str,
    title: String,
    text: String,
}

/// Fold H by lot, as in the paper.
pub(super) fn parts(played: &Played, path: Option<&Path>) -> Vec<Part> {
    let source = path.map_or_else(|| "all made-up webs of Figure 6".to_owned(), file_name);
    let setting = Setting {
        suffix: "",
        title: "fold H by lot".to_owned(),
        text: format!(
            "The URLs of {source} in eight folds by lot, so that most domains of fold H were met before, as in the paper."
        ),
    };
    setting.parts(played)
}

/// Fold H from a table of its own.
pub(super) fn parts_unseen(played: &Played, path: Option<&Path>) -> Vec<Part> {
    let source = path.map(file_name).unwrap_or_default();
    let setting = Setting {
        suffix: "-unseen",
        title: format!("fold H is {source}"),
        text: format!("All URLs of the first table in seven folds by lot; fold H is {source}, the same for all lots."),
    };
    setting.parts(played)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What the paper says of its own numbers.
pub(super) fn printed() -> Part {
    let at = |(value, class, threshold): (f64, usize, usize)| {
        format!("{} at {}: {value:.1} %", TYPES[class], THRESHOLDS[threshold])
    };
    let lowest = [lowest(0), lowest(1)];
    let claim = |(place, floors): (&str, [f64; 2])| {
        let holds = floors.iter().zip(lowest).all(|(floor, low)| low.0 > 100.0 * floor);
        let because = format!("lowest media precision {}; lowest media recall {}", at(lowest[0]), at(lowest[1]));
        Claim::new(format!("{}, by its own Table 2", floor_words(place, floors)), holds, because)
    };
    Part {
        name: "table-2-printed".to_owned(),
        title: "Table 2 as printed".to_owned(),
        text: "The paper's sentences held against the paper's numbers.".to_owned(),
        table: None,
        picture: None,
        claims: FLOORS.map(claim).into(),
    }
}

fn floor_words(place: &str, [precision, recall]: [f64; 2]) -> String {
    format!(
        "{place}: media precision above {:.0} % and media recall above {:.0} % for all content types",
        100.0 * precision,
        100.0 * recall
    )
}

impl Setting {
    fn parts(&self, played: &Played) -> Vec<Part> {
        let lots = match played.lots() {
            1 => "One lot.".to_owned(),
            lots => format!("95 % intervals over {lots} lots: they say what the lot does, not what other URLs would."),
        };
        let text = format!(
            "{} {} URLs are learned in seven rounds, {} judged. A URL may be said to be of several content types, or of none. \
             Threshold: the least confidence of a rule for statistical, the least chance for stream and tintype. {lots}",
            self.text,
            played.known[ROUNDS - 1],
            played.judged
        );
        let table_2 = Part {
            name: format!("table-2{}", self.suffix),
            title: format!("Table 2: media precision and recall by round, {}", self.title),
            text: format!("{text} In per cent; every round learns one fold more."),
            table: Some(table(played)),
            picture: None,
            claims: claims(played),
        };
        let rounds = Part {
            name: format!("rounds{}", self.suffix),
            title: format!("After the last round: three models, {}", self.title),
            text:
                "F1 is the harmonic mean of media precision and media recall; means are over content types, rare ones \
                   counting as much as frequent ones."
                    .to_owned(),
            table: Some(summary(played)),
            picture: Some(self.picture(played)),
            claims: goals(played),
        };
        vec![table_2, rounds]
    }

    fn picture(&self, played: &Played) -> Picture {
        let line = |entry: Entry| {
            let at = |round: usize| Some((played.known[round] as f64, played.mean(entry, round, F1)?));
            let at: Vec<(f64, Estimate)> = (0..ROUNDS).filter_map(at).collect();
            let band = at.iter().filter_map(|(x, of)| of.ci95.map(|[low, high]| (*x, low.max(0.0), high.min(1.0))));
            let name = format!("{} {}", entry.name(), entry.threshold());
            let series = Series::new(name, at.iter().map(|(x, of)| (*x, of.mean)));
            match entry {
                Entry::OURS => series.with_band(band).emphasised(),
                // More bands on top of each other than these cannot be told apart.
                Entry { threshold: 0, .. } => series.with_band(band),
                _ => series,
            }
        };
        let chart = Lines {
            title: "How well content types are told from URLs, round by round".to_owned(),
            caption: format!("{}; mean over content types. Bands: 95 % over lots, at 0.5.", capital(&self.title)),
            x: Axis::linear("Learned", "URLs").including(0.0, 0.0),
            y: Axis::linear("F1", "mean over content types").including(0.4, 1.0),
            series: Entry::all().map(line).collect(),
        };
        chart.draw()
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn percent(estimate: Option<Estimate>) -> Cell {
    let scaled =
        |of: Estimate| Estimate { mean: 100.0 * of.mean, ci95: of.ci95.map(|ends| ends.map(|end| 100.0 * end)) };
    estimate.map_or(Cell::Empty, |of| Cell::Estimate(scaled(of), 1))
}

fn table(played: &Played) -> Table {
    let mut table = Table::new(["content type", "of H", "model", "threshold", "measure"].into_iter().chain(LETTERS));
    for (nth, class) in TYPES.into_iter().enumerate() {
        let mut row = |there: Cell, model: &str, threshold: usize, measure: Measure, rounds: [Cell; ROUNDS]| {
            let threshold = Cell::text(THRESHOLDS[threshold].to_string());
            let first = [Cell::text(class.name()), there, Cell::text(model), threshold, Cell::text(measure.name)];
            table.push(first.into_iter().chain(rounds).collect());
        };
        for (threshold, printed) in PRINTED[nth].into_iter().enumerate() {
            for (measure, printed) in BOTH.into_iter().zip(printed) {
                row(Cell::Empty, "paper", threshold, measure, printed.map(|value| Cell::Number(value, 1)));
            }
        }
        for entry in Entry::all() {
            for measure in BOTH {
                let rounds = std::array::from_fn(|round| percent(played.of(entry, class, round, measure)));
                row(Cell::Number(played.there(class), 0), entry.name(), entry.threshold, measure, rounds);
            }
        }
    }
    table
}

fn summary(played: &Played) -> Table {
    let by_type = TYPES.map(|class| format!("F1 of {class}"));
    let means = ["model", "threshold", "mean Pr", "mean Re", "mean F1"].map(str::to_owned);
    let mut table = Table::new(means.into_iter().chain(by_type));
    for entry in Entry::all() {
        let first = [Cell::text(entry.name()), Cell::text(entry.threshold().to_string())];
        let means = [PRECISION, RECALL, F1].map(|measure| percent(played.mean(entry, ROUNDS - 1, measure)));
        let by_type = TYPES.map(|class| percent(played.of(entry, class, ROUNDS - 1, F1)));
        table.push(first.into_iter().chain(means).chain(by_type).collect());
    }
    table
}

fn claims(played: &Played) -> Vec<Claim> {
    let [loose, strict] = Entry::RULES;
    let swing = played.swing(strict, ContentType::Video, RECALL);
    let said = "the media recall of video at 0.7 jumps between rounds";
    let jump = match swing {
        Some(swing) => {
            let because = format!(
                "best and worst of seven rounds are {:.1} points apart (28.6 in the paper), with {:.0} videos to find",
                100.0 * swing.mean,
                played.there(ContentType::Video)
            );
            Claim::new(said, swing.mean >= JUMP, because)
        }
        None => Claim::not_applicable(said, "there is no video in fold H"),
    };
    let gains = [
        more("a higher threshold gives a higher media precision", played, [loose, strict], PRECISION),
        more("a lower threshold gives a higher media recall", played, [strict, loose], RECALL),
    ];
    gains.into_iter().chain(FLOORS.map(|(place, floors)| floor(played, place, floors))).chain([jump]).collect()
}

/// Holds if there is surely more of it on average over content types, and surely less of it for none.
fn more(said: &str, played: &Played, pair: [Entry; 2], measure: Measure) -> Claim {
    let gains = TYPES.map(|class| (class, played.gain(pair, class, measure)));
    let lost = gains.iter().any(|(_, gain)| gain.is_some_and(|gain| ends(gain)[1] < 0.0));
    let mean = played.mean_gain(pair, measure);
    let words = gains.iter().filter_map(|(class, gain)| Some(format!("{class} {}", points((*gain)?))));
    let mean_words = mean.map_or_else(|| "no mean".to_owned(), |mean| format!("mean {}", points(mean)));
    let because = format!("{mean_words}; {}", words.collect::<Vec<_>>().join(", "));
    Claim::new(said, !lost && mean.is_some_and(|mean| ends(mean)[0] > 0.0), because)
}

/// Where it surely lies; where nobody knows that, the mean itself.
fn ends(of: Estimate) -> [f64; 2] {
    of.ci95.unwrap_or([of.mean; 2])
}

fn points(of: Estimate) -> String {
    let around = of.ci95.map_or_else(String::new, |[low, high]| format!(" ± {:.1}", 50.0 * (high - low)));
    format!("{:+.1}{around} points", 100.0 * of.mean)
}

fn floor(played: &Played, place: &str, floors: [f64; 2]) -> Claim {
    let lowest = |measure: Measure| {
        let all = Entry::RULES.into_iter().flat_map(|entry| {
            let of = move |class: ContentType| {
                let rounds = (0..ROUNDS).filter_map(move |round| played.of(entry, class, round, measure));
                rounds.map(move |of| (of.mean, class, entry)).collect::<Vec<_>>()
            };
            TYPES.into_iter().flat_map(of)
        });
        all.min_by(|one, other| one.0.total_cmp(&other.0))
    };
    let [precision, recall] = BOTH.map(lowest);
    let words = |low: Option<(f64, ContentType, Entry)>| {
        low.map_or_else(String::new, |(value, class, entry)| {
            format!("{class} at {}: {:.1} %", entry.threshold(), 100.0 * value)
        })
    };
    let above = |low: Option<(f64, _, _)>, floor: f64| low.is_some_and(|low| low.0 > floor);
    Claim::new(
        floor_words(place, floors),
        above(precision, floors[0]) && above(recall, floors[1]),
        format!("lowest media precision {}; lowest media recall {}", words(precision), words(recall)),
    )
}

fn goals(played: &Played) -> Vec<Claim> {
    let loose = Entry::RULES[0];
    let streams =
        more("frequent patterns of a stream do even better than the classifier", played, [loose, Entry::STREAM], F1);
    let beats = |other: Entry| {
        let gains = TYPES.map(|class| (class, played.gain([other, Entry::OURS], class, F1)));
        let words = gains.iter().filter_map(|(class, gain)| Some(format!("{class} {}", points((*gain)?))));
        let because = words.collect::<Vec<_>>().join(", ");
        let met = gains.iter().all(|(_, gain)| gain.is_none_or(|gain| gain.mean >= 0.0));
        Claim::goal(
            format!("ours is at least as good as {} for every content type (F1 at 0.5)", other.name()),
            met,
            because,
        )
    };
    vec![streams, beats(loose), beats(Entry::STREAM)]
}
