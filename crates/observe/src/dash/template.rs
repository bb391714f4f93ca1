//! Templates of segment addresses such as `$RepresentationID$/$Number%05d$.m4s`.

use std::{borrow::Cow, rc::Rc};

/// Digits a number is filled up to at most.
const WIDTH_MAX: usize = 20;
/// Longest template that is written out.
const TEMPLATE_MAX: usize = 1024;

/// What is said of the segments of a representation, here and by what it stands in.
#[derive(Clone, Debug, Default)]
pub(super) struct Template {
    media: Option<String>,
    initialization: Option<String>,
    start_number: Option<u64>,
    end_number: Option<u64>,
    /// Of one segment, in units of which a second has `timescale`.
    duration: Option<f64>,
    timescale: Option<f64>,
    /// Time, duration and repetitions.
    timeline: Rc<Vec<(Option<u64>, u64, i64)>>,
    id: String,
    bandwidth: String,
}

/// How many segments there are at most, in time and number.
pub(super) struct Segments {
    pub(super) seconds: Option<f64>,
    pub(super) max: usize,
}

impl Template {
    pub(super) fn represent(&mut self, id: Option<&str>, bandwidth: Option<&str>) {
        let short = |text: Option<&str>| text.filter(|text| text.len() <= TEMPLATE_MAX).unwrap_or_default().to_owned();
        (self.id, self.bandwidth) = (short(id), short(bandwidth));
    }

    pub(super) fn read<'t>(&mut self, attribute: impl Fn(&str) -> Option<Cow<'t, str>>) {
        let text = |key| attribute(key).filter(|text| text.len() <= TEMPLATE_MAX).map(Cow::into_owned);
        let number = |key| attribute(key).and_then(|text| text.parse::<u64>().ok());
        self.media = text("media").or(self.media.take());
        self.initialization = text("initialization").or(self.initialization.take());
        self.start_number = number("startNumber").or(self.start_number);
        self.end_number = number("endNumber").or(self.end_number);
        self.duration = number("duration").map(|units| units as f64).or(self.duration);
        self.timescale = number("timescale").map(|units| units as f64).or(self.timescale);
        self.timeline = Rc::default();
    }

    pub(super) fn add_to_timeline<'t>(&mut self, attribute: impl Fn(&str) -> Option<Cow<'t, str>>, max: usize) {
        let number = |key| attribute(key).and_then(|text| text.parse::<u64>().ok());
        let again = attribute("r").and_then(|text| text.parse().ok()).unwrap_or(0);
        if let Some(duration) = number("d").filter(|_| self.timeline.len() < max) {
            Rc::make_mut(&mut self.timeline).push((number("t"), duration, again));
        }
    }

    /// Calls `found` with the address of every segment there is.
    pub(super) fn write_out(&self, segments: &Segments, mut found: impl FnMut(&str)) {
        if let Some(address) = self.initialization.as_ref().and_then(|template| self.fill(template, None, None)) {
            found(&address);
        }
        let Some(media) = &self.media else { return };
        let first = self.start_number.unwrap_or(1);
        let times = self.times(segments);
        for (nth, time) in times.into_iter().take(segments.max).enumerate() {
            match self.fill(media, first.checked_add(nth as u64), time) {
                Some(address) => found(&address),
                None => return,
            }
        }
    }

    /// When each segment begins, as far as that is said.
    fn times(&self, segments: &Segments) -> Vec<Option<u64>> {
        if !self.timeline.is_empty() {
            return self.listed_times(segments);
        }
        let last = self.end_number.map(|end| end.saturating_sub(self.start_number.unwrap_or(1)).saturating_add(1));
        let length = self.duration.filter(|units| *units > 0.0).map(|units| units / self.units());
        let counted = segments.seconds.zip(length).map(|(seconds, length)| (seconds / length).ceil() as u64);
        let count = last.or(counted).unwrap_or(0).min(segments.max as u64);
        let length = self.duration.unwrap_or(0.0) as u64;
        (0..count).map(|nth| nth.checked_mul(length)).collect()
    }

    fn listed_times(&self, segments: &Segments) -> Vec<Option<u64>> {
        let end = segments.seconds.map(|seconds| (seconds * self.units()) as u64);
        let mut times = Vec::new();
        let mut now = 0u64;
        for (row, (time, duration, again)) in self.timeline.iter().enumerate() {
            now = time.unwrap_or(now);
            // Repeated until the next begins, or all is over.
            let until = self.timeline.get(row + 1).and_then(|next| next.0).or(end).unwrap_or(now);
            let rest = until.saturating_sub(now).div_ceil((*duration).max(1)).max(1);
            let count = u64::try_from(*again).map_or(rest, |again| again + 1);
            for _ in 0..count {
                if times.len() >= segments.max {
                    return times;
                }
                times.push(Some(now));
                now = now.saturating_add(*duration);
            }
        }
        times
    }

    fn units(&self) -> f64 {
        self.timescale.filter(|units| *units > 0.0).unwrap_or(1.0)
    }

    /// The template with its names replaced; nothing if one of them has no value.
    fn fill(&self, template: &str, number: Option<u64>, time: Option<u64>) -> Option<String> {
        let mut parts = template.split('$');
        let mut out = parts.next()?.to_owned();
        while let Some(name) = parts.next() {
            let (name, width) = name.split_once('%').unwrap_or((name, ""));
            let digits = |value: Option<u64>| Some(format!("{:0width$}", value?, width = width_of(width)));
            match name {
                "" => out.push('$'),
                "RepresentationID" => out.push_str(&self.id),
                "Bandwidth" => out.push_str(&self.bandwidth),
                "Number" => out.push_str(&digits(number)?),
                "Time" => out.push_str(&digits(time)?),
                _ => return None,
            }
            out.push_str(parts.next()?);
        }
        Some(out)
    }
}

/// The width of a format such as `05d`.
fn width_of(format: &str) -> usize {
    format.trim_end_matches('d').parse().unwrap_or(0).min(WIDTH_MAX)
}

/// The seconds of a duration such as `PT1H2M3.5S`; years and months do not occur in streams.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let (days, time) = text.strip_prefix('P')?.split_once('T').unwrap_or((&text[1..], ""));
    let mut total = 0.0;
    for (part, units) in [(days, &[('D', 86_400.0)][..]), (time, &[('H', 3600.0), ('M', 60.0), ('S', 1.0)])] {
        let mut rest = part;
        for (unit, seconds) in units {
            if let Some((number, after)) = rest.split_once(*unit) {
                total += number.parse::<f64>().ok()? * seconds;
                rest = after;
            }
        }
    }
    Some(total).filter(|total| total.is_finite() && *total > 0.0)
}
