//! A source as two tables: its objects, and when somebody looked.

use super::{Refused, Source, SourceFindings, Unsound, sizes};
use crate::recorded::{
    Fault, Malformed,
    rows::{Row, Rows},
    shown, time_of, unzipped,
};
use std::{fs::File, io::Read, path::Path};
use tintype_vocab::{Life, Time};

/// Longer tables are refused.
pub const LIVES_MAX: usize = 5_000_000;
pub const LOOKS_MAX: usize = 1_000_000;
/// Identifiers and attributes of all objects together.
pub const TEXT_BYTES_MAX: usize = 1 << 30;

/// Columns of the table of objects that have a meaning of their own; all others are attributes.
const LIFE: [&str; 6] = ["object_id", "first_seen", "last_seen", "left_censored", "right_censored", "updates"];

/// Names of the tables, in the order in which they are looked for.
const OBJECTS: [&str; 2] = ["objects.csv.gz", "objects.csv"];
const LOOKS: [&str; 2] = ["snapshots.csv.gz", "snapshots.csv"];

impl Source {
    /// The source in a directory: `objects.csv.gz` and, where it is known when somebody looked, `snapshots.csv.gz`.
    pub fn read(directory: &Path) -> Result<Source, Refused> {
        let found = |names: &[&str]| names.iter().map(|name| directory.join(name)).find(|path| path.exists());
        let objects = found(&OBJECTS).unwrap_or_else(|| directory.join(OBJECTS[0]));
        Source::read_tables(&objects, found(&LOOKS).as_deref())
    }

    /// The source in these files.
    pub fn read_tables(objects: &Path, looks: Option<&Path>) -> Result<Source, Refused> {
        let malformed = |path: &Path| {
            let path = path.to_owned();
            move |source| Refused::Malformed { path, source }
        };
        let (attributes, lives) = read_lives(open(objects)?).map_err(malformed(objects))?;
        let looks = match looks {
            Some(path) => Some(read_looks(open(path)?).map_err(malformed(path))?),
            None => None,
        };
        of_tables(attributes, lives, looks).map_err(|source| Refused::Unsound { path: objects.to_owned(), source })
    }
}

fn open(path: &Path) -> Result<File, Refused> {
    tintype_archive::open_given(path).map_err(|source| Refused::Unreadable { path: path.to_owned(), source })
}

/// A look, and how many objects it is said to have found.
type Look = (Time, Option<u32>);

fn of_tables(attributes: Vec<String>, lives: Vec<Life>, looks: Option<Vec<Look>>) -> Result<Source, Unsound> {
    let looks_unknown = looks.is_none();
    let looks = looks.unwrap_or_else(|| seen_times(&lives));
    let times: Vec<Time> = looks.iter().map(|(at, _)| *at).collect();
    let counted = sizes(&lives, &times);
    let differs = |((_, stated), counted): &(&Look, &u32)| stated.is_some_and(|stated| stated != **counted);
    let miscounted = looks.iter().zip(&counted).filter(differs).count();
    let source = Source::new(attributes, lives, times)?;
    let findings = SourceFindings { miscounted, looks_unknown, ..source.findings.clone() };
    Ok(Source { findings, ..source })
}

fn seen_times(lives: &[Life]) -> Vec<Look> {
    let mut times: Vec<Time> = lives.iter().flat_map(|life| [life.first_seen, life.last_seen]).collect();
    times.sort_unstable();
    times.dedup();
    times.into_iter().map(|at| (at, None)).collect()
}

/// Reads a table of objects, plain or gzip: `object_id,first_seen,last_seen,left_censored,right_censored,updates` in any
/// order, and attributes under any other names. Times are unix seconds or RFC 3339. Returns the names of the attributes
/// too.
pub fn read_lives(input: impl Read) -> Result<(Vec<String>, Vec<Life>), Malformed> {
    let mut rows = Rows::new(plain(input)?);
    let header = rows.next()?.ok_or_else(|| missing(LIFE[0]))?;
    let columns = Columns::of(&header)?;
    let (mut lives, mut bytes) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let refuse = |what| Malformed { line: row.line, what };
        let life = columns.life(&row).map_err(refuse)?;
        bytes += life.id.len() + life.attributes.iter().map(String::len).sum::<usize>();
        if lives.len() == LIVES_MAX || bytes > TEXT_BYTES_MAX {
            return Err(refuse(Fault::TooMuch));
        }
        lives.push(life);
    }
    Ok((columns.attributes.into_iter().map(|(_, name)| name).collect(), lives))
}

/// Reads a table of looks, plain or gzip, of which `time` and, if it is there, `objects` are used. Rows are in order of
/// time.
pub fn read_looks(input: impl Read) -> Result<Vec<(Time, Option<u32>)>, Malformed> {
    read_looks_up_to(LOOKS_MAX, input)
}

pub(super) fn read_looks_up_to(looks_max: usize, input: impl Read) -> Result<Vec<Look>, Malformed> {
    let mut rows = Rows::new(plain(input)?);
    let header = rows.next()?.ok_or_else(|| missing("time"))?;
    let count = header.len();
    let time = place(&header, "time").ok_or_else(|| missing("time"))?;
    let objects = place(&header, "objects");
    let mut looks: Vec<Look> = Vec::new();
    while let Some(row) = rows.next()? {
        let refuse = |what| Malformed { line: row.line, what };
        let look = look(&row, count, time, objects, looks.last()).map_err(refuse)?;
        if looks.len() == looks_max {
            return Err(refuse(Fault::TooMuch));
        }
        looks.push(look);
    }
    Ok(looks)
}

fn look(row: &Row<'_>, count: usize, time: usize, objects: Option<usize>, last: Option<&Look>) -> Result<Look, Fault> {
    check_fields(row, count)?;
    let at = time_of(row.field(time))?;
    if last.is_some_and(|(last, _)| at <= *last) {
        return Err(Fault::NotLater);
    }
    Ok((at, objects.map(|place| count_of(row.field(place))).transpose()?))
}

fn plain<'a>(input: impl Read + 'a) -> Result<Box<dyn Read + 'a>, Malformed> {
    unzipped(input).map_err(|error| Malformed { line: 1, what: Fault::Read(error) })
}

fn missing(name: &'static str) -> Malformed {
    Malformed { line: 1, what: Fault::MissingColumn(name) }
}

/// Spreadsheets begin their files with a byte order mark.
fn name<'a>(header: &Row<'a>, place: usize) -> &'a str {
    header.field(place).trim_start_matches('\u{feff}').trim()
}

fn place(header: &Row<'_>, wanted: &str) -> Option<usize> {
    (0..header.len()).find(|&place| name(header, place) == wanted)
}

fn check_fields(row: &Row<'_>, expected: usize) -> Result<(), Fault> {
    if row.len() == expected { Ok(()) } else { Err(Fault::Fields { expected, found: row.len() }) }
}

/// Where the columns stand.
struct Columns {
    /// Of each of [`LIFE`].
    places: [usize; LIFE.len()],
    attributes: Vec<(usize, String)>,
    count: usize,
}

impl Columns {
    fn of(header: &Row<'_>) -> Result<Columns, Malformed> {
        let mut places = [0; LIFE.len()];
        for (found, wanted) in places.iter_mut().zip(LIFE) {
            *found = place(header, wanted).ok_or_else(|| missing(wanted))?;
        }
        let others = (0..header.len()).filter(|place| !places.contains(place));
        let attributes = others.map(|place| (place, name(header, place).to_owned())).collect();
        Ok(Columns { places, attributes, count: header.len() })
    }

    fn life(&self, row: &Row<'_>) -> Result<Life, Fault> {
        check_fields(row, self.count)?;
        let [id, first, last, left, right, updates] = self.places.map(|place| row.field(place));
        if id.is_empty() {
            return Err(Fault::NoId);
        }
        let (first_seen, last_seen) = (time_of(first)?, time_of(last)?);
        if last_seen < first_seen {
            return Err(Fault::NegativeLife);
        }
        Ok(Life {
            id: id.to_owned(),
            first_seen,
            last_seen,
            left_censored: flag_of(left)?,
            right_censored: flag_of(right)?,
            updates: count_of(updates)?,
            attributes: self.attributes.iter().map(|(place, _)| row.field(*place).to_owned()).collect(),
        })
    }
}

fn flag_of(text: &str) -> Result<bool, Fault> {
    match text {
        "0" | "false" => Ok(false),
        "1" | "true" => Ok(true),
        _ => Err(Fault::Flag(shown(text))),
    }
}

fn count_of(text: &str) -> Result<u32, Fault> {
    text.parse().map_err(|_| Fault::Count(shown(text)))
}
