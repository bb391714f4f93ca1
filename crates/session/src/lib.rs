//! A site at work: its history, its knowledge, its scheduler and its archive, behind next, take and settle.
//!
//! [`Session::open`] begins a capture of a site or goes on with one that was cut short. A driver then asks what is next,
//! fetches, hands the answer to the [`Capture`](tintype_archive::Capture) that was opened with the session, and settles
//! what was observed. A session knows neither clock nor socket: `live` and `world` drive the same one. [`replay`] feeds
//! the log of a capture to a fresh session and checks every step. Read [`Session`] first.

pub mod activity;
mod asked;
mod building;
mod cached;
mod certify;
mod collected;
mod composed;
mod dated;
pub mod diff;
pub mod directories;
mod error;
mod explained;
pub mod feed;
mod gains;
mod keeping;
mod kept_report;
pub mod known_pages;
pub mod listing;
pub mod media;
mod offered;
mod order;
mod outside;
mod overview;
mod phrase;
mod recalled;
mod replay;
mod saved;
mod session;
mod shared;
mod spending;
mod status;
mod visits;

pub use asked::{HostAsked, RobotsSeen};
pub use building::BuildVerdict;
pub use certify::{as_of, certify};
pub use collected::MediaResult;
pub use composed::{ComposedPage, PARTS_MAX, PartFound, ShownPart, composed, shown_part};
pub use dated::{DatedCapture, answering};
pub use error::{Error, Warning};
pub use explained::explained_json;
pub use kept_report::{KeptPart, KeptReport};
pub use offered::Offered;
pub use overview::{ACTIVE_PAGES_MAX, DirectoryVisits, PageActivity, SiteOverview, VisitCounts};
pub use phrase::{PhraseLine, phrase_json, phrase_lines, phrase_summary, phrase_verdict, phrase_word};
pub use replay::{Replayed, replay};
pub use session::{Opened, Resumed, Session, SiteSpec};
pub use shared::CollectionKnowledge;
pub use spending::{Spending, spent_on};
pub use status::{NextRequest, PageStatus, PageVisit, SiteStatus};
pub use visits::{CollectionVisits, by_site};
