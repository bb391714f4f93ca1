//! Figure 4: how change rates lie over the time of a capture, with and without a middle phase.

use super::{
    super::part::{Claim, Part},
    Played,
};
use crate::{
    sharc::play::capture_one,
    sharc::player,
    sharc::setting::SharcSetting,
    table::{Cell, Table},
};
use tintype_picture::{Axis, Lines, Series};
use tintype_world::synthetic::{Placement, Sharc};

const NAMES: [&str; 3] = ["sharc-offline", "sharc-online", "without a middle phase"];
const BINS: usize = 48;

pub(super) fn parts(setting: &SharcSetting) -> anyhow::Result<Vec<Part>> {
    [("a", 1.0), ("b", 1.75)].into_iter().map(|(letter, skew)| part(setting, letter, skew)).collect()
}

fn part(setting: &SharcSetting, letter: &str, skew: f64) -> anyhow::Result<Part> {
    let shape = Sharc { skew, placement: Placement::Random, ..setting.shape };
    let setting = SharcSetting { shape, ..setting.clone() };
    let courses = NAMES.iter().map(|name| course(&setting, name)).collect::<anyhow::Result<Vec<_>>>()?;
    let played = Played::new(&setting, &NAMES)?;
    let of_offline = |name: &str| played.exact_blur(name) / played.exact_blur(NAMES[0]);
    let (online, pipes) = (of_offline(NAMES[1]), of_offline(NAMES[2]));
    let claim = Claim::new(
        "without the middle phase the result is worse than SHARC-online's",
        pipes > online,
        format!("exact blur ÷ offline: online {online:.3}, without a middle phase {pipes:.3}"),
    );
    Ok(Part {
        name: format!("figure-4{letter}"),
        title: format!("Figure 4({letter}): average change rates over the time of a capture, skew {skew}"),
        text: format!("Hot pages at random places, mean of {} sites.", setting.seeds),
        table: Some(table(&courses)),
        picture: Some(picture(&courses, skew, setting.seeds)),
        claims: vec![claim],
    })
}

/// The mean rate per slot in each part of the capture.
fn course(setting: &SharcSetting, name: &str) -> anyhow::Result<Vec<f64>> {
    let player = player::named(&[name]).remove(0);
    let mut sums = vec![(0.0, 0usize); BINS.min(setting.pages)];
    let bins = sums.len();
    for nth in 0..setting.seeds {
        let (taken, _, rates) = capture_one(setting, &player, nth)?;
        let slots_per_day = 1.0 / setting.slot().as_days_f64();
        for (slot, visit) in taken.visits.iter().enumerate() {
            let (sum, count) = &mut sums[slot * bins / taken.visits.len()];
            *sum += rates[visit.page as usize] / slots_per_day;
            *count += 1;
        }
    }
    Ok(sums.into_iter().map(|(sum, count)| sum / count.max(1) as f64).collect())
}

fn place(nth: usize, bins: usize) -> f64 {
    (nth as f64 + 0.5) / bins as f64
}

fn table(courses: &[Vec<f64>]) -> Table {
    let mut table = Table::new(std::iter::once("part of the capture").chain(NAMES));
    for nth in 0..courses[0].len() {
        let rates = courses.iter().map(|course| Cell::Number(course[nth], 6));
        let place = format!("{:.3}", place(nth, courses[0].len()));
        table.push(std::iter::once(Cell::text(place)).chain(rates).collect());
    }
    table
}

fn picture(courses: &[Vec<f64>], skew: f64, sites: u64) -> tintype_picture::Picture {
    let series = NAMES.iter().zip(courses).map(|(name, course)| {
        let points = course.iter().enumerate().map(|(nth, rate)| (place(nth, course.len()), *rate));
        let series = Series::new(*name, points);
        if *name == NAMES[0] { series.reference() } else { series }
    });
    let chart = Lines {
        title: format!("Organ pipes on average, skew {skew}"),
        caption: format!("Mean change rate of the pages requested in each part of a capture, {sites} sites."),
        x: Axis::linear("Time", "share of the capture").including(0.0, 1.0),
        y: Axis::logarithmic("Change rate", "changes per slot"),
        series: series.collect(),
    };
    chart.draw()
}
