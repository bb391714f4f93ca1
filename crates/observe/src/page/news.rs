//! How much two versions say that the other does not: words that came and went, wherever they stand.
//!
//! Words are cancelled against each other on the whole page, so that what moved, was divided otherwise or sorted anew is
//! not new; then without their signs and capitals, so that punctuation is little news. A stamp in place of another of
//! its kind says nothing.

use super::{
    compare::Compared,
    element::{Element, items},
    hooks::Hooks,
    layout::Role,
    share::ADVERTISEMENT,
    similar,
    steady::{self, Steady},
};
use rapidhash::v3::rapidhash_v3;
use url::Url;

/// Half of a word that was replaced: it came, or it went.
const WORD: f64 = 0.5;
/// A word whose letters and digits are all in the other version: other signs, capitals, or spacing.
const RESPELLED: f64 = 0.1;
/// A sign that stands alone.
const SIGN: f64 = 0.02;
/// Words of a block in another order.
const REORDERED: f64 = 0.3;
/// A stamp that came or went, where none took its place.
const STAMP: f64 = 0.15;
/// An image that came or went.
const IMAGE: f64 = 0.25;
/// A link that leads elsewhere: if its words are the same, a reader sees nothing.
const LINK: f64 = 0.01;
/// A block that overtook others.
const MOVED: f64 = 0.02;
/// A block with that many words of news is half as important as one that is all news.
const HALF: f64 = 5.0;

/// A word, or what is left of it, that only one version of a block has.
#[derive(Clone, Copy, Debug)]
struct Loose<'t> {
    key: u64,
    word: &'t str,
    block: u32,
    came: bool,
}

/// How important so much news is: it grows with every word, and levels off.
pub(super) fn importance(amount: f64) -> f64 {
    amount / (amount + HALF)
}

/// The news in each block, in words.
pub(super) fn amounts(compared: &[Compared<'_>], hooks: &Hooks<'_>, page: &str) -> Vec<f64> {
    let base = Url::parse(page).ok();
    let mut amounts = texts(compared, hooks, base.as_ref().and_then(Url::host_str).unwrap_or_default());
    for (amount, compared) in amounts.iter_mut().zip(compared) {
        let [links, images] = [Element::Link, Element::Image].map(|element| references(compared, element, hooks));
        *amount += LINK * links.len() as f64 + IMAGE * images.len() as f64 + WORD * entries(compared);
        *amount += if compared.moved { MOVED } else { 0.0 };
        let links = links.into_iter().map(|url| (Element::Link, url));
        let mut advertised = links
            .chain(images.into_iter().map(|url| (Element::Image, url)))
            .map(|(element, url)| hooks.advertises(element, url, page, base.as_ref()))
            .peekable();
        // What comes and goes with advertisements alone is theirs.
        if advertised.peek().is_some() && advertised.all(|is| is) {
            *amount *= ADVERTISEMENT;
        }
    }
    amounts
}

/// Entries of a list or a table that came or went, counted by their links: an index may show pictures only.
fn entries(compared: &Compared<'_>) -> f64 {
    let role = compared.new.or(compared.old).map(|(layout, at)| layout.block(at as usize).shape().role);
    if !role.is_some_and(Role::is_listed) {
        return 0.0;
    }
    let [old, new] = [compared.before(), compared.after()].map(|all| items(all[1], Element::Link).count());
    old.abs_diff(new) as f64
}

/// The words that came or went in each block.
fn texts(compared: &[Compared<'_>], hooks: &Hooks<'_>, host: &str) -> Vec<f64> {
    let mut amounts = vec![0.0; compared.len()];
    let (mut words, mut stamps): (Vec<Loose<'_>>, Vec<Loose<'_>>) = Default::default();
    for (at, block) in compared.iter().enumerate() {
        let texts = [block.before()[0], block.after()[0]];
        if texts[0] == texts[1] {
            continue;
        }
        let steady = texts.map(|text| Steady::of(text, hooks));
        let found = words.len();
        for (came, steady) in [(false, &steady[0]), (true, &steady[1])] {
            let loose = |word| Loose { key: hash(steady::on_site(word, host)), word, block: at as u32, came };
            words.extend(steady.words.iter().copied().map(loose));
            stamps.extend((0..steady.stamps).map(|_| Loose { key: 0, word: "", block: at as u32, came }));
        }
        cancel(&mut words, found);
        if words.len() == found && steady[0].words != steady[1].words {
            amounts[at] += REORDERED;
        }
    }
    cancel(&mut words, 0);
    cancel(&mut stamps, 0);
    let mut parts: Vec<Loose<'_>> = Vec::new();
    for loose in &words {
        let before = parts.len();
        match steady::linked_name(loose.word) {
            Some(name) => parts.push(Loose { key: hash(name), ..*loose }),
            None => similar::parts(loose.word, &mut |part| {
                parts.push(Loose { key: hash(&part.to_lowercase()), ..*loose });
            }),
        }
        amounts[loose.block as usize] += if parts.len() > before { RESPELLED } else { SIGN };
    }
    cancel(&mut parts, 0);
    parts.iter().for_each(|loose| amounts[loose.block as usize] += WORD);
    stamps.iter().for_each(|loose| amounts[loose.block as usize] += STAMP);
    amounts
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

/// The links or images that came or went, whatever their order. An image is known by its name, wherever it lies.
fn references<'l>(compared: &Compared<'l>, element: Element, hooks: &Hooks<'_>) -> Vec<&'l str> {
    let [old, new] = [compared.before(), compared.after()].map(|all| all[element as usize]);
    if old == new {
        return Vec::new();
    }
    let mut loose: Vec<Loose<'l>> = Vec::new();
    for (came, list) in [(false, old), (true, new)] {
        for word in items(list, element) {
            let url = steady::url(word, hooks);
            let name = if element == Element::Image { steady::linked_name(&url).unwrap_or(&url) } else { &url };
            loose.push(Loose { key: hash(name), word, block: 0, came });
        }
    }
    cancel(&mut loose, 0);
    loose.into_iter().map(|loose| loose.word).collect()
}

fn hash(word: &str) -> u64 {
    rapidhash_v3(word.as_bytes())
}
