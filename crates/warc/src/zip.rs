//! As much of ZIP as web archive packages use: stored and deflated members, ZIP64, random access.

use std::{
    fmt,
    io::{self, Read, Seek, SeekFrom},
};

mod write;

pub use write::Writer;

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

#[cfg(test)]
mod tests;
