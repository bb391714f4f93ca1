//! History from other tools. Every response is taken in as if it were fetched now, at the time it was: so foreign
//! oddities (chunk framing, several records in one gzip member, other digests, no requests) end at this door, and
//! segments here all look alike. Index files bring history without bytes.
//!
//! An import is one capture of one site, ended when the file is; one that was cut short goes on where it stopped, and one
//! of bytes that came in before does nothing.

mod cdx;
mod oddities;
mod vet;
pub(crate) mod warc;

use crate::{Capture, CaptureHead, CaptureId, CaptureInfo, CaptureKind, Collection, Error, door, record::sha1_stream};
use oddities::Oddities;
use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::Path,
};
use tintype_vocab::{Digest, Entry, PageId, PageUrl, Time};
use tintype_warc::{
    digest::sha1,
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
    /// What was odd about the file, in words, each kind once.
    pub findings: Vec<String>,
    /// The same bytes came in before, under whatever name: nothing was done.
    pub already: bool,
}

/// How many bytes are looked at to see what a file is.
const LOOK_BYTES: u64 = 64 << 10;
/// So much of an address is told.
const URL_TOLD: usize = 200;
/// Visits are made to last in groups of this many bytes of records,
const COMMIT_BYTES: u64 = 64 << 20;
/// or of log lines.
const COMMIT_LINES: usize = 8 << 20;

pub(crate) fn import(collection: &Collection, path: &Path, options: ImportOptions) -> Result<Imported, Error> {
    let failed = || Error::io("read", path);
    let mut start = Vec::new();
    let mut file = door::open_given(path).map_err(failed())?;
    (&mut file).take(LOOK_BYTES).read_to_end(&mut start).map_err(failed())?;
    file.seek(SeekFrom::Start(0)).map_err(failed())?;
    if start.starts_with(b"PK\x03\x04") {
        return package(collection, path, file, options);
    }
    let source = |file: &mut File| Source::of(path, file).map_err(failed());
    if let Some(site) = warc::first_site(&start) {
        return match Import::begin(collection, source(&mut file)?, options, site)? {
            Begun::Already(imported) => Ok(imported),
            Begun::Now(mut import) => {
                import.warc(path, file)?;
                import.finish()
            }
        };
    }
    if let Some(site) = cdx::first_site(&start) {
        return match Import::begin(collection, source(&mut file)?, options, site)? {
            Begun::Already(imported) => Ok(imported),
            Begun::Now(mut import) => {
                import.lines(path, file)?;
                import.finish()
            }
        };
    }
    Err(refused(path, "is not a WARC, WACZ, CDX or CDXJ file with a page of the web in it"))
}

/// A file by its name and its bytes.
struct Source {
    name: String,
    /// SHA-1 of all of it: the same file under another name is the same.
    digest: Digest,
}

impl Source {
    /// Reads all of a file and goes back to its beginning.
    fn of(path: &Path, file: &mut File) -> io::Result<Source> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        file.seek(SeekFrom::Start(0))?;
        let digest = sha1_stream(&[], file)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(Source { name, digest })
    }
}

fn refused(path: &Path, reason: &str) -> Error {
    Error::Unusable { path: path.to_owned(), reason: reason.to_owned() }
}

/// The segments of a package, in the order they stand there.
fn package(collection: &Collection, path: &Path, mut file: File, options: ImportOptions) -> Result<Imported, Error> {
    let source = Source::of(path, &mut file).map_err(Error::io("read", path))?;
    let refuse = |error: ZipError| refused(path, &format!("is no WACZ package that can be read: {error}"));
    let mut package = Package::open(BufReader::with_capacity(256 << 10, file)).map_err(refuse)?;
    let segments: Vec<Member> = package.segments().cloned().collect();
    let mut first = None;
    for segment in &segments {
        let mut start = Vec::new();
        let reader = package.stream(segment).map_err(refuse)?;
        reader.take(LOOK_BYTES).read_to_end(&mut start).map_err(Error::io("read", path))?;
        first = first.or_else(|| warc::first_site(&start));
    }
    let Some(site) = first else {
        return Err(refused(path, "is a ZIP file without WARC segments, so no WACZ package"));
    };
    let mut import = match Import::begin(collection, source, options, site)? {
        Begun::Already(imported) => return Ok(imported),
        Begun::Now(import) => import,
    };
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
    oddities: Oddities,
    spool: std::path::PathBuf,
}

/// Whether there is anything to do.
enum Begun {
    Now(Box<Import>),
    Already(Imported),
}

/// Page numbers in the order URLs come by. URLs are known by their digests: those of millions of pages would fill memory.
#[derive(Default)]
struct Pages(hashbrown::HashMap<Digest, u32>);

impl Pages {
    fn number(&mut self, url: &PageUrl<'_>) -> PageId {
        let next = self.0.len() as u32;
        PageId(*self.0.entry(sha1(url.as_str().as_bytes())).or_insert(next))
    }
}

impl Import {
    fn begin(collection: &Collection, source: Source, options: ImportOptions, site: String) -> Result<Begun, Error> {
        let site = options.site.unwrap_or(site);
        let digest = source.digest.to_string();
        let settings = serde_json::json!({"import": source.name, "digest": digest});
        let is_same = |info: &CaptureInfo| {
            info.head.kind == CaptureKind::Import && info.head.settings["digest"].as_str() == Some(&digest)
        };
        let earlier = collection.captures_of(&site)?.into_iter().find(is_same);
        if let Some(info) = earlier.as_ref().filter(|info| info.end.is_some()) {
            let known = info.end.as_ref().and_then(|end| end["visits"].as_u64()).unwrap_or_default();
            return Ok(Begun::Already(Imported { known, already: true, ..Imported::nothing(&info.id) }));
        }
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
        let (imported, spool) = (Imported::nothing(capture.id()), collection.spool_directory());
        let (pages, oddities) = (Pages::default(), Oddities::default());
        Ok(Begun::Now(Box::new(Import { capture, pages, done, imported, oddities, spool })))
    }

    /// Passes a record or line over; whoever wrote many such is told once.
    fn pass_over(&mut self, fault: &str, url: &str, place: impl FnOnce() -> String) {
        self.imported.passed_over += 1;
        let url: String = url.chars().take(URL_TOLD).collect();
        self.oddities.note(fault, &format!("passed over {url}: {fault}"), place);
    }

    /// Makes visits last now and then, so that memory holds few of them.
    fn commit_some(&mut self) -> Result<(), Error> {
        let is_much = self.capture.pending_bytes() > COMMIT_BYTES || self.capture.gathered_lines() > COMMIT_LINES;
        if is_much { self.capture.commit().map(drop) } else { Ok(()) }
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
        Ok(Imported { findings: self.oddities.sentences(), ..self.imported })
    }
}

impl Imported {
    fn nothing(capture: &CaptureId) -> Imported {
        Imported {
            capture: capture.clone(),
            visits: 0,
            history: 0,
            known: 0,
            passed_over: 0,
            findings: Vec::new(),
            already: false,
        }
    }
}
