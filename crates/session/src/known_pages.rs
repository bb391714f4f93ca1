//! Pages of earlier captures, as learners and the scheduler take them in.

use crate::Error;
use std::ops::ControlFlow;
use tintype_archive::{Collection, KnownPage, PageOrder};
use tintype_learn::{
    first_guess::{FirstGuess, RateSeen, Signs},
    rate::Past,
};
use tintype_vocab::{LinkKind, Time};

/// Pages looked at for first guesses, over all sites, so that a capture of a large collection begins without delay.
const PAGES_MAX: usize = 500_000;

/// How often a page changed from capture to capture.
pub fn past(page: &KnownPage) -> Past {
    let comparisons = page.visits.saturating_sub(1);
    Past { comparisons, changes: page.changes.min(comparisons), observed: page.last_seen - page.first_seen }
}

/// What is known of a page but its record, as of its last visit. How it was linked is not remembered: its media type
/// stands for that, and the depth of its path for its distance from the entrance.
pub fn signs(page: &KnownPage) -> Signs<'_> {
    let media_type = page.media_type.as_deref();
    let modified = page.validators.last_modified.as_deref().and_then(Time::parse_mail_date);
    let path = path(&page.url).unwrap_or_default().split('?').next().unwrap_or_default();
    let depth = path.split('/').filter(|name| !name.is_empty()).count();
    Signs {
        media_type,
        modified: modified.filter(|modified| *modified <= page.last_seen),
        ..Signs::new(&page.url, kind(media_type), depth.min(100) as u16, page.last_seen)
    }
}

/// All that is known of a page's changes: its record, or when the only version we saw came to be.
fn seen(page: &KnownPage) -> Option<RateSeen> {
    let past = past(page);
    if past.comparisons > 0 {
        return Some(RateSeen::Record(past));
    }
    let modified = signs(page).modified?;
    Some(RateSeen::ChangedAgo { days: (page.last_seen - modified).as_days_f64() })
}

/// Whether a page was there when it was last asked for. A robots.txt is no page, although its answers are known alike.
pub fn is_there(page: &KnownPage) -> bool {
    page.digest.is_some() && !matches!(page.status, Some(404 | 410)) && !is_rules(&page.url)
}

fn is_rules(url: &str) -> bool {
    path(url) == Some("robots.txt")
}

/// Path and query of a URL that is written as pages are, without the first slash.
fn path(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    Some(rest.split_once('/')?.1)
}

/// What a page is to the pages that link it, by its media type.
pub fn kind(media_type: Option<&str>) -> LinkKind {
    let Some(media_type) = media_type else { return LinkKind::Anchor };
    let is_part = media_type.starts_with("image/") || media_type.starts_with("font/");
    let is_part = is_part || matches!(media_type, "text/css" | "text/javascript" | "application/javascript");
    match media_type {
        _ if is_part => LinkKind::Embed,
        "application/rss+xml" | "application/atom+xml" | "application/feed+json" => LinkKind::Feed,
        _ => LinkKind::Anchor,
    }
}

/// What pages with certain signs did on all sites of the collection.
pub fn first_guess(collection: &Collection) -> Result<FirstGuess, Error> {
    let (mut guess, mut pages) = (FirstGuess::default(), 0);
    for site in collection.sites()? {
        if pages >= PAGES_MAX {
            break;
        }
        collection.history(&site)?.each_page(PageOrder::Url, |page| {
            pages += 1;
            if let Some(seen) = seen(&page) {
                guess.learn(&signs(&page), &seen);
            }
            if pages < PAGES_MAX { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
    }
    Ok(guess)
}
