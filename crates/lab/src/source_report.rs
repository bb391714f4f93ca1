//! All that is known of how the copy of one source goes stale, for people and for machines.

mod charts;
mod text;

use crate::{Results, usage};
use serde_json::{Map, Value, json};
use tintype_learn::{
    decay::{Decay, Forecast},
    life::{Arrivals, Cycle, Fitted, KaplanMeier, Lives, Profile, Stretch, fits, hazard_by_age},
};
use tintype_picture::Picture;
use tintype_plan::deadline::{Deadline, NextCrawl, Promise};
use tintype_vocab::{CopyMeasure, Span, Time};
use tintype_world::source::{Aged, Copies, Looked, Source, Turnover, days_until, looked_at};

/// Stretches of age between which rates of leaving are told, as shares of the completed lives.
const AGES: [f64; 6] = [0.0, 0.1, 0.25, 0.5, 0.75, 1.0];
/// Steps ahead that are foretold.
pub(super) const AHEAD: [u32; 6] = [1, 2, 3, 7, 14, 28];
/// Plans reach no further than so many steps.
const AHEAD_MAX: u32 = 2000;
/// How often a stated interval should hold.
const STATED: f64 = 0.9;

/// What is asked.
#[derive(Debug)]
pub struct SourceReportConfig {
    pub name: String,
    pub source: Source,
    pub promise: Promise,
    pub step: Option<Span>,
}

/// What is said.
#[derive(Debug)]
pub struct SourceReport {
    pub(super) copies: Copies,
    pub(super) promise: Promise,
    /// Copy precision and copy recall by age.
    pub(super) rot: [Vec<Aged>; 2],
    pub(super) turnover: Vec<Turnover>,
    pub(super) arrivals: Option<Arrivals>,
    pub(super) weekday: Profile,
    /// Of sources that are looked at more often than daily.
    pub(super) hour: Option<Profile>,
    pub(super) lives: Lives,
    /// The best first.
    pub(super) fits: Vec<Fitted>,
    pub(super) hazard: Vec<Stretch>,
    pub(super) groups: Vec<Looked>,
    pub(super) decay: Decay,
    pub next: Option<NextCrawl>,
    /// Why it is then.
    why: Option<String>,
}

impl SourceReport {
    /// `why` puts into words why the next crawl of so many objects is when it is.
    pub fn new(wanted: SourceReportConfig, why: impl Fn(&NextCrawl, u32) -> String) -> anyhow::Result<SourceReport> {
        let copies = Copies::new(wanted.name, wanted.source, wanted.step)
            .map_err(|error| usage(error, "choose a longer --step, such as --step 1d"))?;
        let mut decay = Decay::new();
        // Looks are in order.
        copies.crawls().iter().for_each(|crawl| decay.see(crawl).unwrap_or_default());
        let turnover = copies.turnover();
        let counts: Vec<(Time, u32)> = turnover.iter().map(|step| (step.at, step.came)).collect();
        let lives = copies.lives();
        let step = copies.grid.step();
        let next = Deadline::new(wanted.promise).next(&decay, step, AHEAD_MAX);
        let size = decay.last().map_or(0, |crawl| crawl.size());
        Ok(SourceReport {
            rot: CopyMeasure::ALL.map(|measure| copies.rot(measure)),
            arrivals: Arrivals::of(&counts.iter().map(|(_, count)| *count).collect::<Vec<_>>()),
            weekday: Profile::of(&counts, Cycle::Weekday),
            hour: (step < Span::from_days(1)).then(|| Profile::of(&counts, Cycle::Hour)),
            fits: fits(&lives),
            hazard: hazard_by_age(&lives, &AGES),
            groups: looked_at(&copies),
            why: next.as_ref().map(|next| why(next, size)),
            next,
            promise: wanted.promise,
            turnover,
            lives,
            decay,
            copies,
        })
    }

    pub(super) fn size(&self) -> u32 {
        self.decay.last().map_or(0, |crawl| crawl.size())
    }

    /// The pictures of the nth source, by the names of their files.
    pub fn pictures(&self, nth: usize) -> Vec<(String, Picture)> {
        charts::of(self, nth)
    }

    /// The quality foretold so many steps after the last crawl.
    pub(super) fn ahead(&self, measure: CopyMeasure, steps: impl IntoIterator<Item = u32>) -> Vec<(u32, Forecast)> {
        let Some(last) = self.decay.last() else { return Vec::new() };
        let at = |steps: u32| last.at + self.copies.grid.step() * i64::from(steps);
        steps.into_iter().filter_map(|steps| Some((steps, self.decay.forecast(measure, at(steps))?))).collect()
    }

    pub(super) fn interval(forecast: &Forecast) -> (f64, f64) {
        forecast.interval(STATED)
    }

    /// Days until half of a copy is lost: of past copies, and of the last one as it is foretold.
    pub(super) fn half_life(&self, measure: CopyMeasure) -> (Option<f64>, Option<Span>) {
        let past = &self.rot[usize::from(measure == CopyMeasure::Recall)];
        (days_until(past, 0.5), self.decay.half_life(measure))
    }

    /// What other programs read.
    pub fn value(&self) -> Value {
        let looks = self.copies.source.looks();
        let seen = KaplanMeier::of(&self.lives);
        let quartiles = [0.25, 0.5, 0.75].map(|share| seen.quantile(share));
        let mut all = json!({
            "source": self.copies.name,
            "lives": self.copies.source.lives().len(),
            "crawls": looks.len(),
            "from": looks.first().map(|at| at.to_rfc3339()),
            "to": looks.last().map(|at| at.to_rfc3339()),
            "objects": self.size(),
            "step_seconds": self.copies.grid.step().as_secs_f64(),
            "arrivals": self.arrivals,
            "weekday": self.weekday,
            "hour": self.hour,
            "survival": {
                "lives": self.lives.count(),
                "ended": self.lives.ended(),
                "quartile_days": quartiles,
                "fits": self.fits.iter().map(fit).collect::<Vec<_>>(),
                "rate_by_age": self.hazard,
            },
            "groups": self.groups.iter().map(groups).collect::<Vec<_>>(),
            "promise": self.promise,
            "next": self.next.map(|next| json!({"at": next.at.to_rfc3339(), "why": self.why, "broken": next.broken})),
            "findings": self.copies.source.findings().sentences(),
        });
        for (measure, rot) in CopyMeasure::ALL.into_iter().zip(&self.rot) {
            all[measure.name()] = self.measure_json(measure, rot);
        }
        all
    }

    fn measure_json(&self, measure: CopyMeasure, rot: &[Aged]) -> Value {
        let (past, foretold) = self.half_life(measure);
        let models: Map<String, Value> =
            self.decay.models(measure).into_iter().map(|(name, weight)| (name.to_owned(), json!(weight))).collect();
        let ahead = self.ahead(measure, AHEAD).into_iter().map(|(steps, forecast)| {
            json!({"steps": steps, "mean": forecast.mean, "interval": SourceReport::interval(&forecast)})
        });
        json!({
            "by_age": rot,
            "half_life_days": past,
            "half_life_foretold_days": foretold.map(Span::as_days_f64),
            "models": models,
            "rhythm": self.decay.busy(measure),
            "forecast": ahead.collect::<Vec<_>>(),
        })
    }
}

impl Results for SourceReport {
    fn json(&self) -> String {
        self.value().to_string()
    }

    fn text(&self) -> String {
        text::of(self)
    }
}

fn fit(fit: &Fitted) -> Value {
    json!({
        "family": fit.survival.family.name(),
        "rate_per_day": fit.survival.rate_per_day(),
        "shape": 1.0 / fit.survival.spread,
        "aic": fit.aic(),
        "gap": fit.gap,
    })
}

fn groups(looked: &Looked) -> Value {
    let count = looked.by_likelihood();
    let cut = &looked.cuts[count - 1];
    let chance = looked.cuts.get(1).map(|cut| cut.chance);
    json!({"attribute": looked.attribute, "values": looked.values, "groups": cut.groups, "chance_alike": chance})
}
