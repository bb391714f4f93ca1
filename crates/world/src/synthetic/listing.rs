//! The pages that lead to other pages.

use super::outlet::Outlet;
use std::fmt::{self, Write};
use tintype_vocab::Time;

/// Things on the front page, and on a section's.
pub(super) const FRONT: usize = 12;
pub(super) const SECTION: usize = 20;

/// Tells listings from things where they share the dice that choose advertisements.
const LISTING: u64 = 1 << 32;

impl Outlet {
    pub(super) fn front(&self, now: Time, out: &mut String) -> fmt::Result {
        self.framed("Home", LISTING, out, |out| {
            writeln!(out, "<h1>{}</h1>", self.trade.name())?;
            self.teasers(self.listed(None, now, FRONT), now, out)
        })
    }

    /// The latest of a section, and where to find the rest.
    pub(super) fn section(&self, section: usize, now: Time, out: &mut String) -> fmt::Result {
        let name = self.section_name(section);
        self.framed(name, LISTING + 1 + section as u64, out, |out| {
            writeln!(out, "<h1>{name}</h1>\n<img src=\"/{name}/cover.svg\" alt=\"\">")?;
            self.teasers(self.listed(Some(section), now, SECTION), now, out)?;
            if let Some(last) = self.shelf.buckets(section, now).checked_sub(1) {
                writeln!(out, "<p class=\"pages\"><a href=\"{}\">All</a></p>", self.bucket_path(section, last))?;
            }
            Ok(())
        })
    }

    /// One page of everything a section ever had and still has.
    pub(super) fn bucket(&self, section: usize, bucket: usize, now: Time, out: &mut String) -> fmt::Result {
        let title = format!("{}, page {}", self.section_name(section), bucket + 1);
        self.framed(&title, LISTING + 1 + section as u64, out, |out| {
            writeln!(out, "<h1>{title}</h1>")?;
            self.teasers(self.shelf.in_bucket(section, bucket, now), now, out)?;
            out.push_str("<p class=\"pages\">");
            if let Some(before) = bucket.checked_sub(1) {
                write!(out, "<a rel=\"prev\" href=\"{}\">older</a> ", self.bucket_path(section, before))?;
            }
            if bucket + 1 < self.shelf.buckets(section, now) {
                write!(out, "<a rel=\"next\" href=\"{}\">newer</a>", self.bucket_path(section, bucket + 1))?;
            }
            out.push_str("</p>\n");
            Ok(())
        })
    }

    fn teasers(&self, things: impl IntoIterator<Item = u32>, now: Time, out: &mut String) -> fmt::Result {
        out.push_str("<ul class=\"teasers\">\n");
        for thing in things {
            let (title, path) = (self.title(thing), self.thing_path(thing));
            write!(out, "<li class=\"teaser\"><h2><a href=\"{path}\">{title}</a></h2>\n<p>")?;
            self.prose.teaser(thing.into(), out);
            out.push_str("</p>\n<p class=\"detail\">");
            self.trade.detail(&self.sight(thing, now), out)?;
            out.push_str("</p></li>\n");
        }
        out.push_str("</ul>\n");
        Ok(())
    }
}
