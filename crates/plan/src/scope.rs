//! Which URLs belong to a capture.

use crate::SeedError;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use tintype_vocab::surt;

/// How far from its seeds a capture reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScopeRule {
    /// The seeds and what they are made of.
    Page,
    /// The seeds' directories and everything below.
    Prefix,
    /// The seeds' hosts.
    Host,
    /// The seeds' registered domains with all subdomains.
    Domain,
    /// Wherever links lead.
    Web,
    /// Everything whose SURT starts with this, such as `com,example)/news`.
    Surt(String),
}

impl FromStr for ScopeRule {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<ScopeRule, SeedError> {
        Ok(match text {
            "page" => ScopeRule::Page,
            "prefix" => ScopeRule::Prefix,
            "host" => ScopeRule::Host,
            "domain" => ScopeRule::Domain,
            "web" => ScopeRule::Web,
            surt if surt.contains(',') || surt.contains(')') => ScopeRule::Surt(surt.to_owned()),
            other => return Err(SeedError::BadScope { scope: other.to_owned() }),
        })
    }
}

impl fmt::Display for ScopeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ScopeRule::Page => "page",
            ScopeRule::Prefix => "prefix",
            ScopeRule::Host => "host",
            ScopeRule::Domain => "domain",
            ScopeRule::Web => "web",
            ScopeRule::Surt(prefix) => prefix,
        })
    }
}

/// A scope rule made concrete by its seeds: a few SURT prefixes.
#[derive(Clone, Debug)]
pub struct Scope {
    rule: ScopeRule,
    prefixes: Vec<Prefix>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Prefix {
    text: String,
    next: Next,
}

/// What must follow a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Anything,
    OneOf(&'static [u8]),
    End,
}

impl Scope {
    pub fn new(rule: ScopeRule) -> Scope {
        let prefixes = match &rule {
            ScopeRule::Surt(text) => vec![Prefix { text: text.clone(), next: Next::Anything }],
            ScopeRule::Web => vec![Prefix { text: String::new(), next: Next::Anything }],
            _ => Vec::new(),
        };
        Scope { rule, prefixes }
    }

    /// Takes in the place of a seed, or the place a seed redirects to: a person named it.
    pub fn widen(&mut self, url: &str) {
        let Some(prefix) = self.prefix_of(url) else { return };
        if !self.prefixes.contains(&prefix) {
            self.prefixes.push(prefix);
        }
    }

    /// Whether the page with this key belongs to the capture.
    pub fn contains(&self, key: &str) -> bool {
        self.prefixes.iter().any(|prefix| {
            let Some(rest) = key.strip_prefix(prefix.text.as_str()) else { return false };
            match (prefix.next, rest.as_bytes().first()) {
                (Next::Anything, _) | (Next::End, None) => true,
                (Next::OneOf(bytes), Some(byte)) => bytes.contains(byte),
                // A directory's own key ends where the prefix ends.
                (Next::OneOf(_), None) => self.rule == ScopeRule::Prefix,
                (Next::End, Some(_)) => false,
            }
        })
    }

    /// Whether the whole host belongs, so that its sitemap may be asked for.
    pub fn spans_hosts(&self) -> bool {
        matches!(self.rule, ScopeRule::Host | ScopeRule::Domain)
    }

    fn prefix_of(&self, url: &str) -> Option<Prefix> {
        let key = surt(url);
        let host_end = key.find(')')?;
        Some(match &self.rule {
            ScopeRule::Surt(_) | ScopeRule::Web => return None,
            ScopeRule::Page => Prefix { text: key, next: Next::End },
            ScopeRule::Host => Prefix { text: key[..host_end].to_owned(), next: Next::OneOf(b")") },
            ScopeRule::Prefix => {
                let end = key.split('?').next().and_then(|path| path.rfind('/')).unwrap_or(host_end);
                // A key has no trailing slash, so a directory is recognised in the URL itself.
                let path = url.split(['?', '#']).next().unwrap_or(url);
                let text =
                    if path.ends_with('/') { key.trim_end_matches('/').to_owned() } else { key[..end].to_owned() };
                Prefix { next: if text.ends_with(')') { Next::Anything } else { Next::OneOf(b"/?") }, text }
            }
            ScopeRule::Domain => Prefix { text: domain_prefix(&key[..host_end]), next: Next::OneOf(b",):") },
        })
    }
}

/// The registered domain of a SURT host, reversed: `uk,co,bbc,news` gives `uk,co,bbc`. Hosts without one
/// (addresses, `localhost`) stand for themselves.
fn domain_prefix(surt_host: &str) -> String {
    let host: Vec<&str> = surt_host.split(':').next().unwrap_or(surt_host).split(',').collect();
    if host.iter().all(|label| label.bytes().all(|byte| byte.is_ascii_digit())) {
        return surt_host.to_owned();
    }
    let forward = host.iter().rev().copied().collect::<Vec<_>>().join(".");
    match psl::domain_str(&forward) {
        Some(domain) => {
            let labels = domain.split('.').count().min(host.len());
            host[..labels].join(",")
        }
        _ => surt_host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(rule: &str, seed: &str) -> Scope {
        let mut scope = Scope::new(rule.parse().unwrap());
        scope.widen(seed);
        scope
    }

    fn holds(scope: &Scope, url: &str) -> bool {
        scope.contains(&surt(url))
    }

    #[test]
    fn host_scope_keeps_to_the_host_and_its_www_form() {
        let scope = scope("host", "http://www.example.com/a/b");
        assert!(holds(&scope, "https://example.com/x?y=1"));
        assert!(!holds(&scope, "http://sub.example.com/"));
        assert!(!holds(&scope, "http://example.com.evil.org/"));
        assert!(!holds(&scope, "http://example.com:8080/"));
    }

    #[test]
    fn domain_scope_takes_subdomains_but_not_the_public_suffix() {
        let scope = scope("domain", "http://news.bbc.co.uk/");
        assert!(holds(&scope, "http://bbc.co.uk/"));
        assert!(holds(&scope, "http://a.b.bbc.co.uk/x"));
        assert!(!holds(&scope, "http://itv.co.uk/"));
        assert!(!holds(&scope, "http://xbbc.co.uk/"));
    }

    #[test]
    fn prefix_scope_takes_the_directory_of_the_seed() {
        let file = scope("prefix", "http://example.com/docs/guide/index.html");
        assert!(holds(&file, "http://example.com/docs/guide/two.html"));
        assert!(!holds(&file, "http://example.com/docs/guidebook/"));
        assert!(!holds(&file, "http://example.com/docs/"));
        let directory = scope("prefix", "http://example.com/docs/");
        assert!(holds(&directory, "http://example.com/docs/guide/"));
        assert!(!holds(&directory, "http://example.com/other"));
        assert!(holds(&scope("prefix", "http://example.com/"), "http://example.com/anything"));
    }

    #[test]
    fn the_web_is_everything_that_http_leads_to() {
        let scope = scope("web", "http://example.com/");
        assert!(holds(&scope, "https://elsewhere.org/a") && holds(&scope, "http://127.0.0.1:81/"));
        assert_eq!("web".parse::<ScopeRule>().unwrap().to_string(), "web");
    }

    #[test]
    fn surt_scope_is_taken_literally() {
        let scope = scope("com,example)/news", "http://example.com/");
        assert!(holds(&scope, "http://example.com/newsroom"));
        assert!(!holds(&scope, "http://example.com/"));
        assert!("everything".parse::<ScopeRule>().is_err());
    }

    #[test]
    fn addresses_and_local_names_work_with_every_rule() {
        for rule in ["host", "domain", "prefix"] {
            let scope = scope(rule, "http://127.0.0.1:8080/");
            assert!(holds(&scope, "http://127.0.0.1:8080/a"), "{rule}");
            assert!(!holds(&scope, "http://10.0.0.1:8080/a"), "{rule}");
        }
        assert!(holds(&scope("host", "http://localhost:81/"), "http://localhost:81/a"));
    }
}
