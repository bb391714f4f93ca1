//! Folds the visits of a capture into its certificate.

use super::{
    Blur, Certificate, Dated, FORMAT, FromLog, Period, Sharp, Verdict,
    fingerprint::Fingerprint,
    page::Page,
    parts::Parts,
    quantile::{count_90, gamma_90},
};
use crate::capture::{Coherent, Moments, coherent};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, HashMap};
use tintype_vocab::{Observation, Outcome, Purpose, Time, UrlKey};

/// Takes the visits of one capture in any order. A million pages fit into a few hundred megabytes: links are dropped but
/// for what pages are made of, and visits keep their times and digests only.
#[derive(Debug, Default)]
pub struct Certifier {
    /// By the hash of the URL key: at a million pages the keys themselves would be a large part of everything.
    numbers: HashMap<[u8; 16], u32>,
    /// Nothing for what is only known as a part of other pages.
    pages: Vec<Option<Page>>,
    parts: Parts,
    /// Visits that were sent to another spelling of the same page.
    to_themselves: u64,
    fingerprint: Fingerprint,
}

impl Certifier {
    pub fn new() -> Certifier {
        Certifier::default()
    }

    pub fn add(&mut self, visit: &Observation) {
        self.fingerprint.add(visit);
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

    /// The certificate. `from_log` is what the log says of the end of the capture, if there is one.
    pub fn finish(self, site: &str, capture: &str, from_log: Option<FromLog>) -> Certificate {
        let Certifier { numbers, mut pages, parts, to_themselves, fingerprint } = self;
        drop(numbers);
        let fingerprint = fingerprint.finish();
        pages.iter_mut().flatten().for_each(Page::settle);
        let mut totals = Totals::new(&pages);
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
            blur: totals.blur(),
            sharp: totals.sharp(),
            dated: totals.dated,
            dated_by_server: totals.dated_by_server,
            composites: totals.composites,
            failures: totals.failures,
            fingerprint,
            from_log,
            pages: pages.map(|page| page.into_proof(asked_about)).collect(),
        }
    }
}

/// Half of a SHA-256, which is enough that nobody makes two pages into one.
fn hash(url: &str) -> [u8; 16] {
    let hash: [u8; 32] = Sha256::digest(UrlKey::of(url).as_str()).into();
    *hash.first_chunk().expect("32 are more than 16")
}

/// From http to https, or to the same address with a slash at its end: that says nothing about the page.
fn points_to_itself(visit: &Observation) -> bool {
    matches!(&visit.outcome, Outcome::Redirected { to, .. } if UrlKey::of(to) == UrlKey::of(&visit.url))
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
    expected_blur: Moments,
    realised_blur: f64,
    expected_sharp: Moments,
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
    fn new(pages: &[Option<Page>]) -> Totals {
        let looks = || pages.iter().flatten().flat_map(|page| &page.looks).map(|look| look.asked);
        let query = looks().min().zip(looks().max()).map(|(from, to)| Period { from, to });
        let watched = pages.iter().flatten().filter(|page| page.is_captured()).filter_map(Page::watched);
        let moment = coherent(watched.map(|watched| [watched])).map(middle);
        Totals { query, moment, ..Totals::default() }
    }

    fn count_parts(&mut self, pages: &[Option<Page>], parts: &Parts) {
        if let Some(moment) = self.moment {
            self.composites = parts.composites(pages, moment);
        }
    }

    fn add(&mut self, pages: &[Page]) {
        pages.iter().for_each(|page| self.add_page(page));
        let captured = || pages.iter().filter(|page| page.is_captured());
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
        if let Verdict::Missing(reason) = verdict {
            *self.failures.entry(reason.to_string()).or_default() += 1;
        }
        let (Some(query), Some(moment)) = (self.query, self.moment) else { return };
        if !page.is_captured() {
            return;
        }
        self.captured += 1;
        self.expected_blur = self.expected_blur + page.expected_blur(query);
        self.realised_blur += page.realised_blur(query);
        self.expected_sharp = self.expected_sharp + page.expected_sharp(moment);
        self.looked_at_twice += u64::from(page.looks.len() > 1);
        self.contradicted += u64::from(page.contradicted);
        let proved = matches!(verdict, Verdict::Sharp { .. });
        self.proved += u64::from(proved);
        self.server_alone += u64::from(!proved && page.unchanged_since().is_some_and(|since| since < query.from));
    }

    fn blur(&self) -> Blur {
        let expected = self.expected_blur;
        Blur { expected: expected.mean, interval_90: gamma_90(expected), realised: self.realised_blur }
    }

    fn sharp(&self) -> Sharp {
        Sharp {
            proved: self.proved,
            expected: self.expected_sharp.mean,
            interval_90: count_90(self.expected_sharp, self.looked_at_twice as f64),
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
