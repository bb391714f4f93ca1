//! How a copy goes stale, as pictures.

use super::{AHEAD, SourceReport};
use crate::copy_charts::{age_axis, arrivals, quality, rot, survival};
use tintype_picture::{Axis, Lines, OverTime, Picture, Series};
use tintype_vocab::CopyMeasure;

/// The pictures of one source, by the names of their files.
pub(super) fn of(subject: &SourceReport, nth: usize) -> Vec<(String, Picture)> {
    let name = |what: &str| format!("source-{}-{what}", nth + 1);
    let mut pictures = vec![(name("rot"), curves(subject).draw())];
    if let Some(fitted) = &subject.arrivals {
        pictures.push((name("arrivals"), arrivals(&subject.copies, &subject.turnover, fitted)));
    }
    if !subject.fits.is_empty() {
        pictures.push((name("survival"), survival(&subject.copies, &subject.lives, &subject.fits)));
    }
    pictures.extend(CopyMeasure::ALL.into_iter().filter_map(|measure| {
        Some((name(&format!("forecast-{}", measure.name())), foretold(subject, measure)?.draw()))
    }));
    pictures
}

fn curves(subject: &SourceReport) -> Lines {
    let unit = subject.copies.unit();
    let names = ["copy precision", "copy recall"];
    Lines {
        title: format!("How copies go stale: {}", subject.copies.name),
        caption: "Means over copies made at every step; eight of ten copies lie in the band.".to_owned(),
        x: age_axis(unit),
        y: Axis::linear("Copy quality", "share of objects").including(0.0, 1.0),
        series: names.into_iter().zip(&subject.rot).map(|(name, curve)| rot(name, curve, unit)).collect(),
    }
}

/// Nothing while too little is known.
fn foretold(subject: &SourceReport, measure: CopyMeasure) -> Option<OverTime> {
    let last = subject.decay.last()?.at;
    let ahead = subject.ahead(measure, 1..=AHEAD[AHEAD.len() - 1]);
    let at = |steps: u32| last + subject.copies.grid.step() * i64::from(steps);
    let end = ahead.last()?.0;
    let points = ahead.iter().map(|(steps, forecast)| (at(*steps), forecast.mean));
    let band = ahead.iter().map(|(steps, forecast)| {
        let (low, high) = SourceReport::interval(forecast);
        (at(*steps).as_millis() as f64, low, high)
    });
    let mut series = vec![Series::over_time("predicted", points).with_band(band).emphasised()];
    let target = subject.promise.targets().find(|(promised, _)| *promised == measure);
    series.extend(
        target.map(|(_, target)| Series::over_time("promised", [(last, target), (at(end), target)]).reference()),
    );
    Some(OverTime {
        title: format!("Copy {} predicted: {}", measure.name(), subject.copies.name),
        caption: "If nobody crawls; the band holds nine of ten cases.".to_owned(),
        time: "Time".to_owned(),
        y: quality(measure),
        series,
    })
}
