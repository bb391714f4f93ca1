//! What a source held at a time: its crawls up to then, one after the other.

use super::{Subset, subset::BadSubset};
use crate::Error;
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write};
use tintype_archive::Reading;
use tintype_vocab::{HeldBack, Object, ObjectCrawl, ObjectEvent, Time};

/// What a source held.
#[derive(Clone, Debug, Default)]
pub struct HeldObjects {
    /// The crawl that tells it; nothing before the first one.
    pub crawled: Option<Time>,
    /// Names of the attributes.
    pub attributes: Vec<String>,
    /// By identifier.
    pub objects: Vec<HeldObject>,
    /// What each crawl found different, oldest first.
    pub crawls: Vec<CrawlNews>,
}

/// One object as it was listed last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldObject {
    pub id: String,
    /// The crawl that saw it first; it may be older than that if it was there at the very first one.
    pub since: Time,
    pub is_from_the_start: bool,
    /// How often its attributes changed since.
    pub updates: u32,
    pub attributes: Vec<String>,
}

/// What came and went between two crawls.
#[derive(Clone, Debug, Serialize)]
pub struct CrawlNews {
    #[serde(skip)]
    pub at: Time,
    pub found: u32,
    pub came: Vec<String>,
    pub went: Vec<String>,
    pub changed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldBack>,
}

impl HeldObjects {
    /// What the logs say a source held at a time.
    pub fn at(reading: &Reading, source: &str, at: Time, attributes: Vec<String>) -> Result<HeldObjects, Error> {
        let (mut held, mut objects) = (HeldObjects { attributes, ..HeldObjects::default() }, BTreeMap::new());
        for crawl in reading.object_crawls(source, None)? {
            let (_, crawl) = crawl?;
            if crawl.at <= at {
                held.take(crawl, &mut objects);
            }
        }
        held.objects = objects.into_values().collect();
        for object in &mut held.objects {
            object.attributes.resize(held.attributes.len(), String::new());
        }
        Ok(held)
    }

    fn take(&mut self, crawl: ObjectCrawl, objects: &mut BTreeMap<String, HeldObject>) {
        let (is_first, at) = (self.crawled.is_none(), crawl.at);
        let mut news = CrawlNews {
            at,
            found: crawl.found,
            held: crawl.held,
            came: Vec::new(),
            went: Vec::new(),
            changed: Vec::new(),
        };
        if crawl.held.is_none() {
            self.crawled = Some(at);
            for event in crawl.events {
                match event {
                    ObjectEvent::Inserted(object) | ObjectEvent::Returned(object) => {
                        news.came.push(object.id.clone());
                        let Object { id, attributes } = object;
                        let new = HeldObject {
                            id: id.clone(),
                            since: at,
                            is_from_the_start: is_first,
                            updates: 0,
                            attributes,
                        };
                        let known = objects.entry(id).or_insert_with(|| new.clone());
                        known.attributes = new.attributes;
                    }
                    ObjectEvent::Updated { object, times } => {
                        news.changed.push(object.id.clone());
                        if let Some(known) = objects.get_mut(&object.id) {
                            known.updates += times;
                            known.attributes = object.attributes;
                        }
                    }
                    ObjectEvent::Removed(id) => {
                        objects.remove(&id);
                        news.went.push(id);
                    }
                }
            }
        }
        self.crawls.push(news);
    }

    /// Only those with these attributes.
    pub fn retain(&mut self, part: &Subset) -> Result<(), BadSubset> {
        let part = part.on(&self.attributes)?;
        self.objects.retain(|object| part.holds(&object.attributes));
        Ok(())
    }

    /// A table for programs that calculate.
    pub fn csv(&self) -> String {
        let mut out = String::from("object_id,since,from_the_start,updates");
        self.attributes.iter().for_each(|name| write!(out, ",{}", cell(name)).expect("strings grow"));
        out.push('\n');
        for object in &self.objects {
            let HeldObject { id, since, is_from_the_start, updates, attributes } = object;
            let since = since.to_rfc3339_secs();
            write!(out, "{},{since},{is_from_the_start},{updates}", cell(id)).expect("strings grow");
            attributes.iter().for_each(|value| write!(out, ",{}", cell(value)).expect("strings grow"));
            out.push('\n');
        }
        out
    }

    /// One object for machines.
    pub fn json(&self, source: &str) -> serde_json::Value {
        let object = |object: &HeldObject| {
            let attributes: serde_json::Map<String, serde_json::Value> = self
                .attributes
                .iter()
                .cloned()
                .zip(object.attributes.iter().map(|value| value.as_str().into()))
                .collect();
            serde_json::json!({
                "id": object.id, "since": object.since.to_rfc3339_secs(), "from_the_start": object.is_from_the_start,
                "updates": object.updates, "attributes": attributes,
            })
        };
        serde_json::json!({
            "source": source, "crawled": self.crawled.map(Time::to_rfc3339_secs), "count": self.objects.len(),
            "objects": self.objects.iter().map(object).collect::<Vec<_>>(),
        })
    }
}

/// A value as RFC 4180 writes it; one that a spreadsheet would take for a formula is not one.
fn cell(text: &str) -> String {
    let is_number = text.parse::<f64>().is_ok();
    let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(id: &str, make: &str) -> Object {
        Object { id: id.into(), attributes: vec![make.into()] }
    }

    #[test]
    fn objects_come_change_and_go_crawl_by_crawl() {
        let crawl = |secs, events| ObjectCrawl { at: Time::from_secs(secs), found: 2, held: None, events };
        let (mut held, mut objects) =
            (HeldObjects { attributes: vec!["make".into()], ..Default::default() }, BTreeMap::new());
        let first = vec![ObjectEvent::Inserted(object("1", "bmw")), ObjectEvent::Inserted(object("2", "audi"))];
        held.take(crawl(10, first), &mut objects);
        let updated = ObjectEvent::Updated { object: object("2", "=vw,\"x\""), times: 2 };
        held.take(crawl(20, vec![ObjectEvent::Removed("1".into()), updated]), &mut objects);
        held.objects = objects.into_values().collect();
        let only = HeldObject {
            id: "2".into(),
            since: Time::from_secs(10),
            is_from_the_start: true,
            updates: 2,
            attributes: vec!["=vw,\"x\"".into()],
        };
        assert_eq!(held.objects, [only]);
        assert_eq!((&held.crawls[1].went, held.crawled), (&vec!["1".to_owned()], Some(Time::from_secs(20))));
        assert_eq!(
            held.csv(),
            "object_id,since,from_the_start,updates,make\n2,1970-01-01T00:00:10Z,true,2,\"'=vw,\"\"x\"\"\"\n"
        );
        assert_eq!(held.json("cars")["objects"][0]["attributes"]["make"], "=vw,\"x\"");
        held.retain(&"make=bmw".parse().unwrap()).unwrap();
        assert!(held.objects.is_empty() && held.retain(&"year>2".parse().unwrap()).is_err());
    }
}
