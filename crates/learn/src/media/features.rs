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
    field::Field,
    folded::{Folded, Span, mix, next},
    url::{Ending, Url, domain_of},
};
use tintype_vocab::{LinkPlace, Mention, Tag};

/// Most general features of one URL.
pub(super) const GENERAL_MAX: usize = 192;
/// Most local ones.
pub(super) const LOCAL_MAX: usize = 16;

/// Parts of a path, words of a part, and pairs of a query that are looked at.
const PARTS_MAX: usize = 10;
const WORDS_MAX: usize = 6;
const PAIRS_MAX: usize = 8;
/// Bytes of a name or a host whose neighbourhoods of four are looked at.
const GRAMS_MAX: usize = 40;
/// A value longer than this is nobody's word, and a longer pair nobody's phrase.
const VALUE_MAX: usize = 24;
const PAIR_MAX: usize = 32;
/// Directories that are told apart on one host.
const CHAIN_MAX: usize = 3;

const NOTHING: Span = Span { from: 0, to: 0 };

/// The texts a feature is made of, for people: where they stand in the URL.
pub(super) type Shown = [Span; 2];

/// Who gathers features. A model looks at the hash alone.
pub(super) trait Sink {
    fn general(&mut self, field: Field, hash: u64, shown: Shown);
    fn local(&mut self, field: Field, hash: u64, shown: Shown);

    /// Whether more of the domain than its name is of any use.
    fn knows_domain(&self) -> bool {
        true
    }
}

/// Tells a sink every feature of a sight.
pub(super) fn gather(sight: &Sight<'_>, sink: &mut impl Sink) {
    let folded = Folded::of(sight.url);
    let url = Url::of(sight.url, &folded);
    Gathering::new(&url, sink).all(&sight.mention);
}

struct Gathering<'a, S: Sink> {
    url: &'a Url<'a>,
    folded: &'a Folded,
    sink: &'a mut S,
    /// The last part of the path; empty behind a slash.
    name: Span,
    extension: Span,
    /// What the extension stands for, as a number.
    named: u64,
    /// Whether that is a media type.
    is_named: bool,
    /// Whether it is one that servers name in several ways, each its own.
    is_named_variously: bool,
    /// The extension itself, as a number.
    e: u64,
    /// The parts of the path before the name.
    directories: [Span; PARTS_MAX],
    depth: usize,
}

impl<'a, S: Sink> Gathering<'a, S> {
    fn new(url: &'a Url<'a>, sink: &'a mut S) -> Gathering<'a, S> {
        let folded = url.folded;
        let mut directories = [Span::default(); PARTS_MAX];
        let (mut depth, mut name) = (0, Span { from: url.path.to, to: url.path.to });
        for part in folded.split(url.path, &folded.slash) {
            if part.to == url.path.to {
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
        let Ending { span: extension, number, known } = url.ending(name);
        let is_named = matches!(known, Extension::Names(_));
        let is_named_variously = matches!(known, Extension::Names(kind) if kind.has_two_names());
        let (named, e) = (known.number(), mix(number, 0));
        Gathering { url, folded, sink, name, extension, named, is_named, is_named_variously, e, directories, depth }
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

    #[inline]
    fn add(&mut self, field: Field, hash: u64, shown: Shown) {
        self.sink.general(field, hash, shown);
    }

    /// One that matters only where the extension says nothing.
    #[inline]
    fn add_unnamed(&mut self, field: Field, hash: u64, shown: Span) {
        if !self.is_named {
            self.sink.general(field, hash, [shown, NOTHING]);
        }
    }

    /// A text, and the same with what the extension stands for.
    #[inline]
    fn add_both(&mut self, field: Field, and_named: Field, text: Span) {
        let hash = self.folded.hash(text);
        self.add_unnamed(field, hash, text);
        self.add(and_named, mix(hash, self.named), [text, self.extension]);
    }

    /// What it looks like from afar.
    fn shape(&mut self) {
        let (url, shown) = (self.url, [self.extension, NOTHING]);
        let query = u64::from(!url.query.is_empty());
        let slash = u64::from(self.name.is_empty());
        let depth = self.depth.min(8) as u64;
        let bare = u64::from(url.bare);
        self.add(Field::Always, 0, [NOTHING; 2]);
        self.add(Field::Extension, self.e, shown);
        self.add(Field::Named, self.named, shown);
        self.add(Field::ExtensionAndQuery, mix(self.e, query), [self.extension, url.query]);
        self.add(Field::Depth, mix(depth << 2 | query << 1 | slash, self.named), shown);
        self.add(Field::Scheme, mix(u64::from(url.https), self.named), shown);
        let has_port = u64::from(!url.port.is_empty());
        self.add(Field::Port, mix(mix(has_port, bare), self.named), [url.port, self.extension]);
        if has_port == 1 {
            let port = url.raw[url.port.from..url.port.to].iter().fold(0, |port, byte| port << 8 | u64::from(*byte));
            self.add(Field::PortNumber, mix(depth << 1 | bare, port), [url.port, NOTHING]);
        }
    }

    fn host(&mut self) {
        if self.url.bare || self.is_named && !self.is_named_variously {
            return;
        }
        let (folded, host) = (self.folded, self.url.host);
        for label in folded.split(host, &folded.dot).take(PARTS_MAX) {
            if label.to == host.to {
                self.add_both(Field::TopLevel, Field::TopLevelAndNamed, label);
                break;
            }
            self.add(Field::Label, folded.hash(label), [label, NOTHING]);
            for word in folded.words(label).take(WORDS_MAX) {
                self.add(Field::HostWord, folded.hash(word), [word, NOTHING]);
            }
        }
        self.pieces(Field::HostPiece, Span { from: host.from.max(host.to.saturating_sub(GRAMS_MAX)), to: host.to });
    }

    /// Every four bytes in a row, where the extension says nothing.
    fn pieces(&mut self, field: Field, span: Span) {
        if self.is_named {
            return;
        }
        for at in span.from..span.to.saturating_sub(3) {
            self.add(field, self.folded.four(at), [Span { from: at, to: at + 4 }, NOTHING]);
        }
    }

    fn directories(&mut self) {
        for at in 0..self.depth {
            let part = self.directories[at];
            let hash = self.folded.hash(part);
            self.add_unnamed(Field::Directory, hash, part);
            self.add(Field::DirectoryAndExtension, mix(hash, self.e), [part, self.extension]);
            for word in self.folded.words(part).take(WORDS_MAX) {
                self.add_both(Field::Word, Field::WordAndNamed, word);
            }
            self.inner(part);
        }
        if self.name.is_empty() && self.depth > 0 {
            let last = self.directories[self.depth - 1];
            self.add_unnamed(Field::LastDirectory, self.folded.hash(last), last);
        }
    }

    /// Extensions that stand elsewhere than at the end.
    fn inner(&mut self, part: Span) {
        let folded = self.folded;
        let mut dot = next(&folded.dot, part.from, part.to);
        while dot < part.to {
            let rest = Span { from: dot + 1, to: part.to.min(dot + 2 + extension::LEN_MAX) };
            let end =
                (rest.from..rest.to).find(|at| !folded.is_plain(Span { from: *at, to: *at + 1 })).unwrap_or(rest.to);
            let ending = self.url.extension(Span { from: rest.from, to: end });
            if let Some(Ending { span, number, known: known @ Extension::Names(_) }) = ending {
                self.add(Field::InnerExtension, number, [span, NOTHING]);
                self.add(Field::InnerAndNamed, mix(known.number(), self.named), [span, self.extension]);
            }
            dot = next(&folded.dot, dot + 1, part.to);
        }
    }

    fn name(&mut self) {
        if self.name.is_empty() {
            return;
        }
        let folded = self.folded;
        let cut = usize::from(!self.extension.is_empty());
        let stem = Span { from: self.name.from, to: self.extension.from - cut };
        let (mut first, mut last) = (None, None);
        for word in folded.words(stem).take(WORDS_MAX) {
            first = first.or(Some(word));
            last = Some(word);
            self.add_both(Field::NameWord, Field::NameWordAndNamed, word);
        }
        self.inner(stem);
        let second = self.url.ending(stem);
        if second.number != 0 {
            self.add(Field::SecondExtension, mix(second.number, self.e), [second.span, self.extension]);
        }
        if self.is_named {
            return;
        }
        self.add_unnamed(Field::Name, folded.hash(stem), stem);
        for (field, word) in [(Field::FirstWord, first), (Field::LastWord, last)] {
            if let Some(word) = word {
                self.add_unnamed(field, folded.hash(word), word);
            }
        }
        for word in folded.words(stem).take(WORDS_MAX) {
            self.add_unnamed(Field::Word, folded.hash(word), word);
        }
        let length = u64::from(stem.len().checked_ilog2().map_or(0, |log| log + 1));
        self.add_unnamed(Field::NameLength, mix(length, self.named), stem);
        // With the slash before it and the nothing behind it: where a name begins and ends says much.
        let from = self.name.from.max(self.name.to.saturating_sub(GRAMS_MAX)) - 1;
        self.pieces(Field::NamePiece, Span { from, to: self.name.to + 1 });
    }

    fn query(&mut self) {
        let (folded, query) = (self.folded, self.url.query);
        if query.is_empty() {
            return;
        }
        let mut keys = 0;
        for pair in folded.split(query, &folded.ampersand).take(PAIRS_MAX).filter(|pair| !pair.is_empty()) {
            let equals = next(&folded.equals, pair.from, pair.to);
            let key = Span { from: pair.from, to: equals };
            let value = (equals < pair.to).then_some(Span { from: equals + 1, to: pair.to });
            keys ^= self.pair(pair, key, value);
        }
        self.add_unnamed(Field::Keys, keys, query);
        self.pieces(Field::QueryPiece, Span { from: query.from, to: query.to.min(query.from + 2 * GRAMS_MAX) });
    }

    /// Returns a number for the key.
    fn pair(&mut self, pair: Span, key: Span, value: Option<Span>) -> u64 {
        let folded = self.folded;
        let hash = folded.hash(key);
        self.add(Field::KeyAndExtension, mix(hash, self.e), [key, self.extension]);
        if pair.len() <= PAIR_MAX {
            self.add_both(Field::Pair, Field::PairAndNamed, pair);
        }
        if self.is_named {
            return 0;
        }
        let end = Span { from: pair.to, to: pair.to };
        let shape = folded.shape(value.unwrap_or(end), u64::from(value.is_none()));
        self.add_unnamed(Field::Key, hash, key);
        self.add_unnamed(Field::KeyAndValue, mix(hash, shape), pair);
        let words = if value.is_some_and(|value| value.len() > VALUE_MAX) { 2 } else { WORDS_MAX };
        for word in folded.words(value.unwrap_or(end)).take(words) {
            self.add_unnamed(Field::ValueWord, folded.hash(word), word);
        }
        let ending = self.url.ending(value.unwrap_or(key));
        if ending.number != 0 {
            self.add_unnamed(Field::ValueExtension, ending.number, ending.span);
        }
        mix(hash, 1)
    }

    /// What the whole ends with, if that is not the extension anyway.
    fn end(&mut self) {
        let query = self.url.query;
        if self.is_named && query.is_empty() {
            return;
        }
        let whole = if query.is_empty() { self.url.path } else { query };
        for len in 3..=5 {
            if whole.len() >= len {
                let span = Span { from: whole.to - len, to: whole.to };
                self.add(Field::End, self.folded.hash(span), [span, NOTHING]);
            }
        }
        let ending = self.url.ending(whole);
        if ending.number != 0 {
            self.add(Field::EndExtension, ending.number, [ending.span, NOTHING]);
            self.add(Field::EndAndNamed, mix(ending.known.number(), self.named), [ending.span, self.extension]);
        }
    }

    /// How it was linked.
    fn mention(&mut self, mention: &Mention) {
        if mention.tag != Tag::Unknown {
            let tag = mention.tag as u64;
            self.add(Field::Tag, tag, [NOTHING; 2]);
            self.add(Field::TagAndNamed, mix(tag, self.named), [self.extension, NOTHING]);
            if mention.place != LinkPlace::Unknown {
                self.add(Field::TagAndPlace, mix(tag, mention.place as u64), [NOTHING; 2]);
            }
        }
        for word in mention.words.into_iter().filter(|word| *word != 0) {
            self.add(Field::Said, u64::from(word), [NOTHING; 2]);
        }
    }

    /// What only URLs of the same domain share.
    fn domain(&mut self, mention: &Mention) {
        let (folded, host) = (self.folded, self.url.host);
        let domain = domain_of(folded, host, self.url.bare);
        let d = folded.hash(domain);
        self.sink.local(Field::Domain, d, [domain, NOTHING]);
        self.sink.local(Field::DomainAndExtension, mix(d, self.e), [domain, self.extension]);
        if !self.sink.knows_domain() {
            return;
        }
        let h = folded.hash(host);
        self.sink.local(Field::HostAndExtension, mix(h, self.e), [host, self.extension]);
        let (mut template, mut chain) = (d, h);
        for (at, part) in self.directories[..self.depth].iter().enumerate() {
            template = folded.shape(*part, template ^ 0x2f);
            if at < CHAIN_MAX {
                chain = mix(chain, folded.hash(*part));
                let below = Span { from: self.directories[0].from, to: part.to };
                self.sink.local(Field::DomainDirectory, chain, [host, below]);
                self.sink.local(Field::DomainDirectoryAndExtension, mix(chain, self.e), [below, self.extension]);
            }
        }
        let template = folded.shape(self.name, template ^ 0x2e);
        self.sink.local(Field::DomainTemplate, mix(template, self.e), [domain, self.url.path]);
        self.sink.local(Field::DomainName, mix(d, folded.hash(self.name)), [domain, self.name]);
        if !self.url.query.is_empty() {
            let keys = folded.split(self.url.query, &folded.ampersand).take(PAIRS_MAX).fold(d, |keys, pair| {
                let end = next(&folded.equals, pair.from, pair.to);
                mix(keys, folded.hash(Span { from: pair.from, to: end }))
            });
            self.sink.local(Field::DomainKeys, mix(keys, self.e), [domain, self.url.query]);
        }
        if mention.tag != Tag::Unknown {
            self.sink.local(Field::DomainTag, mix(mix(d, mention.tag as u64), self.named), [domain, self.extension]);
        }
    }
}
