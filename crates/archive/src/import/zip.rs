//! As much of ZIP as packages need: the central directory, members stored or deflated.

use flate2::read::DeflateDecoder;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
};

/// The directory's end stands in the last bytes of the file, before a comment of at most 64 KiB.
const END_BYTES: u64 = (64 << 10) + 22 + 20;
/// A directory larger than this is not read.
const DIRECTORY_MAX: u64 = 64 << 20;

/// One file in a package.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    deflated: bool,
    header: u64,
    length: u64,
}

/// The members of a ZIP file; nothing if it has no readable directory.
pub(super) fn entries(file: &File) -> io::Result<Option<Vec<Member>>> {
    let len = file.metadata()?.len();
    let start = len.saturating_sub(END_BYTES);
    let tail = read_at(file, start, len - start)?;
    let Some((offset, size)) = directory(file, &tail)? else { return Ok(None) };
    if size > DIRECTORY_MAX || offset.checked_add(size).is_none_or(|end| end > len) {
        return Ok(None);
    }
    let directory = read_at(file, offset, size)?;
    Ok(members(&directory))
}

fn read_at(mut file: &File, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A little-endian number; 0 beyond the end, which no caller mistakes for a member.
fn number(bytes: &[u8], at: usize, count: usize) -> u64 {
    let field = bytes.get(at..at + count).unwrap_or_default();
    field.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// Where the directory is and how long.
fn directory(file: &File, tail: &[u8]) -> io::Result<Option<(u64, u64)>> {
    let Some(end) = tail.windows(4).rposition(|window| window == b"PK\x05\x06") else { return Ok(None) };
    let (size, offset) = (number(tail, end + 12, 4), number(tail, end + 16, 4));
    if offset != 0xffff_ffff && size != 0xffff_ffff {
        return Ok(Some((offset, size)));
    }
    let Some(locator) = end.checked_sub(20).filter(|at| tail[*at..].starts_with(b"PK\x06\x07")) else {
        return Ok(None);
    };
    let large = read_at(file, number(tail, locator + 8, 8), 56)?;
    Ok(large.starts_with(b"PK\x06\x06").then(|| (number(&large, 48, 8), number(&large, 40, 8))))
}

fn members(directory: &[u8]) -> Option<Vec<Member>> {
    let (mut members, mut at) = (Vec::new(), 0);
    while let Some(entry) = directory.get(at..).filter(|entry| entry.starts_with(b"PK\x01\x02")) {
        let (name_len, extra_len) = (number(entry, 28, 2) as usize, number(entry, 30, 2) as usize);
        let name = entry.get(46..46 + name_len)?;
        let extra = entry.get(46 + name_len..46 + name_len + extra_len)?;
        let plain_len = number(entry, 24, 4);
        let (mut length, mut header) = (number(entry, 20, 4), number(entry, 42, 4));
        large_numbers(extra, plain_len, &mut length, &mut header);
        let method = number(entry, 10, 2);
        if method == 0 || method == 8 {
            let name = String::from_utf8_lossy(name).into_owned();
            members.push(Member { name, deflated: method == 8, header, length });
        }
        at += 46 + name_len + extra_len + number(entry, 32, 2) as usize;
    }
    Some(members)
}

/// Sizes and offsets that do not fit 32 bits stand in an extra field, in this order, if they are needed.
fn large_numbers(extra: &[u8], plain_len: u64, length: &mut u64, header: &mut u64) {
    let mut at = 0;
    while at + 4 <= extra.len() {
        let size = number(extra, at + 2, 2) as usize;
        if number(extra, at, 2) == 1 {
            let mut field = at + 4;
            if plain_len == 0xffff_ffff {
                field += 8;
            }
            for value in [length, header] {
                if *value == 0xffff_ffff {
                    *value = number(extra, field, 8);
                    field += 8;
                }
            }
            return;
        }
        at += 4 + size;
    }
}

impl Member {
    /// The bytes of the member.
    pub(super) fn open(&self, file: &File) -> io::Result<Box<dyn Read>> {
        let head = read_at(file, self.header, 30)?;
        if !head.starts_with(b"PK\x03\x04") {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a ZIP member is not where the directory says"));
        }
        let start = self.header + 30 + number(&head, 26, 2) + number(&head, 28, 2);
        let mut file = file.try_clone()?;
        file.seek(SeekFrom::Start(start))?;
        let stored = io::BufReader::with_capacity(256 << 10, file.take(self.length));
        Ok(if self.deflated { Box::new(DeflateDecoder::new(stored)) } else { Box::new(stored) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write;

    fn package() -> Vec<u8> {
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/py-wacz.wacz")).unwrap()
    }

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[test]
    fn members_of_a_package_are_found_stored_and_deflated() {
        let file = file(&package());
        let members = entries(&file).unwrap().unwrap();
        let names: Vec<_> = members.iter().map(|member| member.name.as_str()).collect();
        assert!(names.contains(&"archive/warcio.warc.gz") && names.contains(&"datapackage.json"), "{names:?}");
        let member = members.iter().find(|member| member.name == "datapackage.json").unwrap();
        let mut text = String::new();
        member.open(&file).unwrap().read_to_string(&mut text).unwrap();
        assert!(text.trim_start().starts_with('{'));
    }

    proptest! {
        #[test]
        fn no_damage_makes_it_panic_or_grow(at in 0usize..7000, bytes in prop::collection::vec(any::<u8>(), 1..30)) {
            let mut package = package();
            let at = at % (package.len() - bytes.len());
            package[at..at + bytes.len()].copy_from_slice(&bytes);
            let file = file(&package);
            for member in entries(&file).unwrap().unwrap_or_default() {
                if let Ok(reader) = member.open(&file) {
                    let _ = reader.take(1 << 20).read_to_end(&mut Vec::new());
                }
            }
        }
    }
}
