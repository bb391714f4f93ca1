//! A certificate as a picture.

use tintype_picture::{Axis, OrganPipes, Pipe, PipeSpan, PipeVerdict};
use tintype_quality::certificate::{Certificate, PageProof, PageVerdict};
use tintype_vocab::{Span, Time};

/// From this many times the middle rate on, the highest leaves nothing to see of the others on a linear axis.
const STEEP: f64 = 30.0;

/// Rate against download time; the pages of a well-ordered capture look like the pipes of an organ.
pub fn organ_pipes(of: &Certificate) -> OrganPipes {
    let captured = || of.pages.iter().filter(|page| !matches!(page.verdict, PageVerdict::Missing(_)));
    let from = of.query.map_or(Default::default(), |query| query.from);
    let (unit, length) = unit(of.query.map_or(Span::ZERO, |query| query.to - query.from));
    let pipe = |page: &PageProof| Pipe {
        downloaded: (page.first - from).as_secs_f64() / length,
        change_rate: page.rate.per_day.into(),
        verdict: match page.verdict {
            PageVerdict::Sharp { .. } => PipeVerdict::Sharp,
            PageVerdict::NotSharp(reason) if reason.is_change() => PipeVerdict::Blurred,
            _ => PipeVerdict::Unknown,
        },
    };
    let pipes: Vec<Pipe> = captured().map(pipe).collect();
    let rates = ("Believed before the visit", "changes per day");
    let steep = is_steep(pipes.iter().map(|pipe| pipe.change_rate).collect());
    let since = |time: Time| (time - from).as_secs_f64() / length;
    let span = |page: &PageProof| match page.verdict {
        PageVerdict::Sharp { period, .. } if period.to > period.from => {
            let (from, to) = (since(period.from), since(period.to));
            Some(PipeSpan { from, to, change_rate: page.rate.per_day.into() })
        }
        _ => None,
    };
    let (title, caption) = match of.revisits {
        0 => (format!("{}: {} pages, seen once each", of.site, of.captured), "Every page at its visit.".to_owned()),
        _ => (
            format!("{}: {} of {} pages are sharp", of.site, of.sharp.proved, of.captured),
            "Sharp: visit and revisit saw the same version; a line leads from one to the other. Blurred: they did not. \
             Unknown: seen once. Dashed: the moment all are taken around."
                .to_owned(),
        ),
    };
    let when = if of.revisits > 0 { "First visit, and revisit where a line ends" } else { "Visit" };
    OrganPipes {
        title,
        caption,
        downloaded: Axis::linear(when, format!("{unit} after the first of all")),
        change_rate: if steep { Axis::logarithmic(rates.0, rates.1) } else { Axis::linear(rates.0, rates.1) },
        pipes,
        spans: captured().filter_map(span).collect(),
        moment: of.moment.filter(|_| of.revisits > 0).map(since),
    }
}

fn unit(length: Span) -> (&'static str, f64) {
    match length.as_secs_f64() {
        seconds if seconds < 180.0 => ("seconds", 1.0),
        seconds if seconds < 10_800.0 => ("minutes", 60.0),
        seconds if seconds < 259_200.0 => ("hours", 3600.0),
        _ => ("days", 86_400.0),
    }
}

fn is_steep(mut rates: Vec<f64>) -> bool {
    rates.sort_by(f64::total_cmp);
    let (middle, highest) = (rates.get(rates.len() / 2), rates.last());
    middle.zip(highest).is_some_and(|(middle, highest)| *middle > 0.0 && *highest > STEEP * middle)
}
