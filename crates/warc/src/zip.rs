//! As much of ZIP as web archive packages use: stored and deflated members, ZIP64, random access.

use std::{
    fmt,
    io::{self, Read, Seek, SeekFrom, Write},
};

/// The largest central directory that is read.
pub const DIRECTORY_BYTES_MAX: u64 = 64 << 20;
const END_BYTES: usize = 22;
const COMMENT_MAX: usize = 65_535;
const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;
/// Sizes and offsets from here on are written the ZIP64 way.
const LARGE: u64 = 0xffff_ffff;

/// Why a file is not a package we can read.
#[derive(Debug)]
pub enum ZipError {
    Io(io::Error),
    /// Not a ZIP file, or its directory is damaged.
    Malformed(&'static str),
    /// A directory or member larger than the limit given.
    TooLarge,
    /// Encrypted, or compressed in a way packages do not use.
    Unsupported,
}

impl From<io::Error> for ZipError {
    fn from(error: io::Error) -> ZipError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => ZipError::Malformed("it ends too early"),
            _ => ZipError::Io(error),
        }
    }
}

impl fmt::Display for ZipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ZipError::Io(error) => error.fmt(f),
            ZipError::Malformed(why) => write!(f, "not a sound ZIP file: {why}"),
            ZipError::TooLarge => f.write_str("larger than what is read"),
            ZipError::Unsupported => f.write_str("encrypted or compressed in an unusual way"),
        }
    }
}

impl std::error::Error for ZipError {}

/// A member as the central directory describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub deflated: bool,
    /// Bytes in the file.
    pub stored: u64,
    /// Bytes once inflated.
    pub size: u64,
    pub crc32: u32,
    /// Where its local header starts.
    header: u64,
}

/// Fixed-width little-endian numbers from the front of a slice.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], ZipError> {
        let (head, rest) = self.0.split_at_checked(count).ok_or(ZipError::Malformed("a header ends too early"))?;
        self.0 = rest;
        Ok(head)
    }

    fn number(&mut self, bytes: usize) -> Result<u64, ZipError> {
        Ok(self.take(bytes)?.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
    }
}

/// Reads the list of members.
pub fn directory<R: Read + Seek>(file: &mut R) -> Result<Vec<Member>, ZipError> {
    let (start, len) = directory_place(file)?;
    if len > DIRECTORY_BYTES_MAX {
        return Err(ZipError::TooLarge);
    }
    let bytes = read_at(file, start, len as usize)?;
    let (mut fields, mut members) = (Fields(&bytes), Vec::new());
    while fields.0.len() >= 46 {
        members.push(directory_entry(&mut fields)?);
    }
    Ok(members)
}

fn directory_place<R: Read + Seek>(file: &mut R) -> Result<(u64, u64), ZipError> {
    let size = file.seek(SeekFrom::End(0))?;
    let tail_len = size.min((END_BYTES + COMMENT_MAX) as u64);
    let tail = read_at(file, size - tail_len, tail_len as usize)?;
    let at = memchr::memmem::rfind(&tail, &END.to_le_bytes()).ok_or(ZipError::Malformed("no directory"))?;
    let mut fields = Fields(&tail[at..]);
    fields.take(12)?;
    let (len, start, _comment) = (fields.number(4)?, fields.number(4)?, fields.number(2)?);
    if len != LARGE && start != LARGE {
        return Ok((start, len));
    }
    let locator =
        at.checked_sub(20).map(|locator| &tail[locator..at]).ok_or(ZipError::Malformed("no ZIP64 locator"))?;
    let mut fields = Fields(locator);
    if fields.number(4)? != u64::from(LOCATOR64) {
        return Err(ZipError::Malformed("no ZIP64 locator"));
    }
    fields.take(4)?;
    let end = read_at(file, fields.number(8)?, 56)?;
    let mut fields = Fields(&end);
    if fields.number(4)? != u64::from(END64) {
        return Err(ZipError::Malformed("no ZIP64 directory"));
    }
    fields.take(36)?;
    let len = fields.number(8)?;
    Ok((fields.number(8)?, len))
}

fn directory_entry(fields: &mut Fields<'_>) -> Result<Member, ZipError> {
    if fields.number(4)? != u64::from(CENTRAL) {
        return Err(ZipError::Malformed("a directory entry is damaged"));
    }
    fields.take(4)?;
    let (flags, method) = (fields.number(2)?, fields.number(2)?);
    fields.take(4)?;
    let (crc32, stored, size) = (fields.number(4)? as u32, fields.number(4)?, fields.number(4)?);
    let (name, extra, comment) = (fields.number(2)?, fields.number(2)?, fields.number(2)?);
    fields.take(8)?;
    let header = fields.number(4)?;
    let name = String::from_utf8_lossy(fields.take(name as usize)?).into_owned();
    let extra = fields.take(extra as usize)?;
    fields.take(comment as usize)?;
    if flags & 1 != 0 || !matches!(method, 0 | 8) {
        return Err(ZipError::Unsupported);
    }
    let mut member = Member { name, deflated: method == 8, stored, size, crc32, header };
    widen(&mut member, extra)?;
    Ok(member)
}

/// Replaces numbers that did not fit by those of the ZIP64 extra field.
fn widen(member: &mut Member, extra: &[u8]) -> Result<(), ZipError> {
    let mut fields = Fields(extra);
    while fields.0.len() >= 4 {
        let (id, len) = (fields.number(2)?, fields.number(2)?);
        let mut body = Fields(fields.take(len as usize)?);
        if id == 1 {
            for number in [&mut member.size, &mut member.stored, &mut member.header] {
                if *number == LARGE {
                    *number = body.number(8)?;
                }
            }
        }
    }
    Ok(())
}

fn read_at<R: Read + Seek>(file: &mut R, at: u64, len: usize) -> Result<Vec<u8>, ZipError> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(len as u64).read_to_end(&mut bytes)?;
    if bytes.len() == len { Ok(bytes) } else { Err(ZipError::Malformed("it ends too early")) }
}

impl Member {
    /// Where the member's stored bytes start in the file; with `stored`, the range to ask a server for.
    pub fn data_start<R: Read + Seek>(&self, file: &mut R) -> Result<u64, ZipError> {
        let local = read_at(file, self.header, 30)?;
        let mut fields = Fields(&local);
        if fields.number(4)? != u64::from(LOCAL) {
            return Err(ZipError::Malformed("a member is not where the directory says"));
        }
        fields.take(22)?;
        let (name, extra) = (fields.number(2)?, fields.number(2)?);
        self.header.checked_add(30 + name + extra).ok_or(ZipError::Malformed("an offset is absurd"))
    }

    /// The member's bytes as a stream, inflated if need be.
    pub fn open<'a, R: Read + Seek>(&self, file: &'a mut R) -> Result<Box<dyn Read + 'a>, ZipError> {
        let start = self.data_start(file)?;
        file.seek(SeekFrom::Start(start))?;
        let stored = file.take(self.stored);
        Ok(if self.deflated { Box::new(flate2::read::DeflateDecoder::new(stored)) } else { Box::new(stored) })
    }

    /// The whole member, checked against its checksum, if it has no more than `limit` bytes.
    pub fn read<R: Read + Seek>(&self, file: &mut R, limit: usize) -> Result<Vec<u8>, ZipError> {
        let mut bytes = Vec::new();
        self.open(file)?.take(limit as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() > limit {
            return Err(ZipError::TooLarge);
        }
        if crc32fast::hash(&bytes) != self.crc32 {
            return Err(ZipError::Malformed("a checksum is wrong"));
        }
        Ok(bytes)
    }
}

/// Writes a ZIP file of stored members, ZIP64 where sizes ask for it.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    at: u64,
    members: Vec<Member>,
}

impl<W: Write + Seek> Writer<W> {
    pub fn new(out: W) -> Writer<W> {
        Writer { out, at: 0, members: Vec::new() }
    }

    /// Adds a member of exactly `len` bytes. The checksum is put into its header once the bytes have gone by.
    pub fn add(&mut self, name: &str, content: &mut dyn Read, len: u64) -> io::Result<()> {
        let mut member =
            Member { name: name.to_owned(), deflated: false, stored: len, size: len, crc32: 0, header: self.at };
        let header = local_header(&member);
        self.out.write_all(&header)?;
        let mut hashed = Hashed { inner: content, crc: crc32fast::Hasher::new() };
        let copied = io::copy(&mut (&mut hashed).take(len), &mut self.out)?;
        if copied != len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        member.crc32 = hashed.crc.finalize();
        self.at += header.len() as u64 + len;
        self.out.seek(SeekFrom::Start(member.header))?;
        self.out.write_all(&local_header(&member))?;
        self.out.seek(SeekFrom::Start(self.at))?;
        self.members.push(member);
        Ok(())
    }

    /// Writes the directory and hands back what was written to.
    pub fn finish(mut self) -> io::Result<W> {
        let mut directory = Vec::new();
        self.members.iter().for_each(|member| central_header(member, &mut directory));
        self.out.write_all(&directory)?;
        self.out.write_all(&directory_end(self.members.len() as u64, directory.len() as u64, self.at))?;
        self.out.flush()?;
        Ok(self.out)
    }
}

struct Hashed<'a> {
    inner: &'a mut dyn Read,
    crc: crc32fast::Hasher,
}

impl Read for Hashed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.crc.update(&buffer[..count]);
        Ok(count)
    }
}

/// 1980-01-01, the earliest a ZIP file can say: packages must not depend on the clock.
const DOS_TIME: u32 = 0x0021_0000;
/// Names are UTF-8.
const FLAGS: u16 = 0x0800;

fn clipped(number: u64) -> [u8; 4] {
    (number.min(LARGE) as u32).to_le_bytes()
}

/// The ZIP64 extra field for those numbers that do not fit.
fn extra(numbers: &[u64]) -> Vec<u8> {
    let wide: Vec<u8> = numbers.iter().filter(|n| **n >= LARGE).flat_map(|n| n.to_le_bytes()).collect();
    if wide.is_empty() {
        return wide;
    }
    [&1u16.to_le_bytes()[..], &(wide.len() as u16).to_le_bytes(), &wide].concat()
}

/// The fields local and central headers share, from the version needed to the length of the extra field.
fn shared(member: &Member, extra_len: usize, out: &mut Vec<u8>) {
    let needed: u16 = if extra_len > 0 { 45 } else { 20 };
    out.extend_from_slice(&needed.to_le_bytes());
    out.extend_from_slice(&FLAGS.to_le_bytes());
    out.extend_from_slice(&[0, 0]);
    out.extend_from_slice(&DOS_TIME.to_le_bytes());
    out.extend_from_slice(&member.crc32.to_le_bytes());
    out.extend_from_slice(&clipped(member.stored));
    out.extend_from_slice(&clipped(member.size));
    out.extend_from_slice(&(member.name.len() as u16).to_le_bytes());
    out.extend_from_slice(&(extra_len as u16).to_le_bytes());
}

fn local_header(member: &Member) -> Vec<u8> {
    let extra = extra(&[member.size, member.stored]);
    let mut out = LOCAL.to_le_bytes().to_vec();
    shared(member, extra.len(), &mut out);
    out.extend_from_slice(member.name.as_bytes());
    out.extend_from_slice(&extra);
    out
}

fn central_header(member: &Member, out: &mut Vec<u8>) {
    let extra = extra(&[member.size, member.stored, member.header]);
    out.extend_from_slice(&CENTRAL.to_le_bytes());
    out.extend_from_slice(&45u16.to_le_bytes());
    shared(member, extra.len(), out);
    out.extend_from_slice(&[0; 10]);
    out.extend_from_slice(&clipped(member.header));
    out.extend_from_slice(member.name.as_bytes());
    out.extend_from_slice(&extra);
}

fn directory_end(count: u64, len: u64, start: u64) -> Vec<u8> {
    let mut out = Vec::new();
    if count >= 0xffff || len >= LARGE || start >= LARGE {
        out.extend_from_slice(&END64.to_le_bytes());
        out.extend_from_slice(&44u64.to_le_bytes());
        out.extend_from_slice(&[45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        [count, count, len, start].iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        out.extend_from_slice(&LOCATOR64.to_le_bytes());
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&(start + len).to_le_bytes());
        out.extend_from_slice(&1u32.to_le_bytes());
    }
    let count = (count.min(0xffff) as u16).to_le_bytes();
    out.extend_from_slice(&END.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&[count, count].concat());
    out.extend_from_slice(&clipped(len));
    out.extend_from_slice(&clipped(start));
    out.extend_from_slice(&[0, 0]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    fn package(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = Writer::new(Cursor::new(Vec::new()));
        members.iter().for_each(|(name, bytes)| writer.add(name, &mut &bytes[..], bytes.len() as u64).unwrap());
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn stored_members_come_back_from_their_ranges() {
        let bytes = package(&[("archive/a.warc.gz", b"abc"), ("é.txt", b""), ("b", &[9; 999])]);
        let mut file = Cursor::new(&bytes);
        let members = directory(&mut file).unwrap();
        assert_eq!(members.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["archive/a.warc.gz", "é.txt", "b"]);
        let start = members[0].data_start(&mut file).unwrap() as usize;
        assert_eq!(&bytes[start..start + 3], b"abc");
        assert_eq!(members[2].read(&mut file, 999).unwrap(), [9; 999]);
        assert!(matches!(members[2].read(&mut file, 998), Err(ZipError::TooLarge)));
    }

    #[test]
    fn numbers_too_wide_for_the_old_format_come_back() {
        let huge =
            Member { name: "x".into(), deflated: false, stored: 1 << 40, size: 1 << 40, crc32: 7, header: 1 << 41 };
        let mut entry = Vec::new();
        central_header(&huge, &mut entry);
        assert_eq!(directory_entry(&mut Fields(&entry)).unwrap(), huge);
        let mut bytes = entry.clone();
        bytes.extend(directory_end(70_000, entry.len() as u64, 0));
        // A directory of that many members says so in the ZIP64 record; its place is still in the short one.
        assert_eq!(directory(&mut Cursor::new(bytes)).unwrap(), [huge]);
        let mut far = directory_end(1, 3, 1 << 33);
        let moved = ((1u64 << 33) + 3).to_le_bytes();
        let at = memchr::memmem::find(&far, &moved).unwrap();
        far[at..at + 8].copy_from_slice(&0u64.to_le_bytes());
        assert_eq!(directory_place(&mut Cursor::new(far)).unwrap(), (1 << 33, 3));
    }

    #[test]
    fn a_cut_package_is_refused_not_misread() {
        let bytes = package(&[("a", b"abc"), ("b", b"defg")]);
        for cut in 0..bytes.len() {
            assert!(directory(&mut Cursor::new(&bytes[..cut])).is_err(), "cut at {cut}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0usize..200) {
            let mut file = package(&[("a", b"abc"), ("b", b"defg")]);
            let end = file.len().min(at + bytes.len());
            for (to, from) in file[at.min(end)..end].iter_mut().zip(&bytes) {
                *to = *from;
            }
            for bytes in [&bytes, &file] {
                let mut file = Cursor::new(bytes);
                for member in directory(&mut file).unwrap_or_default() {
                    let _ = member.read(&mut file, 1000);
                }
            }
        }
    }
}
