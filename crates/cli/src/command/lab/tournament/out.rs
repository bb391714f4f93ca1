//! Everything a tournament found out as files: pictures to look at, tables to compute with.

mod charts;
mod tables;

use super::{capture::Capture, results::Results};
use anyhow::Context;
use std::{fs, path::Path};

/// Writes all files into a directory and says so in a line.
pub(super) fn write(directory: &Path, results: &Results, capture: &Capture) -> anyhow::Result<String> {
    fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let pictures = [
        ("completeness-by-budget".to_owned(), charts::completeness_by_budget(results)),
        ("freshness-over-time".to_owned(), charts::freshness_over_time(results)),
        ("policies".to_owned(), charts::policies(results)),
        (format!("capture-{}", capture.policy), charts::organ_pipes(results, capture)),
    ];
    for (name, picture) in &pictures {
        put(directory, &format!("{name}.svg"), picture.svg().as_bytes())?;
        put(directory, &format!("{name}.png"), &picture.png())?;
    }
    put(directory, "results.csv", tables::results(results).as_bytes())?;
    put(directory, "budgets.csv", tables::budgets(results).as_bytes())?;
    put(directory, "results.md", tables::markdown(results, &command()).as_bytes())?;
    let names: Vec<String> = pictures.into_iter().map(|(name, _)| name).collect();
    Ok(format!(
        "Wrote {} (SVG and PNG), results.csv, budgets.csv and results.md to {}",
        names.join(", "),
        directory.display()
    ))
}

fn put(directory: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let path = directory.join(name);
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// What was typed, ready to be typed again.
fn command() -> String {
    let typed = std::env::args_os().skip(1).map(|argument| shell_quoted(&argument.to_string_lossy()));
    std::iter::once("tintype".to_owned()).chain(typed).collect::<Vec<_>>().join(" ")
}

fn shell_quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_typed() {
        assert_eq!(shell_quoted("--budget=30/day"), "--budget=30/day");
        assert_eq!(shell_quoted("a b"), "'a b'");
        assert_eq!(shell_quoted("it's"), r"'it'\''s'");
        assert_eq!(shell_quoted(""), "''");
    }
}
