//! How complete and how old a kept site is, by its visits alone: they say what was caught, and how often pages change that
//! of what came and went unseen.
//!
//! Read [`KeptSite::quality`] first. A visit that finds another version and is told when it came to be has seen the last of
//! the changes in a gap, and that nothing happened since: over all visits the changes per quiet day are the rate, however
//! seldom anybody looks ([`rates`]). The days before that moment are the ones in which versions may have come and gone.
//! How far the site strays from what its pages are believed to do, all together, its own past says ([`Activity`]), and how
//! many of its pages change at once ([`batches`]). Where servers do not say when versions came to be, what came and went
//! unseen cannot be counted, and nothing is said of it.

mod batches;
mod foretold;
mod left_alone;
mod page;
mod range;
mod rates;
#[cfg(test)]
mod tests;

use crate::certificate::{Activity, Experience, REMEMBERED};
use batches::Batches;
use left_alone::{GapsSeen, LeftAlone};
use page::{Gap, days};
pub use page::{KeptFound, KeptPage, KeptVisit};
pub use range::BelievedRange;
use range::{HIGH_OF_AGES, HIGH_OF_VERSIONS, Uncertain};
use rates::{RateBelief, RateEvidence};
use tintype_vocab::{TestedDay, Time};

/// A site may contradict itself this often, and once more per four confirmations, before its dates are ignored.
const CONTRADICTIONS_FREE: u32 = 2;
const CONFIRMATIONS_PER: u32 = 4;
/// What came to be this much later than a page was heard of is not its first version.
const FIRST_VERSION_DAYS: f64 = 1.0 / 1440.0;

/// What is heard of so soon after a site was met was there before: only what of it was seen says how much of it is new.
const MEETING_DAYS: f64 = 1.0;
/// Where fewer versions are thought to have come to be than this, there is no share of them to speak of.
const LEAST_VERSIONS: f64 = 0.5;

/// All that was seen of a kept site.
#[derive(Clone, Debug, Default)]
pub struct KeptSite {
    pages: Vec<KeptPage>,
    /// What the policy's forecasts came to, day by day.
    tested: Vec<TestedDay>,
    /// Whether what servers say of when versions came to be can be believed.
    is_dated: bool,
}

/// How well a site was kept in a window, which ends now.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptQuality {
    /// Versions that came and went unseen, or were not seen yet; nothing where that cannot be known.
    pub missed: Option<BelievedRange>,
    /// Share of the versions that came to be in the window that are held; nothing if there were none, or it is not known.
    pub completeness: Option<BelievedRange>,
    /// Mean age of the copies, now; nothing without any.
    pub mean_age_hours: Option<BelievedRange>,
}

/// What the past of a site says of how far it strays from what its pages are believed to do.
struct Lookback {
    /// Of windows in order of time, the last of them the one that is asked about.
    experiences: Vec<Experience>,
    left_alone: LeftAlone,
    batches: Batches,
    /// Changes that visits found, and those of them whose moment is known.
    changes: u64,
    dated: u64,
}

/// What is believed of the pages of a site.
struct Beliefs {
    site: RateBelief,
    /// Of each page that was visited.
    pages: Vec<Option<RateBelief>>,
}

/// Pages that were there when a site was met.
#[derive(Default)]
struct FoundThere {
    met: Option<Time>,
    /// First visits in the window, and those that saw a version which came to be in it.
    seen: f64,
    new: f64,
    unseen: f64,
}

/// What a window brought, all pages together.
struct WindowSum<'a> {
    since: Time,
    now: Time,
    is_dated: bool,
    left_alone: &'a LeftAlone,
    caught: f64,
    /// Versions that are known to have been missed: births.
    births: f64,
    found_there: FoundThere,
    missed: Uncertain,
    age_hours: Uncertain,
    /// The same of what the policy's forecasts speak of.
    foretold_missed: Uncertain,
    foretold_age_hours: Uncertain,
    copies: f64,
}

impl KeptSite {
    pub fn new(pages: Vec<KeptPage>) -> KeptSite {
        let is_dated = are_dates_credible(&pages);
        KeptSite { pages, tested: Vec::new(), is_dated }
    }

    /// Kept by a policy whose forecasts came to this.
    pub fn with_tests(self, tested: Vec<TestedDay>) -> KeptSite {
        KeptSite { tested, ..self }
    }

    /// What is to be believed of a window that ends now.
    pub fn quality(&self, since: Time, now: Time) -> KeptQuality {
        let beliefs = self.beliefs(now);
        let past = self.lookback(&beliefs, since, now);
        let (activity, together) = (Activity::after(&past.experiences), past.batches.size());
        let foretold = Activity::after(&foretold::experiences(&self.tested, since, now));
        let mut sum = WindowSum::new((since, now), self.is_dated, &past.left_alone);
        sum.found_there.met = self.pages.iter().map(|page| page.known).min();
        for (page, belief) in self.pages.iter().zip(&beliefs.pages) {
            sum.add(page, belief.as_ref().unwrap_or(&beliefs.site));
        }
        let mean_age_hours = (sum.copies > 0.0).then(|| {
            let by_visits = sum.age_hours.range(&activity, together, HIGH_OF_AGES);
            by_visits.and(sum.foretold_age_hours.range(&foretold, together, HIGH_OF_AGES)).per(sum.copies)
        });
        if !past.is_dated() {
            return KeptQuality { missed: None, completeness: None, mean_age_hours };
        }
        let by_visits =
            sum.missed.range(&activity, together, HIGH_OF_VERSIONS).plus(sum.births + sum.found_there.births());
        let missed = by_visits.and(sum.foretold_missed.range(&foretold, together, HIGH_OF_VERSIONS));
        let share = |missed: f64| if sum.caught > 0.0 { sum.caught / (sum.caught + missed) } else { 0.0 };
        let completeness = (sum.caught + missed.mean >= LEAST_VERSIONS).then(|| BelievedRange {
            mean: share(missed.mean),
            low: share(missed.high),
            high: share(missed.low),
        });
        KeptQuality { missed: Some(missed), completeness, mean_age_hours }
    }

    fn beliefs(&self, now: Time) -> Beliefs {
        let seen = |page: &KeptPage| (!page.visits.is_empty()).then(|| page.evidence(self.is_dated, now));
        let evidence: Vec<Option<RateEvidence>> = self.pages.iter().map(seen).collect();
        let all: Vec<&RateEvidence> = evidence.iter().flatten().collect();
        let site = RateBelief::of_site(all.into_iter());
        let pages = evidence.iter().map(|evidence| evidence.as_ref().map(|evidence| site.after(evidence))).collect();
        Beliefs { site, pages }
    }

    /// Stretches of time as long as the window, the last of them the window itself: changes that visits saw, and how many
    /// they were to see by what is believed now; and all their visits by how long the page had been left alone.
    fn lookback(&self, beliefs: &Beliefs, since: Time, now: Time) -> Lookback {
        let length = (now - since).as_millis().max(1);
        let mut experiences = vec![Experience::default(); REMEMBERED];
        let (mut gaps, mut batches, mut changes, mut dated) = (GapsSeen::default(), Batches::default(), 0, 0);
        for (page, belief) in self.pages.iter().zip(&beliefs.pages) {
            let Some(belief) = belief else { continue };
            let rate = belief.mean();
            for gap in page.gaps().filter(|gap| gap.from.is_some() && gap.visit.at < now) {
                let ago = usize::try_from((now - gap.visit.at).as_millis() / length).unwrap_or(REMEMBERED);
                let Some(nth) = REMEMBERED.checked_sub(ago + 1) else { continue };
                let mut evidence = RateEvidence::default();
                gap.tell(&mut evidence, page, self.is_dated);
                let undated: f64 = evidence.undated.iter().map(|days| -(-rate * days).exp_m1()).sum();
                let expected = rate * evidence.quiet_days + undated;
                experiences[nth].changed += evidence.dated as u64 + evidence.undated.len() as u64;
                experiences[nth].expected += expected;
                experiences[nth].per_factor += expected;
                let gap_days = gap.from.map_or(0.0, |from| days(from, gap.visit.at));
                let is_new = gap.visit.found == KeptFound::New;
                gaps.add(gap_days, rate * gap_days, is_new);
                if is_new {
                    let changed = gap.changed_at(self.is_dated);
                    batches.add(changed.unwrap_or(gap.visit.at));
                    changes += 1;
                    dated += u64::from(changed.is_some());
                }
            }
        }
        let first = experiences.iter().position(|one| one.expected > 0.0).unwrap_or(REMEMBERED);
        Lookback { experiences: experiences.split_off(first), left_alone: gaps.factors(), batches, changes, dated }
    }
}

impl Lookback {
    /// Whether servers say when versions came to be, of most changes that visits found.
    fn is_dated(&self) -> bool {
        self.dated * 2 >= self.changes
    }
}

impl FoundThere {
    fn includes(&self, page: &KeptPage) -> bool {
        self.met.is_some_and(|met| days(met, page.known) <= MEETING_DAYS)
    }

    /// Of the pages that were not seen yet as many came to be in the window as of those that were.
    fn births(&self) -> f64 {
        self.unseen * if self.seen > 0.0 { self.new / self.seen } else { 1.0 }
    }
}

impl<'a> WindowSum<'a> {
    fn new((since, now): (Time, Time), is_dated: bool, left_alone: &'a LeftAlone) -> WindowSum<'a> {
        let none = Uncertain::default();
        WindowSum {
            since,
            now,
            is_dated,
            left_alone,
            caught: 0.0,
            births: 0.0,
            found_there: FoundThere::default(),
            missed: none,
            age_hours: none,
            foretold_missed: none,
            foretold_age_hours: none,
            copies: 0.0,
        }
    }

    fn add(&mut self, page: &KeptPage, belief: &RateBelief) {
        let (since, now) = (self.since, self.now);
        let unheard = 1.0 - page.heard_of;
        let (was_there, before) = (self.found_there.includes(page), self.caught);
        // Days in which versions may have come and gone, all alike.
        let mut unseen_days = 0.0;
        for gap in page.gaps().filter(|gap| (since..now).contains(&gap.visit.at)) {
            match (gap.changed_at(self.is_dated), gap.from) {
                (Some(changed), from) if changed > since => {
                    self.caught += 1.0;
                    let from = from.unwrap_or(page.known);
                    unseen_days += unheard * days(from.max(since), changed);
                    if gap.from.is_none() && page.known > since && days(page.known, changed) > FIRST_VERSION_DAYS {
                        self.births += 1.0;
                    }
                }
                (None, Some(from)) if gap.visit.found == KeptFound::New => {
                    self.add_undated(&gap, from, belief, unheard)
                }
                (None, None) if gap.visit.found == KeptFound::First => self.caught += 1.0,
                _ => {}
            }
            if was_there && gap.from.is_none() {
                self.found_there.seen += 1.0;
                self.found_there.new += self.caught - before;
            }
        }
        if page.is_watched {
            let begin = page.last().unwrap_or(page.known);
            if page.visits.is_empty() && page.known > since {
                *(if was_there { &mut self.found_there.unseen } else { &mut self.births }) += 1.0;
            }
            if page.foretold.is_none() {
                unseen_days += unheard * self.left_alone.factor(days(begin, now)) * days(begin.max(since), now);
            }
        }
        self.missed.add(belief.expect(|rate| rate * unseen_days));
        if let (Some(last), Some(chance)) = (page.last(), page.foretold) {
            return self.add_foretold(last, chance);
        }
        if let Some(last) = page.last().filter(|_| page.is_watched) {
            let copy_days = days(last, now);
            let share = unheard * self.left_alone.factor(copy_days);
            let (mean, doubt) = belief.expect(|rate| 24.0 * mean_age(copy_days, share * rate));
            self.age_hours.add((mean, doubt + chance_of_age(mean, copy_days)));
            self.copies += 1.0;
        }
    }

    /// What has happened to a page since its latest visit, if it has changed by this chance.
    fn add_foretold(&mut self, last: Time, chance: f64) {
        let copy_days = days(last, self.now);
        // What was foretold of pages left alone for hours is no chance that one has changed since a moment ago.
        let of_an_hour = (copy_days / foretold::LEAST_DAYS).min(1.0);
        let changes = -(-chance.min(foretold::SURE)).ln_1p() * of_an_hour;
        if copy_days <= 0.0 {
            return self.copies += 1.0;
        }
        self.foretold_missed.add((changes * days(last.max(self.since), self.now) / copy_days, 0.0));
        let mean = 24.0 * mean_age(copy_days, changes / copy_days);
        self.foretold_age_hours.add((mean, chance_of_age(mean, copy_days)));
        self.copies += 1.0;
    }

    /// A gap with a change at a moment nobody knows, of which a part is in the window.
    fn add_undated(&mut self, gap: &Gap, from: Time, belief: &RateBelief, unheard: f64) {
        let (all, inside) = (days(from, gap.visit.at), days(from.max(self.since), gap.visit.at));
        let chance = |rate: f64| -(-rate * all).exp_m1();
        let caught = |rate: f64| {
            if rate * all < 1e-9 { inside / all.max(1e-9) } else { -(-rate * inside).exp_m1() / chance(rate) }
        };
        let came = |rate: f64| if rate * all < 1e-9 { inside / all.max(1e-9) } else { rate * inside / chance(rate) };
        self.caught += belief.expect(caught).0;
        self.missed.add(belief.expect(|rate| unheard * (came(rate) - caught(rate)).max(0.0)));
    }
}

/// Whether versions are as old as servers say they are: a date of change must lie between the visits that saw it.
fn are_dates_credible(pages: &[KeptPage]) -> bool {
    let (mut confirmed, mut contradicted) = (0_u32, 0_u32);
    for gap in pages.iter().flat_map(KeptPage::gaps) {
        let (Some(from), Some(modified)) = (gap.from, gap.visit.modified) else { continue };
        match gap.visit.found {
            KeptFound::New if gap.may_lie_within(modified) => confirmed += 1,
            KeptFound::New => contradicted += 1,
            KeptFound::Same if modified > from => contradicted += 1,
            KeptFound::Same | KeptFound::First => {}
        }
    }
    contradicted <= CONTRADICTIONS_FREE.saturating_add(confirmed / CONFIRMATIONS_PER)
}

/// The mean time since the first change after a visit so many days ago.
fn mean_age(days: f64, per_day: f64) -> f64 {
    let y = days * per_day;
    if y < 1e-6 { days * y / 2.0 } else { days + (-y).exp_m1() / per_day }
}

/// The variance of an age in hours with this mean: whether the page changed at all is chance, and it may be up to all the
/// time since the visit.
fn chance_of_age(mean: f64, days: f64) -> f64 {
    mean * (24.0 * days - mean).max(0.0) / 2.0
}

/// The share of versions that so many visits a day catch of pages that change so often in all, when each page has visits in
/// proportion to its rate: what maximises it.
pub fn completeness_at(visits_per_day: f64, changes_per_day: f64) -> f64 {
    if changes_per_day <= 0.0 {
        return 1.0;
    }
    let y = changes_per_day / visits_per_day.max(1e-9);
    -(-y).exp_m1() / y
}

/// The share that so many times as many visits would catch where these catch this share: as many changes per visit as
/// explain it are spread over more or fewer.
pub fn completeness_with(times: f64, completeness: f64) -> f64 {
    let share = completeness.clamp(1e-6, 1.0 - 1e-9);
    let (mut low, mut high) = (0.0, 1e7);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if completeness_at(1.0, middle) > share { low = middle } else { high = middle }
    }
    completeness_at(times, low)
}
