//! Tournaments on what is held, played beside the server: whoever starts it knows how, this room does not.

use serde_json::Value;
use std::{fmt, sync::Arc};

/// Plays one tournament at a time.
pub trait Laboratory: Send + Sync + fmt::Debug {
    /// Begins one; refused while another is played.
    fn begin(&self, wish: TournamentWish) -> Result<(), String>;
    /// Ends the one that is played.
    fn cancel(&self);
    fn state(&self) -> LabState;
}

/// What is to be played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TournamentWish {
    pub collection: usize,
    pub site: String,
    pub policies: Vec<String>,
    /// Visits a day; a tenth of the pages if nothing is said.
    pub per_day: Option<f64>,
    /// Five budgets instead of one, and what that looks like.
    pub with_pictures: bool,
}

/// The latest tournament.
#[derive(Clone, Debug, Default)]
pub struct LabState {
    pub wish: Option<TournamentWish>,
    pub stage: LabStage,
}

#[derive(Clone, Debug, Default)]
pub enum LabStage {
    #[default]
    Nothing,
    Playing {
        percent: u64,
        /// What is worked on.
        now: String,
    },
    Played(Arc<LabResults>),
    /// What went wrong, or that somebody had enough.
    Failed(String),
}

/// What a tournament ended with.
#[derive(Debug, Default)]
pub struct LabResults {
    pub json: Value,
    /// SVG by name.
    pub pictures: Vec<(String, String)>,
    /// Tables by the name of their file.
    pub tables: Vec<(String, String)>,
    /// What does the same in a terminal.
    pub command: String,
}
