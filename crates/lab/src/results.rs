//! What every experiment ends with.

use crate::folder::Folder;
use std::path::Path;

/// What an experiment found out.
pub trait Results {
    /// The one object that other programs rely on.
    fn json(&self) -> String;

    /// Tables for people.
    fn text(&self) -> String;
}

/// Results that can also be written as tables and pictures.
pub trait ResultFiles: Results {
    /// Fills a directory with files that name the command they were made by.
    fn fill(&self, folder: &mut Folder, command: &str) -> anyhow::Result<()>;

    /// Makes the directory, fills it, and says in a line what it holds.
    fn write(&self, directory: &Path, command: &str) -> anyhow::Result<String> {
        let mut folder = Folder::make(directory)?;
        self.fill(&mut folder, command)?;
        Ok(folder.line())
    }
}
