//! A sliding window over stored bytes: as much lookahead as one-shot inflating wants, as little memory as possible,
//! and a way back to where the current member began when it turns out to be damaged.

use std::io::{self, Read};

/// How much is read at a time.
const READ_BYTES: usize = 1 << 20;
/// What is read first: most of what is opened is one small record, and room costs as much as what is read into it.
const FIRST_BYTES: usize = 32 << 10;
/// How far back a damaged member can be left for the byte after its start.
const REWIND_BYTES: usize = 1 << 20;

#[derive(Debug)]
pub(crate) struct Source<R> {
    inner: R,
    bytes: Vec<u8>,
    /// Start of the bytes not yet consumed.
    start: usize,
    end: usize,
    /// Where the current member began, while it is still in the window.
    mark: Option<usize>,
    /// File offset of `start`.
    offset: u64,
    ended: bool,
}

impl<R: Read> Source<R> {
    pub(crate) fn new(inner: R, offset: u64) -> Source<R> {
        Source { inner, bytes: Vec::new(), start: 0, end: 0, mark: None, offset, ended: false }
    }

    /// File offset of the first byte not consumed.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Whether the window reaches the end of the file.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    pub(crate) fn consume(&mut self, count: usize) {
        assert!(count <= self.end - self.start, "only what is in the window can be consumed");
        self.start += count;
        self.offset += count as u64;
    }

    /// Reads until at least `want` bytes are at hand or the file ends.
    pub(crate) fn fill(&mut self, want: usize) -> io::Result<()> {
        while self.end - self.start < want && !self.ended {
            self.make_room(want);
            match self.inner.read(&mut self.bytes[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Remembers this place as the start of a member.
    pub(crate) fn mark(&mut self) {
        self.mark = Some(self.start);
    }

    /// Goes back to the start of the member if that is still in the window.
    pub(crate) fn rewind(&mut self) {
        if let Some(mark) = self.mark.take() {
            self.offset -= (self.start - mark) as u64;
            self.start = mark;
        }
    }

    /// Drops what nobody can ask for any more and grows when that is not enough.
    fn make_room(&mut self, want: usize) {
        let is_small = self.bytes.len() < READ_BYTES;
        let has_room = self.bytes.len() - self.start.min(self.bytes.len()) >= want.max(1);
        if self.end < self.bytes.len() && (has_room || is_small) {
            return;
        }
        self.mark = self.mark.filter(|mark| self.start - mark <= REWIND_BYTES);
        let keep = self.mark.unwrap_or(self.start);
        self.bytes.copy_within(keep..self.end, 0);
        self.start -= keep;
        self.end -= keep;
        self.mark = self.mark.map(|_| 0);
        let need = (self.start + want).max(self.end + READ_BYTES);
        if self.bytes.len() < need {
            let len = need.min((2 * self.bytes.len()).max(FIRST_BYTES));
            grow(&mut self.bytes, len);
        }
    }
}

/// Lengthens a buffer with zeroes the allocator already has, which is cheaper than writing them.
pub(crate) fn grow(buffer: &mut Vec<u8>, len: usize) {
    let mut longer = vec![0; len];
    longer[..buffer.len()].copy_from_slice(buffer);
    *buffer = longer;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_file_costs_little_room() {
        let mut source = Source::new(&[7; 20_000][..], 0);
        source.fill(256 << 10).unwrap();
        assert_eq!((source.bytes().len(), source.ended(), source.bytes.len()), (20_000, true, FIRST_BYTES));
    }

    #[test]
    fn bytes_pass_in_order_with_bounded_memory_and_a_way_back() {
        let data: Vec<u8> = (0..5_000_000u32).map(|n| (n / 251) as u8).collect();
        let mut source = Source::new(data.as_slice(), 0);
        let mut seen = Vec::new();
        loop {
            source.fill(300_000).unwrap();
            if source.bytes().is_empty() {
                break;
            }
            source.mark();
            let before = source.offset();
            let take = source.bytes().len().min(100_003);
            source.consume(take);
            source.rewind();
            assert_eq!(source.offset(), before);
            seen.extend_from_slice(&source.bytes()[..take]);
            source.consume(take);
        }
        assert!(source.ended() && seen == data && source.bytes.len() <= READ_BYTES * 3);
    }
}
