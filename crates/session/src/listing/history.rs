//! Every crawl of a source in order, with what had been predicted of the copy right before it.

use super::{SourceState, Terms};
use crate::Error;
use serde::Serialize;
use tintype_archive::Reading;
use tintype_learn::{
    decay::{Crawl, Decay, Forecast},
    ledger::Ledger,
};
use tintype_plan::deadline::Promise;
use tintype_quality::coverage;
use tintype_vocab::{CopyMeasure, HeldBack, Life, ObjectCrawl, ObjectEvent, Time};

/// Where the quality of the copy was said to lie with this chance.
pub const INTERVAL: f64 = 0.9;

/// The quality of the copy before a crawl, and what had been foretold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quality {
    pub realised: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
}

/// What is believed before a crawl of the copy that the last one made.
struct Before {
    crawl: Option<Crawl>,
    forecasts: [Option<Forecast>; 2],
}

impl Before {
    fn of(decay: &Decay, at: Time) -> Before {
        let forecasts = CopyMeasure::ALL.map(|measure| decay.forecast(measure, at));
        Before { crawl: decay.last().cloned(), forecasts }
    }

    /// How good the copy of the last crawl was right before the next one; nothing if either found nothing.
    fn qualities(&self, now: &Crawl) -> [Option<Quality>; 2] {
        let Some(before) = &self.crawl else { return [None; 2] };
        let kept = f64::from(now.kept_since(before.at));
        let of = |whole: u32, forecast: Option<Forecast>| {
            (whole > 0).then(|| Quality {
                realised: kept / f64::from(whole),
                expected: forecast.map(|forecast| forecast.mean),
                interval: forecast.map(|forecast| forecast.interval(INTERVAL)),
            })
        };
        [of(before.size(), self.forecasts[0]), of(now.size(), self.forecasts[1])]
    }
}

/// One crawl.
#[derive(Clone, Debug, Serialize)]
pub struct CrawlRecord {
    #[serde(serialize_with = "rfc3339")]
    pub at: Time,
    pub objects: u32,
    pub inserted: usize,
    pub removed: usize,
    /// Why nothing was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldBack>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<Quality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<Quality>,
}

fn rfc3339<S: serde::Serializer>(at: &Time, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&at.to_rfc3339())
}

impl CrawlRecord {
    pub fn quality(&self, measure: CopyMeasure) -> Option<Quality> {
        match measure {
            CopyMeasure::Precision => self.precision,
            CopyMeasure::Recall => self.recall,
        }
    }
}

/// All crawls of a source, and what is known after them.
#[derive(Debug)]
pub struct CrawlHistory {
    terms: Terms,
    ledger: Ledger,
    decay: Decay,
    pub crawls: Vec<CrawlRecord>,
    /// Somebody declared it, and so keeps it.
    is_kept: bool,
    /// Names of its objects' attributes.
    attributes: Vec<String>,
}

impl CrawlHistory {
    /// Learns everything anew: what was foretold before a crawl hangs on earlier crawls alone. `terms` are those of a
    /// source that is declared.
    pub fn of(
        reading: &Reading,
        source: &str,
        terms: Option<Terms>,
        attributes: Vec<String>,
    ) -> Result<CrawlHistory, Error> {
        let (is_kept, terms) = (terms.is_some(), terms.unwrap_or_default());
        let (ledger, decay) = (Ledger::bridging(terms.bridge), Decay::new());
        let mut history = CrawlHistory { terms, ledger, decay, crawls: Vec::new(), is_kept, attributes };
        for crawl in reading.object_crawls(source, None)? {
            history.observe(&crawl?.1);
        }
        Ok(history)
    }

    pub fn promise(&self) -> Promise {
        self.terms.promise
    }

    /// The share of the time in which the promise was broken, as far as crawls can tell; nothing if nobody keeps it.
    pub fn broken_share(&self, reading: &Reading, source: &str) -> Result<Option<f64>, Error> {
        let known = self.is_kept.then(|| SourceState::of(reading, source, self.terms)).transpose()?;
        Ok(known.and_then(|known| known.deadline.broken_share()))
    }

    fn observe(&mut self, crawl: &ObjectCrawl) {
        let before = Before::of(&self.decay, crawl.at);
        self.ledger.replay(crawl);
        let now = self.ledger.crawl().filter(|_| crawl.held.is_none());
        let [precision, recall] = now.as_ref().map_or([None; 2], |now| before.qualities(now));
        // Only one that is no later than the last is refused, and such a one is not believed.
        now.iter().for_each(|now| self.decay.see(now).unwrap_or_default());
        let count = |is: fn(&ObjectEvent) -> bool| crawl.events.iter().filter(|event| is(event)).count();
        self.crawls.push(CrawlRecord {
            at: crawl.at,
            objects: crawl.found,
            inserted: count(|event| matches!(event, ObjectEvent::Inserted(_))),
            removed: count(|event| matches!(event, ObjectEvent::Removed(_))),
            held: crawl.held,
            precision,
            recall,
        });
    }

    /// The share of crawls at which the quality lay where it was said to lie; nothing before anything was said.
    pub fn coverage(&self, measure: CopyMeasure) -> Option<f64> {
        let stated = |crawl: &CrawlRecord| {
            let quality = crawl.quality(measure)?;
            Some((quality.interval?, quality.realised))
        };
        coverage(self.crawls.iter().filter_map(stated))
    }

    /// Names of its objects' attributes.
    pub fn attributes(&self) -> &[String] {
        &self.attributes
    }

    /// When it was crawled and believed.
    pub fn looks(&self) -> Vec<Time> {
        self.crawls.iter().filter(|crawl| crawl.held.is_none()).map(|crawl| crawl.at).collect()
    }

    /// All its objects. Attributes may have been declared anew since they were seen.
    pub fn lives(&self) -> Vec<Life> {
        let fit = |mut life: Life| {
            life.attributes.resize(self.attributes.len(), String::new());
            life
        };
        self.ledger.lives().map(fit).collect()
    }
}
