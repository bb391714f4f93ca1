//! Which URLs a person wants and which not, by what they look like.

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Nobody types more.
const PATTERN_BYTES_MAX: usize = 2 << 10;
/// What a pattern may take once it is made ready.
const READY_BYTES_MAX: usize = 1 << 20;

/// Patterns for what is wanted and what is not. What a person named to start from is wanted whatever they say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UrlRules {
    /// If there are any, pages must match one; what pages are made of comes along.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<UrlMask>,
    /// Whatever matches one is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<UrlMask>,
}

impl UrlRules {
    pub fn is_empty(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty()
    }

    /// Whether a URL is left out; of a page, or of what a page is made of or listed by.
    pub(crate) fn leave_out(&self, url: &str, is_page: bool) -> bool {
        let any = |patterns: &[UrlMask]| patterns.iter().any(|pattern| pattern.matches(url));
        any(&self.exclude) || is_page && !self.include.is_empty() && !any(&self.include)
    }
}

/// What URLs may look like: `/news/*` (path and query), `example.com/*` (from the host on), `*.pdf` or
/// `https://…` (all of it), or `re:` and a regular expression that is looked for anywhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct UrlMask {
    text: String,
    ready: Regex,
}

impl UrlMask {
    pub fn matches(&self, url: &str) -> bool {
        self.ready.is_match(url)
    }
}

impl PartialEq for UrlMask {
    fn eq(&self, other: &UrlMask) -> bool {
        self.text == other.text
    }
}

/// A pattern that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseUrlMaskError(String);

impl fmt::Display for ParseUrlMaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseUrlMaskError {}

impl FromStr for UrlMask {
    type Err = ParseUrlMaskError;

    fn from_str(text: &str) -> Result<UrlMask, ParseUrlMaskError> {
        let wrong = |why: &str| ParseUrlMaskError(format!("{text} is no pattern of URLs: {why}"));
        if text.is_empty() || text == "re:" {
            return Err(ParseUrlMaskError("a pattern of URLs cannot be empty: write /news/* or re:[0-9]{4}".into()));
        }
        if text.len() > PATTERN_BYTES_MAX {
            return Err(ParseUrlMaskError(format!("a pattern of {} characters is too long", text.len())));
        }
        let expression = text.strip_prefix("re:").map_or_else(|| of_glob(text), str::to_owned);
        let ready = RegexBuilder::new(&expression).size_limit(READY_BYTES_MAX).build();
        // The last line says what is wrong, those before where.
        let ready = ready.map_err(|error| wrong(error.to_string().lines().last().unwrap_or_default().trim()))?;
        Ok(UrlMask { text: text.to_owned(), ready })
    }
}

/// `*` is anything; all else is itself, `?` too, as URLs are full of it.
fn of_glob(text: &str) -> String {
    let begin = match text {
        path if path.starts_with('/') => "^[a-z]+://[^/]*",
        whole if whole.starts_with('*') || whole.contains("://") => "^",
        _ => "^[a-z]+://",
    };
    let parts: Vec<String> = text.split('*').map(regex::escape).collect();
    format!("{begin}{}$", parts.join(".*"))
}

impl TryFrom<String> for UrlMask {
    type Error = ParseUrlMaskError;

    fn try_from(text: String) -> Result<UrlMask, ParseUrlMaskError> {
        text.parse()
    }
}

impl From<UrlMask> for String {
    fn from(pattern: UrlMask) -> String {
        pattern.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, url: &str) -> bool {
        pattern.parse::<UrlMask>().unwrap().matches(url)
    }

    #[test]
    fn patterns_read_as_people_write_them() {
        let url = "https://www.example.com/news/2026/a.html?print=1";
        for pattern in ["/news/*", "www.example.com/*", "*print=1", "*?print=*", "https://www.*", "re:/[0-9]{4}/", url]
        {
            assert!(matches(pattern, url), "{pattern}");
        }
        for pattern in ["/news/", "/2026/*", "example.com/*", "*.html", "re:/[0-9]{5}/", "http://*", "/n.ws/*"] {
            assert!(!matches(pattern, url), "{pattern}");
        }
    }

    #[test]
    fn what_is_included_are_pages_and_what_is_excluded_is_everything() {
        let patterns = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        let rules = UrlRules { include: patterns(&["/news/*"]), exclude: patterns(&["*.pdf"]) };
        let out = |url, is_page| rules.leave_out(url, is_page);
        assert!(!out("http://e.com/news/1", true) && out("http://e.com/shop/1", true));
        assert!(!out("http://e.com/logo.png", false) && out("http://e.com/news/1.pdf", true));
        assert!(out("http://e.com/logo.pdf", false) && !UrlRules::default().leave_out("http://e.com/", true));
    }

    #[test]
    fn what_is_no_pattern_is_refused_with_a_reason() {
        let refused = |text: &str| text.parse::<UrlMask>().unwrap_err().to_string();
        assert!(refused("re:(").contains("unclosed group"), "{}", refused("re:("));
        assert!(refused("re:(x{1000}){1000}").contains("no pattern") && refused("").contains("empty"));
        assert!(refused(&"x".repeat(3000)).contains("too long"));
    }
}
