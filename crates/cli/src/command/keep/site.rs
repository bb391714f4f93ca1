//! A site that is kept: captured as a whole when it is new or when it is time, watched in between.

use crate::{
    amount::{parse_per_day, parse_span},
    command::Wanted,
    failure::usage,
    settings::{KnownSetting, Section},
};
use tintype_archive::{CaptureKind, Collection};
use tintype_plan::{
    Budget, DayBudget, DaySpending, Ending, Mode, SiteTerms,
    policy::{self, Use},
};
use tintype_session::spent_on;
use tintype_vocab::{Span, Time};

/// How soon a site that does not answer, or could not be written, is tried again; twice as long every time.
const RETRY_FIRST: Span = Span::from_secs(60);
const RETRY_MAX: Span = Span::from_secs(6 * 3600);

/// What is done with a site for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stretch {
    /// One dated whole.
    Capture,
    /// Visits where they bring most.
    Watch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Begins at this moment.
    Due(Time),
    UnderWay {
        number: usize,
        stretch: Stretch,
    },
}

pub(super) struct KeptSite {
    wanted: Wanted,
    policy: String,
    pub(super) phase: Phase,
    capture_every: Option<Span>,
    ceiling: Option<Budget>,
    terms: SiteTerms,
    /// When the latest whole was begun that came to its end.
    captured: Option<Time>,
    /// Nothing was seen of it yet, or a capture of it was cut short.
    needs_capture: bool,
    failures: u32,
    /// A page of it was seen in this run.
    pub(super) has_answered: bool,
}

impl KeptSite {
    pub(super) fn new(wanted: Wanted, policy: &str, budget: Option<Budget>) -> anyhow::Result<KeptSite> {
        let config = wanted.config();
        let wrong = |problem: String| {
            usage(format!("{}: {problem}", wanted.name), "correct it, in tintype.toml if it is there")
        };
        let weight = config.weight.unwrap_or(1.0);
        if !(weight > 0.0 && weight.is_finite()) {
            return Err(wrong(format!("a weight of {weight} is none: write a number above 0, such as 2")));
        }
        let capture_policy = &wanted.settings.policy;
        if !policy::REGISTRY.iter().any(|known| known.name == capture_policy) {
            let names: Vec<&str> = policy::offered(Use::Capture).map(|offered| offered.name).collect();
            return Err(wrong(format!("no capture goes by a policy called {capture_policy}: {}", names.join(", "))));
        }
        let ceiling = config.ceiling.as_deref().map(parse_per_day).transpose().map_err(wrong)?;
        let share = config.share.map(|share| share_of(share, budget)).transpose().map_err(wrong)?;
        let capture_every = config.capture_every.as_deref().map(parse_span).transpose().map_err(wrong)?;
        if capture_every.is_some_and(|every| every < Span::from_secs(60)) {
            return Err(wrong("a whole capture every few seconds is none: write 30d".to_owned()));
        }
        let terms = SiteTerms { weight, hours: config.hours, endless: true, ..SiteTerms::default() };
        Ok(KeptSite {
            policy: policy.to_owned(),
            phase: Phase::Due(Time::MIN),
            capture_every,
            ceiling: ceiling.or(share),
            terms,
            captured: None,
            needs_capture: true,
            failures: 0,
            has_answered: false,
            wanted,
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.wanted.name
    }

    pub(super) fn section(&self) -> &Section {
        &self.wanted.section
    }

    /// More that the run goes by.
    pub(super) fn tell_also(&mut self, told: &[KnownSetting]) {
        self.wanted.section.told.extend_from_slice(told);
    }

    /// Whether it is chosen by what is behind URLs.
    pub(super) fn is_choosy(&self) -> bool {
        !self.wanted.settings.media.is_empty()
    }

    /// What the collection knows of it.
    pub(super) fn recall(&mut self, collection: &Collection, now: Time) -> anyhow::Result<()> {
        let captures = collection.marks_of(self.name())?;
        let latest = captures.iter().rfind(|mark| mark.kind != CaptureKind::Import);
        let cut_short = latest.is_some_and(|mark| mark.kind == CaptureKind::Capture && !mark.has_ended);
        let whole = collection.latest_ended(self.name(), CaptureKind::Capture)?;
        self.captured = whole.map(|info| info.head.started);
        let seen = captures.iter().any(|mark| mark.has_ended || mark.kind == CaptureKind::Keep);
        self.needs_capture = cut_short || !seen;
        if let Some(ceiling) = self.ceiling {
            let spent = spent_on(&collection.reading(), &[self.name().to_owned()], now.midnight())?;
            let spent = DaySpending { requests: spent.requests, bytes: spent.bytes, all_day: spent.earlier };
            self.terms.ceiling = Some(DayBudget::new(ceiling, now, spent));
        }
        Ok(())
    }

    /// When a whole is due.
    pub(super) fn capture_due(&self) -> Option<Time> {
        if self.needs_capture {
            return Some(Time::MIN);
        }
        let every = self.capture_every?;
        Some(self.captured.map_or(Time::MIN, |captured| captured + every))
    }

    /// What is to be done with it now, and how.
    pub(super) fn next(&self, now: Time) -> (Stretch, Wanted, SiteTerms) {
        let mut wanted = self.wanted.clone();
        if self.capture_due().is_some_and(|due| due <= now) {
            // A dated whole is asked for because of what can be proved of it.
            wanted.settings.revisit = self.capture_every.is_some() && !self.needs_capture;
            return (Stretch::Capture, wanted, SiteTerms { endless: false, ..self.terms });
        }
        wanted.kind = CaptureKind::Keep;
        wanted.settings.mode = Mode::Kept;
        wanted.settings.policy.clone_from(&self.policy);
        wanted.settings.budget = Budget::default();
        wanted.settings.pages_max = None;
        wanted.settings.more.iter_mut().for_each(|more| more.budget = Budget::default());
        (Stretch::Watch, wanted, self.terms)
    }

    /// A stretch is over: when the next one begins.
    pub(super) fn ended(&mut self, stretch: Stretch, began: Time, ending: Option<Ending>, failed: bool, now: Time) {
        let well = !failed && !matches!(ending, Some(Ending::Unreachable | Ending::DiskLow));
        if well && stretch == Stretch::Capture && ending.is_some() {
            (self.captured, self.needs_capture) = (Some(began), false);
        }
        // Watching that comes to an end by itself has nothing left to watch.
        let idle = well && stretch == Stretch::Watch && ending.is_some();
        self.failures = if well && !idle { 0 } else { self.failures + 1 };
        let wait = RETRY_FIRST * (1 << self.failures.saturating_sub(1).min(12));
        self.phase = Phase::Due(if self.failures == 0 { now } else { now + wait.min(RETRY_MAX) });
    }
}

/// A share of the budget of all.
fn share_of(share: f64, budget: Option<Budget>) -> Result<Budget, String> {
    if !(share > 0.0 && share <= 1.0) {
        return Err(format!("{share} is no share: write a number up to 1, such as 0.3"));
    }
    let budget = budget.ok_or("a share needs a budget to be a share of: set budget = \"500/day\"")?;
    let part = |whole: u64| ((whole as f64 * share) as u64).max(1);
    Ok(Budget { requests: budget.requests.map(part), bytes: budget.bytes.map(part) })
}
