//! The filter lists a person named: `ad-lists` in `tintype.toml`, read once per command.

use crate::config::Config;
use anyhow::Context;
use std::{io::Read, path::Path};
use tintype_archive::open_given;
use tintype_observe::ads::Advertisements;

/// Bytes of one list; the largest in use have some ten million.
const LIST_MAX: u64 = 64 << 20;

/// What tells advertisements in this collection: its lists if it has any. Paths count from the collection.
pub(crate) fn read(collection: &Path) -> anyhow::Result<Advertisements> {
    let paths = Config::read(collection)?.ad_lists;
    let texts = paths.iter().map(|path| read_list(&collection.join(path))).collect::<anyhow::Result<Vec<_>>>()?;
    let lists: Vec<&str> = texts.iter().map(String::as_str).collect();
    Advertisements::from_lists(&lists).map_err(|_| {
        anyhow::anyhow!(
            "tintype.toml names ad-lists, and this build has no filter-list engine: \
             cargo install --path crates/cli --features ads"
        )
    })
}

fn read_list(path: &Path) -> anyhow::Result<String> {
    let read = || {
        let mut bytes = Vec::new();
        open_given(path)?.take(LIST_MAX).read_to_end(&mut bytes)?;
        // Lists are UTF-8; a line that is not is one the engine passes over.
        Ok::<_, std::io::Error>(String::from_utf8_lossy(&bytes).into_owned())
    };
    read().with_context(|| format!("cannot read the filter list {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn collection(config: &str) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("tintype.toml"), config).unwrap();
        fs::write(directory.path().join("list.txt"), "||banners.example^\n").unwrap();
        directory
    }

    #[test]
    fn no_lists_are_no_trouble() {
        read(collection("").path()).unwrap();
        read(collection("[[site]]\nseeds = [\"http://e.com/\"]\n").path()).unwrap();
    }

    #[test]
    fn a_list_that_is_not_there_is_named() {
        let error = read(collection("ad-lists = [\"gone.txt\"]\n").path()).unwrap_err();
        assert!(format!("{error:#}").contains("gone.txt"), "{error:#}");
    }

    #[cfg(not(feature = "ads"))]
    #[test]
    fn a_build_without_engine_says_how_to_get_one() {
        let error = read(collection("ad-lists = [\"list.txt\"]\n").path()).unwrap_err();
        assert!(error.to_string().contains("--features ads"), "{error}");
    }

    #[cfg(feature = "ads")]
    mod engine {
        use super::*;
        use tintype_observe::page::{Element, HookedPage};

        /// Where Debian's package of a content blocker puts the list most people use.
        const EASYLIST: &str = "/usr/share/chromium/extensions/ublock-origin/assets/thirdparties/easylist/easylist.txt";

        fn is_one(advertisements: &Advertisements, url: &str) -> bool {
            advertisements.is_one(&HookedPage { element: Element::Image, url, page: "https://news.example/" })
        }

        #[test]
        fn lists_are_read_from_beside_the_file() {
            let advertisements = read(collection("ad-lists = [\"list.txt\"]\n").path()).unwrap();
            assert!(is_one(&advertisements, "https://banners.example/x.png"));
            assert!(!is_one(&advertisements, "https://news.example/x.png"));
        }

        #[test]
        fn the_list_most_people_use_is_understood() {
            if !Path::new(EASYLIST).exists() {
                crate::out::mention!("skipped: {EASYLIST} is not installed");
                return;
            }
            let advertisements = read(collection(&format!("ad-lists = [\"{EASYLIST}\"]\n")).path()).unwrap();
            assert!(is_one(&advertisements, "https://googleads.g.doubleclick.net/pagead/ads?x=1"));
            assert!(!is_one(&advertisements, "https://news.example/picture.jpg"));
        }
    }
}
