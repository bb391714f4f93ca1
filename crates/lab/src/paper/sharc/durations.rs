//! Figure 9: longer crawls of recorded sites.

use super::{
    super::part::{Claim, Part},
    ONCE, TWICE, least,
};
use crate::{
    Silent,
    open::SiteSource,
    sharc::history::{self, AtDelay, RecordedWindows},
    table::{Cell, Table},
};
use std::path::{Path, PathBuf};
use tintype_vocab::Span;

/// Pauses between requests, in seconds: from a brisk crawl to the most patient.
const DELAYS: [i64; 5] = [30, 120, 600, 1800, 3600];
const CAPTURES: u32 = 5;
const TAU: f64 = 0.7;

pub(super) fn parts(histories: &[PathBuf]) -> anyhow::Result<Vec<Part>> {
    if histories.is_empty() {
        return Ok(vec![Part {
            name: "figure-9".to_owned(),
            title: "Figure 9: blur in varying crawls".to_owned(),
            text: "Skipped: no --history was given.".to_owned(),
            table: None,
            picture: None,
            claims: Vec::new(),
        }]);
    }
    let parts = histories.iter().map(|directory| of_history(directory)).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(parts.into_iter().flatten().collect())
}

fn of_history(directory: &Path) -> anyhow::Result<Vec<Part>> {
    let mut site = SiteSource::recorded(directory, None).open("http://history.invalid")?;
    let delays = DELAYS.map(Span::from_secs);
    let windows = history::play(&mut site, &delays, CAPTURES, TAU, &Silent)?;
    Ok([("a", true), ("b", false)].into_iter().map(|(letter, once)| part(&windows, letter, once)).collect())
}

fn part(windows: &RecordedWindows, letter: &str, once: bool) -> Part {
    let how = if once { "crawling once" } else { "crawling with revisits" };
    let left_out = windows.too_long.iter().map(|delay| format!(" With {delay} between requests no capture fits."));
    Part {
        name: format!("figure-9{letter}-{}", windows.name),
        title: format!("Figure 9({letter}): blur in varying crawls of {}, {how}", windows.name),
        text: format!(
            "{CAPTURES} captures in the second half of the recorded history for each pause; rates believed from one \
             comparison a day before.{}",
            left_out.collect::<String>()
        ),
        table: Some(table(windows, once)),
        picture: Some(history::blur_by_duration(windows, once)),
        claims: claims(windows, once),
    }
}

fn nth(at: &AtDelay, name: &str) -> usize {
    at.players.iter().position(|player| player.name == name).expect("everybody has played")
}

fn blur(at: &AtDelay, name: &str) -> f64 {
    at.over_windows(nth(at, name), |sample| sample.realised_blur).mean
}

fn table(windows: &RecordedWindows, once: bool) -> Table {
    let last = if once { "blur ÷ offline" } else { "sharp ÷ most possible" };
    let mut table = Table::new(["policy", "pause in seconds", "hours", "blur", last]);
    for at in &windows.at {
        for nth in (0..at.players.len()).filter(|nth| at.visits_once(*nth) == once) {
            let share = if once { at.blur_of_offline(nth) } else { at.sharp_of_most(nth) };
            table.push(vec![
                Cell::text(&at.players[nth].name),
                Cell::Number(at.delay.as_millis() as f64 / 1000.0, 0),
                Cell::Number(at.hours() * if once { 1.0 } else { 2.0 }, 1),
                Cell::Estimate(at.over_windows(nth, |sample| sample.realised_blur), 2),
                share.map_or(Cell::Empty, |share| Cell::Estimate(share, 3)),
            ]);
        }
    }
    table
}

fn claims(windows: &RecordedWindows, once: bool) -> Vec<Claim> {
    let (name, others) = if once { ("sharc-online", &ONCE[2..]) } else { ("sharc-revisits", &TWICE[1..]) };
    let beaten = windows.at.iter().filter_map(|at| {
        let (other, least_blur) = least(others, |other| blur(at, other));
        (least_blur < blur(at, name))
            .then(|| format!("at {} {other} has {least_blur:.2}, it {:.2}", at.delay, blur(at, name)))
    });
    let beaten: Vec<String> = beaten.collect();
    let because = if beaten.is_empty() { "at every duration".to_owned() } else { beaten.join("; ") };
    let mut claims = vec![Claim::new(format!("{name} has less blur than its competitors"), beaten.is_empty(), because)];
    if once {
        let ratio = |at: &AtDelay| blur(at, "sharc-online") / blur(at, "sharc-offline");
        let ratios: Vec<f64> = windows.at.iter().map(ratio).filter(|ratio| ratio.is_finite()).collect();
        let words: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
        claims.push(Claim::new(
            "SHARC-online performs as well as SHARC-offline",
            ratios.iter().all(|ratio| *ratio < 1.1),
            format!("online ÷ offline at growing durations: {}", words.join(", ")),
        ));
    }
    claims
}
