//! History from other tools. Every response is taken in as if it were fetched now, at the time it was: so foreign
//! oddities (chunk framing, several records in one gzip member, other digests, no requests) end at this door, and
//! segments here all look alike. Index files bring history without bytes.
//!
//! An import is one capture of one site, ended when the file is; one that was cut short goes on where it stopped.

mod cdx;
pub(crate) mod warc;

use crate::{Capture, CaptureHead, CaptureId, CaptureKind, Collection, Error};
use std::{
    fs::File,
    io::{BufReader, Read, Seek, SeekFrom},
    path::Path,
};
use tintype_vocab::{Entry, PageId, PageUrl, Time};
use tintype_warc::{
    wacz::Package,
    zip::{Member, ZipError},
};

/// How to import.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The site the history belongs to; by default the host of the first page in the file.
    pub site: Option<String>,
    pub now: Time,
    /// Fields for the `warcinfo` records.
    pub describe: Vec<(String, String)>,
}

/// What an import brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    pub capture: CaptureId,
    /// Answers with their bytes.
    pub visits: u64,
    /// Visits known from an index only.
    pub history: u64,
    /// Visits that were there already, from an earlier try.
    pub known: u64,
    /// Records and lines that say nothing about a page.
    pub passed_over: u64,
    /// What was odd about the file, in words.
    pub findings: Vec<String>,
}

/// How many bytes are looked at to see what a file is.
const LOOK_BYTES: u64 = 64 << 10;
/// Visits are made to last in groups of this many bytes.
const COMMIT_BYTES: u64 = 64 << 20;

pub(crate) fn import(collection: &Collection, path: &Path, options: ImportOptions) -> Result<Imported, Error> {
    let failed = || Error::io("read", path);
    let mut start = Vec::new();
    let mut file = File::open(path).map_err(failed())?;
    (&mut file).take(LOOK_BYTES).read_to_end(&mut start).map_err(failed())?;
    file.seek(SeekFrom::Start(0)).map_err(failed())?;
    if start.starts_with(b"PK\x03\x04") {
        return package(collection, path, file, options);
    }
    if let Some(url) = warc::first_page(&start) {
        let mut import = Import::begin(collection, path, options, &url)?;
        import.warc(path, file)?;
        return import.finish();
    }
    if let Some(url) = cdx::first_page(&start) {
        let mut import = Import::begin(collection, path, options, &url)?;
        import.lines(path, file)?;
        return import.finish();
    }
    Err(refused(path, "is not a WARC, WACZ, CDX or CDXJ file"))
}

fn refused(path: &Path, reason: &str) -> Error {
    Error::Unusable { path: path.to_owned(), reason: reason.to_owned() }
}

/// The segments of a package, in the order they stand there.
fn package(collection: &Collection, path: &Path, file: File, options: ImportOptions) -> Result<Imported, Error> {
    let refuse = |error: ZipError| refused(path, &format!("is no WACZ package that can be read: {error}"));
    let mut package = Package::open(BufReader::with_capacity(256 << 10, file)).map_err(refuse)?;
    let segments: Vec<Member> = package.segments().cloned().collect();
    let mut first = None;
    for segment in &segments {
        let mut start = Vec::new();
        let reader = package.stream(segment).map_err(refuse)?;
        reader.take(LOOK_BYTES).read_to_end(&mut start).map_err(Error::io("read", path))?;
        first = first.or_else(|| warc::first_page(&start));
    }
    let Some(url) = first else { return Err(refused(path, "is a ZIP file without WARC segments, so no WACZ package")) };
    let mut import = Import::begin(collection, path, options, &url)?;
    for segment in &segments {
        import.warc(path, package.stream(segment).map_err(refuse)?)?;
    }
    import.finish()
}

/// An import under way.
struct Import {
    capture: Capture,
    pages: Pages,
    /// Visits an earlier try got to; they are the first ones, because a file is always read in the same order.
    done: u64,
    imported: Imported,
    spool: std::path::PathBuf,
}

/// Page numbers in the order URLs come by.
#[derive(Default)]
struct Pages(hashbrown::HashMap<PageUrl<'static>, u32>);

impl Pages {
    fn number(&mut self, url: &PageUrl<'_>) -> PageId {
        let next = self.0.len() as u32;
        PageId(*self.0.entry(url.clone().into_owned()).or_insert(next))
    }
}

impl Import {
    fn begin(collection: &Collection, path: &Path, options: ImportOptions, url: &str) -> Result<Import, Error> {
        let site = options.site.unwrap_or_else(|| host(url).to_owned());
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let settings = serde_json::json!({"import": name});
        let earlier = collection
            .captures_of(&site)?
            .into_iter()
            .find(|info| info.end.is_none() && info.head.settings == settings);
        let (capture, entries) = match earlier {
            Some(info) => {
                let resumed = collection.resume(&info.id)?;
                (resumed.capture, Some(resumed.entries))
            }
            None => {
                let head = CaptureHead {
                    site,
                    kind: CaptureKind::Import,
                    seeds: Vec::new(),
                    settings,
                    run_seed: 0,
                    started: options.now,
                    describe: options.describe,
                };
                (collection.begin(head)?, None)
            }
        };
        let mut done = 0;
        for entry in entries.into_iter().flatten() {
            done += u64::from(matches!(entry?, Entry::Observation(_)));
        }
        let imported = Imported {
            capture: capture.id().clone(),
            visits: 0,
            history: 0,
            known: 0,
            passed_over: 0,
            findings: Vec::new(),
        };
        Ok(Import { capture, pages: Pages::default(), done, imported, spool: collection.spool_directory() })
    }

    /// Whether an earlier try already brought the visit at hand.
    fn is_known(&mut self) -> bool {
        let known = self.imported.known < self.done;
        self.imported.known += u64::from(known);
        known
    }

    fn finish(self) -> Result<Imported, Error> {
        let end = serde_json::json!({"reason": "imported", "visits": self.imported.visits + self.imported.history});
        self.capture.finish(&end)?;
        Ok(self.imported)
    }
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit('@').next().unwrap_or_default()
}
