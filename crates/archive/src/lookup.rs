//! Finds versions: the record of a URL nearest to a moment, by binary search in the sorted index files.

use crate::{Error, Place, index::KnownFiles, layout::Layout};
use std::{io, time::Duration};
use tintype_vocab::{PageUrl, Time, UrlKey};
use tintype_warc::cdxj;

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

/// So often an index that cannot be read is looked for again: it may just be growing.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(10);

/// All versions of a URL, oldest first. Of the pages that have its key in the index only the one it stands for, unless none of
/// those is held under this very URL: then what other tools would replay for it.
pub(crate) fn versions(layout: &Layout, files: &KnownFiles, url: &str) -> Result<Vec<StoredVersion>, Error> {
    let key = UrlKey::of(url).to_string();
    let mut versions = indexed(layout, files, &key);
    for _ in 1..TRIES {
        if versions.is_ok() {
            break;
        }
        std::thread::sleep(PAUSE);
        versions = indexed(layout, files, &key);
    }
    let mut versions = versions.map_err(Error::io("read", &layout.index()))?;
    versions
        .sort_by(|a, b| (a.time, &a.place.segment, a.place.offset).cmp(&(b.time, &b.place.segment, b.place.offset)));
    // An index that grows may be there in two forms for a moment.
    versions.dedup_by(|a, b| a.place == b.place);
    Ok(of_page(versions, url, |version| (&version.url, version.status)))
}

/// What all indexes have of a key.
fn indexed(layout: &Layout, files: &KnownFiles, key: &str) -> io::Result<Vec<StoredVersion>> {
    let (prefix, mut versions) = (format!("{key} "), Vec::new());
    for (_, lines) in files.of(layout)?.lines_from(layout, &prefix)? {
        for line in lines {
            let line = line?;
            if !line.starts_with(&prefix) {
                break;
            }
            versions.extend(cdxj::Line::parse(&line).ok().and_then(|line| StoredVersion::of(&line)));
        }
    }
    Ok(versions)
}

/// Those of the page itself. A page that only leads to another spelling (http became https, a slash came) is held there.
pub(crate) fn of_page<T>(mut versions: Vec<T>, url: &str, told: impl Fn(&T) -> (&str, Option<u16>)) -> Vec<T> {
    let page = PageUrl::new(url);
    let is_page = |version: &T| PageUrl::new(told(version).0) == page;
    let redirects = |version: &T| told(version).1.is_some_and(|status| (300..400).contains(&status));
    if versions.iter().any(|version| is_page(version) && !redirects(version)) {
        versions.retain(is_page);
    }
    versions
}

/// The version of `url` nearest to `time`; of two equally near ones the earlier.
pub(crate) fn nearest(
    layout: &Layout,
    files: &KnownFiles,
    url: &str,
    time: Time,
) -> Result<Option<StoredVersion>, Error> {
    let distance = |version: &StoredVersion| version.time.as_millis().abs_diff(time.as_millis());
    Ok(versions(layout, files, url)?.into_iter().min_by_key(distance))
}
