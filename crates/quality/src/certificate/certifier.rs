//! Folds the visits of a capture into its certificate.

use super::{
    Activity, Blur, Certificate, Dated, Experience, FORMAT, FromLog, PageVerdict, Period, Reason, Sharp,
    activity::{DAYS, Days},
    fingerprint::Fingerprint,
    page::Page,
    parts::Parts,
    quantile::{count_90, sum_90},
};
use crate::capture::{Coherent, Moments, coherent};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, HashMap};
use tintype_vocab::{Observation, Outcome, PageUrl, Purpose, Time};

/// Takes the visits of one capture in any order. A million pages fit into a few hundred megabytes: links are dropped but
/// for what pages are made of, and visits keep their times and digests only.
#[derive(Debug, Default)]
pub struct Certifier {
    /// By the hash of the URL: at a million pages the URLs themselves would be a large part of everything.
    numbers: HashMap<[u8; 16], u32>,
    /// Nothing for what is only known as a part of other pages.
    pages: Vec<Option<Page>>,
    parts: Parts,
    /// Visits that were sent to the same page once more.
    to_themselves: u64,
    fingerprint: Fingerprint,
    truncated: u64,
}

impl Certifier {
    pub fn new() -> Certifier {
        Certifier::default()
    }

    pub fn add(&mut self, visit: &Observation) {
        self.fingerprint.add(visit);
        self.truncated += u64::from(visit.truncated.is_some());
        // Rules are no page, and nobody promised that what is probed for is there.
        let probed_in_vain = visit.purpose == Purpose::Probe && matches!(visit.outcome, Outcome::Gone { .. });
        if visit.purpose == Purpose::Robots || probed_in_vain {
            return;
        }
        if points_to_itself(visit) {
            self.to_themselves += 1;
            return;
        }
        let number = self.number(&visit.url);
        self.pages[number as usize].get_or_insert_with(|| Page::new(visit)).add(visit);
        let parts = Parts::of(visit).map(|url| self.number(url)).collect::<Vec<u32>>();
        self.parts.add(number, visit.asked, parts);
    }

    fn number(&mut self, url: &str) -> u32 {
        let next = u32::try_from(self.pages.len()).expect("a capture has fewer than 2³² URLs");
        let number = *self.numbers.entry(hash(url)).or_insert(next);
        if number == next {
            self.pages.push(None);
        }
        number
    }

    /// The certificate. `activity` is what was believed of the site when the capture began, `as_of` the moment it was meant
    /// for if a person named one, `from_log` what the log says of its end, if there is one.
    pub fn finish(
        self,
        site: &str,
        capture: &str,
        activity: Activity,
        as_of: Option<Time>,
        from_log: Option<FromLog>,
    ) -> Certificate {
        let Certifier { numbers, mut pages, parts, to_themselves, fingerprint, truncated } = self;
        drop(numbers);
        let fingerprint = fingerprint.finish();
        pages.iter_mut().flatten().for_each(Page::settle);
        let mut totals = Totals::new(&pages, activity, as_of);
        totals.count_parts(&pages, &parts);
        drop(parts);
        // In order of URL, so that sums come out the same whatever the order of the visits was.
        let mut pages: Vec<Page> = pages.into_iter().flatten().collect();
        pages.sort_unstable_by(|one, other| one.url().cmp(other.url()));
        totals.add(&pages);
        let Totals { query, moment, .. } = totals;
        let asked_about = moment.unwrap_or_default();
        let pages = pages.into_iter().filter(|page| !page.is_redirect());
        Certificate {
            format: FORMAT,
            site: site.to_owned(),
            capture: capture.to_owned(),
            query,
            moment,
            visits: totals.visits + to_themselves,
            revisits: totals.revisits,
            captured: totals.captured,
            redirects: totals.redirects + to_themselves,
            activity,
            experience: totals.experience,
            blur: totals.blur(),
            sharp: totals.sharp(),
            dated: totals.dated,
            dated_by_server: totals.dated_by_server,
            composites: totals.composites,
            failures: totals.failures,
            fingerprint,
            from_log,
            lost: Vec::new(),
            truncated: Some(truncated),
            pages: pages.map(|page| page.into_proof(asked_about)).collect(),
        }
    }
}

/// Half of a SHA-256, which is enough that nobody makes two pages into one.
fn hash(url: &str) -> [u8; 16] {
    let hash: [u8; 32] = Sha256::digest(PageUrl::new(url).as_str()).into();
    *hash.first_chunk().expect("32 are more than 16")
}

/// To the very address that was asked for, with a cookie perhaps: that says nothing about the page.
fn points_to_itself(visit: &Observation) -> bool {
    matches!(&visit.outcome, Outcome::Redirected { to, .. } if PageUrl::new(to) == PageUrl::new(&visit.url))
}

/// What is added up over pages.
#[derive(Debug, Default)]
struct Totals {
    query: Option<Period>,
    moment: Option<Time>,
    visits: u64,
    revisits: u64,
    captured: u64,
    redirects: u64,
    activity: Activity,
    experience: Experience,
    expected_blur: Moments,
    /// Minus the logarithm of the chance that nothing changes.
    expected_changes: f64,
    realised_blur: f64,
    days: Days,
    /// Changed pages among those looked at on both sides of the moment, for each of the days.
    expected_changed: [Moments; DAYS],
    looked_at_twice: u64,
    proved: u64,
    server_alone: u64,
    contradicted: u64,
    dated: Option<Dated>,
    dated_by_server: Option<Dated>,
    composites: super::Composites,
    failures: BTreeMap<String, u64>,
}

impl Totals {
    fn new(pages: &[Option<Page>], activity: Activity, as_of: Option<Time>) -> Totals {
        let looks = || pages.iter().flatten().flat_map(|page| &page.looks).map(|look| look.asked);
        let query = looks().min().zip(looks().max()).map(|(from, to)| Period { from, to });
        let watched = pages.iter().flatten().filter(|page| page.is_captured()).filter_map(Page::watched);
        let moment = as_of.or_else(|| coherent(watched.map(|watched| [watched])).map(middle));
        Totals { query, moment, activity, days: Days::of(&activity), ..Totals::default() }
    }

    fn count_parts(&mut self, pages: &[Option<Page>], parts: &Parts) {
        if let Some(moment) = self.moment {
            self.composites = parts.composites(pages, moment);
        }
    }

    fn add(&mut self, pages: &[Page]) {
        pages.iter().for_each(|page| self.add_page(page));
        let captured = || pages.iter().filter(|page| page.is_captured());
        let factor = self.activity.seen(&self.experience);
        self.realised_blur =
            self.query.map_or(0.0, |query| captured().map(|page| page.realised_blur(query, factor)).sum());
        self.dated = coherent(captured().map(Page::proven)).map(dated);
        self.dated_by_server = coherent(captured().map(Page::proven_by_server)).map(dated);
    }

    fn add_page(&mut self, page: &Page) {
        self.visits += page.visits();
        self.revisits += page.revisits();
        if page.is_redirect() {
            self.redirects += 1;
            return;
        }
        let verdict = page.verdict(self.moment.unwrap_or_default());
        if let PageVerdict::Missing(reason) = verdict {
            *self.failures.entry(reason.to_string()).or_default() += 1;
        }
        let (Some(query), Some(moment)) = (self.query, self.moment) else { return };
        if !page.is_captured() {
            return;
        }
        self.captured += 1;
        let (blur, still) = page.expected_blur(query, self.activity.factor);
        self.expected_blur = self.expected_blur + blur;
        self.expected_changes -= still.max(f64::MIN_POSITIVE).ln();
        self.add_pair(page, moment, verdict);
        self.contradicted += u64::from(page.contradicted);
        let proved = matches!(verdict, PageVerdict::Sharp { .. });
        self.proved += u64::from(proved);
        self.server_alone += u64::from(!proved && page.unchanged_since().is_some_and(|since| since < query.from));
    }

    fn add_pair(&mut self, page: &Page, moment: Time, verdict: PageVerdict) {
        let Some(gap) = page.gap(moment) else { return };
        if page.may_be_sharp(moment) {
            self.looked_at_twice += 1;
            for (changed, factor) in self.expected_changed.iter_mut().zip(self.days.factors) {
                *changed = *changed + Moments::of_chance(page.change_chance(gap, factor));
            }
        }
        let changed = matches!(verdict, PageVerdict::NotSharp(Reason::Changed | Reason::Appeared | Reason::GoneLater));
        self.experience.changed += u64::from(changed);
        self.experience.expected += page.change_chance(gap, 1.0);
        self.experience.per_factor += page.change_chance_per_factor(gap);
    }

    /// Activity spreads the blur of all pages alike, and makes it likelier that nothing happens at all.
    fn blur(&self) -> Blur {
        let (Moments { mean, variance }, spread) = (self.expected_blur, self.activity.spread);
        let nothing = (-(spread * self.expected_changes).ln_1p() / spread).exp();
        let interval_90 = sum_90(Moments { mean, variance: variance + spread * mean * mean }, nothing);
        Blur { expected: mean, interval_90, realised: self.realised_blur }
    }

    /// Pages changed on all days together: by chance on each of them, and because days differ.
    fn changed(&self) -> Moments {
        let mean = |of: fn(&Moments, f64) -> f64, centre: f64| {
            self.expected_changed.iter().map(|day| of(day, centre)).sum::<f64>() / DAYS as f64
        };
        let changed = mean(|day, _| day.mean, 0.0);
        let by_chance = mean(|day, _| day.variance, 0.0);
        let by_day = mean(|day, centre| (day.mean - centre).powi(2), changed);
        let by_rate = Moments { mean: changed, variance: by_chance + self.days.stretch * by_day };
        by_rate + self.activity.different_every_time(self.looked_at_twice as f64 - changed)
    }

    fn sharp(&self) -> Sharp {
        let (changed, twice) = (self.changed(), self.looked_at_twice as f64);
        let [low, high] = count_90(changed);
        Sharp {
            proved: self.proved,
            expected: twice - changed.mean,
            interval_90: [twice - high, twice - low].map(|sharp| sharp.clamp(0.0, twice)),
            server_alone: self.server_alone,
            contradicted: self.contradicted,
        }
    }
}

fn middle(interval: Coherent) -> Time {
    interval.from + (interval.to - interval.from) / 2
}

fn dated(interval: Coherent) -> Dated {
    let Coherent { from, to, pages, of } = interval;
    Dated { period: Period { from, to }, pages, of }
}
