//! Patterns for people to read.

use super::{Cell, NameId, PatternKind, Shown, Stream};
use std::ops::Range;

/// A pattern that is frequent, and the media type it mostly came with.
#[derive(Clone, Debug, PartialEq)]
pub struct Frequent {
    pub kind: PatternKind,
    /// `*.jpg`, `*/video/*`, `example.org/view/{n}`.
    pub text: String,
    pub media_type: String,
    /// How often it was seen, at least and at most. Faded, if of the whole stream.
    pub occurrences: [u32; 2],
    /// Which share of that was of the media type, at least and at most.
    pub confidence: [f32; 2],
}

impl Stream {
    /// The strongest patterns of the stream, those seen most with one media type first; of one domain only, if named.
    pub fn frequent(&self, domain: Option<&str>, top: usize) -> Vec<Frequent> {
        self.strongest(domain, top, |key| self.cell(key))
    }

    /// The same of a stretch of the stream: of all that share a URI with it ([`Stream::stretches`]).
    pub fn frequent_between(&self, uris: Range<u64>, domain: Option<&str>, top: usize) -> Vec<Frequent> {
        self.strongest(domain, top, |key| self.stretches.get(key, &uris))
    }

    /// What each pattern of a URL says, the surest first.
    pub fn explain(&self, url: &str, top: usize) -> Vec<Frequent> {
        let patterns = super::Patterns::of(url);
        let mut said: Vec<(NameId, Cell, super::Pattern)> = Vec::new();
        for pattern in patterns.iter() {
            let cell = self.cell(pattern.key);
            said.extend(cell.and_then(|cell| Some((main_type(&cell)?, cell, pattern))));
        }
        let sureness = |(_, cell, _): &(NameId, Cell, _)| super::mixture::weight(cell);
        said.sort_by(|one, other| sureness(other).total_cmp(&sureness(one)));
        said.truncate(top);
        let frequent = |(media_type, cell, pattern): (NameId, Cell, super::Pattern)| {
            self.found(pattern.kind, patterns.text(pattern), media_type, &cell)
        };
        said.into_iter().map(frequent).collect()
    }

    fn strongest(&self, domain: Option<&str>, top: usize, cell: impl Fn(u64) -> Option<Cell>) -> Vec<Frequent> {
        let domain = domain.map(str::to_lowercase);
        let is_asked = |shown: &Shown<'_>| domain.as_ref().is_none_or(|domain| domain == shown.domain);
        let mut found: Vec<(NameId, Cell, Shown<'_>)> = Vec::new();
        for shown in self.texts.iter().filter(is_asked) {
            found.extend(cell(shown.key).and_then(|cell| Some((main_type(&cell)?, cell, shown))));
        }
        let strength = |(media_type, cell, _): &(NameId, Cell, _)| {
            f64::from(cell.surely_with(*media_type)) * f64::from(cell.confidence(*media_type)[0])
        };
        found.sort_by(|one, other| strength(other).total_cmp(&strength(one)).then(one.2.text.cmp(other.2.text)));
        found.truncate(top);
        let frequent = |(media_type, cell, shown): (NameId, Cell, Shown<'_>)| {
            self.found(shown.kind, shown.text.to_owned(), media_type, &cell)
        };
        found.into_iter().map(frequent).collect()
    }

    fn found(&self, kind: PatternKind, text: String, media_type: NameId, cell: &Cell) -> Frequent {
        Frequent {
            kind,
            text,
            media_type: self.names.get(media_type).to_owned(),
            occurrences: [cell.surely(), cell.count()],
            confidence: cell.confidence(media_type),
        }
    }
}

fn main_type(cell: &Cell) -> Option<NameId> {
    cell.types().max_by_key(|(_, count)| *count).map(|(media_type, _)| media_type)
}
