//! The table of events: what happened to which page, and when.

use super::{
    malformed::{Fault, Malformed, shown},
    rows::{Row, Rows},
    unzip::unzipped,
};
use crate::{EventKind, History, Recorder};
use std::{io::Read, ops::Range};
use tintype_vocab::Time;

/// The longest path that still makes a URL the scheduler takes, whatever the site is called.
pub const PATH_BYTES_MAX: usize = 4096;
/// From 1970 to 2200: what lies outside is a number of something else than seconds.
const TIMES: Range<Time> = Time::from_secs(0)..Time::from_secs(7_258_118_400);

const NAMES: [&str; 6] = ["time", "path", "kind", "size", "sha1", "media_type"];

/// Reads a table with the columns `time,path,kind,size,sha1,media_type`, in any order and beside any others, plain or
/// gzip. `time` is unix seconds or RFC 3339, `kind` is A, M or D, `sha1` the hexadecimal digest of the new body (a few
/// digits of it do). Rows are in order of time. Several of one page in the same second are taken in their order: all
/// but the last of them are over at once, and no visit can see them.
pub fn read_events(input: impl Read) -> Result<History, Malformed> {
    let input = unzipped(input).map_err(|error| Malformed { line: 1, what: Fault::Read(error) })?;
    let mut rows = Rows::new(input);
    let missing = |name| Malformed { line: 1, what: Fault::MissingColumn(name) };
    let header = rows.next()?.ok_or(missing(NAMES[0]))?;
    let columns = Columns::of(&header).map_err(missing)?;
    let mut recorder = Recorder::default();
    while let Some(row) = rows.next()? {
        columns.record(&row, &mut recorder).map_err(|what| Malformed { line: row.line, what })?;
    }
    Ok(recorder.finish())
}

/// Where the columns stand.
struct Columns {
    /// Of each of [`NAMES`].
    places: [usize; NAMES.len()],
    /// Columns in all.
    count: usize,
}

impl Columns {
    /// Or the name of one that is missing.
    fn of(header: &Row<'_>) -> Result<Columns, &'static str> {
        // Spreadsheets begin their files with a byte order mark.
        let name = |place: usize| header.field(place).trim_start_matches('\u{feff}').trim();
        let mut places = [0; NAMES.len()];
        for (place, wanted) in places.iter_mut().zip(NAMES) {
            *place = (0..header.len()).find(|&place| name(place) == wanted).ok_or(wanted)?;
        }
        Ok(Columns { places, count: header.len() })
    }

    fn record(&self, row: &Row<'_>, recorder: &mut Recorder) -> Result<(), Fault> {
        if row.len() != self.count {
            return Err(Fault::Fields { expected: self.count, found: row.len() });
        }
        let [time, path, kind, size, sha1, media_type] = self.places.map(|place| row.field(place));
        let (at, kind) = (time_of(time)?, kind_of(kind)?);
        check_path(path)?;
        let (size, digest) = match kind {
            EventKind::Deleted => (0, 0),
            EventKind::Added | EventKind::Modified => (size_of(size)?, digest_of(sha1, row.line)),
        };
        recorder.record(at, path, kind, size, digest, media_type).map_err(Fault::Impossible)
    }
}

pub(crate) fn time_of(text: &str) -> Result<Time, Fault> {
    let time = match text.parse::<i64>() {
        Ok(seconds) => Time::from_secs(seconds),
        Err(_) => Time::parse_rfc3339(text).map_err(|_| Fault::Time(shown(text)))?,
    };
    if TIMES.contains(&time) { Ok(time) } else { Err(Fault::TimeOutOfRange(shown(text))) }
}

fn kind_of(text: &str) -> Result<EventKind, Fault> {
    match text {
        "A" => Ok(EventKind::Added),
        "M" => Ok(EventKind::Modified),
        "D" => Ok(EventKind::Deleted),
        _ => Err(Fault::EventKind(shown(text))),
    }
}

fn check_path(path: &str) -> Result<(), Fault> {
    if path.len() > PATH_BYTES_MAX {
        Err(Fault::PathTooLong)
    } else if path.starts_with('/') && !path.bytes().any(|byte| byte.is_ascii_control()) {
        Ok(())
    } else {
        Err(Fault::Path(shown(path)))
    }
}

fn size_of(text: &str) -> Result<u64, Fault> {
    text.parse().map_err(|_| Fault::Size(shown(text)))
}

/// The first eight bytes of a digest, zeroes for digits that were cut off. It only tells versions apart, so a name that
/// is no hexadecimal number does as well, and a version without one is unlike all others.
fn digest_of(text: &str, line: u64) -> u64 {
    let hash = rapidhash::v3::rapidhash_v3;
    let digits = &text.as_bytes()[..text.len().min(16)];
    let value = digits.iter().try_fold(0u64, |value, &digit| Some(value << 4 | u64::from(hex(digit)?)));
    match value {
        _ if digits.is_empty() => hash(&line.to_be_bytes()),
        Some(value) => value << (4 * (16 - digits.len())),
        None => hash(text.as_bytes()),
    }
}

fn hex(digit: u8) -> Option<u32> {
    char::from(digit).to_digit(16)
}
