//! Every measure of how much a page changed.

use super::labels::Label;
use tintype_observe::{
    Described,
    page::{Element, Hooks, Normalisation, PartWeighing, Segmented, difference, segment},
    simhash::SimHash,
};
use tintype_world::Document;

/// Measures in the order of their scores.
pub(super) const NAMES: [&str; 8] = [
    "importance",
    "importance, no habits",
    "paper: sum of shares",
    "paper: printed formula",
    "paper: per operation",
    "text diff ratio",
    "changed characters",
    "SimHash distance",
];
/// Which of them is ours.
pub(super) const OURS: usize = 0;
/// More edits than these are called all different.
const EDITS_MAX: usize = 20_000;

/// One version as it was served.
pub(super) struct Body {
    pub(super) url: String,
    pub(super) page: Option<Segmented>,
    bytes: Vec<u8>,
}

impl Body {
    pub(super) fn of(url: String, document: Document) -> Body {
        let field = |name: &str| {
            let found = document.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.as_str())
        };
        let described = Described {
            url: &url,
            content_type: document.content_type.as_deref(),
            content_encoding: field("content-encoding"),
            ..Described::default()
        };
        let usable = document.status == 200 && !document.truncated;
        let page = if usable { segment(&described, &document.body) } else { None };
        Body { url, page, bytes: document.body }
    }
}

/// A labelled pair and what every measure says of it.
#[derive(Debug)]
pub(super) struct Scored {
    pub(super) label: Label,
    pub(super) scores: [f64; NAMES.len()],
}

/// Two versions of a page, and how important the change was found when the second came in.
pub(super) struct Pair<'p> {
    pub(super) old: &'p Body,
    pub(super) new: &'p Body,
    pub(super) importance: Option<f64>,
}

impl Pair<'_> {
    pub(super) fn scores(&self) -> [f64; NAMES.len()] {
        let (Some(old), Some(new)) = (&self.old.page, &self.new.page) else {
            // What nobody can read is the same or it is not.
            return [f64::from(u8::from(self.old.bytes != self.new.bytes)); NAMES.len()];
        };
        let url = &self.new.url;
        let paper = |normalisation| {
            let hooks = Hooks { weighing: PartWeighing::Shares, normalisation, ..Hooks::default() };
            difference(old, new, url, &hooks).importance
        };
        let [before, after] = [old, new].map(words);
        [
            self.importance.unwrap_or(1.0),
            difference(old, new, url, &Hooks::default()).importance,
            paper(Normalisation::Sum),
            paper(Normalisation::Formula),
            paper(Normalisation::PerOperation),
            diff_ratio(&before, &after),
            changed_characters(before, after),
            f64::from(SimHash::of(old).distance(SimHash::of(new))) / 64.0,
        ]
    }
}

/// The words a reader sees, in order.
fn words(page: &Segmented) -> Vec<&str> {
    let shown = page.layout.blocks().filter(|block| block.shape().role.is_shown());
    shown.flat_map(|block| block.of(Element::Text).split(' ')).filter(|word| !word.is_empty()).collect()
}

/// Words that come or go on the shortest way from one text to the other, as a share of all words of both.
fn diff_ratio(old: &[&str], new: &[&str]) -> f64 {
    let all = old.len() + new.len();
    edits(old, new).map_or(1.0, |edits| edits as f64 / all.max(1) as f64)
}

/// Myers' greedy search, only counting: for every number of edits the furthest place on each diagonal.
fn edits(old: &[&str], new: &[&str]) -> Option<usize> {
    let max = EDITS_MAX.min(old.len() + new.len());
    let mut furthest = vec![0usize; 2 * max + 3];
    for edits in 0..=max {
        for diagonal in (max + 1 - edits..=max + 1 + edits).step_by(2) {
            let (left, above) = (furthest[diagonal - 1], furthest[diagonal + 1]);
            let down = diagonal == max + 1 - edits || diagonal != max + 1 + edits && left < above;
            let mut x = if down { above } else { left + 1 };
            let Some(mut y) = (x + max + 1).checked_sub(diagonal) else { continue };
            while x < old.len() && y < new.len() && old[x] == new[y] {
                (x, y) = (x + 1, y + 1);
            }
            furthest[diagonal] = x;
            if x >= old.len() && y >= new.len() {
                return Some(edits);
            }
        }
    }
    None
}

/// Characters of words that only one version has, as a share of all characters of both; order does not count.
fn changed_characters(mut old: Vec<&str>, mut new: Vec<&str>) -> f64 {
    let length = |words: &[&str]| words.iter().map(|word| word.chars().count()).sum::<usize>();
    let all = length(&old) + length(&new);
    old.sort_unstable();
    new.sort_unstable();
    let (mut at, mut common) = (0, 0);
    for word in &old {
        at += new[at..].partition_point(|other| other < word);
        if new.get(at) == Some(word) {
            common += word.chars().count();
            at += 1;
        }
    }
    (all - 2 * common) as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        text.split(' ').filter(|word| !word.is_empty()).collect()
    }

    #[test]
    fn the_shortest_way_is_counted() {
        for (old, new, expected) in
            [("a b c", "a b c", 0), ("", "a b", 2), ("a b c a b b a", "c b a b a c", 5), ("a b", "c d", 4), ("", "", 0)]
        {
            assert_eq!(edits(&split(old), &split(new)), Some(expected), "{old} / {new}");
        }
        assert_eq!(diff_ratio(&split("a b"), &split("b c")), 0.5);
    }

    #[test]
    fn characters_count_whatever_their_order() {
        assert_eq!(changed_characters(split("one two two"), split("two one two")), 0.0);
        assert_eq!(changed_characters(split("one two"), split("two three")), 8.0 / 14.0);
        assert_eq!(changed_characters(Vec::new(), Vec::new()), 0.0);
    }
}
