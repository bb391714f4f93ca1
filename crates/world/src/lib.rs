//! A web with known truth and a clock that jumps.
//!
//! Drives the very scheduler the live crawler uses, without sockets or waiting. It does not know the live web
//! exists. Read [`Site`] first: pages and the moments at which they change; then [`simulate`], the one
//! loop over pages.

pub mod capture;
mod contents;
mod drive;
mod fidelity;
pub mod growth;
mod history;
mod keeping;
pub mod machine;
pub mod media;
mod moved;
pub mod near;
mod newsroom;
mod passes;
pub mod patterns;
mod play;
mod reader;
pub mod recorded;
pub mod sections;
mod signals;
mod simulate;
mod site;
pub mod source;
pub mod synthetic;
mod through;
pub mod tournament;
mod weights;

pub use contents::{BODY_BYTES_MAX, Contents, Document, Unreadable};
pub use drive::{Run, drive};
pub use history::{Event, EventKind, History, Impossible, Recorder};
pub use keeping::{Keeping, KeptWeb};
pub use moved::MovedContents;
pub use newsroom::newsroom;
pub use play::{
    Discovery, Played, Simulation, SimulationConfig, SimulationError, VisitEnd, Visited, WarmUp, WatchedPage,
    WatchedPages,
};
pub use simulate::{Answers, simulate, simulate_surely};
pub use site::{Site, SiteAnswer, SiteResponse};
pub use through::hold_all;
pub use weights::weights;
