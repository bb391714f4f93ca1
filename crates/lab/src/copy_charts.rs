//! Pictures of a source: how copies rot, how objects come, how long they stay.

use tintype_learn::life::{Arrivals, Fitted, KaplanMeier, Law, Lives};
use tintype_picture::{Axis, Lines, Picture, Series};
use tintype_vocab::CopyMeasure;
use tintype_world::source::{Aged, Copies, Turnover, Unit};

/// Bars of a histogram at most.
const BARS: u32 = 24;
/// Points of a smooth curve.
const POINTS: usize = 120;
/// The oldest lives that are drawn: beyond, too few are left to say anything.
const OLDEST: f64 = 0.99;

/// The axis of copy quality.
pub fn quality(measure: CopyMeasure) -> Axis {
    let of = match measure {
        CopyMeasure::Precision => "share of our objects still there",
        CopyMeasure::Recall => "share of their objects we hold",
    };
    Axis::linear(format!("Copy {}", measure.name()), of)
}

/// A curve with the band in which most copies lie.
pub fn rot(name: &str, curve: &[Aged], unit: Unit) -> Series {
    let at = |aged: &Aged| unit.of_days(aged.days);
    let points = curve.iter().map(|aged| (at(aged), aged.mean));
    Series::new(name, points).with_band(curve.iter().map(|aged| (at(aged), aged.low, aged.high)))
}

pub fn age_axis(unit: Unit) -> Axis {
    Axis::linear("Age of the copy", unit.name)
}

/// How many objects come in a step, with the paper's Gamma and the law that fits best.
pub fn arrivals(copies: &Copies, turnover: &[Turnover], fitted: &Arrivals) -> Picture {
    let most = turnover.iter().map(|step| step.came).max().unwrap_or(0);
    let wide = most.div_ceil(BARS).max(1);
    let bars: Vec<u32> = (0..=most / wide).collect();
    let share = |bar: u32| {
        let held = turnover.iter().filter(|step| step.came / wide == bar).count();
        held as f64 / turnover.len() as f64
    };
    let outline = bars.iter().flat_map(|bar| {
        let (left, right) = (f64::from(bar * wide), f64::from((bar + 1) * wide));
        [(left, 0.0), (left, share(*bar)), (right, share(*bar)), (right, 0.0)]
    });
    let middle = |bar: u32| f64::from(bar * wide) + f64::from(wide) / 2.0;
    let smooth = |share: &dyn Fn(u32) -> f64| bars.iter().map(|bar| (middle(*bar), share(*bar))).collect::<Vec<_>>();
    let mut series = vec![Series::new("what came", outline).reference()];
    if let Some(gamma) = fitted.gamma {
        let some = 1.0 - fitted.empty_share;
        let to = |count: u32| gamma.below((f64::from(count) - 0.5).max(0.0));
        series.push(Series::new(
            "Gamma, empty steps apart",
            smooth(&|bar| some * (to((bar + 1) * wide) - to(bar * wide))),
        ));
    }
    if let Some(best) = fitted.fits.first() {
        let chance = |bar: u32| (bar * wide..(bar + 1) * wide).map(|count| best.law.ln_chance(count).exp()).sum();
        series.push(Series::new(law_words(&best.law), smooth(&chance)).emphasised());
    }
    let lines = Lines {
        title: format!("Arrivals per step: {}", copies.name),
        caption: format!(
            "{} steps of {}; of all laws the best by Akaike's criterion is thick.",
            turnover.len(),
            copies.grid.step()
        ),
        x: Axis::linear("Arrivals", "objects per step"),
        y: Axis::linear("How often", "share of steps").including(0.0, 0.0),
        series,
    };
    lines.draw()
}

/// A law as people call it.
pub fn law_words(law: &Law) -> &'static str {
    match law {
        Law::Poisson { .. } => "Poisson",
        Law::NegativeBinomial { .. } => "negative binomial",
        Law::Gamma(_) => "Gamma, rounded",
        Law::ZeroInflatedGamma { .. } => "Gamma with empty steps",
    }
}

/// How long objects stay: all families, the best of them thick, and Kaplan and Meier's curve.
pub fn survival(copies: &Copies, lives: &Lives, fits: &[Fitted]) -> Picture {
    let (unit, seen) = (copies.unit(), KaplanMeier::of(lives));
    let oldest = seen.quantile(OLDEST).or_else(|| seen.curve().last().map(|(age, _)| age)).unwrap_or(1.0);
    let ages: Vec<f64> = (0..=POINTS).map(|nth| oldest * nth as f64 / POINTS as f64).collect();
    let line = |name: &str, share: &dyn Fn(f64) -> f64| {
        Series::new(name, ages.iter().map(|age| (unit.of_days(*age), share(*age))))
    };
    let mut series = vec![line("Kaplan–Meier", &|age| seen.survival(age)).reference()];
    for (nth, fit) in fits.iter().enumerate() {
        let line = line(fit.survival.family.name(), &|age| fit.survival.survival(age));
        series.push(if nth == 0 { line.emphasised() } else { line });
    }
    let lines = Lines {
        title: format!("How long objects stay: {}", copies.name),
        caption: format!(
            "{} lives, {} of them seen to end; the best family by Akaike's criterion is thick.",
            lives.count(),
            lives.ended()
        ),
        x: Axis::linear("Age of the object", unit.name),
        y: Axis::linear("Still there", "share of objects").including(0.0, 1.0),
        series,
    };
    lines.draw()
}
