//! What a site page draws: requests against quality, days, the hours of the week, captures with what is proved of them.

use super::{COMPLETE, CaptureRow, Past, counted};
use crate::past::prepared::{NotReady, Prepared};
use std::sync::Arc;
use tintype_archive::{CaptureInfo, CaptureKind};
use tintype_picture::{Axis, Lines, OverTime, Series};
use tintype_quality::certificate::Certificate;
use tintype_session::{SiteOverview, SiteStatus, VisitCounts, certify};
use tintype_vocab::Time;

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/// Captures that are drawn, the latest.
const BARS: usize = 60;
/// With fewer visits in an hour of the week the share of changes says nothing.
const VISITS_MIN: u64 = 1;

/// A capture on the timeline.
#[derive(Debug)]
pub(super) struct Bar {
    pub(super) address: String,
    pub(super) title: String,
    /// Of the largest, in percent.
    pub(super) height: u64,
    /// Of its pages those that are proved, in percent.
    pub(super) proved: u64,
    /// Its colour: nothing where visits were made twice.
    pub(super) class: &'static str,
    /// The day.
    pub(super) began: String,
}

/// A day of the week with its hours.
pub(super) struct WeekRow {
    pub(super) name: &'static str,
    pub(super) hours: Vec<Hour>,
}

pub(super) struct Hour {
    /// The share of visits that found a change, in percent of the highest; nothing where nobody looked.
    pub(super) percent: Option<u64>,
    pub(super) title: String,
}

/// What half, as many and twice the requests would catch.
pub(super) fn curve(status: &SiteStatus) -> Option<String> {
    let shares = status.curve?;
    let points = [0.5, 1.0, 2.0].map(|times| times * status.requests_per_day).into_iter().zip(shares);
    let here = [(status.requests_per_day, 0.0), (status.requests_per_day, shares[1])];
    let here = Series::new("you are here", here).reference();
    let lines = Lines {
        title: "Completeness against requests".to_owned(),
        caption: "By what is believed of the site's pages. The dashed line is what is spent now.".to_owned(),
        x: Axis::linear("Requests", "a day"),
        y: Axis::linear("Completeness", "share of versions").including(0.0, 1.0),
        series: vec![Series::new("expected", points).emphasised(), here],
    };
    Some(lines.draw().svg().to_owned())
}

pub(super) fn days(overview: &SiteOverview) -> String {
    let of = |count: fn(&VisitCounts) -> u64| {
        overview.days.iter().map(move |(day, counts)| (*day, count(counts) as f64)).collect::<Vec<(Time, f64)>>()
    };
    let chart = OverTime {
        title: "Visits and what they found".to_owned(),
        caption: String::new(),
        time: "Day".to_owned(),
        y: Axis::linear("Visits", "a day").including(0.0, 1.0),
        series: vec![
            Series::over_time("visits", of(|counts| counts.visits)),
            Series::over_time("changed or new", of(|counts| counts.changed + counts.first_seen)).emphasised(),
        ],
    };
    chart.draw().svg().to_owned()
}

/// The share of visits that found a change, by hour and weekday.
pub(super) fn week(overview: &SiteOverview) -> Vec<WeekRow> {
    let share = |counts: &VisitCounts| counts.changed as f64 / counts.visits.max(1) as f64;
    let highest = overview.week.iter().flatten().map(share).fold(0.0, f64::max).max(1e-9);
    let hour = |day: usize, hour: usize| {
        let counts = &overview.week[day][hour];
        let found = format!("{} found {}", counted(counts.visits, "visit"), counted(counts.changed, "change"));
        Hour {
            percent: (counts.visits >= VISITS_MIN).then(|| (100.0 * share(counts) / highest).round() as u64),
            title: format!("{} {hour:02}:00 UTC: {found}", WEEKDAYS[day]),
        }
    };
    (0..7).map(|day| WeekRow { name: WEEKDAYS[day], hours: (0..24).map(|at| hour(day, at)).collect() }).collect()
}

/// The latest captures, as high as they have pages, with what is proved of them.
pub(super) fn bars(past: &Arc<Past>, collection: usize, site: &str) -> Result<Arc<Vec<Bar>>, NotReady> {
    let name = site.to_owned();
    Prepared::get(
        past,
        |past| &past.interface.timelines,
        (collection, site.to_owned()),
        move |past| {
            let reading = past.collection(collection)?;
            let mut captures = reading.captures_of(&name)?;
            captures.retain(|info| info.head.kind == CaptureKind::Capture && info.end.is_some());
            captures.drain(..captures.len().saturating_sub(BARS));
            let certified = captures.into_iter().map(|info| Ok((certify(reading, &info)?, info)));
            let certified: Vec<(Certificate, CaptureInfo)> =
                certified.collect::<Result<_, tintype_session::Error>>()?;
            let most = certified.iter().map(|(certificate, _)| certificate.captured).max().unwrap_or(1).max(1);
            Ok(certified.iter().map(|(certificate, info)| bar(certificate, info, most)).collect())
        },
    )
}

fn bar(of: &Certificate, info: &CaptureInfo, most: u64) -> Bar {
    let row = CaptureRow::new(info);
    let missing: u64 = of.failures.values().sum();
    let missing = if missing > 0 { format!(", {missing} missing") } else { String::new() };
    let sharp = if of.revisits > 0 { format!(", {} proved sharp", of.sharp.proved) } else { String::new() };
    Bar {
        title: format!("{}: {}, {}{missing}{sharp}", row.started, row.ending, counted(of.captured, "page")),
        address: format!("/capture/{}", row.id),
        height: (100 * of.captured / most).max(4),
        proved: 100 * of.sharp.proved / of.captured.max(1),
        class: match row.ending == COMPLETE {
            false => "cut",
            true if of.revisits == 0 => "once",
            true => "",
        },
        began: row.started.chars().take("2026-11-15".len()).collect(),
    }
}
