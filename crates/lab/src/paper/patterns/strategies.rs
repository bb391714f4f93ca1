//! Figures 12 and 13: the paper's own strategies and everybody else's, with ten to fifty in a hundred pages an hour.

use super::{
    BASELINES, EVEN, LIVE_VALUE, OTHERS, OURS, OWN, model_words,
    play::Setting,
    sweep::{Sweep, players},
};
use crate::{
    LabProgress,
    paper::part::{Claim, Part},
};
use tintype_picture::{Axis, Lines};
use tintype_world::patterns::ChangeModel;

/// Shares of all pages visited in an hour.
pub(super) const SHARES: [f64; 5] = [0.1, 0.2, 0.3, 0.4, 0.5];

/// One experiment that was played.
pub(super) struct Simulated {
    pub(super) setting: Setting,
    pub(super) sweep: Sweep,
}

pub(super) fn parts(setting: &Setting, progress: &dyn LabProgress) -> anyhow::Result<(Vec<Part>, Vec<Simulated>)> {
    let (mut parts, mut played) = (Vec::new(), Vec::new());
    for is_taught in [true, false] {
        for model in [ChangeModel::Hourly, ChangeModel::Anytime] {
            progress.now(&format!("Figures 12 and 13, {}", model_words(model).1));
            let simulated = simulate(&Setting { model, is_taught, ..*setting })?;
            parts.extend(simulated.parts());
            played.push(simulated);
        }
    }
    Ok((parts, played))
}

fn simulate(setting: &Setting) -> anyhow::Result<Simulated> {
    let names = [&OWN[..], &OTHERS, &BASELINES, &[LIVE_VALUE, OURS]].concat();
    Ok(Simulated { setting: *setting, sweep: setting.play(&SHARES, players(&names))? })
}

impl Simulated {
    /// What it is called in files, and in words.
    pub(super) fn names(&self) -> (String, String) {
        let (file, words) = model_words(self.setting.model);
        match self.setting.is_taught {
            true => (file.to_owned(), words.to_owned()),
            false => (format!("{file}-untaught"), format!("{words}, nothing known beforehand")),
        }
    }

    fn parts(&self) -> Vec<Part> {
        let own = [&OWN[..], &[EVEN, LIVE_VALUE, OURS]].concat();
        let others = [&["importance-pattern"], &OTHERS[..], &BASELINES, &[LIVE_VALUE, OURS]].concat();
        vec![
            self.part("figure-12", "own strategies", &own, self.own_claims()),
            self.part("figure-13", "all strategies", &others, self.other_claims()),
        ]
    }

    fn part(&self, figure: &str, who: &str, names: &[&str], claims: Vec<Claim>) -> Part {
        let sweep = self.sweep.only(names);
        let (file, words) = self.names();
        let chart = Lines {
            title: format!("Weighted completeness: {words}"),
            caption: self.caption(),
            x: Axis::linear("Visits an hour", "per cent of the pages"),
            y: Axis::linear("Weighted completeness", "share of the best possible").including(0.0, 1.0),
            series: sweep.series(|share| share * 100.0),
        };
        Part {
            name: format!("{figure}-{file}"),
            title: format!("{}: {who}, {words}", figure.replace("figure-", "Figure ")),
            text: self.text(),
            table: Some(sweep.table("policy", |share| format!("M = {:.0} %", share * 100.0))),
            picture: Some(chart.draw()),
            claims,
        }
    }

    fn caption(&self) -> String {
        let Setting { pages, seeds, days, .. } = self.setting;
        format!("{pages} pages, {days:.0} days, mean of {seeds} sites; bands: 95 % intervals.")
    }

    fn text(&self) -> String {
        let Setting { days, is_taught, .. } = self.setting;
        let before = match is_taught {
            true => format!("Before the game every page was visited once an hour for {days:.0} days, by everybody."),
            false => "Nothing is known before the game: learning is part of it.".to_owned(),
        };
        format!(
            "Weighted completeness ÷ that of the best schedule with the same visits, spread evenly over the hour. {before}"
        )
    }

    /// The claims are of policies that know their patterns.
    fn own_claims(&self) -> Vec<Claim> {
        if !self.setting.is_taught {
            return Vec::new();
        }
        let gain = |at: usize, over: &str| self.sweep.of_best(at, OWN[0]) / self.sweep.of_best(at, over) - 1.0;
        let least = |over: &str| (0..SHARES.len()).map(|at| gain(at, over)).fold(f64::INFINITY, f64::min);
        let (importance, pattern) = (least(OWN[1]), least(OWN[2]));
        let because = |over: &str| {
            let gains = (0..SHARES.len()).map(|at| format!("{:+.0} %", 100.0 * gain(at, over)));
            format!("{} for M = 10 to 50 %", gains.collect::<Vec<_>>().join(", "))
        };
        vec![
            Claim::new(
                "Importance-Pattern keeps at least 5 % more than Importance",
                importance >= 0.05,
                because(OWN[1]),
            ),
            Claim::new("Importance-Pattern keeps at least 20 % more than Pattern", pattern >= 0.2, because(OWN[2])),
        ]
    }

    fn other_claims(&self) -> Vec<Claim> {
        if !self.setting.is_taught {
            return Vec::new();
        }
        let others = self.sweep.only(&OTHERS);
        let best = |at: usize| others.best_other(at);
        let own = |at: usize| self.sweep.of_best(at, OWN[0]);
        let compared =
            |at: usize| format!("M = {:.0} %: {:.3}, {} {:.3}", 100.0 * SHARES[at], own(at), best(at).0, best(at).1);
        let all = (0..SHARES.len()).map(compared).collect::<Vec<_>>().join("; ");
        vec![
            Claim::new(
                "Importance-Pattern keeps more than Relevance, Frequency, Coherence and SHARC, whatever M",
                (0..SHARES.len()).all(|at| own(at) > best(at).1),
                all,
            ),
            Claim::new("with few resources (M = 10 %) at least 20 % more", own(0) >= 1.2 * best(0).1, compared(0)),
        ]
    }
}
