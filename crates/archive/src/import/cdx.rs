//! Index lines as history: when a page was seen, and whether it had changed, without its bytes.

use super::{Import, vet, warc::at_byte};
use crate::{
    Error, Retention,
    ingest::compare,
    log::{Before, Kept, entry::Observed},
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::Path,
};
use tintype_vocab::{Change, Digest, Links, Observation, Outcome, PageUrl, Purpose, SiteId, Time, Validators};
use tintype_warc::{cdx::Columns, cdxj::Line};

/// How many lines are put in order of time: half a gigabyte.
const LINES_MAX: usize = 20_000_000;
/// A file with more headers than this was not written by a tool.
const FORMS_MAX: usize = 1000;
/// Longer lines are not index lines.
const LINE_BYTES: u64 = 1 << 20;

/// The site of the first entry that has one, if these are the first bytes of an index file.
pub(super) fn first_site(start: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(start);
    let mut columns = None;
    let mut lines = text.lines().filter_map(|line| parse(line, &mut columns));
    lines.find_map(|line| vet::site(&line.url?))
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

/// Where a line stands that will be read again when its time comes: lines are in order of URL, and all of them at once
/// would not fit into memory.
struct Packed {
    time: Time,
    offset: u64,
    len: u32,
    /// Which of the file's headers it stands under.
    form: u32,
}

impl Import {
    /// Takes in every line of an index, oldest visit first.
    pub(super) fn lines(&mut self, path: &Path, mut file: File) -> Result<(), Error> {
        let failed = || Error::io("read", path);
        let (mut all, forms) = self.survey(&mut file).map_err(failed())?;
        all.sort_unstable_by_key(|line| (line.time, line.offset));
        let mut text = Vec::new();
        for line in all {
            text.clear();
            file.seek(SeekFrom::Start(line.offset)).map_err(failed())?;
            (&mut file).take(line.len.into()).read_to_end(&mut text).map_err(failed())?;
            let mut columns = forms[line.form as usize].clone();
            let seen = parse(String::from_utf8_lossy(&text).trim_end(), &mut columns).and_then(Seen::of);
            match seen {
                Some(seen) => self.remember(seen)?,
                None => self.imported.passed_over += 1,
            }
        }
        Ok(())
    }

    /// The lines that speak of visits, and what the columns mean under each header.
    fn survey(&mut self, file: &mut File) -> io::Result<(Vec<Packed>, Vec<Option<Columns>>)> {
        let mut file = BufReader::with_capacity(256 << 10, file);
        let (mut all, mut text, mut offset): (Vec<Packed>, _, u64) = (Vec::new(), Vec::new(), 0);
        let (mut columns, mut forms) = (None, vec![None]);
        loop {
            text.clear();
            let read = (&mut file).take(LINE_BYTES).read_until(b'\n', &mut text)?;
            if read == 0 {
                return Ok((all, forms));
            }
            if all.len() >= LINES_MAX || forms.len() > FORMS_MAX {
                self.oddities
                    .note("length", "the lines from here on were not read; split the file", || at_byte(offset));
                return Ok((all, forms));
            }
            let seen = parse(String::from_utf8_lossy(&text).trim_end(), &mut columns).and_then(Seen::of);
            if columns != forms[forms.len() - 1] {
                forms.push(columns.clone());
            }
            match seen.map(|seen| (vet::fault(&seen.url, seen.time), seen)) {
                Some((None, seen)) => {
                    let (len, form) = (read as u32, forms.len() as u32 - 1);
                    all.push(Packed { time: seen.time, offset, len, form });
                }
                Some((Some(fault), seen)) => self.pass_over(fault, &seen.url, || at_byte(offset)),
                None => self.imported.passed_over += 1,
            }
            offset += read as u64;
        }
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
            gist: None,
            bytes: 0,
            validators: Validators::default(),
            max_age: None,
            links: Links::new(),
            robots: None,
            truncated: None,
            rendered: None,
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
            judgement: None,
            is_brief: false,
        };
        self.capture.note(before, &observed);
        self.imported.history += 1;
        self.commit_some()
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
