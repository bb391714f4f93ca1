//! Experiments on webs whose every change is known: tournaments of policies, the experiments of papers, calibration of
//! certificates, and their tables and pictures.
//!
//! Every experiment is one module with a configuration, a function `run`, and [`Results`] for people and programs. Nothing
//! here parses a command line, prints, or listens on a socket: how far an experiment is goes to a [`LabProgress`].
//! Read [`SiteSource`] first, then `tournament`.

pub mod blocks;
pub mod calibrate;
pub mod copy_charts;
mod cpu;
mod crawler;
pub mod decay;
pub mod demo;
pub mod directory_figures;
mod folder;
pub mod forecast;
pub mod importance;
pub mod live;
pub mod media;
pub mod near;
mod open;
pub mod paper;
mod parallel;
mod past_site;
mod progress;
mod ranks;
mod results;
pub mod sharc;
mod source_report;
pub mod status;
mod table;
pub mod tournament;

pub use crawler::{CaptureOrder, Crawler};
pub use folder::Folder;
pub use open::{DAYS_MAX, OpenedSite, PAGES_MAX, SiteSource};
pub use past_site::{FastSite, Faults, PastAnswer, PastSite, PastSiteFacts};
pub use progress::{LabProgress, Silent};
pub use results::{ResultFiles, Results};
pub use source_report::{SourceReport, SourceReportConfig};

use std::fmt;
use tintype_vocab::UsageError;

/// An error in what was asked for, ready for `?`.
fn usage(problem: impl fmt::Display, next: impl Into<String>) -> anyhow::Error {
    UsageError::new(problem, next).into()
}
