//! Texts without markup: paragraphs, or lines where a line stands for itself.

use super::draft::{Draft, Leaf};
use crate::page::{BlockShape, Role, read::Segmented};

/// No paragraph of prose has more words; what has is a list of lines.
const PARAGRAPH_WORDS: usize = 300;

const PARAGRAPH: BlockShape = BlockShape { role: Role::Text, depth: 0 };

/// A block for each paragraph.
pub(super) fn paragraphs(text: &str) -> Segmented {
    let mut draft = Draft::default();
    each_paragraph(text, |paragraph| {
        if paragraph.split_ascii_whitespace().nth(PARAGRAPH_WORDS).is_some() {
            lines(paragraph, &mut draft);
        } else {
            draft.leaf(PARAGRAPH, 0, &Leaf::of(paragraph));
        }
    });
    draft.finish()
}

/// A block for each line.
pub(super) fn rows(text: &str) -> Segmented {
    let mut draft = Draft::default();
    lines(text, &mut draft);
    draft.finish()
}

fn lines(text: &str, draft: &mut Draft) {
    text.split(['\n', '\r']).for_each(|line| draft.leaf(PARAGRAPH, 0, &Leaf::of(line)));
}

/// Calls `each` with every stretch of text between empty lines.
pub(super) fn each_paragraph<'t>(text: &'t str, mut each: impl FnMut(&'t str)) {
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            each(&text[start..at]);
            start = at + line.len();
        }
        at += line.len();
    }
    each(&text[start..]);
}
