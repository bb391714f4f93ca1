//! The listings of a collection: declared in its file, or imported.

use crate::config::Config;
use tintype_archive::Reading;
use tintype_session::listing::{CrawlHistory, imported_attributes, imported_sources};
use tintype_world::source::{Source, Unsound};

/// All of them by name, those that are declared first.
pub(crate) fn names(reading: &Reading, config: &Config) -> anyhow::Result<Vec<String>> {
    let mut names: Vec<String> = config.source.iter().map(|declared| declared.name.clone()).collect();
    let imported = imported_sources(reading)?.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>();
    names.extend(imported);
    Ok(names)
}

/// Every crawl of one.
pub(crate) fn history(reading: &Reading, config: &Config, name: &str) -> anyhow::Result<CrawlHistory> {
    let declared = config.source.iter().find(|declared| declared.name == name);
    let terms = declared.map(|declared| declared.terms()).transpose()?;
    Ok(CrawlHistory::of(reading, name, terms, attributes(reading, config, name)?)?)
}

/// What the attributes of its objects are called.
pub(crate) fn attributes(reading: &Reading, config: &Config, name: &str) -> anyhow::Result<Vec<String>> {
    Ok(match config.source.iter().find(|declared| declared.name == name) {
        Some(declared) => declared.way()?.attribute_names().map(str::to_owned).collect(),
        None => imported_attributes(reading, name)?,
    })
}

/// Its objects as a source that was looked at by every crawl; nothing before the first one.
pub(crate) fn as_source(history: &CrawlHistory) -> Option<Result<Source, Unsound>> {
    let looks = history.looks();
    (!looks.is_empty()).then(|| Source::new(history.attributes().to_vec(), history.lives(), looks))
}
