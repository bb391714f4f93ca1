//! Changes for people at a terminal.

use super::{About, Count, Item, Teller, importance::bar};
use crate::{amount::counted, plain::printable};
use std::io::{self, Write};
use tintype_observe::page::{ChangedPart, PartKind, Role};

/// Blocks told of per change; `--json` has more.
const BLOCKS: usize = 3;
/// Characters of an excerpt.
const EXCERPT: usize = 160;

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
}

impl Teller for Text {
    fn begin(&mut self, _: &mut dyn Write, _: &About) -> io::Result<()> {
        Ok(())
    }

    fn tell(&mut self, out: &mut dyn Write, item: &Item) -> io::Result<()> {
        let Item { found, word, importance, url, .. } = item;
        let weight = format!("{} {importance:.2} {word:<7}", bar(*importance));
        writeln!(out, "{found}  {weight}  {}", self.painted(BOLD, &printable(url)))?;
        for block in item.blocks.iter().take(BLOCKS) {
            let weight = self.painted(FAINT, &format!("({:.2})", block.importance));
            writeln!(out, "    {} {weight}", printable(&place(block)))?;
            for (sign, colour, text) in [('-', RED, &block.before), ('+', GREEN, &block.after)] {
                if !text.is_empty() {
                    writeln!(out, "      {}", self.painted(colour, &format!("{sign} {}", excerpt(text))))?;
                }
            }
        }
        if item.blocks.len() > BLOCKS {
            let further = counted((item.blocks.len() - BLOCKS) as u64, "further block");
            writeln!(out, "    {}", self.painted(FAINT, &further))?;
        }
        if let Some(note) = &item.note {
            writeln!(out, "    {}", self.painted(FAINT, note))?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, about: &About, count: &Count) -> io::Result<()> {
        if count.shown == 0 {
            let since = about.since.map_or(String::new(), |since| format!(" since {since}"));
            let part = about.part.as_deref().map_or(String::new(), |part| format!(" of {}", printable(part)));
            writeln!(out, "no change{part} to show in {}{since}", about.collection)?;
        }
        if count.hidden > 0 {
            let hidden = counted(count.hidden as u64, "change");
            writeln!(out, "{hidden} of less importance not shown; --min-importance 0 shows all")?;
        }
        if count.more {
            writeln!(out, "and more; --limit {} shows more, --limit 0 all of them", count.shown * 5)?;
        }
        if count.shown + count.hidden == 0 && about.part.is_none() && about.since.is_none() {
            writeln!(out, "changes are seen by a second capture: tintype capture -C {}", about.collection)?;
        }
        Ok(())
    }
}

/// Where on the page, and what happened there: `main › Evacuation orders: text updated`.
pub(super) fn place(block: &ChangedPart) -> String {
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
