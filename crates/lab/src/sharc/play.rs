//! The playing: every policy on every site, sites side by side.

use super::{player::Player, setting::SharcSetting};
use crate::{LabProgress, Silent, parallel::side_by_side};
use anyhow::Context;
use tintype_quality::{Truth, capture, oracle};
use tintype_vocab::{Span, Time};
use tintype_world::capture::{CaptureSubject, Taken, take};

/// Beyond, the exact assignment takes longer than it is worth.
pub(super) const ASSIGNED_PAGES_MAX: usize = 600;

/// What one capture is worth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) visits: f64,
    /// Expected with the true rates.
    pub(crate) blur: f64,
    pub(crate) sharp: f64,
    /// As it came out.
    pub(crate) realised_blur: f64,
    pub(crate) realised_sharp: f64,
}

/// What was possible on one site, knowing what would happen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Possible {
    /// The least blur of one visit per page; nothing where the site is too large to tell.
    pub(super) blur: Option<f64>,
    /// The most sharp pages of one visit and one revisit per page.
    pub(super) sharp: f64,
}

/// One site.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) samples: Vec<Sample>,
    pub(super) possible: Possible,
}

/// Captures every site with every policy.
pub(super) fn rounds(
    setting: &SharcSetting,
    players: &[Player],
    progress: &dyn LabProgress,
) -> anyhow::Result<Vec<Round>> {
    progress.begin(setting.seeds * players.len() as u64);
    side_by_side(setting.seeds, |nth| {
        let samples = samples(setting, players, nth, progress)?;
        Ok(Round { samples, possible: possible(setting, nth) })
    })
}

/// The samples alone of every site, by site and player.
pub(crate) fn sampled(setting: &SharcSetting, players: &[Player]) -> anyhow::Result<Vec<Vec<Sample>>> {
    side_by_side(setting.seeds, |nth| samples(setting, players, nth, &Silent))
}

fn samples(
    setting: &SharcSetting,
    players: &[Player],
    nth: u64,
    progress: &dyn LabProgress,
) -> anyhow::Result<Vec<Sample>> {
    let sample = |player: &Player| {
        progress.now(&player.name);
        let (taken, truth, rates) = capture_one(setting, player, nth)?;
        progress.advance(1);
        Ok(judged(&taken, &truth, &rates, setting.stretch))
    };
    players.iter().map(sample).collect()
}

/// One capture of the nth site: the visits, what happened, and the true rates per day.
pub(crate) fn capture_one(
    setting: &SharcSetting,
    player: &Player,
    nth: u64,
) -> anyhow::Result<(Taken, Truth, Vec<f64>)> {
    let mut site = setting.site(nth);
    let manner = player.manner(&site, setting);
    let taken = take(&mut site, manner).with_context(|| format!("{} cannot capture the site", player.name))?;
    Ok((taken, site.truth().clone(), site.rates_per_day()))
}

fn judged(taken: &Taken, truth: &Truth, rates_per_day: &[f64], stretch: f64) -> Sample {
    let (expected, realised) = (taken.expected(rates_per_day, stretch), taken.realised(truth));
    let blur = if stretch == 1.0 { realised.blur } else { exact_blur(taken, truth, stretch) };
    Sample {
        visits: expected.visits as f64,
        blur: expected.blur,
        // A sum of nothing is -0.
        sharp: expected.sharp + 0.0,
        realised_blur: blur,
        realised_sharp: realised.sharp,
    }
}

/// Exact blur over an interval longer than the capture, around the same middle.
fn exact_blur(taken: &Taken, truth: &Truth, stretch: f64) -> f64 {
    let (Some(from), Some(to)) = (taken.from(), taken.to()) else { return 0.0 };
    let beyond = Span::from_millis(((to - from).as_millis() as f64 * (stretch - 1.0) / 2.0).round() as i64);
    capture::exact_blur(truth, from - beyond, to + beyond, &taken.visits)
}

fn possible(setting: &SharcSetting, nth: u64) -> Possible {
    let site = setting.site(nth);
    let truth = site.truth();
    let slot = |number: usize| setting.start() + Span::from_millis(setting.slot().as_millis() * number as i64);
    let slots: Vec<Time> = (0..2 * setting.pages).map(slot).collect();
    let (visits, revisits) = slots.split_at(setting.pages);
    let blur = (setting.stretch == 1.0).then(|| least_blur(truth, visits)).flatten();
    Possible { blur, sharp: oracle::sharp(truth, visits, revisits) as f64 }
}

/// The least blur of a capture with these slots, where it can be told.
pub(super) fn least_blur(truth: &Truth, slots: &[Time]) -> Option<f64> {
    let (from, last) = (*slots.first()?, *slots.last()?);
    // The interval is without its end, and the last slot is in it.
    let to = last + Span::from_millis(1);
    (truth.pages() <= ASSIGNED_PAGES_MAX).then(|| oracle::blur(truth, from, to, slots).blur)
}

/// Which pages were the same all through the capture.
pub(super) fn stood_still(taken: &Taken, truth: &Truth) -> Vec<bool> {
    let (Some(from), Some(to)) = (taken.from(), taken.to()) else { return vec![false; truth.pages()] };
    (0..truth.pages()).map(|page| truth.alive(page, from) == truth.alive(page, to)).collect()
}

/// Which pages were the same at the last visit before the middle and the first after it.
pub(super) fn proved(taken: &Taken, truth: &Truth) -> Vec<bool> {
    let (Some(from), Some(to)) = (taken.from(), taken.to()) else { return vec![false; truth.pages()] };
    let is_same = |(page, visits): (usize, &Vec<Time>)| {
        let bracket = capture::bracket(visits, from + (to - from) / 2);
        bracket.is_some_and(|(visit, revisit)| truth.alive(page, visit) == truth.alive(page, revisit))
    };
    taken.by_page(truth.pages()).iter().enumerate().map(is_same).collect()
}
