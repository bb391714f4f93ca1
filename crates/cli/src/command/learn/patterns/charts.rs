//! Patterns as pictures: the week as a map of hours, the month as a strip of days.

use super::{
    subject::{Factors, Kind, Pattern, Subject, Worth},
    text::{DAYS, clock, headline},
};
use tintype_picture::{Axis, HeatMap, Lines, Picture, Row, Series};
use tintype_vocab::Time;

/// The pictures of a subject with the names of their files; none if it has no pattern.
pub(super) fn of(subject: &Subject, nth: usize) -> Vec<(String, Picture)> {
    let Some(pattern) = &subject.pattern else { return Vec::new() };
    let stem = match subject.kind {
        Kind::Cluster => format!("cluster-{}", nth + 1),
        kind => format!("{}-{}", kind_word(kind), file_name(&subject.name)),
    };
    // The profile of a cluster is found, and believed only if it proves itself.
    let believed = if subject.kind == Kind::Cluster { "The profile found in" } else { "What is believed after" };
    let mut pictures = vec![
        (stem.clone(), week(subject, &pattern.believed, believed)),
        (format!("{stem}-seen"), week(subject, &pattern.seen, "What was seen alone:")),
    ];
    pictures.extend(subject.importance.as_ref().map(|worth| (format!("{stem}-importance"), days(subject, worth))));
    if pattern.slow {
        pictures.push((format!("{stem}-month"), month(subject, pattern)));
    }
    pictures
}

fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Page => "page",
        Kind::Directory => "directory",
        Kind::Site => "site",
        Kind::Cluster => "cluster",
    }
}

/// Every hour of the week.
fn week(subject: &Subject, factors: &Factors, what: &str) -> Picture {
    let row = |(day, name): (usize, &&str)| {
        let hours = if day < 5 { &factors.weekday } else { &factors.weekend };
        Row::new(*name, hours.iter().map(|hour| f64::from(hour * factors.week[day])))
    };
    let hours = factors.weekday.len();
    HeatMap {
        title: format!("When {} changes", subject.name),
        caption: format!("{what} {}", headline(subject)),
        rows_are: "Day".to_owned(),
        columns_are: format!("Hour ({})", clock(subject)),
        columns: (0..hours).step_by((hours / 8).max(1)).map(|hour| (hour, format!("{hour:02}"))).collect(),
        value: times_the_mean(),
        rows: DAYS.iter().enumerate().map(row).collect(),
    }
    .draw()
}

fn month(subject: &Subject, pattern: &Pattern) -> Picture {
    let row = |name, days: &[f32]| Row::new(name, days.iter().map(|factor| f64::from(*factor)));
    HeatMap {
        title: format!("On which days of the month {} changes", subject.name),
        caption: headline(subject),
        rows_are: String::new(),
        columns_are: format!("Day of the month ({})", clock(subject)),
        columns: (0..31).step_by(5).map(|day| (day, (day + 1).to_string())).collect(),
        value: times_the_mean(),
        rows: vec![row("believed", &pattern.believed.month), row("seen", &pattern.seen.month)],
    }
    .draw()
}

/// The importance of every day, those without a change among them.
fn days(subject: &Subject, worth: &Worth) -> Picture {
    let number = |day: &str| Time::parse_rfc3339(&format!("{day}T00:00:00Z")).map_or(0, |day| day.as_secs() / 86_400);
    let first = worth.days.first().map_or(0, |day| number(&day.day));
    let mut points: Vec<(f64, f64)> = Vec::new();
    for day in &worth.days {
        let at = (number(&day.day) - first) as usize;
        points.extend((points.len()..at).map(|day| (day as f64, 0.0)));
        points.push((at as f64, day.importance));
    }
    let since = worth.days.first().map_or(String::new(), |day| format!("days since {}", day.day));
    Lines {
        title: format!("How important the changes of {} are, day by day", subject.name),
        caption: headline(subject),
        x: Axis::linear("Day", &since),
        y: Axis::linear("Importance", "sum of all changes").including(0.0, 1.0),
        series: vec![Series::new("importance", points).emphasised()],
    }
    .draw()
}

fn times_the_mean() -> Axis {
    Axis::linear("Change rate", "times the mean").including(0.0, 2.0)
}

/// A name that any disk takes.
fn file_name(name: &str) -> String {
    let name = name.split_once("://").map_or(name, |(_, rest)| rest);
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    let name: String = name.chars().map(safe).take(80).collect();
    match name.trim_matches(['-', '.']) {
        "" => "all".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_names_that_any_disk_takes() {
        assert_eq!(file_name("https://example.com/a b?c=../d"), "example.com-a-b-c-..-d");
        assert_eq!([file_name("/"), file_name("../..")], ["all", "all"]);
        assert!(file_name(&"x".repeat(1000)).len() <= 80);
    }
}
