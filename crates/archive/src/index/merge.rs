//! Several sorted texts, line by line in order. Only the pieces at hand are in memory.

use super::files::Texts;
use std::{cmp::Ordering, io};

/// The next lines of one text.
struct Part {
    texts: Texts,
    text: String,
    /// Where the line at hand begins and ends, without its line break.
    at: usize,
    end: usize,
}

impl Part {
    fn line(&self) -> &[u8] {
        &self.text.as_bytes()[self.at..self.end]
    }

    /// Goes to the line that begins at `at`; false behind the last.
    fn go_to(&mut self, at: usize) -> io::Result<bool> {
        self.at = at;
        while self.at >= self.text.len() {
            let Some(text) = self.texts.next() else { return Ok(false) };
            (self.text, self.at) = (text?, 0);
        }
        let rest = &self.text.as_bytes()[self.at..];
        self.end = self.at + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        Ok(true)
    }
}

/// The lines of all texts in order, those that are equal as often as they are there.
pub(super) struct Merge {
    parts: Vec<Part>,
    /// The numbers of the parts that have lines left, as a heap: the one with the smallest line first.
    heap: Vec<usize>,
}

impl Merge {
    pub(super) fn new(texts: Vec<Texts>) -> io::Result<Merge> {
        let mut parts: Vec<Part> =
            texts.into_iter().map(|texts| Part { texts, text: String::new(), at: 0, end: 0 }).collect();
        let mut heap = Vec::new();
        for (number, part) in parts.iter_mut().enumerate() {
            if part.go_to(0)? {
                heap.push(number);
            }
        }
        let mut merge = Merge { parts, heap };
        (0..merge.heap.len() / 2).rev().for_each(|at| merge.sink(at));
        Ok(merge)
    }

    /// The line at hand, without its line break.
    pub(super) fn head(&self) -> Option<&[u8]> {
        self.heap.first().map(|number| self.parts[*number].line())
    }

    pub(super) fn advance(&mut self) -> io::Result<()> {
        let Some(number) = self.heap.first() else { return Ok(()) };
        let part = &mut self.parts[*number];
        if !part.go_to(part.end + 1)? {
            self.heap.swap_remove(0);
        }
        self.sink(0);
        Ok(())
    }

    /// Puts the part at a place of the heap below those with smaller lines.
    fn sink(&mut self, mut at: usize) {
        let is_smaller = |heap: &[usize], a: usize, b: usize| {
            let line = |at: usize| (self.parts[heap[at]].line(), heap[at]);
            line(a).cmp(&line(b)) == Ordering::Less
        };
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let child = match self.heap.len() {
                len if left >= len => return,
                len if right < len && is_smaller(&self.heap, right, left) => right,
                _ => left,
            };
            if !is_smaller(&self.heap, child, at) {
                return;
            }
            self.heap.swap(child, at);
            at = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn merged(parts: &[Vec<String>], lines_per_text: usize) -> Vec<String> {
        let text = |lines: &[String]| Ok(lines.iter().map(|line| format!("{line}\n")).collect::<String>());
        let texts = |lines: &Vec<String>| -> Texts {
            Box::new(lines.chunks(lines_per_text).map(text).collect::<Vec<_>>().into_iter())
        };
        let mut merge = Merge::new(parts.iter().map(texts).collect()).unwrap();
        let mut all = Vec::new();
        while let Some(line) = merge.head() {
            all.push(String::from_utf8(line.to_vec()).unwrap());
            merge.advance().unwrap();
        }
        all
    }

    proptest! {
        #[test]
        fn all_lines_come_in_order(
            mut parts in prop::collection::vec(prop::collection::vec("[a-c]{0,3}", 0..40), 0..12),
            lines_per_text in 1usize..9,
        ) {
            parts.iter_mut().for_each(|part| part.sort());
            let mut all: Vec<String> = parts.concat();
            all.sort();
            prop_assert_eq!(merged(&parts, lines_per_text), all);
        }
    }

    #[test]
    fn a_text_that_cannot_be_read_ends_it() {
        let texts: Texts = Box::new([Ok("a\n".to_owned()), Err(io::Error::other("torn"))].into_iter());
        let mut merge = Merge::new(vec![texts]).unwrap();
        assert_eq!(merge.head(), Some(&b"a"[..]));
        assert_eq!(merge.advance().unwrap_err().to_string(), "torn");
    }
}
