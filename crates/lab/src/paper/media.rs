//! Umbrich, Karnstedt and Harth, “Fast and Scalable Pattern Mining for Media-Type Focused Crawling”, KDML 2009.

mod figure_5;
mod figure_6;
mod folds;
mod players;
mod printed;
mod recorded;
mod rounds;
mod table_2;

use super::{PaperConfig, part::Part};
use crate::{
    LabProgress,
    media::labelled::{Names, Text},
    media::rows,
};
use rounds::Played;
use std::{fmt::Write, path::Path};
use tintype_world::media::{REGISTRY, WebConfig};

pub(super) const TITLE: &str = "Fast and Scalable Pattern Mining for Media-Type Focused Crawling (KDML 2009), again";

pub(super) const PAGES: u32 = 10_000;
pub(super) const SEEDS: u64 = 5;
/// Content types are told apart as `lab media` does if nothing is said: synonyms are one, fonts are applications.
const NAMES: Names = Names::Folded;

pub(super) fn parts(config: &PaperConfig, progress: &dyn LabProgress) -> anyhow::Result<Vec<Part>> {
    let pages = config.pages.unwrap_or(PAGES) as usize;
    let seeds = config.seeds.unwrap_or(SEEDS);
    let now = |what: &str| progress.now(what);
    now("reading the URLs");
    let (train, test) = (config.train.as_deref(), config.test.as_deref());
    let text = train.map_or_else(|| Ok(made_up(pages)), Text::read)?;
    let urls = rows(&text, train.unwrap_or(Path::new("what was made up")), NAMES, progress)?;
    let other = test.map(|path| anyhow::Ok((path, Text::read(path)?))).transpose()?;
    let unseen = other.as_ref().map(|(path, text)| rows(text, path, NAMES, progress)).transpose()?;
    now("Table 2");
    let by_lot = Played::new(&urls, None, seeds, config.run_seed)?;
    let mut parts = table_2::parts(&by_lot, train);
    parts.push(table_2::printed());
    if let Some(unseen) = &unseen {
        let played = Played::new(&urls, Some(unseen), seeds, config.run_seed)?;
        parts.extend(table_2::parts_unseen(&played, test));
    }
    now("Figure 5");
    parts.push(figure_5::part(&urls));
    now("Figure 6");
    parts.extend(figure_6::parts(pages, seeds)?);
    for history in &config.histories {
        parts.push(recorded::part(history)?);
    }
    Ok(parts)
}

/// Every URL of every made-up web, with what is behind it.
fn made_up(pages: usize) -> Text {
    let mut text = String::new();
    for registered in REGISTRY {
        for page in (registered.make)(&WebConfig { seed: 1, pages }).pages() {
            let _ = writeln!(text, "{}\t{}\t{}", page.url, page.media_type, registered.name);
        }
    }
    Text::of(text)
}
