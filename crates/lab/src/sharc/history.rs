//! RecordedWindows of a recorded history, captured once each at several pauses between requests.

mod belief;
mod report;

use super::{
    play::{self, Sample},
    player::{self, Player},
};
use crate::{Folder, LabProgress, ResultFiles, Results, SiteSource, open::OpenedSite, usage};
use anyhow::Context;
use belief::Beliefs;
pub(crate) use report::blur_by_duration;
use tintype_plan::schedule;
use tintype_quality::{Seen, Truth, capture, oracle};
use tintype_vocab::{ChangeRate, Span, Time};
use tintype_world::{
    Contents, History,
    capture::{CaptureSubject, Listed, Manner, RecordedCapture, take},
};

/// A site of which only events are known has no address of its own either.
const ORIGIN: &str = "http://history.invalid";

/// All policies at all pauses on one history.
#[derive(Debug)]
pub struct RecordedWindows {
    pub(crate) name: String,
    pub(crate) at: Vec<AtDelay>,
    /// Pauses at which a capture with revisits does not fit into the second half.
    pub(crate) too_long: Vec<Span>,
}

/// One pause between requests.
#[derive(Debug)]
pub(crate) struct AtDelay {
    pub(crate) delay: Span,
    /// On average over the captures.
    pub(crate) pages: f64,
    pub(crate) players: Vec<Player>,
    pub(crate) windows: Vec<Window>,
}

/// One capture by everybody.
#[derive(Debug)]
pub(crate) struct Window {
    pages: usize,
    pub(crate) samples: Vec<Sample>,
    /// The least blur of one visit per page; nothing where the site is too large to tell.
    pub(crate) least_blur: Option<f64>,
    /// Exact blur of organ pipes by the changes that pages really made meanwhile.
    pub(crate) offline_blur: f64,
    /// The most sharp pages of one visit and one revisit each.
    pub(crate) most_sharp: f64,
}

/// What is captured, and how often.
#[derive(Clone, Debug)]
pub struct WindowsConfig {
    pub source: SiteSource,
    /// Pauses between two requests.
    pub delays: Vec<Span>,
    /// Captures at each pause.
    pub captures: u32,
    /// SHARC-threshold gives up pages likelier than this to change.
    pub tau: f64,
}

/// Captures windows of a recorded history with every capture policy.
pub fn run(config: &WindowsConfig, progress: &dyn LabProgress) -> anyhow::Result<RecordedWindows> {
    let mut site = config.source.open(ORIGIN)?;
    let windows = play(&mut site, &config.delays, config.captures, config.tau, progress)?;
    if windows.at.is_empty() {
        let problem = "no capture of all pages fits into the second half of what was recorded";
        return Err(usage(problem, "choose a shorter --delay"));
    }
    Ok(windows)
}

impl Results for RecordedWindows {
    fn json(&self) -> String {
        report::json(self).to_string()
    }

    fn text(&self) -> String {
        report::text(self)
    }
}

impl ResultFiles for RecordedWindows {
    fn fill(&self, folder: &mut Folder, command: &str) -> anyhow::Result<()> {
        report::write(folder, self, command)
    }
}

/// Captures a history at every pause.
pub(crate) fn play(
    site: &mut OpenedSite,
    delays: &[Span],
    captures: u32,
    tau: f64,
    progress: &dyn LabProgress,
) -> anyhow::Result<RecordedWindows> {
    let players = player::all();
    progress.begin(delays.len() as u64 * u64::from(captures));
    let mut windows = RecordedWindows { name: site.name.clone(), at: Vec::new(), too_long: Vec::new() };
    for &delay in delays {
        let Some(starts) = starts(site, delay, captures) else {
            windows.too_long.push(delay);
            progress.advance(u64::from(captures));
            continue;
        };
        let mut played = Vec::new();
        for start in starts {
            progress.now(&delay.to_string());
            played.extend(capture_all(site, start, delay, tau, &players)?);
            progress.advance(1);
        }
        let pages = played.iter().map(|window| window.pages as f64).sum::<f64>() / played.len().max(1) as f64;
        windows.at.push(AtDelay { delay, pages, players: players.clone(), windows: played });
    }
    Ok(windows)
}

/// Evenly over the second half, so that each capture with revisits ends before the history does.
fn starts(site: &OpenedSite, delay: Span, captures: u32) -> Option<Vec<Time>> {
    let middle = site.from + (site.to - site.from) / 2;
    let pages = (0..site.history.pages() as u32).filter(|page| site.history.alive(*page, middle).is_some()).count();
    // Sites grow: a tenth more pages than in the middle.
    let length = Span::from_millis(delay.as_millis().saturating_mul(2 * (pages + pages / 10 + 1) as i64));
    let room = site.to - (middle + length);
    if pages == 0 || room < Span::ZERO {
        return None;
    }
    let step = |nth: u32| Span::from_millis(room.as_millis() * i64::from(nth) / i64::from(captures.max(2) - 1).max(1));
    Some((0..captures).map(|nth| middle + step(nth)).collect())
}

/// One capture by every policy; nothing if no page is there.
fn capture_all(
    site: &mut OpenedSite,
    start: Time,
    delay: Span,
    tau: f64,
    players: &[Player],
) -> anyhow::Result<Option<Window>> {
    let beliefs = Beliefs::new(&site.history, &site.origin, site.from, start);
    let linked = site.contents.is_some();
    let contents = site.contents.as_mut().map(|contents| contents.as_mut() as &mut dyn Contents);
    let believe = |page| beliefs.of(page);
    let Some(past) = RecordedCapture::new(&site.history, contents, &site.origin, start, believe) else {
        return Ok(None);
    };
    let mut subject = Listed::new(past, start).context("the site cannot be captured")?;
    let mut samples = Vec::new();
    for player in players {
        let manner = Manner {
            policy: player.policy(&subject, start, tau),
            start,
            slot: delay,
            revisit: player.revisit,
            size: subject.pages(),
            told: player.is_told() || !linked,
            requests_max: None,
        };
        let taken = take(&mut subject, manner).with_context(|| format!("{} cannot capture it", player.name))?;
        let worth = taken.realised(subject.truth());
        samples.push(Sample {
            visits: worth.visits as f64,
            realised_blur: worth.blur,
            realised_sharp: worth.sharp,
            ..Sample::default()
        });
    }
    let window = judged(subject.truth(), start, delay, samples);
    match subject.into_inner().unreadable() {
        Some(unreadable) => Err(anyhow::Error::new(unreadable).context("a recorded page cannot be read")),
        None => Ok(Some(window)),
    }
}

/// With what was possible in hindsight.
fn judged(truth: &Truth, start: Time, delay: Span, samples: Vec<Sample>) -> Window {
    let pages = truth.pages();
    let slot = |nth: usize| start + Span::from_millis(delay.as_millis() * nth as i64);
    let slots: Vec<Time> = (0..2 * pages).map(slot).collect();
    let (visits, revisits) = slots.split_at(pages);
    Window {
        pages,
        samples,
        least_blur: play::least_blur(truth, visits),
        offline_blur: offline_blur(truth, visits, delay),
        most_sharp: oracle::sharp(truth, visits, revisits) as f64,
    }
}

/// Organ pipes by how often each page really changed during the capture.
fn offline_blur(truth: &Truth, slots: &[Time], delay: Span) -> f64 {
    let (Some(&from), Some(&to)) = (slots.first(), slots.last()) else { return 0.0 };
    let days = (to - from).as_days_f64().max(f64::MIN_POSITIVE);
    let changes = |page: usize| truth.page(page).iter().filter(|version| version.from > from && version.from <= to);
    let rate = |page: usize| ChangeRate::known(changes(page).count() as f64 / days);
    let rates: Vec<ChangeRate> = (0..truth.pages()).map(rate).collect();
    let plan = schedule::organ_pipes(&schedule::RatedSite::new(&rates, delay));
    let visits: Vec<Seen> = plan.into_iter().zip(slots).map(|(page, at)| Seen { at: *at, page }).collect();
    capture::exact_blur(truth, from, to, &visits)
}

/// Where in the history a page is, for beliefs.
fn depth(history: &History, page: u32) -> u16 {
    history.path(page).trim_matches('/').split('/').filter(|part| !part.is_empty()).count().min(50) as u16
}
