//! The authorities a capture talks to, each with its own rules, and the hosts they lie on.

use crate::{host_name, robots::Robots};
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use tintype_vocab::{PageId, Span, Time, Why};

/// robots.txt is asked for again after this long.
const RULES_KEPT: Span = Span::from_days(1);

/// What is known of a host's robots.txt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Rules {
    Unknown,
    Asked,
    Known { robots: Box<Robots>, at: Time, readable: bool },
}

/// Scheme, host and port: what one robots.txt speaks for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Authority {
    /// Such as `https://example.com:8443`.
    pub(crate) origin: String,
    /// What it is paced by.
    pub(crate) host: u16,
    pub(crate) rules: Rules,
    pub(crate) robots_page: Option<PageId>,
    /// A sitemap that may be where sitemaps usually are.
    pub(crate) probe: Option<PageId>,
    /// Pages that wait for the rules.
    pub(crate) parked: Vec<(PageId, Why)>,
    /// Whether a page was answered here, not only sent elsewhere.
    pub(crate) has_pages: bool,
    /// Where all its pages are now.
    pub(crate) moved_to: Option<u16>,
}

impl Authority {
    /// The rules, if they are known and not too old.
    pub(crate) fn fresh_rules(&self, now: Time) -> Option<(&Robots, bool)> {
        match &self.rules {
            Rules::Known { robots, at, readable } if now - *at < RULES_KEPT => Some((robots, *readable)),
            _ => None,
        }
    }
}

/// All authorities of a capture, numbered.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Authorities {
    list: Vec<Authority>,
    by_origin: HashMap<String, u16>,
    /// Whether any of them moved, which most never do.
    any_moved: bool,
    /// Host names, numbered; there are no more of them than authorities.
    hosts: Vec<String>,
    by_host: HashMap<String, u16>,
}

impl Authorities {
    /// The number of a URL's authority; `None` once there are too many.
    pub(crate) fn number(&mut self, url: &str) -> Option<u16> {
        let origin = origin(url);
        if let Some(number) = self.by_origin.get(origin) {
            return Some(*number);
        }
        let number = u16::try_from(self.list.len()).ok()?;
        self.by_origin.insert(origin.to_owned(), number);
        let host = self.host(origin);
        self.list.push(Authority {
            origin: origin.to_owned(),
            host,
            rules: Rules::Unknown,
            robots_page: None,
            probe: None,
            parked: Vec::new(),
            has_pages: false,
            moved_to: None,
        });
        Some(number)
    }

    /// The authority of a URL, if it has a number.
    pub(crate) fn find(&self, url: &str) -> Option<&Authority> {
        Some(self.get(*self.by_origin.get(origin(url))?))
    }

    /// A URL as it is since its authority moved; nothing if that did not.
    pub(crate) fn moved(&self, url: &str) -> Option<String> {
        if !self.any_moved {
            return None;
        }
        let number = self.list.get(usize::from(*self.by_origin.get(origin(url))?))?.moved_to?;
        Some(format!("{}{}", self.get(number).origin, path_and_query(url)))
    }

    pub(crate) fn has_moved(&self, number: u16) -> bool {
        self.list.get(usize::from(number)).is_some_and(|authority| authority.moved_to.is_some())
    }

    /// All pages of an authority are at another one from now on.
    pub(crate) fn set_moved(&mut self, from: u16, to: u16) {
        self.get_mut(from).moved_to = Some(to);
        self.any_moved = true;
    }

    fn host(&mut self, origin: &str) -> u16 {
        let name = host_name(origin);
        if let Some(host) = self.by_host.get(name) {
            return *host;
        }
        let host = self.hosts.len() as u16;
        self.by_host.insert(name.to_owned(), host);
        self.hosts.push(name.to_owned());
        host
    }

    /// The pages that stand for rules.
    pub(crate) fn robots_pages(&self) -> impl Iterator<Item = PageId> {
        self.list.iter().filter_map(|authority| authority.robots_page)
    }

    pub(crate) fn hosts(&self) -> usize {
        self.hosts.len()
    }

    /// The name of a host by its number.
    pub(crate) fn host_name(&self, host: u16) -> &str {
        &self.hosts[usize::from(host)]
    }

    pub(crate) fn get(&self, number: u16) -> &Authority {
        &self.list[usize::from(number)]
    }

    pub(crate) fn get_mut(&mut self, number: u16) -> &mut Authority {
        &mut self.list[usize::from(number)]
    }
}

/// Scheme, host and port of a URL.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    &url[..end]
}

/// What follows the authority: the part robots.txt speaks about.
pub(crate) fn path_and_query(url: &str) -> &str {
    match &url[origin(url).len()..] {
        "" => "/",
        rest => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_split_into_authority_and_path() {
        assert_eq!(origin("https://e.com:8443/a?b"), "https://e.com:8443");
        assert_eq!(path_and_query("https://e.com:8443/a?b"), "/a?b");
        assert_eq!((origin("http://e.com"), path_and_query("http://e.com")), ("http://e.com", "/"));
        assert_eq!(path_and_query("http://e.com?x=1"), "?x=1");
    }
}
