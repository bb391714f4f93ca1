//! Keeps what was captured: segments, index, observation log, and the state derived from them.
//!
//! [`Capture::ingest`] turns a visit into records and says what changed; [`Capture::commit`] says what will survive
//! a power cut; opening a [`Collection`] mends what a crash left. It fetches nothing, chooses nothing and reads no
//! clock. Ground truth are segments and logs; everything else here can be deleted.
//! Read [`Collection`] first, then [`Capture`].

mod capture;
mod catalogue;
mod changes;
mod checkpoint;
mod collection;
mod disk;
mod door;
mod error;
mod evidence;
mod exchange;
mod export;
mod held;
mod history;
pub mod holdings;
mod host_table;
mod import;
mod index;
mod ingest;
mod layout;
mod lock;
mod log;
mod logged;
mod lookup;
mod max_age;
mod objects;
mod observer;
mod outbox;
mod outside;
mod package;
mod past;
mod public_hosts;
mod reading;
mod record;
mod recover;
mod rendering;
mod repair;
mod retention;
mod robots;
mod room;
mod scan;
mod scorer;
mod search;
mod segment;
mod snapshots;
mod spool;
mod state;
mod store;
mod tag;
mod told;
mod verify;
mod versions;
mod writing;

pub use capture::Capture;
pub use catalogue::{CaptureMark, Derived};
pub use changes::{Bodies, ChangeReader, Changed, NewestFirst};
pub use checkpoint::{Checkpoint, KeptBlocks, KeptCheckpoint};
pub use collection::{CaptureInfo, Collection, OpenOptions, ResumedCapture};
pub use disk::{make_directory, put_file};
pub use door::{open_file, open_given};
pub use error::Error;
pub use evidence::{Evidence, evidence};
pub use exchange::Exchange;
pub use export::{Exported, MoreFiles, PackageText, Selected, Selection, Sign};
pub use held::Payload;
pub use history::PageHistory;
pub use host_table::HostTable;
pub use import::{ImportOptions, Imported};
pub use layout::CaptureId;
pub use lock::Holder;
pub use log::{Before, CaptureHead, CaptureKind, Entries, Kept, MissingRecord, Original, Place};
pub use logged::{LoggedStep, LoggedVisit, LoggedVisits};
pub use lookup::StoredVersion;
pub use objects::ObjectCrawls;
pub use observer::{CaptureObserver, Shown};
pub use outbox::{Outbox, OutboxMessage};
pub use outside::Outside;
pub use package::CheckedFile;
pub use public_hosts::PublicHosts;
pub use reading::Reading;
pub use recover::Repair;
pub use rendering::{HeldAnswer, Rendering};
pub use retention::Retention;
pub use room::{DiskRoom, Shortage};
pub use search::{
    ExcerptPart, MarkedVersion, Phrase, PhraseFinding, PhrasePage, PhraseQuery, PhraseScope, PhraseStretch, Presence,
    TextIndex,
};
pub use spool::Spool;
pub use store::{KnownPage, PageOrder, StoreError};
pub use tintype_warc::wacz::{PackageKey, SignedData, Signer, TimeStamp, time_stamp};
pub use told::ToldEvents;
pub use verify::{Defect, Finding, Verified};

#[cfg(test)]
mod tests;
