//! The text inside the anchor that was opened last.

use crate::clicked::CLICKED_MAX;

/// Pieces of text that are kept of one anchor.
const PIECES_MAX: usize = 32;

/// An anchor in the making. There is only one at a time: anchors do not stand in each other.
#[derive(Debug, Default)]
pub(crate) struct Anchor<'b> {
    /// The page's link of that number.
    link: Option<u32>,
    is_open: bool,
    pieces: Vec<&'b [u8]>,
    /// Bytes in `pieces`.
    len: usize,
    /// What is said of an anchor without text.
    title: Option<&'b [u8]>,
}

impl<'b> Anchor<'b> {
    pub(crate) fn opens(&mut self, link: u32, title: Option<&'b [u8]>) {
        (self.link, self.is_open, self.title) = (Some(link), true, title);
    }

    pub(crate) fn closes(&mut self) {
        self.is_open = false;
    }

    /// Text of the page, or what an image says instead.
    #[inline]
    pub(crate) fn text(&mut self, piece: &'b [u8]) {
        if self.is_open && self.len < CLICKED_MAX && self.pieces.len() < PIECES_MAX {
            let piece = piece.trim_ascii();
            if !piece.is_empty() {
                self.len += piece.len();
                self.pieces.push(&piece[..piece.len().min(2 * CLICKED_MAX)]);
            }
        }
    }

    /// The anchor that was opened last, unless it was taken before, with each piece of its text.
    pub(crate) fn take(&mut self, mut each: impl FnMut(&'b [u8])) -> Option<u32> {
        let link = self.link.take()?;
        match self.title {
            Some(title) if self.pieces.is_empty() => each(title),
            _ => self.pieces.iter().for_each(|piece| each(piece)),
        }
        self.pieces.clear();
        (self.is_open, self.len) = (false, 0);
        Some(link)
    }
}
