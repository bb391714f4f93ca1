//! Changes come in bursts: a page is quiet or active, and which of the two shows only in its changes.
//!
//! A two-state modulated Poisson process. What is known of a page is one number, the chance that it is active; what is
//! known of a site is how long and how busy its active spells are, found among a fixed set of candidates from logs.
//! Rates are multiples of a page's own mean rate, so bursts say when, never how often.

use serde::{Deserialize, Serialize};

/// Candidates: which share of changes falls into active spells, which share of time those take, and how long one lasts.
const CHANGES_ACTIVE: [f64; 3] = [0.5, 0.8, 0.95];
const TIME_ACTIVE: [f64; 5] = [0.003, 0.01, 0.03, 0.1, 0.3];
const ACTIVE_DAYS: [f64; 7] = [0.04, 0.125, 0.4, 1.25, 4.0, 12.5, 40.0];
/// Bursts are believed in only if they explain a log better than chance by this much (BIC has 3/2 ln n; this is more).
const GAIN_MIN: f64 = 12.0;
/// The latest visits to a page that a fit looks at.
const VISITS_MAX: usize = 2000;
/// How sure of the site's mean rate a page begins: as if half a change had been seen.
const SHAPE: f64 = 0.5;
/// Rates and times beyond this are no pages.
const CHANGES_MAX: f64 = 1e6;

/// One visit to a page: days since the visit before, and whether it found a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Effective days, if the page has a time pattern.
    pub days: f64,
    pub changed: bool,
}

/// How the pages of a site are active and quiet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bursts {
    /// Rates, as multiples of the mean rate.
    quiet: f64,
    active: f64,
    start_per_day: f64,
    stop_per_day: f64,
}

/// The chance that a page is active now. Four bytes.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Activity(f32);

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
    pub fn unknown(&self) -> Activity {
        Activity((self.start_per_day / (self.start_per_day + self.stop_per_day)) as f32)
    }

    /// Once a change has just happened: most changes are part of a burst.
    pub fn just_changed(&self, before: Activity) -> Activity {
        let active = f64::from(before.0) * self.active;
        Activity::of(active, active + (1.0 - f64::from(before.0)) * self.quiet)
    }

    /// The rate now, as a multiple of the mean rate.
    pub fn factor(&self, now: Activity) -> f64 {
        let active = f64::from(now.0);
        (1.0 - active) * self.quiet + active * self.active
    }

    /// Days that would bring as many changes at the mean rate as the next `days` are expected to.
    pub fn effective_days(&self, now: Activity, days: f64) -> f64 {
        let days = days.max(0.0);
        let settle = self.start_per_day + self.stop_per_day;
        let above = self.factor(now) - self.factor(self.unknown());
        days - above * (-settle * days).exp_m1() / settle
    }

    /// The chance of a change within the next days, of a page with this mean rate.
    pub fn chance(&self, now: Activity, rate_per_day: f64, days: f64) -> f64 {
        let (quiet, active) = self.unchanged(now, rate_per_day, days);
        (1.0 - quiet - active).clamp(0.0, 1.0)
    }

    /// What is known after a visit.
    pub fn after(&self, before: Activity, rate_per_day: f64, visit: Interval) -> Activity {
        let (quiet, active) = self.unchanged(before, rate_per_day, visit.days);
        if !visit.changed {
            return Activity::of(active, quiet + active);
        }
        let (any_quiet, any_active) = self.unchanged(before, 0.0, visit.days);
        let (quiet, active) = ((any_quiet - quiet).max(0.0), (any_active - active).max(0.0));
        if quiet + active > 0.0 { Activity::of(active, quiet + active) } else { self.just_changed(before) }
    }

    /// The chances that there was no change and the page is now quiet, or active: p · exp((Q − Λ) t), exact also for
    /// visits so far apart that spells came and went.
    fn unchanged(&self, before: Activity, rate_per_day: f64, days: f64) -> (f64, f64) {
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

    /// The bursts that explain the logs of a site's pages best; none if constant rates explain them nearly as well.
    pub fn fit(pages: &[&[Interval]]) -> Option<Bursts> {
        let visits = || pages.iter().flat_map(|visits| latest(visits));
        let days: f64 = visits().map(|visit| visit.days.clamp(0.0, CHANGES_MAX)).sum();
        let changes = visits().filter(|visit| visit.changed).count() as f64;
        let site = Rate { changes: SHAPE, days: SHAPE * days / changes };
        if !(site.days > 0.0 && site.days.is_finite()) {
            return None;
        }
        let candidates = CHANGES_ACTIVE.into_iter().flat_map(|changes| {
            let times = TIME_ACTIVE.into_iter().flat_map(move |time| ACTIVE_DAYS.map(|days| (time, days)));
            times.filter_map(move |(time, days)| Bursts::new(changes, time, days))
        });
        let likely = |bursts: Option<&Bursts>| -> f64 {
            pages.iter().map(|visits| log_likelihood(bursts, site, latest(visits))).sum()
        };
        let scored = candidates.map(|bursts| (likely(Some(&bursts)), bursts));
        let (best, bursts) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
        (best > likely(None) + GAIN_MIN).then_some(bursts)
    }
}

fn latest(visits: &[Interval]) -> &[Interval] {
    &visits[visits.len().saturating_sub(VISITS_MAX)..]
}

/// A belief about a mean rate: so many changes in so many effective days (a Gamma).
#[derive(Clone, Copy)]
struct Rate {
    changes: f64,
    days: f64,
}

impl Rate {
    fn per_day(self) -> f64 {
        self.changes / self.days
    }

    fn log_chance(self, days: f64, changed: bool) -> f64 {
        let unchanged = -self.changes * (days / self.days).ln_1p();
        if changed { (-unchanged.exp_m1()).max(1e-12).ln() } else { unchanged }
    }

    fn after(self, days: f64, changed: bool) -> Rate {
        let expected = (self.per_day() * days).max(1e-12);
        let found = if changed { expected / -(-expected).exp_m1() } else { 0.0 };
        Rate { changes: self.changes + found, days: self.days + days }
    }
}

/// How likely a page's visits are, each foretold from those before the way a policy would: by the belief about its rate,
/// which counts in effective days, and the belief about its activity.
fn log_likelihood(bursts: Option<&Bursts>, site: Rate, visits: &[Interval]) -> f64 {
    let (mut rate, mut sum) = (site, 0.0);
    let mut now = bursts.map(|bursts| bursts.unknown());
    for visit in visits.iter().filter(|visit| visit.days > 0.0) {
        let days = visit.days.min(CHANGES_MAX);
        let both = bursts.zip(now);
        let effective = both.map_or(days, |(bursts, now)| bursts.effective_days(now, days));
        sum += rate.log_chance(effective, visit.changed);
        now = both.map(|(bursts, now)| bursts.after(now, rate.per_day(), *visit));
        rate = rate.after(effective, visit.changed);
    }
    sum
}

impl Activity {
    pub fn chance(self) -> f32 {
        self.0
    }

    /// A share of a whole; all of nothing is nothing.
    fn of(part: f64, whole: f64) -> Activity {
        Activity(if whole > 0.0 { (part / whole).clamp(0.0, 1.0) as f32 } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unit(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Visits once an hour to a page with these bursts; or none.
    fn visits(seed: u64, bursts: Option<Bursts>, rate: f64, hours: usize) -> Vec<Interval> {
        let (mut state, mut active) = (seed, false);
        let days = 1.0 / 24.0;
        let visit = |_| {
            let factor = bursts.map_or(1.0, |bursts| {
                let switch = if active { bursts.stop_per_day } else { bursts.start_per_day };
                active ^= unit(&mut state) < switch * days;
                if active { bursts.active } else { bursts.quiet }
            });
            Interval { days, changed: unit(&mut state) > (-rate * factor * days).exp() }
        };
        (0..hours).map(visit).collect()
    }

    fn some() -> Bursts {
        Bursts::new(0.8, 0.1, 1.25).unwrap()
    }

    #[test]
    fn bursts_keep_the_mean_rate() {
        let bursts = some();
        assert!((bursts.factor(bursts.unknown()) - 1.0).abs() < 1e-6);
        assert!((bursts.effective_days(bursts.unknown(), 7.0) - 7.0).abs() < 1e-5);
        assert!(bursts.effective_days(Activity(1.0), 1.0) > 4.0 * bursts.effective_days(Activity(0.0), 1.0));
        assert!((bursts.effective_days(Activity(1.0), 1e-6) / 8e-6 - 1.0).abs() < 1e-3);
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
        assert!(bursts.just_changed(bursts.unknown()) > bursts.unknown());
    }

    #[test]
    fn two_silent_visits_say_the_same_as_one_that_took_as_long() {
        let (bursts, start) = (some(), Activity(0.6));
        let silent = |days| Interval { days, changed: false };
        let twice = bursts.after(bursts.after(start, 2.0, silent(0.3)), 2.0, silent(0.9));
        let once = bursts.after(start, 2.0, silent(1.2));
        assert!((twice.chance() - once.chance()).abs() < 1e-6);
    }

    #[test]
    fn the_bursts_of_a_simulated_site_are_found() {
        let truth = some();
        let logs: Vec<_> = (0..12).map(|seed| visits(seed, Some(truth), 1.0, 1500)).collect();
        let pages: Vec<_> = logs.iter().map(Vec::as_slice).collect();
        let found = Bursts::fit(&pages).unwrap();
        assert!(found.active > 3.0 && found.quiet < 0.6, "{found:?}");
        assert!((0.2..4.0).contains(&found.stop_per_day), "{found:?}");
    }

    #[test]
    fn a_site_without_bursts_has_none() {
        let logs: Vec<_> = (0..6).map(|seed| visits(seed, None, 1.0, 1500)).collect();
        let pages: Vec<_> = logs.iter().map(Vec::as_slice).collect();
        assert_eq!(Bursts::fit(&pages), None);
        assert_eq!(Bursts::fit(&[]), None);
        let odd = [f64::NAN, -1.0, 0.0, f64::INFINITY].map(|days| Interval { days, changed: true });
        assert_eq!(Bursts::fit(&[&odd]), None);
    }

    #[test]
    fn what_cannot_be_is_refused_and_a_page_costs_four_bytes() {
        for (changes, time, days) in [(0.1, 0.5, 1.0), (1.0, 0.1, 1.0), (0.8, 0.0, 1.0), (0.8, 0.1, f64::NAN)] {
            assert_eq!(Bursts::new(changes, time, days), None);
        }
        assert_eq!(size_of::<Activity>(), 4);
        let text = serde_json::to_string(&(some(), some().unknown())).unwrap();
        assert_eq!(serde_json::from_str::<(Bursts, Activity)>(&text).unwrap(), (some(), some().unknown()));
    }

    proptest! {
        #[test]
        fn any_visit_leaves_a_chance(active in 0.0f32..=1.0, rate in any::<f64>(), days in any::<f64>(), changed: bool) {
            let bursts = some();
            let after = bursts.after(Activity(active), rate, Interval { days, changed });
            prop_assert!((0.0..=1.0).contains(&after.0), "{after:?}");
            prop_assert!((0.0..=1.0).contains(&bursts.chance(after, rate, days)));
        }
    }
}
