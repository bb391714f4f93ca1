//! How the rate of a page rises and falls around its mean.

use super::calendar::Calendar;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tintype_vocab::{Span, Time};

/// More than this is no factor.
const FACTOR_MAX: f32 = 1e6;

/// A factor per bin: an instant's is the product of those of its period, its weekday and its day of the month. The
/// mean of every group is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "(Calendar, Vec<f32>)", into = "(Calendar, Vec<f32>)")]
pub struct Shape {
    calendar: Calendar,
    factors: Box<[f32]>,
}

impl TryFrom<(Calendar, Vec<f32>)> for Shape {
    type Error = &'static str;

    fn try_from((calendar, factors): (Calendar, Vec<f32>)) -> Result<Shape, &'static str> {
        if factors.len() != calendar.bins() {
            return Err("a shape with too many or too few bins");
        }
        // One that was written is read as it was: evening it out again would round it again.
        let shape = Shape { calendar, factors: factors.into() };
        Ok(if shape.is_even() { shape } else { Shape::of(calendar, shape.factors.into_vec()) })
    }
}

impl From<Shape> for (Calendar, Vec<f32>) {
    fn from(shape: Shape) -> (Calendar, Vec<f32>) {
        (shape.calendar, shape.factors.into_vec())
    }
}

impl Shape {
    /// All hours and days are alike.
    pub fn flat(calendar: Calendar) -> Shape {
        Shape { calendar, factors: vec![1.0; calendar.bins()].into() }
    }

    /// What is no number or negative counts as nothing; a group of nothing is flat.
    pub(super) fn of(calendar: Calendar, mut factors: Vec<f32>) -> Shape {
        factors.iter_mut().for_each(|factor| *factor = if *factor > 0.0 { factor.min(FACTOR_MAX) } else { 0.0 });
        for group in calendar.groups() {
            let mean: f64 = group.clone().map(|bin| f64::from(factors[bin]) * calendar.share(bin)).sum();
            let even = |factor: f32| if mean > 0.0 { (f64::from(factor) / mean) as f32 } else { 1.0 };
            factors[group].iter_mut().for_each(|factor| *factor = even(*factor));
        }
        Shape { calendar, factors: factors.into() }
    }

    /// Whether every factor can be one, and every group has a mean of one but for rounding.
    fn is_even(&self) -> bool {
        let mean = |group: Range<usize>| group.map(|bin| self.factor(bin) * self.calendar.share(bin)).sum::<f64>();
        self.factors.iter().all(|factor| (0.0..=FACTOR_MAX).contains(factor))
            && self.calendar.groups().into_iter().all(|group| (mean(group) - 1.0).abs() < 1e-4)
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Shape>() + size_of_val(&*self.factors)
    }

    pub fn calendar(&self) -> Calendar {
        self.calendar
    }

    /// Factors by period of a weekday, in the site's own time.
    pub fn weekday(&self) -> &[f32] {
        &self.factors[self.calendar.groups()[0].clone()]
    }

    /// Factors by period of a weekend day.
    pub fn weekend(&self) -> &[f32] {
        &self.factors[self.calendar.groups()[1].clone()]
    }

    /// Factors from Monday to Sunday.
    pub fn week(&self) -> &[f32] {
        &self.factors[self.calendar.groups()[2].clone()]
    }

    /// Factors from the 1st to the 31st.
    pub fn month(&self) -> &[f32] {
        &self.factors[self.calendar.groups()[3].clone()]
    }

    pub(super) fn factor(&self, bin: usize) -> f64 {
        f64::from(self.factors[bin])
    }

    pub(super) fn product(&self, bins: [usize; 3]) -> f64 {
        bins.iter().map(|&bin| self.factor(bin)).product()
    }

    /// The rate now, as a multiple of the mean rate.
    pub fn at(&self, time: Time) -> f64 {
        self.product(self.calendar.bins_at(time))
    }

    /// Days that would bring as many changes at the mean rate as these two instants have between them.
    pub fn effective_days(&self, from: Time, to: Time) -> f64 {
        let Some(whole) = self.calendar.whole_days(from, to) else { return self.walked(from, to) };
        let days: f64 = whole.bins().map(|day| self.factor(day.week) * self.factor(day.month)).sum();
        if whole.scale > 1.0 {
            // So long that the edges do not matter: the whole year in the middle stands for it.
            let years = (whole.end() - whole.start()).as_days_f64();
            return days / years * (to - from).as_days_f64();
        }
        self.walked(from, whole.start()) + days + self.walked(whole.end(), to)
    }

    fn walked(&self, from: Time, to: Time) -> f64 {
        let mut days = 0.0;
        self.calendar.walk(from, to, |cell| days += cell.days * self.product(cell.bins));
        days
    }

    /// When the busiest period within reach begins (`after` itself if that is now).
    pub fn next_peak(&self, after: Time, within: Span) -> Time {
        let mut best = (f64::MIN, after);
        self.calendar.walk(after, after + within, |cell| {
            let factor = self.product(cell.bins);
            if factor > best.0 {
                best = (factor, cell.start);
            }
        });
        best.1
    }

    /// The expected importance of what a visit at `to` would find, if one at `from` found `value` worth of changes that
    /// nobody has caught: the latest version stands for all since, so old value fades as new changes bury it.
    pub fn live_value(&self, value: f64, rate_per_day: f64, importance: f64, from: Time, to: Time) -> f64 {
        super::live_value(value, rate_per_day * self.effective_days(from, to), importance)
    }

    /// The first groups of bins as they are (periods of weekdays, of weekend days, weekdays, days of the month), the
    /// others flat.
    pub(super) fn of_first_groups(&self, kept: usize) -> Shape {
        let mut shape = self.clone();
        self.calendar.groups().into_iter().skip(kept).for_each(|group| shape.factors[group].fill(1.0));
        shape
    }

    /// Several shapes in proportion to their weights.
    pub(super) fn mix<'a>(calendar: Calendar, parts: impl Iterator<Item = (&'a Shape, f32)>) -> Shape {
        let mut factors = vec![0.0; calendar.bins()];
        for (shape, weight) in parts {
            factors.iter_mut().zip(&shape.factors).for_each(|(sum, factor)| *sum += weight * factor);
        }
        Shape::of(calendar, factors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Time {
        Time::parse_rfc3339(text).unwrap()
    }

    /// Nine to five on weekdays, ten times as busy; twice as much on Mondays and on the first of a month.
    fn office() -> Shape {
        let calendar = Calendar::default();
        let mut factors = vec![1.0; calendar.bins()];
        factors[9..17].fill(10.0);
        factors[48] = 2.0;
        factors[55] = 2.0;
        Shape::of(calendar, factors)
    }

    #[test]
    fn every_group_has_a_mean_of_one_and_a_year_its_length() {
        let shape = office();
        let mean = |factors: &[f32]| factors.iter().sum::<f32>() / factors.len() as f32;
        for group in [shape.weekday(), shape.weekend(), shape.week()] {
            assert!((mean(group) - 1.0).abs() < 1e-5);
        }
        let (from, to) = (at("2024-01-01T00:00:00Z"), at("2025-01-01T00:00:00Z"));
        assert!((shape.effective_days(from, to) / 366.0 - 1.0).abs() < 0.01);
    }

    #[test]
    fn a_working_morning_is_longer_than_a_night() {
        let shape = office();
        let morning = shape.effective_days(at("2024-05-07T09:00:00Z"), at("2024-05-07T12:00:00Z"));
        let night = shape.effective_days(at("2024-05-07T00:00:00Z"), at("2024-05-07T03:00:00Z"));
        assert!((morning / night - 10.0).abs() < 1e-4, "{morning} {night}");
        assert!(shape.at(at("2024-05-06T10:00:00Z")) > 1.9 * shape.at(at("2024-05-07T10:00:00Z")));
    }

    #[test]
    fn the_next_peak_is_the_busiest_period_within_reach() {
        let (shape, night) = (office(), at("2024-05-07T22:30:00Z"));
        assert_eq!(shape.next_peak(night, Span::from_days(1)), at("2024-05-08T09:00:00Z"));
        assert_eq!(shape.next_peak(night, Span::from_days(8)), at("2024-05-13T09:00:00Z"));
        assert_eq!(shape.next_peak(night, Span::ZERO), night);
    }

    #[test]
    fn what_was_written_reads_back_and_what_does_not_fit_is_refused() {
        let text = serde_json::to_string(&office()).unwrap();
        assert_eq!(serde_json::from_str::<Shape>(&text).unwrap(), office());
        assert!(serde_json::from_str::<Shape>("[[24,0],[1.0,1.0]]").is_err());
        let nothing = format!("[[1,0],[{}]]", vec!["-1.0"; 40].join(","));
        assert_eq!(serde_json::from_str::<Shape>(&nothing).unwrap(), Shape::flat(Calendar::new(1, Span::ZERO)));
    }

    proptest! {
        #[test]
        fn effective_days_add_up_and_never_shrink(millis in prop::collection::vec(0i64..40_000_000_000, 3), start in any::<i64>()) {
            let shape = office();
            let from = Time::from_millis(start / 8);
            let middle = from + Span::from_millis(millis[0]);
            let to = middle + Span::from_millis(millis[1] % 20_000_000_000);
            prop_assume!((to - from) < Span::from_days(370));
            let parts = shape.effective_days(from, middle) + shape.effective_days(middle, to);
            let whole = shape.effective_days(from, to);
            prop_assert!((parts - whole).abs() < 1e-4 * (1.0 + whole), "{parts} {whole}");
            prop_assert!(whole >= 0.0);
        }

        #[test]
        fn any_two_instants_have_finitely_many_days_between_them(from in any::<i64>(), to in any::<i64>()) {
            let days = office().effective_days(Time::from_millis(from), Time::from_millis(to));
            prop_assert!(days.is_finite() && days >= 0.0);
        }
    }
}
