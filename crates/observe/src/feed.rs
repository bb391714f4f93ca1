//! RSS (all versions) and Atom: what is new, and since when.

use crate::{
    clicked::clicked_words,
    collect::Collector,
    date,
    wording::Wording,
    xml::{self, Name, Tag, Visitor},
};
use tintype_vocab::{Link, LinkKind, Mention, Tag as Carrier, Time};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Rss,
    Atom,
}

/// Adds items (`Listed`), their enclosures and pictures (`Embed`), the page the feed is of (`Anchor`) and its further
/// pages (`Feed`).
pub(crate) fn links(text: &str, dialect: Dialect, collector: &mut Collector) {
    let mut feed = Feed { dialect, item: None, wording: Wording::new(ITEM_MAX), collector };
    let whole = xml::walk(text, &mut feed);
    feed.settle();
    collector.findings.markup_broken |= !whole;
}

/// The item being read.
#[derive(Default)]
struct Item {
    places: Vec<String>,
    /// A guid that is a URL, should there be no link.
    permalink: Option<String>,
    guid_is_permalink: bool,
    updated: Option<Time>,
    published: Option<Time>,
    /// The words of its title.
    words: [u16; 4],
}

/// Items with more text have no context.
const ITEM_MAX: usize = 64 << 10;

/// Most links of one item that are kept until its date is known.
const PLACES_MAX: usize = 64;

struct Feed<'c> {
    dialect: Dialect,
    item: Option<Item>,
    /// Of the item being read.
    wording: Wording,
    collector: &'c mut Collector,
}

impl Feed<'_> {
    fn settle(&mut self) {
        let Some(item) = self.item.take() else { return };
        let context = self.wording.finish();
        let modified = item.updated.or(item.published);
        let permalink = item.permalink.filter(|_| item.places.is_empty());
        for place in item.places.iter().chain(&permalink) {
            let mention = Mention { tag: Carrier::Entry, words: item.words, ..Mention::default() };
            self.collector.add_entry(Link { modified, context, mention, ..Link::new(place, LinkKind::Listed) });
        }
    }

    fn place(&mut self, url: &str) {
        match &mut self.item {
            Some(item) if item.places.len() < PLACES_MAX => item.places.push(url.to_owned()),
            Some(_) => {}
            None => self.collector.add(url, LinkKind::Anchor, Carrier::Link),
        }
    }

    fn atom_link(&mut self, tag: &Tag<'_>) {
        let Some(href) = tag.attribute("href") else { return };
        let relation = tag.attribute("rel").unwrap_or("alternate".into()).to_ascii_lowercase();
        match relation.as_str() {
            "alternate" if self.dialect == Dialect::Atom => self.place(&href),
            "enclosure" => self.add(tag, "href", Carrier::Enclosure),
            "next" | "prev" | "previous" | "first" | "last" | "prev-archive" | "next-archive" => {
                self.collector.add(&href, LinkKind::Feed, Carrier::Feed);
            }
            _ => {}
        }
    }

    /// Adds what belongs to an entry. Its words are the media type it is said to have: no reader clicks on it.
    fn add(&mut self, tag: &Tag<'_>, attribute: &str, carrier: Carrier) {
        let Some(url) = tag.attribute(attribute) else { return };
        let media_type = tag.attribute("type").or_else(|| tag.attribute("medium"));
        let words = media_type.map_or([0; 4], |name| clicked_words(&name));
        let mention = Mention { tag: carrier, words, ..Mention::default() };
        self.collector.place(Link { mention, ..Link::new(&url, LinkKind::Embed) });
    }
}

impl Visitor for Feed<'_> {
    fn open(&mut self, name: Name<'_>, tag: &Tag<'_>) {
        match (name.prefix, name.local) {
            (_, "feed" | "rss") => {
                if let Some(base) = tag.attribute("xml:base") {
                    self.collector.rebase(&base);
                }
            }
            (_, "item" | "entry") => {
                self.settle();
                self.item = Some(Item::default());
            }
            (_, "link") => self.atom_link(tag),
            ("", "enclosure") | ("media", "content") => self.add(tag, "url", Carrier::Enclosure),
            ("media", "thumbnail") => self.add(tag, "url", Carrier::Image),
            ("", "content") => self.add(tag, "src", Carrier::Entry),
            ("itunes", "image") => self.add(tag, "href", Carrier::Image),
            (_, "guid") => {
                if let Some(item) = &mut self.item {
                    item.guid_is_permalink = tag.attribute("isPermaLink").is_none_or(|value| value != "false");
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: Name<'_>, text: &str) {
        if self.item.is_some() {
            self.wording.add(text.as_bytes());
        }
        match (name.prefix, name.local, self.dialect) {
            (_, "item" | "entry", _) => self.settle(),
            ("atom" | "media" | "itunes", ..) => {}
            (_, "link", Dialect::Rss) if !text.is_empty() => self.place(text),
            (_, "url", Dialect::Rss) if self.item.is_none() => {
                self.collector.add(text, LinkKind::Embed, Carrier::Image);
            }
            (_, "icon" | "logo", Dialect::Atom) => self.collector.add(text, LinkKind::Embed, Carrier::Image),
            (_, local, _) => {
                let Some(item) = &mut self.item else { return };
                match local {
                    "title" => item.words = clicked_words(text),
                    "guid" if item.guid_is_permalink && text.starts_with("http") => {
                        item.permalink = Some(text.to_owned())
                    }
                    "updated" | "modified" => item.updated = date::parse(text),
                    "pubDate" | "date" | "published" | "issued" => item.published = date::parse(text),
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LinkKind::{Anchor, Embed, Listed};

    fn seen(text: &str, dialect: Dialect) -> Vec<(String, LinkKind, Option<i64>)> {
        let mut collector = Collector::new("https://h/feed");
        links(text, dialect, &mut collector);
        let (links, findings) = collector.finish();
        assert!(!findings.markup_broken);
        let short = |url: &str| url.trim_start_matches("https://h/").to_owned();
        links.iter().map(|link| (short(link.url), link.kind, link.modified.map(Time::as_secs))).collect()
    }

    fn expect(rows: &[(&str, LinkKind, Option<i64>)]) -> Vec<(String, LinkKind, Option<i64>)> {
        rows.iter().map(|(url, kind, time)| (url.to_string(), *kind, *time)).collect()
    }

    #[test]
    fn rss_2_is_read() {
        let text = r#"<rss version="2.0" xmlns:atom="a" xmlns:media="m"><channel><title>t</title><link>https://h/</link>
            <atom:link rel="self" href="https://h/feed"/><atom:link rel="next" href="?p=2"/>
            <image><url>/logo.png</url><link>https://h/</link></image>
            <item><title>x</title><link>/1?a&amp;b</link><pubDate>Thu, 01 Jan 1970 00:00:05 GMT</pubDate>
              <guid>https://h/guid</guid><enclosure url="/1.mp3" type="audio/mpeg"/><media:thumbnail url="/1.jpg"/></item>
            <item><guid>https://h/2</guid></item><item><guid isPermaLink="false">https://h/no</guid></item>
            </channel></rss>"#;
        let expected = expect(&[
            ("", Anchor, None),
            ("feed?p=2", LinkKind::Feed, None),
            ("logo.png", Embed, None),
            ("1.mp3", Embed, None),
            ("1.jpg", Embed, None),
            ("1?a&b", Listed, Some(5)),
            ("2", Listed, None),
        ]);
        assert_eq!(seen(text, Dialect::Rss), expected);
    }

    #[test]
    fn rss_1_is_read() {
        let text = r#"<rdf:RDF xmlns:rdf="r" xmlns="s" xmlns:dc="d"><channel rdf:about="x"><link>/</link></channel>
            <item rdf:about="y"><link>/1</link><dc:date>1970-01-01T00:00:07Z</dc:date></item></rdf:RDF>"#;
        assert_eq!(seen(text, Dialect::Rss), expect(&[("", Anchor, None), ("1", Listed, Some(7))]));
    }

    #[test]
    fn an_item_has_the_context_of_its_own_words() {
        let contexts = |first: &str, second: &str| {
            let item = |n, words| format!("<item><title>{words}</title><link>/{n}</link></item>");
            let text = format!("<rss><channel><title>t</title>{}{}</channel></rss>", item(1, first), item(2, second));
            let mut collector = Collector::new("https://h/feed");
            links(&text, Dialect::Rss, &mut collector);
            collector.finish().0.iter().map(|link| link.context).collect::<Vec<_>>()
        };
        let (before, after) = (contexts("one", "two"), contexts("one", "two, corrected"));
        assert!(before[0] != 0 && before[0] == after[0]);
        assert_ne!(before[1], after[1]);
    }

    #[test]
    fn atom_is_read() {
        let text = r#"<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://h/blog/"><link href="/"/>
            <link rel="self" href="self"/><logo>l.png</logo>
            <entry><link href="1"/><link rel="enclosure" href="1.pdf"/><link rel="edit" href="e"/>
              <published>1970-01-01T00:00:01Z</published><updated>1970-01-01T00:00:09Z</updated>
              <content src="1.html"/></entry></feed>"#;
        let expected = expect(&[
            ("", Anchor, None),
            ("blog/l.png", Embed, None),
            ("blog/1.pdf", Embed, None),
            ("blog/1.html", Embed, None),
            ("blog/1", Listed, Some(9)),
        ]);
        assert_eq!(seen(text, Dialect::Atom), expected);
    }

    #[test]
    fn an_entry_is_mentioned_with_its_title_and_what_it_encloses_with_its_type() {
        let text = r#"<rss><channel><item><title>Listen to this</title><link>/1</link>
            <enclosure url="/1.mp3" type="audio/mpeg"/></item></channel></rss>"#;
        let mut collector = Collector::new("https://h/feed");
        links(text, Dialect::Rss, &mut collector);
        let mentions: Vec<_> = collector.finish().0.iter().map(|link| (link.mention.tag, link.mention.words)).collect();
        let expected =
            [(Carrier::Enclosure, clicked_words("audio mpeg")), (Carrier::Entry, clicked_words("listen to this"))];
        assert_eq!(mentions, expected);
    }
}
