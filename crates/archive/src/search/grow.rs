//! The index takes in what it has not read yet: the versions that index lines speak of.

use super::{TextIndex, words::spaced};
use crate::{
    DiskRoom, Error, Shortage, door,
    holdings::{Memento, MementoBody, OpenedMemento},
    index::{self, journal},
    layout::{JOURNAL_SUFFIX, names},
};
use rusqlite::{OptionalExtension, TransactionBehavior, params};
use std::ops::ControlFlow;
use tintype_observe::{Described, PageFacts, page};

/// Versions and bytes that are written at a time.
const BATCH: usize = 200;
const BATCH_BYTES: usize = 16 << 20;
/// Of a text more is not read, and nothing is said of what stands behind it.
const TEXT_MAX: usize = 2 << 20;
const TITLE_MAX: usize = 300;

/// How far a version was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadState {
    Whole = 0,
    /// There may be more text than was read.
    Cut = 1,
    Unread = 2,
}

impl ReadState {
    pub(super) fn from_number(number: i64) -> ReadState {
        match number {
            0 => ReadState::Whole,
            1 => ReadState::Cut,
            _ => ReadState::Unread,
        }
    }
}

/// What a reader reads of a version.
pub(super) struct VersionText {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) state: ReadState,
}

struct Waiting {
    url: String,
    digest: String,
    read: VersionText,
}

impl TextIndex {
    /// Reads what is new. `each` is told how many versions were read so far and may end it; says whether nothing is left.
    pub fn grow(&mut self, each: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<bool, Error> {
        let mut count = 0;
        let mut waiting = Vec::new();
        for Part { name, bytes, lines } in self.parts()? {
            for line in lines {
                // An index that is replaced just now is read the next time.
                let Ok(line) = line else { return Ok(false) };
                let Some(memento) = Memento::parse(&line, 0).filter(is_page) else { continue };
                if self.knows(&memento)? {
                    continue;
                }
                waiting.push(self.read(&memento));
                let bytes: usize = waiting.iter().map(|waiting: &Waiting| waiting.read.text.len()).sum();
                if waiting.len() >= BATCH || bytes >= BATCH_BYTES {
                    count += waiting.len() as u64;
                    self.put(&mut waiting, None)?;
                    if each(count).is_break() {
                        return Ok(false);
                    }
                }
            }
            count += waiting.len() as u64;
            self.put(&mut waiting, bytes.map(|bytes| (name.as_str(), bytes)))?;
        }
        Ok(true)
    }

    /// The indexes that have grown since they were read.
    fn parts(&self) -> Result<Vec<Part>, Error> {
        let failed = || Error::io("read", &self.layout.index());
        let mut parts = Vec::new();
        for journal in names(&self.layout.state(), JOURNAL_SUFFIX).map_err(failed())? {
            let segment = journal.strip_suffix(JOURNAL_SUFFIX).unwrap_or(&journal).to_owned();
            let open = self.layout.open_segment(&segment);
            let path = if door::is_file(&open) { open } else { self.layout.segment(&segment) };
            // A segment that is closed just now is found by its index.
            let Ok(made) = index::completed(&path, &segment, journal::read(&self.layout, &segment)) else { continue };
            let lines = made.lines.into_iter().map(|line| Ok(line.trim_end().to_owned()));
            parts.push(Part { name: segment, bytes: None, lines: Box::new(lines) });
        }
        for name in index::names_of(&self.layout).map_err(failed())? {
            let bytes = door::len(&self.layout.index().join(&name)).map_err(failed())?.cast_signed();
            let done = "SELECT bytes FROM done WHERE name = ?1";
            let known: Option<i64> =
                self.connection.query_row(done, [&name], |row| row.get(0)).optional().map_err(self.failed())?;
            if known != Some(bytes) {
                let lines = index::lines_from(&self.layout, &name, "").map_err(failed())?;
                parts.push(Part { name, bytes: Some(bytes), lines });
            }
        }
        Ok(parts)
    }

    fn knows(&self, memento: &Memento) -> Result<bool, Error> {
        let known = "SELECT 1 FROM version WHERE url = ?1 AND digest = ?2";
        let mut known = self.connection.prepare_cached(known).map_err(self.failed())?;
        known.exists(params![memento.url(), memento.line.digest]).map_err(self.failed())
    }

    fn read(&self, memento: &Memento) -> Waiting {
        let digest = memento.line.digest.clone().unwrap_or_default();
        Waiting { url: memento.url().to_owned(), digest, read: self.text_of(memento) }
    }

    /// What cannot be read has no text, and nothing is said of it.
    pub(super) fn text_of(&self, memento: &Memento) -> VersionText {
        match self.holdings.open(memento) {
            Ok(Some(opened)) => text(&opened),
            _ => VersionText { title: String::new(), text: String::new(), state: ReadState::Unread },
        }
    }

    fn put(&mut self, waiting: &mut Vec<Waiting>, done: Option<(&str, i64)>) -> Result<(), Error> {
        if waiting.is_empty() && done.is_none() {
            return Ok(());
        }
        self.refuse_to_fill_the_disk()?;
        let failed = self.failed();
        self.try_put(waiting, done).map_err(failed)?;
        waiting.clear();
        Ok(())
    }

    fn try_put(&mut self, waiting: &[Waiting], done: Option<(&str, i64)>) -> rusqlite::Result<()> {
        let batch = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for Waiting { url, digest, read } in waiting {
            let add = "INSERT OR IGNORE INTO version (url, digest, state, title) VALUES (?1, ?2, ?3, ?4)";
            let title: String = read.title.chars().take(TITLE_MAX).collect();
            if batch.prepare_cached(add)?.execute(params![url, digest, read.state as i64, title])? == 1 {
                let add = "INSERT INTO words (rowid, address, title, text) VALUES (?1, ?2, ?3, ?4)";
                let number = batch.last_insert_rowid();
                batch.prepare_cached(add)?.execute(params![number, url, spaced(&read.title), spaced(&read.text)])?;
            }
        }
        if let Some((name, bytes)) = done {
            batch.execute("INSERT OR REPLACE INTO done VALUES (?1, ?2)", params![name, bytes])?;
        }
        batch.commit()
    }

    /// What is derived takes no room from what is not.
    fn refuse_to_fill_the_disk(&self) -> Result<(), Error> {
        match DiskRoom::at(self.layout.root()) {
            Ok(room) if room.free < room.usually_kept() => {
                Err(Error::NoRoom(Shortage { free: room.free, wanted: room.usually_kept() }))
            }
            _ => Ok(()),
        }
    }
}

/// The lines of an index, and how long it is if it is done.
struct Part {
    name: String,
    bytes: Option<i64>,
    lines: Box<dyn Iterator<Item = std::io::Result<String>> + Send>,
}

/// Whether a record holds a page that somebody reads.
fn is_page(memento: &Memento) -> bool {
    memento.status().is_some_and(|status| (200..300).contains(&status))
        && !memento.is_elsewhere()
        && memento.line.digest.is_some()
        && memento.line.url.is_some()
        && is_read(memento.line.mime.as_deref().unwrap_or("text/html"))
}

/// Programs and style sheets are read by nobody.
pub(super) fn is_read(mime: &str) -> bool {
    let mime = mime.to_ascii_lowercase();
    let is_text = mime.starts_with("text/") && !mime.contains("css") && !mime.contains("javascript");
    is_text
        || ["application/pdf", "application/json", "application/xml"].contains(&mime.as_str())
        || mime.ends_with("+xml")
}

fn text(opened: &OpenedMemento) -> VersionText {
    let [content_type, coding] = ["content-type", "content-encoding"].map(|name| opened.field(name));
    let described = Described {
        url: &opened.url,
        content_type: content_type.as_deref(),
        content_encoding: coding.as_deref(),
        link_headers: &[],
        robots_headers: &[],
    };
    let read = match &opened.body {
        MementoBody::Whole(body) => page::segment(&described, body).map(|read| (read.text(), body)),
        MementoBody::Large { .. } => None,
    };
    let Some((mut text, body)) = read else {
        return VersionText { title: String::new(), text: String::new(), state: ReadState::Unread };
    };
    let title = PageFacts::read(&described, body).map_or(String::new(), |facts| facts.title);
    let is_long = text.len() > TEXT_MAX;
    text.truncate(text.floor_char_boundary(TEXT_MAX));
    let state = if is_long || opened.truncated.is_some() { ReadState::Cut } else { ReadState::Whole };
    VersionText { title, text, state }
}
