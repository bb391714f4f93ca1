use super::*;
use proptest::prelude::*;
use std::collections::HashMap;

fn shape(paths: &[&str]) -> DirectoryShape {
    let mut shape = DirectoryShape::default();
    paths.iter().for_each(|path| assert!(shape.page(path).is_some()));
    shape
}

/// Paths of few names, so that pages, directories and parameters meet.
fn path() -> impl Strategy<Value = String> {
    "/[ab./?&%]{0,10}"
}

#[test]
fn directories_are_found_as_they_are_written() {
    let shape = shape(&["/news/2024/a", "/news/b", "/list?cat=5&page=2", "//x", "/l?&y", "/d//z", "/?q"]);
    let paths: Vec<_> = (0..shape.directories()).map(|number| shape.path(DirectoryId(number as u32))).collect();
    let expected = ["/", "/news", "/news/2024", "/list?", "/list?cat=5", "//", "/l?", "/l?&", "/d", "/d//", "/?"];
    assert_eq!(paths, expected);
    assert_eq!(shape.find_directory("/news/"), shape.find_directory("/news"));
    assert_eq!(shape.find_directory("/news/2025"), None);
    assert_eq!(shape.find_directory("/news/b"), None);
}

#[test]
fn a_page_and_a_directory_of_one_name_are_two() {
    let mut shape = shape(&["/a", "/a/", "/a/b"]);
    let directory = shape.find_directory("/a").unwrap();
    assert_eq!(shape.pages(), 3);
    assert_eq!(shape.directories(), 2);
    assert_eq!(shape.directory_of(shape.find_page("/a").unwrap()), DirectoryId::ROOT);
    assert_eq!(shape.directory_of(shape.find_page("/a/").unwrap()), directory);
    assert_eq!(shape.directory("/a"), Some(directory));
}

#[test]
fn children_come_in_the_order_they_were_met() {
    let shape = shape(&["/c/1", "/a/1", "/a/x/1", "/b/1"]);
    let names: Vec<_> = shape.children(DirectoryId::ROOT).map(|child| shape.name(child)).collect();
    assert_eq!(names, ["c", "a", "b"]);
    assert_eq!(shape.children(shape.find_directory("/b").unwrap()).count(), 0);
}

#[test]
fn a_slash_at_the_beginning_says_nothing() {
    let shape = shape(&["a/b", "/a/b"]);
    assert_eq!(shape.pages(), 1);
    assert_eq!(shape.page_path(PageNumber(0)), "/a/b");
}

#[test]
fn what_is_too_long_is_no_page_and_leaves_nothing() {
    let mut shape = DirectoryShape::default();
    let long = "x/".repeat(1 << 19);
    assert_eq!(shape.page(&long), None);
    assert_eq!(shape.directory(&long), None);
    assert_eq!((shape.pages(), shape.directories()), (0, 1));
    assert!(shape.page(&long[..PATH_BYTES_MAX]).is_some());
}

#[test]
fn depth_is_bounded() {
    let mut shape = shape(&[&"d/".repeat(10_000)]);
    assert_eq!(shape.directories(), DEPTH_MAX + 1);
    assert_eq!(shape.directory(&"d/".repeat(DEPTH_MAX)), Some(DirectoryId(DEPTH_MAX as u32)));
    assert_eq!(shape.directory(&"d/".repeat(DEPTH_MAX + 1)), None);
    assert_eq!(shape.directory(&"d/".repeat(DEPTH_MAX + 2)), None);
    assert_eq!(shape.find_directory(&"d/".repeat(DEPTH_MAX + 1)), None);
    assert_eq!(shape.directories(), DEPTH_MAX + 1);
}

#[test]
fn saved_lists_that_contradict_themselves_are_refused() {
    for saved in [
        r#"{"directories":[[1,"a"]],"pages":[]}"#,
        r#"{"directories":[[0,"a"],[0,"a"]],"pages":[]}"#,
        r#"{"directories":[],"pages":["/a","/a"]}"#,
        r#"{"directories":[[4294967295,"a"]],"pages":[]}"#,
    ] {
        assert!(serde_json::from_str::<DirectoryShape>(saved).is_err(), "{saved}");
    }
    let chain: Vec<_> = (0..=DEPTH_MAX as u32).map(|parent| (parent, "d")).collect();
    let saved = serde_json::json!({ "directories": chain, "pages": [] });
    assert!(serde_json::from_value::<DirectoryShape>(saved).is_err());
}

proptest! {
    #[test]
    fn numbers_and_paths_belong_together(paths in prop::collection::vec(path(), 0..60)) {
        let mut shape = DirectoryShape::default();
        let mut numbers = HashMap::new();
        for path in &paths {
            let number = shape.page(path).unwrap();
            let next = PageNumber(numbers.len() as u32);
            prop_assert_eq!(*numbers.entry(path).or_insert(next), number);
        }
        prop_assert_eq!(shape.pages(), numbers.len());
        for (path, number) in numbers {
            prop_assert_eq!(shape.page_path(number), path);
            prop_assert_eq!(shape.find_page(path), Some(number));
            let mut names: Vec<_> = shape.ancestors(shape.directory_of(number)).map(|id| shape.name(id)).collect();
            names.pop();
            names.reverse();
            let expected: Vec<_> = crate::directory::segments(path).collect();
            prop_assert_eq!(names, &expected[..expected.len() - 1]);
        }
    }

    #[test]
    fn a_directory_written_is_found_again(paths in prop::collection::vec(path(), 0..40)) {
        let shape = shape(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        for number in 0..shape.directories() as u32 {
            let directory = DirectoryId(number);
            prop_assert_eq!(shape.find_directory(&shape.path(directory)), Some(directory));
            prop_assert!(shape.parent(directory).is_none_or(|parent| parent < directory));
            prop_assert!(shape.children(directory).all(|child| shape.parent(child) == Some(directory)));
        }
        let children: usize = (0..shape.directories() as u32).map(|id| shape.children(DirectoryId(id)).count()).sum();
        prop_assert_eq!(children + 1, shape.directories());
    }

    #[test]
    fn what_was_saved_has_the_same_numbers(paths in prop::collection::vec(path(), 0..40), empty in path()) {
        let mut shape = shape(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        shape.directory(&empty);
        let text = serde_json::to_string(&shape).unwrap();
        let back: DirectoryShape = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(serde_json::to_string(&back).unwrap(), text);
        for path in &paths {
            prop_assert_eq!(back.find_page(path), shape.find_page(path));
            let directory = |shape: &DirectoryShape| shape.directory_of(shape.find_page(path).unwrap());
            prop_assert_eq!(directory(&back), directory(&shape));
        }
    }
}
