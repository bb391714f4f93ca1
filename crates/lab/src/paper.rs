//! The experiments of a paper again, with its claims checked against what comes out.

mod decay;
mod growth;
mod media;
mod near;
mod part;
mod patterns;
mod sharc;

use crate::{Folder, LabProgress, ResultFiles, Results, usage};
use part::Part;
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    Sharc,
    Patterns,
    Near,
    Decay,
    Media,
}

/// What a paper's experiments are made of; each has its own numbers where none are given.
#[derive(Clone, Debug)]
pub struct PaperConfig {
    pub paper: Paper,
    /// Recorded histories for the figures that need a real site.
    pub histories: Vec<PathBuf>,
    /// Recorded sources.
    pub objects: Vec<PathBuf>,
    /// Labelled URLs, and some of other domains.
    pub train: Option<PathBuf>,
    pub test: Option<PathBuf>,
    /// Pages of made-up sites, or objects of made-up sources.
    pub pages: Option<u32>,
    pub seeds: Option<u64>,
    pub days: Option<u32>,
    pub run_seed: u64,
}

/// Sites larger than this would take some papers' experiments, and the exact oracles beside them, too long.
const PAGES_MAX: u32 = 1100;

/// Every figure and table of a paper.
#[derive(Debug)]
pub struct PaperResults {
    title: &'static str,
    parts: Vec<Part>,
}

impl PaperConfig {
    /// Whether the experiments can be run at all.
    pub fn check(&self) -> anyhow::Result<()> {
        if self.paper != Paper::Media && self.pages.is_some_and(|pages| pages > PAGES_MAX) {
            return Err(usage(format!("{PAGES_MAX} pages are the most for this paper"), "say less with --pages"));
        }
        Ok(())
    }
}

/// Runs all experiments of a paper.
pub fn run(config: &PaperConfig, progress: &dyn LabProgress) -> anyhow::Result<PaperResults> {
    config.check()?;
    let (title, parts) = match config.paper {
        Paper::Sharc => (sharc::TITLE, sharc::parts(config, progress)?),
        Paper::Patterns => (patterns::TITLE, patterns::parts(config, progress)?),
        Paper::Near => (near::TITLE, near::parts(config, progress)?),
        Paper::Decay => (decay::TITLE, decay::parts(config, progress)?),
        Paper::Media => (media::TITLE, media::parts(config, progress)?),
    };
    Ok(PaperResults { title, parts })
}

impl Results for PaperResults {
    fn json(&self) -> String {
        part::json(self.title, &self.parts).to_string()
    }

    fn text(&self) -> String {
        part::summary(&self.parts)
    }
}

impl ResultFiles for PaperResults {
    fn fill(&self, folder: &mut Folder, command: &str) -> anyhow::Result<()> {
        for part in &self.parts {
            part.write(folder)?;
        }
        folder.put("index.md", part::index(self.title, &self.parts, command).as_bytes())
    }
}
