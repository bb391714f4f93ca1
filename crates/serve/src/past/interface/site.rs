//! A site: how well it is kept, when it changes, which pages are active, what was captured.

use super::{CaptureRow, Figure, Past, Reply, counted, minutes, not_held, range, rendered};
use askama::Template;
use tintype_archive::Reading;
use tintype_picture::{Axis, HeatMap, Lines, OverTime, Row, Series};
use tintype_session::{Error, PageActivity, SiteOverview, SiteStatus};
use tintype_vocab::{Span, Time};

/// How far back activity is shown.
const WINDOW: Span = Span::from_days(30);
const WINDOW_DAYS: i64 = 30;
const PAGES_SHOWN: usize = 50;
const CAPTURES_SHOWN: usize = 50;
/// With fewer changes nothing can be said about hours.
const CHANGES_MIN: u64 = 5;
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

#[derive(Template)]
#[template(path = "site.html")]
struct Site {
    name: String,
    kept: String,
    warning: Option<String>,
    figures: Vec<Figure>,
    next: String,
    curve: Option<String>,
    days: Option<String>,
    week: Option<String>,
    window: i64,
    pages: Vec<PageRow>,
    pages_in_all: usize,
    captures: Vec<CaptureRow>,
    captures_more: usize,
}

struct PageRow {
    url: String,
    changed: u64,
    visits: u64,
    importance: String,
    last_change: String,
}

pub(super) fn page(past: &Past, name: &str) -> Result<Reply, Error> {
    let now = (past.clock)();
    let Some((collection, reading)) = past.collection_of(name)? else { return Ok(not_held("site", name)) };
    let status = past.statuses.of((collection, reading), name, now)?;
    let overview = SiteOverview::since(reading, name, now - WINDOW)?;
    let (captures, captures_more) = captures(reading, name)?;
    let page = Site {
        name: name.to_owned(),
        kept: kept(&status),
        warning: status.upheaval.as_ref().map(|upheaval| format!("This {upheaval}.")),
        figures: figures(&status, &overview),
        next: next(&status),
        curve: status.completeness.is_some().then(|| curve(&status)),
        days: (overview.days.len() > 1).then(|| days(&overview)),
        week: (overview.all.changed >= CHANGES_MIN).then(|| week(&overview)),
        window: WINDOW_DAYS,
        pages: overview.pages.iter().take(PAGES_SHOWN).map(row).collect(),
        pages_in_all: overview.pages_in_all,
        captures,
        captures_more,
    };
    rendered(200, &page)
}

/// The latest first, and how many more there are.
fn captures(reading: &Reading, name: &str) -> Result<(Vec<CaptureRow>, usize), Error> {
    let mut captures = reading.captures_of(name)?;
    captures.sort_by_key(|info| std::cmp::Reverse(info.head.started));
    let more = captures.len().saturating_sub(CAPTURES_SHOWN);
    Ok((captures.iter().take(CAPTURES_SHOWN).map(CaptureRow::new).collect(), more))
}

fn kept(status: &SiteStatus) -> String {
    match &status.policy {
        Some(policy) => format!("Watched without end by the policy {policy}."),
        None => "Captured, not watched: tintype keep watches it.".to_owned(),
    }
}

fn figures(status: &SiteStatus, overview: &SiteOverview) -> Vec<Figure> {
    let mut figures = vec![Figure::new("Pages", status.pages.to_string(), "known and not gone")];
    if let Some(completeness) = &status.completeness {
        let (mean, ends) = range(completeness, 2);
        figures.push(Figure::new("Completeness", mean, format!("{ends}; last 7 days")));
    }
    if let Some(age) = &status.mean_age_hours {
        let (mean, ends) = range(age, 1);
        figures.push(Figure::new("Age of copies, hours", mean, ends));
    }
    let missed = format!("probably missed {:.1}", status.missed.mean);
    figures.push(Figure::new("Versions caught", status.caught.to_string(), format!("{missed}; last 7 days")));
    let today = format!("{:.1} MB", status.spent_today.bytes as f64 / 1e6);
    figures.push(Figure::new("Requests today", status.spent_today.requests.to_string(), today));
    let failed = overview.all.failed + overview.all.gone;
    let note = format!("of {} in {WINDOW_DAYS} days", counted(overview.all.visits, "request"));
    figures.push(Figure::new("Failed or gone", failed.to_string(), note));
    figures
}

fn next(status: &SiteStatus) -> String {
    let Some(next) = status.next.as_ref().filter(|_| status.policy.is_some()) else { return String::new() };
    let waits = next.wait.map_or(String::new(), |wait| format!(" ({wait})"));
    let worth = status.worth.map_or(String::new(), |worth| format!(", expected to bring {worth:.2} changes"));
    format!("Next: {}{worth}, at {}{waits}.", next.url, minutes(next.at))
}

/// What half, as many and twice the requests would catch.
fn curve(status: &SiteStatus) -> String {
    let points = [0.5, 1.0, 2.0].map(|times| times * status.requests_per_day).into_iter().zip(status.curve);
    let here = [(status.requests_per_day, 0.0), (status.requests_per_day, status.curve[1])];
    let here = Series::new("you are here", here).reference();
    let lines = Lines {
        title: "Completeness against requests".to_owned(),
        caption: "By what is believed of the site's pages. The dashed line is what is spent now.".to_owned(),
        x: Axis::linear("Requests", "a day"),
        y: Axis::linear("Completeness", "share of versions").including(0.0, 1.0),
        series: vec![Series::new("expected", points).emphasised(), here],
    };
    lines.draw().svg().to_owned()
}

fn days(overview: &SiteOverview) -> String {
    let of = |count: fn(&tintype_session::VisitCounts) -> u64| {
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
fn week(overview: &SiteOverview) -> String {
    let row = |(day, name): (usize, &&str)| {
        let share = |counts: &tintype_session::VisitCounts| match counts.visits {
            0 => f64::NAN,
            visits => counts.changed as f64 / visits as f64,
        };
        Row::new(*name, overview.week[day].iter().map(share))
    };
    let map = HeatMap {
        title: "When visits find a change".to_owned(),
        caption: format!(
            "{} found in {WINDOW_DAYS} days; crossed out: not visited.",
            counted(overview.all.changed, "change")
        ),
        rows_are: "Day".to_owned(),
        columns_are: "Hour (UTC)".to_owned(),
        columns: (0..24).step_by(3).map(|hour| (hour, format!("{hour:02}"))).collect(),
        value: Axis::linear("Changed", "share of visits").including(0.0, 1.0),
        rows: WEEKDAYS.iter().enumerate().map(row).collect(),
    };
    map.draw().svg().to_owned()
}

fn row((url, page): &(String, PageActivity)) -> PageRow {
    PageRow {
        url: url.clone(),
        changed: page.counts.changed,
        visits: page.counts.visits,
        importance: if page.counts.changed > 0 { format!("{:.2}", page.importance) } else { String::new() },
        last_change: page.last_change.map_or(String::new(), minutes),
    }
}
