//! Patterns for people to read at a terminal.

use super::subject::{Cluster, Factors, Kind, Noted, Spells, Subject, Worth, WorthOfDay};
use crate::{amount::counted, plain::printable};
use std::fmt::Write;
use tintype_vocab::{Span, Time};

pub(super) const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/// Heights of a bar.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Days of the series that are shown; `--json` has all.
const DAYS_SHOWN: i64 = 42;

/// A label and what stands beside it.
type Line = (&'static str, String);

pub(super) fn of(subjects: &[Subject], bytes_per_page: usize) -> String {
    let mut text = String::new();
    for subject in subjects {
        writeln!(text, "{}", printable(&subject.name)).expect("strings grow");
        for (label, detail) in lines(subject) {
            writeln!(text, "  {label:<14} {}", printable(&detail)).expect("strings grow");
        }
        text.push('\n');
    }
    writeln!(text, "{bytes_per_page} bytes of memory per page that ever changed, however often it was seen")
        .expect("strings grow");
    text
}

fn lines(subject: &Subject) -> Vec<Line> {
    let mut lines = vec![("seen", headline(subject))];
    lines.extend(subject.cluster.iter().flat_map(cluster));
    lines.extend(not_enough(subject).map(|sentence| ("not enough", sentence)));
    if subject.pattern.is_some() {
        lines.push(("change rate", rate(subject)));
        lines.push(("time zone", zone(subject)));
        lines.extend(pattern(subject));
        lines.push(("bursts", bursts(subject.bursts)));
    }
    lines.extend(subject.importance.iter().flat_map(worth));
    lines.extend(breaks(subject));
    lines.extend(next(subject));
    if subject.visits_passed_over > 0 {
        let visits = counted(subject.visits_passed_over, "visit");
        lines.push(("passed over", format!("{visits}: the site has more pages than are looked at")));
    }
    lines
}

/// How much is known.
pub(super) fn headline(subject: &Subject) -> String {
    let (visits, changes) = (counted(subject.visits, "visit"), counted(subject.changes, "change"));
    match subject.kind {
        Kind::Page => format!("{changes} in {}, by {visits}", subject.watched),
        _ => {
            let (pages, changed) = (counted(subject.pages, "page"), subject.pages_changed);
            format!("{changes} of {pages} ({changed} changed) in {}, by {visits}", subject.watched)
        }
    }
}

fn cluster(cluster: &Cluster) -> Vec<Line> {
    let proven = match cluster.proven {
        true => "clusters foretell visits better than the site's rhythm, and are believed",
        false => "clusters do not foretell visits better than the site's rhythm, and are not believed",
    };
    let share = format!("{:.0} % of the pages that change", 100.0 * cluster.share);
    let examples = cluster.examples.iter().enumerate();
    let examples = examples.map(|(nth, page)| (if nth == 0 { "such as" } else { "" }, page.clone()));
    [("share", share), ("", proven.to_owned())].into_iter().chain(examples).collect()
}

fn not_enough(subject: &Subject) -> Option<String> {
    let few = format!("{} in {}", counted(subject.changes, "change"), subject.watched);
    match (subject.shown, &subject.pattern) {
        (Some(Kind::Directory), _) => Some(format!("{few}; shown is what its directory does")),
        (Some(_), _) => Some(format!("{few}; shown is what its site does")),
        (None, None) => Some(format!("{few} say nothing of when; look again after more captures")),
        (None, Some(_)) => None,
    }
}

/// How important changes are: by the hour, and on the latest days.
fn worth(worth: &Worth) -> Vec<Line> {
    let highest = worth.weekday.iter().chain(&worth.weekend).copied().fold(0.0, f64::max);
    let hours = |hours: &[f64]| {
        let (hour, most) = hours
            .iter()
            .copied()
            .enumerate()
            .fold((0, 0.0), |best, (hour, mean)| if mean > best.1 { (hour, mean) } else { best });
        let parts: Vec<f32> = hours.iter().map(|mean| *mean as f32).collect();
        format!("{}  most at {hour:02} h, {most:.3} a page", bars(&parts, highest as f32))
    };
    let mut lines = vec![("importance", hours(&worth.weekday)), ("on weekends", hours(&worth.weekend))];
    let most = worth.days.iter().max_by(|one, two| one.importance.total_cmp(&two.importance));
    let Some((most, latest)) = most.zip(worth.days.last()) else { return lines };
    let series = latest_days(&worth.days, latest);
    let first =
        Time::parse_rfc3339(&format!("{}T00:00:00Z", latest.day)).map(|day| day - Span::from_days(DAYS_SHOWN - 1));
    let first = first.map_or(String::new(), |day| format!("  from {}", &day.to_rfc3339()[..10]));
    lines.push(("day by day", format!("{}{first}", bars(&series, most.importance as f32))));
    let changes = counted(most.changes, "change");
    lines.push(("", format!("most on {}: {:.2} in {changes}", most.day, most.importance)));
    lines
}

/// The importance of every day of the latest weeks, those without a change among them.
fn latest_days(days: &[WorthOfDay], latest: &WorthOfDay) -> Vec<f32> {
    let number = |day: &str| Time::parse_rfc3339(&format!("{day}T00:00:00Z")).map_or(0, |day| day.as_secs() / 86_400);
    let last = number(&latest.day);
    let mut series = vec![0.0; DAYS_SHOWN as usize];
    for day in days {
        let ago = last - number(&day.day);
        if ago < DAYS_SHOWN {
            series[(DAYS_SHOWN - 1 - ago) as usize] = day.importance as f32;
        }
    }
    series
}

/// The clock that hours are told by.
pub(super) fn clock(subject: &Subject) -> String {
    match subject.time_zone {
        Some(zone) if zone.hours_ahead != 0 => format!("UTC{:+}", zone.hours_ahead),
        _ => "UTC".to_owned(),
    }
}

fn zone(subject: &Subject) -> String {
    let Some(zone) = subject.time_zone else {
        return "not known, because changes show no night; hours are UTC".to_owned();
    };
    let sure = 100.0 * zone.confidence;
    format!("{} give or take 2 h, {sure:.0} % sure, by when its people sleep", clock(subject))
}

fn rate(subject: &Subject) -> String {
    let each = if subject.kind == Kind::Page { "" } else { " per page" };
    match subject.changes_per_day {
        rate if rate >= 1.0 => format!("{rate:.1} a day{each}"),
        rate if rate > 1.0 / 3650.0 => format!("once in {:.1} days{each}", 1.0 / rate),
        _ => format!("less than once in ten years{each}"),
    }
}

/// By hour, day of the week and, for slow pages, day of the month: what is believed, and what was seen where that looks
/// otherwise.
fn pattern(subject: &Subject) -> Vec<Line> {
    let Some(pattern) = &subject.pattern else { return Vec::new() };
    let [believed, seen] = [&pattern.believed, &pattern.seen].map(|factors| rows(factors, pattern.slow));
    let mut lines = Vec::new();
    for ((label, believed), (_, seen)) in believed.into_iter().zip(seen) {
        let same = believed == seen;
        lines.push((label, format!("{believed}{}", if same { "" } else { "  believed" })));
        lines.extend((!same).then(|| ("", format!("{seen}  seen"))));
        if label == "weekends" {
            lines.push(("", format!("0     6     12    18     {}", clock(subject))));
        }
    }
    lines.extend(pattern.slow.then(|| ("", "1   5    10   15   20   25   30".to_owned())));
    lines
}

fn rows(factors: &Factors, slow: bool) -> Vec<Line> {
    let [weekday, weekend] = factors.hours();
    let highest = highest(&weekday).max(highest(&weekend));
    let hours = |hours: &[f32]| format!("{}  {}", bars(hours, highest), busiest(hours));
    let days: Vec<String> = DAYS.iter().zip(&factors.week).map(|(day, factor)| format!("{day} {factor:.1}")).collect();
    let mut rows =
        vec![("weekdays", hours(&weekday)), ("weekends", hours(&weekend)), ("days of week", days.join("  "))];
    if slow {
        rows.push(("days of month", bars(&factors.month, self::highest(&factors.month))));
    }
    rows
}

fn highest(values: &[f32]) -> f32 {
    values.iter().copied().fold(0.0, f32::max)
}

fn bars(values: &[f32], highest: f32) -> String {
    let height = |value: &f32| (value / highest.max(f32::MIN_POSITIVE) * BARS.len() as f32).ceil() as usize;
    values.iter().map(|value| BARS[height(value).clamp(1, BARS.len()) - 1]).collect()
}

fn busiest(hours: &[f32]) -> String {
    let busiest = hours.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    let stands_out = busiest.filter(|(_, factor)| **factor > 1.1 * hours.iter().sum::<f32>() / hours.len() as f32);
    let words = |(hour, factor)| format!("at {hour:02} h {factor:.1} times the mean");
    stands_out.map_or("no hour stands out".to_owned(), words)
}

fn bursts(spells: Option<Spells>) -> String {
    let Some(spells) = spells else { return "none: changes come one by one".to_owned() };
    let length = Span::from_millis((spells.days * 86_400_000.0) as i64);
    let [changes, time] = [spells.share_of_changes, spells.share_of_time].map(|share| 100.0 * share);
    format!("{changes:.0} % of changes come in {time:.1} % of the time, in spells of {length}")
}

fn breaks(subject: &Subject) -> Vec<Line> {
    let each = |noted: &Noted| {
        let page = if subject.kind == Kind::Page { String::new() } else { format!("  {}", noted.page) };
        match (noted.what, &noted.until) {
            ("silence", Some(until)) => format!("silent from {} to {until}{page}", noted.at),
            ("silence", None) => format!("silent since {}{page}", noted.at),
            _ => format!("livelier since {}{page}", noted.at),
        }
    };
    let further = subject.breaks_in_all - subject.breaks.len();
    let further = (further > 0).then(|| format!("and {further} earlier"));
    let all = subject.breaks.iter().map(each).chain(further).enumerate();
    all.map(|(nth, line)| (if nth == 0 { "broken habits" } else { "" }, line)).collect()
}

fn next(subject: &Subject) -> Vec<Line> {
    let Some(next) = &subject.next else { return Vec::new() };
    let offset = subject.time_zone.map_or(Span::ZERO, |zone| Span::from_secs(3600 * zone.hours_ahead));
    let which = if subject.kind == Kind::Page { "" } else { "of some page " };
    let odds = match next.even_odds_at {
        Some(at) => format!("{which}by {}, as likely as not", local(at, offset)),
        None => "not within ten years".to_owned(),
    };
    let busiest = format!("{} ({}), within a week", local(next.busiest_at, offset), clock(subject));
    vec![("next change", odds), ("busiest hour", busiest)]
}

/// `Tue 2026-11-17 09:00` by the site's clock.
fn local(time: Time, offset: Span) -> String {
    let there = time + offset;
    let day = there.as_secs().div_euclid(86_400) + 3;
    let text = there.to_rfc3339_secs();
    format!("{} {} {}", DAYS[day.rem_euclid(7) as usize], &text[..10], &text[11..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_high_as_their_values() {
        assert_eq!(bars(&[0.0, 1.0, 4.0, 8.0], 8.0), "▁▁▄█");
        assert_eq!(bars(&[0.0, 0.0], 0.0), "▁▁");
        assert_eq!(busiest(&[0.5, 1.5]), "at 01 h 1.5 times the mean");
        assert_eq!(busiest(&[1.0, 1.02]), "no hour stands out");
    }

    #[test]
    fn moments_are_told_by_the_site_s_clock() {
        let sunday_night = Time::parse_rfc3339("2026-11-15T21:55:03Z").unwrap();
        assert_eq!(local(sunday_night, Span::ZERO), "Sun 2026-11-15 21:55");
        assert_eq!(local(sunday_night, Span::from_secs(9 * 3600)), "Mon 2026-11-16 06:55");
    }
}
