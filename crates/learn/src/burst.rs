//! Changes come in bursts: a page is quiet or active, and which of the two shows only in its changes.
//!
//! A two-state modulated Poisson process. What is known of a page is one number, the chance that it is active; what is
//! known of a site is how long and how busy its active spells are, found among a fixed set of candidates from logs.
//! Rates are multiples of a page's own mean rate, so bursts say when, never how often: they turn days into effective
//! days, in which evidence about the rate is to be counted as well. Such evidence need not fade.

mod fit;
mod sample;

pub use fit::Log;
pub use sample::Sample;

use crate::pattern::Shape;
use serde::{Deserialize, Serialize};
use tintype_vocab::{Span, Time};

/// Steps in which activity is taken to be constant, in units of the time it takes to settle: small at first, because
/// most pages are looked at soon; nothing is left of it in the end.
const STEPS: std::ops::RangeInclusive<f64> = 0.015_625..=0.25;
const SETTLED: f64 = 5.0;
/// Rates and times beyond this are no pages.
const CHANGES_MAX: f64 = 1e6;

/// One visit to a page: days since the visit before, and whether it found a change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub days: f64,
    pub changed: bool,
}

/// How the pages of a site are active and quiet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 4]", into = "[f64; 4]")]
pub struct Bursts {
    /// Rates, as multiples of the mean rate.
    quiet: f64,
    active: f64,
    start_per_day: f64,
    stop_per_day: f64,
}

/// The chance that a page is active now. Four bytes.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(from = "f32", into = "f32")]
pub struct BurstActivity(f32);

impl From<f32> for BurstActivity {
    fn from(chance: f32) -> BurstActivity {
        BurstActivity::of(f64::from(chance), 1.0)
    }
}

impl From<BurstActivity> for f32 {
    fn from(activity: BurstActivity) -> f32 {
        activity.0
    }
}

impl TryFrom<[f64; 4]> for Bursts {
    type Error = &'static str;

    fn try_from([quiet, active, start_per_day, stop_per_day]: [f64; 4]) -> Result<Bursts, &'static str> {
        let sound = |number: f64| number > 0.0 && number.is_finite();
        if ![quiet, active, start_per_day, stop_per_day].into_iter().all(sound) {
            return Err("bursts with a rate that is none");
        }
        Ok(Bursts { quiet, active, start_per_day, stop_per_day })
    }
}

impl From<Bursts> for [f64; 4] {
    fn from(bursts: Bursts) -> [f64; 4] {
        [bursts.quiet, bursts.active, bursts.start_per_day, bursts.stop_per_day]
    }
}

impl Bursts {
    /// Active spells that hold these shares of changes and of time and last so long on average. None where the quiet
    /// would be busier than the active, or a number is no share.
    pub fn new(changes_active: f64, time_active: f64, active_days: f64) -> Option<Bursts> {
        let shares = 0.0 < time_active && time_active < changes_active && changes_active < 1.0;
        (shares && active_days > 0.0 && active_days.is_finite()).then(|| Bursts {
            quiet: (1.0 - changes_active) / (1.0 - time_active),
            active: changes_active / time_active,
            start_per_day: time_active / (1.0 - time_active) / active_days,
            stop_per_day: 1.0 / active_days,
        })
    }

    /// What is known of a page that nobody has looked at.
    pub fn unknown(&self) -> BurstActivity {
        BurstActivity((self.start_per_day / (self.start_per_day + self.stop_per_day)) as f32)
    }

    /// What is known of a page that has just come into being, which is a change like others.
    pub fn newborn(&self) -> BurstActivity {
        self.just_changed(self.unknown())
    }

    /// What is known after a while in which nobody looked.
    pub fn passed(&self, before: BurstActivity, days: f64) -> BurstActivity {
        let (quiet, active) = self.unchanged(before, 0.0, days);
        BurstActivity::of(active, quiet + active)
    }

    /// Once a change has just happened: most changes are part of a burst.
    pub fn just_changed(&self, before: BurstActivity) -> BurstActivity {
        let active = f64::from(before.0) * self.active;
        BurstActivity::of(active, active + (1.0 - f64::from(before.0)) * self.quiet)
    }

    /// The rate now, as a multiple of the mean rate.
    pub fn factor(&self, now: BurstActivity) -> f64 {
        let active = f64::from(now.0);
        (1.0 - active) * self.quiet + active * self.active
    }

    /// Days that would bring as many changes at the mean rate as the next `days` are expected to.
    pub fn effective_days(&self, now: BurstActivity, days: f64) -> f64 {
        let days = days.max(0.0);
        let settle = self.start_per_day + self.stop_per_day;
        let above = self.factor(now) - self.factor(self.unknown());
        days - above * (-settle * days).exp_m1() / settle
    }

    /// The same for a page with a time pattern, last seen at `from`. Never less for a later `to`.
    pub fn effective_days_in(&self, shape: &Shape, now: BurstActivity, from: Time, to: Time) -> f64 {
        let settle_ms = 86_400_000.0 / (self.start_per_day + self.stop_per_day);
        let after = |elapsed: f64| (from + Span::from_millis((elapsed * settle_ms) as i64)).min(to);
        let above = self.factor(now) - 1.0;
        let (mut elapsed, mut at, mut days) = (0.0f64, from, 0.0);
        while elapsed < SETTLED && at < to {
            let step = elapsed.clamp(*STEPS.start(), *STEPS.end());
            let mean = above * (-elapsed).exp() * -(-step).exp_m1() / step;
            elapsed += step;
            let until = after(elapsed);
            days += (1.0 + mean) * shape.effective_days(at, until);
            at = until;
        }
        days + shape.effective_days(at, to)
    }

    /// The chance of a change within the next days, of a page with this mean rate.
    pub fn chance(&self, now: BurstActivity, rate_per_day: f64, days: f64) -> f64 {
        let (quiet, active) = self.unchanged(now, rate_per_day, days);
        (1.0 - quiet - active).clamp(0.0, 1.0)
    }

    /// What is known after a visit. Of a page with a time pattern, the rate is that of the interval: the mean rate times
    /// effective days per day.
    pub fn after(&self, before: BurstActivity, rate_per_day: f64, visit: Interval) -> BurstActivity {
        let (quiet, active) = self.unchanged(before, rate_per_day, visit.days);
        if !visit.changed {
            return BurstActivity::of(active, quiet + active);
        }
        let (any_quiet, any_active) = self.unchanged(before, 0.0, visit.days);
        let (quiet, active) = ((any_quiet - quiet).max(0.0), (any_active - active).max(0.0));
        if quiet + active > 0.0 { BurstActivity::of(active, quiet + active) } else { self.just_changed(before) }
    }

    /// The chances that there was no change and the page is now quiet, or active: p · exp((Q − Λ) t), exact also for
    /// visits so far apart that spells came and went.
    fn unchanged(&self, before: BurstActivity, rate_per_day: f64, days: f64) -> (f64, f64) {
        let days = if days > 0.0 { days.min(CHANGES_MAX) } else { 0.0 };
        let rate = if rate_per_day > 0.0 { rate_per_day.min(CHANGES_MAX) } else { 0.0 };
        let (start, stop) = (self.start_per_day, self.stop_per_day);
        let (from_quiet, from_active) = (-start - rate * self.quiet, -stop - rate * self.active);
        let (middle, half) = ((from_quiet + from_active) / 2.0, (from_quiet - from_active) / 2.0);
        let root = (half * half + start * stop).sqrt();
        let (slow, fast) = (((middle + root) * days).exp(), ((middle - root) * days).exp());
        let (even, odd) = ((slow + fast) / 2.0, (slow - fast) / (2.0 * root));
        let active = f64::from(before.0);
        let quiet = 1.0 - active;
        (
            (quiet * (even + odd * half) + active * odd * stop).max(0.0),
            (active * (even - odd * half) + quiet * odd * start).max(0.0),
        )
    }
}

impl BurstActivity {
    pub fn chance(self) -> f32 {
        self.0
    }

    /// A share of a whole; all of nothing is nothing.
    fn of(part: f64, whole: f64) -> BurstActivity {
        BurstActivity(if whole > 0.0 { (part / whole).clamp(0.0, 1.0) as f32 } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn some() -> Bursts {
        Bursts::new(0.8, 0.1, 1.25).unwrap()
    }

    #[test]
    fn bursts_keep_the_mean_rate() {
        let bursts = some();
        assert!((bursts.factor(bursts.unknown()) - 1.0).abs() < 1e-6);
        assert!((bursts.effective_days(bursts.unknown(), 7.0) - 7.0).abs() < 1e-5);
        assert!(bursts.effective_days(BurstActivity(1.0), 1.0) > 4.0 * bursts.effective_days(BurstActivity(0.0), 1.0));
        assert!((bursts.effective_days(BurstActivity(1.0), 1e-6) / 8e-6 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn with_a_pattern_days_add_up_the_same_way_and_never_shrink() {
        let (bursts, flat, from) = (some(), Shape::flat(Default::default()), Time::from_secs(1_704_067_200));
        let mut before = 0.0;
        for hours in 1..400 {
            let to = from + Span::from_secs(3600 * hours);
            for active in [0.0, 0.3, 1.0].map(BurstActivity) {
                let (exact, stepped) = (
                    bursts.effective_days(active, (to - from).as_days_f64()),
                    bursts.effective_days_in(&flat, active, from, to),
                );
                assert!((exact - stepped).abs() < 0.05 * exact, "{hours} h, {active:?}: {exact} {stepped}");
            }
            let quiet = bursts.effective_days_in(&flat, BurstActivity(0.0), from, to);
            assert!(quiet > before);
            before = quiet;
        }
        assert_eq!(bursts.effective_days_in(&flat, BurstActivity(0.5), from, from), 0.0);
        assert_eq!(bursts.effective_days_in(&flat, BurstActivity(0.5), Time::MAX, Time::MIN), 0.0);
    }

    #[test]
    fn a_change_makes_a_page_active_and_silence_calms_it() {
        let bursts = some();
        let hour = |changed| Interval { days: 1.0 / 24.0, changed };
        let after = bursts.after(bursts.unknown(), 1.0, hour(true));
        assert!(after > bursts.unknown() && after.chance() > 0.4, "{after:?}");
        let calm = (0..240).fold(after, |now, _| bursts.after(now, 1.0, hour(false)));
        assert!(calm < bursts.unknown(), "{calm:?}");
        assert!(bursts.chance(after, 1.0, 0.1) > 3.0 * bursts.chance(calm, 1.0, 0.1));
        assert!(bursts.newborn() > bursts.unknown());
    }

    #[test]
    fn what_nobody_looked_at_is_forgotten() {
        let bursts = some();
        assert!((bursts.passed(BurstActivity(1.0), 1e4).chance() - bursts.unknown().chance()).abs() < 1e-5);
        assert!(bursts.passed(BurstActivity(1.0), 0.1) > bursts.passed(BurstActivity(1.0), 1.0));
        assert_eq!(bursts.passed(BurstActivity(0.3), 0.0), BurstActivity(0.3));
    }

    #[test]
    fn two_silent_visits_say_the_same_as_one_that_took_as_long() {
        let (bursts, start) = (some(), BurstActivity(0.6));
        let silent = |days| Interval { days, changed: false };
        let twice = bursts.after(bursts.after(start, 2.0, silent(0.3)), 2.0, silent(0.9));
        let once = bursts.after(start, 2.0, silent(1.2));
        assert!((twice.chance() - once.chance()).abs() < 1e-6);
    }

    #[test]
    fn what_cannot_be_is_refused_and_a_page_costs_four_bytes() {
        for (changes, time, days) in [(0.1, 0.5, 1.0), (1.0, 0.1, 1.0), (0.8, 0.0, 1.0), (0.8, 0.1, f64::NAN)] {
            assert_eq!(Bursts::new(changes, time, days), None);
        }
        assert_eq!(size_of::<BurstActivity>(), 4);
        assert!(serde_json::from_str::<Bursts>("[0.5,-1.0,1.0,1.0]").is_err());
        assert_eq!(serde_json::from_str::<BurstActivity>("7.0").unwrap(), BurstActivity(1.0));
        let text = serde_json::to_string(&(some(), some().unknown())).unwrap();
        assert_eq!(serde_json::from_str::<(Bursts, BurstActivity)>(&text).unwrap(), (some(), some().unknown()));
    }

    proptest! {
        #[test]
        fn any_visit_leaves_a_chance(active in 0.0f32..=1.0, rate in any::<f64>(), days in any::<f64>(), changed: bool) {
            let bursts = some();
            let after = bursts.after(BurstActivity(active), rate, Interval { days, changed });
            prop_assert!((0.0..=1.0).contains(&after.0), "{after:?}");
            prop_assert!((0.0..=1.0).contains(&bursts.chance(after, rate, days)));
        }
    }
}
