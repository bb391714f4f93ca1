//! Pages that behave alike share a profile, found from their tallies.
//!
//! A mixture of a few shapes, fitted by expectation maximisation; the number of profiles is the one with the best BIC.
//! A page belongs to profiles in part: one without changes to all of them as the site does, one with many to the one it
//! resembles. A page's shape is shrunk to its profiles', a profile's to the site's ([`super::Rhythm`]),
//! the site's to flat. Pages that were edited together once look alike and are not, so profiles must foretell visits
//! better than the site's rhythm before they are believed; on the histories this was tried on they do not.

use super::{
    shape::Shape,
    tally::{HourTally, log_chance},
};
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// More profiles than this are not told apart.
pub const PROFILES_MAX: usize = 4;
/// Rounds of expectation maximisation.
const ROUNDS: usize = 15;
/// Pages of a site change together, so a change is worth less than one when profiles are counted.
const TOGETHER: f64 = 3.0;
/// Where profiles start that have foretold nothing yet, and how much credit they can gather or lose.
const UNPROVEN: f64 = -5.0;
const GAIN_MAX: f64 = 100.0;
/// Changes that hold a shape to the one it is shrunk to.
const PROFILE_STRENGTH: f64 = 100.0;
const PAGE_STRENGTH: f64 = 200.0;
/// No less likely than this, so that one odd change does not exclude a profile.
const FACTOR_MIN: f64 = 0.02;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Profile {
    shape: Shape,
    /// The share of the site's pages that behave like this.
    share: f32,
}

/// The profiles of a site: at most [`PROFILES_MAX`] shapes, 344 bytes each with hours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profiles {
    site: Shape,
    profiles: Vec<Profile>,
    /// How much better than the site's rhythm the profiles have foretold visits: a log-likelihood ratio.
    gain: f64,
}

impl Profiles {
    /// Every page is thought to do as the site does.
    pub fn of_site(site: Shape) -> Profiles {
        Profiles { profiles: vec![Profile { shape: site.clone(), share: 1.0 }], site, gain: UNPROVEN }
    }

    /// Learns the profiles anew from what was seen of the site's pages. Pages cut into other bins do not count.
    pub fn learn<'a>(&mut self, site: Shape, pages: impl IntoIterator<Item = &'a HourTally>) {
        let gain = self.gain;
        *self = Profiles::fit(site, pages);
        self.gain = if self.profiles.len() > 1 { gain } else { UNPROVEN };
    }

    /// Tests the profiles on a visit, before the page's tally hears of it.
    pub fn test(&mut self, page: &HourTally, from: Time, to: Time, changed: bool, rate_per_day: f64) {
        if self.profiles.len() < 2 || !(1e-9..1e4).contains(&rate_per_day) {
            return;
        }
        let log_chance = |shape: &Shape| log_chance(rate_per_day * shape.effective_days(from, to), changed);
        let gain = self.gain + log_chance(&self.mixed(page)) - log_chance(&self.site);
        self.gain = gain.clamp(-GAIN_MAX, GAIN_MAX);
    }

    fn fit<'a>(site: Shape, pages: impl IntoIterator<Item = &'a HourTally>) -> Profiles {
        let speaks = |page: &&HourTally| page.calendar() == site.calendar() && page.changes() > 0.0;
        let pages: Vec<&HourTally> = pages.into_iter().filter(speaks).collect();
        let mut best = Profiles::of_site(site);
        let mut best_bic = best.bic(&pages);
        let mut next = best.clone();
        while next.profiles.len() < PROFILES_MAX.min(pages.len()) {
            next.split(&pages);
            (0..ROUNDS).for_each(|_| next.refine(&pages));
            let bic = next.bic(&pages);
            if bic >= best_bic {
                break;
            }
            (best, best_bic) = (next.clone(), bic);
        }
        best
    }

    /// Gives the page that the profiles say least about one of its own.
    fn split(&mut self, pages: &[&HourTally]) {
        let gain = |page: &&&HourTally| {
            let own = page.shape(&self.site, PROFILE_STRENGTH);
            log_likelihood(page, &own) - self.evidence(page)
        };
        let oddest = pages.iter().max_by(|a, b| gain(a).total_cmp(&gain(b)));
        if let Some(page) = oddest {
            let share = 1.0 / (self.profiles.len() + 1) as f32;
            self.profiles.iter_mut().for_each(|profile| profile.share *= 1.0 - share);
            self.profiles.push(Profile { shape: page.shape(&self.site, PROFILE_STRENGTH), share });
        }
    }

    fn refine(&mut self, pages: &[&HourTally]) {
        let empty = HourTally::new(self.site.calendar(), f64::INFINITY);
        let mut sums = vec![(empty, 0.0f32); self.profiles.len()];
        for page in pages {
            for ((sum, share), member) in sums.iter_mut().zip(self.membership(page)) {
                sum.merge_share(page, member);
                *share += member / pages.len() as f32;
            }
        }
        for (profile, (sum, share)) in self.profiles.iter_mut().zip(sums) {
            *profile = Profile { shape: sum.shape(&self.site, PROFILE_STRENGTH), share };
        }
    }

    fn bic(&self, pages: &[&HourTally]) -> f64 {
        let changes: f64 = pages.iter().map(|page| page.changes()).sum();
        // Every group has one bin less than it has bins: the mean is one.
        let free = self.profiles.len() * (self.site.calendar().bins() - 4) + self.profiles.len() - 1;
        let evidence: f64 = pages.iter().map(|page| self.evidence(page)).sum();
        TOGETHER * free as f64 * changes.max(2.0).ln() - 2.0 * evidence
    }

    fn log_parts(&self, page: &HourTally) -> Vec<f64> {
        let part = |profile: &Profile| f64::from(profile.share.max(1e-6)).ln() + log_likelihood(page, &profile.shape);
        self.profiles.iter().map(part).collect()
    }

    fn evidence(&self, page: &HourTally) -> f64 {
        let parts = self.log_parts(page);
        let top = parts.iter().copied().fold(f64::MIN, f64::max);
        top + parts.iter().map(|part| (part - top).exp()).sum::<f64>().ln()
    }

    /// How many profiles there are.
    pub fn len(&self) -> usize {
        self.profiles.len()
    }

    /// There is always at least one.
    pub fn is_empty(&self) -> bool {
        self.profiles.is_empty()
    }

    /// Whether the profiles have foretold visits better than the site's rhythm, so that they are believed.
    pub fn is_proven(&self) -> bool {
        self.gain > 0.0
    }

    /// The site as a whole.
    pub fn site(&self) -> &Shape {
        &self.site
    }

    /// The profiles, each with the share of pages that behave like it.
    pub fn shapes(&self) -> impl Iterator<Item = (&Shape, f32)> {
        self.profiles.iter().map(|profile| (&profile.shape, profile.share))
    }

    /// How much a page belongs to each profile; the sum is one.
    pub fn membership(&self, page: &HourTally) -> Vec<f32> {
        let parts = self.log_parts(page);
        let top = parts.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = parts.iter().map(|part| (part - top).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| (weight / sum) as f32).collect()
    }

    /// What pages like this one do; what the site does while profiles have not proven better.
    pub fn shared(&self, page: &HourTally) -> Shape {
        if self.is_proven() { self.mixed(page) } else { self.site.clone() }
    }

    fn mixed(&self, page: &HourTally) -> Shape {
        let shapes = self.profiles.iter().map(|profile| &profile.shape);
        Shape::mix(self.site.calendar(), shapes.zip(self.membership(page)))
    }

    /// What this page does: its own changes, and those of pages like it while it has few.
    pub fn shape(&self, page: &HourTally) -> Shape {
        page.shape(&self.shared(page), PAGE_STRENGTH)
    }
}

/// How likely the changes of a page fell into the bins they did, given how many there were.
fn log_likelihood(page: &HourTally, shape: &Shape) -> f64 {
    let calendar = shape.calendar();
    if page.calendar() != calendar {
        return 0.0;
    }
    let mut sum = 0.0;
    for group in calendar.groups() {
        let (mut found, mut expected) = (0.0, 0.0);
        for bin in group {
            let (in_bin, flat) = page.bin(bin);
            let factor = shape.factor(bin).max(FACTOR_MIN);
            sum += in_bin * factor.ln();
            found += in_bin;
            expected += flat * factor;
        }
        sum -= if expected > 0.0 { found * expected.ln() } else { 0.0 };
    }
    sum
}
