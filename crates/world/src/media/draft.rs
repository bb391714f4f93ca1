//! A web while it is drawn up: hosts with a frame around every page, pages, and links between them.

use super::{Web, WebPage};
use crate::synthetic::chance::{Purpose, below, dice, log_normal};
use hashbrown::HashMap;
use tintype_observe::clicked_words;
use tintype_plan::{Dice, MediaRule, MediaRules};
use tintype_vocab::{LinkPlace, Mention, Tag};

/// Words that names and links are made of.
const WORDS: [&str; 24] = [
    "harbour", "winter", "copper", "meadow", "signal", "lantern", "granite", "orchard", "violet", "station", "thunder",
    "paper", "island", "mirror", "silver", "cedar", "marble", "canyon", "ember", "river", "falcon", "garden", "amber",
    "north",
];

/// The number of a page.
pub(super) type Number = u32;

/// A host and what stands on each of its pages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Host(usize);

#[derive(Debug)]
struct Frame {
    origin: String,
    links: Vec<(Number, Mention)>,
}

#[derive(Debug)]
pub(super) struct Draft {
    pages: Vec<WebPage>,
    by_url: HashMap<String, Number>,
    frames: Vec<Frame>,
    /// The host whose frame is around a page.
    framed: Vec<(Number, Host)>,
    pub(super) dice: Dice,
}

impl Draft {
    pub(super) fn new(seed: u64) -> Draft {
        let dice = dice(seed, Purpose::Places, 0);
        Draft { pages: Vec::new(), by_url: HashMap::new(), frames: Vec::new(), framed: Vec::new(), dice }
    }

    /// A host without pages.
    pub(super) fn store(&mut self, origin: &str) -> Host {
        self.frames.push(Frame { origin: origin.to_owned(), links: Vec::new() });
        Host(self.frames.len() - 1)
    }

    /// A host with an entrance and sections that every page leads to; every page is made of the same few files.
    pub(super) fn host(&mut self, origin: &str, sections: &[&str]) -> Host {
        let host = self.store(origin);
        let mut links = vec![
            (self.file(host, "/assets/style.css", "text/css"), mention(Tag::StyleSheet, LinkPlace::Head, "")),
            (self.file(host, "/assets/site.js", "application/javascript"), mention(Tag::Script, LinkPlace::Head, "")),
            (self.file(host, "/favicon.ico", "image/x-icon"), mention(Tag::Icon, LinkPlace::Head, "")),
            (self.page(host, "/"), mention(Tag::Anchor, LinkPlace::Navigation, "home")),
        ];
        for section in sections {
            links
                .push((self.page(host, &format!("/{section}/")), mention(Tag::Anchor, LinkPlace::Navigation, section)));
        }
        for name in ["about", "privacy", "contact"] {
            links.push((self.page(host, &format!("/{name}.html")), mention(Tag::Anchor, LinkPlace::Footer, name)));
        }
        self.frames[host.0].links = links;
        host
    }

    /// An HTML page, new or drawn up before.
    pub(super) fn page(&mut self, host: Host, path: &str) -> Number {
        let known = self.pages.len();
        let number = self.file(host, path, "text/html");
        if self.pages.len() > known {
            self.framed.push((number, host));
        }
        number
    }

    /// Anything else, new or drawn up before.
    pub(super) fn file(&mut self, host: Host, path: &str, media_type: &'static str) -> Number {
        let url = format!("{}{path}", self.frames[host.0].origin);
        if let Some(number) = self.by_url.get(&url) {
            return *number;
        }
        let number = self.pages.len() as Number;
        let bytes = log_normal(&mut self.dice, mean_bytes(media_type), 1.0) as u64;
        self.by_url.insert(url.clone(), number);
        self.pages.push(WebPage { url, media_type: media_type.to_owned(), bytes, links: Vec::new() });
        number
    }

    pub(super) fn link(&mut self, from: Number, to: Number, mention: Mention) {
        self.pages[from as usize].links.push((to, mention));
    }

    /// A link that readers follow, in the middle of a page.
    pub(super) fn anchor(&mut self, from: Number, to: Number, words: &str) {
        self.link(from, to, mention(Tag::Anchor, LinkPlace::Content, words));
    }

    /// Something a page is made of.
    pub(super) fn embed(&mut self, from: Number, to: Number, tag: Tag) {
        self.link(from, to, mention(tag, LinkPlace::Content, ""));
    }

    /// Pages about a page, below its path: what is said of it, how to cite it, how to print it.
    pub(super) fn about(&mut self, host: Host, page: Number, path: &str, names: &[&str]) {
        for name in names {
            let other = self.page(host, &format!("{path}/{name}"));
            self.anchor(page, other, name);
            self.anchor(other, page, "back");
        }
    }

    /// A list of pages that goes on over several, each leading to the next. Gives the pages of the list.
    pub(super) fn list(&mut self, host: Host, path: &str, items: &[Number], per_page: usize) -> Vec<Number> {
        let mut pages: Vec<Number> = Vec::new();
        for (nth, items) in items.chunks(per_page.max(1)).enumerate() {
            let path = if nth == 0 { path.to_owned() } else { format!("{path}?page={}", nth + 1) };
            let page = self.page(host, &path);
            for item in items {
                let words = self.words();
                self.anchor(page, *item, &words);
            }
            if let Some(before) = pages.last().copied() {
                self.anchor(before, page, "next page");
                self.anchor(page, before, "previous page");
            }
            pages.push(page);
        }
        pages
    }

    pub(super) fn words(&mut self) -> String {
        format!("{} {}", self.word(), self.word())
    }

    pub(super) fn word(&mut self) -> &'static str {
        WORDS[below(&mut self.dice, WORDS.len())]
    }

    /// A name that no other thing of that number has.
    pub(super) fn slug(&mut self, nth: usize) -> String {
        format!("{}-{}-{nth}", self.word(), self.word())
    }

    /// A name that says nothing.
    pub(super) fn token(&mut self) -> String {
        format!("{:016x}", self.dice.next_u64())
    }

    /// So many pages that differ by a number.
    pub(super) fn numbered(&mut self, host: Host, count: usize, path: impl Fn(usize) -> String) -> Vec<Number> {
        (0..count).map(|nth| self.page(host, &path(nth))).collect()
    }

    /// This many, a quarter more or less; at least one.
    pub(super) fn roughly(&mut self, count: usize) -> usize {
        ((count as f64 * (0.75 + 0.5 * self.dice.unit())) as usize).max(1)
    }

    pub(super) fn pick(&mut self, from: &[Number]) -> Number {
        from[below(&mut self.dice, from.len())]
    }

    /// Puts the frames around the pages; the capture begins at these.
    pub(super) fn finish(mut self, seeds: &[Number], wanted: &[&str]) -> Web {
        for (number, Host(host)) in &self.framed {
            self.pages[*number as usize].links.splice(0..0, self.frames[*host].links.iter().copied());
        }
        let seeds = seeds.iter().map(|seed| self.pages[*seed as usize].url.clone()).collect();
        Web::new(seeds, rules(wanted), self.pages)
    }
}

fn rules(wanted: &[&str]) -> MediaRules {
    wanted.iter().map(|range| MediaRule::new(range.parse().expect("a media range"))).collect()
}

/// How a link is written, with its words as one who reads pages keeps them.
pub(super) fn mention(tag: Tag, place: LinkPlace, words: &str) -> Mention {
    Mention { tag, place, words: clicked_words(words) }
}

fn mean_bytes(media_type: &str) -> f64 {
    match media_type.split('/').next().unwrap_or_default() {
        "audio" => 20e6,
        "video" => 90e6,
        "image" => 300e3,
        "application" => 900e3,
        _ => 25e3,
    }
}
