//! JSON Feed.

use crate::{clicked::clicked_words, collect::Collector, date, wording::Wording};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use tintype_vocab::{Link, LinkKind, Mention, Tag};

/// How far into a JSON document its version is looked for.
const HEAD: usize = 4096;

/// Whether a JSON document says it is a feed.
pub(crate) fn is_one(body: &[u8]) -> bool {
    memchr::memmem::find(&body[..body.len().min(HEAD)], b"jsonfeed.org/version").is_some()
}

#[derive(Deserialize)]
struct Feed<'j> {
    #[serde(borrow, default)]
    home_page_url: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    next_url: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    icon: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    favicon: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    items: Vec<Item<'j>>,
}

#[derive(Deserialize)]
struct Item<'j> {
    #[serde(borrow, default)]
    url: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    external_url: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    image: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    banner_image: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    date_published: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    date_modified: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    attachments: Vec<Attachment<'j>>,
    #[serde(borrow, default)]
    title: Option<&'j RawValue>,
    #[serde(borrow, default)]
    summary: Option<&'j RawValue>,
    #[serde(borrow, default)]
    content_text: Option<&'j RawValue>,
    #[serde(borrow, default)]
    content_html: Option<&'j RawValue>,
}

/// Items with more text have no context.
const ITEM_MAX: usize = 64 << 10;

impl Item<'_> {
    /// The fingerprint of all that is said about the item, as written: a title that is no text must not cost the feed.
    fn context(&self, wording: &mut Wording) -> u32 {
        let texts = [self.title, self.summary, self.content_text, self.content_html].into_iter().flatten();
        let dates = [&self.date_published, &self.date_modified].into_iter().flatten();
        texts.map(RawValue::get).chain(dates.map(AsRef::as_ref)).for_each(|text| wording.add(text.as_bytes()));
        wording.finish()
    }
}

#[derive(Deserialize)]
struct Attachment<'j> {
    #[serde(borrow, default)]
    url: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    mime_type: Option<&'j RawValue>,
}

/// Adds the items of a feed and what belongs to them.
pub(crate) fn links(text: &str, collector: &mut Collector) {
    let Ok(feed) = serde_json::from_str::<Feed<'_>>(text) else {
        collector.findings.markup_broken = true;
        return;
    };
    add(collector, &feed.home_page_url, LinkKind::Anchor, said(Tag::Link, None));
    add(collector, &feed.next_url, LinkKind::Feed, said(Tag::Feed, None));
    add(collector, &feed.icon, LinkKind::Embed, said(Tag::Icon, None));
    add(collector, &feed.favicon, LinkKind::Embed, said(Tag::Icon, None));
    let mut wording = Wording::new(ITEM_MAX);
    feed.items.iter().for_each(|item| add_item(collector, item, &mut wording));
}

fn add_item(collector: &mut Collector, item: &Item<'_>, wording: &mut Wording) {
    let modified = item.date_modified.as_ref().or(item.date_published.as_ref()).and_then(|text| date::parse(text));
    if let Some(url) = &item.url {
        let context = item.context(wording);
        let mention = said(Tag::Entry, item.title);
        collector.add_entry(Link { modified, context, mention, ..Link::new(url, LinkKind::Listed) });
    }
    add(collector, &item.external_url, LinkKind::Anchor, said(Tag::Link, item.title));
    add(collector, &item.image, LinkKind::Embed, said(Tag::Image, None));
    add(collector, &item.banner_image, LinkKind::Embed, said(Tag::Image, None));
    for attachment in &item.attachments {
        add(collector, &attachment.url, LinkKind::Embed, said(Tag::Enclosure, attachment.mime_type));
    }
}

/// A mention with the words of a title or a media type, as written.
fn said(tag: Tag, text: Option<&RawValue>) -> Mention {
    let words = text.map_or([0; 4], |text| clicked_words(text.get()));
    Mention { tag, words, ..Mention::default() }
}

fn add(collector: &mut Collector, url: &Option<Cow<'_, str>>, kind: LinkKind, mention: Mention) {
    if let Some(url) = url {
        collector.place(Link { mention, ..Link::new(url, kind) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_attachments_are_read() {
        let text = r#"{"version":"https://jsonfeed.org/version/1.1","home_page_url":"https://h/","items":[
            {"id":"1","url":"\/1","date_published":"1970-01-01T00:00:03Z","attachments":[{"url":"/1.mp3"}],"content_html":"x"},
            {"id":2,"url":null,"external_url":"https://other.example/"}]}"#;
        assert!(is_one(text.as_bytes()));
        let mut collector = Collector::new("https://h/feed.json");
        links(text, &mut collector);
        let (links, findings) = collector.finish();
        let seen: Vec<_> =
            links.iter().map(|link| (link.url, link.kind, link.modified.map(|time| time.as_secs()))).collect();
        let expected = [
            ("https://h/", LinkKind::Anchor, None),
            ("https://h/1", LinkKind::Listed, Some(3)),
            ("https://h/1.mp3", LinkKind::Embed, None),
            ("https://other.example/", LinkKind::Anchor, None),
        ];
        assert_eq!(seen, expected);
        assert!(!findings.markup_broken);
    }

    #[test]
    fn an_item_has_the_context_of_its_own_words() {
        let contexts = |first: &str, second: &str| {
            let text = format!(r#"{{"items":[{{"url":"/1","title":{first}}},{{"url":"/2","title":{second}}}]}}"#);
            let mut collector = Collector::new("https://h/feed.json");
            links(&text, &mut collector);
            collector.finish().0.iter().map(|link| link.context).collect::<Vec<_>>()
        };
        let (before, after) = (contexts("\"one\"", "5"), contexts("\"one\"", "6"));
        assert_eq!((before.len(), before[0]), (2, after[0]));
        assert_ne!(before[1], after[1]);
        assert_eq!(contexts("null", "null"), [0, 0]);
    }

    #[test]
    fn json_that_is_no_feed_is_a_finding() {
        let mut collector = Collector::new("https://h/");
        links("[[[[", &mut collector);
        assert!(collector.findings.markup_broken);
    }
}
