//! What a person sees while a capture runs: a line that lives on a terminal, plain lines elsewhere.

use crate::amount::{bytes, counted};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    cell::RefCell,
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};
use tintype_live::{News, clock};
use tintype_quality::Tally;
use tintype_vocab::{Change, Observation, Outcome, Span};

/// Shows the progress of several sites at once.
pub(crate) struct Screen {
    sites: RefCell<Vec<SiteLine>>,
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
    pub(crate) fn new(names: &[String], quiet: bool) -> Screen {
        let live = std::io::stderr().is_terminal() && !quiet;
        let target = if live { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() };
        let bars = MultiProgress::with_draw_target(target);
        let style =
            ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
        let sites = names.iter().map(|name| {
            let bar = bars.add(ProgressBar::new_spinner().with_style(style.clone()));
            if live {
                bar.enable_steady_tick(Duration::from_millis(200));
            }
            SiteLine { name: name.clone(), bar, tally: Tally::default(), began: Instant::now() }
        });
        Screen { sites: RefCell::new(sites.collect()), live, quiet }
    }

    pub(crate) fn show(&self, site: usize, news: &News<'_>) {
        let view = &mut self.sites.borrow_mut()[site];
        match news {
            News::Reported { observation, progress } => {
                view.tally.add(observation);
                if self.live {
                    view.bar.set_message(view.line(progress.known, progress.known - progress.waiting));
                } else if !self.quiet {
                    // A reader that went away is no reason to stop a capture.
                    let _ = writeln!(std::io::stderr().lock(), "{}", visit_line(observation));
                }
            }
            News::Waiting { until, why, progress } if self.live => {
                let wait = (*until - clock::now()).max(Span::ZERO);
                let line = view.line(progress.known, progress.known - progress.waiting);
                if wait > Span::from_millis(100) {
                    view.bar.set_message(format!("{line} · waits {wait} ({why})"));
                }
            }
            News::Waiting { .. } => {}
        }
    }

    /// Clears the live lines and hands back what was counted, site by site.
    pub(crate) fn close(self) -> Vec<(Tally, Duration)> {
        let sites = self.sites.into_inner();
        sites
            .into_iter()
            .map(|site| {
                site.bar.finish_and_clear();
                (site.tally, site.began.elapsed())
            })
            .collect()
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
