//! A feed as RSS 2.0.

use super::{
    atom::{FeedAbout, item_html},
    item::FeedItem,
};
use std::fmt::Write;
use tintype_vocab::plain::escaped;

/// The document.
pub fn rss(about: &FeedAbout, items: &[FeedItem]) -> String {
    let [title, link] = [&about.title, &about.link].map(|text| escaped(text));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\">\n<channel>\n<title>Changes of {title}</title>\n<link>{link}</link>\n<description>What happened, where on the page, and how important it is</description>\n<generator>tintype {}</generator>\n",
        env!("CARGO_PKG_VERSION")
    );
    for item in items {
        let [headline, url, html, kind] =
            [&item.headline, &item.url, &item_html(item), item.kind.as_str()].map(escaped);
        let (id, date, word) = (&item.id, item.at.to_mail_date(), item.word);
        writeln!(
            out,
            "<item>\n<title>{headline}</title>\n<link>{url}</link>\n<guid isPermaLink=\"false\">tintype:{id}</guid>\n<pubDate>{date}</pubDate>\n<category>{kind}</category>\n<category>{word}</category>\n<description>{html}</description>\n</item>"
        )
        .expect("strings grow");
    }
    out + "</channel>\n</rss>\n"
}
