//! Pictures and tables of a run.

use super::{
    play::{capture_one, proved, stood_still},
    player,
    results::{Row, SharcResults},
};
use crate::folder::Folder;
use tintype_picture::{Axis, Bar, Bars, OrganPipes, Picture, Pipe, PipeVerdict};
use tintype_quality::{Estimate, Seen};

/// Whose captures are drawn page by page.
const DRAWN: [&str; 5] = ["sharc-offline", "sharc-online", "sharp", "hottest-first", "sharp --revisit"];

/// What is ours.
const OURS: [&str; 8] = [
    "sharp",
    "sharp --revisit",
    "explore-first",
    "explore-first --revisit",
    "pyramid",
    "both-goals",
    "square-root",
    "better-pairs",
];

pub(super) fn write(folder: &mut Folder, results: &SharcResults, command: &str) -> anyhow::Result<()> {
    let heading = |what: &str| format!("{what}: {}\n\nMade by `{command}`", results.heading());
    folder.table("one-visit", &heading("Blur of one visit per page"), &results.once())?;
    folder.table("revisits", &heading("Visits and revisits"), &results.twice())?;
    folder.picture("one-visit", &one_visit(results))?;
    folder.picture("revisits", &revisits(results))?;
    for name in DRAWN {
        let slug = name.replace(" --", "-");
        folder.picture(&format!("organ-pipes-{slug}"), &organ_pipes(results, name)?)?;
    }
    Ok(())
}

pub(crate) fn is_ours(name: &str) -> bool {
    OURS.contains(&name.trim_end_matches(" (recapture)"))
}

fn bar(row: &Row, estimate: Estimate) -> Bar {
    // Neither blur nor pages can be fewer than none, whatever few sites suggest.
    let interval = estimate.ci95.map(|[low, high]| (low.max(0.0), high));
    Bar { name: row.player.name.clone(), value: estimate.mean, interval, emphasised: is_ours(&row.player.name) }
}

fn one_visit(results: &SharcResults) -> Picture {
    let rows = results.rows.iter().filter(|row| results.visits_once(row));
    let mut bars: Vec<Bar> = rows.map(|row| bar(row, results.of_offline(row))).collect();
    bars.sort_by(|a, b| a.value.total_cmp(&b.value));
    let chart = Bars {
        title: "Blur of a capture with one visit per page".to_owned(),
        caption: format!("{}. Less is better; 95 % intervals over sites; ours darker.", results.heading()),
        names: "Policy".to_owned(),
        value: Axis::linear("Expected blur", "multiple of SHARC-offline's"),
        bars,
        reference: None,
    };
    chart.draw()
}

fn revisits(results: &SharcResults) -> Picture {
    let rows = results.rows.iter().filter(|row| !results.visits_once(row));
    let mut bars: Vec<Bar> = rows.map(|row| bar(row, row.over_sites(|sample| sample.realised_sharp))).collect();
    bars.sort_by(|a, b| b.value.total_cmp(&a.value));
    let chart = Bars {
        title: "Pages proved sharp by visit and revisit".to_owned(),
        caption: format!("{}. More is better; 95 % intervals over sites; ours darker.", results.heading()),
        names: "Policy".to_owned(),
        value: Axis::linear("Sharp pages", "pages"),
        bars,
        reference: Some(("most possible".to_owned(), results.possible_sharp())),
    };
    chart.draw()
}

/// The capture of the first site, page by page.
fn organ_pipes(results: &SharcResults, name: &str) -> anyhow::Result<Picture> {
    let setting = &results.setting;
    let player = player::named(&[name]).remove(0);
    let (taken, truth, rates) = capture_one(setting, &player, 0)?;
    let slot = setting.slot().as_days_f64();
    let (is_sharp, meaning) = if player.revisit {
        (proved(&taken, &truth), "Sharp pages were the same at the visits next to the middle.")
    } else {
        (stood_still(&taken, &truth), "Sharp pages did not change from the first request of the capture to the last.")
    };
    let pipe = |visit: &Seen| Pipe {
        downloaded: (visit.at - setting.start()).as_days_f64() / slot,
        change_rate: rates[visit.page as usize] * slot,
        verdict: if is_sharp[visit.page as usize] { PipeVerdict::Sharp } else { PipeVerdict::Blurred },
    };
    let chart = OrganPipes {
        title: format!("A capture by {name}"),
        caption: format!("{}; the first. {meaning}", results.heading()),
        downloaded: Axis::linear("Requested", "slots since the capture began"),
        change_rate: Axis::logarithmic("Change rate", "expected changes per slot"),
        pipes: taken.visits.iter().map(pipe).collect(),
        spans: Vec::new(),
        moment: None,
    };
    Ok(chart.draw())
}
