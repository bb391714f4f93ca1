//! Every crawl of a source in order, with what had been foretold of the copy right before it.

use super::{Known, Terms};
use crate::config::Config;
use serde::Serialize;
use tintype_archive::Reading;
use tintype_learn::{
    decay::{Crawl, Decay, Forecast},
    ledger::Ledger,
};
use tintype_plan::deadline::Promise;
use tintype_quality::coverage;
use tintype_vocab::{CopyMeasure, HeldBack, Life, ObjectCrawl, ObjectEvent, Time};
use tintype_world::source::{Source, Unsound};

/// Where the quality of the copy was said to lie with this chance.
pub(crate) const INTERVAL: f64 = 0.9;

/// The quality of the copy before a crawl, and what had been foretold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Quality {
    pub(crate) realised: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) interval: Option<(f64, f64)>,
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
pub(crate) struct Crawled {
    #[serde(serialize_with = "rfc3339")]
    pub(crate) at: Time,
    pub(crate) objects: u32,
    pub(crate) inserted: usize,
    pub(crate) removed: usize,
    /// Why nothing was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) held: Option<HeldBack>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) precision: Option<Quality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recall: Option<Quality>,
}

fn rfc3339<S: serde::Serializer>(at: &Time, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&at.to_rfc3339())
}

impl Crawled {
    pub(crate) fn quality(&self, measure: CopyMeasure) -> Option<Quality> {
        match measure {
            CopyMeasure::Precision => self.precision,
            CopyMeasure::Recall => self.recall,
        }
    }
}

/// All crawls of a source, and what is known after them.
pub(crate) struct Told {
    terms: Terms,
    ledger: Ledger,
    decay: Decay,
    pub(crate) crawls: Vec<Crawled>,
    /// Somebody declared it, and so keeps it.
    is_kept: bool,
    /// Names of its objects' attributes.
    attributes: Vec<String>,
}

impl Told {
    /// Learns everything anew: what was foretold before a crawl hangs on earlier crawls alone.
    pub(crate) fn of(reading: &Reading, config: &Config, source: &str) -> anyhow::Result<Told> {
        let declared = config.source.iter().find(|declared| declared.name == source);
        let terms = declared.map(|declared| declared.terms()).transpose()?.unwrap_or_default();
        let attributes = match declared {
            Some(declared) => declared.way()?.attribute_names().map(str::to_owned).collect(),
            None => imported_attributes(reading, source)?,
        };
        let (ledger, decay) = (Ledger::bridging(terms.bridge), Decay::new());
        let mut told = Told { terms, ledger, decay, crawls: Vec::new(), is_kept: declared.is_some(), attributes };
        for crawl in reading.object_crawls(source, None)? {
            told.see(&crawl?.1);
        }
        Ok(told)
    }

    pub(crate) fn promise(&self) -> Promise {
        self.terms.promise
    }

    /// The share of the time in which the promise was broken, as far as crawls can tell; nothing if nobody keeps it.
    pub(crate) fn broken_share(&self, reading: &Reading, source: &str) -> anyhow::Result<Option<f64>> {
        let known = self.is_kept.then(|| Known::of(reading, source, self.terms)).transpose()?;
        Ok(known.and_then(|known| known.deadline.broken_share()))
    }

    fn see(&mut self, crawl: &ObjectCrawl) {
        let before = Before::of(&self.decay, crawl.at);
        self.ledger.replay(crawl);
        let now = self.ledger.crawl().filter(|_| crawl.held.is_none());
        let [precision, recall] = now.as_ref().map_or([None; 2], |now| before.qualities(now));
        // Only one that is no later than the last is refused, and such a one is not believed.
        now.iter().for_each(|now| self.decay.see(now).unwrap_or_default());
        let count = |is: fn(&ObjectEvent) -> bool| crawl.events.iter().filter(|event| is(event)).count();
        self.crawls.push(Crawled {
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
    pub(crate) fn coverage(&self, measure: CopyMeasure) -> Option<f64> {
        let stated = |crawl: &Crawled| {
            let quality = crawl.quality(measure)?;
            Some((quality.interval?, quality.realised))
        };
        coverage(self.crawls.iter().filter_map(stated))
    }

    /// Its objects as a source whose every crawl was a look; nothing before there was one.
    pub(crate) fn source(&self) -> Option<Result<Source, Unsound>> {
        let believed = self.crawls.iter().filter(|crawl| crawl.held.is_none());
        let looks: Vec<Time> = believed.map(|crawl| crawl.at).collect();
        // Attributes may have been declared anew since.
        let life = |mut life: Life| {
            life.attributes.resize(self.attributes.len(), String::new());
            life
        };
        let lives = self.ledger.lives().map(life).collect();
        (!looks.is_empty()).then(|| Source::new(self.attributes.clone(), lives, looks))
    }
}

/// The sources of a collection: those that are declared, and those that were imported.
pub(crate) fn names(reading: &Reading, config: &Config) -> anyhow::Result<Vec<String>> {
    let mut names: Vec<String> = config.source.iter().map(|declared| declared.name.clone()).collect();
    for capture in reading.captures()? {
        if capture.head.settings.get("attributes").is_some() && !names.contains(&capture.head.site) {
            names.push(capture.head.site);
        }
    }
    Ok(names)
}

/// As the last import named them.
fn imported_attributes(reading: &Reading, source: &str) -> anyhow::Result<Vec<String>> {
    let mut named = reading.captures_of(source)?.into_iter().rev();
    let names = named.find_map(|capture| serde_json::from_value(capture.head.settings.get("attributes")?.clone()).ok());
    Ok(names.unwrap_or_default())
}
