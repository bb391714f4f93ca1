//! A part of a collection as a person types it: a page, a directory, a whole site.

use crate::sites;
use tintype_vocab::UrlKey;

/// The pages that begin with what was typed. `example.com/news` holds `/news`, `/news.html` and all of `/news/`, while
/// `example.com/news/` holds the directory alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    typed: String,
    /// In full, with its scheme; the path of a history as it is.
    url: String,
    /// The key of the page that has this very name, should there be one.
    page: String,
    /// How the keys of its other pages begin.
    beginning: String,
}

impl Part {
    /// A URL, or its beginning; `example.com/news` means https.
    pub(crate) fn of_url(typed: &str) -> anyhow::Result<Part> {
        let url = sites::parse(typed)?;
        let is_directory = url.path().ends_with('/') && url.query().is_none();
        Ok(Part { url: url.to_string(), ..Part::new(typed, UrlKey::of(url.as_str()).as_str(), is_directory) })
    }

    /// A path of a history, or its beginning.
    pub(crate) fn of_path(typed: &str) -> Part {
        let path = if typed.starts_with('/') { typed.to_owned() } else { format!("/{typed}") };
        Part::new(typed, &path, path.ends_with('/'))
    }

    /// The directory that a page with this key is in.
    pub(crate) fn directory_of(key: &str) -> Part {
        let path = key.split(['?', '#']).next().unwrap_or(key);
        let path = path.strip_suffix('/').filter(|shorter| shorter.contains('/')).unwrap_or(path);
        let end = path.rfind('/').map_or(path.len(), |slash| slash + 1);
        Part::new(&path[..end], &path[..end], true)
    }

    fn new(typed: &str, page: &str, is_directory: bool) -> Part {
        let mut beginning = page.to_owned();
        if is_directory && !beginning.ends_with('/') {
            beginning.push('/');
        }
        Part { typed: typed.to_owned(), url: page.to_owned(), page: page.to_owned(), beginning }
    }

    /// As it was typed.
    pub(crate) fn typed(&self) -> &str {
        &self.typed
    }

    /// A link to it.
    pub(crate) fn url(&self) -> String {
        self.url.clone()
    }

    /// Whether this is the page of that very name.
    pub(crate) fn is_page(&self, key: &str) -> bool {
        key == self.page
    }

    pub(crate) fn holds(&self, key: &str) -> bool {
        self.is_page(key) || key.starts_with(&self.beginning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(typed: &str, url: &str) -> bool {
        Part::of_url(typed).unwrap().holds(UrlKey::of(url).as_str())
    }

    #[test]
    fn a_part_holds_the_page_and_what_is_below_it() {
        for url in ["http://example.com/news", "https://www.example.com/news/", "http://example.com/news/1?page=2"] {
            assert!(holds("https://example.com/news/", url), "{url}");
        }
        assert!(!holds("https://example.com/news/", "http://example.com/newspaper"));
        assert!(holds("example.com/news", "http://example.com/newspaper"));
        assert!(holds("example.com", "http://example.com/anything") && !holds("example.com", "http://example.org/"));
        assert!(Part::of_url("example.com/a").unwrap().is_page(UrlKey::of("http://example.com/a").as_str()));
        assert!(Part::of_url("not a url").is_err());
    }

    #[test]
    fn paths_are_parts_too_and_every_page_is_in_a_directory() {
        assert!(Part::of_path("news/").holds("/news/1") && !Part::of_path("/news/").holds("/newspaper"));
        assert_eq!(Part::directory_of("/news/1"), Part::new("/news/", "/news/", true));
        assert_eq!(
            Part::directory_of("/incidents/2021/dixie/"),
            Part::new("/incidents/2021/", "/incidents/2021/", true)
        );
        assert!(Part::directory_of("com,example)/a/b?c=/d").holds("com,example)/a/e"));
        assert!(Part::directory_of("com,example)/").holds("com,example)/a"));
    }
}
