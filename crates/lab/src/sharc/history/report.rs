//! What came of the windows, for machines, people and documents.

use super::{AtDelay, RecordedWindows, Window};
use crate::{
    folder::Folder,
    sharc::charts::is_ours,
    sharc::play::Sample,
    table::{Cell, Table},
};
use serde_json::{Value, json};
use tintype_picture::{Axis, Lines, Series};
use tintype_quality::{Estimate, estimate};

impl AtDelay {
    pub(crate) fn over_windows(&self, nth: usize, read: impl Fn(&Sample) -> f64) -> Estimate {
        estimate(&self.windows.iter().map(|window| read(&window.samples[nth])).collect::<Vec<f64>>())
    }

    /// What all captures of a policy came to, as a share of what was possible in all of them; nothing where that was
    /// nothing. The interval is that of the difference between the two.
    fn share(&self, nth: usize, read: fn(&Sample) -> f64, possible: fn(&Window) -> Option<f64>) -> Option<Estimate> {
        let possible: Option<Vec<f64>> = self.windows.iter().map(possible).collect();
        let possible = possible?;
        let whole = estimate(&possible).mean;
        if whole <= 0.0 {
            return None;
        }
        let ratio = self.over_windows(nth, read).mean / whole;
        let off = self.windows.iter().zip(&possible).map(|(window, best)| read(&window.samples[nth]) - ratio * best);
        let ci95 = estimate(&off.collect::<Vec<f64>>()).ci95;
        Some(Estimate { mean: ratio, ci95: ci95.map(|ends| ends.map(|end| ratio + end / whole)) })
    }

    pub(crate) fn blur_of_offline(&self, nth: usize) -> Option<Estimate> {
        self.share(nth, |sample| sample.realised_blur, |window| Some(window.offline_blur))
    }

    fn blur_of_best(&self, nth: usize) -> Option<Estimate> {
        self.share(nth, |sample| sample.realised_blur, |window| window.least_blur)
    }

    pub(crate) fn sharp_of_most(&self, nth: usize) -> Option<Estimate> {
        self.share(nth, |sample| sample.realised_sharp, |window| Some(window.most_sharp))
    }

    fn visits(&self, nth: usize) -> f64 {
        self.over_windows(nth, |sample| sample.visits).mean
    }

    pub(crate) fn visits_once(&self, nth: usize) -> bool {
        self.visits(nth) < 1.5 * self.pages
    }

    /// How long a capture of one visit per page takes.
    pub(crate) fn hours(&self) -> f64 {
        self.pages * self.delay.as_days_f64() * 24.0
    }
}

pub(super) fn json(windows: &RecordedWindows) -> Value {
    let rows = windows.at.iter().flat_map(|at| (0..at.players.len()).map(|nth| row(at, nth)));
    json!({
        "history": windows.name,
        "captures": windows.at.first().map_or(0, |at| at.windows.len()),
        "too_long_delays_seconds": windows.too_long.iter().map(|delay| delay.as_millis() as f64 / 1000.0).collect::<Vec<_>>(),
        "results": rows.collect::<Vec<_>>(),
    })
}

fn row(at: &AtDelay, nth: usize) -> Value {
    let once = at.visits_once(nth);
    let (blur, sharp) =
        (at.over_windows(nth, |sample| sample.realised_blur), at.over_windows(nth, |sample| sample.realised_sharp));
    let mean = |estimate: Option<Estimate>| estimate.map(|estimate| estimate.mean);
    let ends = |estimate: Option<Estimate>| estimate.and_then(|estimate| estimate.ci95);
    let (offline, best) = (at.blur_of_offline(nth), at.blur_of_best(nth).filter(|_| once));
    let most = at.sharp_of_most(nth).filter(|_| !once);
    json!({
        "delay_seconds": at.delay.as_millis() as f64 / 1000.0,
        "pages": at.pages,
        "policy": at.players[nth].name,
        "visits": at.visits(nth),
        "blur": blur.mean,
        "blur_ci95": blur.ci95,
        "blur_of_offline": mean(offline),
        "blur_of_offline_ci95": ends(offline),
        "blur_of_oracle": mean(best),
        "blur_of_oracle_ci95": ends(best),
        "sharp": sharp.mean,
        "sharp_ci95": sharp.ci95,
        "sharp_of_oracle": mean(most),
        "sharp_of_oracle_ci95": ends(most),
    })
}

pub(super) fn text(windows: &RecordedWindows) -> String {
    let mut out = String::new();
    for at in &windows.at {
        out +=
            &format!("{}\n\nOne visit per page, least blur first\n\n{}", heading(windows, at), table(at, true).text());
        out += &format!("\nVisits and revisits, most sharp pages first\n\n{}\n", table(at, false).text());
    }
    for delay in &windows.too_long {
        out += &format!("With {delay} between requests no capture fits into the second half of what was recorded.\n");
    }
    out + "÷ offline: SHARC-offline told how often each page would change during the capture. ÷ best possible: the exact \
           assignment, told every change. ÷ most possible: the maximum flow, told every change.\n"
}

fn heading(windows: &RecordedWindows, at: &AtDelay) -> String {
    let (pages, captures) = (at.pages, at.windows.len());
    format!(
        "{}: {captures} captures of {pages:.0} pages, a request every {}, {:.1} h a pass",
        windows.name,
        at.delay,
        at.hours()
    )
}

/// Those who visit pages about once, by blur, or the others, by sharp pages.
pub(crate) fn table(at: &AtDelay, once: bool) -> Table {
    let mut order: Vec<usize> = (0..at.players.len()).filter(|nth| at.visits_once(*nth) == once).collect();
    let blur = |nth: usize| at.over_windows(nth, |sample| sample.realised_blur);
    let sharp = |nth: usize| at.over_windows(nth, |sample| sample.realised_sharp);
    let key = |nth: usize| if once { blur(nth).mean } else { -sharp(nth).mean };
    order.sort_by(|a, b| key(*a).total_cmp(&key(*b)));
    let last = if once { ["blur ÷ offline", "÷ best possible"] } else { ["sharp", "÷ most possible"] };
    let mut table = Table::new(["policy", "visits", "blur"].into_iter().chain(last));
    let maybe = |estimate: Option<Estimate>| estimate.map_or(Cell::Empty, |estimate| Cell::Estimate(estimate, 3));
    for nth in order {
        let mut row =
            vec![Cell::text(&at.players[nth].name), Cell::Number(at.visits(nth), 0), Cell::Estimate(blur(nth), 2)];
        row.extend(if once {
            [maybe(at.blur_of_offline(nth)), maybe(at.blur_of_best(nth))]
        } else {
            [Cell::Estimate(sharp(nth), 1), maybe(at.sharp_of_most(nth))]
        });
        table.push(row);
    }
    table
}

pub(super) fn write(folder: &mut Folder, windows: &RecordedWindows, command: &str) -> anyhow::Result<()> {
    for at in &windows.at {
        let delay = at.delay.to_string().replace(' ', "");
        for (once, name) in [(true, "one-visit"), (false, "revisits")] {
            let heading = format!("{}\n\nMade by `{command}`", heading(windows, at));
            folder.table(&format!("{name}-{delay}"), &heading, &table(at, once))?;
        }
    }
    folder.picture("blur-by-duration", &blur_by_duration(windows, true))?;
    folder.picture("blur-by-duration-revisits", &blur_by_duration(windows, false))
}

/// Exact blur against the time a capture takes: the paper's Figure 9.
pub(crate) fn blur_by_duration(windows: &RecordedWindows, once: bool) -> tintype_picture::Picture {
    let players = windows.at.first().map_or(0, |at| at.players.len());
    let shown = (0..players).filter(|nth| windows.at.iter().all(|at| at.visits_once(*nth) == once));
    let series = shown.map(|nth| {
        let passes = if once { 1.0 } else { 2.0 };
        let point = |at: &AtDelay| (passes * at.hours(), at.over_windows(nth, |sample| sample.realised_blur).mean);
        let name = windows.at[0].players[nth].name.clone();
        let series = Series::new(name.clone(), windows.at.iter().map(point));
        if is_ours(&name) { series.emphasised() } else { series }
    });
    let how = if once { "one visit per page" } else { "visits and revisits" };
    let chart = Lines {
        title: format!("Blur against crawl duration, {how}: {}", windows.name),
        caption: "Mean exact blur of captures in the second half of the recorded history; ours thick.".to_owned(),
        x: Axis::logarithmic("Crawl duration", "hours"),
        y: Axis::logarithmic("Exact blur", "changes missed, summed over pages"),
        series: series.collect(),
    };
    chart.draw()
}
