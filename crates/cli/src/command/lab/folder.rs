//! A directory of results: pictures to look at, tables to compute with.

use super::table::Table;
use anyhow::Context;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tintype_picture::Picture;

/// A directory that is being filled.
pub(crate) struct Folder {
    path: PathBuf,
    /// Names without endings, in the order they were written.
    pub(crate) written: Vec<String>,
}

impl Folder {
    pub(crate) fn make(path: &Path) -> anyhow::Result<Folder> {
        fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Folder { path: path.to_owned(), written: Vec::new() })
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.path.join(name);
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The same picture as SVG and PNG.
    pub(crate) fn picture(&mut self, name: &str, picture: &Picture) -> anyhow::Result<()> {
        self.put(&format!("{name}.svg"), picture.svg().as_bytes())?;
        self.put(&format!("{name}.png"), &picture.png())?;
        self.note(name);
        Ok(())
    }

    /// The same table as CSV and, under a heading, as Markdown.
    pub(in crate::command::lab) fn table(&mut self, name: &str, heading: &str, table: &Table) -> anyhow::Result<()> {
        self.put(&format!("{name}.csv"), table.csv().as_bytes())?;
        self.put(&format!("{name}.md"), format!("# {heading}\n\n{}", table.markdown()).as_bytes())?;
        self.note(name);
        Ok(())
    }

    fn note(&mut self, name: &str) {
        if !self.written.iter().any(|known| known == name) {
            self.written.push(name.to_owned());
        }
    }

    /// What was written, in a line.
    pub(crate) fn line(&self) -> String {
        format!("Wrote {} (CSV, Markdown, SVG, PNG) to {}", self.written.join(", "), self.path.display())
    }
}

/// What was typed, ready to be typed again.
pub(crate) fn command() -> String {
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
