//! Ours against SHARC: what has to hold, and how it stands up to other sites and worse knowledge.

use super::{
    super::part::{Claim, Part},
    Played,
};
use crate::{
    sharc::setting::{SharcSetting, SizeBelief},
    table::{Cell, Table},
};
use tintype_picture::{Axis, Bar, Bars};
use tintype_quality::Estimate;
use tintype_world::synthetic::{Placement, Sharc};

/// One more request in a hundred is all that may be spent beyond one or two visits per page.
const SPARE: f64 = 1.01;
/// The size of site that the goals are set for.
const PAGES: usize = 1024;
const SKEWS: [f64; 3] = [1.0, 1.75, 2.5];

pub(super) fn parts(setting: &SharcSetting) -> anyhow::Result<Vec<Part>> {
    Ok(vec![targets(setting)?, robustness(setting)?])
}

fn with(setting: &SharcSetting, skew: f64, delta: f64, placement: Placement) -> SharcSetting {
    SharcSetting { shape: Sharc { skew, rate_per_slot: delta, placement, ..setting.shape }, ..setting.clone() }
}

/// One measure of one of our policies beside SHARC's.
struct Target {
    what: &'static str,
    sharc: (&'static str, Estimate),
    ours: (&'static str, Estimate),
    goal: Goal,
    /// Visits, and how many there may be.
    visits: (f64, f64),
}

#[derive(Clone, Copy)]
enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

impl Goal {
    fn is_met(self, value: f64) -> bool {
        match self {
            Goal::AtMost(most) => value <= most,
            Goal::AtLeast(least) => value >= least,
        }
    }

    fn words(self) -> String {
        match self {
            Goal::AtMost(most) => format!("≤ {most}"),
            Goal::AtLeast(least) => format!("≥ {least}"),
        }
    }
}

impl Target {
    fn is_met(&self) -> bool {
        self.goal.is_met(self.ours.1.mean) && self.visits.0 <= self.visits.1
    }

    fn row(&self) -> Vec<Cell> {
        vec![
            Cell::text(self.what),
            Cell::text(self.sharc.0),
            Cell::Estimate(self.sharc.1, 3),
            Cell::text(self.ours.0),
            Cell::Estimate(self.ours.1, 3),
            Cell::text(self.goal.words()),
            Cell::Number(self.visits.0, 1),
            Cell::text(if self.is_met() { "met" } else { "not met" }),
        ]
    }

    fn claim(&self) -> Claim {
        let because = format!("{} has {:.3} with {:.0} visits", self.ours.0, self.ours.1.mean, self.visits.0);
        Claim::goal(format!("{}: {}", self.what, self.goal.words()), self.is_met(), because)
    }
}

fn targets(setting: &SharcSetting) -> anyhow::Result<Part> {
    let mut targets = one_visit(setting)?;
    targets.extend(many_visits(setting)?);
    let mut table = Table::new(["measure", "SHARC", "value of SHARC", "ours", "value", "target", "visits", "verdict"]);
    targets.iter().for_each(|target| table.push(target.row()));
    Ok(Part {
        name: "ours-targets".to_owned(),
        title: "Ours against SHARC: what has to hold".to_owned(),
        text: format!(
            "{} pages, mean of {} sites, values expected with the true rates. Targets are set for {PAGES} pages, and those for sharp \
             pages for Δ 1.7; the one for skew 1.0 (311 by SHARC, at least 410 by ours) is out of reach there, where even the exact \
             optimum is far below it, and belongs to Δ 0.3. Both are shown.",
            setting.pages, setting.seeds
        ),
        table: Some(table),
        picture: None,
        claims: targets.iter().filter(|_| setting.pages == PAGES).map(Target::claim).collect(),
    })
}

fn visits(played: &Played, name: &str) -> f64 {
    played.of(name, |sample| sample.visits).mean
}

/// Expected blur ÷ SHARC-offline's.
fn of_offline(played: &Played, name: &str) -> Estimate {
    let offline = played.of("sharc-offline", |sample| sample.blur).mean;
    played.of(name, |sample| sample.blur / offline)
}

fn one_visit(setting: &SharcSetting) -> anyhow::Result<Vec<Target>> {
    let pages = setting.pages as f64;
    let names = ["sharc-offline", "sharc-online", "explore-first", "sharp"];
    let random = Played::new(&with(setting, 1.75, 1.0, Placement::Random), &names)?;
    let top = Played::new(&with(setting, 1.75, 1.0, Placement::Top), &names)?;
    let target = |what, played: &Played, ours, most, spare| Target {
        what,
        sharc: ("sharc-online", of_offline(played, "sharc-online")),
        ours: (ours, of_offline(played, ours)),
        goal: Goal::AtMost(most),
        visits: (visits(played, ours), pages * spare),
    };
    Ok(vec![
        target("one-visit blur ÷ offline, random placement", &random, "explore-first", 1.02, 1.0),
        target("one-visit blur ÷ offline, hot pages on top", &top, "sharp", 1.0, SPARE),
    ])
}

fn many_visits(setting: &SharcSetting) -> anyhow::Result<Vec<Target>> {
    let top = |skew, delta, names: &[&str]| Played::new(&with(setting, skew, delta, Placement::Top), names);
    let allowed = 2.0 * setting.pages as f64;
    let target = |what, played: &Played, (sharc, ours), goal, allowed: f64| {
        let read = |name: &str| match goal {
            Goal::AtMost(_) => played.of(name, |sample| sample.blur),
            Goal::AtLeast(_) => played.of(name, |sample| sample.sharp),
        };
        Target {
            what,
            sharc: (sharc, read(sharc)),
            ours: (ours, read(ours)),
            goal,
            visits: (visits(played, ours), allowed),
        }
    };
    let blur = top(1.75, 1.0, &["sharc-revisits", "square-root"])?;
    let steep = top(1.75, 1.7, &["sharc-revisits", "sharc-threshold", "pyramid", "both-goals"])?;
    let flat = top(1.0, 1.7, &["sharc-threshold", "pyramid"])?;
    let flat_brisk = top(1.0, 0.3, &["sharc-threshold", "pyramid"])?;
    let sharpest = ("sharc-threshold", "pyramid");
    Ok(vec![
        target(
            "blur with 2 N visits, skew 1.75",
            &blur,
            ("sharc-revisits", "square-root"),
            Goal::AtMost(150.0),
            allowed,
        ),
        target("expected sharp pages, Δ 1.7, skew 1.75", &steep, sharpest, Goal::AtLeast(884.0), allowed),
        target("expected sharp pages, Δ 1.7, skew 1.0", &flat, sharpest, Goal::AtLeast(410.0), allowed),
        target("expected sharp pages, Δ 0.3, skew 1.0", &flat_brisk, sharpest, Goal::AtLeast(410.0), allowed),
        target(
            "one schedule, Δ 1.7, +1 % visits: blur",
            &steep,
            ("sharc-revisits", "both-goals"),
            Goal::AtMost(1150.0),
            allowed * SPARE,
        ),
        target(
            "one schedule, Δ 1.7, +1 % visits: sharp pages",
            &steep,
            ("sharc-threshold", "both-goals"),
            Goal::AtLeast(877.0),
            allowed * SPARE,
        ),
    ])
}

/// A site or a state of knowledge that differs from the paper's.
struct Case {
    placement: &'static str,
    /// What is believed wrongly.
    wrong: &'static str,
    setting: SharcSetting,
}

impl Case {
    fn name(&self) -> String {
        format!("{}, skew {}, {}", self.placement, self.setting.shape.skew, self.wrong)
    }

    /// For the picture, which shows the paper's skew alone.
    fn bar(&self, policy: &str, blur: Estimate) -> Option<Bar> {
        let interval = blur.ci95.map(|[low, high]| (low, high));
        let name = format!("{policy}: {}, {}", self.placement, self.wrong);
        let is_drawn = self.setting.shape.skew == SKEWS[1];
        is_drawn.then_some(Bar { name, value: blur.mean, interval, emphasised: policy == "sharp" })
    }
}

fn cases(setting: &SharcSetting) -> Vec<Case> {
    let mut cases = Vec::new();
    for (place, placement) in [(Placement::Random, "random"), (Placement::Top, "top")] {
        for skew in SKEWS {
            let right = with(setting, skew, 1.0, place);
            let mut case = |wrong, setting| cases.push(Case { placement, wrong, setting });
            case("all known", right.clone());
            case("rates 10 % wrong", SharcSetting { misestimated: 0.1, ..right.clone() });
            case("size +50 %", SharcSetting { size: SizeBelief::Wrong(0.5), ..right.clone() });
            case("size -50 %", SharcSetting { size: SizeBelief::Wrong(-0.5), ..right.clone() });
            case("size unknown", SharcSetting { size: SizeBelief::Unknown, ..right.clone() });
            case("labels 30 % wrong", SharcSetting { mislabelled: (0.3, 0.3), ..right });
        }
    }
    cases
}

fn robustness(setting: &SharcSetting) -> anyhow::Result<Part> {
    let names = ["sharc-online", "explore-first", "sharp"];
    let mut table = Table::new(["sites and knowledge", "sharc-online", "explore-first", "sharp", "visits of sharp"]);
    let (mut bars, mut worse) = (Vec::new(), Vec::new());
    let cases = cases(setting);
    for case in &cases {
        let offline =
            Played::new(&SharcSetting { misestimated: 0.0, seeds: 1, ..case.setting.clone() }, &["sharc-offline"])?;
        let offline = offline.of("sharc-offline", |sample| sample.blur).mean;
        let played = Played::new(&case.setting, &names)?;
        let [online, once, ours] = names.map(|name| played.of(name, |sample| sample.blur / offline));
        let estimates = [online, once, ours].map(|estimate| Cell::Estimate(estimate, 3));
        let visits = Cell::Number(visits(&played, "sharp"), 1);
        table.push([Cell::text(case.name())].into_iter().chain(estimates).chain([visits]).collect());
        bars.extend([("online", online), ("sharp", ours)].into_iter().filter_map(|(name, blur)| case.bar(name, blur)));
        if ours.mean > online.mean {
            worse.push(format!("{}: {:.3} against {:.3}", case.name(), ours.mean, online.mean));
        }
    }
    let because = if worse.is_empty() { format!("in all {} cases", cases.len()) } else { worse.join("; ") };
    let chart = Bars {
        title: "Blur of one capture, SHARC-online and ours".to_owned(),
        caption: format!(
            "{} pages, skew 1.75, {} sites each, 95 % intervals. Less is better.",
            setting.pages, setting.seeds
        ),
        names: "Sites and knowledge".to_owned(),
        value: Axis::linear("Expected blur", "multiple of SHARC-offline's, all rates right"),
        bars,
        reference: Some(("SHARC-offline".to_owned(), 1.0)),
    };
    Ok(Part {
        name: "ours-robustness".to_owned(),
        title: "Ours against SHARC: other sites, wrong rates, wrong sizes".to_owned(),
        text: "Expected blur ÷ SHARC-offline's with all rates right; Δ 1.".to_owned(),
        table: Some(table),
        picture: Some(chart.draw()),
        claims: vec![Claim::goal("sharp has less blur than SHARC-online", worse.is_empty(), because)],
    })
}
