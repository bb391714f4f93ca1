//! Joining a reference to its base without a full URL parser, for the shapes nearly every link on the web has.
//!
//! [`Base::join_plain`] either writes exactly what `Url::join` would, minus the fragment, or declines.

use url::{Position, Url};

/// The URL references are resolved against, cut where the common joins need it.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    url: Url,
    /// Scheme, authority: everything before the path.
    origin_end: usize,
    /// Up to and including the last slash of the path.
    directory_end: usize,
}

impl Base {
    /// Only http and https pages have links we can ask for.
    pub(crate) fn new(url: Url) -> Option<Base> {
        if !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        let origin_end = url[..Position::BeforePath].len();
        let path = &url[..Position::AfterPath];
        let directory_end = path.rfind('/').map_or(path.len(), |slash| slash + 1);
        Some(Base { url, origin_end, directory_end })
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Replaces `out` by the joined URL without fragment and says so, or says that the URL parser must decide.
    pub(crate) fn join_plain(&self, reference: &str, out: &mut String) -> bool {
        let base = self.url.as_str();
        let origin = &base[..self.origin_end];
        if reference.starts_with(origin) {
            return copy_plain(origin, reference, out);
        }
        let (prefix, rest) = match reference.strip_prefix('/') {
            Some(path) if path.starts_with('/') => return false,
            Some(_) => (origin, reference),
            None => {
                let (directory_end, rest) = self.climb(reference);
                if rest.len() == reference.len() && !is_plain_relative(rest) {
                    return false;
                }
                (&base[..directory_end], rest)
            }
        };
        append_plain(prefix, rest, out)
    }

    /// Takes leading `./` and `../` off a reference by moving up from the base's directory.
    fn climb<'r>(&self, mut reference: &'r str) -> (usize, &'r str) {
        let mut end = self.directory_end;
        loop {
            if let Some(rest) = reference.strip_prefix("../") {
                let parent = self.url.as_str()[self.origin_end..end - 1].rfind('/');
                end = self.origin_end + parent.map_or(1, |slash| slash + 1);
                reference = rest;
            } else if let Some(rest) = reference.strip_prefix("./") {
                reference = rest;
            } else {
                return (end, reference);
            }
        }
    }
}

/// [`Base::join_plain`] for an absolute reference to an origin the URL parser has already written once.
pub(crate) fn copy_plain(origin: &str, reference: &str, out: &mut String) -> bool {
    match reference.strip_prefix(origin) {
        Some(path) if path.starts_with('/') => append_plain(origin, path, out),
        _ => false,
    }
}

fn append_plain(prefix: &str, rest: &str, out: &mut String) -> bool {
    let Some(end) = plain_end(rest) else { return false };
    out.clear();
    out.push_str(prefix);
    out.push_str(&rest[..end]);
    true
}

/// Whether a reference without leading slash is a path, not a scheme, a query, a fragment or nothing.
fn is_plain_relative(reference: &str) -> bool {
    let first = reference.bytes().find(|byte| matches!(byte, b'/' | b':' | b'?' | b'#'));
    !matches!(first, Some(b':')) && !matches!(reference.as_bytes().first(), None | Some(b'?' | b'#'))
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// The URL parser would change it, or might.
    Odd,
    Plain,
    Slash,
    /// Harmless inside a segment, but at its start it may make a dot segment.
    Dotty,
    Question,
    Hash,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Odd; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Class::Plain,
            b'-' | b'_' | b'~' | b'!' | b'$' | b'&' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' | b':' | b'@' => {
                Class::Plain
            }
            b'/' => Class::Slash,
            b'.' | b'%' => Class::Dotty,
            b'?' => Class::Question,
            b'#' => Class::Hash,
            _ => Class::Odd,
        };
        byte += 1;
    }
    classes
};

/// Where path and query of a reference end, if the URL parser would copy them as they stand.
fn plain_end(reference: &str) -> Option<usize> {
    let mut in_query = false;
    let mut segment_starts = true;
    for (at, byte) in reference.bytes().enumerate() {
        let class = CLASSES[byte as usize];
        match class {
            Class::Plain => {}
            Class::Hash => return Some(at),
            Class::Question => in_query = true,
            Class::Slash => {}
            Class::Dotty if in_query || !segment_starts => {}
            Class::Dotty | Class::Odd => return None,
        }
        segment_starts = class == Class::Slash;
    }
    Some(reference.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn both(base: &str, reference: &str) -> (Option<String>, Option<String>) {
        let base = Base::new(Url::parse(base).unwrap()).unwrap();
        let mut out = String::new();
        let quick = base.join_plain(reference, &mut out).then_some(out);
        let full = base.url().join(reference).ok().map(|mut url| {
            url.set_fragment(None);
            url.to_string()
        });
        (quick, full)
    }

    #[test]
    fn common_shapes_are_joined_without_the_parser() {
        let base = "https://site.example:8080/a/b/page.html?x=1";
        for (reference, joined) in [
            ("/news/", "https://site.example:8080/news/"),
            ("/news/?page=2&x=..#top", "https://site.example:8080/news/?page=2&x=.."),
            ("next.html", "https://site.example:8080/a/b/next.html"),
            ("../c/", "https://site.example:8080/a/c/"),
            ("../../../../c/", "https://site.example:8080/c/"),
            ("./", "https://site.example:8080/a/b/"),
            ("https://site.example:8080/x", "https://site.example:8080/x"),
            ("/a%20b", "https://site.example:8080/a%20b"),
        ] {
            let (quick, full) = both(base, reference);
            assert_eq!(quick.as_deref(), Some(joined), "{reference}");
            assert_eq!(full.as_deref(), Some(joined), "{reference}");
        }
    }

    #[test]
    fn anything_unusual_is_left_to_the_parser() {
        for reference in [
            "",
            "#a",
            "?q",
            "//host/x",
            "/\\host",
            "mailto:a",
            "a:b",
            "/../x",
            "/a/./b",
            "/%2e%2e/x",
            "..",
            "/a b",
            "/é",
            "/a|b",
            "/it's",
            "https://site.example",
            "https://site.example:80/x",
            " /x",
            "/a\nb",
        ] {
            assert_eq!(both("https://site.example/a/b", reference).0, None, "{reference:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_quick_join_equals_the_full_join(
            base in "https?://(u:p@)?[a-z]{1,3}\\.example(:8[0-9])?(/[a-z./%-]{0,4}){0,4}(\\?[a-z/]{0,3})?(#[a-z/]{0,2})?",
            reference in "(\\.{0,2}/){0,3}[a-zA-Z0-9./:?#%&=@!$'()*+,;|~_\\\\ -]{0,12}|https?://[a-z]\\.example/[a-z./?#%2eE]{0,9}",
        ) {
            let (quick, full) = both(&base, &reference);
            if quick.is_some() {
                prop_assert_eq!(quick, full);
            }
        }

        #[test]
        fn a_copied_url_equals_the_parsed_one(
            origin in "https?://(u:?p?@)?([A-Z]|[a-z0-9.-]){1,6}(:[0-9]{0,3})?",
            tail in "[a-z/.:@?#%2e-]{0,8}",
        ) {
            let Ok(url) = Url::parse(&origin) else { return Ok(()) };
            let reference = format!("{}{tail}", &url[..Position::BeforePath]);
            let mut out = String::new();
            if copy_plain(&url[..Position::BeforePath], &reference, &mut out) {
                let mut full = Url::parse(&reference).unwrap();
                full.set_fragment(None);
                prop_assert_eq!(out, full.as_str());
            }
        }

        #[test]
        fn same_origin_references_join_equally(path in "(/[a-z.%2e]{0,3}){0,4}", tail in "(/|\\.|\\.\\.|%2e|%2E|[a-z?#:]){0,8}") {
            let base = format!("http://h.example{path}");
            for reference in [tail.clone(), format!("http://h.example/{tail}"), format!("/{tail}")] {
                let (quick, full) = both(&base, &reference);
                if quick.is_some() {
                    prop_assert_eq!(quick, full);
                }
            }
        }
    }
}
