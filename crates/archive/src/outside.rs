//! Blocks of bytes that a capture has no room for in memory. Derived: without them a log tells the same again.

use crate::{Capture, Error, door, layout::Layout};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

/// What stands before each block: its length and its checksum.
const HEAD: u64 = 8;

/// A file of blocks that only grows, or is cut to what it was.
#[derive(Debug)]
pub struct Outside {
    file: File,
    len: u64,
}

impl Outside {
    fn open(layout: &Layout, id: &crate::CaptureId) -> Result<Outside, Error> {
        let path = layout.outside_of(id);
        let open = || -> io::Result<Outside> {
            let file = door::rewrite_or_make(&path)?;
            let len = file.metadata()?.len();
            Ok(Outside { file, len })
        };
        open().map_err(Error::io("open", &path))
    }

    /// Where the block is from now on; nothing if it cannot be written.
    pub fn put(&mut self, block: &[u8]) -> Option<u64> {
        let (place, len) = (self.len, u32::try_from(block.len()).ok()?);
        let bytes = [&len.to_le_bytes(), &crc32fast::hash(block).to_le_bytes(), block].concat();
        let mut write = || -> io::Result<()> {
            self.file.seek(SeekFrom::Start(place))?;
            self.file.write_all(&bytes)
        };
        write().ok()?;
        self.len += bytes.len() as u64;
        Some(place)
    }

    /// The block at a place; nothing if it is not there, or not whole.
    pub fn get(&mut self, place: u64) -> Option<Vec<u8>> {
        let mut head = [0; HEAD as usize];
        self.file.seek(SeekFrom::Start(place)).ok()?;
        self.file.read_exact(&mut head).ok()?;
        let (len, sum) = (&head[..4], &head[4..]);
        let len = u64::from(u32::from_le_bytes(len.try_into().ok()?));
        (place.checked_add(HEAD + len)? <= self.len).then_some(())?;
        let mut block = vec![0; len as usize];
        self.file.read_exact(&mut block).ok()?;
        (crc32fast::hash(&block).to_le_bytes() == *sum).then_some(block)
    }

    /// Bytes in all.
    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Goes back to when there were so many; whether there are.
    pub fn cut(&mut self, len: u64) -> bool {
        let is_there = len <= self.len;
        let len = if is_there { len } else { 0 };
        match self.file.set_len(len) {
            Ok(()) => self.len = len,
            Err(_) => return false,
        }
        is_there
    }
}

impl Capture {
    /// What it keeps outside memory, as an earlier run left it.
    pub fn outside(&self) -> Result<Outside, Error> {
        Outside::open(self.layout(), self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CaptureId;

    #[test]
    fn blocks_come_back_until_they_are_cut_and_a_damaged_one_does_not() {
        let directory = tempfile::tempdir().unwrap();
        let (layout, id) = (Layout::new(directory.path()), CaptureId::from_text("20261119-e"));
        std::fs::create_dir_all(layout.state()).unwrap();
        let mut outside = Outside::open(&layout, &id).unwrap();
        let places: Vec<u64> = (0..50_u8).map(|nth| outside.put(&vec![nth; usize::from(nth) * 100]).unwrap()).collect();
        drop(outside);
        let mut outside = Outside::open(&layout, &id).unwrap();
        assert!(
            places
                .iter()
                .zip(0..)
                .all(|(place, nth)| outside.get(*place).unwrap() == vec![nth; usize::from(nth) * 100])
        );
        assert_eq!((outside.get(outside.len()), outside.get(places[3] + 1)), (None, None));
        assert!(outside.cut(places[40]));
        assert_eq!((outside.get(places[40]), outside.get(places[39]).unwrap().len()), (None, 3900));
        assert_eq!(outside.put(b"again"), Some(places[40]));
        let path = layout.outside_of(&id);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[places[20] as usize + 20] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let mut outside = Outside::open(&layout, &id).unwrap();
        assert!(outside.get(places[20]).is_none() && outside.get(places[21]).is_some());
        assert!(!outside.cut(outside.len() + 1) && outside.is_empty(), "what is not there cannot be gone on with");
    }
}
