//! How much time there is between two visits.
//!
//! A run measures it between its own choices. What earlier runs did is recalled visit by visit, and measured between those,
//! until the run has chosen twice itself.

use serde::{Deserialize, Serialize};
use tintype_vocab::{Span, Time};

/// How fast the measured pace follows the real one.
const MEMORY: f64 = 0.99;
/// The same of visits that are recalled: a capture asks faster than the watching behind it.
const RECALLED_MEMORY: f64 = 0.9;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct VisitPace {
    /// Smoothed days between visits, and the latest.
    days: Option<f64>,
    last: Option<Time>,
    /// Choices of this run.
    choices: u32,
}

impl VisitPace {
    /// Days between two visits; a second before anything was measured.
    pub(super) fn days(&self) -> f64 {
        self.days.unwrap_or(Span::from_secs(1).as_days_f64())
    }

    /// Whether what is seen is recalled from earlier runs.
    pub(super) fn is_recalling(&self) -> bool {
        self.choices == 0
    }

    /// This run chooses a page.
    pub(super) fn choose(&mut self, now: Time) {
        self.choices = self.choices.saturating_add(1);
        match self.choices {
            // How long it is since an earlier run says nothing of the pace of this one.
            1 => self.last = Some(now),
            2 => self.measure(now, |pace, days| pace.max(days)),
            _ => self.measure(now, |pace, days| MEMORY * pace + (1.0 - MEMORY) * days),
        }
    }

    /// An earlier run visited a page.
    pub(super) fn recall(&mut self, at: Time) {
        self.measure(at, |pace, days| RECALLED_MEMORY * pace + (1.0 - RECALLED_MEMORY) * days);
    }

    fn measure(&mut self, now: Time, smooth: impl Fn(f64, f64) -> f64) {
        if let Some(before) = self.last.filter(|before| *before < now) {
            let days = (now - before).as_days_f64();
            self.days = Some(self.days.map_or(days, |pace| smooth(pace, days)));
        }
        self.last = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hour(hour: i64) -> Time {
        Time::from_secs(3600 * hour)
    }

    #[test]
    fn what_is_recalled_and_what_is_chosen_give_the_same_pace() {
        let (mut chosen, mut recalled) = (VisitPace::default(), VisitPace::default());
        (0..50).for_each(|at| chosen.choose(hour(at)));
        (0..50).for_each(|at| recalled.recall(hour(at)));
        assert!((chosen.days() - 1.0 / 24.0).abs() < 1e-9 && (recalled.days() - 1.0 / 24.0).abs() < 1e-9);
    }

    #[test]
    fn a_capture_that_came_before_does_not_make_watching_seem_fast() {
        let mut pace = VisitPace::default();
        (0..1000).for_each(|second| pace.recall(Time::from_secs(second)));
        (1..4).for_each(|at| pace.choose(hour(at)));
        assert!(pace.days() > 0.9 / 24.0, "{}", pace.days());
    }
}
