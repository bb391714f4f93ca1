//! Items as the text of a mail.

use super::{atom::versions, item::FeedItem};
use std::fmt::Write;
use tintype_vocab::plain::printable;

/// Pages named; the others are counted.
const PAGES: usize = 10;
/// Blocks quoted.
const BLOCKS: usize = 4;

/// Subject and text.
pub fn mail_text(title: &str, items: &[FeedItem]) -> (String, String) {
    let subject = match items {
        [item] => printable(&item.headline),
        items => format!("{} changes: {}", items.len(), printable(title)),
    };
    let mut text = String::new();
    items.iter().for_each(|item| write_item(item, &mut text).expect("strings grow"));
    (subject, text)
}

fn write_item(item: &FeedItem, out: &mut String) -> std::fmt::Result {
    writeln!(out, "{}", printable(&item.headline))?;
    writeln!(out, "  {}", printable(&item.url))?;
    writeln!(out, "  {} {:.2} ({}), found {}", item.kind, item.importance, item.word, item.found)?;
    for fact in &item.facts {
        writeln!(out, "  {}: {} -> {}", fact.kind, printable(&fact.before), printable(&fact.after))?;
    }
    for block in item.blocks.iter().take(BLOCKS) {
        for (sign, words) in [('-', &block.before), ('+', &block.after)] {
            if !words.is_empty() {
                writeln!(out, "    {sign} {}", printable(words))?;
            }
        }
    }
    let more = item.blocks.len().saturating_sub(BLOCKS) + item.more_blocks;
    if more > 0 {
        writeln!(out, "    and {more} more blocks")?;
    }
    if item.pages.len() > 1 {
        writeln!(out, "  on {} pages:", item.pages.len())?;
        item.pages.iter().take(PAGES).try_for_each(|page| writeln!(out, "    {}", printable(&page.url)))?;
    }
    if !item.announced_on.is_empty() {
        writeln!(out, "  announced on {} pages", item.announced_on.len())?;
    }
    for (name, version) in versions(item) {
        writeln!(out, "  {name}: {}", printable(&version.memento))?;
    }
    writeln!(out)
}
