//! Versions of a site of any paths: the tree says what a plain map says, every number finds its way back, and whatever
//! is mined skips directories that are there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::{BTreeMap, BTreeSet};
use tintype_learn::directory::{
    Bitmaps, DirectoryId, Literal, PageNumber, Thresholds, DirectoryTree, Unseen, Weighing, mine_all, segments, skipped,
    skipped_as_printed,
};

const THRESHOLDS: Thresholds = Thresholds::new(0.2, None, 0.3);

// A line each: `!` ends a version of which the unseen is gone, `.` one of which it is kept, `-` takes a page away, any
// other first letter is the content of the page whose path follows.
fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (mut tree, mut bitmaps) = (DirectoryTree::default(), Bitmaps::default());
    let (mut pages, mut seen) = (BTreeMap::new(), BTreeMap::new());
    for line in text.lines() {
        let mut letters = line.chars();
        let Some(kind) = letters.next() else { continue };
        let path = format!("/{}", letters.as_str());
        match kind {
            '!' | '.' => {
                let unseen = if kind == '!' { Unseen::Gone } else { Unseen::Kept };
                if unseen == Unseen::Gone {
                    pages = std::mem::take(&mut seen);
                }
                seen.clear();
                tree.close(unseen).iter().for_each(|delta| bitmaps.append(delta, 0.1, Weighing::Count));
                check(&tree, &pages);
            }
            '-' => {
                tree.remove(&path);
                pages.remove(&path);
                seen.remove(&path);
            }
            content => {
                if tree.see(&path, u64::from(content)).is_some() {
                    pages.insert(path.clone(), u64::from(content));
                    seen.insert(path, u64::from(content));
                }
            }
        }
    }
    for literal in [Literal::default(), Literal::ALL] {
        let thresholds = Thresholds { literal, ..THRESHOLDS };
        let rules = mine_all(tree.shape(), &bitmaps, 0..bitmaps.transitions(), &thresholds);
        let both = [skipped, skipped_as_printed].map(|skip| skip(tree.shape(), &rules, DirectoryId::ROOT));
        for (directory, rule) in both.into_iter().flatten() {
            assert_eq!(rules[rule].tail, directory);
        }
    }
});

fn check(tree: &DirectoryTree, pages: &BTreeMap<String, u64>) {
    let shape = tree.shape();
    let there = (0..shape.pages() as u32).map(PageNumber).filter_map(|page| {
        assert_eq!(shape.find_page(shape.page_path(page)), Some(page));
        Some((shape.page_path(page).to_owned(), tree.content(page)?))
    });
    assert_eq!(there.collect::<BTreeMap<_, _>>(), *pages);
    let mut directories = BTreeSet::new();
    for path in pages.keys() {
        let names: Vec<&str> = segments(path).collect();
        directories.extend((0..names.len()).map(|depth| names[..depth].to_vec()));
    }
    assert_eq!(tree.nodes(DirectoryId::ROOT), pages.len() + directories.len());
    for directory in (0..shape.directories() as u32).map(DirectoryId) {
        assert_eq!(shape.find_directory(&shape.path(directory)), Some(directory));
    }
}
