//! What a capture skipped, by which rule, and what that cost: as expected when it ended, and as later captures found out.

use crate::{
    amount::counted,
    plain::{escaped, printable},
    skipped,
};
use serde::Serialize;
use std::{borrow::Cow, collections::HashMap, fmt::Write};
use tintype_archive::{CaptureInfo, Reading};
use tintype_learn::directory::{DirectoryShape, place};
use tintype_plan::{Skipped, SkippedDirectory};
use tintype_quality::{PartlySkipped, RealisedBypass, SkipAudit, SkipAuditResult, VisitedWhen};
use tintype_vocab::Entry;

/// Directories named for people; `--json` has all of them.
const LISTED: usize = 10;
/// Longer names do not move the column after them.
const WIDE: usize = 48;
const UNKNOWN_YET: &str = "not known until a capture visits them";

/// All there is to say about it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Skipping {
    pages: u64,
    single_pages: u64,
    expected_lost: f64,
    /// Nine times out of ten; nothing from earlier versions.
    lost_between: Option<[u64; 2]>,
    expected_changes: f64,
    /// Looked at by lot.
    drawn: u64,
    directories: Vec<Row>,
    /// Where the single pages are.
    in_part: Vec<PartlySkipped>,
    /// Nothing until a later capture visits some of the pages.
    realised: Option<RealisedBypass>,
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
        let site = &capture.head.site;
        let SkipAuditResult { realised, lost, mut in_part } = reckon(reading, capture)?;
        let realised = Some(realised).filter(|realised| realised.visited_since > 0);
        let lost = realised.as_ref().map(|_| by_directory(&said, lost.iter().map(|url| place(url, site))));
        for part in &mut in_part {
            part.directory = place(&part.directory, site).into_owned();
            part.directory.truncate(part.directory.trim_end_matches('/').len().max(1));
        }
        let sentences = [skipped::what(&said, captured), skipped::expected_loss(&said)];
        let row = |(nth, said): (usize, SkippedDirectory)| Row { said, lost: lost.as_ref().map(|lost| lost[nth]) };
        Ok(Some(Skipping {
            pages: said.pages,
            single_pages: said.single_pages,
            expected_lost: said.expected_lost,
            lost_between: said.lost_between,
            expected_changes: said.expected_changes,
            drawn: said.drawn,
            directories: said.directories.into_iter().enumerate().map(row).collect(),
            in_part,
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
        let whole = self.directories.iter().map(|row| {
            let [directory, pages, rule, expected, lost] = row.cells();
            let lost = if lost.is_empty() { lost } else { format!(", {lost} lost") };
            (directory, format!("{pages}, {expected} changes expected{lost}: {rule}"))
        });
        let in_part = self.in_part.iter().map(|part| (part.directory.clone(), part_words(part)));
        let mut text = String::new();
        list(&mut text, "directories that were skipped", whole);
        list(&mut text, "directories of which some pages were not asked for", in_part);
        text
    }

    /// The same as tables of a page.
    pub(super) fn html(&self) -> String {
        let whole = self.directories.iter().map(|row| row.cells().to_vec());
        let in_part = self.in_part.iter().map(|part| vec![part.directory.clone(), part_words(part)]);
        let columns = ["directory", "pages", "why", "changes expected", "lost"];
        let mut text = String::new();
        table(&mut text, "Directories that were skipped", &columns, whole);
        table(&mut text, "Directories of which some pages were not asked for", &["directory", "pages"], in_part);
        text
    }
}

fn list(text: &mut String, title: &str, lines: impl ExactSizeIterator<Item = (String, String)>) {
    let more = lines.len().saturating_sub(LISTED);
    let lines: Vec<_> = lines.take(LISTED).collect();
    let widths = lines.iter().map(|(directory, _)| directory.chars().count());
    let width = widths.filter(|width| *width <= WIDE).max().unwrap_or(0);
    for (nth, (directory, said)) in lines.iter().enumerate() {
        let title = if nth == 0 { format!("  {title}\n") } else { String::new() };
        writeln!(text, "{title}    {}", printable(&format!("{directory:<width$}  {said}"))).expect("strings grow");
    }
    if more > 0 {
        writeln!(text, "    and {more} more; --json lists all").expect("strings grow");
    }
}

fn table(text: &mut String, title: &str, columns: &[&str], rows: impl ExactSizeIterator<Item = Vec<String>>) {
    if rows.len() == 0 {
        return;
    }
    let row = |tag, cells: &mut dyn Iterator<Item = String>| {
        let cells: String = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(&cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    writeln!(text, "<h2>{title}</h2>\n<table>").expect("strings grow");
    text.push_str(&row("th", &mut columns.iter().map(|name| name.to_string())));
    text.extend(rows.map(|cells| row("td", &mut cells.into_iter())));
    text.push_str("</table>\n");
}

impl Row {
    /// Directory, pages, rule, expected loss, realised loss.
    fn cells(&self) -> [String; 5] {
        let said = &self.said;
        let rule = said.rule.clone().unwrap_or_else(|| "unlikely to have changed".to_owned());
        let lost = self.lost.map_or(String::new(), |lost| lost.to_string());
        [said.directory.clone(), counted(said.pages, "page"), rule, skipped::changes(said.expected_lost), lost]
    }
}

fn part_words(part: &PartlySkipped) -> String {
    format!("{} of {}", part.skipped, counted(part.skipped + part.asked, "page"))
}

fn told(realised: &RealisedBypass) -> [String; 2] {
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
fn reckon(reading: &Reading, capture: &CaptureInfo) -> anyhow::Result<SkipAuditResult> {
    let captures = reading.captures_of(&capture.head.site)?;
    let own = captures.iter().position(|other| other.id == capture.id).unwrap_or(captures.len());
    let mut audit = SkipAudit::default();
    for (nth, other) in captures.iter().enumerate() {
        let when = match nth {
            before if before < own => VisitedWhen::Before,
            then if then == own => VisitedWhen::Then,
            after => VisitedWhen::After(after - own - 1),
        };
        for entry in reading.entries(&other.id)? {
            if let Entry::Observation(seen) = entry? {
                audit.observe(when, &seen);
            }
        }
    }
    Ok(audit.finish())
}

/// How many of the pages that were lost lie in each directory, the nearest one above them.
fn by_directory<'a>(said: &Skipped, lost: impl Iterator<Item = Cow<'a, str>>) -> Vec<u64> {
    let rows: HashMap<&str, usize> =
        said.directories.iter().enumerate().map(|(nth, row)| (row.directory.as_str(), nth)).collect();
    let (mut counts, mut shape) = (vec![0; said.directories.len()], DirectoryShape::default());
    for path in lost {
        let Some(page) = shape.page(&path) else { continue };
        let mut above = shape.ancestors(shape.directory_of(page)).map(|directory| shape.path(directory));
        if let Some(nth) = above.find_map(|path| rows.get(path.as_str()).copied()) {
            counts[nth] += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_counted_in_the_nearest_directory_that_was_skipped() {
        let row = |directory: &str| SkippedDirectory {
            directory: directory.to_owned(),
            pages: 9,
            expected_lost: 0.1,
            rule: None,
        };
        let directories = ["/old", "/old/list?", "/cdn.example.org/img"].map(row).to_vec();
        let said = Skipped { directories, ..Skipped::default() };
        let lost = [
            "http://www.e.com/old/a/b",
            "https://e.com/old/list?page=2&sort=up",
            "https://cdn.example.org/img/1.png",
            "http://e.com/older",
        ];
        assert_eq!(by_directory(&said, lost.iter().map(|url| place(url, "e.com"))), [1, 1, 1]);
    }
}
