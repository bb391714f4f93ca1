//! What other settings will cost, before they are saved: by what is believed of the site now.

use super::{
    Frame, Past, Reply, catalogue, counted, rendered,
    settings::{Changed, SettingRow},
};
use crate::past::{ask::Ask, prepared::NotReady};
use askama::Template;
use std::sync::Arc;
use tintype_quality::completeness_with;
use tintype_session::SiteStatus;

/// Of a share of requests the gain of one more is measured over.
const STEP: f64 = 0.01;
/// Beyond it nobody reckons: so many times the requests of now.
const TIMES_MAX: f64 = 100.0;

#[derive(Template)]
#[template(path = "reckoning.html")]
struct Reckoning {
    frame: Frame,
    site: String,
    collection: usize,
    now: String,
    rows: Vec<Row>,
    hidden: Vec<(&'static str, String)>,
}

struct Row {
    name: &'static str,
    before: String,
    after: String,
    cost: String,
}

pub(super) fn page(
    past: &Arc<Past>,
    ask: &Ask,
    collection: usize,
    site: &str,
    rows: &[SettingRow],
    changed: &[Changed],
) -> Result<Reply, NotReady> {
    let status = catalogue::status(past, collection, site)?;
    let budget = past.settings(collection).requests_per_day;
    let row = |(key, after): &Changed| {
        let known = rows.iter().find(|row| row.key == *key)?;
        let cost = cost(key, &known.value, after, &status, budget);
        Some(Row { name: known.name, before: known.value.clone(), after: after.clone(), cost })
    };
    let shown = status.completeness.as_ref().map_or(String::new(), |of| format!(", completeness {:.2}", of.mean));
    let hidden = rows.iter().map(|row| {
        let other = changed.iter().find(|(key, _)| key == row.key);
        (row.key, other.map_or(row.value.clone(), |(_, value)| value.clone()))
    });
    let page = Reckoning {
        frame: Frame::new(past, ask),
        site: site.to_owned(),
        collection,
        now: format!("{:.0} requests a day{shown}, {} pages", status.requests_per_day, status.pages),
        rows: changed.iter().filter_map(row).collect(),
        hidden: hidden.collect(),
    };
    rendered(200, &page)
}

/// A sentence about one setting.
fn cost(key: &str, before: &str, after: &str, status: &SiteStatus, budget: Option<f64>) -> String {
    let (now, pages) = (status.requests_per_day, status.pages as f64);
    let expected = |per_day: f64| {
        let share = status.completeness.as_ref().map(|of| completeness_with(per_day / now.max(1e-9), of.mean));
        let share = share.map_or(String::new(), |share| format!(", expected completeness {share:.2}"));
        format!("about {} a day instead of {now:.0}{share}", counted(per_day.round() as u64, "request"))
    };
    let number = |text: &str| {
        let digits = text.trim().find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.trim().len());
        text.trim()[..digits].parse::<f64>().ok().filter(|number| number.is_finite())
    };
    match (key, number(after)) {
        ("weight", _) if status.policy.is_none() || status.completeness.is_none() => {
            "nothing as long as it is not watched: weights share a budget among watched sites".to_owned()
        }
        ("weight", weight) => {
            let (old, new) = (number(before).unwrap_or(1.0), weight.unwrap_or(1.0));
            let mean = status.completeness.as_ref().map_or(0.0, |of| of.mean);
            let per_day = (now * times(mean, new / old.max(1e-9))).min(budget.unwrap_or(f64::INFINITY));
            let others = match budget {
                Some(_) if per_day > now => format!("; the other sites have {:.0} a day less", per_day - now),
                Some(_) => format!("; the other sites have {:.0} a day more", now - per_day),
                None => String::new(),
            };
            format!("{}{others}", expected(per_day))
        }
        ("ceiling", Some(ceiling)) if after.contains("/day") && !after.trim_start().contains('B') => {
            match ceiling < now {
                true => expected(ceiling),
                false => format!("nothing now: it takes {now:.0} requests a day"),
            }
        }
        ("ceiling", None) => "what the budget of all sites allows".to_owned(),
        ("capture-every", Some(every)) if every > 0.0 => {
            let days = match after.trim().chars().last() {
                Some('h') => every / 24.0,
                Some('w') => every * 7.0,
                _ => every,
            };
            let per_day = pages / days;
            format!(
                "about {pages:.0} requests each time, {per_day:.0} a day on average, besides {now:.0} for what changes"
            )
        }
        ("capture-every", _) => "no dated whole: nothing is asked for only to have everything of one time".to_owned(),
        ("hours", _) => match hours(after) {
            Some(open) => {
                let shut = 24.0 - open;
                format!(
                    "asked within {open:.0} hours of the day; what changes outside is found up to {shut:.0} h later, {:.1} h on average over all changes",
                    shut * shut / 48.0
                )
            }
            None => "asked at any hour".to_owned(),
        },
        ("budget", Some(requests))
            if !after
                .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
                .starts_with(['k', 'M', 'G', 'T', 'B']) =>
        {
            match requests < pages {
                true => format!("a capture leaves out about {:.0} of {pages:.0} pages", pages - requests),
                false => format!("nothing now: there are {pages:.0} pages"),
            }
        }
        ("delay", Some(delay)) => {
            let hours = delay * pages / 3600.0;
            let most = if delay > 0.0 { 86_400.0 / delay } else { f64::INFINITY };
            let limit =
                if most < now { format!(", and watching is held to {most:.0} requests a day") } else { String::new() };
            format!("a capture of {pages:.0} pages takes at least {hours:.1} h{limit}")
        }
        ("depth" | "scope" | "include" | "exclude", _) => {
            format!("which pages that reaches is known when it was captured once; now there are {pages:.0}")
        }
        _ => "cannot be reckoned".to_owned(),
    }
}

/// How many times the requests are worth their price when changes count so many times what they did: requests go on until one
/// more brings no more than it did before.
fn times(completeness: f64, weight: f64) -> f64 {
    let gain = |times: f64| completeness_with(times + STEP, completeness) - completeness_with(times, completeness);
    let price = gain(1.0);
    let (mut low, mut high) = (0.0, TIMES_MAX);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if weight * gain(middle) > price { low = middle } else { high = middle }
    }
    low
}

/// Hours of a day within `22:00-06:00`.
fn hours(text: &str) -> Option<f64> {
    let time = |text: &str| {
        let (hour, minute) = text.trim().split_once(':')?;
        Some(hour.parse::<f64>().ok()? + minute.parse::<f64>().ok()? / 60.0)
    };
    let (from, to) = text.split_once('-')?;
    Some((time(to)? - time(from)?).rem_euclid(24.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_weight_draws_requests_and_less_lets_them_go() {
        let of = [0.2, 0.5, 1.0, 2.0, 5.0].map(|weight| times(0.6, weight));
        assert!(of.is_sorted() && (of[2] - 1.0).abs() < 0.02, "{of:?}");
        assert!(of[3] > 1.2 && of[3] < 2.0, "twice the weight is less than twice the requests: {of:?}");
        assert!(times(0.6, 0.0) < 0.01);
    }

    #[test]
    fn hours_go_past_midnight() {
        assert_eq!(["22:00-06:00", "06:00-22:30"].map(hours), [Some(8.0), Some(16.5)]);
        assert_eq!(["", "9-5"].map(hours), [None, None]);
    }
}
