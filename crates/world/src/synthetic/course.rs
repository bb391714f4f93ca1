//! What the lives of things mean for the pages of a site: when which page may have changed.

use super::{
    SyntheticConfig, feed,
    leaf::Leaf,
    listing,
    outlet::{Order, Outlet},
    press::Happening,
};
use tintype_vocab::{Span, Time};

/// What a listing is an excerpt from, all or one section, and how many things it shows.
type Excerpt = (Option<usize>, usize);

fn before(at: Time) -> Time {
    at - Span::from_millis(1)
}

impl Outlet {
    pub(super) fn happenings(&self, wish: &SyntheticConfig) -> Vec<Happening> {
        let mut happenings = self.furniture(wish);
        for thing in 0..self.shelf.len() as u32 {
            self.course(wish, thing, &mut happenings);
        }
        happenings
    }

    /// What is there from the first moment whatever the site deals in, and the sitemap as it is made anew.
    fn furniture(&self, wish: &SyntheticConfig) -> Vec<Happening> {
        let sections = self.leaves.sections;
        let single = [Leaf::Front, Leaf::Robots, Leaf::Style, Leaf::Logo, Leaf::Sitemap];
        let feed = self.trade.feed().map(|_| Leaf::Feed);
        let leaves = single.into_iter().chain(feed);
        let leaves = leaves.chain((0..sections).map(Leaf::Section)).chain((0..sections).map(Leaf::Cover));
        let mut happenings: Vec<Happening> =
            leaves.map(|leaf| Happening::appears(wish.from, self.leaves.number(leaf))).collect();
        let (every, sitemap) = (self.lastmod.made_every(), self.leaves.number(Leaf::Sitemap));
        let made = std::iter::successors(Some(wish.from + every), |&at| Some(at + every));
        happenings.extend(made.take_while(|&at| at < wish.until()).map(|at| Happening::changes(at, sitemap)));
        happenings
    }

    /// All that comes of one thing: its own page and the listings it may be on.
    fn course(&self, wish: &SyntheticConfig, thing: u32, happenings: &mut Vec<Happening>) {
        let page = self.leaves.number(Leaf::Thing(thing));
        let (born, dies) = (self.shelf.born(thing).max(wish.from), self.shelf.dies(thing));
        happenings.push(Happening::appears(born, page));
        self.shelve(thing, born, happenings);
        for &at in self.shelf.updates(thing).iter().filter(|&&at| at > wish.from) {
            happenings.push(Happening::changes(at, page));
            if self.reads_otherwise(thing, at) {
                self.relist(thing, at, happenings);
            }
        }
        if dies < wish.until() {
            happenings.push(Happening::vanishes(dies, page));
            self.relist(thing, dies, happenings);
        }
    }

    /// The first thing of a bucket brings the bucket, and a link to it from the one before.
    fn shelve(&self, thing: u32, at: Time, happenings: &mut Vec<Happening>) {
        let (section, bucket) = (self.shelf.section(thing), self.shelf.bucket(thing));
        if self.shelf.starts_bucket(thing) {
            happenings.push(Happening::appears(at, self.leaves.number(Leaf::Bucket(section, bucket))));
            if let Some(before) = bucket.checked_sub(1) {
                happenings.push(Happening::changes(at, self.leaves.number(Leaf::Bucket(section, before))));
            }
        }
        happenings.extend(self.listings(section, bucket).map(|(_, leaf)| self.changes(at, leaf)));
    }

    /// Looks again at the listings a thing is on, when it changes or goes.
    fn relist(&self, thing: u32, at: Time, happenings: &mut Vec<Happening>) {
        let (section, bucket) = (self.shelf.section(thing), self.shelf.bucket(thing));
        let listings = self.listings(section, bucket).filter(|&(excerpt, _)| self.shows(thing, at, excerpt));
        happenings.extend(listings.map(|(_, leaf)| self.changes(at, leaf)));
    }

    fn changes(&self, at: Time, leaf: Leaf) -> Happening {
        Happening::changes(at, self.leaves.number(leaf))
    }

    /// The listings of a thing, with what each is an excerpt from and how long it is; buckets are none.
    fn listings(&self, section: usize, bucket: usize) -> impl Iterator<Item = (Option<Excerpt>, Leaf)> {
        let feed = self.trade.feed().map(|_| (Some((None, feed::ENTRIES)), Leaf::Feed));
        let others = [
            (Some((None, listing::FRONT)), Leaf::Front),
            (Some((Some(section), listing::SECTION)), Leaf::Section(section)),
            (None, Leaf::Bucket(section, bucket)),
        ];
        others.into_iter().chain(feed)
    }

    /// Whether a listing may read otherwise from this moment of a thing on. Printing tells for certain, at a hundred
    /// times the price.
    fn shows(&self, thing: u32, at: Time, excerpt: Option<Excerpt>) -> bool {
        let Some((section, count)) = excerpt.filter(|_| self.trade.order() == Order::Newest) else { return true };
        self.shelf.newest(section, before(at)).take(count).any(|shown| shown == thing)
    }

    /// Whether listings say something else of a thing from this moment on.
    fn reads_otherwise(&self, thing: u32, at: Time) -> bool {
        let detail = |now| {
            let mut out = String::new();
            self.trade.detail(&self.sight(thing, now), &mut out).map(|()| out)
        };
        detail(before(at)) != detail(at)
    }
}
