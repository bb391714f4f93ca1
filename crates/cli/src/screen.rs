//! What a person sees while a capture runs: a line that lives on a terminal, plain lines elsewhere.

use crate::amount::{bytes, counted};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    cell::RefCell,
    collections::BTreeMap,
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};
use tintype_live::{CrawlEvent, clock};
use tintype_quality::Tally;
use tintype_vocab::{Change, Observation, Outcome, Span};

/// Shows the progress of several sites at once.
pub(crate) struct Screen {
    sites: RefCell<BTreeMap<usize, SiteLine>>,
    bars: MultiProgress,
    live: bool,
    quiet: bool,
}

struct SiteLine {
    name: String,
    bar: ProgressBar,
    tally: Tally,
    began: Instant,
}

impl Screen {
    /// On a terminal one live line per site; otherwise a plain line per visit, or none if `quiet`.
    pub(crate) fn new(quiet: bool) -> Screen {
        let live = std::io::stderr().is_terminal() && !quiet;
        let target = if live { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() };
        Screen { sites: RefCell::default(), bars: MultiProgress::with_draw_target(target), live, quiet }
    }

    /// A site begins.
    pub(crate) fn begin(&self, site: usize, name: &str) {
        let style =
            ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = self.bars.add(ProgressBar::new_spinner().with_style(style));
        if self.live {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        let line = SiteLine { name: name.to_owned(), bar, tally: Tally::default(), began: Instant::now() };
        self.sites.borrow_mut().insert(site, line);
    }

    pub(crate) fn show(&self, site: usize, event: &CrawlEvent<'_>) {
        let mut sites = self.sites.borrow_mut();
        let Some(view) = sites.get_mut(&site) else { return };
        match event {
            CrawlEvent::Reported { observation, progress } => {
                view.tally.add(observation);
                if self.live {
                    view.bar.set_message(view.line(progress.known, progress.known - progress.waiting));
                } else if !self.quiet {
                    // A reader that went away is no reason to stop a capture.
                    let _ = writeln!(std::io::stderr().lock(), "{}", visit_line(observation));
                }
            }
            CrawlEvent::Waiting { until, why, host, progress } if self.live => {
                let wait = (*until - clock::now()).max(Span::ZERO);
                let line = view.line(progress.known, progress.known - progress.waiting);
                if wait > Span::from_millis(100) {
                    let host = host.map_or(String::new(), |host| format!(" for {host}"));
                    view.bar.set_message(format!("{line} · waits {wait}{host} ({why})"));
                }
            }
            CrawlEvent::Waiting { .. } => {}
        }
    }

    /// Clears the line of a site and hands back what was counted.
    pub(crate) fn end(&self, site: usize) -> (Tally, Duration) {
        let Some(line) = self.sites.borrow_mut().remove(&site) else { return Default::default() };
        line.bar.finish_and_clear();
        self.bars.remove(&line.bar);
        (line.tally, line.began.elapsed())
    }
}

impl SiteLine {
    fn line(&self, known: usize, done: usize) -> String {
        let seconds = self.began.elapsed().as_secs_f64().max(0.001);
        let mut line = format!(
            "{}  {done} / {known} pages · {:.1}/s · {}",
            self.name,
            self.tally.visits as f64 / seconds,
            bytes(self.tally.bytes)
        );
        if self.tally.failed() > 0 {
            line.push_str(&format!(" · {}", counted(self.tally.failed(), "failure")));
        }
        line
    }
}

/// `200  new        12.3 kB  http://…`
fn visit_line(observation: &Observation) -> String {
    let (status, what) = match &observation.outcome {
        Outcome::Body { status } => (status.to_string(), change_word(observation.change)),
        Outcome::NotModified => ("304".to_owned(), "same"),
        Outcome::Redirected { status, .. } => (status.to_string(), "moved"),
        Outcome::Gone { status } => (status.to_string(), "not there"),
        Outcome::Refused { status, .. } => (status.to_string(), "refused"),
        Outcome::Failed { cause } => return format!("---  failed     {:>9}  {}  ({cause})", "", observation.url),
    };
    format!("{status}  {what:<9}  {:>9}  {}", bytes(observation.bytes), observation.url)
}

fn change_word(change: Change) -> &'static str {
    match change {
        Change::First => "first",
        Change::Same => "same",
        Change::New { .. } => "changed",
        Change::Unknown => "",
    }
}
