//! How far an experiment is, on a terminal.

use crate::out::mention;
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tintype_lab::LabProgress;

/// A bar on a terminal, nothing elsewhere; gone when it is dropped.
#[derive(Debug)]
pub(super) struct Bar {
    bar: ProgressBar,
    /// Whether lines are printed beside it.
    notes: bool,
}

impl Bar {
    pub(super) fn percent() -> Bar {
        Bar::styled("{bar:24} {percent:>3} %, {eta} left, now {msg}")
    }

    pub(super) fn histories() -> Bar {
        Bar::styled("{bar:24} {pos} of {len} histories, now {msg}, {elapsed}")
    }

    /// Says only what is being worked on.
    pub(super) fn spinner() -> Bar {
        Bar::ticking(ProgressBar::new_spinner())
    }

    /// Lines only.
    pub(super) fn hidden() -> Bar {
        Bar { bar: ProgressBar::hidden(), notes: true }
    }

    /// Says nothing beside the results if so.
    pub(super) fn without_notes(mut self, quiet: bool) -> Bar {
        self.notes = !quiet;
        self
    }

    fn styled(template: &str) -> Bar {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Bar::ticking(ProgressBar::new(0).with_style(style))
    }

    fn ticking(bar: ProgressBar) -> Bar {
        bar.enable_steady_tick(Duration::from_millis(200));
        Bar { bar, notes: true }
    }
}

/// A line of JSON on standard error whenever another percent is done, for programs that show it to somebody.
#[derive(Debug, Default)]
pub(super) struct Lines(Mutex<Done>);

#[derive(Debug, Default)]
struct Done {
    steps: u64,
    of: u64,
    now: String,
    told: Option<u64>,
}

impl Lines {
    fn change(&self, change: impl FnOnce(&mut Done), is_told: bool) {
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut done);
        let percent = (100 * done.steps).checked_div(done.of).unwrap_or(0).min(100);
        if is_told || done.told != Some(percent) {
            done.told = Some(percent);
            mention!("{}", serde_json::json!({ "percent": percent, "now": done.now }));
        }
    }
}

impl LabProgress for Lines {
    fn begin(&self, steps: u64) {
        self.change(|done| done.of = steps, false);
    }

    fn now(&self, what: &str) {
        self.change(|done| what.clone_into(&mut done.now), true);
    }

    fn advance(&self, steps: u64) {
        self.change(|done| done.steps += steps, false);
    }

    fn note(&self, line: &str) {
        mention!("{line}");
    }
}

impl LabProgress for Bar {
    fn begin(&self, steps: u64) {
        self.bar.set_length(steps);
    }

    fn now(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    fn note(&self, line: &str) {
        if self.notes {
            mention!("{line}");
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
