//! The edits of a difference, block by block and in full: what tells that two pages were edited in the same way.

mod same;

pub use same::same_edits;

use super::{
    compare::Difference,
    delta::Operation,
    element::{Element, items},
    summary::ChangedPart,
};
use hashbrown::HashMap;
use rapidhash::v3::rapidhash_v3;

/// All that came to a block and all that went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockEdit {
    /// What it adds to the importance of the whole; zero of a block that is not among the most important.
    pub importance: f64,
    /// Words that went, hunk by hunk on lines of their own.
    pub removed: String,
    /// Words that came.
    pub inserted: String,
    /// URLs as written.
    pub links_removed: Vec<String>,
    pub links_inserted: Vec<String>,
    /// The same for the same edit, wherever in whatever block it is made.
    pub print: u64,
    /// Hashes of the words and links that came or went, sorted, each once.
    pub words: Vec<u64>,
}

/// What a block went through, as it is gathered.
#[derive(Default)]
struct Gathered<'d> {
    hunks: [Vec<(&'d str, &'d str)>; 3],
}

impl Difference {
    /// What happened to each block that says something else now, as it stands on the page; and which of [`Difference::changed`]
    /// it is, if it is among them.
    pub fn block_edits(&self) -> Vec<(BlockEdit, Option<&ChangedPart>)> {
        let mut order: Vec<[Option<u32>; 2]> = Vec::new();
        let mut gathered: HashMap<[Option<u32>; 2], Gathered<'_>> = HashMap::new();
        for operation in &self.delta.operations {
            let Some(key) = key(operation) else { continue };
            let block = gathered.entry(key).or_insert_with(|| {
                order.push(key);
                Gathered::default()
            });
            block.take(operation);
        }
        let edit = |key: [Option<u32>; 2]| {
            let part = self.changed.iter().find(|part| part.blocks == key);
            let edit = gathered[&key].edit(part.map_or(0.0, |part| part.importance));
            (edit, part)
        };
        order.into_iter().map(edit).filter(|(edit, _)| edit.print != 0).collect()
    }
}

/// The block of an operation on content, in both versions.
fn key(operation: &Operation) -> Option<[Option<u32>; 2]> {
    match operation {
        Operation::Insert { to, .. } => Some([None, Some(*to)]),
        Operation::Delete { from, .. } => Some([Some(*from), None]),
        Operation::Update { from, to, .. } => Some([Some(*from), Some(*to)]),
        Operation::Move { .. } | Operation::Reshape { .. } => None,
    }
}

impl<'d> Gathered<'d> {
    fn take(&mut self, operation: &'d Operation) {
        match operation {
            Operation::Insert { content, .. } => self.whole(|element| ("", content.of(element))),
            Operation::Delete { content, .. } => self.whole(|element| (content.of(element), "")),
            Operation::Update { element, hunks, .. } => {
                let hunks = hunks.iter().map(|hunk| (hunk.removed.as_str(), hunk.inserted.as_str()));
                self.hunks[*element as usize].extend(hunks);
            }
            Operation::Move { .. } | Operation::Reshape { .. } => {}
        }
    }

    fn whole(&mut self, content: impl Fn(Element) -> (&'d str, &'d str)) {
        for element in Element::ALL {
            let hunk = content(element);
            if hunk != ("", "") {
                self.hunks[element as usize].push(hunk);
            }
        }
    }

    fn edit(&self, importance: f64) -> BlockEdit {
        let [texts, links, _] = &self.hunks;
        let lines = |side: fn(&(&'d str, &'d str)) -> &'d str| {
            texts.iter().map(side).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
        };
        let urls = |side: fn(&(&'d str, &'d str)) -> &'d str| {
            links.iter().map(side).flat_map(|list| items(list, Element::Link)).map(str::to_owned).collect()
        };
        BlockEdit {
            importance,
            removed: lines(|hunk| hunk.0),
            inserted: lines(|hunk| hunk.1),
            links_removed: urls(|hunk| hunk.0),
            links_inserted: urls(|hunk| hunk.1),
            print: self.print(),
            words: self.words(),
        }
    }

    /// Texts decide; only where none changed, links and images do. An edit made twice in a block is the same edit.
    fn print(&self) -> u64 {
        let Some(hunks) = self.hunks.iter().find(|hunks| !hunks.is_empty()) else { return 0 };
        let print = |(removed, inserted): &(&str, &str)| {
            rapidhash_v3(removed.as_bytes()).rotate_left(1) ^ rapidhash_v3(inserted.as_bytes()).rotate_left(32)
        };
        let mut prints: Vec<u64> = hunks.iter().map(print).collect();
        prints.sort_unstable();
        prints.dedup();
        let bytes: Vec<u8> = prints.into_iter().flat_map(u64::to_le_bytes).collect();
        rapidhash_v3(&bytes).max(1)
    }

    fn words(&self) -> Vec<u64> {
        let mut words = Vec::new();
        for (element, hunks) in Element::ALL.into_iter().zip(&self.hunks) {
            for (removed, inserted) in hunks {
                let hash = |word: &str| rapidhash_v3(word.as_bytes());
                words.extend(items(removed, element).map(|word| hash(word).rotate_left(1)));
                words.extend(items(inserted, element).map(hash));
            }
        }
        words.sort_unstable();
        words.dedup();
        words
    }
}

#[cfg(test)]
mod tests {
    use crate::{html::Syntax, page::*};

    fn edits(old: &str, new: &str) -> Vec<BlockEdit> {
        let [old, new] = [old, new].map(|page| Segmented::of(page, Syntax::Html));
        let difference = difference(&old, &new, "http://site.example/", &Hooks::default());
        difference.block_edits().into_iter().map(|(edit, _)| edit).collect()
    }

    #[test]
    fn the_same_replacement_in_other_sentences_has_the_same_print() {
        let one = edits("<p>The firm Acme Ltd makes anvils.", "<p>The firm Acme Inc makes anvils.");
        let two =
            edits("<h1>x</h1><p>Ask Acme Ltd and Acme Ltd answers.", "<h1>x</h1><p>Ask Acme Inc and Acme Inc answers.");
        assert_eq!((one.len(), two.len()), (1, 1));
        assert_eq!(one[0].print, two[0].print);
        assert_eq!((one[0].removed.as_str(), one[0].inserted.as_str()), ("Ltd", "Inc"));
        let other = edits("<p>The firm Acme Ltd makes anvils.", "<p>The firm Acme Ltd sells anvils.");
        assert_ne!(other[0].print, one[0].print);
    }

    #[test]
    fn a_block_is_told_in_full_with_its_importance() {
        let long = "word ".repeat(300);
        let edits = edits("<main><p>a</p></main>", &format!("<main><p>a</p><p>{long}<a href=/new>n</a></p></main>"));
        let longest = edits.iter().max_by_key(|edit| edit.inserted.len()).unwrap();
        assert!(longest.inserted.len() >= 1400 && longest.importance > 0.0, "{longest:?}");
        assert!(edits.iter().any(|edit| edit.links_inserted == ["/new"]), "{edits:?}");
    }
}
