//! Listings: what a source holds or held, what came and went, how well the copy was foretold, and when it is crawled next.

use super::{Figure, Frame, Past, Prepared, Reply, catalogue::Catalogue, encoded, minutes, not_held, rendered};
use crate::past::{SourceSettings, ask::Ask, cdx::parameter, prepared::NotReady};
use askama::Template;
use std::{collections::BTreeMap, sync::Arc};
use tintype_archive::CaptureKind;
use tintype_picture::{Axis, OverTime, Series};
use tintype_session::listing::{
    CrawlHistory, CrawlRecord, HeldObjects, SourceState, Subset, Terms, imported_attributes,
};
use tintype_vocab::{CopyMeasure, PartialTime, Time};

const OBJECTS_SHOWN: usize = 500;
const CRAWLS_SHOWN: usize = 60;
/// Sources of which the list tells what they hold.
const SOURCES_LOOKED_AT: usize = 20;
/// Identifiers that are named of what came or went at a crawl.
const NAMED: usize = 12;
/// Crawls with a forecast before it is drawn.
const DRAWN_MIN: usize = 3;

/// All crawls of a source, and the next one.
#[derive(Debug)]
pub(super) struct Known {
    /// Held now.
    objects: usize,
    crawls: Vec<CrawlRecord>,
    coverage: [Option<f64>; 2],
    next: Option<(Time, f64)>,
    due: Time,
    promise: [Option<f64>; 2],
}

#[derive(Template)]
#[template(path = "listings.html")]
struct Listings {
    frame: Frame,
    sources: Vec<SourceRow>,
}

struct SourceRow {
    name: String,
    url: String,
    crawls: usize,
    last: String,
    objects: String,
    next: String,
}

#[derive(Template)]
#[template(path = "listing.html")]
struct ListingPage {
    frame: Frame,
    name: String,
    url: String,
    figures: Vec<Figure>,
    next: String,
    at: String,
    part: String,
    problem: Option<String>,
    attributes: Vec<String>,
    objects: Vec<ObjectRow>,
    in_all: usize,
    asked: String,
    crawls: Vec<CrawlRow>,
    chart: Option<String>,
}

struct ObjectRow {
    id: String,
    since: String,
    updates: u32,
    attributes: Vec<String>,
}

struct CrawlRow {
    at: String,
    found: u32,
    came: String,
    went: String,
    changed: usize,
    quality: String,
    held: bool,
}

pub(super) fn all(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    let catalogue = Catalogue::get(past)?;
    let mut crawls: BTreeMap<&str, (usize, Time)> = BTreeMap::new();
    for (_, info) in
        catalogue.captures.iter().filter(|(_, info)| info.head.kind == CaptureKind::Listing || is_imported(info))
    {
        let known = crawls.entry(&info.head.site).or_insert((0, info.head.started));
        *known = (known.0 + 1, info.head.started.max(known.1));
    }
    let urls: BTreeMap<String, String> = past
        .holdings
        .collections()
        .flat_map(|(number, _)| past.settings(number).sources.clone())
        .map(|source| (source.name, source.url))
        .collect();
    let mut rows = Vec::new();
    let mut is_patient = true;
    for (nth, (name, (crawls, last))) in crawls.iter().enumerate() {
        // One wait a request: the others are told of with the next one.
        let found = match catalogue.collection_of(name).filter(|_| is_patient && nth < SOURCES_LOOKED_AT) {
            Some(collection) => declared(past, collection, name).and_then(|source| known(past, collection, &source)),
            None => Err(NotReady::Yet),
        };
        is_patient &= !matches!(found, Err(NotReady::Yet));
        rows.push(SourceRow {
            name: (*name).to_owned(),
            url: urls.get(*name).cloned().unwrap_or_default(),
            crawls: *crawls,
            last: minutes(*last),
            objects: found.as_ref().map_or(String::new(), |known| known.objects.to_string()),
            next: found.as_ref().map_or(String::new(), |known| match known.due < (past.clock)() {
                true => format!("due since {}", minutes(known.due)),
                false => minutes(known.due),
            }),
        });
    }
    rendered(200, &Listings { frame: Frame::new(past, ask), sources: rows })
}

fn is_imported(info: &tintype_archive::CaptureInfo) -> bool {
    info.head.settings.get("attributes").is_some()
}

/// What the file says of a source; of one that was imported what its import says.
fn declared(past: &Past, collection: usize, name: &str) -> Result<SourceSettings, NotReady> {
    if let Some(source) = past.settings(collection).sources.iter().find(|source| source.name == name).cloned() {
        return Ok(source);
    }
    let attributes = imported_attributes(past.collection(collection)?, name)?;
    Ok(SourceSettings { name: name.to_owned(), url: String::new(), terms: None, attributes })
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask, name: &str) -> Result<Reply, NotReady> {
    let (name, format) = match name.rsplit_once('.') {
        Some((name, format @ ("csv" | "json"))) => (name, Some(format)),
        _ => (name, None),
    };
    let catalogue = Catalogue::get(past)?;
    let is_listing = |info: &tintype_archive::CaptureInfo| info.head.kind == CaptureKind::Listing || is_imported(info);
    let Some(collection) = catalogue.collection_of(name).filter(|_| catalogue.captures_of(name).any(is_listing)) else {
        return Ok(not_held("listing", name));
    };
    let parameters = ask.parameters();
    let one = |key: &'static str| parameter(&parameters, &[key]);
    let at = one("at").map(PartialTime::parse).transpose();
    let source = declared(past, collection, name)?;
    let time = at.as_ref().map_or(Time::MAX, |at| at.map_or(Time::MAX, PartialTime::as_asked));
    let mut held = HeldObjects::at(past.collection(collection)?, name, time, source.attributes.clone())?;
    let part = one("where").map(str::parse::<Subset>).transpose();
    let problem = match (&at, &part) {
        (Err(error), _) => Some(error.to_string()),
        (_, Err(error)) => Some(error.to_string()),
        (_, Ok(Some(part))) => held.retain(part).err().map(|error| error.to_string()),
        _ => None,
    };
    match (format, &problem) {
        (Some(_), Some(problem)) => return Ok(Reply::error(400, problem)),
        (Some("csv"), _) => {
            let disposition = "attachment; filename=\"objects.csv\"";
            return Ok(Reply::text(200, "text/csv; charset=utf-8", held.csv()).with("Content-Disposition", disposition));
        }
        (Some(_), _) => return Ok(Reply::json(200, &held.json(name))),
        _ => {}
    }
    let known = known(past, collection, &source)?;
    let asked: Vec<String> =
        ["at", "where"].iter().filter_map(|key| Some(format!("{key}={}", encoded(one(key)?)))).collect();
    let page = ListingPage {
        frame: Frame::new(past, ask),
        name: name.to_owned(),
        url: source.url,
        figures: figures(&held, &known),
        next: next(&known, (past.clock)()),
        at: one("at").unwrap_or_default().to_owned(),
        part: one("where").unwrap_or_default().to_owned(),
        problem,
        in_all: held.objects.len(),
        objects: held.objects.iter().take(OBJECTS_SHOWN).map(object).collect(),
        asked: asked.join("&"),
        crawls: crawls(&held, &known),
        chart: chart(&known),
        attributes: held.attributes,
    };
    rendered(200, &page)
}

fn known(past: &Arc<Past>, collection: usize, source: &SourceSettings) -> Result<Arc<Known>, NotReady> {
    let (name, terms, attributes) = (source.name.clone(), source.terms, source.attributes.clone());
    let held_attributes = attributes.clone();
    Prepared::get(
        past,
        |past| &past.interface.listings,
        (collection, source.name.clone()),
        move |past| {
            let reading = past.collection(collection)?;
            let history = CrawlHistory::of(reading, &name, terms, attributes)?;
            let state = SourceState::of(reading, &name, terms.unwrap_or_else(Terms::default))?;
            let promise = history.promise();
            let objects = HeldObjects::at(reading, &name, Time::MAX, held_attributes)?.objects.len();
            Ok(Known {
                objects,
                coverage: CopyMeasure::ALL.map(|measure| history.coverage(measure)),
                next: state.next().map(|next| (next.at, next.broken)),
                due: state.due((past.clock)()),
                promise: [promise.precision, promise.recall],
                crawls: history.crawls,
            })
        },
    )
}

fn figures(held: &HeldObjects, known: &Known) -> Vec<Figure> {
    let crawled = held.crawled.map_or("never crawled".to_owned(), |at| format!("by the crawl of {}", minutes(at)));
    let mut figures = vec![
        Figure::new("Objects", held.objects.len().to_string(), crawled),
        Figure::new("Crawls", known.crawls.len().to_string(), ""),
    ];
    let last = known.crawls.iter().rev();
    for (nth, measure) in CopyMeasure::ALL.into_iter().enumerate() {
        let Some(quality) = last.clone().find_map(|crawl| crawl.quality(measure)) else { continue };
        let promised = known.promise[nth].map_or(String::new(), |target| format!("{target:.2} promised"));
        let within = known.coverage[nth]
            .map_or(String::new(), |share| format!("; within its interval {:.0} % of the time", 100.0 * share));
        let name = if measure == CopyMeasure::Precision { "Copy precision was" } else { "Copy recall was" };
        figures.push(Figure::new(name, format!("{:.2}", quality.realised), format!("{promised}{within}")));
    }
    figures
}

fn next(known: &Known, now: Time) -> String {
    let when = match known.due < now {
        true => format!("The next crawl is due since {}", minutes(known.due)),
        false => format!("Next crawl {}", minutes(known.due)),
    };
    match known.next {
        Some((_, broken)) => format!(
            "{when}: waiting longer would break the promise too often; right before, the chance that it is broken is {:.1} %.",
            100.0 * broken
        ),
        None => format!("{when}: the source is not known well yet."),
    }
}

fn object(object: &tintype_session::listing::HeldObject) -> ObjectRow {
    let earlier = if object.is_from_the_start { "before " } else { "" };
    ObjectRow {
        id: object.id.clone(),
        since: format!("{earlier}{}", minutes(object.since)),
        updates: object.updates,
        attributes: object.attributes.clone(),
    }
}

/// The latest first.
fn crawls(held: &HeldObjects, known: &Known) -> Vec<CrawlRow> {
    let named = |ids: &[String]| {
        let more = ids.len().saturating_sub(NAMED);
        let names = ids.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        if more > 0 { format!("{names} and {more} more") } else { names }
    };
    let quality = |at: Time| {
        let crawl = known.crawls.iter().find(|crawl| crawl.at == at)?;
        let one = |measure| {
            let quality = crawl.quality(measure)?;
            let expected = quality.expected.map_or(String::new(), |expected| format!(" ({expected:.2} foretold)"));
            Some(format!("{:.2}{expected}", quality.realised))
        };
        Some(CopyMeasure::ALL.into_iter().filter_map(one).collect::<Vec<_>>().join(", "))
    };
    let row = |news: &tintype_session::listing::CrawlNews| CrawlRow {
        at: minutes(news.at),
        found: news.found,
        came: named(&news.came),
        went: named(&news.went),
        changed: news.changed.len(),
        quality: quality(news.at).unwrap_or_default(),
        held: news.held.is_some(),
    };
    held.crawls.iter().rev().take(CRAWLS_SHOWN).map(row).collect()
}

/// What the copy was right before each crawl, beside what had been foretold.
fn chart(known: &Known) -> Option<String> {
    let qualities: Vec<_> = known.crawls.iter().filter_map(|crawl| Some((crawl.at, crawl.precision?))).collect();
    let told: Vec<(Time, f64)> = qualities.iter().filter_map(|(at, quality)| Some((*at, quality.expected?))).collect();
    let chart = OverTime {
        title: "Copy precision right before each crawl".to_owned(),
        caption: String::new(),
        time: "Crawl".to_owned(),
        y: Axis::linear("Copy precision", "share").including(0.0, 1.0),
        series: vec![
            Series::over_time("was", qualities.iter().map(|(at, quality)| (*at, quality.realised)).collect::<Vec<_>>())
                .emphasised(),
            Series::over_time("foretold", told.clone()),
        ],
    };
    (told.len() >= DRAWN_MIN).then(|| chart.draw().svg().to_owned())
}
