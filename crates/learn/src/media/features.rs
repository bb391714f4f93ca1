//! What a URL has in common with others, as far as it may say what is behind it.
//!
//! A feature is a field and a text, and becomes a slot of a table. *General* features may be shared by any site, *local*
//! ones only by URLs of one domain. There are never more of either than [`GENERAL_MAX`] and [`LOCAL_MAX`], however
//! long a URL is.
//!
//! Where the extension names a media type, only what may contradict it is looked at: a third of the features, which is
//! quicker and, on domains never seen, no worse. Where it does not, everything is.

use super::{
    Sight,
    extension::{self, Extension},
    folded::{BYTES_MAX, Class, Folded, Span, mix},
};
use tintype_vocab::{Mention, Place, Tag};

/// Most general features of one URL.
pub(super) const GENERAL_MAX: usize = 192;
/// Most local ones.
pub(super) const LOCAL_MAX: usize = 16;

/// Bytes that are looked at: of the host, of a query, and of the whole.
const HOST_MAX: usize = 96;
const QUERY_MAX: usize = 256;
/// Parts of a path, words of a part, and pairs of a query that are looked at.
const PARTS_MAX: usize = 10;
const WORDS_MAX: usize = 6;
const PAIRS_MAX: usize = 8;
/// Bytes of a name or a host whose neighbourhoods of four are looked at.
const GRAMS_MAX: usize = 40;
/// A value longer than this is nobody's word.
const VALUE_MAX: usize = 24;
/// Directories that are told apart on one host.
const CHAIN_MAX: usize = 3;

/// What a feature is about. The order is part of what a kept model means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Field {
    Always,
    Extension,
    Named,
    ExtensionAndQuery,
    Depth,
    Scheme,
    Port,
    PortNumber,
    TopLevel,
    TopLevelAndNamed,
    Label,
    HostWord,
    HostPiece,
    Directory,
    DirectoryAndExtension,
    Word,
    WordAndNamed,
    NameWord,
    NameWordAndNamed,
    FirstWord,
    LastWord,
    Name,
    NameLength,
    NamePiece,
    SecondExtension,
    InnerExtension,
    InnerAndNamed,
    LastDirectory,
    Key,
    KeyAndExtension,
    KeyAndValue,
    Pair,
    PairAndNamed,
    ValueWord,
    ValueExtension,
    Keys,
    QueryPiece,
    End,
    EndExtension,
    EndAndNamed,
    Tag,
    TagAndNamed,
    TagAndPlace,
    Said,
    Domain,
    DomainAndExtension,
    HostAndExtension,
    DomainTemplate,
    DomainDirectory,
    DomainDirectoryAndExtension,
    DomainName,
    DomainKeys,
    DomainTag,
}

impl Field {
    /// For people.
    pub(super) fn name(self) -> &'static str {
        match self {
            Field::Always => "any URL",
            Field::Extension | Field::Named => "extension",
            Field::ExtensionAndQuery => "extension and query",
            Field::Depth => "depth",
            Field::Scheme => "scheme",
            Field::Port | Field::PortNumber => "port",
            Field::TopLevel | Field::TopLevelAndNamed => "top-level domain",
            Field::Label => "host label",
            Field::HostWord => "word of the host",
            Field::HostPiece => "piece of the host",
            Field::Directory | Field::DirectoryAndExtension => "directory",
            Field::Word | Field::WordAndNamed => "word of the path",
            Field::NameWord | Field::NameWordAndNamed => "word of the name",
            Field::FirstWord => "first word of the name",
            Field::LastWord => "last word of the name",
            Field::Name => "name",
            Field::NameLength => "name",
            Field::NamePiece => "piece of the name",
            Field::SecondExtension => "second extension",
            Field::InnerExtension | Field::InnerAndNamed => "extension inside the path",
            Field::LastDirectory => "last directory",
            Field::Key | Field::KeyAndExtension => "query key",
            Field::KeyAndValue => "query key",
            Field::Pair | Field::PairAndNamed => "query pair",
            Field::ValueWord => "word of the query",
            Field::ValueExtension => "extension in the query",
            Field::Keys => "query",
            Field::QueryPiece => "piece of the query",
            Field::End => "end of the URL",
            Field::EndExtension | Field::EndAndNamed => "extension at the very end",
            Field::Tag | Field::TagAndNamed | Field::TagAndPlace => "link",
            Field::Said => "link",
            Field::Domain => "domain",
            Field::DomainAndExtension | Field::HostAndExtension => "domain and extension",
            Field::DomainTemplate => "domain",
            Field::DomainDirectory | Field::DomainDirectoryAndExtension => "directory of the domain",
            Field::DomainName => "name on the domain",
            Field::DomainKeys => "domain",
            Field::DomainTag => "domain",
        }
    }
}

/// Who gathers features. What is shown is for people: a model looks at the hash alone.
pub(super) trait Sink {
    fn general(&mut self, field: Field, hash: u64, shown: &[&[u8]]);
    fn local(&mut self, field: Field, hash: u64, shown: &[&[u8]]);
}

/// The parts of a URL, folded.
struct Url {
    folded: Folded,
    host: Span,
    port: Span,
    path: Span,
    query: Span,
    https: bool,
    bare: bool,
}

impl Url {
    fn of(url: &str) -> Url {
        let bytes = &url.as_bytes()[..url.len().min(BYTES_MAX)];
        let https = bytes.len() > 4 && bytes[4] | 0x20 == b's';
        let begin = find(&bytes[..bytes.len().min(16)], b':').map_or(0, |colon| colon + 1);
        let begin = begin + bytes[begin..].iter().take(2).take_while(|byte| **byte == b'/').count();
        let rest = &bytes[begin..];
        let rest = &rest[..find(rest, b'#').unwrap_or(rest.len())];
        let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?')).unwrap_or(rest.len());
        let (host, rest) = rest.split_at(end);
        let (path, query) = rest.split_at(find(rest, b'?').unwrap_or(rest.len()));
        let host = &host[host.iter().rposition(|byte| *byte == b'@').map_or(0, |at| at + 1)..];
        let (host, port) = host.split_at(find(host, b':').unwrap_or(host.len()));
        let bare = !host.iter().any(|byte| byte.is_ascii_alphabetic());
        let mut folded = Folded::new();
        let host = folded.push(&host[host.len().saturating_sub(HOST_MAX)..]);
        let port = folded.push(&port[port.len().min(1)..port.len().min(6)]);
        let query = &query[query.len().min(1)..query.len().min(QUERY_MAX)];
        let query = folded.push(query);
        let path = folded.push(path);
        Url { folded, host, port, path, query, https, bare }
    }
}

fn find(bytes: &[u8], wanted: u8) -> Option<usize> {
    bytes.iter().position(|byte| *byte == wanted)
}

/// The extension a name ends with.
fn extension_of(folded: &Folded, name: Span) -> Span {
    let nothing = Span { from: name.to, to: name.to };
    let least = name.to.saturating_sub(extension::LEN_MAX + 1).max(name.from);
    for at in (least..name.to).rev() {
        match (folded.byte(at), folded.class(at)) {
            (b'.', _) => return Span { from: at + 1, to: name.to },
            (_, Class::Other) => return nothing,
            _ => {}
        }
    }
    nothing
}

/// Tells a sink every feature of a sight.
pub(super) fn gather(sight: &Sight<'_>, sink: &mut impl Sink) {
    let url = Url::of(sight.url);
    Gathering::new(&url, sink).all(&sight.mention);
}

struct Gathering<'a, S: Sink> {
    url: &'a Url,
    folded: &'a Folded,
    sink: &'a mut S,
    /// The last part of the path; empty behind a slash.
    name: Span,
    extension: Span,
    /// What the extension stands for, as a number.
    named: u64,
    /// Whether that is a media type.
    is_named: bool,
    /// The extension itself, as a number.
    e: u64,
    /// The parts of the path before the name.
    directories: [Span; PARTS_MAX],
    depth: usize,
}

impl<'a, S: Sink> Gathering<'a, S> {
    fn new(url: &'a Url, sink: &'a mut S) -> Gathering<'a, S> {
        let folded = &url.folded;
        let mut directories = [Span::default(); PARTS_MAX];
        let (mut depth, mut name) = (0, Span { from: url.path.to, to: url.path.to });
        let mut from = url.path.from;
        for at in url.path.from..=url.path.to {
            if at < url.path.to && folded.byte(at) != b'/' {
                continue;
            }
            let part = Span { from, to: at };
            from = at + 1;
            if at == url.path.to {
                name = part;
            } else if !part.is_empty() {
                // Of a very long path its end says more than its middle.
                if depth == PARTS_MAX {
                    directories.copy_within(2.., 1);
                    depth -= 1;
                }
                directories[depth] = part;
                depth += 1;
            }
        }
        let extension = extension_of(folded, name);
        let known = extension::known(folded.text(extension));
        let is_named = matches!(known, Extension::Names(_));
        let (named, e) = (known.number(), folded.hash(extension));
        Gathering { url, folded, sink, name, extension, named, is_named, e, directories, depth }
    }

    fn all(mut self, mention: &Mention) {
        self.shape();
        self.host();
        self.directories();
        self.name();
        self.query();
        self.end();
        self.mention(mention);
        self.domain(mention);
    }

    fn add(&mut self, field: Field, hash: u64, shown: &[&[u8]]) {
        self.sink.general(field, hash, shown);
    }

    /// One that matters only where the extension says nothing.
    fn add_unnamed(&mut self, field: Field, hash: u64, shown: &[&[u8]]) {
        if !self.is_named {
            self.sink.general(field, hash, shown);
        }
    }

    /// A text, and the same with what the extension stands for.
    fn add_both(&mut self, field: Field, and_named: Field, hash: u64, text: Span) {
        let shown = self.folded.text(text);
        self.add_unnamed(field, hash, &[shown]);
        self.add(and_named, mix(hash, self.named), &[shown, self.extension_shown()]);
    }

    fn extension_shown(&self) -> &'a [u8] {
        if self.extension.is_empty() { b"no extension" } else { self.folded.text(self.extension) }
    }

    /// What it looks like from afar.
    fn shape(&mut self) {
        let url = self.url;
        let shown = self.extension_shown();
        let query = u64::from(!url.query.is_empty());
        let slash = u64::from(self.name.is_empty());
        let depth = self.depth.min(8) as u64;
        self.add(Field::Always, 0, &[]);
        self.add(Field::Extension, self.e, &[shown]);
        self.add(Field::Named, self.named, &[shown]);
        self.add(
            Field::ExtensionAndQuery,
            mix(self.e, query),
            &[shown, if query == 1 { b"query" } else { b"no query" }],
        );
        let levels: &[u8] = &b"012345678"[depth as usize..=depth as usize];
        self.add(Field::Depth, mix(depth << 2 | query << 1 | slash, self.named), &[levels, shown]);
        self.add(
            Field::Scheme,
            mix(u64::from(url.https), self.named),
            &[if url.https { b"https" } else { b"http" }, shown],
        );
        let port = self.folded.text(url.port);
        let number = self.folded.hash(url.port);
        self.add(Field::Port, mix(mix(u64::from(!port.is_empty()), u64::from(url.bare)), self.named), &[port, shown]);
        if !port.is_empty() {
            self.add(Field::PortNumber, mix(depth << 1 | u64::from(url.bare), number), &[port, levels]);
        }
    }

    fn host(&mut self) {
        if self.url.bare {
            return;
        }
        let (folded, host) = (self.folded, self.url.host);
        for label in folded.split(host, |byte| byte == b'.').take(PARTS_MAX) {
            if label.to == host.to {
                let hash = folded.hash(label);
                self.add_both(Field::TopLevel, Field::TopLevelAndNamed, hash, label);
                break;
            }
            self.add(Field::Label, folded.hash(label), &[folded.text(label)]);
            for word in folded.words(label).take(WORDS_MAX) {
                self.add(Field::HostWord, folded.hash(word), &[folded.text(word)]);
            }
        }
        self.pieces(Field::HostPiece, Span { from: host.from.max(host.to.saturating_sub(GRAMS_MAX)), to: host.to });
    }

    /// Every four bytes in a row.
    fn pieces(&mut self, field: Field, span: Span) {
        if self.is_named {
            return;
        }
        for at in span.from..span.to.saturating_sub(3) {
            let shown = self.folded.text(Span { from: at, to: at + 4 });
            self.add(field, self.folded.four(at), &[shown]);
        }
    }

    fn directories(&mut self) {
        let folded = self.folded;
        for at in 0..self.depth {
            let part = self.directories[at];
            let (hash, text) = (folded.hash(part), folded.text(part));
            self.add_unnamed(Field::Directory, hash, &[text]);
            self.add(Field::DirectoryAndExtension, mix(hash, self.e), &[text, self.extension_shown()]);
            for word in folded.words(part).take(WORDS_MAX) {
                self.add_both(Field::Word, Field::WordAndNamed, folded.hash(word), word);
            }
            self.inner(part);
        }
        if self.name.is_empty() && self.depth > 0 {
            let last = self.directories[self.depth - 1];
            self.add_unnamed(Field::LastDirectory, folded.hash(last), &[folded.text(last)]);
        }
    }

    /// Extensions that stand elsewhere than at the end.
    fn inner(&mut self, part: Span) {
        let folded = self.folded;
        for at in (part.from..part.to).filter(|at| folded.byte(*at) == b'.') {
            let end = (at + 1..part.to).find(|at| folded.class(*at) == Class::Other).unwrap_or(part.to);
            let span = Span { from: at + 1, to: end };
            let text = folded.text(span);
            if let known @ Extension::Names(_) = extension::known(text) {
                self.add(Field::InnerExtension, folded.hash(span), &[text]);
                self.add(Field::InnerAndNamed, mix(known.number(), self.named), &[text, self.extension_shown()]);
            }
        }
    }

    fn name(&mut self) {
        if self.name.is_empty() {
            return;
        }
        let folded = self.folded;
        let cut = usize::from(!self.extension.is_empty());
        let stem = Span { from: self.name.from, to: self.extension.from - cut };
        self.add_unnamed(Field::Name, folded.hash(stem), &[folded.text(stem)]);
        let mut last = None;
        for word in folded.words(stem).take(WORDS_MAX) {
            let hash = folded.hash(word);
            if last.is_none() {
                self.add_unnamed(Field::FirstWord, hash, &[folded.text(word)]);
            }
            self.add_both(Field::NameWord, Field::NameWordAndNamed, hash, word);
            self.add_unnamed(Field::Word, hash, &[folded.text(word)]);
            last = Some((hash, word));
        }
        if let Some((hash, word)) = last {
            self.add_unnamed(Field::LastWord, hash, &[folded.text(word)]);
        }
        let second = extension_of(folded, stem);
        if !second.is_empty() {
            let shown = [folded.text(second), self.extension_shown()];
            self.add(Field::SecondExtension, mix(folded.hash(second), self.e), &shown);
        }
        self.inner(self.name);
        let length = u64::from(stem.len().checked_ilog2().map_or(0, |log| log + 1));
        self.add_unnamed(Field::NameLength, mix(length, self.named), &[b"length of the name", self.extension_shown()]);
        // With the slash before it and the nothing behind it: where a name begins and ends says much.
        let from = self.name.from.max(self.name.to.saturating_sub(GRAMS_MAX)) - 1;
        let span = Span { from, to: self.name.to + 1 };
        self.pieces(Field::NamePiece, span);
    }

    fn query(&mut self) {
        let (folded, query) = (self.folded, self.url.query);
        if query.is_empty() {
            return;
        }
        let mut keys = 0;
        for pair in folded.split(query, |byte| matches!(byte, b'&' | b';')).take(PAIRS_MAX) {
            if pair.is_empty() {
                continue;
            }
            let equals = (pair.from..pair.to).find(|at| folded.byte(*at) == b'=');
            let key = Span { from: pair.from, to: equals.unwrap_or(pair.to) };
            let value = Span { from: equals.map_or(pair.to, |at| at + 1), to: pair.to };
            self.pair(pair, key, value, equals.is_none());
            keys ^= mix(folded.hash(key), 1);
        }
        self.add_unnamed(Field::Keys, keys, &[b"names in the query"]);
        self.pieces(Field::QueryPiece, Span { from: query.from, to: query.to.min(query.from + 2 * GRAMS_MAX) });
    }

    fn pair(&mut self, pair: Span, key: Span, value: Span, bare: bool) {
        let folded = self.folded;
        let (hash, text) = (folded.hash(key), folded.text(key));
        self.add_unnamed(Field::Key, hash, &[text]);
        self.add(Field::KeyAndExtension, mix(hash, self.e), &[text, self.extension_shown()]);
        self.add_unnamed(
            Field::KeyAndValue,
            mix(hash, folded.shape(value, u64::from(bare))),
            &[text, b"shape of the value"],
        );
        if pair.len() <= VALUE_MAX + 8 {
            self.add_both(Field::Pair, Field::PairAndNamed, folded.hash(pair), pair);
        }
        let words = if value.len() <= VALUE_MAX { WORDS_MAX } else { 2 };
        for word in folded.words(value).take(words) {
            self.add_unnamed(Field::ValueWord, folded.hash(word), &[folded.text(word)]);
        }
        let extension = extension_of(folded, if bare { key } else { value });
        if !extension.is_empty() {
            self.add_unnamed(Field::ValueExtension, folded.hash(extension), &[folded.text(extension)]);
        }
    }

    /// What the whole ends with.
    fn end(&mut self) {
        let folded = self.folded;
        let whole = if self.url.query.is_empty() { self.url.path } else { self.url.query };
        for len in 3..=5 {
            if whole.len() >= len {
                let span = Span { from: whole.to - len, to: whole.to };
                self.add(Field::End, folded.hash(span), &[folded.text(span)]);
            }
        }
        let extension = extension_of(folded, whole);
        if !extension.is_empty() {
            let text = folded.text(extension);
            self.add(Field::EndExtension, folded.hash(extension), &[text]);
            let known = extension::known(text).number();
            self.add(Field::EndAndNamed, mix(known, self.named), &[text, self.extension_shown()]);
        }
    }

    /// How it was linked.
    fn mention(&mut self, mention: &Mention) {
        if mention.tag != Tag::Unknown {
            let tag = mention.tag as u64;
            self.add(Field::Tag, tag, &[b"tag"]);
            self.add(Field::TagAndNamed, mix(tag, self.named), &[b"tag", self.extension_shown()]);
            if mention.place != Place::Unknown {
                self.add(Field::TagAndPlace, mix(tag, mention.place as u64), &[b"tag and place"]);
            }
        }
        for word in mention.words.into_iter().filter(|word| *word != 0) {
            self.add(Field::Said, u64::from(word), &[b"a word on the link"]);
        }
    }

    /// What only URLs of the same domain share.
    fn domain(&mut self, mention: &Mention) {
        let (folded, host) = (self.folded, self.url.host);
        let domain = domain_of(folded, host, self.url.bare);
        let (d, h) = (folded.hash(domain), folded.hash(host));
        let shown = folded.text(domain);
        let extension = self.extension_shown();
        self.sink.local(Field::Domain, d, &[shown]);
        self.sink.local(Field::DomainAndExtension, mix(d, self.e), &[shown, extension]);
        self.sink.local(Field::HostAndExtension, mix(h, self.e), &[folded.text(host), extension]);
        let mut template = d;
        let mut chain = h;
        for (at, part) in self.directories[..self.depth].iter().enumerate() {
            template = folded.shape(*part, template ^ 0x2f);
            if at < CHAIN_MAX {
                chain = mix(chain, folded.hash(*part));
                let below = [folded.text(host), folded.text(*part), extension];
                self.sink.local(Field::DomainDirectory, chain, &below[..2]);
                self.sink.local(Field::DomainDirectoryAndExtension, mix(chain, self.e), &below);
            }
        }
        let template = folded.shape(self.name, template ^ 0x2e);
        self.sink.local(Field::DomainTemplate, mix(template, self.e), &[shown, b"shape of the path"]);
        self.sink.local(Field::DomainName, mix(d, folded.hash(self.name)), &[shown, folded.text(self.name)]);
        if !self.url.query.is_empty() {
            let pairs = folded.split(self.url.query, |byte| matches!(byte, b'&' | b';')).take(PAIRS_MAX);
            let keys = pairs.fold(d, |keys, pair| {
                let end = (pair.from..pair.to).find(|at| folded.byte(*at) == b'=').unwrap_or(pair.to);
                mix(keys, folded.hash(Span { from: pair.from, to: end }))
            });
            self.sink.local(Field::DomainKeys, mix(keys, self.e), &[shown, b"names in the query"]);
        }
        if mention.tag != Tag::Unknown {
            self.sink.local(Field::DomainTag, mix(mix(d, mention.tag as u64), self.named), &[shown, b"tag"]);
        }
    }
}

/// Roughly what somebody registered: the last two labels, or three where the second says nothing (`co.uk`).
fn domain_of(folded: &Folded, host: Span, bare: bool) -> Span {
    if bare {
        return host;
    }
    let mut dots = (host.from..host.to).rev().filter(|at| folded.byte(*at) == b'.');
    let (last, second) = (dots.next(), dots.next());
    let short = last.zip(second).is_some_and(|(last, second)| host.to - last == 3 && last - second <= 4);
    let cut = if short { dots.next() } else { second };
    Span { from: cut.map_or(host.from, |at| at + 1), to: host.to }
}
