//! What a capture skipped, by which rule, and what that cost: as expected when it ended, and as later captures found out.

use super::realised::{Realised, Reckoning, When};
use crate::skipped::{Skipped, SkippedDirectory};
use crate::{
    amount::counted,
    plain::{escaped, printable},
    skipped,
};
use serde::Serialize;
use std::{collections::HashMap, fmt::Write};
use tintype_archive::{CaptureInfo, Reading};
use tintype_learn::directory::Shape;
use tintype_vocab::Entry;

/// Directories named for people; `--json` has all of them.
const LISTED: usize = 10;
const UNKNOWN_YET: &str = "not known until a capture visits them";

/// All there is to say about it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Skipping {
    pages: u64,
    single_pages: u64,
    expected_lost: f64,
    expected_changes: f64,
    directories: Vec<Row>,
    /// Nothing until a later capture visits some of the pages.
    realised: Option<Realised>,
    #[serde(skip)]
    sentences: [String; 2],
}

#[derive(Clone, Debug, Serialize)]
struct Row {
    #[serde(flatten)]
    said: SkippedDirectory,
    /// Changes in it that were lost, as far as that is known.
    lost: Option<u64>,
}

impl Skipping {
    /// What `capture` skipped, if it did; `captured` pages it has.
    pub(super) fn of(reading: &Reading, capture: &CaptureInfo, captured: u64) -> anyhow::Result<Option<Skipping>> {
        let said = capture.end.as_ref().and_then(|end| end.get("skipped")).cloned();
        let Some(said) = said.and_then(|said| serde_json::from_value::<Skipped>(said).ok()) else { return Ok(None) };
        if said.pages == 0 {
            return Ok(None);
        }
        let realised = Some(realised(reading, capture)?).filter(|realised| realised.visited_since > 0);
        let sentences = [skipped::what(&said, captured), skipped::expected_loss(&said)];
        let lost = realised.as_ref().map(|realised| by_directory(&said, &realised.lost));
        let row = |(nth, said): (usize, SkippedDirectory)| Row { said, lost: lost.as_ref().map(|lost| lost[nth]) };
        Ok(Some(Skipping {
            pages: said.pages,
            single_pages: said.single_pages,
            expected_lost: said.expected_lost,
            expected_changes: said.expected_changes,
            directories: said.directories.into_iter().enumerate().map(row).collect(),
            realised,
            sentences,
        }))
    }

    /// In rows of a label and a sentence.
    pub(super) fn rows(&self) -> Vec<(&'static str, String)> {
        let [what, expected] = self.sentences.clone();
        let mut rows = vec![("skipped", what), ("expected loss", expected)];
        match &self.realised {
            None => rows.push(("realised loss", UNKNOWN_YET.to_owned())),
            Some(realised) => rows.extend(told(realised).map(|sentence| ("realised loss", sentence))),
        }
        rows
    }

    /// The largest directories, one per line.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for row in self.directories.iter().take(LISTED) {
            let [directory, pages, rule, expected, lost] = row.cells().map(|cell| printable(&cell));
            let lost = if lost.is_empty() { lost } else { format!(", {lost} lost") };
            writeln!(text, "    {directory}  {pages}, {expected} changes expected{lost}: {rule}")
                .expect("strings grow");
        }
        if let Some(more @ 1..) = self.directories.len().checked_sub(LISTED) {
            writeln!(text, "    and {more} more; --json lists all").expect("strings grow");
        }
        match text.is_empty() {
            true => text,
            false => format!("  directories that were skipped\n{text}"),
        }
    }

    /// The same as a table of a page.
    pub(super) fn html(&self) -> String {
        let mut text = "<h2>Directories that were skipped</h2>\n<table>\n<tr><th>directory</th><th>pages</th>\
<th>why</th><th>changes expected</th><th>lost</th></tr>\n"
            .to_owned();
        for row in &self.directories {
            let [directory, pages, rule, expected, lost] = row.cells();
            let (directory, rule) = (escaped(&directory), escaped(&rule));
            writeln!(
                text,
                "<tr><td>{directory}</td><td class=\"number\">{pages}</td><td>{rule}</td>\
<td class=\"number\">{expected}</td><td class=\"number\">{lost}</td></tr>"
            )
            .expect("strings grow");
        }
        text + "</table>\n"
    }

    pub(super) fn names_directories(&self) -> bool {
        !self.directories.is_empty()
    }
}

impl Row {
    /// Directory, pages, rule, expected loss, realised loss.
    fn cells(&self) -> [String; 5] {
        let said = &self.said;
        let rule = said.rule.clone().unwrap_or_else(|| "too little was expected to have changed".to_owned());
        let lost = self.lost.map_or(String::new(), |lost| lost.to_string());
        [said.directory.clone(), counted(said.pages, "page"), rule, skipped::changes(said.expected_lost), lost]
    }
}

fn told(realised: &Realised) -> [String; 2] {
    let counted_all = &realised.bypass;
    let lost = [
        (counted_all.skipped_modifications, "changed"),
        (counted_all.skipped_deletions, "gone"),
        (counted_all.skipped_insertions, "perhaps new"),
    ];
    let lost = lost.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let lost = lost.collect::<Vec<_>>().join(", ");
    let lost = if lost.is_empty() { lost } else { format!(" ({lost})") };
    let since = match realised.visited_since == realised.skipped {
        true => "all skipped pages were visited since".to_owned(),
        false => format!("{} of {} skipped pages were visited since", realised.visited_since, realised.skipped),
    };
    [
        format!("{} of {}{lost}; {since}", counted_all.changes_lost(), counted(counted_all.changes, "change")),
        format!(
            "bypass ratio {:.3}, overall precision {:.3}, overall recall {:.3}, change recall {:.3}",
            realised.bypass_ratio, realised.overall_precision, realised.overall_recall, realised.change_recall
        ),
    ]
}

/// Reads all visits to the site, before and after.
fn realised(reading: &Reading, capture: &CaptureInfo) -> anyhow::Result<Realised> {
    let mut captures = reading.captures()?;
    captures.retain(|other| other.head.site == capture.head.site);
    let own = captures.iter().position(|other| other.id == capture.id).unwrap_or(captures.len());
    let mut reckoning = Reckoning::default();
    for (nth, other) in captures.iter().enumerate() {
        let when = match nth {
            before if before < own => When::Before,
            then if then == own => When::Then,
            after => When::After(after - own - 1),
        };
        for entry in reading.entries(&other.id)? {
            if let Entry::Observation(seen) = entry? {
                reckoning.hear(when, &seen);
            }
        }
    }
    Ok(reckoning.finish())
}

/// How many of the pages that were lost lie in each directory, the nearest one above them.
fn by_directory(said: &Skipped, lost: &[String]) -> Vec<u64> {
    let rows: HashMap<&str, usize> =
        said.directories.iter().enumerate().map(|(nth, row)| (row.directory.as_str(), nth)).collect();
    let (mut counts, mut shape) = (vec![0; said.directories.len()], Shape::default());
    for url in lost.iter().filter_map(|url| url::Url::parse(url).ok()) {
        let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
        let Some(page) = shape.page(path) else { continue };
        let above = shape.ancestors(shape.directory_of(page)).map(|directory| shape.path(directory));
        let row = above.filter_map(|path| rows.get(path.as_str()).copied()).next();
        if let Some(nth) = row {
            counts[nth] += 1;
        }
    }
    counts
}
