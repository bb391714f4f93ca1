//! What was learned of media types, for people.

use super::said::{Foretold, Said};
use crate::{
    amount::{bytes, counted},
    plain::printable,
};
use std::fmt::Write;
use tintype_learn::media::{ExplainedUrl, FeatureWeight, NamedChance, UrlPattern};

/// Less likely content types are not worth a line.
const WORTH_A_LINE: f32 = 0.005;

pub(super) fn of(said: &Said) -> String {
    let mut text = String::new();
    for explained in &said.urls {
        let _ = writeln!(text, "{}", printable(&explained.url));
        lines(&mut text, explain(explained));
        text.push('\n');
    }
    if !said.patterns.is_empty() {
        let _ = writeln!(text, "{}: what says most about media types\n", printable(&said.source));
        lines(&mut text, said.patterns.iter().map(|pattern| (printable(&pattern.pattern), share(pattern))).collect());
        text.push('\n');
    }
    let known = match (&said.foretold, said.captures) {
        (Some(foretold), captures) => foretold_line(foretold, captures),
        (None, 0) => "known from what comes with tintype alone; captures teach it more".to_owned(),
        (None, captures) => format!("{} taught nothing of media types", counted(captures as u64, "capture")),
    };
    let _ = writeln!(text, "{known}\nbefore the first capture it had learned from {}", said.trained_on);
    text
}

/// Labels and what stands beside them, in two columns.
fn lines(text: &mut String, lines: Vec<(String, String)>) {
    let width = lines.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    for (label, line) in lines {
        let _ = writeln!(text, "  {label:<width$}  {line}");
    }
}

fn explain(explained: &ExplainedUrl) -> Vec<(String, String)> {
    let worth = explained.content_types.iter().filter(|class| class.chance >= WORTH_A_LINE);
    let classes =
        worth.map(|class| (class.name.clone(), format!("{}{}", percent(class.chance), named(class, explained))));
    let links = ("carries links".to_owned(), percent(explained.links));
    let length = ("length".to_owned(), format!("about {}", bytes(explained.bytes.max(0.0) as u64)));
    let why = labelled("because", explained.reasons.iter().map(reason));
    let here = labelled(
        "here",
        explained.here.iter().map(|pattern| format!("{}: {}", printable(&pattern.pattern), share(pattern))),
    );
    let was = labelled("was", explained.was.iter().map(|was| format!("{} when it was last asked for", printable(was))));
    classes.chain([links, length]).chain(why).chain(here).chain(was).collect()
}

/// The media types of a content type that are likely.
fn named(class: &NamedChance, explained: &ExplainedUrl) -> String {
    let own = explained.media_types.iter().filter(|named| named.name.split('/').next() == Some(&class.name));
    let own: Vec<String> = own.take(3).map(|named| format!("{} {}", named.name, percent(named.chance))).collect();
    if own.is_empty() { String::new() } else { format!("   {}", own.join(", ")) }
}

fn reason(why: &FeatureWeight) -> String {
    let FeatureWeight { feature, content_type, weight } = why;
    let speaks = if *weight < 0.0 { "against" } else { "for" };
    format!("{}  {:.2} {speaks} {content_type}", printable(feature), weight.abs())
}

/// A label beside the first line only.
fn labelled(label: &str, lines: impl Iterator<Item = String>) -> Vec<(String, String)> {
    lines.enumerate().map(|(nth, line)| (if nth == 0 { label.to_owned() } else { String::new() }, line)).collect()
}

fn share(pattern: &UrlPattern) -> String {
    let share = between(pattern.share.map(|share| format!("{:.0}", 100.0 * share)));
    let urls = between(pattern.urls.map(|urls| urls.to_string()));
    format!("{share} % {} of {urls} URLs", printable(&pattern.media_type))
}

/// One number where both ends are the same.
fn between([least, most]: [String; 2]) -> String {
    if least == most { least } else { format!("{least} to {most}") }
}

fn foretold_line(foretold: &Foretold, captures: usize) -> String {
    let Foretold { answers, accuracy, calibration_error, .. } = foretold;
    let (answers, captures) = (counted(*answers, "answer"), counted(captures as u64, "capture"));
    format!(
        "before asking, the content type of {:.1} % of {answers} in {captures} was said rightly; chances were {calibration_error:.3} off on average",
        100.0 * accuracy
    )
}

fn percent(chance: f32) -> String {
    format!("{:.1} %", 100.0 * chance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::ContentType;

    #[test]
    fn an_explanation_reads_from_chances_to_reasons() {
        let chance = |name: &str, chance| NamedChance { name: name.to_owned(), chance };
        let explained = ExplainedUrl {
            url: "http://e.com/download/1".to_owned(),
            content_types: vec![chance("application", 0.9), chance("text", 0.1), chance("video", 0.0)],
            media_types: vec![chance("application/pdf", 0.8), chance("text/html", 0.09)],
            links: 0.05,
            bytes: 350_000.0,
            reasons: vec![FeatureWeight {
                feature: "/download/{n}".to_owned(),
                content_type: ContentType::Text,
                weight: -1.5,
            }],
            here: Vec::new(),
            was: Some("application/pdf".to_owned()),
        };
        let said = Said {
            source: "c".to_owned(),
            captures: 0,
            trained_on: "nothing".to_owned(),
            foretold: None,
            urls: vec![explained],
            patterns: Vec::new(),
        };
        let wanted = "http://e.com/download/1\n  application    90.0 %   application/pdf 80.0 %\n  text           10.0 %   text/html 9.0 %\n  carries links  5.0 %\n  length         about 350.0 kB\n  because        /download/{n}  1.50 against text\n  was            application/pdf when it was last asked for\n\n";
        assert!(of(&said).starts_with(wanted), "{}", of(&said));
    }

    #[test]
    fn a_share_that_is_not_known_exactly_is_an_interval() {
        let pattern =
            |share| UrlPattern { pattern: "x".to_owned(), media_type: "image/png".to_owned(), urls: [9, 10], share };
        assert_eq!(self::share(&pattern([0.5, 0.5])), "50 % image/png of 9 to 10 URLs");
        assert_eq!(self::share(&pattern([0.5, 0.75])), "50 to 75 % image/png of 9 to 10 URLs");
    }
}
