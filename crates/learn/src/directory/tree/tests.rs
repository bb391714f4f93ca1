use super::*;
use crate::directory::{Weighing, segments};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A version of a site as plain as can be: its pages, and directories that are there without any.
#[derive(Clone, Debug, Default)]
struct Site {
    pages: BTreeMap<String, u64>,
    held: BTreeSet<Vec<String>>,
}

fn names(path: &str) -> Vec<String> {
    segments(path).map(str::to_owned).collect()
}

impl Site {
    /// Every node with its names from the root; pages are told from directories by their content.
    fn nodes(&self) -> BTreeMap<(Vec<String>, bool), u64> {
        let pages = self.pages.iter().map(|(path, content)| ((names(path), true), *content));
        let mut nodes: BTreeMap<_, _> = pages.collect();
        let parents = self.pages.keys().map(|path| {
            let mut names = names(path);
            names.pop();
            names
        });
        for directory in parents.chain(self.held.iter().cloned()) {
            nodes.extend((0..=directory.len()).map(|depth| ((directory[..depth].to_vec(), false), 0)));
        }
        nodes
    }
}

/// Changed nodes, their weight and the size of the consolidated tree below a directory, by Definition 1.
fn compare(before: &Site, after: &Site, importance: f64, below: &[String]) -> (u32, f64, u32) {
    let nodes = |site: &Site| {
        let is_below =
            |name: &Vec<String>, is_page: bool| name.starts_with(below) && (!is_page || name.len() > below.len());
        let nodes = site.nodes().into_iter().filter(|((name, is_page), _)| is_below(name, *is_page));
        nodes.collect::<BTreeMap<_, _>>()
    };
    let (before, after) = (nodes(before), nodes(after));
    let all: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let weight = |node| match (before.get(node), after.get(node)) {
        (Some(old), Some(new)) if old == new => None,
        (Some(_), Some(_)) => Some(importance),
        _ => Some(1.0),
    };
    let weights: Vec<f64> = all.iter().filter_map(|node| weight(*node)).collect();
    (weights.len() as u32, weights.iter().sum(), all.len() as u32)
}

#[derive(Clone, Debug)]
enum Event {
    See(String, u64),
    Remove(String),
    Hold(String),
}

fn path() -> impl Strategy<Value = String> {
    "/([ab]/){0,3}[abc]?(\\?[ab](&[ab])?)?"
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        8 => (path(), 0..3u64).prop_map(|(path, content)| Event::See(path, content)),
        2 => path().prop_map(Event::Remove),
        1 => "(/[ab]){1,2}".prop_map(Event::Hold),
    ]
}

fn list() -> impl Strategy<Value = Vec<(String, u64)>> {
    prop::collection::btree_map(path(), 0..3u64, 0..40).prop_map(|pages| pages.into_iter().collect())
}

fn see_all(tree: &mut DirectoryTree, list: &[(String, u64)]) {
    for (path, content) in list {
        tree.see(path, *content);
    }
}

fn unseen() -> impl Strategy<Value = Unseen> {
    prop_oneof![Just(Unseen::Gone), Just(Unseen::Kept)]
}

/// Plays a version into both; the plain site is changed to what it says.
fn play(tree: &mut DirectoryTree, site: &mut Site, events: &[Event], unseen: Unseen) {
    let mut seen = Site::default();
    for event in events {
        match event {
            Event::See(path, content) => {
                tree.see_weighed(path, *content, 0.25).unwrap();
                site.pages.insert(path.clone(), *content);
                seen.pages.insert(path.clone(), *content);
            }
            Event::Remove(path) => {
                tree.remove(path);
                site.pages.remove(path);
                seen.pages.remove(path);
            }
            Event::Hold(path) => {
                tree.see_directory(path).unwrap();
                site.held.insert(names(path));
                seen.held.insert(names(path));
            }
        }
    }
    if unseen == Unseen::Gone {
        *site = seen;
    }
}

/// Whether a page was removed within the version: then an update back is no smaller than a deletion.
fn removes(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event, Event::Remove(_)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_directory_changes_as_sets_of_paths_say(
        versions in prop::collection::vec((prop::collection::vec(event(), 0..25), unseen()), 1..6),
        saved_after in 0..6usize,
    ) {
        let (mut tree, mut site) = (DirectoryTree::default(), Site::default());
        for (number, (events, unseen)) in versions.iter().enumerate() {
            let before = site.clone();
            play(&mut tree, &mut site, events, *unseen);
            if number == saved_after {
                tree = serde_json::from_str(&serde_json::to_string(&tree).unwrap()).unwrap();
            }
            let Some(delta) = tree.close(*unseen) else {
                prop_assert_eq!(number, 0);
                continue;
            };
            for place in 0..tree.shape().directories() as u32 {
                let directory = DirectoryId(place);
                let mut below = names(&tree.shape().path(directory));
                if below.last().is_some_and(String::is_empty) { below.pop(); }
                let (changed, weighed, nodes) = compare(&before, &site, 0.25, &below);
                match delta.get(directory) {
                    None => prop_assert_eq!(changed, 0, "{:?}", below),
                    Some(change) => {
                        prop_assert_eq!((change.changed, change.nodes), (changed, nodes), "{:?}", below);
                        prop_assert!((change.weighed - weighed).abs() < 1e-9 || removes(events));
                    }
                }
                let now = site.nodes().keys().filter(|(name, is_page)| name.starts_with(&below) && !(*is_page && *name == below)).count();
                prop_assert_eq!(tree.nodes(directory), now);
            }
        }
        let there = (0..tree.shape().pages() as u32).map(PageNumber).filter_map(|page| {
            Some((tree.shape().page_path(page).to_owned(), tree.content(page)?))
        });
        prop_assert_eq!(there.collect::<BTreeMap<_, _>>(), site.pages);
    }

    #[test]
    fn the_order_of_a_list_does_not_matter(
        first in list(),
        second in list(),
        shuffled in any::<prop::sample::Index>(),
    ) {
        let play = |second: &[(String, u64)]| {
            let mut tree = DirectoryTree::default();
            see_all(&mut tree, &first);
            tree.close(Unseen::Gone);
            see_all(&mut tree, second);
            let delta = tree.close(Unseen::Gone).unwrap();
            let named = delta.changes().iter().map(|change| (tree.shape().path(change.directory), change.changed, change.nodes));
            named.collect::<BTreeSet<_>>()
        };
        let mut other = second.clone();
        if !other.is_empty() {
            let middle = shuffled.index(other.len());
            other.rotate_left(middle);
            other[middle..].reverse();
        }
        prop_assert_eq!(play(&second), play(&other));
    }
}

#[test]
fn a_page_that_changed_back_did_not_change() {
    let mut tree = DirectoryTree::default();
    tree.see("/a", 1);
    assert_eq!(tree.close(Unseen::Gone), None);
    tree.see("/a", 2);
    tree.remove("/a");
    tree.see("/b", 1);
    tree.remove("/b");
    tree.see("/a", 1);
    assert_eq!(tree.close(Unseen::Kept).unwrap().changes(), []);
}

#[test]
fn importance_is_a_share_whatever_is_said() {
    for (said, counted) in [(-3.0, 0.0), (7.0, 1.0), (f32::NAN, 1.0), (0.5, 0.5)] {
        let mut tree = DirectoryTree::default();
        tree.see("/a", 1);
        tree.close(Unseen::Gone);
        tree.see_weighed("/a", 2, said);
        let delta = tree.close(Unseen::Gone).unwrap();
        assert_eq!(delta.degree(DirectoryId::ROOT, Weighing::Importance), counted / 2.0);
        assert_eq!(delta.degree(DirectoryId::ROOT, Weighing::Count), 0.5);
    }
}

#[test]
fn a_whole_directory_that_comes_or_goes_changes_wholly() {
    let mut tree = DirectoryTree::default();
    tree.see("/a", 1);
    tree.close(Unseen::Gone);
    tree.see("/a", 1);
    tree.see("/d/e/f", 1);
    let came = tree.close(Unseen::Gone).unwrap();
    let directory = tree.shape().find_directory("/d").unwrap();
    assert_eq!(came.degree(directory, Weighing::Count), 1.0);
    assert_eq!(came.degree(DirectoryId::ROOT, Weighing::Count), 3.0 / 5.0);
    tree.see("/a", 1);
    let went = tree.close(Unseen::Gone).unwrap();
    assert_eq!(went.degree(directory, Weighing::Count), 1.0);
    tree.see("/a", 1);
    assert_eq!(tree.close(Unseen::Gone).unwrap().degree(directory, Weighing::Count), 0.0);
}

#[test]
fn saved_trees_whose_lists_do_not_fit_are_refused() {
    let mut tree = DirectoryTree::default();
    tree.see("/a/b", 1);
    tree.close(Unseen::Gone);
    let sound = serde_json::to_value(&tree).unwrap();
    assert!(serde_json::from_value::<DirectoryTree>(sound.clone()).is_ok());
    for (field, value) in [
        ("contents", serde_json::json!([])),
        ("marks", serde_json::json!([1, 1])),
        ("born", serde_json::json!([9])),
        ("touched", serde_json::json!([{ "page": 1, "importance": 1.0, "content": 0 }])),
        ("version", serde_json::json!(0)),
        ("version", serde_json::json!(u32::MAX)),
    ] {
        let mut broken = sound.clone();
        broken[field] = value;
        assert!(serde_json::from_value::<DirectoryTree>(broken).is_err(), "{field}");
    }
}
