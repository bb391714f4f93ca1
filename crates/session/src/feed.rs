//! What happened at the sites of a collection, as people act on it: events, each edit told once, the weightiest first.
//!
//! [`EventLog`] folds the logs into [`PageEvent`]s: a page appeared, went, moved, is refused, fails, came back, changed. [`EventJudge`] reads
//! both versions of a change and says what differs. [`group`] makes one item of what is one edit or has one cause. [`feed`]
//! does all of it for a [`FeedQuery`]; the documents (Atom, RSS, JSON Feed, mail) are made from its [`FeedItem`]s.

mod atom;
mod cause;
mod event;
mod fold;
mod group;
mod headline;
mod item;
mod json_feed;
mod judge;
mod mail;
mod query;
mod rss;
mod rule;
mod shared_edit;
mod weight;
mod word;

pub use atom::{FeedAbout, atom};
pub use event::{PageEvent, PageEventKind};
pub use fold::EventLog;
pub use item::{ArchivedVersion, FactChange, FeedItem, ItemPage};
pub use json_feed::json_feed;
pub use judge::{BothVersions, EventJudge, JudgedEvent};
pub use mail::mail_text;
pub use query::{Feed, FeedOrder, FeedQuery, feed};
pub use rss::rss;
pub use rule::{DigestPeriod, NotifyRule};
pub(crate) use weight::SiteLinks;
pub use weight::Traffic;
pub use word::importance_word;
