//! Two versions beside each other, block by block and word by word: nothing is left out, and nothing is weighed.

use super::{
    element::{Element, items},
    layout::{Block, Layout, Role},
    matching,
    sequence::edits,
};
use serde::Serialize;

/// What became of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    Same,
    Changed,
    Inserted,
    Deleted,
}

/// Words in a row that are all in both versions, or all in one only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WordRun {
    pub text: String,
    pub is_marked: bool,
}

/// A block with content in one version or both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffRow {
    pub kind: RowKind,
    /// It overtook other blocks.
    pub moved: bool,
    pub role: Role,
    /// Its number in the old version, and in the new one.
    pub old: Option<u32>,
    pub new: Option<u32>,
    pub before: Vec<WordRun>,
    pub after: Vec<WordRun>,
    /// Links and images that went, and that came.
    pub references_removed: Vec<String>,
    pub references_inserted: Vec<String>,
}

/// Every block that has content, in the order of the new version, what is gone where it stood.
pub fn side_by_side(old: &Layout, new: &Layout) -> Vec<DiffRow> {
    let matching = matching::matching(old, new);
    let mut gone = matching.gone.iter().copied().peekable();
    let mut rows = Vec::new();
    let has_content = |block: Block<'_>| !block.is_bare();
    let row = |from: Option<u32>, to: Option<u32>, moved: bool| {
        let blocks = [from.map(|at| old.block(at as usize)), to.map(|at| new.block(at as usize))];
        blocks.into_iter().flatten().any(has_content).then(|| DiffRow::new(blocks, [from, to], moved))
    };
    for (to, from) in matching.olds.iter().enumerate() {
        let moved = matching.moved[to];
        if let Some(from) = from.filter(|_| !moved) {
            while let Some(at) = gone.next_if(|at| *at < from) {
                rows.extend(row(Some(at), None, false));
            }
        }
        rows.extend(row(*from, Some(to as u32), moved));
    }
    rows.extend(gone.filter_map(|at| row(Some(at), None, false)));
    rows
}

/// Two texts line by line: a line that gave way to another stands beside it.
pub fn lines_side_by_side(old: &str, new: &str) -> Vec<DiffRow> {
    let [old, new] = [old, new].map(|text| text.lines().collect::<Vec<_>>());
    let (mut rows, mut at) = (Vec::new(), [0, 0]);
    let found = edits(&old, &new);
    for (removed, inserted) in found.into_iter().chain([(old.len()..old.len(), new.len()..new.len())]) {
        rows.extend(
            (at[0]..removed.start)
                .zip(at[1]..)
                .map(|(from, to)| DiffRow::line(Some((from, old[from])), Some((to, new[to])))),
        );
        for nth in 0..removed.len().max(inserted.len()) {
            let before = (removed.start + nth < removed.end).then(|| (removed.start + nth, old[removed.start + nth]));
            let after =
                (inserted.start + nth < inserted.end).then(|| (inserted.start + nth, new[inserted.start + nth]));
            rows.push(DiffRow::line(before, after));
        }
        at = [removed.end, inserted.end];
    }
    rows
}

impl DiffRow {
    /// A line of either text, or of both, with its number.
    fn line(old: Option<(usize, &str)>, new: Option<(usize, &str)>) -> DiffRow {
        let whole = |line: Option<(usize, &str)>| {
            line.map_or(Vec::new(), |(_, text)| vec![WordRun { text: text.to_owned(), is_marked: false }])
        };
        let (kind, before, after) = match (old, new) {
            (Some((_, before)), Some((_, after))) if before != after => {
                let [before, after] = marked([before, after]);
                (RowKind::Changed, before, after)
            }
            (None, _) => (RowKind::Inserted, whole(old), whole(new)),
            (_, None) => (RowKind::Deleted, whole(old), whole(new)),
            _ => (RowKind::Same, whole(old), whole(new)),
        };
        let number = |line: Option<(usize, &str)>| line.map(|(nth, _)| nth as u32);
        let (references_removed, references_inserted) = (Vec::new(), Vec::new());
        let (old, new) = (number(old), number(new));
        DiffRow {
            kind,
            moved: false,
            role: Role::Text,
            old,
            new,
            before,
            after,
            references_removed,
            references_inserted,
        }
    }

    fn new(blocks: [Option<Block<'_>>; 2], [old, new]: [Option<u32>; 2], moved: bool) -> DiffRow {
        let list = |element| blocks.map(|block| block.map_or("", |block| block.of(element)));
        let [before, after] = marked(list(Element::Text));
        let (mut references_removed, mut references_inserted) = (Vec::new(), Vec::new());
        for element in [Element::Link, Element::Image] {
            let [before, after] = list(element).map(|list| items(list, element).collect::<Vec<_>>());
            for (removed, inserted) in edits(&before, &after) {
                references_removed.extend(before[removed].iter().map(|url| url.to_string()));
                references_inserted.extend(after[inserted].iter().map(|url| url.to_string()));
            }
        }
        let differs = before.iter().chain(&after).any(|run| run.is_marked)
            || !references_removed.is_empty()
            || !references_inserted.is_empty();
        let kind = match (old, new) {
            (None, _) => RowKind::Inserted,
            (_, None) => RowKind::Deleted,
            _ if differs => RowKind::Changed,
            _ => RowKind::Same,
        };
        let role = blocks[1].or(blocks[0]).map_or(Role::Text, |block| block.shape().role);
        DiffRow { kind, moved, role, old, new, before, after, references_removed, references_inserted }
    }

    /// Whether both versions have it in the same place.
    pub fn is_same(&self) -> bool {
        self.kind == RowKind::Same && !self.moved
    }
}

/// Both texts with the words marked that only one of them has.
fn marked(texts: [&str; 2]) -> [Vec<WordRun>; 2] {
    let words = texts.map(|text| items(text, Element::Text).collect::<Vec<_>>());
    let found = edits(&words[0], &words[1]);
    let runs = |side: usize| {
        let mut runs: Vec<WordRun> = Vec::new();
        let mut at = 0;
        let mut push = |range: std::ops::Range<usize>, is_marked| {
            if !range.is_empty() {
                runs.push(WordRun { text: words[side][range].join(" "), is_marked });
            }
        };
        for (removed, inserted) in &found {
            let range = [removed, inserted][side].clone();
            push(at..range.start, false);
            at = range.end;
            push(range, true);
        }
        push(at..words[side].len(), false);
        runs
    };
    [runs(0), runs(1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{html::Syntax, page::Segmented};

    fn rows(old: &str, new: &str) -> Vec<DiffRow> {
        let [old, new] = [old, new].map(|page| Segmented::of(page, Syntax::Html).layout);
        side_by_side(&old, &new)
    }

    fn text(runs: &[WordRun]) -> String {
        let word = |run: &WordRun| if run.is_marked { format!("[{}]", run.text) } else { run.text.clone() };
        runs.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_are_marked_and_nothing_is_left_out() {
        let rows = rows(
            "<h1>Pool</h1><p>It opens at nine on Mondays.</p><p>Free for all children of the town.</p>",
            "<h1>Pool</h1><p>It opens at eight on Mondays.</p><p>Ask at the desk for a towel, please.</p>",
        );
        let changed = rows.iter().find(|row| row.kind == RowKind::Changed).unwrap();
        assert_eq!(text(&changed.before), "It opens at [nine] on Mondays.");
        assert_eq!(text(&changed.after), "It opens at [eight] on Mondays.");
        let all: String = rows.iter().map(|row| text(&row.before) + &text(&row.after)).collect();
        for words in ["Pool", "children", "towel"] {
            assert!(all.contains(words), "{words}: {all}");
        }
        assert!(rows[0].is_same());
    }

    #[test]
    fn a_block_that_overtook_others_is_marked_as_moved_and_not_as_new() {
        let [one, two, three] = [
            "The first of the paragraphs stands here.",
            "Another one says something else.",
            "And the third ends it all today.",
        ];
        let rows = rows(&format!("<p>{one}<p>{two}<p>{three}"), &format!("<p>{three}<p>{one}<p>{two}"));
        assert_eq!(rows.len(), 3, "{rows:?}");
        assert_eq!(rows.iter().filter(|row| row.moved).count(), 1);
        assert!(rows.iter().all(|row| row.kind == RowKind::Same), "{rows:?}");
    }

    #[test]
    fn lines_that_gave_way_to_others_stand_beside_them() {
        let rows = lines_side_by_side("<p>\none two\n</p>\nlast", "<p>\none three\nmore\n</p>\nlast\n");
        let kinds: Vec<RowKind> = rows.iter().map(|row| row.kind).collect();
        assert_eq!(kinds, [RowKind::Same, RowKind::Changed, RowKind::Inserted, RowKind::Same, RowKind::Same]);
        assert_eq!((text(&rows[1].before), text(&rows[1].after)), ("one [two]".to_owned(), "one [three]".to_owned()));
        assert_eq!((rows[4].old, rows[4].new), (Some(3), Some(4)));
    }

    #[test]
    fn a_link_that_leads_elsewhere_is_a_change() {
        let rows = rows("<p><a href=/a>Read</a> this", "<p><a href=/b>Read</a> this");
        assert_eq!((rows[0].kind, rows[0].references_removed.as_slice()), (RowKind::Changed, &["/a".to_owned()][..]));
        assert_eq!(rows[0].references_inserted, ["/b"]);
    }
}
