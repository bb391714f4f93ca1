//! How a copy goes stale, for people to read at a terminal.

use super::{AHEAD, SourceReport};
use crate::copy_charts::law_words;
use std::fmt::Write;
use tintype_learn::life::{KaplanMeier, Profile};
use tintype_vocab::{CopyMeasure, Span, amount::counted, plain::printable};
use tintype_world::source::{Aged, Looked, Unit};

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/// Eighths of a cell.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Size of a chart in cells.
const WIDE: usize = 48;
const HIGH: usize = 4;
/// A rhythm that chance alone shows less often is believed.
const CHANCE_MAX: f64 = 0.01;
/// Views worth less than this are not told.
const WORTH_MIN: f64 = 0.1;

/// A label and what stands beside it.
type Line = (&'static str, String);

pub(super) fn of(subject: &SourceReport) -> String {
    let mut text = format!("{}\n", printable(&subject.copies.name));
    for (label, detail) in lines(subject) {
        writeln!(text, "  {label:<14} {}", printable(&detail)).expect("strings grow");
    }
    text.push('\n');
    text
}

fn lines(subject: &SourceReport) -> Vec<Line> {
    let mut lines = vec![("seen", seen(subject))];
    lines.extend(subject.copies.source.findings().sentences().into_iter().map(|finding| ("warning", finding)));
    let unit = subject.copies.unit();
    for (label, rot) in ["copy precision", "copy recall"].into_iter().zip(&subject.rot) {
        lines.extend(chart(label, rot, unit));
    }
    lines.extend(CopyMeasure::ALL.map(|measure| half_life(subject, measure)));
    lines.extend(arrivals(subject));
    lines.push(("by weekday", weekday(&subject.weekday)));
    lines.extend(subject.hour.as_ref().map(|hour| ("by hour (UTC)", hours(hour))));
    lines.extend(stay(subject));
    lines.extend(leaving(subject, unit));
    lines.extend(groups(subject));
    for measure in CopyMeasure::ALL {
        lines.push(believed(subject, measure));
        lines.push(ahead(subject, measure));
    }
    lines.push(("next crawl", next(subject)));
    lines
}

fn seen(subject: &SourceReport) -> String {
    let (source, looks) = (&subject.copies.source, subject.copies.source.looks());
    let watched = looks.last().zip(looks.first()).map_or(Span::ZERO, |(last, first)| *last - *first);
    let lives = counted(source.lives().len() as u64, "object");
    let crawls = counted(looks.len() as u64, "crawl");
    format!("{lives} in {watched} by {crawls}; {} there at the last one", subject.size())
}

/// The curve in blocks, with what it begins and ends with.
fn chart(label: &'static str, rot: &[Aged], unit: Unit) -> Vec<Line> {
    let Some(oldest) = rot.last().filter(|_| rot.len() > 2) else {
        return vec![(label, "too few crawls to tell".to_owned())];
    };
    let columns: Vec<f64> = (0..WIDE).map(|column| at(rot, oldest.days * column as f64 / (WIDE - 1) as f64)).collect();
    let mut lines: Vec<Line> = (0..HIGH)
        .rev()
        .map(|row| {
            let cell =
                |quality: &f64| BLOCKS[((quality * HIGH as f64 - row as f64).clamp(0.0, 1.0) * 8.0).round() as usize];
            let cells: String = columns.iter().map(cell).collect();
            let scale = if row == HIGH - 1 {
                "1.0"
            } else if row == 0 {
                "0.0"
            } else {
                "   "
            };
            (if row == HIGH - 1 { label } else { "" }, format!("{scale} {cells}"))
        })
        .collect();
    let end = format!("{:.1} {} old", unit.of_days(oldest.days), unit.name);
    lines.push(("", format!("    new{end:>width$}", width = WIDE - 3)));
    lines
}

/// Between the ages of a curve.
fn at(rot: &[Aged], days: f64) -> f64 {
    let after = rot.partition_point(|aged| aged.days < days).clamp(1, rot.len() - 1);
    let (before, after) = (rot[after - 1], rot[after]);
    before.mean + (after.mean - before.mean) * (days - before.days) / (after.days - before.days)
}

fn half_life(subject: &SourceReport, measure: CopyMeasure) -> Line {
    let (past, foretold) = subject.half_life(measure);
    let unit = subject.copies.unit();
    let past = past.map_or("not seen yet".to_owned(), |days| format!("{:.1} {}", unit.of_days(days), unit.name));
    let foretold = foretold.map_or("more than a century".to_owned(), |span| {
        format!("{:.1} {}", unit.of_days(span.as_days_f64()), unit.name)
    });
    let label = if measure == CopyMeasure::Precision { "half-life" } else { "" };
    (label, format!("of copy {}: {past} for past copies, {foretold} predicted for the last one", measure.name()))
}

fn arrivals(subject: &SourceReport) -> Vec<Line> {
    let Some(arrivals) = &subject.arrivals else { return vec![("arrivals", "none".to_owned())] };
    let step = subject.copies.grid.step();
    let empty = 100.0 * arrivals.empty_share;
    let first = format!("{:.2} per {step}, nothing in {empty:.0} % of the steps", arrivals.mean);
    let gamma = arrivals
        .gamma
        .map(|gamma| format!("; Gamma of shape {:.2} and scale {:.2} where something came", gamma.shape, gamma.scale));
    let fits: Vec<String> =
        arrivals.fits.iter().map(|fit| format!("{} {:.0}", law_words(&fit.law), fit.aic())).collect();
    vec![
        ("arrivals", format!("{first}{}", gamma.unwrap_or_default())),
        ("", format!("best law first, by Akaike's criterion: {}", fits.join(", "))),
    ]
}

fn bars(means: &[Option<f64>]) -> Vec<char> {
    let most = means.iter().flatten().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let bar = |mean: &Option<f64>| mean.map_or(' ', |mean| BLOCKS[((mean / most * 8.0).round() as usize).clamp(1, 8)]);
    means.iter().map(bar).collect()
}

fn is_rhythm(profile: &Profile) -> bool {
    profile.chance < CHANCE_MAX
}

fn explained(profile: &Profile) -> String {
    match is_rhythm(profile) {
        true => format!("explains {:.0} % of how arrivals vary", 100.0 * profile.explained),
        false => "no more than chance".to_owned(),
    }
}

fn weekday(profile: &Profile) -> String {
    let days = DAYS.iter().zip(bars(&profile.means)).map(|(day, bar)| format!("{day} {bar}"));
    format!("{}  {}", days.collect::<Vec<_>>().join(" "), explained(profile))
}

fn hours(profile: &Profile) -> String {
    format!("{}  {}", bars(&profile.means).into_iter().collect::<String>(), explained(profile))
}

fn stay(subject: &SourceReport) -> Vec<Line> {
    let (unit, seen) = (subject.copies.unit(), KaplanMeier::of(&subject.lives));
    let quartile =
        |share: f64| seen.quantile(share).map_or("?".to_owned(), |days| format!("{:.1}", unit.of_days(days)));
    let [quarter, half, most] = [0.25, 0.5, 0.75].map(quartile);
    let lives = format!("{} lives, {} of them seen to end", subject.lives.count(), subject.lives.ended());
    let gone =
        format!("a quarter is gone after {quarter} {}, half after {half}, three quarters after {most}", unit.name);
    let fits = subject
        .fits
        .iter()
        .map(|fit| format!("{} {:.0} (off by {:.3} at most)", fit.survival.family.name(), fit.aic(), fit.gap));
    let fits: Vec<String> = fits.collect();
    let mut lines = vec![("objects stay", format!("{gone} ({lives})"))];
    lines.extend((!fits.is_empty()).then(|| ("", format!("best law first: {}", fits.join(", ")))));
    lines
}

fn leaving(subject: &SourceReport, unit: Unit) -> Option<Line> {
    let rate = |days: f64| 100.0 * days / unit.of_days(1.0);
    let stretches = subject.hazard.iter().map(|stretch| {
        let (from, to) = (unit.of_days(stretch.from_days), unit.of_days(stretch.to_days));
        format!("{from:.0}–{to:.0}: {:.2} %", rate(stretch.rate_per_day()))
    });
    let stretches: Vec<String> = stretches.collect();
    let one = unit.name.trim_end_matches('s');
    (!stretches.is_empty()).then(|| {
        ("leave by age", format!("{} of age: share that leaves in a {one}; {}", unit.name, stretches.join(", ")))
    })
}

fn groups(subject: &SourceReport) -> Vec<Line> {
    let line = |looked: &Looked| {
        let count = looked.by_likelihood();
        match count {
            1 => format!("not by {}", looked.attribute),
            _ => format!("by {}, slowest first: {}", looked.attribute, looked.cuts[count - 1].groups.join(" ")),
        }
    };
    let label = |nth: usize| if nth == 0 { "leave apart" } else { "" };
    subject.groups.iter().map(line).enumerate().map(|(nth, line)| (label(nth), line)).collect()
}

fn believed(subject: &SourceReport, measure: CopyMeasure) -> Line {
    let mut models = subject.decay.models(measure);
    models.retain(|(_, worth)| *worth >= WORTH_MIN);
    models.sort_by(|a, b| b.1.total_cmp(&a.1));
    let models: Vec<String> = models.iter().map(|(name, worth)| format!("{name} {:.0} %", 100.0 * worth)).collect();
    let label = if measure == CopyMeasure::Precision { "believed" } else { "" };
    (label, format!("of copy {}: {}", measure.name(), models.join(", ")))
}

fn ahead(subject: &SourceReport, measure: CopyMeasure) -> Line {
    let step = subject.copies.grid.step();
    let foretold = subject.ahead(measure, AHEAD).into_iter().map(|(steps, forecast)| {
        let (low, high) = SourceReport::interval(&forecast);
        format!("{} {:.3} ({low:.3}–{high:.3})", step * i64::from(steps), forecast.mean)
    });
    ("", format!("predicted after {}", foretold.collect::<Vec<_>>().join(", ")))
}

fn next(subject: &SourceReport) -> String {
    let targets = subject.promise.targets().map(|(measure, target)| format!("{} of {target}", measure.name()));
    let promise = format!("for a copy {}", targets.collect::<Vec<_>>().join(" and "));
    match subject.next.zip(subject.why.as_ref()) {
        None => format!("{promise}: at once, because nothing is known yet"),
        Some((next, why)) => {
            let last = subject.decay.last().map_or(next.at, |crawl| crawl.at);
            format!("{promise}: {}, {} after the last one; {why}", next.at, next.at - last)
        }
    }
}
