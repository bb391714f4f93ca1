//! A difference for a terminal or a file.

use super::PageDiff;
use std::fmt::Write;
use tintype_observe::page::{DiffRow, RowKind, WordRun};
use tintype_vocab::{amount::counted, plain::printable};

/// All that differs, with every word of it; what is the same is counted. `paint` colours what went (`-`) and came (`+`).
pub fn diff_text(diff: &PageDiff, paint: &dyn Fn(char, &str) -> String) -> String {
    let mut out = String::new();
    write_diff(diff, paint, &mut out).expect("strings grow");
    out
}

fn write_diff(diff: &PageDiff, paint: &dyn Fn(char, &str) -> String, out: &mut String) -> std::fmt::Result {
    writeln!(out, "{}", printable(&diff.url))?;
    for (sign, version) in [('-', &diff.before), ('+', &diff.after)] {
        writeln!(out, "{sign} {}  {}", version.archived, printable(&version.memento))?;
        if let (Some(file), Some(offset)) = (&version.file, version.offset) {
            writeln!(
                out,
                "  {} at byte {offset}, {}",
                printable(file),
                version.record.as_deref().unwrap_or("no record id")
            )?;
        }
    }
    if diff.skipped > 0 {
        writeln!(out, "{} between the two are passed over", counted(diff.skipped as u64, "version"))?;
    }
    for fact in &diff.facts {
        writeln!(
            out,
            "{}: {} {}",
            fact.kind,
            paint('-', &printable(&fact.before)),
            paint('+', &printable(&fact.after))
        )?;
    }
    let counts = diff.counts;
    writeln!(
        out,
        "importance {:.3}; {} changed, {} new, {} gone, {} moved, {} the same",
        diff.importance, counts.changed, counts.inserted, counts.deleted, counts.moved, counts.same
    )?;
    let mut folded = 0;
    for row in &diff.rows {
        if row.is_same() {
            folded += 1;
            continue;
        }
        write_folded(&mut folded, out)?;
        write_row(row, paint, out)?;
    }
    write_folded(&mut folded, out)?;
    diff.note.iter().try_for_each(|note| writeln!(out, "{note}"))
}

fn write_folded(folded: &mut usize, out: &mut String) -> std::fmt::Result {
    match std::mem::take(folded) {
        0 => Ok(()),
        count => writeln!(out, "  … {} the same", counted(count as u64, "block")),
    }
}

fn write_row(row: &DiffRow, paint: &dyn Fn(char, &str) -> String, out: &mut String) -> std::fmt::Result {
    if row.moved {
        writeln!(out, "~ moved here from block {}", row.old.unwrap_or_default())?;
    }
    if row.moved && row.kind == RowKind::Same {
        return writeln!(out, "    {}", words(&row.after, paint, ' '));
    }
    for (sign, runs) in [('-', &row.before), ('+', &row.after)] {
        if !runs.is_empty() && (row.kind != RowKind::Changed || runs.iter().any(|run| run.is_marked)) {
            writeln!(out, "{sign} {}", words(runs, paint, sign))?;
        }
    }
    for (sign, urls) in [('-', &row.references_removed), ('+', &row.references_inserted)] {
        urls.iter().try_for_each(|url| writeln!(out, "{sign}   → {}", paint(sign, &printable(url))))?;
    }
    Ok(())
}

/// Marked words stand in brackets of their sign, so that they are told apart without colours as well.
fn words(runs: &[WordRun], paint: &dyn Fn(char, &str) -> String, sign: char) -> String {
    let word = |run: &WordRun| {
        let text = printable(&run.text);
        if run.is_marked { paint(sign, &format!("[{sign}{text}{sign}]")) } else { text }
    };
    runs.iter().map(word).collect::<Vec<_>>().join(" ")
}
