//! Undoing chunked transfer coding by hand, for answers whose head hyper refused.

/// Longer chunk-size lines, extensions and trailers are not read.
const LINE_MAX: usize = 16 << 10;

/// Where in the coding the next byte lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Size,
    Data(u64),
    AfterData,
    Trailer,
    End,
}

/// Takes the coding off bytes that come in pieces.
#[derive(Debug)]
pub(super) struct Dechunker {
    place: Place,
    line: Vec<u8>,
}

/// The coding is broken.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the chunks are broken")]
pub(super) struct BrokenChunks;

impl Dechunker {
    pub(super) fn new() -> Dechunker {
        Dechunker { place: Place::Size, line: Vec::new() }
    }

    pub(super) fn is_done(&self) -> bool {
        self.place == Place::End
    }

    /// The next run of body bytes in `input`, which is moved on behind it; nothing when `input` holds no more.
    pub(super) fn next<'a>(&mut self, input: &mut &'a [u8]) -> Result<Option<&'a [u8]>, BrokenChunks> {
        while !input.is_empty() && !self.is_done() {
            if let Place::Data(left) = self.place {
                let take = usize::try_from(left).unwrap_or(usize::MAX).min(input.len());
                let (data, rest) = input.split_at(take);
                *input = rest;
                self.place = if take as u64 == left { Place::AfterData } else { Place::Data(left - take as u64) };
                return Ok(Some(data));
            }
            self.take_line(input)?;
        }
        Ok(None)
    }

    fn take_line(&mut self, input: &mut &[u8]) -> Result<(), BrokenChunks> {
        let end = input.iter().position(|&b| b == b'\n');
        let (piece, rest) = input.split_at(end.map_or(input.len(), |end| end + 1));
        *input = rest;
        self.line.extend_from_slice(piece);
        if self.line.len() > LINE_MAX {
            return Err(BrokenChunks);
        }
        if end.is_some() {
            self.place = self.after_line()?;
            self.line.clear();
        }
        Ok(())
    }

    fn after_line(&self) -> Result<Place, BrokenChunks> {
        let line = self.line.trim_ascii();
        match self.place {
            Place::Size => match size(line)? {
                0 => Ok(Place::Trailer),
                size => Ok(Place::Data(size)),
            },
            Place::AfterData if line.is_empty() => Ok(Place::Size),
            Place::AfterData => Err(BrokenChunks),
            Place::Trailer if line.is_empty() => Ok(Place::End),
            place => Ok(place),
        }
    }
}

fn size(line: &[u8]) -> Result<u64, BrokenChunks> {
    let digits = line.split(|&b| b == b';').next().unwrap_or_default().trim_ascii();
    let text = std::str::from_utf8(digits).map_err(|_| BrokenChunks)?;
    if text.starts_with('+') {
        return Err(BrokenChunks);
    }
    u64::from_str_radix(text, 16).map_err(|_| BrokenChunks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode(pieces: &[&[u8]]) -> Result<(Vec<u8>, bool), BrokenChunks> {
        let (mut dechunker, mut body) = (Dechunker::new(), Vec::new());
        for piece in pieces {
            let mut input = *piece;
            while let Some(data) = dechunker.next(&mut input)? {
                body.extend_from_slice(data);
            }
        }
        Ok((body, dechunker.is_done()))
    }

    #[test]
    fn chunks_extensions_and_trailers_are_undone() {
        let coded = b"4;ext=1\r\nWiki\r\nA \r\npedia in c\n0\r\nTrailer: x\r\n\r\nrest";
        assert_eq!(decode(&[coded]), Ok((b"Wikipedia in c".to_vec(), true)));
        assert_eq!(decode(&[b"4\r\nWi"]), Ok((b"Wi".to_vec(), false)));
        for bad in [&b"x\r\n"[..], b"+4\r\n", b"\r\n", b"2\r\nabc\r\n", b"fffffffffffffffff\r\n"] {
            assert_eq!(decode(&[bad]), Err(BrokenChunks));
        }
        let bomb = [b"4;".to_vec(), vec![b'x'; LINE_MAX]].concat();
        assert_eq!(decode(&[&bomb]), Err(BrokenChunks));
    }

    proptest! {
        #[test]
        fn however_it_is_cut_it_reads_the_same(body: Vec<u8>, sizes in prop::collection::vec(1usize..40, 1..20), cut in 1usize..30) {
            let (mut coded, mut rest) = (Vec::new(), &body[..]);
            for size in sizes.iter().cycle() {
                let (chunk, tail) = rest.split_at((*size).min(rest.len()));
                coded.extend(format!("{:x}\r\n", chunk.len()).bytes().chain(chunk.iter().copied()).chain(*b"\r\n"));
                rest = tail;
                if chunk.is_empty() {
                    break;
                }
            }
            let pieces: Vec<&[u8]> = coded.chunks(cut).collect();
            prop_assert_eq!(decode(&pieces), Ok((body, true)));
        }
    }
}
