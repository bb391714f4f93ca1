//! Sitemaps: what a site says it has, and when it last changed.

use crate::{
    collect::Collector,
    wording::Wording,
    xml::{self, Name, Tag, Visitor},
};
use tintype_vocab::{Link, LinkKind, Mention, Span, Tag as Carrier, Time};

/// Most entries one sitemap may have, by the protocol.
pub const ENTRIES_MAX: usize = 50_000;
/// Entries with more text have no context.
const ENTRY_MAX: usize = 4_000;

/// Adds the entries of a sitemap (`Listed`) or sitemap index (`Sitemap`).
pub(crate) fn links(text: &str, kind: LinkKind, collector: &mut Collector) {
    collector.links_max = ENTRIES_MAX;
    let mut sitemap =
        Sitemap { kind, place: None, dates: Dates::default(), wording: Wording::new(ENTRY_MAX), entries: 0, collector };
    let whole = xml::walk(text, &mut sitemap);
    sitemap.settle();
    collector.findings.markup_broken |= !whole;
}

/// Adds the lines of a plain-text sitemap.
pub(crate) fn plain_links(text: &str, collector: &mut Collector) {
    collector.links_max = ENTRIES_MAX;
    let urls = text.lines().map(str::trim).filter(|line| line.starts_with("http"));
    urls.for_each(|url| collector.add(url, LinkKind::Listed, Carrier::Listed));
}

/// What an entry says of when its page changes.
#[derive(Default)]
struct Dates {
    modified: Option<Time>,
    every: Option<Span>,
}

struct Sitemap<'c> {
    kind: LinkKind,
    /// The entry being read.
    place: Option<String>,
    dates: Dates,
    /// Its date and, of a news sitemap, its title: what is not as it was once the page has changed.
    wording: Wording,
    entries: usize,
    collector: &'c mut Collector,
}

impl Sitemap<'_> {
    fn settle(&mut self) {
        let context = self.wording.finish();
        let Dates { modified, every } = std::mem::take(&mut self.dates);
        if let Some(place) = self.place.take() {
            self.entries += 1;
            let mention = Mention { tag: Carrier::Listed, ..Mention::default() };
            self.collector.add_entry(Link { modified, every, context, mention, ..Link::new(&place, self.kind) });
        }
    }

    fn embed(&mut self, url: &str, carrier: Carrier) {
        self.collector.add(url, LinkKind::Embed, carrier);
    }
}

impl Visitor for Sitemap<'_> {
    fn open(&mut self, name: Name<'_>, tag: &Tag<'_>) {
        match (name.prefix, name.local) {
            ("", "url" | "sitemap") => self.settle(),
            (_, "link") => {
                if let Some(href) = tag.attribute("href") {
                    self.collector.add(&href, LinkKind::Listed, Carrier::Listed);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: Name<'_>, text: &str) {
        match (name.prefix, name.local) {
            ("", "loc") => self.place = Some(text.to_owned()),
            ("", "lastmod") => {
                self.dates.modified = Time::parse_rfc3339(text).ok();
                self.wording.add(text.as_bytes());
            }
            ("", "changefreq") => self.dates.every = every(text),
            ("news", _) => self.wording.add(text.as_bytes()),
            ("", "url" | "sitemap") => self.settle(),
            ("image", "loc") | ("video", "thumbnail_loc") => self.embed(text, Carrier::Image),
            ("video", "content_loc") => self.embed(text, Carrier::Video),
            ("video", "player_loc") => self.embed(text, Carrier::Frame),
            _ => {}
        }
    }

    fn is_done(&self) -> bool {
        self.entries > ENTRIES_MAX
    }
}

/// The time from one change to the next that a changefreq speaks of. "Always" means at every access: oftener than
/// anyone who is polite can ask. "Never" is a hundred years, and not no word at all: an archived page is known to rest.
fn every(changefreq: &str) -> Option<Span> {
    Some(match changefreq.trim().to_ascii_lowercase().as_str() {
        "always" => Span::from_secs(60),
        "hourly" => Span::from_secs(3600),
        "daily" => Span::from_days(1),
        "weekly" => Span::from_days(7),
        "monthly" => Span::from_days(30),
        "yearly" => Span::from_days(365),
        "never" => Span::from_days(36_500),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str, kind: LinkKind) -> (Vec<(String, LinkKind, Option<Time>)>, bool) {
        let mut collector = Collector::new("https://h/sitemap.xml");
        links(text, kind, &mut collector);
        let (links, findings) = collector.finish();
        (links.iter().map(|link| (link.url.to_owned(), link.kind, link.modified)).collect(), findings.markup_broken)
    }

    #[test]
    fn entries_come_with_their_dates_and_extensions() {
        let text = r#"<?xml version="1.0"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i" xmlns:xhtml="x">
            <url><loc> https://h/a?x=1&amp;y=2
            </loc><lastmod>2026-11-15</lastmod><changefreq>daily</changefreq>
              <image:image><image:loc>https://h/a.png</image:loc></image:image></url>
            <url><lastmod>garbage</lastmod><loc><![CDATA[https://h/b]]></loc>
              <xhtml:link rel="alternate" hreflang="de" href="https://h/de/b"/></url>
            <url><loc/></url></urlset>"#;
        let day = Time::parse_rfc3339("2026-11-15").ok();
        let expected = [
            ("https://h/a.png", LinkKind::Embed, None),
            ("https://h/a?x=1&y=2", LinkKind::Listed, day),
            ("https://h/de/b", LinkKind::Listed, None),
            ("https://h/b", LinkKind::Listed, None),
        ];
        let expected = expected.map(|(url, kind, time)| (url.to_owned(), kind, time));
        assert_eq!(seen(text, LinkKind::Listed), (expected.to_vec(), false));
    }

    #[test]
    fn entries_say_how_often_they_change_in_the_words_of_the_protocol() {
        let text = "<urlset><url><loc>/a</loc><changefreq> Daily\n</changefreq></url>\
            <url><changefreq>never</changefreq><loc>/b</loc></url><url><loc>/c</loc></url>\
            <url><loc>/d</loc><changefreq>now and then</changefreq></url></urlset>";
        let mut collector = Collector::new("https://h/sitemap.xml");
        links(text, LinkKind::Listed, &mut collector);
        let days: Vec<_> = collector.finish().0.iter().map(|link| link.every.map(Span::as_days_f64)).collect();
        assert_eq!(days, [Some(1.0), Some(36_500.0), None, None]);
        let words = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];
        assert!(words.map(every).windows(2).all(|pair| pair[0].is_some() && pair[0] < pair[1]));
    }

    #[test]
    fn an_entry_has_the_context_of_its_own_date() {
        let contexts = |first: &str, second: &str| {
            let entry = |n, words| format!("<url><loc>/{n}</loc>{words}</url>");
            let text = format!("<urlset>{}{}</urlset>", entry(1, first), entry(2, second));
            let mut collector = Collector::new("https://h/sitemap.xml");
            links(&text, LinkKind::Listed, &mut collector);
            collector.finish().0.iter().map(|link| link.context).collect::<Vec<_>>()
        };
        let before = contexts("<lastmod>Monday</lastmod>", "<lastmod>2026-11-15</lastmod>");
        let after = contexts("<lastmod>Monday</lastmod><priority>1</priority>", "<lastmod>2026-11-16</lastmod>");
        assert!(before[0] != 0 && before[0] == after[0]);
        assert_ne!(before[1], after[1]);
        assert_eq!(contexts("", "<news:news><news:title>x</news:title></news:news>")[0], 0);
    }

    #[test]
    fn an_index_lists_sitemaps_whatever_prefix_it_uses() {
        let text = "<s:sitemapindex xmlns:s='x'><s:sitemap><s:loc>/1.xml.gz</s:loc></s:sitemap></s:sitemapindex>";
        assert_eq!(seen(text, LinkKind::Sitemap).0, [("https://h/1.xml.gz".to_owned(), LinkKind::Sitemap, None)]);
    }

    #[test]
    fn a_torn_sitemap_gives_what_is_there() {
        let (links, broken) = seen("<urlset><url><loc>/a</loc></url><url><loc>/b</loc><lastm", LinkKind::Listed);
        assert_eq!((links.len(), broken), (2, true));
        let (links, broken) = seen("<urlset><url><loc>/a</loc></url>", LinkKind::Listed);
        assert_eq!((links.len(), broken), (1, true));
    }

    #[test]
    fn entity_bombs_are_odd_names() {
        let bomb =
            "<!DOCTYPE urlset [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><urlset><url><loc>/x&b;</loc></url></urlset>";
        assert_eq!(seen(bomb, LinkKind::Listed).0[0].0, "https://h/x&b;");
    }

    #[test]
    fn entries_are_bounded_by_the_protocol() {
        let text = format!(
            "<urlset>{}",
            (0..ENTRIES_MAX + 9).map(|n| format!("<url><loc>/{n}</loc></url>")).collect::<String>()
        );
        assert_eq!(seen(&text, LinkKind::Listed).0.len(), ENTRIES_MAX);
    }

    #[test]
    fn plain_sitemaps_are_lines() {
        let mut collector = Collector::new("https://h/sitemap.txt");
        plain_links("https://h/a\r\n\n  https://h/b  \nnonsense\n", &mut collector);
        assert_eq!(collector.finish().0.len(), 2);
    }
}
