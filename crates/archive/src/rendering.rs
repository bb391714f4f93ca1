//! What a browser made of a page, kept beside what was served: the document as it stood at the end, its text, a picture.

use crate::{Error, capture::Capture, held, record::Recorder, segment::Segment};
use std::collections::HashSet;
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
    pub gain: RenderGain,
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
    pub(crate) fn add_to(&mut self, served: Look, visit: &Visit, body: &[u8]) -> Look {
        let described = Described {
            url: &visit.request.url,
            content_type: Some("text/html; charset=utf-8"),
            ..Described::default()
        };
        let built = look(&described, self.document.as_bytes());
        let mut known: HashSet<(String, LinkKind)> =
            served.links.iter().map(|link| (link.url.to_owned(), link.kind)).collect();
        let mut links: Links = served.links.clone();
        let mut add = |link: Link<'_>| {
            let is_new = known.insert((link.url.to_owned(), link.kind));
            if is_new {
                links.push_link(link);
            }
            is_new
        };
        let mut found = 0;
        for link in built.links.iter() {
            found += u32::from(add(link));
        }
        for route in &self.routes {
            let url = PageUrl::new(route);
            let is_web = url.as_str().starts_with("http://") || url.as_str().starts_with("https://");
            found += u32::from(is_web && add(Link::new(url.as_str(), LinkKind::Anchor)));
        }
        self.gain.links = found;
        self.gain.words = words_beyond(&self.text, body);
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
fn words_beyond(text: &str, body: &[u8]) -> u32 {
    let is_break = |c: char| !c.is_alphanumeric();
    let served = String::from_utf8_lossy(body);
    let served: HashSet<&str> = served.split(is_break).collect();
    let new: HashSet<&str> = text.split(is_break).filter(|word| word.len() > 1 && !served.contains(word)).collect();
    u32::try_from(new.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_only_a_browser_shows_are_counted_once() {
        assert_eq!(words_beyond("Hello world, hello again again", b"<p>Hello</p>"), 3);
        assert_eq!(words_beyond("", b""), 0);
    }
}
