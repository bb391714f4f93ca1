//! Paths made up to break trees: everything stays bounded, and every path stays itself.

use tintype_learn::directory::{
    Bitmaps, DEPTH_MAX, DirectoryId, DirectoryShape, DirectoryTree, PATH_BYTES_MAX, Thresholds, Unseen, Weighing,
    mine_all, skipped,
};

const THRESHOLDS: Thresholds = Thresholds::new(0.1, None, 0.0);

/// Feeds versions, given as paths with contents, and mines and uses the rules.
fn live_through(versions: &[Vec<(String, u64)>]) -> (DirectoryTree, Bitmaps) {
    let (mut tree, mut bitmaps) = (DirectoryTree::default(), Bitmaps::default());
    for version in versions {
        version.iter().for_each(|(path, content)| assert!(tree.see(path, *content).is_some()));
        tree.close(Unseen::Gone).iter().for_each(|delta| bitmaps.append(delta, 0.01, Weighing::Count));
    }
    let rules = mine_all(tree.shape(), &bitmaps, 0..bitmaps.transitions(), &THRESHOLDS);
    skipped(tree.shape(), &rules, DirectoryId::ROOT);
    (tree, bitmaps)
}

fn changed_in_turns(paths: &[String], versions: u64) -> Vec<Vec<(String, u64)>> {
    let content = |place: usize, version: u64| if place as u64 % 3 == version % 3 { version } else { 0 };
    let list = |version| paths.iter().enumerate().map(move |(place, path)| (path.clone(), content(place, version)));
    (0..versions).map(|version| list(version).collect()).collect()
}

#[test]
fn ten_thousand_levels_are_sixty_four() {
    let deep = "/d".repeat(10_000);
    let paths: Vec<String> = (0..50).map(|nth| format!("{deep}/{nth}")).collect();
    let (tree, _) = live_through(&changed_in_turns(&paths, 6));
    assert_eq!(tree.shape().directories(), DEPTH_MAX + 1);
    assert_eq!(tree.shape().pages(), 50);
    assert_eq!(tree.nodes(DirectoryId::ROOT), DEPTH_MAX + 1 + 50);
}

#[test]
fn many_deep_chains_are_mined_in_bounded_time() {
    let paths: Vec<String> = (0..300).map(|nth| format!("/{nth}{}/x", "/d".repeat(DEPTH_MAX))).collect();
    let (tree, _) = live_through(&changed_in_turns(&paths, 6));
    assert_eq!(tree.shape().directories(), 1 + 300 * DEPTH_MAX);
}

#[test]
fn a_hundred_thousand_siblings_are_a_list() {
    const SIBLINGS: u64 = 100_000;
    let mut tree = DirectoryTree::default();
    let mut path = String::new();
    for nth in 0..SIBLINGS {
        use std::fmt::Write;
        path.clear();
        write!(path, "/{nth}/").unwrap();
        tree.see(&path, 0);
    }
    assert_eq!(tree.close(Unseen::Gone), None);
    tree.see("/7/", 1);
    let delta = tree.close(Unseen::Kept).unwrap();
    assert_eq!(delta.changes().len(), 2);
    assert_eq!(delta.degree(DirectoryId::ROOT, Weighing::Count), 1.0 / (2 * SIBLINGS + 1) as f64);
    let mut bitmaps = Bitmaps::default();
    bitmaps.append(&delta, 0.0, Weighing::Count);
    assert_eq!(mine_all(tree.shape(), &bitmaps, 0..1, &THRESHOLDS), []);
}

#[test]
fn names_never_climb_merge_or_decode() {
    let paths = [
        "/a/b",
        "/a/../a/b",
        "/a/./b",
        "/a//b",
        "//a/b",
        "/a/b/",
        "/%61/b",
        "/a%2Fb",
        "/a%2fb",
        "/a/%62",
        "/A/b",
        "/a/b?",
        "/a/b?x",
        "/a/b?x&",
        "/a/b?x&y",
        "/a/b?y&x",
        "/a/b#f",
        "/a/\0",
        "/a/\u{1F4A9}",
        "/ä/b",
        "/a\u{308}/b",
        "/a\\b",
        "/..",
        "/../",
        "/../..",
        "/.",
        "/",
        "/?",
        "/?&",
        "/??",
    ];
    let mut shape = DirectoryShape::default();
    let numbers: Vec<_> = paths.iter().map(|path| shape.page(path).unwrap()).collect();
    assert_eq!(shape.pages(), paths.len());
    for (path, number) in paths.iter().zip(numbers) {
        assert_eq!((shape.page_path(number), shape.find_page(path)), (*path, Some(number)));
    }
    for directory in (0..shape.directories() as u32).map(DirectoryId) {
        assert_eq!(shape.find_directory(&shape.path(directory)), Some(directory));
    }
}

#[test]
fn a_page_turned_directory_and_back_is_two_nodes() {
    let list = |paths: &[&str]| paths.iter().map(|path| ((*path).to_owned(), 0)).collect::<Vec<_>>();
    let (tree, bitmaps) = live_through(&[list(&["/a", "/b"]), list(&["/a/", "/a/x", "/b"]), list(&["/a", "/b"])]);
    let directory = tree.shape().find_directory("/a").unwrap();
    assert_eq!(bitmaps.get(directory).collect::<Vec<_>>(), [true, true]);
    assert_eq!((tree.nodes(directory), tree.nodes(DirectoryId::ROOT)), (0, 3));
}

#[test]
fn a_megabyte_is_no_path() {
    let mut tree = DirectoryTree::default();
    let long = "/".repeat(1 << 20);
    assert_eq!((tree.see(&long, 0), tree.see_directory(&long)), (None, None));
    tree.remove(&long);
    assert_eq!((tree.shape().pages(), tree.shape().directories()), (0, 1));
    assert!(tree.see(&long[..PATH_BYTES_MAX], 0).is_some());
    assert_eq!(tree.shape().directories(), DEPTH_MAX + 1);
}

#[test]
fn a_year_of_weeks_costs_at_most_64_bytes_a_node() {
    let page = |directory: usize, nth: usize| format!("/section-{}/topic-{directory}/page-{nth}.html", directory % 17);
    let versions = (0..52usize).map(|week| {
        let pages = (0..250).flat_map(|directory| (week / 8..week / 8 + 10).map(move |nth| (directory, nth)));
        pages.map(|(directory, nth)| (page(directory, nth), (week / (1 + nth % 30)) as u64)).collect()
    });
    let (tree, bitmaps) = live_through(&versions.collect::<Vec<_>>());
    let nodes = tree.shape().pages() + tree.shape().directories();
    let bytes = tree.bytes_beside_text() + bitmaps.bytes();
    assert_eq!(bitmaps.transitions(), 51);
    assert!(bytes <= 64 * nodes, "{bytes} bytes for {nodes} nodes");
}
