//! An item in one sentence.

use super::{event::PageEventKind, item::FeedItem};
use tintype_vocab::amount::counted;

/// Characters of what is quoted.
const QUOTED: usize = 80;

pub(super) fn headline(item: &FeedItem) -> String {
    let name = name(item);
    let others = item.pages.len() as u64 - 1;
    let what = match item.kind {
        PageEventKind::Appeared => format!("New page: {name}"),
        PageEventKind::Disappeared => format!("Gone: {name}"),
        PageEventKind::Moved => format!("Moved: {name} now leads to {}", item.cause),
        PageEventKind::Refused => format!("Refused ({}): {name}", item.cause),
        PageEventKind::Failing => format!("Failing ({}): {name}", item.cause),
        PageEventKind::Back => format!("Back: {name}"),
        PageEventKind::Document => format!("Document exchanged: {name}"),
        PageEventKind::Type => {
            format!("Now {} ({}): {name}", item.media_type.as_deref().unwrap_or("of another type"), item.cause)
        }
        PageEventKind::Changed => format!("{}: {name}", if others > 0 { "Same edit" } else { "Changed" }),
        PageEventKind::Title
        | PageEventKind::Description
        | PageEventKind::Language
        | PageEventKind::Canonical
        | PageEventKind::Robots => fact(item).unwrap_or_default() + &name,
    };
    match (others, item.announced_on.len()) {
        (0, 0) => what,
        (0, listed) => format!("{what}, announced on {}", counted(listed as u64, "page")),
        (others, _) => format!("{what} and {}", counted(others, "other page")),
    }
}

/// `Robots now noindex (was index): `.
fn fact(item: &FeedItem) -> Option<String> {
    let fact = item.facts.iter().find(|fact| fact.kind == item.kind)?;
    let said = |text: &str| if text.is_empty() { "nothing".to_owned() } else { quoted(text) };
    let kind = item.kind.as_str();
    let (first, rest) = kind.split_at(1);
    let kind = first.to_uppercase() + rest;
    Some(format!("{kind} now {} (was {}): ", said(&fact.after), said(&fact.before)))
}

/// What a page is called: its title, or else its address without the scheme.
fn name(item: &FeedItem) -> String {
    let heading = item.blocks.iter().map(|block| block.heading.as_str()).find(|heading| !heading.is_empty());
    let address = item.url.split_once("://").map_or(item.url.as_str(), |(_, rest)| rest);
    match [item.title.as_str(), heading.unwrap_or_default()].into_iter().find(|name| !name.is_empty()) {
        Some(name) => quoted(name),
        None => address.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
