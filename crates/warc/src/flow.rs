//! The decoded bytes of a file, member after member: gzip, zstd and plain text look the same from here.

use crate::{
    codec::{Codec, Gzip, Step},
    inflate::{Inflated, Inflater},
    resync::Start,
    source::{Source, grow},
};
use std::io::{self, Read};
use zstd::stream::raw::{Decoder, Operation};

/// Stored bytes at hand before a member is inflated at once.
const LOOKAHEAD: usize = 256 << 10;
/// A member longer than this is streamed instead.
const LOOKAHEAD_MAX: usize = 4 << 20;
/// Room offered to a streaming decoder at a time.
const STEP_ROOM: usize = 64 << 10;
/// The largest dictionary read from a zstd file.
const DICTIONARY_MAX: usize = 8 << 20;

/// How far the member at hand has been decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Open,
    /// Decoded to its end, checksums right.
    Ended,
    /// The file ended first.
    Torn,
    Corrupt,
}

#[derive(Debug)]
pub(crate) struct Flow<R> {
    pub(crate) source: Source<R>,
    inflater: Inflater,
    codec: Codec,
    dictionary: Vec<u8>,
    decoded: Vec<u8>,
    at: usize,
    end: usize,
    /// The most that is decoded into memory at once.
    room_max: usize,
    pub(crate) state: State,
    /// Where the member at hand starts in the file.
    pub(crate) member: u64,
    /// Decoded bytes of this member that were consumed.
    passed: u64,
}

impl<R: Read> Flow<R> {
    pub(crate) fn new(source: Source<R>, room_max: usize) -> Flow<R> {
        Flow {
            member: source.offset(),
            source,
            inflater: Inflater::new(),
            codec: Codec::Plain,
            dictionary: Vec::new(),
            decoded: vec![0; STEP_ROOM * 2],
            at: 0,
            end: 0,
            room_max,
            state: State::Ended,
            passed: 0,
        }
    }

    /// Decoded bytes at hand.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.decoded[self.at..self.end]
    }

    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.codec, Codec::Plain)
    }

    /// Where the next decoded byte belongs: its own offset in plain files, its member's in compressed ones.
    pub(crate) fn offset(&self) -> u64 {
        if self.is_plain() { self.member + self.passed } else { self.member }
    }

    pub(crate) fn consume(&mut self, count: usize) {
        assert!(count <= self.end - self.at, "only what was decoded can be consumed");
        self.at += count;
        self.passed += count as u64;
    }

    /// Decodes until `want` bytes are at hand or the member is over, one way or another.
    pub(crate) fn fill(&mut self, want: usize) -> io::Result<()> {
        while self.end - self.at < want && self.state == State::Open {
            self.decode_some()?;
        }
        Ok(())
    }

    /// Begins the member at the source's position. Gzip members are inflated at once if they are of ordinary size.
    pub(crate) fn open(&mut self, start: Start) -> io::Result<()> {
        self.source.mark();
        (self.at, self.end, self.passed) = (0, 0, 0);
        self.member = self.source.offset();
        self.state = State::Open;
        match start {
            Start::Plain => self.codec = Codec::Plain,
            Start::Gzip if self.inflate_whole()? => {}
            Start::Gzip => self.codec = Codec::Gzip(Box::new(Gzip::new())),
            Start::Zstd => self.open_zstd()?,
            Start::Skippable => self.skip_frame()?,
        }
        Ok(())
    }

    fn inflate_whole(&mut self) -> io::Result<bool> {
        let mut want = LOOKAHEAD;
        loop {
            self.source.fill(want)?;
            match self.inflater.member(self.source.bytes(), &mut self.decoded) {
                Inflated::Member { consumed, produced } => {
                    self.source.consume(consumed);
                    (self.end, self.state) = (produced, State::Ended);
                    if self.is_plain() {
                        self.codec = Codec::Gzip(Box::new(Gzip::new()));
                    }
                    return Ok(true);
                }
                Inflated::NoSpace if self.decoded.len() < self.room_max => {
                    let room = (self.decoded.len() * 4).min(self.room_max);
                    grow(&mut self.decoded, room);
                }
                Inflated::Bad if !self.source.ended() && self.source.bytes().len() < LOOKAHEAD_MAX => {
                    want = self.source.bytes().len() * 2;
                }
                Inflated::NoSpace | Inflated::Bad => return Ok(false),
            }
        }
    }

    fn open_zstd(&mut self) -> io::Result<()> {
        match &mut self.codec {
            Codec::Zstd(decoder) => decoder.reinit(),
            codec => {
                *codec = Codec::Zstd(Box::new(Decoder::with_dictionary(&self.dictionary)?));
                Ok(())
            }
        }
    }

    /// Passes over a skippable zstd frame. The one that opens a file may hold the dictionary of all that follow.
    fn skip_frame(&mut self) -> io::Result<()> {
        self.source.fill(8)?;
        self.state = State::Torn;
        let Some(&[kind, _, _, _, a, b, c, d]) = self.source.bytes().first_chunk::<8>() else { return Ok(()) };
        let size = u32::from_le_bytes([a, b, c, d]) as usize;
        self.source.consume(8);
        if kind == 0x5d && self.member == 0 && size <= DICTIONARY_MAX {
            self.source.fill(size)?;
            self.dictionary = dictionary_of(self.source.bytes().get(..size).unwrap_or_default());
        }
        let mut left = size;
        while left > 0 {
            self.source.fill(1)?;
            let count = self.source.bytes().len().min(left);
            if count == 0 {
                return Ok(());
            }
            self.source.consume(count);
            left -= count;
        }
        self.state = State::Ended;
        Ok(())
    }

    fn decode_some(&mut self) -> io::Result<()> {
        self.make_room();
        self.source.fill(1)?;
        let input = self.source.bytes();
        let given = input.len();
        let progress = self.codec.step(input, &mut self.decoded[self.end..]);
        self.source.consume(progress.consumed);
        self.end += progress.produced;
        match progress.step {
            Step::End => self.state = State::Ended,
            Step::Corrupt => self.state = State::Corrupt,
            Step::More if progress.consumed == 0 && progress.produced == 0 => self.starve(given)?,
            Step::More => {}
        }
        Ok(())
    }

    /// The decoder can do nothing with what it was given: give it more, or learn that there is no more.
    fn starve(&mut self, given: usize) -> io::Result<()> {
        self.source.fill(given + 1)?;
        if self.source.bytes().len() == given {
            self.state = if self.is_plain() { State::Ended } else { State::Torn };
        }
        Ok(())
    }

    fn make_room(&mut self) {
        if self.decoded.len() - self.end >= STEP_ROOM {
            return;
        }
        self.decoded.copy_within(self.at..self.end, 0);
        self.end -= self.at;
        self.at = 0;
        if self.decoded.len() - self.end < STEP_ROOM {
            let room = self.decoded.len() * 2;
            grow(&mut self.decoded, room);
        }
    }
}

/// A dictionary may itself be compressed. One that cannot be read is none: its frames will be reported as damaged.
fn dictionary_of(frame: &[u8]) -> Vec<u8> {
    if Start::of(frame) == Some(Start::Zstd) {
        zstd::bulk::decompress(frame, DICTIONARY_MAX).unwrap_or_default()
    } else {
        frame.to_vec()
    }
}
