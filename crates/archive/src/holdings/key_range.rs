//! Which lines of a sorted index a query is about.

use tintype_vocab::surt;

/// How a URL names pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchType {
    /// This one.
    #[default]
    Exact,
    /// All whose URL begins with it.
    Prefix,
    /// All of its host.
    Host,
    /// All of its host and the hosts below it.
    Domain,
}

impl MatchType {
    pub fn parse(text: &str) -> Option<MatchType> {
        Some(match text {
            "exact" => MatchType::Exact,
            "prefix" => MatchType::Prefix,
            "host" => MatchType::Host,
            "domain" => MatchType::Domain,
            _ => return None,
        })
    }
}

/// Lines from `low` up to, not including, `high`, in the order of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    pub(super) low: String,
    pub(super) high: String,
}

impl KeyRange {
    pub fn exact(url: &str) -> KeyRange {
        let key = surt(url);
        KeyRange { low: format!("{key} "), high: format!("{key}!") }
    }

    /// Everything.
    pub fn all() -> KeyRange {
        KeyRange { low: String::new(), high: char::MAX.to_string() }
    }

    /// What CDX servers answer for: `*` behind a URL means all that begin with it, `*.` before it all below its host,
    /// unless a match type says something else.
    pub fn of_query(url: &str, match_type: Option<MatchType>) -> KeyRange {
        let (url, match_type) = match (url.strip_prefix("*."), url.strip_suffix('*'), match_type) {
            (_, _, Some(match_type)) => (url, match_type),
            (Some(host), _, None) => (host, MatchType::Domain),
            (_, Some(start), None) => (start, MatchType::Prefix),
            _ => (url, MatchType::Exact),
        };
        KeyRange::new(url, match_type)
    }

    fn new(url: &str, match_type: MatchType) -> KeyRange {
        let mut key = surt(url);
        let host = |key: &str| key.split(")/").next().unwrap_or_default().to_owned();
        match match_type {
            MatchType::Exact => KeyRange::exact(url),
            MatchType::Prefix => {
                for end in ['/', '?'] {
                    if url.ends_with(end) && !key.ends_with(end) {
                        key.push(end);
                    }
                }
                KeyRange { high: after(&key), low: key }
            }
            MatchType::Host => KeyRange { low: format!("{})/", host(&key)), high: format!("{}*", host(&key)) },
            MatchType::Domain => {
                let host = host(&key);
                let end = if host.contains(',') { ")/" } else { "," };
                KeyRange { low: format!("{host}{end}"), high: format!("{host}-") }
            }
        }
    }
}

/// The smallest text after all that begin with this one.
fn after(prefix: &str) -> String {
    let mut chars: Vec<char> = prefix.chars().collect();
    while let Some(last) = chars.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            chars.push(next);
            return chars.into_iter().collect();
        }
    }
    char::MAX.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(url: &str, match_type: Option<MatchType>, key: &str) -> bool {
        let (range, line) = (KeyRange::of_query(url, match_type), format!("{key} 20261118000000 {{}}"));
        range.low <= line && line < range.high
    }

    #[test]
    fn a_query_covers_what_its_match_type_says_and_nothing_else() {
        use MatchType::*;
        for (url, of, key, is_in) in [
            ("http://e.com/a", None, "com,e)/a", true),
            ("http://e.com/a", None, "com,e)/ab", false),
            ("http://e.com/a*", None, "com,e)/ab", true),
            ("http://e.com/a*", None, "com,e)/b", false),
            ("http://e.com/a/", Some(Prefix), "com,e)/ab", false),
            ("http://e.com/a/", Some(Prefix), "com,e)/a/b", true),
            ("e.com", Some(Host), "com,e)/x?y", true),
            ("e.com", Some(Host), "com,e,www2)/", false),
            ("e.com", Some(Domain), "com,e,api)/x", true),
            ("*.e.com", None, "com,e,api)/x", true),
            ("*.e.com", None, "com,ex)/", false),
            ("e.com", Some(Domain), "com,e)/", true),
        ] {
            assert_eq!(covers(url, of, key), is_in, "{url} {of:?} {key}");
        }
    }
}
