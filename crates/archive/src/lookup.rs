//! Finds versions: the record of a URL nearest to a moment, by binary search in the sorted index files.

use crate::{Error, Place, index, layout::Layout};
use std::time::Duration;
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
pub(crate) fn versions(layout: &Layout, url: &str) -> Result<Vec<StoredVersion>, Error> {
    let key = UrlKey::of(url).to_string();
    let mut versions = indexed(layout, &key);
    for _ in 1..TRIES {
        if versions.is_ok() {
            break;
        }
        std::thread::sleep(PAUSE);
        versions = indexed(layout, &key);
    }
    let mut versions = versions?;
    versions
        .sort_by(|a, b| (a.time, &a.place.segment, a.place.offset).cmp(&(b.time, &b.place.segment, b.place.offset)));
    // An index that grows may be there in two forms for a moment.
    versions.dedup_by(|a, b| a.place == b.place);
    Ok(of_page(versions, url, |version| (&version.url, version.status)))
}

/// What all indexes have of a key.
fn indexed(layout: &Layout, key: &str) -> Result<Vec<StoredVersion>, Error> {
    let directory = layout.index();
    let mut versions = Vec::new();
    for name in index::names_of(layout).map_err(Error::io("list", &directory))? {
        let lines = index::lines_with(layout, &name, key).map_err(Error::io("read", &directory.join(name)))?;
        versions.extend(lines.iter().filter_map(|line| StoredVersion::of(&cdxj::Line::parse(line).ok()?)));
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
pub(crate) fn nearest(layout: &Layout, url: &str, time: Time) -> Result<Option<StoredVersion>, Error> {
    let distance = |version: &StoredVersion| version.time.as_millis().abs_diff(time.as_millis());
    Ok(versions(layout, url)?.into_iter().min_by_key(distance))
}
