//! Where candidates wait that memory has no room for.

use std::fmt::Debug;

/// Keeps blocks of bytes in the order they come; what is kept stays until the end, so that who goes on from an earlier moment
/// finds what was there.
pub trait Depot: Debug + Send {
    /// Where the block is from now on; nothing if there is no room for it.
    fn put(&mut self, block: &[u8]) -> Option<u64>;

    /// The block at a place; nothing if it cannot be read.
    fn get(&mut self, place: u64) -> Option<Vec<u8>>;

    /// How much there is.
    fn len(&self) -> u64;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Goes back to when it had so much; whether it could.
    fn cut(&mut self, len: u64) -> bool;
}

/// Blocks in memory, for tests and for who replays.
#[derive(Debug, Default)]
pub struct MemoryDepot(Vec<Box<[u8]>>);

impl Depot for MemoryDepot {
    fn put(&mut self, block: &[u8]) -> Option<u64> {
        self.0.push(block.into());
        Some(self.0.len() as u64 - 1)
    }

    fn get(&mut self, place: u64) -> Option<Vec<u8>> {
        self.0.get(usize::try_from(place).ok()?).map(|block| block.to_vec())
    }

    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn cut(&mut self, len: u64) -> bool {
        let can = len <= self.len();
        self.0.truncate(len as usize);
        can
    }
}
