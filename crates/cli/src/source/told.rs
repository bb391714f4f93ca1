//! Every crawl of a source in order, with what had been foretold of the copy right before it.

use super::{Known, Terms};
use crate::config::Config;
use serde::Serialize;
use tintype_archive::Reading;
use tintype_learn::decay::{Crawl, Decay};
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

impl Quality {
    /// How good the copy of the last crawl was right before the next one; nothing if either found nothing.
    fn of(decay: &Decay, measure: CopyMeasure, now: &Crawl) -> Option<Quality> {
        let before = decay.last()?;
        let whole = match measure {
            CopyMeasure::Precision => before.size(),
            CopyMeasure::Recall => now.size(),
        };
        let forecast = decay.forecast(measure, now.at);
        (whole > 0).then(|| Quality {
            realised: f64::from(now.kept_since(before.at)) / f64::from(whole),
            expected: forecast.map(|forecast| forecast.mean),
            interval: forecast.map(|forecast| forecast.interval(INTERVAL)),
        })
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
    pub(crate) known: Known,
    pub(crate) crawls: Vec<Crawled>,
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
        let mut told = Told { known: Known::new(terms), crawls: Vec::new(), attributes };
        for crawl in reading.object_crawls(source, None)? {
            told.see(&crawl?.1);
        }
        Ok(told)
    }

    pub(crate) fn terms(&self) -> Terms {
        self.known.terms
    }

    fn see(&mut self, crawl: &ObjectCrawl) {
        let before = self.known.decay.clone();
        self.known.see(crawl);
        let now = self.known.ledger.crawl().filter(|_| crawl.held.is_none());
        let quality = |measure| now.as_ref().and_then(|now| Quality::of(&before, measure, now));
        let count = |is: fn(&ObjectEvent) -> bool| crawl.events.iter().filter(|event| is(event)).count();
        self.crawls.push(Crawled {
            at: crawl.at,
            objects: crawl.found,
            inserted: count(|event| matches!(event, ObjectEvent::Inserted(_))),
            removed: count(|event| matches!(event, ObjectEvent::Removed(_))),
            held: crawl.held,
            precision: quality(CopyMeasure::Precision),
            recall: quality(CopyMeasure::Recall),
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
        let lives = self.known.ledger.lives().map(life).collect();
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
    let captures = reading.captures()?.into_iter().rev();
    let mut named = captures.filter(|capture| capture.head.site == source);
    let names = named.find_map(|capture| serde_json::from_value(capture.head.settings.get("attributes")?.clone()).ok());
    Ok(names.unwrap_or_default())
}
