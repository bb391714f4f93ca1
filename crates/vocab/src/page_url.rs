//! The identity of a page.

mod plain;

use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt};
use url::Url;

/// The identity of a page: its URL as the WHATWG URL standard writes it, without the fragment, which is never sent.
///
/// Two URLs are one page exactly if a browser would send the same request for both. So scheme and host lose their capitals,
/// a default port goes, an empty path becomes `/`, `.` and `..` are resolved, and what may not stand in a URL is
/// percent-encoded. Everything else tells pages apart: capitals and slashes of the path, the order of the query and an empty
/// one, `www.`, http and https, a user name, and percent-encoding, which is neither undone nor changed in its case.
///
/// What is no URL stands for itself. The key of the index folds more than this: [`UrlKey`](crate::UrlKey).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PageUrl<'a>(Cow<'a, str>);

impl<'a> PageUrl<'a> {
    /// The page a URL stands for. A URL that is written as it should be, as links and logs have it, is not copied.
    pub fn new(url: &'a str) -> PageUrl<'a> {
        if plain::is_normal(url) {
            return PageUrl(Cow::Borrowed(url));
        }
        PageUrl(match Url::parse(url) {
            Ok(mut parsed) => {
                parsed.set_fragment(None);
                Cow::Owned(parsed.into())
            }
            Err(_) => Cow::Borrowed(url),
        })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_owned(self) -> PageUrl<'static> {
        PageUrl(Cow::Owned(self.0.into_owned()))
    }
}

impl<'a> From<PageUrl<'a>> for Cow<'a, str> {
    fn from(url: PageUrl<'a>) -> Cow<'a, str> {
        url.0
    }
}

impl fmt::Display for PageUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_server_tells_apart_is_two_pages() {
        for (one, other) in [
            ("http://e.com/Apple", "http://e.com/apple"),
            ("http://e.com/?ID=aB", "http://e.com/?ID=Ab"),
            ("http://e.com/x", "http://e.com/x/"),
            ("http://e.com/?a=1&b=2", "http://e.com/?b=2&a=1"),
            ("http://e.com/", "https://e.com/"),
            ("http://e.com/", "http://www.e.com/"),
            ("http://e.com/", "http://e.com/?"),
            ("http://e.com/~a", "http://e.com/%7Ea"),
            ("http://e.com/%7ea", "http://e.com/%7Ea"),
            ("http://e.com/a//b", "http://e.com/a/b"),
            ("http://e.com/", "http://me@e.com/"),
        ] {
            assert_ne!(PageUrl::new(one), PageUrl::new(other), "{one} {other}");
        }
    }

    #[test]
    fn what_a_browser_sends_alike_is_one_page() {
        for (one, other) in [
            ("HTTP://E.com", "http://e.com/"),
            ("http://e.com:80/a", "http://e.com/a"),
            ("https://e.com:443/a#part", "https://e.com/a"),
            ("http://e.com/b/../a/./c", "http://e.com/a/c"),
            ("http://e.com/%2e%2E/a", "http://e.com/a"),
            ("http://e.com/a b?c d", "http://e.com/a%20b?c%20d"),
            ("http://e.com\\a", "http://e.com/a"),
            ("http://b\u{fc}cher.example/", "http://xn--bcher-kva.example/"),
            ("http://0x7f.1/", "http://127.0.0.1/"),
        ] {
            assert_eq!(PageUrl::new(one), PageUrl::new(other), "{one} {other}");
        }
        assert_eq!(PageUrl::new("no URL").as_str(), "no URL");
    }

    #[test]
    fn a_url_written_as_it_should_be_is_not_copied() {
        for url in [
            "http://e.com/",
            "https://www.e.com/a/b-c_d.html?x=1&y[]=2",
            "http://127.0.0.1:8080/Ab/%7Ec",
            "http://localhost:81/?",
        ] {
            assert!(matches!(PageUrl::new(url).0, Cow::Borrowed(_)) && plain::is_normal(url), "{url}");
        }
    }

    fn parsed(url: &str) -> Option<String> {
        let mut url = Url::parse(url).ok()?;
        url.set_fragment(None);
        Some(url.into())
    }

    proptest! {
        #[test]
        fn the_short_way_says_what_the_long_way_says(
            url in "https?://(([a-z0-9x-]{1,4}\\.){0,3}[a-z0-9x]{1,3}|[0-9]{1,3}(\\.[0-9]{1,3}){3})(:[0-9]{0,5})?(/[!-~]{0,6}){0,3}(\\?[!-~]{0,8})?",
        ) {
            if plain::is_normal(&url) {
                prop_assert_eq!(parsed(&url), Some(url));
            }
        }

        #[test]
        fn normalising_twice_changes_nothing(url in "(https?:)?[!-~\u{e9} ]{0,30}") {
            let once = PageUrl::new(&url).into_owned();
            prop_assert_eq!(PageUrl::new(once.as_str()), once.clone());
        }
    }
}
