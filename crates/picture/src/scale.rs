//! From values to places along an axis, and where the ticks go.

use crate::{axis::Axis, calendar, number};

/// How values spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Linear,
    Logarithmic,
    /// Values are unix milliseconds.
    Time,
}

/// Whether the axis ends at the data or at the next round value beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    Tight,
    Round,
}

/// A mark on an axis. `at` is the place from 0 (low end) to 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) text: String,
    /// A second line, for the part of a date that rarely changes.
    pub(crate) below: Option<String>,
}

/// The values an axis covers; `low < high`, both finite, their difference too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    kind: Kind,
    low: f64,
    high: f64,
}

/// Beyond this a difference of two values may overflow.
const LARGEST: f64 = 1e300;
const SMALLEST_POSITIVE: f64 = 1e-300;
/// A range narrower than this share of its values would make ticks that all read the same.
const NARROWEST: f64 = 1e-9;

impl Scale {
    /// The scale of an axis that shows `values`.
    pub(crate) fn fit(axis: &Axis, values: impl IntoIterator<Item = f64>, ends: Ends) -> Scale {
        let included = axis.including.into_iter().flat_map(|(low, high)| [low, high]);
        let scale = Scale::covering(axis.kind, values.into_iter().chain(included));
        if ends == Ends::Round { scale.rounded() } else { scale }
    }

    /// The scale that covers exactly the values that can be shown, or something harmless if there are none.
    pub(crate) fn covering(kind: Kind, values: impl IntoIterator<Item = f64>) -> Scale {
        let empty = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = values
            .into_iter()
            .filter(|value| showable(kind, *value))
            .fold(empty, |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low > high { unit_range(kind) } else { (low, high) };
        let (low, high) = widened(kind, low.clamp(-LARGEST, LARGEST), high.clamp(-LARGEST, LARGEST));
        Scale { kind, low, high }
    }

    /// Whether a value has a place on this scale.
    pub(crate) fn shows(&self, value: f64) -> bool {
        showable(self.kind, value)
    }

    /// The place of a value, 0 at the low end and 1 at the high end. Meaningful where [`Scale::shows`] says so.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let (low, high) = self.spread();
        let value = if self.kind == Kind::Logarithmic { value.max(SMALLEST_POSITIVE).log10() } else { value };
        ((value - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// Where bars begin: at zero, or at the low end of a scale that has none.
    pub(crate) fn foot(&self) -> f64 {
        if self.kind == Kind::Linear { self.place(0.0) } else { 0.0 }
    }

    /// About `wanted` ticks or fewer.
    pub(crate) fn ticks(&self, wanted: usize) -> Vec<Tick> {
        match self.kind {
            Kind::Linear => self.linear_ticks(wanted),
            Kind::Logarithmic => self.logarithmic_ticks(wanted),
            Kind::Time => calendar::ticks(self.low, self.high, wanted)
                .into_iter()
                .map(|(at, text, below)| Tick { at: self.place(at), text, below })
                .collect(),
        }
    }

    fn spread(&self) -> (f64, f64) {
        match self.kind {
            Kind::Logarithmic => (self.low.log10(), self.high.log10()),
            Kind::Linear | Kind::Time => (self.low, self.high),
        }
    }

    fn rounded(self) -> Scale {
        match self.kind {
            Kind::Linear => {
                let step = nice_step((self.high - self.low) / 5.0);
                Scale { low: (self.low / step).floor() * step, high: (self.high / step).ceil() * step, ..self }
            }
            Kind::Logarithmic => {
                let (low, high) = self.spread();
                let air = (high - low) * 0.04;
                let low = 10f64.powf(low - air).max(SMALLEST_POSITIVE);
                Scale { low, high: 10f64.powf(high + air).min(LARGEST), ..self }
            }
            Kind::Time => self,
        }
    }

    fn linear_ticks(&self, wanted: usize) -> Vec<Tick> {
        let step = nice_step((self.high - self.low) / wanted.max(1) as f64);
        let (first, last) = ((self.low / step - 1e-6).ceil() as i64, (self.high / step + 1e-6).floor() as i64);
        let largest = self.low.abs().max(self.high.abs());
        (first..=last)
            .map(|index| index as f64 * step)
            .map(|value| self.tick(value, number::tick(value, step, largest)))
            .collect()
    }

    /// Decades; if the range has few of them also twice and five times each; if it is within one, even steps.
    fn logarithmic_ticks(&self, wanted: usize) -> Vec<Tick> {
        let (low, high) = self.spread();
        let decades = (low - 1e-6).ceil() as i32..=(high + 1e-6).floor() as i32;
        let fine = high - low < 2.5;
        let stride = (decades.clone().count() as f64 / wanted.max(1) as f64).ceil().max(1.0) as i32;
        let multiples: &[f64] = if fine { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let ticks: Vec<Tick> = (low.floor() as i32..=high.floor() as i32)
            .filter(|exponent| exponent.rem_euclid(stride) == 0)
            .flat_map(|exponent| multiples.iter().map(move |multiple| (*multiple, exponent)))
            .filter(|(multiple, exponent)| {
                let value = multiple.log10() + f64::from(*exponent);
                (low - 1e-6..=high + 1e-6).contains(&value)
            })
            .map(|(multiple, exponent)| self.tick(multiple * 10f64.powi(exponent), decimal(multiple, exponent)))
            .collect();
        if ticks.len() < 3 { self.linear_ticks(wanted) } else { ticks }
    }

    fn tick(&self, value: f64, text: String) -> Tick {
        Tick { at: self.place(value), text, below: None }
    }
}

/// A round number on a logarithmic axis: plain where that is short.
fn decimal(multiple: f64, exponent: i32) -> String {
    if (-3..=5).contains(&exponent) {
        let value = multiple * 10f64.powi(exponent);
        return number::tick(value, 10f64.powi(exponent), value);
    }
    let power = number::power_of_ten(exponent);
    if multiple == 1.0 { power } else { format!("{multiple}×{power}") }
}

fn showable(kind: Kind, value: f64) -> bool {
    value.is_finite() && (kind != Kind::Logarithmic || value >= SMALLEST_POSITIVE)
}

fn unit_range(kind: Kind) -> (f64, f64) {
    match kind {
        Kind::Linear => (0.0, 1.0),
        Kind::Logarithmic => (1.0, 10.0),
        Kind::Time => (0.0, 86_400_000.0),
    }
}

/// A range that can be divided: one value becomes a range around it.
fn widened(kind: Kind, low: f64, high: f64) -> (f64, f64) {
    match kind {
        Kind::Linear => {
            let size = low.abs().max(high.abs());
            if high - low > (size * NARROWEST).max(SMALLEST_POSITIVE) {
                return (low, high);
            }
            let air = if size < SMALLEST_POSITIVE * 1e20 { 0.5 } else { size * 0.05 };
            (low - air, high + air)
        }
        Kind::Logarithmic if high / low > 1.05 => (low, high),
        Kind::Logarithmic => ((low / 2.0).max(SMALLEST_POSITIVE), high * 2.0),
        Kind::Time => calendar::widened(low, high),
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `rough`.
fn nice_step(rough: f64) -> f64 {
    let power = 10f64.powi(rough.log10().floor() as i32);
    [1.0, 2.0, 5.0].into_iter().map(|m| m * power).find(|step| *step >= rough * 0.999_999).unwrap_or(power * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.text.as_str()).collect()
    }

    #[test]
    fn a_share_has_ticks_at_round_shares() {
        let scale = Scale::fit(&Axis::linear("Completeness", "share"), [0.13, 0.97], Ends::Round);
        assert_eq!(texts(&scale.ticks(6)), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(scale.place(0.5), 0.5);
    }

    #[test]
    fn a_logarithmic_axis_has_decades_or_one_two_five() {
        let axis = Axis::logarithmic("Budget", "requests per day");
        assert_eq!(
            texts(&Scale::fit(&axis, [5.0, 300.0], Ends::Tight).ticks(8)),
            ["5", "10", "20", "50", "100", "200"]
        );
        assert_eq!(texts(&Scale::fit(&axis, [1e-4, 1e8], Ends::Tight).ticks(5)), ["0.001", "1", "1000", "10⁶"]);
        assert_eq!(texts(&Scale::fit(&axis, [10.0, 18.0], Ends::Tight).ticks(5)), ["10", "12", "14", "16", "18"]);
    }

    #[test]
    fn one_value_no_value_and_the_largest_values_have_a_range() {
        for values in [
            vec![],
            vec![0.0],
            vec![7.0],
            vec![-1e308, 1e308],
            vec![5e-324],
            vec![1e-308, 1e308],
            vec![f64::NAN, f64::INFINITY],
        ] {
            for kind in [Kind::Linear, Kind::Logarithmic, Kind::Time] {
                let scale = Scale::covering(kind, values.clone());
                assert!(
                    scale.low < scale.high && (scale.high - scale.low).is_finite(),
                    "{kind:?} {values:?} {scale:?}"
                );
                let ticks = scale.rounded().ticks(6);
                assert!((1..=12).contains(&ticks.len()), "{kind:?} {values:?} {ticks:?}");
            }
        }
    }
}
