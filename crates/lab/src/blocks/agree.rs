//! How far two divisions of one page agree, word by word.

use serde::Serialize;
use std::{collections::HashMap, ops::Range};
use tintype_observe::page::{Element, Role, Segmented};

/// How far two divisions agree, each from 0 (or by chance) to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Agreement {
    /// Words that are in both.
    pub(super) words: usize,
    /// Those, of all in either.
    pub(super) shared: f64,
    /// Adjusted Rand index of the smallest blocks.
    pub(super) leaves: f64,
    /// Adjusted Rand index of the parts of the page.
    pub(super) parts: f64,
    /// The words of the smallest block that most of the importance is in: Jaccard.
    pub(super) main: f64,
    /// Importance that both see in the same words.
    pub(super) importance: f64,
}

impl Agreement {
    pub(super) fn between(one: &Segmented, two: &Segmented) -> Agreement {
        let [one, two] = [Labelled::of(one), Labelled::of(two)];
        let pairs = aligned(&one.words, &two.words);
        let pick = |choose: fn(&Labelled<'_>, usize) -> u32| -> Vec<(u32, u32)> {
            pairs.iter().map(|(left, right)| (choose(&one, *left), choose(&two, *right))).collect()
        };
        let all = one.words.len() + two.words.len() - pairs.len();
        Agreement {
            words: pairs.len(),
            shared: pairs.len() as f64 / all.max(1) as f64,
            leaves: rand_index(&pick(|labelled, at| labelled.leaves[at])),
            parts: rand_index(&pick(|labelled, at| labelled.parts[at])),
            main: jaccard(&pick(|labelled, at| u32::from(labelled.main.contains(&labelled.leaves[at])))),
            importance: common(&pairs, &one.importance, &two.importance),
        }
    }
}

/// The words of a page, and what block each is in.
struct Labelled<'p> {
    words: Vec<&'p str>,
    leaves: Vec<u32>,
    parts: Vec<u32>,
    importance: Vec<f64>,
    /// The blocks of the smallest block that most of the importance is in.
    main: Range<u32>,
}

impl<'p> Labelled<'p> {
    fn of(page: &'p Segmented) -> Labelled<'p> {
        let importance = page.importance(&|_| false);
        let weights: Vec<f64> = importance.iter().map(|importance| f64::from(*importance)).collect();
        let counts: Vec<f64> =
            page.layout.blocks().map(|block| words(block.of(Element::Text)).count() as f64).collect();
        let (parts, main) = (opened(page, &counts).0, opened(page, &weights).1);
        let mut out =
            Labelled { words: Vec::new(), leaves: Vec::new(), parts: Vec::new(), importance: Vec::new(), main };
        for (at, block) in page.layout.blocks().enumerate() {
            let count = counts[at] as usize;
            if count == 0 || block.shape().role == Role::Title {
                continue;
            }
            out.words.extend(words(block.of(Element::Text)));
            out.leaves.extend(std::iter::repeat_n(at as u32, count));
            out.parts.extend(std::iter::repeat_n(parts[at], count));
            out.importance.extend(std::iter::repeat_n(weights[at] / counts[at], count));
        }
        out
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// A block is opened if it holds more than this share of all.
const OPENED_FROM: f64 = 0.5;

/// Opens the blocks that hold most of something, from the outermost on. Returns for each block the largest around it
/// that is not opened, and what is in the smallest that is.
fn opened(page: &Segmented, held: &[f64]) -> (Vec<u32>, Range<u32>) {
    let depths: Vec<u16> = page.layout.blocks().map(|block| block.shape().depth).collect();
    let all: f64 = held.iter().sum();
    let mut parts = vec![0; held.len()];
    let mut smallest = 0..held.len() as u32;
    let mut at = 0;
    while at < held.len() {
        let after = at + 1 + depths[at + 1..].iter().take_while(|depth| **depth > depths[at]).count();
        let most = held[at..after].iter().sum::<f64>() > OPENED_FROM * all;
        if most {
            smallest = at as u32..after as u32;
        }
        let end = if most { at + 1 } else { after };
        parts[at..end].fill(at as u32);
        at = end;
    }
    (parts, smallest)
}

/// Places of the same words in both: of a word between the same neighbours, and as often in both, each to each.
fn aligned(one: &[&str], two: &[&str]) -> Vec<(usize, usize)> {
    let mut places: HashMap<[&str; 3], [Vec<usize>; 2]> = HashMap::new();
    for (side, words) in [one, two].into_iter().enumerate() {
        for at in 0..words.len() {
            let next = words.get(at + 1).copied().unwrap_or_default();
            let before = at.checked_sub(1).map(|at| words[at]).unwrap_or_default();
            places.entry([before, words[at], next]).or_default()[side].push(at);
        }
    }
    let both = places.into_values().filter(|[one, two]| one.len() == two.len());
    let mut pairs: Vec<(usize, usize)> = both.flat_map(|[one, two]| one.into_iter().zip(two)).collect();
    pairs.sort_unstable();
    pairs
}

/// The adjusted Rand index of two labellings: 1 if they are the same, 0 if they agree as chance would have it.
fn rand_index(labels: &[(u32, u32)]) -> f64 {
    let choose = |count: &usize| (count * count.saturating_sub(1)) as f64 / 2.0;
    let mut counts: [HashMap<(u32, u32), usize>; 3] = Default::default();
    for (one, two) in labels {
        for (counts, label) in counts.iter_mut().zip([(*one, *two), (*one, 0), (0, *two)]) {
            *counts.entry(label).or_default() += 1;
        }
    }
    let [both, one, two] = counts.map(|counts| counts.values().map(choose).sum::<f64>());
    let by_chance = one * two / choose(&labels.len()).max(1.0);
    let most = f64::midpoint(one, two);
    if most == by_chance { 1.0 } else { (both - by_chance) / (most - by_chance) }
}

/// Of what either has, what both have.
fn jaccard(had: &[(u32, u32)]) -> f64 {
    let [both, either] =
        had.iter().fold([0, 0], |[both, either], had| [both + (had.0 & had.1), either + (had.0 | had.1)]);
    f64::from(both) / f64::from(either.max(1))
}

/// What both distributions over the same words have in common; what only one has words for is left out.
fn common(pairs: &[(usize, usize)], one: &[f64], two: &[f64]) -> f64 {
    let [sum_one, sum_two] =
        pairs.iter().fold([0.0, 0.0], |[left, right], pair| [left + one[pair.0], right + two[pair.1]]);
    if sum_one == 0.0 || sum_two == 0.0 {
        return f64::from(u8::from(sum_one == sum_two));
    }
    pairs.iter().map(|pair| (one[pair.0] / sum_one).min(two[pair.1] / sum_two)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_observe::{Described, page::segment};

    fn page(html: &str) -> Segmented {
        let described = Described { url: "http://127.0.0.1/", content_type: Some("text/html"), ..Described::default() };
        segment(&described, html.as_bytes()).unwrap()
    }

    #[test]
    fn a_page_agrees_with_itself() {
        let page = page("<h1>One</h1><p>two three four<p>five six seven<ul><li>eight nine<li>ten</ul>");
        let found = Agreement::between(&page, &page);
        assert_eq!((found.words, found.shared, found.leaves, found.parts), (10, 1.0, 1.0, 1.0));
        assert_eq!(found.main, 1.0);
        assert!((found.importance - 1.0).abs() < 1e-9);
    }

    #[test]
    fn other_blocks_are_another_division() {
        let one = page("<p>a b c d e f g h<p>i j k l m n o p");
        let two = page("<p>a b c d<p>e f g h i j k l<p>m n o p");
        let found = Agreement::between(&one, &two);
        assert_eq!(found.shared, 1.0);
        assert!(found.leaves < 0.5, "{found:?}");
    }

    #[test]
    fn the_rand_index_is_adjusted_for_chance() {
        let same: Vec<(u32, u32)> = (0..40).map(|n| (n / 10, 7 - n / 10)).collect();
        assert_eq!(rand_index(&same), 1.0);
        let crossed: Vec<(u32, u32)> = (0..400).map(|n| (n / 20, n % 20)).collect();
        assert!(rand_index(&crossed).abs() < 0.1);
        assert_eq!(rand_index(&[]), 1.0);
    }

    #[test]
    fn words_are_the_same_between_the_same_neighbours() {
        let [one, two] = ["a b c a b d", "a b x a b c"].map(|text| text.split(' ').collect::<Vec<_>>());
        // The first word has no neighbour before it; all others differ or are the middle of "a b c".
        assert_eq!(aligned(&one, &two), [(0, 0), (1, 4)]);
    }
}
