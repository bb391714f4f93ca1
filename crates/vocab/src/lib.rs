//! The glossary as types: what every room means by a time, a page, a request, a visit, an observation.
//!
//! Pure data and pure functions; nothing here reads a clock, a file or a socket.
//! Read [`Observation`] first: it is what flows from a page to a belief to a decision.

mod accumulator;
pub mod amount;
mod change_rate;
mod decision;
mod digest;
mod ids;
mod key;
mod links;
mod mail_date;
mod media;
mod mention;
mod object;
mod object_crawl;
mod observation;
mod page_url;
mod partial_time;
pub mod plain;
mod render_gain;
mod request;
mod surt;
mod tested_day;
mod time;
mod usage_error;
mod visit;

pub use accumulator::Accumulator;
pub use change_rate::ChangeRate;
pub use decision::{Decision, Entry, Why};
pub use digest::{Digest, ParseDigestError};
pub use ids::{PageId, SiteId};
pub use key::UrlKey;
pub use links::{LeftOut, Link, LinkKind, Links};
pub use media::{ContentType, MediaRange, ParseMediaRangeError, folded, folded_content_type};
pub use mention::{LinkPlace, Mention, Tag};
pub use object::{CopyMeasure, Life};
pub use object_crawl::{HeldBack, Object, ObjectCrawl, ObjectEvent};
pub use observation::{Change, Observation, Truncated, Validators};
pub use page_url::PageUrl;
pub use partial_time::PartialTime;
pub use render_gain::{RenderGain, ScriptTemplate};
pub use request::{Purpose, Request};
pub use surt::{surt, surt_into};
pub use tested_day::TestedDay;
pub use time::{ParseTimeError, Span, Time};
pub use usage_error::UsageError;
pub use visit::{CertificateFault, Failure, Outcome, Phase, Visit};
