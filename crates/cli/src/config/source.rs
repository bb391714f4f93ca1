//! What a person decided about one source: where its objects are, and how good the copy is to be.

use crate::{
    amount::{parse_share, parse_span},
    failure::usage,
    sites,
};
use serde::{Deserialize, Serialize};
use tintype_observe::listing::{BadWay, Declared, Way};
use tintype_plan::deadline::Promise;
use tintype_session::listing::Terms;
use tintype_vocab::Span;

/// Pages of a listing that are read in one crawl unless the file says otherwise.
const PAGES: u32 = 500;

/// A `[[source]]` of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SourceConfig {
    pub(crate) name: String,
    /// The first page of the listing.
    pub(crate) url: String,
    pub(crate) objects: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    /// `NAME=HOW`, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) attributes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target_precision: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target_recall: Option<f64>,
    /// The share of the time in which this may be untrue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) broken_share: Option<f64>,
    /// Crawls are never closer than this, and their times are multiples of it after the last one.
    #[serde(default = "quarter_hour")]
    pub(crate) step: String,
    /// An object that is missing for no longer has not left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bridge: Option<String>,
    #[serde(default = "pages")]
    pub(crate) pages: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) delay: Option<String>,
}

fn quarter_hour() -> String {
    "15min".to_owned()
}

fn pages() -> u32 {
    PAGES
}

impl SourceConfig {
    /// A source of which only the place and the objects are known. Its name is the place, as people would say it.
    pub(crate) fn new(url: &str, objects: &str) -> anyhow::Result<SourceConfig> {
        let url = sites::parse_start(url)?;
        let name = url.as_str().split_once("://").map_or(url.as_str(), |(_, rest)| rest);
        let name = name.strip_prefix("www.").unwrap_or(name).trim_end_matches('/').to_owned();
        Ok(SourceConfig {
            name,
            url: url.into(),
            objects: objects.to_owned(),
            id: None,
            attributes: Vec::new(),
            next: None,
            target_precision: None,
            target_recall: None,
            broken_share: None,
            step: quarter_hour(),
            bridge: None,
            pages: PAGES,
            delay: None,
        })
    }

    /// How its objects are found.
    pub(crate) fn way(&self) -> anyhow::Result<Way> {
        let mut attributes = Vec::new();
        for text in &self.attributes {
            let (name, how) = text.split_once('=').ok_or_else(|| {
                self.wrong(format!("{text} does not say where an attribute is: write NAME=HOW, such as year=.year"))
            })?;
            attributes.push((name.trim().to_owned(), how.trim().to_owned()));
        }
        let (id, next) = (self.id.as_deref(), self.next.as_deref());
        let declared = Declared { objects: &self.objects, id, attributes: &attributes, next };
        Way::parse(&declared).map_err(|error: BadWay| self.wrong(error.to_string()))
    }

    /// The promise about its copy, and what else its crawls are learned by. Nobody promised anything: nine tenths of both.
    pub(crate) fn terms(&self) -> anyhow::Result<Terms> {
        let wrong = |problem| self.wrong(problem);
        let share =
            |target: Option<f64>| target.map(|share| parse_share(&share.to_string())).transpose().map_err(wrong);
        let (precision, recall) = (share(self.target_precision)?, share(self.target_recall)?);
        let usual = Terms::default();
        let promise = match (precision, recall) {
            (None, None) => usual.promise,
            _ => Promise { precision, recall, ..usual.promise },
        };
        let broken_share_max = share(self.broken_share)?.unwrap_or(promise.broken_share_max);
        let promise = Promise { broken_share_max, ..promise };
        let step = parse_span(&self.step).map_err(wrong)?;
        if step < Span::from_secs(1) {
            return Err(self.wrong(format!("a step of {} is too short: write 15min or 1h", self.step)));
        }
        let bridge = self.bridge.as_deref().map(parse_span).transpose().map_err(wrong)?.unwrap_or_default();
        Ok(Terms { promise, step, bridge })
    }

    fn wrong(&self, problem: String) -> anyhow::Error {
        usage(
            format!("{}: {problem}", self.name),
            "correct it where it stands, in tintype.toml or among the options; tintype keep --help explains them",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_says_what_is_promised_and_where_its_objects_are() {
        let mut source = SourceConfig::new("www.example.com/cars/?all=1", "css:li.car").unwrap();
        assert_eq!((source.name.as_str(), source.terms().unwrap()), ("example.com/cars/?all=1", Terms::default()));
        source.attributes = vec!["year = b.year".into(), "make=.make".into()];
        assert_eq!(source.way().unwrap().attribute_names().collect::<Vec<_>>(), ["year", "make"]);
        source.target_recall = Some(0.8);
        assert_eq!(source.terms().unwrap().promise.targets().count(), 1);
        assert_eq!(source.terms().unwrap().promise.broken_share_max, Terms::default().promise.broken_share_max);
        source.broken_share = Some(0.01);
        assert_eq!(source.terms().unwrap().promise.broken_share_max, 0.01);
        for (wrong, set) in [
            ("targets", (|source: &mut SourceConfig| source.target_recall = Some(1.5)) as fn(&mut SourceConfig)),
            ("broken shares", |source| source.broken_share = Some(-0.1)),
            ("steps", |source| source.step = "soon".into()),
            ("no time at all", |source| source.step = "0".into()),
            ("bridges", |source| source.bridge = Some("x".into())),
        ] {
            let mut bad = source.clone();
            set(&mut bad);
            assert!(bad.terms().is_err(), "{wrong}");
        }
        source.attributes = vec!["year".into()];
        assert!(source.way().is_err());
    }
}
