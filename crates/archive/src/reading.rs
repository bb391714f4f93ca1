//! A collection opened by somebody who only looks: no lock, no mending, any number of them at once.

use crate::{
    CaptureId, CaptureInfo, CaptureKind, ChangeReader, DiskRoom, Entries, Error, Holder, MissingRecord, ObjectCrawls,
    Original, PageHistory, Payload, Place, catalogue,
    collection::{Shared, check_version},
    door, held,
    index::{self, KnownFiles},
    layout::{Layout, OPEN_SUFFIX, SEGMENT_SUFFIX, names},
    lock,
    log::reader,
    lookup::{self, StoredVersion},
    verify::{self, Verified},
    versions::Versions,
};
use std::{
    io::Read,
    path::{Path, PathBuf},
    sync::{Arc, Weak},
};
use tintype_observe::page::Habits;
use tintype_vocab::Time;

/// A collection for looking at. What is being written meanwhile may be missing, never wrong.
#[derive(Clone, Debug)]
pub struct Reading {
    layout: Layout,
    /// The collection that this process writes, as long as it does: its catalogue is open and knows all captures.
    own: Weak<Shared>,
    files: Arc<KnownFiles>,
}

impl Reading {
    pub(crate) fn open(path: &Path) -> Result<Reading, Error> {
        let layout = Layout::new(path);
        check_version(&layout, false)?;
        Ok(Reading { layout, own: Weak::new(), files: Arc::default() })
    }

    pub(crate) fn of(shared: &Arc<Shared>) -> Reading {
        Reading { layout: shared.layout.clone(), own: Arc::downgrade(shared), files: shared.index_files.clone() }
    }

    /// The directory of the collection.
    pub fn path(&self) -> &Path {
        self.layout.root()
    }

    /// What the disk of the collection has, if it tells.
    pub fn room(&self) -> Option<DiskRoom> {
        DiskRoom::at(self.path()).ok()
    }

    /// Whoever writes the collection now, if anybody does and the system tells of it.
    pub fn holder(&self) -> Option<Holder> {
        lock::holder(&self.layout.lock())
    }

    /// All captures, oldest first.
    pub fn captures(&self) -> Result<Vec<CaptureInfo>, Error> {
        catalogue::captures(&self.layout, None)
    }

    /// Those of one site.
    pub fn captures_of(&self, site: &str) -> Result<Vec<CaptureInfo>, Error> {
        catalogue::captures(&self.layout, Some(site))
    }

    /// Those of one site that may have asked for something since a moment: begun since, and the one before. Imports asked
    /// for nothing.
    pub fn captures_reaching(&self, site: &str, since: Time) -> Result<Vec<CaptureInfo>, Error> {
        if let Some(shared) = self.own.upgrade() {
            return shared.catalogue().reaching(site, since);
        }
        let mut asked = self.captures_of(site)?;
        asked.retain(|info| info.head.kind != CaptureKind::Import);
        let first = asked.partition_point(|info| info.id.as_str() < since.to_timestamp17().as_str()).saturating_sub(1);
        Ok(asked.split_off(first))
    }

    /// One capture, if it is here.
    pub(crate) fn capture(&self, id: &CaptureId) -> Result<Option<CaptureInfo>, Error> {
        let own = self.own.upgrade().and_then(|shared| shared.catalogue().info(id).ok().flatten());
        match own.filter(|info| door::is_file(&info.log.path)) {
            Some(info) => Ok(Some(info)),
            None => catalogue::find(&self.layout, id),
        }
    }

    /// The capture that has this number in a segment, as far as the catalogue knows.
    pub(crate) fn numbered(&self, segment: &str, number: u32) -> Option<CaptureId> {
        match self.own.upgrade() {
            Some(shared) => shared.catalogue().numbered(segment, number).ok().flatten(),
            None => catalogue::numbered(&self.layout, segment, number),
        }
    }

    fn find(&self, id: &CaptureId) -> Result<CaptureInfo, Error> {
        self.capture(id)?.ok_or_else(|| Error::NoSuchCapture(id.to_string()))
    }

    /// The decisions and observations of a capture.
    pub fn entries(&self, id: &CaptureId) -> Result<Entries, Error> {
        let capture = self.find(id)?;
        Entries::open(&capture.log, 0, Some(Versions::new(&self.layout, &capture.head.site)))
    }

    /// The same for who wants to know when what was asked and what came of it: what lines of unchanged pages leave to those of
    /// their versions, such as links, is not looked up.
    pub fn bare_entries(&self, id: &CaptureId) -> Result<Entries, Error> {
        Entries::open(&self.find(id)?.log, 0, None)
    }

    /// The visits of a capture whose records were damaged or lost on disk.
    pub fn missing(&self, id: &CaptureId) -> Result<Vec<MissingRecord>, Error> {
        reader::missing(&self.find(id)?.log)
    }

    /// What is known of a site's pages as of its last finished capture.
    pub fn history(&self, site: &str) -> Result<PageHistory, Error> {
        Ok(PageHistory::of(&self.layout, site, true))
    }

    /// Every change that a visit since `since` saw, capture by capture.
    pub fn changes(&self, since: Time) -> Result<ChangeReader, Error> {
        Ok(ChangeReader::new(since, self.captures()?))
    }

    /// Those of one site.
    pub fn changes_of(&self, site: &str, since: Time) -> Result<ChangeReader, Error> {
        Ok(ChangeReader::new(since, self.captures_of(site)?))
    }

    /// What the crawls of a source found, in order; only of captures after that one, if one is named.
    pub fn object_crawls(&self, source: &str, after: Option<&CaptureId>) -> Result<ObjectCrawls, Error> {
        ObjectCrawls::new(self, source, after)
    }

    /// What the site taught about its pages. Derived and never needed, so what cannot be read is nothing.
    pub fn habits(&self, site: &str) -> Habits {
        self.history(site).ok().and_then(|history| history.habits()).unwrap_or_default()
    }

    /// What was kept of a site under this name; see [`Collection::keep_site_derived`](crate::Collection::keep_site_derived). Derived and
    /// never needed, so what cannot be read is nothing.
    pub fn site_derived(&self, site: &str, name: &str) -> Option<Vec<u8>> {
        self.history(site).ok()?.lore(name)
    }

    /// The payload of a version; nothing if it is not there any more.
    pub fn payload(&self, of: &Original) -> Result<Option<Payload>, Error> {
        let segment = of.place.as_ref().map_or("", |place| &place.segment);
        held::payload(&self.layout, None, of).map_err(Error::io("read", &self.layout.segment(segment)))
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The indexes there are.
    pub(crate) fn index_files(&self) -> &KnownFiles {
        &self.files
    }

    /// All versions of a URL, oldest first.
    pub fn versions(&self, url: &str) -> Result<Vec<StoredVersion>, Error> {
        lookup::versions(&self.layout, &self.files, url)
    }

    /// The version of `url` nearest to `time`.
    pub fn lookup(&self, url: &str, time: Time) -> Result<Option<StoredVersion>, Error> {
        lookup::nearest(&self.layout, &self.files, url, time)
    }

    /// All segments, also those still being written.
    pub fn segments(&self) -> Result<Vec<PathBuf>, Error> {
        let directory = self.layout.warc();
        let list = |suffix| names(&directory, suffix).map_err(Error::io("list", &directory));
        let names = [list(SEGMENT_SUFFIX)?, list(OPEN_SUFFIX)?].concat();
        Ok(names.iter().map(|name| directory.join(name)).collect())
    }

    /// How many lines all indexes have together; those that cannot be read have none.
    pub fn index_lines(&self) -> Result<usize, Error> {
        let directory = self.layout.warc();
        let segments = names(&directory, SEGMENT_SUFFIX).map_err(Error::io("list", &directory))?;
        let lines = |segment: &String| index::read(&self.layout, segment).map_or(0, |text| text.lines().count());
        Ok(segments.iter().map(lines).sum())
    }

    /// The stored bytes of a record: one gzip member.
    pub fn record(&self, place: &Place) -> Result<impl Read + use<>, Error> {
        held::stored(&self.layout, place).map_err(Error::io("read", &self.layout.segment(&place.segment)))
    }

    /// The WARC-Record-ID of a record; nothing if it cannot be read any more.
    pub fn record_id(&self, place: &Place) -> Option<String> {
        held::record_id(&self.layout, place).ok().flatten()
    }

    /// Everything that is wrong with the collection, and what is not in its index on purpose.
    pub fn verify(&self) -> Result<Verified, Error> {
        verify::verify(&self.layout)
    }
}
