//! A feed as Atom (RFC 4287).

use super::item::{ArchivedVersion, FeedItem};
use std::fmt::Write;
use tintype_vocab::{Time, plain::escaped};

/// What a feed as a whole is about.
#[derive(Clone, Debug)]
pub struct FeedAbout {
    pub title: String,
    /// An address of what it is about.
    pub link: String,
    pub updated: Time,
}

/// The document.
pub fn atom(about: &FeedAbout, items: &[FeedItem]) -> String {
    let [title, link] = [&about.title, &about.link].map(|text| escaped(text));
    let updated = items.iter().map(|item| item.at).max().unwrap_or(about.updated).to_rfc3339_secs();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>Changes of {title}</title>\n<id>{link}#tintype-changes</id>\n<link href=\"{link}\"/>\n<updated>{updated}</updated>\n<author><name>Tintype</name></author>\n<generator version=\"{}\">tintype</generator>\n",
        env!("CARGO_PKG_VERSION")
    );
    items.iter().for_each(|item| entry(item, &mut out));
    out + "</feed>\n"
}

fn entry(item: &FeedItem, out: &mut String) {
    let [headline, url, kind, word] = [&item.headline, &item.url, item.kind.as_str(), item.word].map(escaped);
    let (id, found, content) = (&item.id, item.at.to_rfc3339_secs(), escaped(&item_html(item)));
    let mut links = format!("<link href=\"{url}\"/>\n");
    for (name, version) in versions(item) {
        let memento = escaped(&version.memento);
        writeln!(links, "<link rel=\"related\" title=\"{name}\" href=\"{memento}\"/>").expect("strings grow");
    }
    writeln!(
        out,
        "<entry>\n<title>{headline}</title>\n<id>urn:tintype:event:{id}</id>\n{links}<updated>{found}</updated>\n<category term=\"{kind}\"/>\n<category term=\"{word}\"/>\n<content type=\"html\">{content}</content>\n</entry>"
    )
    .expect("strings grow");
}

/// The archived versions of an item and what each is.
pub(super) fn versions(item: &FeedItem) -> impl Iterator<Item = (&'static str, &ArchivedVersion)> {
    let all = [("before", &item.before), ("after", &item.after), ("answer", &item.answer)];
    all.into_iter().filter_map(|(name, version)| version.as_ref().map(|version| (name, version)))
}

/// Pages named in a description; the others are counted.
const PAGES: usize = 20;

/// An item in HTML, itself made of text from the web.
pub(super) fn item_html(item: &FeedItem) -> String {
    let mut html = String::new();
    let mut put = |line: std::fmt::Arguments<'_>| html.write_fmt(line).expect("strings grow");
    put(format_args!("<p>{}, importance {:.2} ({}), found {}", item.kind, item.importance, item.word, item.found));
    if let Some(before) = &item.last_seen_before {
        put(format_args!(", otherwise when last seen {before}"));
    }
    put(format_args!("</p>"));
    for fact in &item.facts {
        let [before, after] = [&fact.before, &fact.after].map(|text| escaped(text));
        put(format_args!("<p><b>{}</b>: <del>{before}</del> <ins>{after}</ins></p>", fact.kind));
    }
    for block in &item.blocks {
        for (tag, text) in [("del", &block.before), ("ins", &block.after)] {
            if !text.is_empty() {
                put(format_args!("<blockquote><{tag}>{}</{tag}></blockquote>", escaped(text)));
            }
        }
    }
    if item.more_blocks > 0 {
        put(format_args!("<p>{} more blocks changed</p>", item.more_blocks));
    }
    for (label, pages) in [("Pages", &item.pages), ("Announced on", &item.announced_on)] {
        if pages.len() > usize::from(label == "Pages") {
            let shown =
                pages.iter().take(PAGES).map(|page| format!("<li>{}</li>", escaped(&page.url))).collect::<String>();
            put(format_args!("<p>{label}: {}</p><ul>{shown}</ul>", pages.len()));
        }
    }
    for (name, version) in versions(item) {
        let memento = escaped(&version.memento);
        put(format_args!("<p><a href=\"{memento}\">{name}, archived {}</a>", version.archived));
        if let (Some(file), Some(offset)) = (&version.file, version.offset) {
            put(format_args!(" ({} at byte {offset})", escaped(file)));
        }
        put(format_args!("</p>"));
    }
    if let Some(note) = &item.note {
        put(format_args!("<p>{}</p>", escaped(note)));
    }
    html
}
