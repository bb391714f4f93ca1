//! A web of a few lines for tests of the scheduler: URL to links, everything else 404.

use std::collections::BTreeMap;
use tintype_learn::media::{Media, MediaAnswer, Sight};
use tintype_plan::{Scheduler, Step};
use tintype_vocab::{Digest, Failure, LinkKind, Links, Observation, Outcome, Purpose, Request, Span, Time, Truncated};

/// What the toy web answers to a URL.
#[derive(Clone, Debug)]
pub(crate) enum Page {
    Links(Vec<(LinkKind, String)>),
    /// The same with a media type.
    File(&'static str, Vec<(LinkKind, String)>),
    /// The same with bytes that can be recognised.
    Bytes(&'static str, Vec<String>),
    Redirect(String),
    Robots(&'static str),
    /// Rules that came too slowly to be read to their end.
    SlowRobots(&'static str),
    Fails(Failure),
    Refuses(u16, Option<Span>),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Toy(pub(crate) BTreeMap<String, Page>);

impl Toy {
    pub(crate) fn page(mut self, url: &str, links: &[&str]) -> Toy {
        let links = links.iter().map(|link| (LinkKind::Anchor, (*link).to_owned())).collect();
        self.0.insert(url.to_owned(), Page::Links(links));
        self
    }

    pub(crate) fn with(mut self, url: &str, page: Page) -> Toy {
        self.0.insert(url.to_owned(), page);
        self
    }

    /// A complete tree below `http://e.com/`.
    pub(crate) fn tree(fan: usize, depth: usize) -> Toy {
        let mut toy = Toy::default();
        let mut level = vec!["http://e.com/".to_owned()];
        for d in 0..=depth {
            let mut below = Vec::new();
            for url in &level {
                let links: Vec<String> =
                    if d < depth { (0..fan).map(|i| format!("{url}{i}/")).collect() } else { Vec::new() };
                below.extend(links.iter().cloned());
                toy = toy.page(url, &links.iter().map(String::as_str).collect::<Vec<_>>());
            }
            level = below;
        }
        toy
    }

    pub(crate) fn answer(&self, request: &Request, asked: Time, took: Span) -> Observation {
        let mut links = Links::new();
        let (mut robots, mut truncated) = (None, None);
        let (mut media_type, mut digest) = (None, None);
        let outcome = match self.0.get(&request.url) {
            None => Outcome::Gone { status: 404 },
            Some(Page::Redirect(to)) => Outcome::Redirected { status: 301, to: to.clone() },
            Some(Page::Fails(cause)) => Outcome::Failed { cause: *cause },
            Some(Page::Refuses(status, retry_after)) => Outcome::Refused { status: *status, retry_after: *retry_after },
            Some(Page::Robots(text)) => {
                robots = Some((*text).to_owned());
                Outcome::Body { status: 200 }
            }
            Some(Page::SlowRobots(text)) => {
                (robots, truncated) = (Some((*text).to_owned()), Some(Truncated::Time));
                Outcome::Body { status: 200 }
            }
            Some(Page::File(name, list)) => {
                media_type = Some((*name).to_owned());
                list.iter().for_each(|(kind, url)| links.push(url, *kind));
                Outcome::Body { status: 200 }
            }
            Some(Page::Bytes(bytes, list)) => {
                digest = Some(digest_of(bytes));
                list.iter().for_each(|url| links.push(url, LinkKind::Anchor));
                Outcome::Body { status: 200 }
            }
            Some(Page::Links(list)) => {
                list.iter().for_each(|(kind, url)| links.push(url, *kind));
                Outcome::Body { status: 200 }
            }
        };
        let bare = Observation::of(request, asked, asked + took, outcome);
        Observation { bytes: 1000, links, robots, truncated, media_type, digest, ..bare }
    }
}

/// As good as one that is made of all bytes.
pub(crate) fn digest_of(bytes: &str) -> Digest {
    Digest(std::array::from_fn(|at| bytes.as_bytes().get(at).copied().unwrap_or_default()))
}

/// Knows from earlier captures that the toy web's `.mp3` are songs and its other pages are not.
pub(crate) fn taught() -> Media {
    let mut media = Media::blank();
    for nth in 0..100 {
        let answers =
            [(format!("http://e.com/{nth}.mp3"), "audio/mpeg"), (format!("http://e.com/x{nth}"), "text/html")];
        for (url, media_type) in answers {
            let links = Some(media_type == "text/html");
            media.learn(&Sight::of(&url), &MediaAnswer { media_type, bytes: None, links });
        }
    }
    media
}

/// Runs to the end, one request at a time; the requests with their times.
pub(crate) fn run(scheduler: &mut Scheduler, toy: &Toy) -> Vec<(Time, Request)> {
    let mut now = Time::from_secs(1_000_000);
    let mut asked = Vec::new();
    for _ in 0..1_000_000 {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                let observation = toy.answer(&request, now, Span::from_millis(20));
                asked.push((now, request));
                now += Span::from_millis(20);
                scheduler.settle(&observation);
            }
            Step::WaitUntil(until) => {
                assert!(until > now, "waiting must lead somewhere");
                now = until;
            }
            Step::Idle => panic!("idle with nothing in flight"),
            Step::Done => return asked,
        }
    }
    panic!("the run does not end");
}

/// The URLs asked for, robots.txt and sitemaps left aside.
pub(crate) fn visited(asked: &[(Time, Request)]) -> Vec<&str> {
    let page = |request: &&Request| request.purpose == Purpose::Visit;
    asked.iter().map(|(_, request)| request).filter(page).map(|request| request.url.as_str()).collect()
}
