//! The text of a PDF file, as its producer wrote it down: lines with breaks between, empty lines between paragraphs.
//!
//! Reads what nearly all files are made of: objects found by scanning (so a broken cross-reference table is none),
//! object streams, Flate and ASCII filters, page trees, forms, simple and composite fonts with their ToUnicode maps.
//! Encrypted files and those without text have none. Nothing is drawn: columns come in the order of the file.
//! Written by hand because the libraries that do the same read whole files into trees, panic on odd ones, and bring
//! fonts and renderers along.

mod cmap;
mod content;
mod file;
mod filter;
mod font;
mod glyph;
mod object;
mod page;

use content::Fonts;
use file::Pdf;

/// Bytes of text that are kept of a file.
const TEXT_MAX: usize = 8 << 20;

/// All text of a file; nothing if there is none, or none to be had.
pub(super) fn text(bytes: &[u8]) -> Option<String> {
    let file = Pdf::read(bytes)?;
    let (mut text, mut fonts) = (String::new(), Fonts::default());
    for page in page::all(&file) {
        if text.len() >= TEXT_MAX {
            break;
        }
        content::text(&file, &page, &mut fonts, &mut text);
        text.push_str("\n\n");
    }
    text.truncate(text.floor_char_boundary(TEXT_MAX));
    Some(text).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests;
