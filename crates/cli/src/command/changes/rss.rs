//! Changes for feed readers: RSS 2.0.

use super::{About, Count, Item, Teller, item::What, text::place};
use crate::plain::escaped;
use std::{
    fmt::Write as _,
    io::{self, Write},
};

#[derive(Debug)]
pub(super) struct Rss;

impl Teller for Rss {
    fn begin(&mut self, out: &mut dyn Write, about: &About) -> io::Result<()> {
        // A channel must have a link, also that of a collection without any capture.
        let link = escaped(about.url.as_deref().unwrap_or("https://example.com/"));
        let title = escaped(&about.title);
        writeln!(
            out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\">\n<channel>\n<title>Changes of {title}</title>\n<link>{link}</link>\n<description>What changed, where on the page, and how important it is</description>\n<generator>tintype {}</generator>",
            env!("CARGO_PKG_VERSION")
        )
    }

    fn tell(&mut self, out: &mut dyn Write, item: &Item) -> io::Result<()> {
        let [title, link, guid, description] =
            [title(item), item.url.clone(), guid(item), html(item)].map(|text| escaped(&text));
        let (date, word) = (item.at.to_mail_date(), item.word);
        writeln!(
            out,
            "<item>\n<title>{title}</title>\n<link>{link}</link>\n<guid isPermaLink=\"false\">{guid}</guid>\n<pubDate>{date}</pubDate>\n<category>{word}</category>\n<description>{description}</description>\n</item>"
        )
    }

    fn end(&mut self, out: &mut dyn Write, _: &About, _: &Count) -> io::Result<()> {
        writeln!(out, "</channel>\n</rss>")
    }
}

/// What the most important block stands under, and where.
fn title(item: &Item) -> String {
    let heading = item.blocks.iter().map(|block| block.heading.as_str()).find(|heading| !heading.is_empty());
    let page = item.url.split_once("://").map_or(item.url.as_str(), |(_, rest)| rest);
    match heading {
        _ if item.what == What::Gone => format!("{page} is gone"),
        Some(heading) => format!("{heading} ({page}, {} {:.2})", item.word, item.importance),
        None => format!("{page} ({} {:.2})", item.word, item.importance),
    }
}

/// The same for the same change, whoever makes the feed and whenever.
fn guid(item: &Item) -> String {
    format!("tintype:{}:{}", item.at.to_timestamp17(), item.url)
}

/// A description in HTML, itself made of text from the web.
fn html(item: &Item) -> String {
    let mut html = format!("<p>Importance {:.2} ({}), found {}", item.importance, item.word, item.found);
    for (what, version) in [("before", &item.before), ("after", &item.after)] {
        if let Some(version) = version {
            write!(html, "; version {what} archived {}", version.archived).expect("strings grow");
        }
    }
    html.push_str("</p>");
    for block in &item.blocks {
        write!(html, "<p><b>{}</b> ({:.2})</p>", escaped(&place(block)), block.importance).expect("strings grow");
        for (tag, text) in [("del", &block.before), ("ins", &block.after)] {
            if !text.is_empty() {
                write!(html, "<blockquote><{tag}>{}</{tag}></blockquote>", escaped(text)).expect("strings grow");
            }
        }
    }
    if let Some(note) = &item.note {
        write!(html, "<p>{}</p>", escaped(note)).expect("strings grow");
    }
    html
}
