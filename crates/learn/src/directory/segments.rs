//! A path as the names of its directories and, last, of its page.

/// Deeper directories are none: what is left of the path is the name of the page. It bounds every walk towards the
/// root, whatever a site makes up.
pub const DEPTH_MAX: usize = 64;

/// The names of the directories of a path, outermost first, and then the page's own name, possibly empty.
///
/// The query is a hierarchy too, of one level per parameter as the site orders them: `/list?cat=5&page=2` is the page
/// `page=2` in the directory `cat=5` in the directory `list?`, whose question mark keeps it apart from a directory
/// `list`. Names are opaque: `..`, `.`, empty segments and percent-escapes are names like any other and never climb,
/// merge or decode, so that two paths are one page only if they are equal. `/a/` is the page with the empty name in `a`.
pub fn segments(path: &str) -> impl Iterator<Item = &str> {
    Segments::of(path)
}

/// The names not yet taken.
#[derive(Clone, Debug)]
pub(super) struct Segments<'a> {
    rest: Option<&'a str>,
    in_query: bool,
    depth: usize,
}

impl<'a> Segments<'a> {
    pub(super) fn of(path: &'a str) -> Segments<'a> {
        Segments::of_bare(bare(path))
    }

    /// Of a path whose first slash is taken away already.
    pub(super) fn of_bare(path: &'a str) -> Segments<'a> {
        Segments { rest: Some(path), in_query: false, depth: 0 }
    }

    /// Whether the name just taken was the page's.
    pub(super) fn is_over(&self) -> bool {
        self.rest.is_none()
    }

    /// Where the next name ends and the one after it begins.
    fn cut(&self, rest: &str) -> Option<(usize, usize)> {
        if self.depth == DEPTH_MAX {
            return None;
        }
        let separates = |byte: &u8| if self.in_query { *byte == b'&' } else { matches!(byte, b'/' | b'?') };
        let at = rest.as_bytes().iter().position(separates)?;
        Some((at + usize::from(rest.as_bytes()[at] == b'?'), at + 1))
    }
}

impl<'a> Iterator for Segments<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest?;
        let Some((end, next)) = self.cut(rest) else {
            return self.rest.take();
        };
        self.in_query |= end == next;
        self.depth += 1;
        self.rest = Some(&rest[next..]);
        Some(&rest[..end])
    }
}

/// A path without the slash it begins with, which says nothing.
pub(super) fn bare(path: &str) -> &str {
    path.strip_prefix('/').unwrap_or(path)
}

/// Whether two paths are of one directory, as far as a glance tells: all that could separate names is in what they
/// share. Most pages come after one of the same directory, and need not be taken apart.
pub(super) fn are_neighbours(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let separates = |byte: &u8| matches!(byte, b'/' | b'?' | b'&');
    let names = one.iter().rposition(separates).map_or(0, |last| last + 1);
    other.starts_with(&one[..names]) && !other[names..].iter().any(separates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(path: &str) -> Vec<&str> {
        segments(path).collect()
    }

    #[test]
    fn the_last_name_is_the_pages() {
        assert_eq!(names("/news/2024/a.html"), ["news", "2024", "a.html"]);
        assert_eq!(names("/a"), ["a"]);
        assert_eq!(names("a"), ["a"]);
        assert_eq!(names("/a/"), ["a", ""]);
        assert_eq!(names("/"), [""]);
        assert_eq!(names(""), [""]);
    }

    #[test]
    fn parameters_are_levels() {
        assert_eq!(names("/list?cat=5&page=2"), ["list?", "cat=5", "page=2"]);
        assert_eq!(names("/shop/list?cat=5"), ["shop", "list?", "cat=5"]);
        assert_eq!(names("/list?"), ["list?", ""]);
        assert_eq!(names("/?q"), ["?", "q"]);
        assert_eq!(names("/a?b/c?d&e"), ["a?", "b/c?d", "e"]);
    }

    #[test]
    fn names_are_opaque() {
        assert_eq!(names("/a/../b/./c"), ["a", "..", "b", ".", "c"]);
        assert_eq!(names("//a//b"), ["", "a", "", "b"]);
        assert_eq!(names("/%2e%2E/a%2fb"), ["%2e%2E", "a%2fb"]);
        assert_eq!(names("/ä/\0/日本"), ["ä", "\0", "日本"]);
    }

    #[test]
    fn what_is_too_deep_is_the_name_of_the_page() {
        let deep = format!("/{}page", "d/".repeat(10_000));
        let names = names(&deep);
        assert_eq!(names.len(), DEPTH_MAX + 1);
        assert_eq!(names[DEPTH_MAX], &deep[1 + 2 * DEPTH_MAX..]);
    }

    proptest! {
        #[test]
        fn neighbours_are_of_one_directory(shared in "/[a/?&]{0,9}", one in "[a/?&]{0,3}", other in "[a/?&]{0,3}") {
            let (one, other) = (format!("{shared}{one}"), format!("{shared}{other}"));
            let (directories, others) = (names(&one), names(&other));
            let are_of_one = directories[..directories.len() - 1] == others[..others.len() - 1];
            let has_query = [&one, &other].iter().any(|path| path.contains(['?', '&']));
            prop_assert!(are_of_one || !are_neighbours(&one, &other));
            prop_assert!(!are_of_one || are_neighbours(&one, &other) || has_query);
        }

        #[test]
        fn no_two_paths_have_the_same_names(one in "/[a/?&]{0,12}", other in "/[a/?&]{0,12}") {
            prop_assert_eq!(names(&one) == names(&other), one == other);
        }
    }
}
