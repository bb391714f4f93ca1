//! The observation log as one Parquet file, for DataFusion, DuckDB, Spark and whatever else mines across sites: a line for
//! every visit, group by group, so that memory does not grow with the log.

use super::Selection;
use crate::{CaptureInfo, Error, LoggedVisit, LoggedVisits, Reading};
use parquet::{
    basic::{Compression, ZstdLevel},
    column::writer::ColumnWriter,
    data_type::ByteArray,
    file::{
        properties::WriterProperties,
        writer::{SerializedFileWriter, SerializedRowGroupWriter},
    },
    schema::parser::parse_message_type,
};
use std::{fs::File, io, path::Path, sync::Arc};
use tintype_vocab::{Change, Outcome, Purpose, Time};

/// Visits that are written at a time.
const GROUP: usize = 65_536;

/// What stands in one cell.
enum Cell {
    Text(Option<String>),
    Number(Option<i64>),
    Real(Option<f64>),
}

/// One visit with the capture it was made in.
struct Row<'a> {
    capture: &'a CaptureInfo,
    visit: &'a LoggedVisit,
}

/// A name, a type as Parquet writes it, and where the cell comes from.
type Column = (&'static str, &'static str, fn(&Row<'_>) -> Cell);

const TEXT: &str = "binary {} (STRING)";
const MOMENT: &str = "int64 {} (TIMESTAMP(MILLIS,true))";
const NUMBER: &str = "int64 {}";
const REAL: &str = "double {}";

const COLUMNS: &[Column] = &[
    ("site", TEXT, |row| text(&row.capture.head.site)),
    ("capture", TEXT, |row| text(row.capture.id.as_str())),
    ("kind", TEXT, |row| named(&row.capture.head.kind)),
    ("url", TEXT, |row| text(&row.visit.observation.url)),
    ("purpose", TEXT, |row| text(purpose(row.visit.observation.purpose))),
    ("asked", MOMENT, |row| moment(Some(row.visit.observation.asked))),
    ("answered", MOMENT, |row| moment(Some(row.visit.observation.answered))),
    ("outcome", TEXT, |row| text(outcome(&row.visit.observation.outcome))),
    ("status", NUMBER, |row| Cell::Number(status(&row.visit.observation.outcome))),
    ("location", TEXT, |row| Cell::Text(location(&row.visit.observation.outcome))),
    ("cause", TEXT, |row| Cell::Text(cause(&row.visit.observation.outcome))),
    ("change", TEXT, |row| Cell::Text(Some(change(row.visit.observation.change).to_owned()))),
    ("importance", REAL, |row| Cell::Real(importance(row.visit.observation.change))),
    ("digest", TEXT, |row| Cell::Text(row.visit.observation.digest.map(|digest| digest.to_string()))),
    ("media_type", TEXT, |row| Cell::Text(row.visit.observation.media_type.clone())),
    ("sniffed", TEXT, |row| Cell::Text(row.visit.observation.sniffed.clone())),
    ("bytes", NUMBER, |row| Cell::Number(Some(row.visit.observation.bytes.min(i64::MAX as u64) as i64))),
    ("etag", TEXT, |row| Cell::Text(row.visit.observation.validators.etag.clone())),
    ("last_modified", MOMENT, |row| moment(row.visit.observation.modified())),
    ("rate_per_day", REAL, |row| Cell::Real(Some(row.visit.observation.rate.per_day.into()))),
    ("truncated", TEXT, |row| Cell::Text(row.visit.observation.truncated.map(|why| why.as_str().to_owned()))),
    ("segment", TEXT, |row| Cell::Text(row.visit.place.as_ref().map(|place| place.segment.clone()))),
    ("offset", NUMBER, |row| Cell::Number(row.visit.place.as_ref().and_then(|place| i64::try_from(place.offset).ok()))),
    ("length", NUMBER, |row| Cell::Number(row.visit.place.as_ref().and_then(|place| i64::try_from(place.length).ok()))),
];

fn text(of: &str) -> Cell {
    Cell::Text(Some(of.to_owned()))
}

/// As it is written in logs.
fn named(of: &impl serde::Serialize) -> Cell {
    Cell::Text(serde_json::to_value(of).ok().and_then(|value| value.as_str().map(str::to_owned)))
}

fn moment(at: Option<Time>) -> Cell {
    Cell::Number(at.map(Time::as_millis))
}

fn purpose(of: Purpose) -> &'static str {
    match of {
        Purpose::Robots => "robots",
        Purpose::Probe => "probe",
        Purpose::Visit => "visit",
        Purpose::Revisit => "revisit",
    }
}

fn outcome(of: &Outcome) -> &'static str {
    match of {
        Outcome::Body { .. } => "body",
        Outcome::NotModified => "not-modified",
        Outcome::Redirected { .. } => "redirected",
        Outcome::Gone { .. } => "gone",
        Outcome::Refused { .. } => "refused",
        Outcome::Failed { .. } => "failed",
    }
}

fn status(of: &Outcome) -> Option<i64> {
    match *of {
        Outcome::Body { status }
        | Outcome::Redirected { status, .. }
        | Outcome::Gone { status }
        | Outcome::Refused { status, .. } => Some(status.into()),
        Outcome::NotModified => Some(304),
        Outcome::Failed { .. } => None,
    }
}

fn location(of: &Outcome) -> Option<String> {
    match of {
        Outcome::Redirected { to, .. } => Some(to.clone()),
        _ => None,
    }
}

fn cause(of: &Outcome) -> Option<String> {
    match of {
        Outcome::Failed { cause } => Some(cause.to_string()),
        _ => None,
    }
}

fn change(of: Change) -> &'static str {
    match of {
        Change::First => "first",
        Change::Same => "same",
        Change::New { .. } => "new",
        Change::Unknown => "unknown",
    }
}

fn importance(of: Change) -> Option<f64> {
    match of {
        Change::New { importance } => Some(importance.into()),
        _ => None,
    }
}

impl Reading {
    /// Writes what is selected of the log as a Parquet file, which has its name only once it is whole. Says how many visits.
    pub fn write_observations(&self, selection: &Selection, out: &Path) -> Result<u64, Error> {
        let part = out.with_extension("parquet.part");
        match self.observations_to(selection, &part) {
            Ok(visits) => {
                std::fs::rename(&part, out).map_err(Error::io("write", out))?;
                Ok(visits)
            }
            Err(error) => {
                // Half a table is of no use to anybody.
                let _ = std::fs::remove_file(&part);
                Err(error)
            }
        }
    }

    fn observations_to(&self, selection: &Selection, part: &Path) -> Result<u64, Error> {
        let failed = |error: parquet::errors::ParquetError| Error::io("write", part)(io::Error::other(error));
        let mut table = Table::new(File::create(part).map_err(Error::io("write", part))?).map_err(failed)?;
        for capture in self.captures()?.iter().filter(|capture| selection.wants(capture)) {
            for visit in LoggedVisits::open(capture, 0)? {
                let visit = visit?;
                if selection.holds(visit.observation.asked) {
                    table.add(&Row { capture, visit: &visit }).map_err(failed)?;
                }
            }
        }
        table.finish().map_err(failed)
    }
}

/// Cells of one column that wait to be written, and which of its rows have none.
#[derive(Default)]
struct Waiting {
    texts: Vec<ByteArray>,
    numbers: Vec<i64>,
    reals: Vec<f64>,
    levels: Vec<i16>,
}

struct Table {
    writer: SerializedFileWriter<File>,
    waiting: Vec<Waiting>,
    rows: u64,
}

impl Table {
    fn new(file: File) -> parquet::errors::Result<Table> {
        let columns = COLUMNS.iter().map(|(name, kind, _)| format!("optional {};", kind.replace("{}", name)));
        let schema = format!("message observation {{ {} }}", columns.collect::<String>());
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()));
        let properties = properties.set_created_by(format!("tintype {}", env!("CARGO_PKG_VERSION"))).build();
        let schema = Arc::new(parse_message_type(&schema)?);
        let waiting = COLUMNS.iter().map(|_| Waiting::default()).collect();
        Ok(Table { writer: SerializedFileWriter::new(file, schema, Arc::new(properties))?, waiting, rows: 0 })
    }

    fn add(&mut self, row: &Row<'_>) -> parquet::errors::Result<()> {
        for ((_, _, cell), waiting) in COLUMNS.iter().zip(&mut self.waiting) {
            let is_there = match cell(row) {
                Cell::Text(text) => keep(&mut waiting.texts, text.map(|text| ByteArray::from(text.into_bytes()))),
                Cell::Number(number) => keep(&mut waiting.numbers, number),
                Cell::Real(real) => keep(&mut waiting.reals, real),
            };
            waiting.levels.push(i16::from(is_there));
        }
        self.rows += 1;
        if self.rows.is_multiple_of(GROUP as u64) { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> parquet::errors::Result<()> {
        let mut group = self.writer.next_row_group()?;
        for waiting in &mut self.waiting {
            write_column(&mut group, &std::mem::take(waiting))?;
        }
        group.close()?;
        Ok(())
    }

    fn finish(mut self) -> parquet::errors::Result<u64> {
        if !self.rows.is_multiple_of(GROUP as u64) {
            self.write()?;
        }
        let file = self.writer.into_inner()?;
        file.sync_all()?;
        Ok(self.rows)
    }
}

fn keep<T>(kept: &mut Vec<T>, cell: Option<T>) -> bool {
    let is_there = cell.is_some();
    kept.extend(cell);
    is_there
}

fn write_column(group: &mut SerializedRowGroupWriter<'_, File>, waiting: &Waiting) -> parquet::errors::Result<()> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let levels = Some(&waiting.levels[..]);
    match column.untyped() {
        ColumnWriter::ByteArrayColumnWriter(writer) => writer.write_batch(&waiting.texts, levels, None)?,
        ColumnWriter::Int64ColumnWriter(writer) => writer.write_batch(&waiting.numbers, levels, None)?,
        ColumnWriter::DoubleColumnWriter(writer) => writer.write_batch(&waiting.reals, levels, None)?,
        _ => unreachable!("every column is one of these"),
    };
    column.close()
}
