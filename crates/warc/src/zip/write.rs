//! Writing: stored members only, so that readers can fetch parts of them by range.

use super::{CENTRAL, END, END64, LARGE, LOCAL, LOCATOR64, Member};
use std::io::{self, Read, Seek, SeekFrom, Write};

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

pub(super) fn central_header(member: &Member, out: &mut Vec<u8>) {
    let extra = extra(&[member.size, member.stored, member.header]);
    out.extend_from_slice(&CENTRAL.to_le_bytes());
    out.extend_from_slice(&45u16.to_le_bytes());
    shared(member, extra.len(), out);
    out.extend_from_slice(&[0; 10]);
    out.extend_from_slice(&clipped(member.header));
    out.extend_from_slice(member.name.as_bytes());
    out.extend_from_slice(&extra);
}

pub(super) fn directory_end(count: u64, len: u64, start: u64) -> Vec<u8> {
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
