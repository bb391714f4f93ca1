//! The sound records of a damaged segment, written again.

use super::replace::{draft, put_in_place};
use crate::{Error, collection::Shared, disk::Append, door, log::Place};
use hashbrown::{HashMap, HashSet};
use std::{
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};
use tintype_vocab::Digest;
use tintype_warc::{
    Encoder, Extent, Header, Problem, Reader,
    digest::{Checker, sha1},
    http::Head,
};

/// Where the records of a rewritten segment went, by their old offsets, and where there were bytes that are no record.
#[derive(Debug, Default)]
pub(super) struct Moved {
    pub(super) records: HashMap<u64, MovedRecord>,
    pub(super) gaps: HashSet<u64>,
}

/// A record that was written again.
#[derive(Debug)]
pub(super) struct MovedRecord {
    pub(super) place: Place,
    /// What its payload is by its bytes, where its header said otherwise.
    pub(super) payload: Option<Digest>,
}

/// Keeps what can be read and states the digests it has. Offsets change, so the log is to be told.
pub(super) fn rewrite(shared: &Shared, name: &str) -> Result<Moved, Error> {
    let path = shared.layout.segment(name);
    let draft = draft(shared, &path)?;
    let mut file = shared.disk.append(&draft).map_err(Error::io("create", &draft))?;
    let moved = copy(&path, name, file.as_mut()).map_err(Error::io("repair", &path))?;
    file.sync().map_err(Error::io("sync", &draft))?;
    drop(file);
    put_in_place(shared, &draft, &path)?;
    Ok(moved)
}

fn copy(path: &Path, name: &str, file: &mut dyn Append) -> io::Result<Moved> {
    let mut reader = Reader::new(door::open_file(path)?);
    let (mut encoder, mut out) = (Encoder::default(), Vec::new());
    let (mut moved, mut end, mut old_end) = (Moved::default(), 0, 0);
    while let Some(mut record) = reader.next()? {
        let offset = record.offset;
        let mut payload = None;
        let extent = record.extent()?;
        if offset != old_end {
            moved.gaps.insert(old_end);
        }
        old_end = extent.map_or(offset, |extent| extent.offset + extent.length);
        let length = if record.is_whole() {
            out.clear();
            let header = with_true_digests(record.header, record.block());
            if header.payload_digest() != record.header.payload_digest() {
                payload = header.payload_digest().and_then(|text| text.parse().ok());
            }
            encoder.encode(&header, &[record.block()], &mut out);
            file.append(&out)?;
            out.len() as u64
        } else {
            // Larger than memory: copied as it is stored, if it is whole.
            let Some(extent) = extent else { continue };
            copy_stored(path, extent, file)?;
            extent.length
        };
        let place = Place { segment: name.to_owned(), offset: end, length };
        moved.records.insert(offset, MovedRecord { place, payload });
        end += length;
    }
    if old_end != door::len(path)? {
        moved.gaps.insert(old_end);
    }
    Ok(moved)
}

fn copy_stored(path: &Path, extent: Extent, to: &mut dyn Append) -> io::Result<()> {
    let mut file = door::open_file(path)?;
    file.seek(SeekFrom::Start(extent.offset))?;
    let mut rest = file.take(extent.length);
    let mut buffer = vec![0; 1 << 20];
    loop {
        match rest.read(&mut buffer)? {
            0 => return Ok(()),
            count => to.append(&buffer[..count])?,
        }
    }
}

/// The header with digests that are wrong for this block put right.
fn with_true_digests(header: &Header, block: &[u8]) -> Header {
    let mut checker = Checker::new(header, block);
    checker.update(block);
    let wrong: Vec<Problem> = checker.finish().collect();
    let is_wrong = |name: &str| {
        let same =
            |problem: &Problem| matches!(problem, Problem::WrongDigest { field } if field.eq_ignore_ascii_case(name));
        wrong.iter().any(same)
    };
    let mut new = Header::new();
    for (name, value) in header.iter() {
        if !is_wrong(name) {
            new.push(name, value);
        } else if name.eq_ignore_ascii_case("WARC-Block-Digest") {
            new.push(name, &sha1(block).to_string());
        } else {
            let body = Head::parse(block).map_or(0, |head| head.len);
            new.push(name, &sha1(&block[body..]).to_string());
        }
    }
    new
}
