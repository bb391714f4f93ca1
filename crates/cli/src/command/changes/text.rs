//! What happened, for people at a terminal.

use super::{Shown, importance::bar};
use crate::{amount::counted, plain::printable};
use std::fmt::{self, Write};
use tintype_observe::page::{ChangedPart, PartKind, Role};
use tintype_session::feed::{FeedItem, PageEventKind};
use tintype_vocab::Time;

/// Blocks told of per item; `tintype diff` has all.
const BLOCKS: usize = 3;
/// Characters of an excerpt.
const EXCERPT: usize = 160;
/// Pages named of an item that is about many.
const PAGES: usize = 5;

const BOLD: &str = "1";
const RED: &str = "31";
const GREEN: &str = "32";
const FAINT: &str = "2";

/// Tells in words, in colours where somebody sees them.
#[derive(Debug)]
pub(super) struct Text {
    colours: bool,
}

impl Text {
    /// `NO_COLOR` is kept to (https://no-color.org).
    pub(super) fn new(terminal: bool) -> Text {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Text { colours: terminal && !unwanted }
    }

    fn painted(&self, colour: &str, text: &str) -> String {
        if self.colours { format!("\u{1b}[{colour}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    pub(super) fn all(&self, shown: &Shown, part: Option<&str>, collection: &str) -> String {
        let mut out = String::new();
        let items = shown.items.iter().try_for_each(|item| self.item(item, &mut out));
        items.and_then(|()| self.end(shown, part, collection, &mut out)).expect("strings grow");
        out
    }

    fn item(&self, item: &FeedItem, out: &mut String) -> fmt::Result {
        let FeedItem { importance, word, .. } = item;
        let headline = self.painted(BOLD, &printable(&item.headline));
        writeln!(out, "{} {importance:.2} {word:<7}  {headline}", bar(*importance))?;
        writeln!(out, "    {}", printable(&item.url))?;
        writeln!(out, "    {}", self.painted(FAINT, &seen(item)))?;
        for fact in &item.facts {
            let [before, after] = [&fact.before, &fact.after].map(|text| excerpt(text));
            writeln!(
                out,
                "    {}: {} {}",
                fact.kind,
                self.painted(RED, &format!("- {before}")),
                self.painted(GREEN, &format!("+ {after}"))
            )?;
        }
        let shown = if item.kind == PageEventKind::Appeared { 0 } else { BLOCKS };
        item.blocks.iter().take(shown).try_for_each(|block| self.block(block, out))?;
        let further = item.blocks.len().saturating_sub(shown) + item.more_blocks;
        if further > 0 {
            writeln!(
                out,
                "    {}",
                self.painted(
                    FAINT,
                    &format!("{}: tintype diff {}", counted(further as u64, "further block"), printable(&item.url))
                )
            )?;
        }
        self.pages(item, out)?;
        item.note.iter().try_for_each(|note| writeln!(out, "    {}", self.painted(FAINT, note)))
    }

    fn block(&self, block: &ChangedPart, out: &mut String) -> fmt::Result {
        let weight = self.painted(FAINT, &format!("({:.2})", block.importance));
        writeln!(out, "    {} {weight}", printable(&place(block)))?;
        for (sign, colour, text) in [('-', RED, &block.before), ('+', GREEN, &block.after)] {
            if !text.is_empty() {
                writeln!(out, "      {}", self.painted(colour, &format!("{sign} {}", excerpt(text))))?;
            }
        }
        Ok(())
    }

    fn pages(&self, item: &FeedItem, out: &mut String) -> fmt::Result {
        let others = &item.pages[1..];
        for (label, pages) in [("and on", others), ("announced on", &item.announced_on[..])] {
            pages.iter().take(PAGES).try_for_each(|page| writeln!(out, "    {label} {}", printable(&page.url)))?;
            if pages.len() > PAGES {
                let more = counted((pages.len() - PAGES) as u64, "more page");
                writeln!(out, "    {}", self.painted(FAINT, &format!("{label} {more} (--json names all)")))?;
            }
        }
        Ok(())
    }

    fn end(&self, shown: &Shown, part: Option<&str>, collection: &str, out: &mut String) -> fmt::Result {
        let Shown { items, hidden, more, since, is_all, .. } = shown;
        if items.is_empty() {
            let since = since.filter(|_| !is_all);
            let since = since.map_or(String::new(), |since: Time| format!(" since {since}"));
            let part = part.map_or(String::new(), |part| format!(" of {}", printable(part)));
            writeln!(out, "no change{part} to show in {collection}{since}")?;
        }
        if *hidden > 0 {
            let hidden = counted(*hidden as u64, "change");
            writeln!(out, "{hidden} of less importance not shown; --min-importance 0 shows all")?;
        }
        if *more > 0 {
            writeln!(out, "and {more} more; --limit {} shows more, --limit 0 all of them", items.len() * 5)?;
        }
        if *is_all && items.is_empty() && *hidden == 0 {
            writeln!(out, "changes are seen by capturing again: tintype capture -C {collection}")?;
        }
        Ok(())
    }
}

/// When it was seen, and how long.
fn seen(item: &FeedItem) -> String {
    let mut text = format!("{}, found {}", item.kind, item.found);
    if let Some(before) = &item.last_seen_before {
        text += &format!(", otherwise {before}");
    }
    if item.visits > 1 {
        text += &format!(", seen {} times until {}", item.visits, item.last_seen);
    }
    if let Some(over) = &item.over {
        text += &format!(", over {over}");
    }
    text
}

/// Where on the page, and what happened there: `main › Evacuation orders: text updated`.
fn place(block: &ChangedPart) -> String {
    let landmark = block.landmark.filter(|landmark| *landmark != block.role).map(role).unwrap_or_default();
    let path: Vec<&str> = [landmark, block.heading.as_str()].into_iter().filter(|part| !part.is_empty()).collect();
    let what = format!("{} {}", role(block.role), kind(block.kind));
    if path.is_empty() { what } else { format!("{}: {what}", path.join(" › ")) }
}

fn kind(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Inserted => "new",
        PartKind::Deleted => "gone",
        PartKind::Updated => "changed",
        PartKind::Moved => "moved",
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Title => "title",
        Role::Main => "main part",
        Role::Article => "article",
        Role::Section => "section",
        Role::Navigation => "navigation",
        Role::Aside => "aside",
        Role::Header => "header",
        Role::Footer => "footer",
        Role::Advertisement => "advertisement",
        Role::Heading => "heading",
        Role::List => "list",
        Role::Item => "list item",
        Role::Table => "table",
        Role::Row => "table row",
        Role::Group => "group",
        Role::Text => "text",
        Role::Hidden => "hidden text",
        Role::Metadata => "metadata",
        Role::Data => "data",
    }
}

/// The beginning of a text, on one line.
fn excerpt(text: &str) -> String {
    let text = printable(text);
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}
