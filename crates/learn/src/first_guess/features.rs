//! What signs have in common with those of other pages.
//!
//! Each feature has a shipped weight, what general experience with the web adds to the logarithm of changes per day, and
//! a doubt, the variance of what a collection may find it to be. Features of one host have no shipped weight but most
//! of the doubt: sites differ from one another more than what they have in common tells.

use super::{Signs, shipped};
use crate::address::{Address, Leaf};

/// Places for weights: of features that any site may have, then of those of one host.
pub(super) const GENERAL_SLOTS: usize = 1 << 12;
pub(super) const SLOTS: usize = 1 << 15;

/// Most features a page has.
const FEATURES_MAX: usize = 32;
/// Directories whose pages are told apart, and bytes of a name that are read.
const CHAIN_MAX: usize = 4;
const NAME_MAX: usize = 64;

const DOUBT: f32 = 0.05;
const HOST_DOUBT: f32 = 0.6;
const DIRECTORY_DOUBT: f32 = 0.4;
const KINSHIP_DOUBT: f32 = 0.2;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Feature {
    pub(super) slot: usize,
    /// The variance of its weight before anything was seen.
    pub(super) doubt: f32,
}

/// The features of one page.
#[derive(Clone, Debug)]
pub(super) struct Features {
    list: [Feature; FEATURES_MAX],
    len: usize,
    /// The sum of the shipped weights.
    pub(super) shipped: f32,
    host: Name,
}

impl Features {
    pub(super) fn of(signs: &Signs<'_>) -> Features {
        let address = Address::of(signs.url);
        let host = Name::of("host").text(address.host);
        let mut features = Features { list: [Feature::default(); FEATURES_MAX], len: 0, shipped: shipped::PLAIN, host };
        features.add_place(signs, &address);
        features.add_said(signs);
        features.add_words(&address);
        features.add_kin(signs, &address);
        features
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Feature> + '_ {
        self.list[..self.len].iter().copied()
    }

    /// Where it was found and what it looks like.
    fn add_place(&mut self, signs: &Signs<'_>, address: &Address<'_>) {
        let depth = shipped::depth_class(signs.depth);
        let class = class(signs, address);
        self.general(Name::of("kind").number(signs.kind as u64), shipped::of_kind(signs.kind));
        self.general(Name::of("depth").number(depth as u64), shipped::DEPTHS[depth]);
        self.general(Name::of("leaf").number(address.leaf() as u64), shipped::of_leaf(address.leaf()));
        self.general(Name::of("class").text(class.name()), class.weight());
        if let Some(age) = age(signs, address.date()) {
            self.general(Name::of("dated").number(age as u64), shipped::DATED[age]);
        }
    }

    /// What listings and its server say of it.
    fn add_said(&mut self, signs: &Signs<'_>) {
        if signs.in_feed {
            self.general(Name::of("in feed"), shipped::IN_FEED);
        }
        if let Some(every) = signs.listed_every {
            let class = shipped::class_of(every.as_days_f64(), &shipped::EVERY_DAYS);
            self.general(Name::of("every").number(class as u64), shipped::EVERY[class]);
        }
        if let Some(age) = age(signs, signs.listed_modified) {
            self.general(Name::of("listed modified").number(age as u64), shipped::MODIFIED[age]);
        }
        if let Some(age) = age(signs, signs.modified) {
            self.general(Name::of("modified").number(age as u64), shipped::MODIFIED[age]);
        }
        if let Some(max_age) = signs.max_age {
            let class = shipped::class_of(max_age.as_days_f64(), &shipped::MAX_AGE_DAYS);
            self.general(Name::of("max age").number(class as u64), shipped::MAX_AGE[class]);
        }
    }

    /// What sites tend to call such pages.
    fn add_words(&mut self, address: &Address<'_>) {
        if let Some(directory) = address.directories().first() {
            self.general(Name::of("directory").text(directory), shipped::of_word(directory));
        }
        let stem = address.name().split('.').next().unwrap_or_default();
        if !stem.is_empty() && address.leaf() != Leaf::Slug {
            self.general(Name::of("name").text(stem), shipped::of_word(stem));
        }
    }

    /// What pages of the same host are likely to share.
    fn add_kin(&mut self, signs: &Signs<'_>, address: &Address<'_>) {
        let host = self.host;
        self.local(host, HOST_DOUBT);
        let mut chain = host.text("/");
        for directory in address.directories().iter().take(CHAIN_MAX) {
            chain = chain.text(directory);
            self.local(chain, DIRECTORY_DOUBT);
        }
        self.local(host.text("class").text(class(signs, address).name()), KINSHIP_DOUBT);
        self.local(host.text("leaf").number(address.leaf() as u64), KINSHIP_DOUBT);
        self.local(host.text("name").text(address.name()), KINSHIP_DOUBT);
        if let Some(age) = age(signs, address.date()) {
            self.local(host.text("dated").number(age as u64), KINSHIP_DOUBT);
        }
        if address.keys().next().is_some() {
            let keys = address.keys().fold(host.text("?"), Name::text);
            self.local(keys, KINSHIP_DOUBT);
        }
    }

    /// A feature that any site may have.
    fn general(&mut self, name: Name, shipped: f32) {
        self.push(Feature { slot: name.finish() % GENERAL_SLOTS, doubt: DOUBT });
        self.shipped += shipped;
    }

    /// A feature of pages of this host.
    fn local(&mut self, name: Name, doubt: f32) {
        self.push(Feature { slot: GENERAL_SLOTS + name.finish() % (SLOTS - GENERAL_SLOTS), doubt });
    }

    fn push(&mut self, feature: Feature) {
        self.list[self.len] = feature;
        self.len += 1;
    }
}

fn class(signs: &Signs<'_>, address: &Address<'_>) -> shipped::Class {
    shipped::Class::of(signs.media_type, address.extension())
}

/// The class of the time since then, if there is a then.
fn age(signs: &Signs<'_>, then: Option<tintype_vocab::Time>) -> Option<usize> {
    Some(shipped::class_of((signs.now - then?).as_days_f64(), &shipped::AGE_DAYS))
}

/// The name of a feature as a hash (FNV-1a), which must stay as it is: models are kept.
#[derive(Clone, Copy, Debug)]
struct Name(u64);

impl Name {
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    fn of(kind: &str) -> Name {
        Name(0xcbf2_9ce4_8422_2325).text(kind)
    }

    /// Goes on with a text; cases and numbers are not told apart, and what is too long is not read to its end.
    fn text(self, text: &str) -> Name {
        let mut last = 0;
        let folded = text
            .bytes()
            .take(NAME_MAX)
            .map(|byte| if byte.is_ascii_digit() { b'0' } else { byte.to_ascii_lowercase() });
        let name = folded.fold(self, |name, byte| {
            let repeated = byte == b'0' && last == b'0';
            last = byte;
            if repeated { name } else { name.byte(byte) }
        });
        name.byte(0xff)
    }

    fn number(self, number: u64) -> Name {
        number.to_le_bytes().into_iter().fold(self, Name::byte)
    }

    fn byte(self, byte: u8) -> Name {
        Name((self.0 ^ u64::from(byte)).wrapping_mul(Name::PRIME))
    }

    /// A number whose lower bits depend on all of the name.
    fn finish(self) -> usize {
        ((self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::{LinkKind, Span, Time};

    fn slots(url: &str) -> Vec<usize> {
        Features::of(&Signs::new(url, LinkKind::Anchor, 2, Time::default()))
            .iter()
            .map(|feature| feature.slot)
            .collect()
    }

    #[test]
    fn the_longest_list_of_features_has_room() {
        let signs = Signs {
            listed_modified: Some(Time::MIN),
            listed_every: Some(Span::from_days(1)),
            in_feed: true,
            media_type: Some("text/html"),
            modified: Some(Time::MAX),
            max_age: Some(Span::ZERO),
            ..Signs::new("http://h/2024/05/17/d/e/f/g/n.html?a=1&b=2", LinkKind::Listed, 9, Time::default())
        };
        let features = Features::of(&signs);
        assert!(features.len < FEATURES_MAX && features.shipped.is_finite(), "{features:?}");
    }

    #[test]
    fn pages_that_differ_in_a_number_or_in_case_are_kin() {
        assert_eq!(slots("http://h/a7/1234.html"), slots("http://H/A81/98765.html"));
        assert_ne!(slots("http://h/a/1234.html"), slots("http://i/a/1234.html"));
    }

    #[test]
    fn names_are_what_they_were_when_models_were_kept() {
        assert_eq!(Name::of("host").text("example.com").finish(), 1_139_760_495);
    }
}
