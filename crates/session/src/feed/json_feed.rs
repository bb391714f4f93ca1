//! A feed as JSON Feed 1.1.

use super::{
    atom::{FeedAbout, item_html, versions},
    item::FeedItem,
};
use serde_json::{Value, json};

/// The document; every item carries all of itself as `_tintype`.
pub fn json_feed(about: &FeedAbout, items: &[FeedItem]) -> Value {
    let item = |item: &FeedItem| {
        let archived: Vec<Value> =
            versions(item).map(|(name, version)| json!({ "is": name, "url": version.memento })).collect();
        json!({
            "id": format!("urn:tintype:event:{}", item.id), "url": item.url, "title": item.headline,
            "content_html": item_html(item), "date_published": item.at.to_rfc3339_secs(),
            "tags": [item.kind.as_str(), item.word],
            "_archived": archived,
            "_tintype": item,
        })
    };
    json!({
        "version": "https://jsonfeed.org/version/1.1", "title": format!("Changes of {}", about.title),
        "home_page_url": about.link, "items": items.iter().map(item).collect::<Vec<_>>(),
    })
}
