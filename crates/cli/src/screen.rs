//! What a person sees while a capture runs: a line that lives on a terminal, plain lines elsewhere.

use crate::amount::{bytes, counted};
use crate::out;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    cell::RefCell,
    collections::BTreeMap,
    io::IsTerminal,
    time::{Duration, Instant},
};
use tintype_live::{CrawlEvent, clock};
use tintype_plan::{MediaRules, Progress, Settings};
use tintype_quality::Tally;
use tintype_vocab::{Change, Observation, Outcome, Purpose, Span};

/// Visits before their pace tells how long the rest may take.
const TELLING_VISITS: u64 = 5;

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
    /// Requests it may make.
    requests: Option<u64>,
    /// What is wanted, and how many of that came.
    rules: MediaRules,
    wanted: u64,
    goes_anywhere: bool,
}

impl Screen {
    /// On a terminal one live line per site; otherwise a plain line per visit, or none if `quiet`.
    pub(crate) fn new(quiet: bool) -> Screen {
        let live = std::io::stderr().is_terminal() && !quiet;
        let target = if live { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() };
        Screen { sites: RefCell::default(), bars: MultiProgress::with_draw_target(target), live, quiet }
    }

    /// A site begins, with settings of its own if it is captured.
    pub(crate) fn begin(&self, site: usize, name: &str, settings: Option<&Settings>) {
        let style =
            ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = self.bars.add(ProgressBar::new_spinner().with_style(style));
        if self.live {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        let line = SiteLine {
            name: name.to_owned(),
            bar,
            tally: Tally::default(),
            began: Instant::now(),
            requests: settings.and_then(|settings| settings.budget.requests),
            rules: settings.map_or_else(MediaRules::default, |settings| settings.media.clone()),
            wanted: 0,
            goes_anywhere: settings.is_some_and(Settings::goes_anywhere),
        };
        self.sites.borrow_mut().insert(site, line);
    }

    pub(crate) fn show(&self, site: usize, event: &CrawlEvent<'_>) {
        let mut sites = self.sites.borrow_mut();
        let Some(view) = sites.get_mut(&site) else { return };
        match event {
            CrawlEvent::Reported { observation, progress } => {
                view.tally.add(observation);
                view.count_wanted(observation);
                if self.live {
                    view.bar.set_message(view.line(progress));
                } else if !self.quiet {
                    out::murmur(&visit_line(observation));
                }
            }
            CrawlEvent::Waiting { until, why, host, progress } if self.live => {
                let wait = (*until - clock::now()).max(Span::ZERO);
                let line = view.line(progress);
                // Of many hosts some one is always waited for.
                if view.goes_anywhere {
                    view.bar.set_message(line);
                } else if wait > Span::from_millis(100) {
                    let host = host.map_or(String::new(), |host| format!(" for {host}"));
                    view.bar.set_message(format!("{line} · waits {wait}{host} ({why})"));
                }
            }
            CrawlEvent::Waiting { .. } | CrawlEvent::Upheaval(_) => {}
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
    fn count_wanted(&mut self, seen: &Observation) {
        let is_file =
            matches!(seen.outcome, Outcome::Body { .. }) && matches!(seen.purpose, Purpose::Visit | Purpose::Probe);
        let wanted = |media_type| !self.rules.is_empty() && self.rules.want(media_type);
        self.wanted += u64::from(is_file && seen.real_media_type().is_some_and(wanted));
    }

    fn line(&self, progress: &Progress) -> String {
        let (known, done) = (progress.known, progress.known - progress.waiting);
        let seconds = self.began.elapsed().as_secs_f64().max(0.001);
        let done = match self.goes_anywhere {
            true => format!(
                "{} on {}, {} at once · {} waiting",
                counted(self.tally.visits, "request"),
                counted(progress.hosts as u64, "host"),
                progress.in_flight,
                progress.waiting
            ),
            false => format!("{done} / {known} pages"),
        };
        let mut line = format!(
            "{}  {done} · {:.1}/s · {}",
            self.name,
            self.tally.visits as f64 / seconds,
            bytes(self.tally.bytes)
        );
        if !self.rules.is_empty() {
            line.push_str(&format!(" · {} wanted", self.wanted));
        }
        if self.tally.failed() > 0 {
            line.push_str(&format!(" · {}", counted(self.tally.failed(), "failure")));
        }
        if let Some(left) =
            time_left(progress.waiting, self.requests.map(|all| all.saturating_sub(self.tally.visits)), {
                (self.tally.visits, seconds)
            })
        {
            line.push_str(&format!(" · {left} left"));
        }
        line
    }
}

/// How long it takes to ask for so many pages at the pace so far, if that can be told yet; more may turn up on the way.
fn time_left(waiting: usize, requests_left: Option<u64>, (visits, seconds): (u64, f64)) -> Option<Span> {
    let to_ask = requests_left.map_or(waiting as u64, |left| left.min(waiting as u64));
    (visits >= TELLING_VISITS && to_ask > 0)
        .then(|| Span::from_secs((to_ask as f64 * seconds / visits as f64).ceil() as i64))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_what_was_done() {
        assert_eq!(time_left(100, None, (4, 2.0)), None, "too early to tell");
        assert_eq!(time_left(100, None, (50, 25.0)), Some(Span::from_secs(50)));
        assert_eq!(time_left(100, Some(10), (50, 25.0)), Some(Span::from_secs(5)));
        assert_eq!(time_left(0, None, (50, 25.0)), None);
    }
}
