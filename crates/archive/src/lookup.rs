//! Finds versions: the record of a URL nearest to a moment, by binary search in the sorted index files.

use crate::{
    Error, Place,
    layout::{INDEX_SUFFIX, Layout, names},
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Seek, SeekFrom},
    path::Path,
};
use tintype_vocab::{PageUrl, Time, UrlKey};
use tintype_warc::cdxj;

/// Below this many bytes a search reads line by line.
const NEAR: u64 = 16 << 10;

/// One kept answer of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredVersion {
    pub url: String,
    /// To the second, as index lines have it.
    pub time: Time,
    pub status: Option<u16>,
    /// Media type; `warc/revisit` for duplicate records.
    pub mime: Option<String>,
    pub digest: Option<String>,
    pub place: Place,
}

impl StoredVersion {
    fn of(line: &cdxj::Line) -> Option<StoredVersion> {
        Some(StoredVersion {
            url: line.url.clone()?,
            time: line.time()?,
            status: line.status.as_deref().and_then(|status| status.parse().ok()),
            mime: line.mime.clone(),
            digest: line.digest.clone(),
            place: Place { segment: line.filename.clone()?, offset: line.offset?, length: line.length? },
        })
    }

    /// Whether the payload is in another record.
    pub fn is_duplicate(&self) -> bool {
        self.mime.as_deref() == Some("warc/revisit")
    }
}

/// All versions of a URL, oldest first. Of the pages that have its key in the index only the one it stands for, unless none of
/// those is held under this very URL: then what other tools would replay for it.
pub(crate) fn versions(layout: &Layout, url: &str) -> Result<Vec<StoredVersion>, Error> {
    let prefix = format!("{} ", UrlKey::of(url));
    let directory = layout.index();
    let mut versions = Vec::new();
    for name in names(&directory, INDEX_SUFFIX).map_err(Error::io("list", &directory))? {
        let path = directory.join(name);
        let lines = lines_with(&path, prefix.as_bytes()).map_err(Error::io("read", &path))?;
        versions.extend(lines.iter().filter_map(|line| StoredVersion::of(&cdxj::Line::parse(line).ok()?)));
    }
    versions.sort_by_key(|version| version.time);
    Ok(of_page(versions, url))
}

/// Those of the page itself. A page that only leads to another spelling (http became https, a slash came) is held there.
fn of_page(mut versions: Vec<StoredVersion>, url: &str) -> Vec<StoredVersion> {
    let page = PageUrl::new(url);
    let is_page = |version: &StoredVersion| PageUrl::new(&version.url) == page;
    let redirects = |version: &StoredVersion| version.status.is_some_and(|status| (300..400).contains(&status));
    if versions.iter().any(|version| is_page(version) && !redirects(version)) {
        versions.retain(is_page);
    }
    versions
}

/// The version of `url` nearest to `time`; of two equally near ones the earlier.
pub(crate) fn nearest(layout: &Layout, url: &str, time: Time) -> Result<Option<StoredVersion>, Error> {
    let distance = |version: &StoredVersion| version.time.as_millis().abs_diff(time.as_millis());
    Ok(versions(layout, url)?.into_iter().min_by_key(distance))
}

/// The lines of a sorted file that begin with `prefix`.
fn lines_with(path: &Path, prefix: &[u8]) -> io::Result<Vec<String>> {
    let file = File::open(path)?;
    let (mut low, mut high) = (0, file.metadata()?.len());
    let mut file = BufReader::new(file);
    let mut line = Vec::new();
    // Lines that start before `low` are smaller than the prefix; the line that `high` falls into is not, or is the last.
    while high - low > NEAR {
        let middle = low + (high - low) / 2;
        file.seek(SeekFrom::Start(middle))?;
        line.clear();
        let skipped = file.read_until(b'\n', &mut line)? as u64;
        line.clear();
        file.read_until(b'\n', &mut line)?;
        if !line.is_empty() && line.as_slice() < prefix { low = middle + skipped } else { high = middle }
    }
    file.seek(SeekFrom::Start(low))?;
    let mut found = Vec::new();
    loop {
        line.clear();
        if file.read_until(b'\n', &mut line)? == 0 {
            return Ok(found);
        }
        match line.strip_suffix(b"\n").unwrap_or(&line) {
            text if text.starts_with(prefix) => found.push(String::from_utf8_lossy(text).into_owned()),
            text if text > prefix => return Ok(found),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_large_file_is_found_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("index.cdxj");
        let mut lines: Vec<String> = (0..3000)
            .map(|n| format!("com,example)/{} 2026{:010} {{\"n\": \"{}\"}}\n", n / 3, n % 3, "x".repeat(n % 97)))
            .collect();
        lines.sort();
        std::fs::write(&path, lines.concat()).unwrap();
        for n in 0..1000 {
            let prefix = format!("com,example)/{n} ");
            let found = lines_with(&path, prefix.as_bytes()).unwrap();
            assert_eq!(found.len(), 3, "{n}");
            assert!(found.iter().all(|line| line.starts_with(&prefix)));
        }
        for absent in ["a ", "com,example)/1 0", "com,example)/1000 ", "z "] {
            let found = lines_with(&path, absent.as_bytes()).unwrap();
            assert!(found.is_empty(), "{absent}: {found:?}");
        }
    }
}
