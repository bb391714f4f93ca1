//! How much two versions say that the other does not: words that came and went, wherever they stand.
//!
//! Words are cancelled against each other on the whole page, so that what moved, was divided otherwise or sorted anew is
//! not new; then without their signs and capitals, so that punctuation is little news. Numbers and negations belong to
//! their block: two rows that swapped their figures both say something else. Stamps are counted apart.

use super::{
    class::PartClass,
    compare::Compared,
    element::{self, Element, items},
    figure,
    hooks::Hooks,
    layout::Role,
    notation, retarget, sequence,
    share::ADVERTISEMENT,
    similar, spelling,
    steady::{self, Steady},
};
use hashbrown::{HashMap, HashSet};
use rapidhash::v3::rapidhash_v3;
use url::Url;

/// An entry of a list that came or went.
const ENTRY: f64 = 0.5;
/// A word of which something is not in the other version, beside what of it is new.
const CHANGED: f64 = 0.1;
/// A word whose letters and digits are all in the other version: other signs, capitals, or spacing, or a date in another
/// notation. A sign that stands alone.
const RESPELLED: f64 = 0.02;
/// All such words of a block: a headline in other capitals says what it said.
const RESPELLED_MAX: f64 = 0.1;
/// Words of a block in another order.
const REORDERED: f64 = 0.3;
/// An image that came or went.
const IMAGE: f64 = 0.25;
/// A block that overtook others.
const MOVED: f64 = 0.02;
/// A word that is shown, or not shown any more.
const SHOWN: f64 = 0.5;
/// Words that were struck out, or are not any more.
const STRUCK: f64 = 2.0;
/// What a sign weighs in a piece of code, or between two: another call, another comparison.
const SIGN: f64 = 1.0;
/// Words beside a figure, on either side, that may have come or gone with it.
const BESIDE: u32 = 3;
/// A block with that many words of news is half as important as one that is all news.
const HALF: f64 = 5.0;
/// More words of one block are not looked at for slips of the pen.
const TYPOS_MAX: usize = 64;

/// The news in a block, in words, by what it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct News {
    content: f64,
    visibility: f64,
    links: f64,
    images: f64,
    order: f64,
    /// Words that are written in another way.
    respelled: u32,
    /// Words came or went, whether or not they are elsewhere on the page.
    is_edited: bool,
    /// Stamps that came or went.
    pub(super) stamps: u32,
    /// All that came and went with it are advertisements.
    is_advertised: bool,
}

impl News {
    /// Of all but stamps.
    pub(super) fn amount(&self) -> f64 {
        self.content + self.visibility + self.links + self.images + self.order
    }

    /// Whether nothing but places and order are others.
    pub(super) fn is_order(&self) -> bool {
        self.order > 0.0 && self.order == self.amount()
    }

    /// How important so much news is: it grows with every word, and levels off.
    pub(super) fn importance(&self) -> f64 {
        let counts = if self.is_advertised { ADVERTISEMENT } else { 1.0 };
        counts * self.amount() / (self.amount() + HALF)
    }

    /// What most of it is, in a block of this role.
    pub(super) fn class(&self, role: Role) -> PartClass {
        let classes = [
            (PartClass::Content, self.content),
            (PartClass::Visibility, self.visibility),
            (PartClass::Link, self.links),
            (PartClass::Image, self.images),
            (PartClass::Order, self.order),
        ];
        // The first of equals, so that words count before what comes with them.
        let most = classes.iter().rev().max_by(|one, two| one.1.total_cmp(&two.1)).filter(|most| most.1 > 0.0);
        PartClass::of_role(role).unwrap_or(most.map_or(PartClass::Stamp, |(class, _)| *class))
    }
}

/// A word, or what is left of it, that only one version of a block has.
#[derive(Clone, Copy, Debug)]
struct Loose<'t> {
    key: u64,
    word: &'t str,
    block: u32,
    came: bool,
    /// Where it stands in its block.
    at: u32,
    /// The number of the word that it is a part of.
    of: u32,
    /// Belongs to its block: words of others do not cancel it.
    bound: bool,
    /// The words around it came or went as well.
    joined: bool,
}

impl Loose<'_> {
    /// What its block adds to its key.
    fn salt(&self) -> u64 {
        if self.bound { (u64::from(self.block) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) } else { 0 }
    }
}

/// The news in each block.
pub(super) fn all(compared: &[Compared<'_>], hooks: &Hooks<'_>, page: &str) -> Vec<News> {
    let base = Url::parse(page).ok();
    let mut news = texts(compared, hooks, base.as_ref().and_then(Url::host_str).unwrap_or_default());
    for (news, compared) in news.iter_mut().zip(compared) {
        let [links, images] = [Element::Link, Element::Image].map(|element| references(compared, element, hooks));
        let is_in_both = compared.old.is_some() && compared.new.is_some();
        let says_the_same = is_in_both && !news.is_edited;
        news.links += retarget::amount(links.iter().map(|link| (link.came, link.word)), says_the_same);
        news.images += IMAGE * images.len() as f64;
        news.content += ENTRY * entries(compared);
        news.order += if compared.moved { MOVED } else { 0.0 };
        news.visibility += SHOWN * compared.toggled_words() as f64;
        let links = links.iter().map(|link| (Element::Link, link.word));
        let mut advertised = links
            .chain(images.iter().map(|image| (Element::Image, element::image_url(image.word))))
            .map(|(element, url)| hooks.advertises(element, url, page, base.as_ref()))
            .peekable();
        // What comes and goes with advertisements alone is theirs.
        if advertised.peek().is_some() && advertised.all(|is| is) {
            news.is_advertised = true;
        }
    }
    news
}

/// Entries of a list or a table that came or went, counted by their links: an index may show pictures only.
fn entries(compared: &Compared<'_>) -> f64 {
    if !compared.role().is_listed() {
        return 0.0;
    }
    let [old, new] = [compared.before(), compared.after()].map(|all| items(all[1], Element::Link).count());
    old.abs_diff(new) as f64
}

/// The words that came or went in each block.
fn texts<'t>(compared: &[Compared<'t>], hooks: &Hooks<'_>, host: &str) -> Vec<News> {
    let mut news = vec![News::default(); compared.len()];
    let (mut words, mut stamps): (Vec<Loose<'t>>, Vec<Loose<'t>>) = Default::default();
    for (at, block) in compared.iter().enumerate() {
        let texts = [block.before()[0], block.after()[0]];
        if texts[0] == texts[1] {
            continue;
        }
        let mut steady = texts.map(|text| Steady::of(text, hooks));
        steady::level(&mut steady);
        let (found, stamped) = (words.len(), stamps.len());
        let keys = |all: &[&str]| -> Vec<u64> { all.iter().map(|word| hash(steady::on_site(word, host))).collect() };
        for (came, steady) in [(false, &steady[0]), (true, &steady[1])] {
            let keyed = steady.stamps.iter().zip(keys(&steady.stamps));
            stamps.extend(keyed.map(|(word, key)| Loose {
                key,
                word,
                block: at as u32,
                came,
                at: 0,
                of: 0,
                bound: false,
                joined: false,
            }));
        }
        cancel(&mut stamps, stamped);
        let [old, new] = [&steady[0].words, &steady[1].words].map(|all| keys(all));
        let edits = sequence::edits(&old, &new);
        for (went, came) in &edits {
            let respelled = spelling::respelled(&steady[0].words[went.clone()], &steady[1].words[came.clone()]);
            news[at].respelled += respelled.words;
            news[at].content += SIGN * respelled.signs as f64;
            for (all, keys, range, gone, came) in [
                (&steady[0].words, &old, went.clone(), &respelled.left[0], false),
                (&steady[1].words, &new, came.clone(), &respelled.left[1], true),
            ] {
                let loose = |(word, at_word): (&&'t str, usize)| Loose {
                    key: keys[at_word],
                    word,
                    block: at as u32,
                    came,
                    at: at_word as u32,
                    of: 0,
                    bound: false,
                    joined: false,
                };
                let left = range.start + gone.start..range.start + gone.end;
                words.extend(all[left.clone()].iter().zip(left).map(loose));
            }
        }
        let all = old.len() + new.len();
        news[at].is_edited = words.len() > found;
        cancel(&mut words, found);
        if news[at].is_edited && words.len() == found {
            news[at].order += REORDERED;
        }
        bind(&mut words[found..], all);
    }
    cancel(&mut words, 0);
    [false, true].into_iter().for_each(|came| rejoin(&mut words, came));
    cancel(&mut stamps, 0);
    stamps.iter().for_each(|loose| news[loose.block as usize].stamps += 1);
    weigh(&words, &mut news);
    news
}

/// Keeps numbers and negations of a block that stayed mostly the same from being cancelled by those of others.
fn bind(words: &mut [Loose<'_>], all: usize) {
    let stayed = words.len() * 2 <= all;
    if !stayed || !words.iter().any(|loose| figure::is_bound(loose.word)) {
        return;
    }
    let mut places: Vec<(bool, u32)> = words.iter().map(|loose| (loose.came, loose.at)).collect();
    places.sort_unstable();
    for loose in words.iter_mut().filter(|loose| figure::is_bound(loose.word)) {
        let from = places.partition_point(|place| *place < (loose.came, loose.at.saturating_sub(BESIDE)));
        let beside = places.partition_point(|place| *place <= (loose.came, loose.at + BESIDE)) - from;
        (loose.bound, loose.joined) = (true, beside > BESIDE as usize);
        loose.key ^= loose.salt();
    }
}

/// Cancels numbers and negations that went, or came, with the words around them by those of a block that only the other
/// version has: a paragraph that was divided says what it said.
fn rejoin(words: &mut Vec<Loose<'_>>, came: bool) {
    let moves = |loose: &Loose<'_>| loose.joined && loose.came == came;
    let free = |words: &mut Vec<Loose<'_>>| {
        words.iter_mut().for_each(|loose| {
            if moves(loose) {
                loose.key ^= loose.salt()
            }
        })
    };
    if words.iter().any(moves) {
        free(words);
        cancel(words, 0);
        free(words);
    }
}

/// Adds what loose words weigh.
fn weigh(words: &[Loose<'_>], news: &mut [News]) {
    let mut parts: Vec<Loose<'_>> = Vec::new();
    for (of, loose) in words.iter().enumerate().filter(|(_, loose)| loose.word != element::STRUCK) {
        let mut push = |part: &str| {
            parts.push(Loose { key: hash(&notation::plain(part, loose.word)) ^ loose.salt(), of: of as u32, ..*loose });
        };
        match steady::linked_name(loose.word) {
            Some(name) => {
                push(name);
                steady::numbers_before(loose.word, name).for_each(push);
            }
            None if figure::is_amount(loose.word) || figure::is_decimal(loose.word) => push(figure::amount(loose.word)),
            None => similar::parts(loose.word, &mut push),
        }
    }
    cancel(&mut parts, 0);
    let changed: HashSet<u32> = parts.iter().map(|part| part.of).collect();
    for (of, loose) in words.iter().enumerate() {
        match loose.word == element::STRUCK {
            true => news[loose.block as usize].visibility += STRUCK,
            false if changed.contains(&(of as u32)) => news[loose.block as usize].content += CHANGED,
            false if spelling::is_code(loose.word) => news[loose.block as usize].content += SIGN / 2.0,
            false => news[loose.block as usize].respelled += 1,
        }
    }
    for news in news.iter_mut() {
        news.content += (RESPELLED * f64::from(news.respelled)).min(RESPELLED_MAX);
    }
    let slips = slips(&parts);
    for (at, loose) in parts.iter().enumerate() {
        let weight = slips.get(&at).copied();
        let part = loose.word.trim_start_matches(|char: char| !char.is_alphanumeric());
        news[loose.block as usize].content += weight.unwrap_or_else(|| figure::weight(part, loose.word));
    }
    // What came or went is elsewhere on the page.
    for news in news.iter_mut().filter(|news| news.is_edited && news.amount() == 0.0) {
        news.order += MOVED;
    }
}

/// Which of the words are spelled otherwise, not others, and what that weighs.
fn slips(parts: &[Loose<'_>]) -> HashMap<usize, f64> {
    let mut by_block: HashMap<u32, [Vec<usize>; 2]> = HashMap::new();
    for (at, loose) in parts.iter().enumerate() {
        by_block.entry(loose.block).or_default()[usize::from(loose.came)].push(at);
    }
    let mut slips = HashMap::new();
    for [went, came] in by_block.into_values().filter(|[went, came]| went.len().max(came.len()) <= TYPOS_MAX) {
        for at in went {
            let bare = |at: usize| parts[at].word.trim_matches(|char: char| !char.is_alphanumeric());
            let is_slip =
                |other: &&usize| !slips.contains_key(*other) && figure::typo(bare(at), bare(**other)).is_some();
            if let Some(other) = came.iter().find(is_slip) {
                let weight = figure::typo(bare(at), bare(*other)).unwrap_or_default();
                slips.extend([(at, weight), (*other, weight)]);
            }
        }
    }
    slips
}

/// Takes away, from `start` on, pairs of equal words of which one came and one went.
fn cancel(loose: &mut Vec<Loose<'_>>, start: usize) {
    loose[start..].sort_by_key(|loose| loose.key);
    let mut kept = start;
    let mut at = start;
    while at < loose.len() {
        let same = loose[at..].iter().take_while(|other| other.key == loose[at].key).count();
        let came = loose[at..at + same].iter().filter(|loose| loose.came).count();
        let mut pairs = [came.min(same - came); 2];
        for from in at..at + same {
            let left = &mut pairs[usize::from(loose[from].came)];
            if *left > 0 {
                *left -= 1;
            } else {
                loose[kept] = loose[from];
                kept += 1;
            }
        }
        at += same;
    }
    loose.truncate(kept);
}

/// The links or images that came or went, whatever their order. An image is known by its name, wherever it lies, and by
/// what is said of it.
fn references<'l>(compared: &Compared<'l>, element: Element, hooks: &Hooks<'_>) -> Vec<Loose<'l>> {
    let [old, new] = [compared.before(), compared.after()].map(|all| all[element as usize]);
    if old == new {
        return Vec::new();
    }
    let mut loose: Vec<Loose<'l>> = Vec::new();
    for (came, list) in [(false, old), (true, new)] {
        for word in items(list, element) {
            let url = steady::url(element::image_url(word), hooks);
            let name = if element == Element::Image { steady::file_name(&url) } else { &url };
            let described = word.get(element::image_url(word).len()..).unwrap_or_default();
            loose.push(Loose {
                key: hash(name) ^ hash(described).rotate_left(7),
                word,
                block: 0,
                came,
                at: 0,
                of: 0,
                bound: false,
                joined: false,
            });
        }
    }
    cancel(&mut loose, 0);
    loose
}

fn hash(word: &str) -> u64 {
    rapidhash_v3(word.as_bytes())
}
