//! The latest things of a site as RSS or Atom.

use super::{outlet::Outlet, profile::weekday};
use std::fmt::{self, Write};
use tintype_vocab::Time;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feed {
    Rss,
    Atom,
}

pub(super) const ENTRIES: usize = 15;

impl Feed {
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Feed::Rss => "application/rss+xml",
            Feed::Atom => "application/atom+xml",
        }
    }

    /// The date that counts for an entry: RSS tells when a thing came, Atom also when it changed.
    fn date(self, outlet: &Outlet, thing: u32, now: Time) -> Time {
        match self {
            Feed::Rss => outlet.shelf.born(thing),
            Feed::Atom => outlet.shelf.touched(thing, now),
        }
    }
}

impl Outlet {
    pub(super) fn feed(&self, feed: Feed, now: Time, out: &mut String) -> fmt::Result {
        let things = self.listed(None, now, ENTRIES);
        let updated = things.iter().map(|&thing| feed.date(self, thing, now)).max().unwrap_or_default();
        let (name, origin) = (self.trade.name(), &self.origin);
        out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        match feed {
            Feed::Rss => write!(
                out,
                "<rss version=\"2.0\"><channel>\n<title>{name}</title><link>{origin}/</link>\
                 <description>Latest</description><lastBuildDate>{}</lastBuildDate>\n",
                rfc_822(updated)
            )?,
            Feed::Atom => write!(
                out,
                "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>{name}</title><id>{origin}/</id>\
                 <link href=\"{origin}/\"/><updated>{updated}</updated>\n"
            )?,
        }
        things.into_iter().try_for_each(|thing| self.entry(feed, thing, now, out))?;
        out.write_str(match feed {
            Feed::Rss => "</channel></rss>\n",
            Feed::Atom => "</feed>\n",
        })
    }

    fn entry(&self, feed: Feed, thing: u32, now: Time, out: &mut String) -> fmt::Result {
        let title = self.title(thing);
        let link = format!("{}{}", self.origin, self.thing_path(thing));
        let (born, date) = (self.shelf.born(thing), feed.date(self, thing, now));
        let mut summary = String::new();
        self.prose.teaser(thing.into(), &mut summary);
        match feed {
            Feed::Rss => writeln!(
                out,
                "<item><title>{title}</title><link>{link}</link><guid>{link}</guid><pubDate>{}</pubDate>\
                 <description>{summary}</description></item>",
                rfc_822(date)
            ),
            Feed::Atom => writeln!(
                out,
                "<entry><title>{title}</title><link href=\"{link}\"/><id>{link}</id><published>{born}</published>\
                 <updated>{date}</updated><summary>{summary}</summary></entry>"
            ),
        }
    }
}

/// `Sun, 15 Nov 2026 21:55:03 GMT`, as RSS wants it.
fn rfc_822(at: Time) -> String {
    const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let text = at.to_timestamp14();
    let month: usize = text[4..6].parse().unwrap_or(1);
    let (year, day, [hour, minute, second]) = (&text[..4], &text[6..8], [&text[8..10], &text[10..12], &text[12..]]);
    format!("{}, {day} {} {year} {hour}:{minute}:{second} GMT", DAYS[weekday(at)], MONTHS[month - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_read_as_in_mail() {
        assert_eq!(rfc_822(Time::from_secs(1_794_779_703)), "Sun, 15 Nov 2026 21:55:03 GMT");
    }
}
