//! A URL in its parts. Any text has them.

use super::{
    extension::{self, Extension},
    folded::{Folded, Span, next},
};

/// Bytes that are looked at: of a scheme, of the host, of a query.
const SCHEME_MAX: usize = 16;
const HOST_MAX: usize = 96;
const QUERY_MAX: usize = 256;

/// A URL and its parts.
pub(super) struct Url<'a> {
    pub(super) raw: &'a [u8],
    pub(super) folded: &'a Folded,
    pub(super) host: Span,
    pub(super) port: Span,
    pub(super) path: Span,
    pub(super) query: Span,
    pub(super) https: bool,
    /// Whether the host is a number.
    pub(super) bare: bool,
}

impl<'a> Url<'a> {
    pub(super) fn of(url: &'a str, folded: &'a Folded) -> Url<'a> {
        let raw = &url.as_bytes()[..folded.len];
        let scheme = scheme_of(raw);
        let begin = if raw[scheme..].starts_with(b"//") { scheme + 2 } else { scheme };
        let end = next(&folded.hash_sign, begin, raw.len());
        let question = next(&folded.question, begin, end);
        let slash = next(&folded.slash, begin, question);
        let (host, port) = host_and_port(raw, begin, slash);
        let query = Span { from: end.min(question + 1), to: end.min(question + QUERY_MAX) };
        let bare = next(&folded.letter, host.from, host.to) == host.to;
        Url { raw, host, port, path: Span { from: slash, to: question }, query, https: scheme == 6, bare, folded }
    }

    /// What a stretch ends with, if that may be an extension.
    pub(super) fn ending(&self, span: Span) -> Ending {
        let nothing = Ending { span: Span { from: span.to, to: span.to }, number: 0, known: Extension::None };
        let from = span.from.max(span.to.saturating_sub(extension::LEN_MAX + 1));
        let Some(dot) = (from..span.to).rev().find(|at| self.folded.byte(*at) == b'.') else { return nothing };
        self.extension(Span { from: dot + 1, to: span.to }).unwrap_or(nothing)
    }

    /// A stretch as an extension, if it may be one.
    pub(super) fn extension(&self, span: Span) -> Option<Ending> {
        if span.is_empty() || span.len() > extension::LEN_MAX || !self.folded.is_plain(span) {
            return None;
        }
        let raw = self.raw[span.from..span.to].iter();
        let number = raw.fold(0, |number, byte| number << 8 | u64::from(byte.to_ascii_lowercase()));
        Some(Ending { span, number, known: extension::known(number) })
    }
}

/// Where the scheme ends, its colon included.
fn scheme_of(raw: &[u8]) -> usize {
    match raw {
        [_, _, _, _, b':', ..] => 5,
        [_, _, _, _, _, b':', ..] => 6,
        _ => raw.iter().take(SCHEME_MAX).position(|byte| *byte == b':').map_or(0, |colon| colon + 1),
    }
}

/// User information is not looked at, nor are more than so many bytes of a host, nor a port that is none.
fn host_and_port(raw: &[u8], begin: usize, end: usize) -> (Span, Span) {
    let (mut from, mut colon) = (begin, end);
    for (at, byte) in raw[begin..end].iter().enumerate() {
        match byte {
            b'@' => (from, colon) = (begin + at + 1, end),
            b':' if colon == end => colon = begin + at,
            _ => {}
        }
    }
    let host = Span { from: from.max(colon.saturating_sub(HOST_MAX)), to: colon };
    (host, Span { from: end.min(colon + 1), to: end.min(colon + 6) })
}

/// What a name ends with.
#[derive(Clone, Copy)]
pub(super) struct Ending {
    pub(super) span: Span,
    /// The extension itself, as a number.
    pub(super) number: u64,
    pub(super) known: Extension,
}

/// Roughly what somebody registered: the last two labels, or three where the second says nothing (`co.uk`).
pub(super) fn domain_of(folded: &Folded, host: Span, bare: bool) -> Span {
    if bare {
        return host;
    }
    let mut dots = (host.from..host.to).rev().filter(|at| folded.byte(*at) == b'.');
    let (last, second) = (dots.next(), dots.next());
    let short = last.zip(second).is_some_and(|(last, second)| host.to - last == 3 && last - second <= 4);
    let cut = if short { dots.next() } else { second };
    Span { from: cut.map_or(host.from, |at| at + 1), to: host.to }
}
