//! The sitemap of a site, which may know less than it says.

use super::outlet::Outlet;
use std::fmt::{self, Write};
use tintype_vocab::{Span, Time};

/// What a sitemap says about when pages last changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lastmod {
    /// The truth as of when it was made, some hours ago at most.
    #[default]
    Honest,
    /// What was true some days ago: what came since is not in it, what changed since is dated as before.
    Stale,
    /// Nothing.
    Missing,
}

impl Lastmod {
    /// How often the sitemap is made anew.
    pub(super) fn made_every(self) -> Span {
        match self {
            Lastmod::Honest | Lastmod::Missing => Span::from_secs(6 * 3600),
            Lastmod::Stale => Span::from_days(1),
        }
    }
}

/// How old the news of a stale sitemap is.
const LAG: Span = Span::from_days(3);

/// The newest things only: a sitemap must not outgrow the site.
const ENTRIES: usize = 2000;

impl Outlet {
    pub(super) fn sitemap(&self, now: Time, out: &mut String) -> fmt::Result {
        let known = if self.lastmod == Lastmod::Stale { now - LAG } else { now };
        out.push_str(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
        );
        writeln!(out, "<url><loc>{}/</loc></url>", self.origin)?;
        for section in self.trade.sections() {
            writeln!(out, "<url><loc>{}/{section}/</loc></url>", self.origin)?;
        }
        for thing in self.shelf.newest(None, known).take(ENTRIES) {
            let path = self.thing_path(thing);
            write!(out, "<url><loc>{}{path}</loc>", self.origin)?;
            if self.lastmod != Lastmod::Missing {
                write!(out, "<lastmod>{}</lastmod>", self.shelf.touched(thing, known))?;
            }
            out.push_str("</url>\n");
        }
        out.push_str("</urlset>\n");
        Ok(())
    }
}
