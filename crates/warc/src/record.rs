//! One record as it was read.

use crate::Header;
use std::io;

/// Where a record stands in its file: what an index line points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub offset: u64,
    /// Stored length: the whole compressed member, or header and block of an uncompressed record.
    pub length: u64,
}

/// The part of a large block that is still to be decoded.
pub(crate) trait Rest {
    /// The beginning of the block, in memory.
    fn start(&self) -> &[u8];
    /// Decodes what is left; `None` when the record turned out torn or damaged.
    fn pour(&mut self, sink: &mut dyn FnMut(&[u8])) -> io::Result<Option<Extent>>;
}

pub(crate) enum Body<'a> {
    Whole(&'a [u8], Extent),
    Large(&'a mut (dyn Rest + 'a)),
    /// A large block that has gone by.
    Poured(Option<Extent>),
}

/// A record. Its block is in memory unless it is larger than the reader's limit; then its beginning is, and the rest
/// goes by once with [`Record::pour`].
pub struct Record<'a> {
    pub header: &'a Header,
    /// Where the record (or its member) starts in the file.
    pub offset: u64,
    /// Length of the block in bytes.
    pub block_len: u64,
    pub(crate) body: Body<'a>,
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record")
            .field("offset", &self.offset)
            .field("block_len", &self.block_len)
            .finish_non_exhaustive()
    }
}

impl Record<'_> {
    /// The block, or its beginning if it is a large one.
    pub fn block(&self) -> &[u8] {
        match &self.body {
            Body::Whole(block, _) => block,
            Body::Large(rest) => rest.start(),
            Body::Poured(_) => &[],
        }
    }

    /// Whether [`Record::block`] is all of it.
    pub fn is_whole(&self) -> bool {
        matches!(self.body, Body::Whole(..))
    }

    /// Hands the block to `sink` from its first byte to its last. Returns the record's place, or `None` if a large
    /// record turned out to be torn or damaged on the way. The rest of a large block passes only once.
    pub fn pour(&mut self, sink: &mut dyn FnMut(&[u8])) -> io::Result<Option<Extent>> {
        let extent = match &mut self.body {
            Body::Whole(block, extent) => {
                sink(block);
                return Ok(Some(*extent));
            }
            Body::Large(rest) => {
                sink(rest.start());
                rest.pour(sink)?
            }
            Body::Poured(extent) => return Ok(*extent),
        };
        self.body = Body::Poured(extent);
        Ok(extent)
    }

    /// The record's place in the file. Passes over the rest of a large block to know it.
    pub fn extent(&mut self) -> io::Result<Option<Extent>> {
        match &self.body {
            Body::Whole(_, extent) => Ok(Some(*extent)),
            _ => self.pour(&mut |_| {}),
        }
    }
}
