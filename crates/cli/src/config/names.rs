//! Names by which things are remembered: what is learned of a site or a source is kept under its name, so no two share one.

use super::{Config, SourceConfig};
use crate::{command::site_names, failure::usage};
use tintype_archive::{CaptureKind, Reading};

impl Config {
    /// Two sources of one name would be taken for one that changes.
    pub(super) fn names_are_unique(self) -> anyhow::Result<Config> {
        let mut names: Vec<&str> = self.source.iter().map(|source| source.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(anyhow::anyhow!("two sources are called {}; give one another name", pair[0])),
            None => Ok(self),
        }
    }

    /// Refuses a site that a run names as the file or the run itself names a source, and a source that is named as a site.
    pub(crate) fn names_differ(&self, sites: &[&str], sources: &[&SourceConfig]) -> anyhow::Result<()> {
        let known_sites: Vec<String> = self.site.iter().flat_map(site_names).collect();
        let is_site = |name: &str| sites.contains(&name) || known_sites.iter().any(|site| site == name);
        let is_source = |name: &str| self.source.iter().any(|source| source.name == name);
        let site = sites.iter().copied().find(|name| is_source(name));
        let source = sources.iter().map(|source| source.name.as_str()).find(|name| is_site(name));
        site.or(source).map_or(Ok(()), |name| Err(both(name)))
    }
}

/// Refuses a source that is named as a site of which there are captures, whether or not the file still has it.
pub(crate) fn is_no_captured_site(reading: &Reading, source: &SourceConfig) -> anyhow::Result<()> {
    let captures = reading.captures_of(&source.name)?;
    let is_site = |kind: CaptureKind| matches!(kind, CaptureKind::Capture | CaptureKind::Keep);
    match captures.iter().any(|info| is_site(info.head.kind)) {
        true => Err(both(&source.name)),
        false => Ok(()),
    }
}

fn both(name: &str) -> anyhow::Error {
    usage(
        format!("a site and a source are both called {name}"),
        "give the source another name, in tintype.toml or with --name",
    )
}

#[cfg(test)]
mod tests {
    use super::{super::FILE, *};
    use std::fs;

    #[test]
    fn two_sources_of_one_name_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let source = |place: &str| format!("[[source]]\nname = \"cars\"\nurl = \"{place}\"\nobjects = \"feed\"\n");
        fs::write(directory.path().join(FILE), source("http://a/") + &source("http://b/")).unwrap();
        let error = format!("{:#}", Config::read(directory.path()).unwrap_err());
        assert!(error.contains("two sources are called cars"), "{error}");
    }
}
