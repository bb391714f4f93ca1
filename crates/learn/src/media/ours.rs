//! Our model: one row of weights per feature, summed and turned into chances; learns from every answer.
//!
//! General features know the web, local ones the domain at hand: as long as nothing was seen of a domain its features
//! add nothing, and after a few answers they say more than all others.

use super::{
    Guess, MediaAnswer, Model, Sight,
    aside::Aside,
    features::{self, GENERAL_MAX, LOCAL_MAX, Shown, Sink},
    field::Field,
    folded::mix,
    kind::Kind,
    shares::{Keys, Shares},
    tags,
    weights::{self, Row, Sum, Weights},
};
use tintype_vocab::{ContentType, MediaRange, Mention, Tag};

/// How far one answer moves the weights of general and of local features.
const RATE: f32 = 0.03;
const LOCAL_RATE: f32 = 0.3;
/// Times local features are moved by one answer, as long as it is not what they expect.
const LOCAL_STEPS: usize = 3;
/// A prediction this near the truth teaches nothing.
const CLOSE: f32 = 1e-4;

/// The model. [`Media::default`] knows what is shipped, [`Media::blank`] nothing.
#[derive(Clone, Debug)]
pub struct Media {
    pub(super) weights: Weights,
    pub(super) aside: Aside,
    pub(super) shares: Shares,
    /// What it was trained on, in words.
    pub(super) trained_on: String,
}

/// Why a prediction is what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct MediaReason {
    /// The feature in words.
    pub feature: String,
    /// The content type it speaks for most.
    pub content_type: ContentType,
    /// By how much it speaks for that rather than for the others.
    pub weight: f32,
}

/// A number for a field and a text.
#[inline]
fn hashed(field: Field, hash: u64) -> u64 {
    mix(hash, (field as u64 + 1) << 32)
}

/// Where the weights of a sight's features are.
struct Slots<'a> {
    general: [u32; GENERAL_MAX],
    generals: usize,
    local: [u32; LOCAL_MAX],
    locals: usize,
    keys: Keys,
    /// Who only asks does not need the local features of a domain of which nothing is known; who learns does.
    asked: Option<&'a Media>,
}

impl<'a> Slots<'a> {
    fn of(sight: &Sight<'_>, asked: Option<&'a Media>) -> Slots<'a> {
        let (general, local) = ([0; GENERAL_MAX], [0; LOCAL_MAX]);
        let mut slots = Slots { general, generals: 0, local, locals: 0, keys: Keys::default(), asked };
        features::gather(sight, &mut slots);
        slots
    }

    fn general(&self) -> &[u32] {
        &self.general[..self.generals]
    }

    fn local(&self) -> &[u32] {
        &self.local[..self.locals]
    }
}

impl Sink for Slots<'_> {
    #[inline]
    fn general(&mut self, field: Field, hash: u64, _: Shown) {
        let hash = hashed(field, hash);
        if field == Field::Extension {
            self.keys.extension = hash;
        }
        if self.generals < GENERAL_MAX {
            self.general[self.generals] = weights::general(hash);
            self.generals += 1;
        }
    }

    #[inline]
    fn local(&mut self, field: Field, hash: u64, _: Shown) {
        let hash = hashed(field, hash);
        match field {
            Field::DomainAndExtension => self.keys.domain_and_extension = hash,
            // The deepest comes last.
            Field::DomainDirectoryAndExtension => self.keys.directory = Some(hash),
            _ => {}
        }
        if self.locals < LOCAL_MAX {
            self.local[self.locals] = weights::local(hash);
            self.locals += 1;
        }
    }

    fn knows_domain(&self) -> bool {
        let knows = |media: &Media, slot: u32| media.weights.says(slot as usize) || media.aside.knows(slot);
        self.asked.is_none_or(|media| self.local().iter().any(|slot| knows(media, *slot)))
    }
}

impl Media {
    /// Knows nothing but what extensions and tags stand for.
    pub fn blank() -> Media {
        Media {
            weights: Weights::blank(),
            aside: Aside::blank(),
            shares: Shares::blank(),
            trained_on: "nothing".to_owned(),
        }
    }

    /// What it was trained on before it was used, in words.
    pub fn trained_on(&self) -> &str {
        &self.trained_on
    }

    /// What is behind a URL, as far as can be told before asking.
    pub fn guess(&self, sight: &Sight<'_>) -> Guess<'_> {
        let slots = Slots::of(sight, Some(self));
        let chances = self.chances(&slots, sight.mention.tag);
        Guess { media: self, chances, local: slots.local, locals: slots.locals, keys: slots.keys }
    }

    /// The chances of every kind.
    fn chances(&self, slots: &Slots<'_>, tag: Tag) -> [f32; Kind::COUNT] {
        self.chances_with(self.general(slots), slots, tag)
    }

    /// What general features say.
    fn general(&self, slots: &Slots<'_>) -> Sum {
        let mut sum = Sum::default();
        self.weights.add_to(&mut sum, slots.general());
        sum
    }

    /// The chances where that is known already.
    fn chances_with(&self, mut sum: Sum, slots: &Slots<'_>, tag: Tag) -> [f32; Kind::COUNT] {
        self.weights.add_to(&mut sum, slots.local());
        let mut scores = sum.scores();
        tags::add_to(&mut scores.0, tag);
        weights::chances(&scores)
    }

    /// Learns what was behind a URL. What is none of the known content types is passed over.
    pub fn learn(&mut self, sight: &Sight<'_>, answer: &MediaAnswer<'_>) {
        let slots = Slots::of(sight, None);
        let chances = self.chances(&slots, sight.mention.tag);
        let Some(kind) = self.shares.see(slots.keys, answer.media_type) else { return };
        self.aside.learn(&chances, kind, slots.local(), answer);
        let surprises = self.step(&slots, &chances, kind, [RATE, LOCAL_RATE]);
        if sight.mention == Mention::default() {
            if surprises {
                self.go_over(&slots, kind);
            }
        } else {
            // How it was linked explains much. The next one like it may be linked otherwise, so what its URL alone would
            // have led to expect is held against the answer too.
            let bare = Slots::of(&Sight::of(sight.url), None);
            self.go_over(&bare, kind);
        }
    }

    /// Moves local features some more. A domain answers a few times only before it is to be known.
    fn go_over(&mut self, slots: &Slots<'_>, kind: Kind) {
        let general = self.general(slots);
        for _ in 1..LOCAL_STEPS {
            let chances = self.chances_with(general, slots, Tag::Unknown);
            if !self.step(slots, &chances, kind, [0.0, LOCAL_RATE]) {
                break;
            }
        }
    }

    /// Learns the weights alone, at other rates than usual: of general features, of local ones.
    pub(super) fn learn_weights(&mut self, sight: &Sight<'_>, kind: Kind, rates: [f32; 2]) {
        let slots = Slots::of(sight, None);
        let chances = self.chances(&slots, sight.mention.tag);
        self.step(&slots, &chances, kind, rates);
    }

    /// Learns all but the weights.
    pub(super) fn learn_names(&mut self, sight: &Sight<'_>, answer: &MediaAnswer<'_>) {
        let slots = Slots::of(sight, None);
        let chances = self.chances(&slots, sight.mention.tag);
        if let Some(kind) = self.shares.see(slots.keys, answer.media_type) {
            self.aside.learn(&chances, kind, slots.local(), answer);
        }
    }

    /// Moves the weights of general and local features towards what was there, unless it was expected. Says whether not.
    fn step(&mut self, slots: &Slots<'_>, chances: &[f32; Kind::COUNT], kind: Kind, rates: [f32; 2]) -> bool {
        let mut slope = Row::default();
        slope.0[..Kind::COUNT].copy_from_slice(chances);
        slope.0[kind as usize] -= 1.0;
        let squared = 0.5 * slope.0.iter().map(|slope| slope * slope).sum::<f32>();
        if squared < CLOSE {
            return false;
        }
        for (slots, rate) in [slots.general(), slots.local()].into_iter().zip(rates) {
            if rate > 0.0 {
                self.weights.step(slots, &slope, squared, rate);
            }
        }
        true
    }

    /// Adds what another model learned. The same in any order.
    pub fn merge(&mut self, other: &Media) {
        self.weights.merge(&other.weights);
        self.aside.merge(&other.aside);
        self.shares.merge(&other.shares);
    }

    /// Why a prediction is what it is, the strongest reason first.
    pub fn explain(&self, sight: &Sight<'_>) -> Vec<MediaReason> {
        let mut reasons = Reasons { media: self, url: sight.url.as_bytes(), list: Vec::new() };
        features::gather(sight, &mut reasons);
        let mut list = reasons.list;
        list.extend(tags::reason(sight.mention.tag));
        // What several features say in the same words is said once, by the strongest.
        list.sort_by(|one, other| one.feature.cmp(&other.feature).then(other.weight.total_cmp(&one.weight)));
        list.dedup_by(|one, other| one.feature == other.feature);
        list.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        list
    }
}

struct Reasons<'a> {
    media: &'a Media,
    url: &'a [u8],
    list: Vec<MediaReason>,
}

/// The content type a row speaks for, and how far above the average of all.
pub(super) fn strongest(row: &Row) -> (ContentType, f32) {
    let mean = row.0[..Kind::COUNT].iter().sum::<f32>() / Kind::COUNT as f32;
    let best = Kind::ALL.into_iter().max_by(|one, other| row.0[*one as usize].total_cmp(&row.0[*other as usize]));
    let best = best.unwrap_or(Kind::Html);
    (best.content_type(), row.0[best as usize] - mean)
}

impl Reasons<'_> {
    /// A feature in words, as they stand in the URL, if anything was learned of it.
    fn add(&mut self, field: Field, slot: u32, shown: Shown) {
        let row = self.media.weights.row(slot);
        if row.learned() > 0.0 {
            // The last piece of a name reaches one byte beyond it, where a URL may end.
            let end = self.url.len();
            let texts = shown.iter().map(|span| self.url.get(span.from..span.to.min(end)).unwrap_or_default());
            let texts = texts.filter(|text| !text.is_empty());
            let texts: Vec<_> = texts.map(String::from_utf8_lossy).collect();
            let texts = if texts.is_empty() { String::new() } else { format!(": {}", texts.join(" + ")) };
            let (content_type, weight) = strongest(row);
            self.list.push(MediaReason { feature: format!("{}{texts}", field.name()), content_type, weight });
        }
    }
}

impl Sink for Reasons<'_> {
    fn general(&mut self, field: Field, hash: u64, shown: Shown) {
        self.add(field, weights::general(hashed(field, hash)), shown);
    }

    fn local(&mut self, field: Field, hash: u64, shown: Shown) {
        self.add(field, weights::local(hashed(field, hash)), shown);
    }
}

impl Model for Media {
    fn learn(&mut self, sight: &Sight<'_>, answer: &MediaAnswer<'_>) {
        Media::learn(self, sight, answer);
    }

    fn content_types(&self, sight: &Sight<'_>) -> [f32; ContentType::ALL.len()] {
        self.guess(sight).content_types()
    }

    fn chance(&self, sight: &Sight<'_>, wanted: &MediaRange) -> f32 {
        self.guess(sight).chance(wanted)
    }

    fn bytes(&self) -> usize {
        Weights::BYTES + self.aside.bytes() + self.shares.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(media: &Media, url: &str) -> f32 {
        media.guess(&Sight::of(url)).chance(&"image".parse().unwrap())
    }

    #[test]
    fn a_domain_whose_extensions_lie_is_seen_through_after_a_few_answers() {
        let mut media = Media::default();
        let page = |number: u32| format!("https://liar.example/view/{number}.jpg");
        assert!(image(&media, &page(0)) > 0.9);
        for number in 0..6 {
            media.learn(&Sight::of(&page(number)), &MediaAnswer::of("text/html"));
        }
        assert!(image(&media, &page(77)) < 0.3, "{}", image(&media, &page(77)));
        assert!(image(&media, "https://honest.example/view/77.jpg") > 0.9, "others are not blamed for it");
    }

    #[test]
    fn what_is_learned_of_embedded_pictures_holds_for_those_that_are_only_linked() {
        let mut media = Media::default();
        let linked = |number: u32, tag| {
            (format!("http://board.example/attachment.php?id={number}"), Mention { tag, ..Mention::default() })
        };
        for number in 0..20 {
            let thread = format!("http://board.example/showthread.php?t={number}");
            let anchor = Mention { tag: Tag::Anchor, ..Mention::default() };
            media.learn(&Sight { url: &thread, mention: anchor }, &MediaAnswer::of("text/html"));
            let (url, mention) = linked(number, Tag::Image);
            media.learn(&Sight { url: &url, mention }, &MediaAnswer::of("image/jpeg"));
        }
        let (url, mention) = linked(99, Tag::Anchor);
        let chance = media.guess(&Sight { url: &url, mention }).chance(&"image".parse().unwrap());
        assert!(chance > 0.5, "{chance}");
    }

    #[test]
    fn what_two_learned_of_two_domains_one_knows_after_merging_in_any_order() {
        let (mut one, mut other) = (Media::default(), Media::default());
        for number in 0..8 {
            one.learn(&Sight::of(&format!("http://a.example/get?n={number}")), &MediaAnswer::of("image/png"));
            other.learn(&Sight::of(&format!("http://b.example/file/{number}")), &MediaAnswer::of("image/gif"));
        }
        let (mut ab, mut ba) = (one.clone(), other.clone());
        ab.merge(&other);
        ba.merge(&one);
        for url in ["http://a.example/get?n=99", "http://b.example/file/99"] {
            assert!(image(&ab, url) > 0.6, "{url} {}", image(&ab, url));
            assert!((image(&ab, url) - image(&ba, url)).abs() < 0.05, "{url}");
        }
    }

    #[test]
    fn pages_that_carry_no_links_are_known_where_their_type_never_surprised() {
        let mut media = Media::default();
        let page = |number: u32| format!("https://plain.example/notes/{number}.html");
        let before = media.guess(&Sight::of(&page(0))).links();
        for number in 0..12 {
            let answer = MediaAnswer { media_type: "text/html", bytes: Some(500), links: Some(false) };
            media.learn(&Sight::of(&page(number)), &answer);
        }
        let after = media.guess(&Sight::of(&page(77))).links();
        assert!(before > 0.8 && after < 0.5, "{before} {after}");
    }

    #[test]
    fn reasons_are_in_words_and_the_strongest_comes_first() {
        let reasons = Media::default().explain(&Sight::of("https://new.example/photos/holiday.jpg"));
        assert!(reasons.is_sorted_by(|one, other| one.weight >= other.weight));
        let extension = reasons.iter().find(|reason| reason.feature == "extension: jpg").unwrap();
        assert_eq!(extension.content_type, ContentType::Image);
    }

    #[test]
    fn a_name_that_is_no_media_type_teaches_nothing() {
        let mut media = Media::blank();
        let before = media.to_bytes();
        for odd in ["", "nonsense", "multipart/mixed", "model/gltf", "x/"] {
            media.learn(&Sight::of("http://e.example/a.jpg"), &MediaAnswer::of(odd));
        }
        assert_eq!(media.to_bytes(), before);
    }
}
