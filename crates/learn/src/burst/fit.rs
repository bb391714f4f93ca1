//! Which bursts a site has, from the logs of its pages.

use super::{Bursts, CHANGES_MAX, Interval};

/// Candidates: which share of changes falls into active spells, which share of time those take, and how long one lasts.
const CHANGES_ACTIVE: [f64; 3] = [0.5, 0.8, 0.95];
const TIME_ACTIVE: [f64; 5] = [0.003, 0.01, 0.03, 0.1, 0.3];
const ACTIVE_DAYS: [f64; 6] = [0.04, 0.125, 0.4, 1.25, 4.0, 12.5];
/// Bursts are believed in only if they explain a log better than constant rates by this much and this share: edits of
/// many pages at once look like a little of both.
const GAIN_MIN: f64 = 12.0;
const GAIN_SHARE_MIN: f64 = 0.01;
/// Visits to a page that a fit looks at.
const VISITS_MAX: usize = 2000;
/// How sure of the site's mean rate a page begins: as if half a change had been seen.
const SHAPE: f64 = 0.5;

/// What was seen of one page.
#[derive(Clone, Copy, Debug)]
pub struct Log<'a> {
    /// The page had just come into being when it was first seen.
    pub newborn: bool,
    pub visits: &'a [Interval],
}

impl Bursts {
    /// The bursts that explain the logs of a site's pages best; none if constant rates explain them nearly as well.
    pub fn fit(pages: &[Log<'_>]) -> Option<Bursts> {
        let visits = || pages.iter().flat_map(Log::first_visits);
        let days: f64 = visits().map(|visit| visit.days.min(CHANGES_MAX)).sum();
        let changes = visits().filter(|visit| visit.changed).count() as f64;
        let site = Rate { changes: SHAPE, days: SHAPE * days / changes };
        if !(site.days > 0.0 && site.days.is_finite()) {
            return None;
        }
        let candidates = CHANGES_ACTIVE.into_iter().flat_map(|changes| {
            let times = TIME_ACTIVE.into_iter().flat_map(move |time| ACTIVE_DAYS.map(|days| (time, days)));
            times.filter_map(move |(time, days)| Bursts::new(changes, time, days))
        });
        let likely =
            |bursts: Option<&Bursts>| -> f64 { pages.iter().map(|page| log_likelihood(bursts, site, page)).sum() };
        let scored = candidates.map(|bursts| (likely(Some(&bursts)), bursts));
        let (best, bursts) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let steady = likely(None);
        (best - steady > GAIN_MIN.max(-GAIN_SHARE_MIN * steady)).then_some(bursts)
    }
}

impl Log<'_> {
    fn first_visits(&self) -> impl Iterator<Item = &Interval> {
        self.visits.iter().take(VISITS_MAX).filter(|visit| visit.days > 0.0)
    }
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
fn log_likelihood(bursts: Option<&Bursts>, site: Rate, page: &Log<'_>) -> f64 {
    let (mut rate, mut sum) = (site, 0.0);
    let mut now = bursts.map(|bursts| if page.newborn { bursts.newborn() } else { bursts.unknown() });
    for visit in page.first_visits() {
        let days = visit.days.min(CHANGES_MAX);
        let both = bursts.zip(now);
        let effective = both.map_or(days, |(bursts, now)| bursts.effective_days(now, days));
        sum += rate.log_chance(effective, visit.changed);
        now = both.map(|(bursts, now)| bursts.after(now, rate.per_day(), *visit));
        rate = rate.after(effective, visit.changed);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_bursts_of_a_simulated_site_are_found() {
        let truth = some();
        let logs: Vec<_> = (0..12).map(|seed| visits(seed, Some(truth), 1.0, 1500)).collect();
        let pages: Vec<_> = logs.iter().map(|visits| Log { newborn: false, visits }).collect();
        let found = Bursts::fit(&pages).unwrap();
        assert!(found.active > 3.0 && found.quiet < 0.6, "{found:?}");
        assert!((0.2..4.0).contains(&found.stop_per_day), "{found:?}");
    }

    #[test]
    fn a_site_without_bursts_has_none() {
        let logs: Vec<_> = (0..6).map(|seed| visits(seed, None, 1.0, 1500)).collect();
        let pages: Vec<_> = logs.iter().map(|visits| Log { newborn: false, visits }).collect();
        assert_eq!(Bursts::fit(&pages), None);
        assert_eq!(Bursts::fit(&[]), None);
        let odd = [f64::NAN, -1.0, 0.0, f64::INFINITY].map(|days| Interval { days, changed: true });
        assert_eq!(Bursts::fit(&[Log { newborn: true, visits: &odd }]), None);
    }
}
