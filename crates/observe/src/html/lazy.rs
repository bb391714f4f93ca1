//! Addresses that a page keeps in `data-` attributes until a script finds that they are needed.
//!
//! There is no standard, so these are the names the widespread loaders use. The same names hold colours, numbers and
//! settings elsewhere: what is taken must look like an address, unless the element loads something and the name is the
//! attribute's own.

use super::{Element, page::Page};
use crate::srcset;
use tintype_vocab::{Link, LinkKind, Tag};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kept {
    /// What the element would load.
    Source,
    Picture,
    /// Candidates, as in `srcset`.
    Set,
}

/// What follows `data-`.
const NAMES: [(&str, Kept); 29] = [
    ("src", Kept::Source),
    ("srcset", Kept::Set),
    ("original", Kept::Source),
    ("original-src", Kept::Source),
    ("original-set", Kept::Set),
    ("lazy", Kept::Source),
    ("lazy-src", Kept::Source),
    ("lazy-srcset", Kept::Set),
    ("lazyload", Kept::Source),
    ("echo", Kept::Source),
    ("cfsrc", Kept::Source),
    ("bgset", Kept::Set),
    ("bg", Kept::Picture),
    ("bg-src", Kept::Picture),
    ("bg-image", Kept::Picture),
    ("lazy-bg", Kept::Picture),
    ("lazy-background", Kept::Picture),
    ("background", Kept::Picture),
    ("background-image", Kept::Picture),
    ("poster", Kept::Picture),
    ("lazy-poster", Kept::Picture),
    ("image", Kept::Picture),
    ("image-src", Kept::Picture),
    ("thumb", Kept::Picture),
    ("full", Kept::Picture),
    ("large_image", Kept::Picture),
    ("large-file", Kept::Picture),
    ("orig-file", Kept::Picture),
    ("zoom-image", Kept::Picture),
];

/// What a file that a page shows or runs is called.
const ENDINGS: [&str; 24] = [
    "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "jxl", "bmp", "ico", "mp4", "webm", "ogv", "mov", "mp3", "ogg",
    "m4a", "m3u8", "mpd", "js", "mjs", "css", "html", "pdf",
];

/// The rest of a name that begins with `data-`.
#[inline]
pub(super) fn after_data(name: &[u8]) -> Option<&[u8]> {
    let (data, rest) = name.split_at_checked(5)?;
    data.eq_ignore_ascii_case(b"data-").then_some(rest)
}

impl<'b> Page<'_, 'b> {
    /// Adds what a `data-` attribute holds, if it is one in which loaders keep addresses.
    pub(super) fn set_aside(&mut self, element: Element, name: &[u8], value: &'b [u8]) {
        let is = |known: &str| known.len() == name.len() && name.eq_ignore_ascii_case(known.as_bytes());
        let Some((name, kept)) = NAMES.iter().find(|(known, _)| is(known)) else { return };
        let own = loaded_by(element).is_some() && matches!(*name, "src" | "srcset");
        let value = self.text(value);
        match kept {
            Kept::Set => {
                let mention = self.worded(Tag::ImageSet);
                for url in srcset::urls(&value).filter(|url| own || is_address(url)) {
                    self.collector.place(Link { mention, ..Link::new(url, LinkKind::Embed) });
                }
            }
            _ if value.contains("url(") => self.references(&value),
            _ if own || is_address(&value) => {
                let loaded = loaded_by(element).filter(|_| *kept == Kept::Source).unwrap_or(Tag::Image);
                let tag = if element == Element::Source && loaded == Tag::Source { self.source() } else { loaded };
                let mention = self.worded(tag);
                self.collector.place(Link { mention, ..Link::new(&value, LinkKind::Embed) });
            }
            _ => {}
        }
    }
}

/// What an element loads from its `src`, if it does.
fn loaded_by(element: Element) -> Option<Tag> {
    match element {
        Element::Image => Some(Tag::Image),
        Element::Source => Some(Tag::Source),
        Element::Video => Some(Tag::Video),
        Element::Audio => Some(Tag::Audio),
        Element::Track => Some(Tag::Track),
        Element::Iframe | Element::Frame => Some(Tag::Frame),
        Element::Script => Some(Tag::Script),
        Element::Plugin => Some(Tag::Object),
        _ => None,
    }
}

/// Whether a value is the address of a file, as far as it can be seen.
fn is_address(value: &str) -> bool {
    let value = value.trim();
    if value.contains(['{', '}', '<', '>', '"', '|', '\n']) {
        return false;
    }
    let path = value.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let named = name.rsplit_once('.').is_some_and(|(name, ending)| {
        !name.is_empty() && ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
    });
    named || ["http://", "https://", "//"].iter().any(|start| value.len() > start.len() && value.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_settings() {
        for address in ["a.png", "/a/b.JPG?x=1", "../v.mp4", "https://cdn.example/x", "//cdn.example/x"] {
            assert!(is_address(address), "{address}");
        }
        for setting in
            ["", "#fff", "dark", "true", "/", "1.5", "0.5s", "lazy.png {x}", ".png", "//", "[\"a.png\"]", "/dark"]
        {
            assert!(!is_address(setting), "{setting}");
        }
    }
}
