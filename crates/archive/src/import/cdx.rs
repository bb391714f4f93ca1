//! Index lines as history: when a page was seen, and whether it had changed, without its bytes.

use super::Import;
use crate::{
    Error, Retention,
    ingest::compare,
    log::{Before, Kept, entry::Observed},
};
use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
};
use tintype_vocab::{Change, Digest, Links, Observation, Outcome, PageUrl, Purpose, SiteId, Time, Validators};
use tintype_warc::{cdx::Columns, cdxj::Line};

/// How many lines are kept to be put in order of time.
const LINES_MAX: usize = 20_000_000;
/// Longer lines are not index lines.
const LINE_BYTES: u64 = 1 << 20;

/// The URL of the first entry, if these are the first bytes of an index file.
pub(super) fn first_page(start: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(start);
    let mut columns = None;
    let mut lines = text.lines().filter_map(|line| parse(line, &mut columns));
    lines.next().and_then(|line| line.url)
}

/// One line of either form; the header of a CDX file says what its columns are.
fn parse(line: &str, columns: &mut Option<Columns>) -> Option<Line> {
    if let Ok(line) = Line::parse(line) {
        return Some(line);
    }
    if let Some(header) = Columns::of_header(line) {
        *columns = Some(header);
        return None;
    }
    let columns = columns.take().or_else(|| Columns::guess(line)).inspect(|found| *columns = Some(found.clone()));
    columns?.parse(line).ok()
}

/// What is needed of a line.
struct Seen {
    time: Time,
    url: String,
    status: Option<u16>,
    mime: Option<String>,
    digest: Option<Digest>,
}

impl Import {
    /// Takes in every line of an index, oldest visit first.
    pub(super) fn lines(&mut self, path: &Path, file: impl Read) -> Result<(), Error> {
        let mut file = BufReader::new(file);
        let (mut columns, mut all, mut text) = (None, Vec::new(), Vec::new());
        loop {
            text.clear();
            let read = (&mut file).take(LINE_BYTES).read_until(b'\n', &mut text).map_err(Error::io("read", path))?;
            if read == 0 || all.len() >= LINES_MAX {
                break;
            }
            let line = parse(String::from_utf8_lossy(&text).trim_end(), &mut columns);
            match line.and_then(Seen::of) {
                Some(seen) => all.push(seen),
                None => self.imported.passed_over += 1,
            }
        }
        all.sort_by_key(|seen| seen.time);
        all.into_iter().try_for_each(|seen| self.remember(seen))
    }

    fn remember(&mut self, seen: Seen) -> Result<(), Error> {
        let url = PageUrl::new(&seen.url);
        let page = self.pages.number(&url);
        if self.is_known() {
            return Ok(());
        }
        let before = self.capture.state.page(&url)?;
        let outcome = Outcome::of_status(seen.status.unwrap_or(200), None, None);
        let change = match seen.digest {
            Some(digest) => compare(&outcome, digest, before.as_ref()),
            None => Change::Unknown,
        };
        let observation = Observation {
            site: SiteId(0),
            page,
            url: seen.url,
            purpose: Purpose::Visit,
            asked: seen.time,
            answered: seen.time,
            outcome,
            change,
            digest: seen.digest,
            media_type: seen.mime,
            sniffed: None,
            bytes: 0,
            validators: Validators::default(),
            max_age: None,
            links: Links::new(),
            robots: None,
            rate: Default::default(),
        };
        let replaced = Before::of(&observation, before.as_ref());
        let observed = Observed {
            observation,
            kept: Kept::Nothing,
            retention: Retention::default(),
            place: None,
            attempt: 0,
            before: replaced,
            is_brief: false,
        };
        self.capture.note(before, &observed);
        self.imported.history += 1;
        Ok(())
    }
}

impl Seen {
    fn of(line: Line) -> Option<Seen> {
        Some(Seen {
            time: line.time()?,
            status: line.status.as_deref().and_then(|status| status.parse().ok()),
            mime: line.mime.clone().filter(|mime| mime.contains('/') && mime != "warc/revisit"),
            digest: line.digest.as_deref().and_then(|digest| digest.parse().ok()),
            url: line.url?,
        })
    }
}
