//! The list of changes as a feed: Atom, RSS and JSON Feed, of whatever the page was asked for.

use super::{Past, Reply, changes::Asked};
use crate::past::{ask::Ask, news::News, prepared::NotReady};
use std::sync::Arc;
use tintype_session::feed::{FeedAbout, FeedItem, atom, json_feed, rss};

/// Entries of a feed.
const ENTRIES: usize = 100;

pub(super) fn document(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    let asked = Asked::read(past, ask);
    let list = News::of_days(past, asked.days)?;
    let (chosen, _) = asked.choose(&list);
    let items: Vec<FeedItem> = chosen.into_iter().take(ENTRIES).map(|(_, item)| absolute(item, &ask.origin)).collect();
    let title = asked.query.site.unwrap_or_else(|| "all that is kept".to_owned());
    let about = FeedAbout { title, link: format!("{}/changes", ask.origin), updated: (past.clock)() };
    let (media_type, text) = match ask.path.as_str() {
        "/feed.atom" => ("application/atom+xml", atom(&about, &items)),
        "/feed.rss" => ("application/rss+xml", rss(&about, &items)),
        _ => ("application/feed+json", format!("{}\n", json_feed(&about, &items))),
    };
    Ok(Reply::text(200, &format!("{media_type}; charset=utf-8"), text))
}

/// With addresses that can be followed from elsewhere.
fn absolute(item: &FeedItem, origin: &str) -> FeedItem {
    let mut item = item.clone();
    for version in [&mut item.before, &mut item.after, &mut item.answer].into_iter().flatten() {
        version.memento.insert_str(0, origin);
    }
    item
}
