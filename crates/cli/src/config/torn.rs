//! A `tintype.toml` whose end is missing, as a power cut leaves one that an older version or an editor was writing: its
//! whole sections count, and sites that they do not name are known from the captures.

use super::{Config, FILE, SiteConfig};
use crate::{amount::counted, out::mention};
use anyhow::Context;
use std::{
    path::{Path, PathBuf},
    sync::Once,
};
use tintype_archive::{CaptureKind, Collection, put_file};

/// Where the torn file is kept.
const KEPT: &str = "tintype.toml.torn";

/// Whether a text that cannot be followed lacks its end, rather than having been written so: it stops within a line,
/// within a list, or behind the name of a section.
pub(super) fn is_torn(text: &str) -> bool {
    let whole = text.trim_end();
    let within_line = !text.ends_with('\n') || text.contains('\0');
    let within_list = || {
        let error = toml::from_str::<toml::Table>(text).err();
        error.and_then(|error| error.span()).is_some_and(|span| span.end >= whole.len())
    };
    let behind_name = || whole.lines().next_back().is_some_and(|line| line.starts_with("[["));
    !text.is_empty() && (within_line || behind_name() || within_list())
}

/// The file is read several times in a run; it is spoken of once.
pub(super) fn warn_once(path: &Path, collection: &Path) {
    static WARNED: Once = Once::new();
    WARNED.call_once(|| {
        mention!(
            "warning: {} ends in the middle of a line; going on with its whole sections and the sites of the captures. \
             tintype repair -C {} writes it again",
            path.display(),
            collection.display()
        );
    });
}

/// Before a torn file is changed it is written again from what can be known of it, and kept.
pub(super) fn mend_first(collection: &Path) -> anyhow::Result<()> {
    if let Some(mended) = Config::mend(collection)? {
        mention!("repaired: {mended}");
    }
    Ok(())
}

/// What can be known of a file whose end is missing, and its text.
pub(super) fn recovered(collection: &Path, text: &str) -> (Config, String) {
    let (mut config, mut whole) = whole_sections(text);
    for site in captured_sites(collection) {
        if config.site.iter().any(|known| known.seeds.iter().any(|seed| site.seeds.contains(seed))) {
            continue;
        }
        let section = Config { site: vec![site.clone()], ..Config::default() };
        whole.push('\n');
        whole.push_str(&toml::to_string(&section).unwrap_or_default());
        config.site.push(site);
    }
    (config, whole)
}

/// The longest beginning that ends before a section and can be understood.
fn whole_sections(text: &str) -> (Config, String) {
    let mut end = text.len();
    while let Some(start) = text[..end].rfind("\n[[") {
        end = start;
        if let Ok(config) = toml::from_str(&text[..=end]) {
            return (config, text[..=end].to_owned());
        }
    }
    (Config::default(), super::HEAD.to_owned())
}

/// The sites that were captured, latest last. What cannot be read has none.
pub(crate) fn captured_sites(collection: &Path) -> Vec<SiteConfig> {
    let captures = Collection::read(collection).and_then(|reading| reading.captures()).unwrap_or_default();
    let sites = captures.into_iter().filter(|info| info.head.kind == CaptureKind::Capture);
    let mut seeds: Vec<Vec<String>> = sites.map(|info| info.head.seeds).collect();
    seeds.sort();
    seeds.dedup();
    seeds.into_iter().map(SiteConfig::new).collect()
}

impl Config {
    /// Writes a torn file again from what can be known of it, and keeps the torn one. Says what was done, if anything was.
    pub(crate) fn mend(collection: &Path) -> anyhow::Result<Option<String>> {
        let path = collection.join(FILE);
        let Some(text) = super::read_text(&path)? else { return Ok(None) };
        if toml::from_str::<Config>(&text).is_ok() || !is_torn(&text) {
            return Ok(None);
        }
        let (config, whole) = recovered(collection, &text);
        let kept = free_name(collection);
        let failed = || format!("cannot write {}", path.display());
        put_file(&kept, text.as_bytes()).with_context(failed)?;
        put_file(&path, whole.as_bytes()).with_context(failed)?;
        let sites = counted(config.site.len() as u64, "site");
        let sources = counted(config.source.len() as u64, "source");
        Ok(Some(format!(
            "wrote {FILE} again with {sites} and {sources} from its whole sections and the captures; see \
             what is missing in {}, where the torn file is kept",
            kept.display()
        )))
    }
}

fn free_name(collection: &Path) -> PathBuf {
    let name = |n: u32| collection.join(if n == 1 { KEPT.to_owned() } else { format!("{KEPT}-{n}") });
    (1..).map(name).find(|path| path.symlink_metadata().is_err()).expect("some number is free")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn who_adds_a_site_to_a_torn_file_loses_nothing_of_it() {
        let directory = tempfile::tempdir().unwrap();
        let torn =
            "budget = \"5/day\"\n\n[[site]]\nseeds = [\"http://1.example/\"]\n\n[[site]]\nseeds = [\"http://2.exam";
        for change in [0, 1] {
            fs::write(directory.path().join(FILE), torn).unwrap();
            match change {
                0 => {
                    Config::remember(directory.path(), &SiteConfig::new(vec!["http://3.example/".to_owned()])).unwrap()
                }
                _ => assert_eq!(Config::remove_sites(directory.path(), "1.example").unwrap(), 1),
            }
            let kept = free_name(directory.path()).to_string_lossy().into_owned();
            let kept = if kept.ends_with("-2") { KEPT.to_owned() } else { format!("{KEPT}-2") };
            assert_eq!(fs::read_to_string(directory.path().join(kept)).unwrap(), torn);
            assert_eq!(Config::read(directory.path()).unwrap().site.len(), 2 * (1 - change));
        }
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_whole_sections_and_the_torn_one_is_kept() {
        let site = |n: u32| {
            format!(
                "\n[[site]]\nseeds = [\n  \"http://{n}.example/\",\n  \"http://{n}.example/b\",\n]\nscope = \"host\"\n"
            )
        };
        let text = format!("{}{}{}{}", super::super::HEAD, site(1), site(2), site(3));
        for cut in 1..text.len() {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join(FILE);
            fs::write(&path, &text[..cut]).unwrap();
            let whole = text[..cut].matches("\n[[").count().saturating_sub(1);
            let sites = Config::read(directory.path()).unwrap().site.len();
            assert!(sites == whole || sites == whole + 1, "{cut}: {sites} of {whole}");
            let mended = Config::mend(directory.path()).unwrap();
            if mended.is_some() {
                assert_eq!(fs::read_to_string(directory.path().join(KEPT)).unwrap(), text[..cut]);
            }
            assert_eq!(Config::read(directory.path()).unwrap().site.len(), sites, "{cut}");
            assert_eq!(Config::mend(directory.path()).unwrap(), None, "{cut}");
        }
    }
}
