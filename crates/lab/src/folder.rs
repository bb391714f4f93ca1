//! A directory of results: pictures to look at, tables to compute with.

use crate::table::Table;
use anyhow::Context;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tintype_picture::Picture;

/// A directory that is being filled.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Names without endings, in the order they were written.
    pub written: Vec<String>,
}

impl Folder {
    pub fn make(path: &Path) -> anyhow::Result<Folder> {
        fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Folder { path: path.to_owned(), written: Vec::new() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn put(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.path.join(name);
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The same picture as SVG and PNG.
    pub fn picture(&mut self, name: &str, picture: &Picture) -> anyhow::Result<()> {
        self.put(&format!("{name}.svg"), picture.svg().as_bytes())?;
        self.put(&format!("{name}.png"), &picture.png())?;
        self.note(name);
        Ok(())
    }

    /// The same table as CSV and, under a heading, as Markdown.
    pub(crate) fn table(&mut self, name: &str, heading: &str, table: &Table) -> anyhow::Result<()> {
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
    pub fn line(&self) -> String {
        format!("Wrote {} (CSV, Markdown, SVG, PNG) to {}", self.written.join(", "), self.path.display())
    }
}
