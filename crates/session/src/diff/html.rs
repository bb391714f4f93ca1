//! A difference as one HTML file: beside each other or in one column, without scripts, everything in it.
//!
//! Every word of it comes from the web: all is escaped, and a policy forbids the file to load or run anything.

use super::PageDiff;
use crate::feed::ArchivedVersion;
use std::fmt::Write;
use tintype_observe::page::{DiffRow, RowKind, WordRun};
use tintype_vocab::{amount::counted, plain::escaped};

/// Of a block that moved, where it stood, so many characters are quoted.
const LEFT_MAX: usize = 160;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:1200px;padding:1rem;color:#1a1a1a;background:#fff}\
h1{font-size:1.2rem;overflow-wrap:anywhere}table{border-collapse:collapse;width:100%;table-layout:fixed}\
td{vertical-align:top;padding:.35rem .6rem;border-top:1px solid #e3e3e3;overflow-wrap:anywhere;white-space:pre-wrap}\
td.old{border-left:4px solid transparent}td.new{border-left:4px solid transparent}\
tr.deleted td.old,tr.changed td.old{background:#fff1f0;border-color:#b3261e}\
tr.inserted td.new,tr.changed td.new{background:#eefaf0;border-color:#1b6e2d}\
tr.moved td{border-left:4px solid #5b4b9a}del{background:#ffc9c4;color:#6b0f09;text-decoration:line-through}\
ins{background:#b9ecc3;color:#0b4a19;text-decoration:none}.tag{font-size:.8rem;color:#5b4b9a;font-weight:600;display:block}\
.url{font:.8rem ui-monospace,monospace;display:block}details{border-top:1px solid #e3e3e3;padding:.35rem .6rem}\
summary{color:#595959;cursor:pointer}.facts td{border:1px solid #e3e3e3}input[type=radio]{margin-left:1rem}\
.one{display:none}#inline:checked~.one{display:block}#inline:checked~.two{display:none}\
@media(prefers-color-scheme:dark){body{background:#161616;color:#eee}td,details{border-color:#3a3a3a}\
tr.deleted td.old,tr.changed td.old{background:#3a1512}tr.inserted td.new,tr.changed td.new{background:#10301a}\
del{background:#7a231c;color:#ffe3e0}ins{background:#1e6b34;color:#e2ffe9}summary{color:#b5b5b5}.tag{color:#b9a8ff}a{color:#8ab4f8}}";

/// The whole file.
pub fn diff_html(diff: &PageDiff) -> String {
    let url = escaped(&diff.url);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"><meta name=\"viewport\" content=\"width=device-width\"><title>{url}: what changed</title><style>{STYLE}</style></head><body>\n<h1>{url}</h1>\n"
    );
    write_head(diff, &mut out).expect("strings grow");
    out += "<input type=\"radio\" name=\"view\" id=\"side\" checked><label for=\"side\"> side by side</label><input type=\"radio\" name=\"view\" id=\"inline\"><label for=\"inline\"> in one column</label>\n";
    for (class, columns) in [("two", 2), ("one", 1)] {
        writeln!(out, "<div class=\"{class}\">").expect("strings grow");
        out += &rows_html(&diff.rows, columns, usize::MAX);
        out += "</div>\n";
    }
    out + "</body></html>\n"
}

/// Rows as tables of one column or two. What is the same is folded, and only counted in runs longer than `same_max`. Where a
/// block stood that moved is the way to where it is now, and back.
pub fn rows_html(rows: &[DiffRow], columns: usize, same_max: usize) -> String {
    let (mut out, placed) = (String::new(), placed(rows));
    for run in placed.chunk_by(|one, two| one.is_same() == two.is_same()) {
        match run[0].is_same() && run.len() > same_max {
            true => writeln!(out, "<p class=\"soft\">{} the same</p>", counted(run.len() as u64, "block")),
            false => write_run(run, columns, &mut out),
        }
        .expect("strings grow");
    }
    out
}

/// Rows as one table of two columns, none of them folded.
pub fn lines_html(rows: &[DiffRow]) -> String {
    let mut out = "<table>".to_owned();
    rows.iter().try_for_each(|row| write_row(&Placed::Row(row, None), 2, &mut out)).expect("strings grow");
    out + "</table>\n"
}

/// A row where it is shown.
enum Placed<'r> {
    /// With its number among those that moved.
    Row(&'r DiffRow, Option<usize>),
    /// A block stood here that moved, by the same number.
    Left(&'r DiffRow, usize),
}

impl Placed<'_> {
    fn is_same(&self) -> bool {
        matches!(self, Placed::Row(row, _) if row.is_same())
    }
}

/// All rows, and the places of those that moved: before the first that stood behind them and stayed.
fn placed(rows: &[DiffRow]) -> Vec<Placed<'_>> {
    let moved: Vec<(&DiffRow, u32)> =
        rows.iter().filter(|row| row.moved).filter_map(|row| Some((row, row.old?))).collect();
    let mut left: Vec<(u32, usize)> = moved.iter().enumerate().map(|(number, (_, old))| (*old, number)).collect();
    left.sort_unstable();
    let (mut left, mut numbers, mut all) = (left.into_iter().peekable(), 0.., Vec::with_capacity(rows.len()));
    for row in rows {
        if let Some(old) = row.old.filter(|_| !row.moved) {
            while let Some((_, number)) = left.next_if(|(stood, _)| *stood < old) {
                all.push(Placed::Left(moved[number].0, number));
            }
        }
        let number = row.old.filter(|_| row.moved).and_then(|_| numbers.next());
        all.push(Placed::Row(row, number));
    }
    all.extend(left.map(|(_, number)| Placed::Left(moved[number].0, number)));
    all
}

fn write_head(diff: &PageDiff, out: &mut String) -> std::fmt::Result {
    for (name, version) in [("Before", &diff.before), ("After", &diff.after)] {
        writeln!(out, "<p>{name}: {}</p>", version_html(version))?;
    }
    let counts = diff.counts;
    writeln!(
        out,
        "<p>Importance {:.3}. Blocks: {} changed, {} new, {} gone, {} moved, {} the same.</p>",
        diff.importance, counts.changed, counts.inserted, counts.deleted, counts.moved, counts.same
    )?;
    if diff.skipped > 0 {
        writeln!(out, "<p>{} between the two are passed over.</p>", counted(diff.skipped as u64, "version"))?;
    }
    if !diff.facts.is_empty() {
        writeln!(out, "<table class=\"facts\">")?;
        for fact in &diff.facts {
            let [before, after] = [&fact.before, &fact.after].map(|text| escaped(text));
            writeln!(out, "<tr><td>{}</td><td><del>{before}</del></td><td><ins>{after}</ins></td></tr>", fact.kind)?;
        }
        writeln!(out, "</table>")?;
    }
    diff.note.iter().try_for_each(|note| writeln!(out, "<p>{}</p>", escaped(note)))
}

fn version_html(version: &ArchivedVersion) -> String {
    let [memento, archived] = [&version.memento, &version.archived].map(|text| escaped(text));
    let place = match (&version.file, version.offset) {
        (Some(file), Some(offset)) => format!("; {} at byte {offset}", escaped(file)),
        _ => String::new(),
    };
    let record = version.record.as_ref().map_or(String::new(), |id| format!(", record {}", escaped(id)));
    // An address that is none of the web is shown and leads nowhere.
    match version.memento.starts_with("http://") || version.memento.starts_with("https://") {
        true => format!("<a rel=\"noreferrer\" href=\"{memento}\">{archived}</a>{place}{record}"),
        false => format!("{archived} {memento}{place}{record}"),
    }
}

fn write_run(rows: &[Placed<'_>], columns: usize, out: &mut String) -> std::fmt::Result {
    let is_same = rows[0].is_same();
    if is_same {
        writeln!(out, "<details><summary>{} the same</summary>", counted(rows.len() as u64, "block"))?;
    }
    writeln!(out, "<table>")?;
    rows.iter().try_for_each(|row| write_row(row, columns, out))?;
    writeln!(out, "</table>{}", if is_same { "</details>" } else { "" })
}

fn write_row(placed: &Placed<'_>, columns: usize, out: &mut String) -> std::fmt::Result {
    let (row, number) = match placed {
        Placed::Row(row, number) => (row, number),
        Placed::Left(row, number) => return write_left(row, *number, columns, out),
    };
    let class = match row.kind {
        RowKind::Same => "same",
        RowKind::Changed => "changed",
        RowKind::Inserted => "inserted",
        RowKind::Deleted => "deleted",
    };
    let moved = if row.moved { " moved" } else { "" };
    // Both forms of a difference may stand in one file.
    let id = number.map_or(String::new(), |number| format!(" id=\"moved-{columns}-{number}\""));
    let tag = match number {
        Some(number) => format!("<span class=\"tag\">moved <a href=\"#left-{columns}-{number}\">from here</a></span>"),
        None if row.moved => "<span class=\"tag\">moved</span>".to_owned(),
        None => String::new(),
    };
    let old = cell(&row.before, "del", &row.references_removed);
    let new = cell(&row.after, "ins", &row.references_inserted);
    match columns {
        2 => writeln!(
            out,
            "<tr class=\"{class}{moved}\"{id}><td class=\"old\">{old}</td><td class=\"new\">{tag}{new}</td></tr>"
        ),
        _ if row.kind == RowKind::Same => writeln!(out, "<tr class=\"{class}{moved}\"{id}><td>{tag}{new}</td></tr>"),
        _ => {
            let shown = [("old", old), ("new", new)].into_iter().filter(|(_, text)| !text.is_empty());
            for (nth, (side, text)) in shown.enumerate() {
                let id = if nth == 0 { id.as_str() } else { "" };
                writeln!(out, "<tr class=\"{class}{moved}\"{id}><td class=\"{side}\">{tag}{text}</td></tr>")?;
            }
            Ok(())
        }
    }
}

/// Where a block stood that moved.
fn write_left(row: &DiffRow, number: usize, columns: usize, out: &mut String) -> std::fmt::Result {
    let words = row.before.iter().map(|run| run.text.as_str()).collect::<Vec<_>>().join(" ");
    let text = match words.char_indices().nth(LEFT_MAX) {
        Some((end, _)) => format!("{}…", escaped(&words[..end])),
        None => escaped(&words),
    };
    let tag = format!("<span class=\"tag\">moved <a href=\"#moved-{columns}-{number}\">to here</a></span>");
    let empty = if columns == 2 { "<td class=\"new\"></td>" } else { "" };
    writeln!(
        out,
        "<tr class=\"left moved\" id=\"left-{columns}-{number}\"><td class=\"old\">{tag}{text}</td>{empty}</tr>"
    )
}

fn cell(runs: &[WordRun], tag: &str, urls: &[String]) -> String {
    let run = |run: &WordRun| match run.is_marked {
        true => format!("<{tag}>{}</{tag}>", escaped(&run.text)),
        false => escaped(&run.text),
    };
    let words = runs.iter().map(run).collect::<Vec<_>>().join(" ");
    let links = urls.iter().map(|url| format!("<span class=\"url\"><{tag}>{}</{tag}></span>", escaped(url)));
    words + &links.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_observe::page::Role;

    fn row(old: Option<u32>, new: Option<u32>, moved: bool, text: &str) -> DiffRow {
        let runs =
            |of: Option<u32>| of.map(|_| WordRun { text: text.to_owned(), is_marked: false }).into_iter().collect();
        let kind = match (old, new) {
            (Some(_), Some(_)) => RowKind::Same,
            (None, _) => RowKind::Inserted,
            _ => RowKind::Deleted,
        };
        let (before, after) = (runs(old), runs(new));
        DiffRow {
            kind,
            moved,
            role: Role::Text,
            old,
            new,
            before,
            after,
            references_removed: Vec::new(),
            references_inserted: Vec::new(),
        }
    }

    #[test]
    fn a_block_that_moved_is_joined_with_the_place_where_it_stood() {
        let rows = [
            row(Some(1), Some(0), false, "one"),
            row(None, Some(1), false, "new"),
            row(Some(2), Some(2), false, "two"),
            row(Some(0), Some(3), true, "a <wanderer>"),
        ];
        let html = rows_html(&rows, 2, 10);
        let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text} in {html}"));
        assert!(at("id=\"left-2-0\"") < at("one") && at("two") < at("id=\"moved-2-0\""), "{html}");
        assert!(at("href=\"#moved-2-0\"") < at("href=\"#left-2-0\""), "each leads to the other: {html}");
        assert_eq!(html.matches("a &lt;wanderer&gt;").count(), 3, "{html}");
        assert!(!lines_html(&rows).contains("left-2"), "lines of a source stay where they are");
    }
}
