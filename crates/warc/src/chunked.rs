//! Chunk framing that other writers left in their records: told from the body, piece by piece.

/// A streaming decoder: feed it stored bytes, it hands on the body. Damage ends the body, it is not an error.
#[derive(Clone, Debug)]
pub struct Dechunker {
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Reading the hexadecimal size; the number of digits so far tells an empty line from a size of nothing.
    Size {
        so_far: u64,
        digits: u8,
    },
    /// After the size, up to the line end.
    Extension {
        size: u64,
    },
    Data {
        left: u64,
    },
    /// The line end after a chunk's data.
    AfterData,
    /// The last chunk was seen; trailers are not body.
    Done,
    Broken,
}

impl Default for Dechunker {
    fn default() -> Dechunker {
        Dechunker { state: State::Size { so_far: 0, digits: 0 } }
    }
}

impl Dechunker {
    pub fn new() -> Dechunker {
        Dechunker::default()
    }

    /// Decodes the next stored bytes, handing pieces of the body to `sink`.
    pub fn feed(&mut self, mut bytes: &[u8], sink: &mut dyn FnMut(&[u8])) {
        while let Some(&byte) = bytes.first() {
            if let State::Data { left } = self.state {
                let take = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                sink(&bytes[..take]);
                bytes = &bytes[take..];
                let left = left - take as u64;
                self.state = if left == 0 { State::AfterData } else { State::Data { left } };
                continue;
            }
            if matches!(self.state, State::Done | State::Broken) {
                return;
            }
            self.state = self.state.step(byte);
            bytes = &bytes[1..];
        }
    }

    /// Whether the framing was read to its last chunk.
    pub fn is_complete(&self) -> bool {
        self.state == State::Done
    }
}

impl State {
    fn step(self, byte: u8) -> State {
        match (self, byte) {
            (State::Size { so_far, digits }, b) if b.is_ascii_hexdigit() && digits < 15 => {
                let digit = (b as char).to_digit(16).unwrap_or(0);
                State::Size { so_far: so_far * 16 + u64::from(digit), digits: digits + 1 }
            }
            (State::Size { digits: 0, .. }, _) => State::Broken,
            (State::Size { so_far, .. }, b'\n') => State::after_size(so_far),
            (State::Size { so_far, .. }, b'\r' | b';' | b' ' | b'\t') => State::Extension { size: so_far },
            (State::Extension { size }, b'\n') => State::after_size(size),
            (State::Extension { size }, _) => State::Extension { size },
            (State::AfterData, b'\r') => State::AfterData,
            (State::AfterData, b'\n') => State::Size { so_far: 0, digits: 0 },
            _ => State::Broken,
        }
    }

    fn after_size(size: u64) -> State {
        if size == 0 { State::Done } else { State::Data { left: size } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode(pieces: &[&[u8]]) -> (Vec<u8>, bool) {
        let (mut decoder, mut body) = (Dechunker::new(), Vec::new());
        pieces.iter().for_each(|p| decoder.feed(p, &mut |b| body.extend_from_slice(b)));
        (body, decoder.is_complete())
    }

    #[test]
    fn framing_leaves_the_body() {
        assert_eq!(
            decode(&[b"5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nTrailer: 1\r\n\r\n"]),
            (b"hello world".to_vec(), true)
        );
        assert_eq!(decode(&[b"5\r\nhel"]), (b"hel".to_vec(), false));
        assert_eq!(decode(&[b"<html>"]), (Vec::new(), false));
        assert_eq!(decode(&[b"ffffffffffffffffff\r\nx"]), (Vec::new(), false));
    }

    proptest! {
        #[test]
        fn where_the_bytes_are_cut_does_not_matter(bytes in "[0-3a\r\n;x]{0,60}", cut in 0usize..60) {
            let bytes = bytes.as_bytes();
            let cut = cut.min(bytes.len());
            prop_assert_eq!(decode(&[bytes]), decode(&[&bytes[..cut], &bytes[cut..]]));
        }
    }
}
