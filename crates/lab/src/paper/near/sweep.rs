//! The four ratios as something varies, on average over all sites: the shape of Figures 5(a) and 5(b).

use super::site::{Measured, RATIOS, Ratio, Site, Trial, pooled};
use crate::table::{Cell, Table};
use tintype_picture::{Axis, Lines, Picture, Series};
use tintype_quality::Estimate;

pub(super) struct Sweep {
    pub(super) at: Vec<usize>,
    /// By value and site.
    measured: Vec<Vec<Measured>>,
    names: Vec<String>,
}

impl Sweep {
    pub(super) fn new(sites: &[Site<'_>], at: &[usize], trial: impl Fn(usize) -> Trial) -> anyhow::Result<Sweep> {
        let measure = |value: &usize| sites.iter().map(|site| site.measure(&trial(*value))).collect();
        let measured = at.iter().map(measure).collect::<anyhow::Result<_>>()?;
        Ok(Sweep { at: at.to_vec(), measured, names: sites.iter().map(|site| site.name.clone()).collect() })
    }

    /// Whether there is anything to judge.
    pub(super) fn skips(&self) -> bool {
        self.measured.iter().flatten().any(Measured::skips)
    }

    /// The mean over sites.
    pub(super) fn of(&self, nth: usize, ratio: &Ratio) -> Estimate {
        pooled(&self.measured[nth], ratio.read)
    }

    pub(super) fn table(&self, varied: &str) -> Table {
        let by_site = self.names.iter().map(|name| format!("BR of {name}"));
        let titles = std::iter::once(varied.to_owned()).chain(RATIOS.map(|ratio| ratio.name.to_owned()));
        let mut table = Table::new(titles.chain(by_site));
        for (nth, value) in self.at.iter().enumerate() {
            let ratios = RATIOS.iter().map(|ratio| Cell::Estimate(self.of(nth, ratio), 3));
            let by_site = self.measured[nth].iter().map(|measured| Cell::Number(measured.of(RATIOS[0].read).mean, 3));
            table.push(std::iter::once(Cell::text(value.to_string())).chain(ratios).chain(by_site).collect());
        }
        table
    }

    pub(super) fn picture(&self, title: &str, caption: &str, x: Axis) -> Picture {
        let line = |ratio: &Ratio| {
            let at = (0..self.at.len()).map(|nth| (self.at[nth] as f64, self.of(nth, ratio)));
            let at: Vec<(f64, Estimate)> = at.collect();
            let band = at.iter().filter_map(|(x, of)| of.ci95.map(|[low, high]| (*x, low.max(0.0), high.min(1.0))));
            let series = Series::new(ratio.words, at.iter().map(|(x, of)| (*x, of.mean))).with_band(band);
            if ratio.name == RATIOS[0].name { series.emphasised() } else { series }
        };
        let chart = Lines {
            title: title.to_owned(),
            caption: caption.to_owned(),
            x,
            y: Axis::linear("Ratio", "share").including(0.0, 1.0),
            series: RATIOS.iter().map(line).collect(),
        };
        chart.draw()
    }

    /// A ratio at the first and the last value.
    pub(super) fn ends(&self, ratio: &Ratio) -> (f64, f64) {
        (self.of(0, ratio).mean, self.of(self.at.len() - 1, ratio).mean)
    }
}
