//! A site with sections, listings, a sitemap and perhaps a feed; what it deals in is a [`Trade`].

use super::{
    Lastmod, Made, SyntheticConfig,
    feed::Feed,
    frame,
    leaf::{Leaf, Leaves},
    press::{Edition, Press, record},
    prose::Prose,
    shelf::{BUCKET, Life, Shelf},
};
use std::fmt;
use tintype_vocab::Time;

/// In which order listings show things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Newest,
    MostActive,
}

/// What kind of things a site shows, and how.
pub(super) trait Trade: fmt::Debug + Send + Sync {
    /// What the site calls itself.
    fn name(&self) -> &'static str;

    fn sections(&self) -> &'static [&'static str];

    fn feed(&self) -> Option<Feed>;

    fn order(&self) -> Order;

    /// The change rate of a thing, if all have the same.
    fn rate_per_day(&self) -> Option<f64> {
        None
    }

    /// What the page of a thing says below its title.
    fn describe(&self, thing: &Sight<'_>, out: &mut String) -> fmt::Result;

    /// What a listing says of it besides its title.
    fn detail(&self, thing: &Sight<'_>, out: &mut String) -> fmt::Result;
}

/// A thing as it is at a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight<'a> {
    pub prose: &'a Prose,
    /// Names the thing to whoever throws dice about it.
    pub name: u64,
    pub seed: u64,
    pub born: Time,
    /// The changes it has gone through.
    pub past: &'a [Time],
}

impl Sight<'_> {
    pub(super) fn revision(&self) -> u32 {
        self.past.len() as u32
    }

    pub(super) fn touched(&self) -> Time {
        self.past.last().copied().unwrap_or(self.born)
    }
}

#[derive(Debug)]
pub(super) struct Outlet {
    pub(super) trade: Box<dyn Trade>,
    pub(super) shelf: Shelf,
    pub(super) prose: Prose,
    pub(super) origin: String,
    pub(super) lastmod: Lastmod,
    /// Titles and paths of things: short, and asked for by every listing.
    titles: Vec<Box<str>>,
    paths: Vec<Box<str>>,
    pub(super) leaves: Leaves,
    seed: u64,
}

/// How many things a site of so many pages can show: the other pages are listings and furniture.
pub(super) fn things(wish: &SyntheticConfig, trade: &impl Trade) -> usize {
    let furniture = Leaves::besides(trade.sections().len());
    (wish.pages.saturating_sub(furniture) * BUCKET / (BUCKET + 1)).max(1)
}

/// Opens a site whose things live as told.
pub(super) fn open(wish: &SyntheticConfig, trade: impl Trade + 'static, lives: Vec<Life>) -> Made {
    let sections = trade.sections().len();
    let shelf = Shelf::new(wish, sections, lives);
    let prose = Prose::new(wish.seed);
    let titles: Vec<Box<str>> = (0..shelf.len()).map(|thing| prose.title(thing as u64).into()).collect();
    let path = |thing: usize| path(trade.sections()[shelf.section(thing as u32)], &titles[thing], thing).into();
    let outlet = Outlet {
        leaves: Leaves { sections, things: shelf.len() },
        paths: (0..shelf.len()).map(path).collect(),
        titles,
        trade: Box::new(trade),
        shelf,
        prose,
        origin: wish.origin.clone(),
        lastmod: wish.lastmod,
        seed: wish.seed,
    };
    let happenings = outlet.happenings(wish);
    record(outlet, happenings, None)
}

fn path(section: &str, title: &str, thing: usize) -> String {
    format!("/{section}/{}-{thing}.html", title.to_ascii_lowercase().replace(' ', "-"))
}

impl Outlet {
    pub(super) fn sight(&self, thing: u32, now: Time) -> Sight<'_> {
        let (born, past) = (self.shelf.born(thing), self.shelf.past(thing, now));
        Sight { prose: &self.prose, name: thing.into(), seed: self.seed, born, past }
    }

    pub(super) fn title(&self, thing: u32) -> &str {
        &self.titles[thing as usize]
    }

    pub(super) fn thing_path(&self, thing: u32) -> &str {
        &self.paths[thing as usize]
    }

    pub(super) fn section_name(&self, section: usize) -> &'static str {
        self.trade.sections()[section]
    }

    pub(super) fn bucket_path(&self, section: usize, bucket: usize) -> String {
        format!("/{}/page-{}.html", self.section_name(section), bucket + 1)
    }

    /// What listings show now, first things first.
    pub(super) fn listed(&self, section: Option<usize>, now: Time, count: usize) -> Vec<u32> {
        match self.trade.order() {
            Order::Newest => self.shelf.newest(section, now).take(count).collect(),
            Order::MostActive => {
                let mut things = self.shelf.most_active(section, now);
                things.truncate(count);
                things
            }
        }
    }

    fn thing(&self, thing: u32, now: Time, out: &mut String) -> fmt::Result {
        let title = self.title(thing);
        self.framed(title, thing.into(), out, |out| {
            let section = self.shelf.section(thing);
            let name = self.section_name(section);
            let bucket = self.bucket_path(section, self.shelf.bucket(thing));
            out.push_str(&format!(
                "<p class=\"crumbs\"><a href=\"/{name}/\">{name}</a> / <a href=\"{bucket}\">list</a></p>\n\
                 <article>\n<h1>{title}</h1>\n<img src=\"/{name}/cover.svg\" alt=\"\">\n"
            ));
            self.trade.describe(&self.sight(thing, now), out)?;
            out.push_str("</article>\n");
            Ok(())
        })
    }
}

impl Press for Outlet {
    fn path(&self, page: u32) -> String {
        match self.leaves.leaf(page) {
            Leaf::Front => "/".to_owned(),
            Leaf::Robots => "/robots.txt".to_owned(),
            Leaf::Style => "/style.css".to_owned(),
            Leaf::Logo => "/logo.svg".to_owned(),
            Leaf::Sitemap => "/sitemap.xml".to_owned(),
            Leaf::Feed => "/feed.xml".to_owned(),
            Leaf::Section(section) => format!("/{}/", self.section_name(section)),
            Leaf::Cover(section) => format!("/{}/cover.svg", self.section_name(section)),
            Leaf::Thing(thing) => self.thing_path(thing).to_owned(),
            Leaf::Bucket(section, bucket) => self.bucket_path(section, bucket),
        }
    }

    fn content_type(&self, page: u32) -> &'static str {
        match self.leaves.leaf(page) {
            Leaf::Robots => "text/plain; charset=utf-8",
            Leaf::Style => "text/css; charset=utf-8",
            Leaf::Logo | Leaf::Cover(_) => "image/svg+xml",
            Leaf::Sitemap => "application/xml",
            Leaf::Feed => self.trade.feed().map_or("application/xml", Feed::content_type),
            Leaf::Front | Leaf::Section(_) | Leaf::Thing(_) | Leaf::Bucket(..) => "text/html; charset=utf-8",
        }
    }

    fn rate_per_day(&self, page: u32) -> Option<f64> {
        match self.leaves.leaf(page) {
            Leaf::Thing(_) => self.trade.rate_per_day(),
            _ => None,
        }
    }

    fn print(&self, Edition { page, at, .. }: Edition, out: &mut String) {
        let written = match self.leaves.leaf(page) {
            Leaf::Front => self.front(at, out),
            Leaf::Robots => self.robots(out),
            Leaf::Style => fmt::Write::write_str(out, frame::STYLE),
            Leaf::Logo => frame::picture(self.seed, out),
            Leaf::Cover(section) => frame::picture(self.seed ^ (section as u64 + 1), out),
            Leaf::Sitemap => self.sitemap(at, out),
            Leaf::Feed => self.trade.feed().map_or(Ok(()), |feed| self.feed(feed, at, out)),
            Leaf::Section(section) => self.section(section, at, out),
            Leaf::Thing(thing) => self.thing(thing, at, out),
            Leaf::Bucket(section, bucket) => self.bucket(section, bucket, at, out),
        };
        written.expect("strings grow");
    }
}
