//! Streaming decoders for members that do not fit in memory, are damaged, or are not gzip at all.

use crc32fast::Hasher;
use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

/// How a decoding step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Give it more input (or more room) and call again.
    More,
    /// The member is whole.
    End,
    /// It is damaged.
    Corrupt,
}

/// What was taken, what was made, and how it ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    pub(crate) consumed: usize,
    pub(crate) produced: usize,
    pub(crate) step: Step,
}

impl Progress {
    const CORRUPT: Progress = Progress { consumed: 0, produced: 0, step: Step::Corrupt };
}

/// The decoder of the member at hand.
pub(crate) enum Codec {
    /// Uncompressed: the rest of the file is one member.
    Plain,
    Gzip(Box<Gzip>),
    Zstd(Box<Decoder<'static>>),
}

impl std::fmt::Debug for Codec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Codec::Plain => "Plain",
            Codec::Gzip(_) => "Gzip",
            Codec::Zstd(_) => "Zstd",
        })
    }
}

impl Codec {
    pub(crate) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        match self {
            Codec::Plain => {
                let count = input.len().min(output.len());
                output[..count].copy_from_slice(&input[..count]);
                Progress { consumed: count, produced: count, step: Step::More }
            }
            Codec::Gzip(gzip) => gzip.step(input, output),
            Codec::Zstd(decoder) => zstd_step(decoder, input, output),
        }
    }
}

fn zstd_step(decoder: &mut Decoder<'static>, input: &[u8], output: &mut [u8]) -> Progress {
    let (mut from, mut to) = (InBuffer::around(input), OutBuffer::around(output));
    let Ok(hint) = decoder.run(&mut from, &mut to) else { return Progress::CORRUPT };
    let step = if hint == 0 { Step::End } else { Step::More };
    Progress { consumed: from.pos(), produced: to.pos(), step }
}

/// The longest gzip header taken for one: ten bytes, an extra field, a name and a comment of reasonable size.
pub(crate) const GZIP_HEADER_MAX: usize = 80 << 10;

/// Length of the gzip header at the start of `bytes`: `Ok(None)` when more bytes are needed to know.
pub(crate) fn gzip_header_len(bytes: &[u8]) -> Result<Option<usize>, ()> {
    const FIXED: usize = 10;
    let magic = bytes.iter().zip([0x1f, 0x8b, 8]).all(|(a, b)| *a == b);
    if !magic || bytes.get(3).is_some_and(|flags| flags & 0xe0 != 0) {
        return Err(());
    }
    let Some(&flags) = bytes.get(3).filter(|_| bytes.len() >= FIXED) else { return Ok(None) };
    let mut at = FIXED;
    if flags & 4 != 0 {
        let Some(len) = bytes.get(at..at + 2) else { return Ok(None) };
        at += 2 + usize::from(u16::from_le_bytes([len[0], len[1]]));
    }
    for text in [8, 16] {
        if flags & text != 0 {
            let Some(rest) = bytes.get(at..) else { return Ok(None) };
            let Some(end) = memchr::memchr(0, rest) else {
                return if bytes.len() < GZIP_HEADER_MAX { Ok(None) } else { Err(()) };
            };
            at += end + 1;
        }
    }
    at += if flags & 2 != 0 { 2 } else { 0 };
    Ok(Some(at).filter(|at| *at <= bytes.len()))
}

/// A gzip member step by step: header, deflate data, checksum and length.
pub(crate) struct Gzip {
    inflate: Decompress,
    crc: Hasher,
    part: Part,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Header,
    Data,
    Trailer,
}

impl Gzip {
    pub(crate) fn new() -> Gzip {
        Gzip { inflate: Decompress::new(false), crc: Hasher::new(), part: Part::Header }
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        match self.part {
            Part::Header => match gzip_header_len(input) {
                Ok(Some(len)) => {
                    self.part = Part::Data;
                    Progress { consumed: len, produced: 0, step: Step::More }
                }
                Ok(None) => Progress { consumed: 0, produced: 0, step: Step::More },
                Err(()) => Progress::CORRUPT,
            },
            Part::Data => self.data(input, output),
            Part::Trailer => self.trailer(input),
        }
    }

    fn data(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        let (in_before, out_before) = (self.inflate.total_in(), self.inflate.total_out());
        let Ok(status) = self.inflate.decompress(input, output, FlushDecompress::None) else {
            return Progress::CORRUPT;
        };
        let consumed = (self.inflate.total_in() - in_before) as usize;
        let produced = (self.inflate.total_out() - out_before) as usize;
        self.crc.update(&output[..produced]);
        if status == Status::StreamEnd {
            self.part = Part::Trailer;
        }
        Progress { consumed, produced, step: Step::More }
    }

    fn trailer(&mut self, input: &[u8]) -> Progress {
        let Some(trailer) = input.get(..8) else { return Progress { consumed: 0, produced: 0, step: Step::More } };
        let number = |at: usize| u32::from_le_bytes([trailer[at], trailer[at + 1], trailer[at + 2], trailer[at + 3]]);
        let right = number(0) == self.crc.clone().finalize() && number(4) == self.inflate.total_out() as u32;
        if right { Progress { consumed: 8, produced: 0, step: Step::End } } else { Progress::CORRUPT }
    }
}
