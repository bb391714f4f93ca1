//! What a browser made of a page, kept beside what was served: the document as it stood at the end, its text, a picture.

use crate::{Error, capture::Capture, held, record::Recorder, segment::Segment};
use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
};
use tintype_observe::{Described, Look, look};
use tintype_vocab::{Link, LinkKind, Links, PageUrl, RenderGain, Time, Visit};

/// A page as a browser built it.
#[derive(Clone, Debug, Default)]
pub struct Rendering {
    /// The document, as HTML.
    pub document: String,
    /// What a person reads.
    pub text: String,
    /// A picture (PNG).
    pub picture: Option<Vec<u8>>,
    /// Where its scripts went: routes of its history, navigations that were not followed.
    pub routes: Vec<String>,
    /// What its requests brought: where from, and a hash of what.
    pub brought: Vec<(String, u64)>,
    /// The requests that went out because of it, for what was not known before.
    pub found: Vec<String>,
    pub gain: RenderGain,
}

/// What is remembered of what pages built in a capture brought, so that it counts once; of each so many.
const BROUGHT_MAX: usize = 1 << 20;
/// So many words weigh like one link.
const WORDS_PER_LINK: u32 = 5;

/// What pages built earlier in a capture brought.
#[derive(Debug, Default)]
pub(crate) struct BroughtBefore(HashSet<u64>);

impl BroughtBefore {
    /// Whether it is the first to bring it.
    fn is_first(&mut self, what: &(impl Hash + ?Sized)) -> bool {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        self.0.len() < BROUGHT_MAX && self.0.insert(hasher.finish())
    }
}

/// An answer that is held: its head, and its body without transfer coding.
#[derive(Clone, Debug)]
pub struct HeldAnswer {
    pub head: Vec<u8>,
    pub body: Vec<u8>,
}

impl Capture {
    /// The answer that is held of a page, if there is one and memory can take it.
    pub fn recall(&mut self, url: &str) -> Result<Option<HeldAnswer>, Error> {
        self.guarded(|capture| {
            let page = capture.state.page(&PageUrl::new(url))?;
            let Some(original) = page.as_ref().and_then(|page| page.original.as_ref()) else { return Ok(None) };
            let writing = capture.writing();
            let failed = || Error::io("read", &capture.layout().warc());
            held::answer(capture.layout(), writing.segment(), original).map_err(failed())
        })
    }
}

impl Rendering {
    /// Adds what the browser found to what was served, and counts it.
    pub(crate) fn add_to(&mut self, served: Look, visit: &Visit, body: &[u8], before: &mut BroughtBefore) -> Look {
        let described = Described {
            url: &visit.request.url,
            content_type: Some("text/html; charset=utf-8"),
            ..Described::default()
        };
        // What is held of a page may have links that a browser found before.
        let plain = look(&described, body);
        let built = look(&described, self.document.as_bytes());
        let pairs = |look: &Look| -> HashSet<(String, LinkKind)> {
            look.links.iter().map(|link| (link.url.to_owned(), link.kind)).collect()
        };
        let (mut named, mut held) = (pairs(&plain), pairs(&served));
        // A page is built before its links are known: what it names itself nobody needed a browser for.
        let by_page: HashSet<&str> = plain.links.iter().map(|link| link.url).collect();
        let by_browser = self.found.iter().filter(|url| !by_page.contains(url.as_str())).count();
        let contents = self.brought.iter().filter(|(url, _)| !by_page.contains(url.as_str()));
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let mut own = contents.filter(|(_, content)| before.is_first(&("content", content))).count();
        let mut links: Links = served.links.clone();
        let mut found = 0;
        let mut add = |link: Link<'_>| {
            if named.insert((link.url.to_owned(), link.kind)) {
                found += 1;
                own += usize::from(link.kind == LinkKind::Anchor && before.is_first(&("link", link.url)));
            }
            if held.insert((link.url.to_owned(), link.kind)) {
                links.push_link(link);
            }
        };
        built.links.iter().for_each(&mut add);
        for route in &self.routes {
            let url = PageUrl::new(route);
            if url.as_str().starts_with("http://") || url.as_str().starts_with("https://") {
                add(Link::new(url.as_str(), LinkKind::Anchor));
            }
        }
        (self.gain.links, self.gain.found) = (found, count(by_browser));
        let words = words_beyond(&self.text, body);
        let own_words = words.iter().filter(|word| before.is_first(&("word", *word))).count();
        self.gain.words = count(words.len());
        self.gain.own = count(own).saturating_add(count(own_words) / WORDS_PER_LINK);
        Look { links, ..served }
    }

    /// The records that go before the visit's own. Named as other tools name theirs.
    pub(crate) fn record(&self, recorder: &mut Recorder, segment: &mut Segment, url: &str, date: Time) {
        let mut resource = |kind: &str, media_type: &str, bytes: &[u8]| {
            recorder.resource(segment, &format!("urn:{kind}:{url}"), date, media_type, bytes);
        };
        resource("dom", "text/html; charset=utf-8", self.document.as_bytes());
        resource("text", "text/plain; charset=utf-8", self.text.as_bytes());
        if let Some(picture) = &self.picture {
            resource("view", "image/png", picture);
        }
    }
}

/// Words of a text that do not stand in a page as it was served, each once.
fn words_beyond<'t>(text: &'t str, body: &[u8]) -> HashSet<&'t str> {
    let is_break = |c: char| !c.is_alphanumeric();
    let served = String::from_utf8_lossy(body);
    let served: HashSet<&str> = served.split(is_break).collect();
    text.split(is_break).filter(|word| word.len() > 1 && !served.contains(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::{Outcome, PageId, Purpose, Request, SiteId};

    #[test]
    fn words_that_only_a_browser_shows_are_counted_once() {
        assert_eq!(words_beyond("Hello world, hello again again", b"<p>Hello</p>").len(), 3);
        assert_eq!(words_beyond("", b"").len(), 0);
    }

    fn own(text: &str, links: &str, brought: &[(&str, u64)], before: &mut BroughtBefore) -> u32 {
        let brought = brought.iter().map(|(url, content)| ((*url).to_owned(), *content)).collect();
        let built = Rendering { document: links.to_owned(), text: text.to_owned(), brought, ..Rendering::default() };
        gain(built, before).own
    }

    /// Of a page that names one picture.
    fn gain(mut rendering: Rendering, before: &mut BroughtBefore) -> RenderGain {
        let request = Request {
            site: SiteId(0),
            page: PageId(0),
            url: "http://e.com/".to_owned(),
            purpose: Purpose::Visit,
            attempt: 0,
            rate: Default::default(),
        };
        let outcome = Outcome::Body { status: 200 };
        let visit = Visit { request, asked: Time::MIN, answered: Time::MIN, outcome };
        let served = b"<img src=/named.png>";
        let described = Described { url: "http://e.com/", content_type: Some("text/html"), ..Described::default() };
        rendering.add_to(look(&described, served), &visit, served, before);
        rendering.gain
    }

    #[test]
    fn what_a_page_names_itself_was_not_found_by_a_browser() {
        let found = ["http://e.com/named.png", "http://e.com/data.json"].map(str::to_owned).to_vec();
        let built = Rendering { found, ..Rendering::default() };
        assert_eq!(gain(built, &mut BroughtBefore::default()).found, 1);
    }

    #[test]
    fn what_all_built_pages_have_in_common_counts_once() {
        let mut before = BroughtBefore::default();
        let shared = ("http://e.com/search.json", 1);
        let named = ("http://e.com/named.png", 2);
        assert_eq!(
            own("", "<a href=/nav>n</a>", &[shared, named], &mut before),
            2,
            "a link and what the page names not"
        );
        assert_eq!(own("", "<a href=/nav>n</a>", &[shared, named], &mut before), 0);
        // Another address for the same bytes, as of a tracker, is nothing new.
        assert_eq!(own("", "", &[("http://e.com/beacon?1", 1)], &mut before), 0);
        assert_eq!(own("", "", &[("http://e.com/data/7.json", 7)], &mut before), 1);
        assert_eq!(own("one two three four five", "", &[], &mut before), 1);
        assert_eq!(own("one two three four five", "", &[], &mut before), 0);
    }
}
