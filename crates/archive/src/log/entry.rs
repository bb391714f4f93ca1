//! What stands on the lines of a log.

use super::{
    brief::Brief,
    head::{CaptureHead, HeadLine},
    links::{Coded, Coder, Decoder},
};
use crate::{Retention, store::KnownPage};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt};
use tintype_observe::page::Judgement;
use tintype_vocab::{
    Change, ChangeRate, Decision, Digest, HeldBack, LeftOut, ObjectCrawl, ObjectEvent, Observation, Outcome, PageId,
    Purpose, RenderGain, SiteId, Span, Time, Truncated, Validators,
};

/// Where a record is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub segment: String,
    pub offset: u64,
    /// Of the compressed record.
    pub length: u64,
}

/// The response record that holds a payload for the first time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Original {
    pub url: String,
    pub date: Time,
    /// Nothing when only history was imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// How an answer was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "as")]
pub enum Kept {
    /// With its payload.
    Response,
    /// As a duplicate record of a payload we hold.
    Duplicate { of: Original },
    /// As a duplicate record without block: the server said our copy is right.
    NotModified { of: Original },
    /// As a metadata record that says why there is no answer.
    Failure,
    /// Only as history; the bytes were never ours.
    Nothing,
}

/// The version that a new one took the place of, or that is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Before {
    /// The visit that saw it first.
    pub since: Time,
    /// The visit before the one that saw it gone.
    pub until: Time,
    /// The response record that holds its payload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<Original>,
}

impl Before {
    /// What a change does away with; nothing if this is none. A page that was there and is not is a change, once.
    pub(crate) fn of(seen: &Observation, page: Option<&KnownPage>) -> Option<Before> {
        let left = |page: &KnownPage| {
            let was_there = page.digest.is_some() && !matches!(page.status, Some(404 | 410));
            was_there && matches!(seen.outcome, Outcome::Gone { .. })
        };
        let page = page.filter(|page| matches!(seen.change, Change::New { .. }) || left(page))?;
        Some(Before { since: page.last_changed, until: page.last_seen, original: page.original.clone() })
    }
}

/// One observation with where and how its record was kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Observed {
    pub(crate) observation: Observation,
    pub(crate) kept: Kept,
    pub(crate) retention: Retention,
    pub(crate) place: Option<Place>,
    pub(crate) attempt: u8,
    pub(crate) before: Option<Before>,
    /// How important the change was found to be, and why.
    pub(crate) judgement: Option<Judgement>,
    /// What the page is and links to is what its version was, and can be found with that.
    pub(crate) is_brief: bool,
}

impl Observed {
    /// Where the payload of this observation is, if it has one.
    pub(crate) fn original(&self) -> Option<Original> {
        match &self.kept {
            Kept::Response => {
                let seen = &self.observation;
                seen.digest.map(|_| Original { url: seen.url.clone(), date: seen.asked, place: self.place.clone() })
            }
            Kept::Duplicate { of } | Kept::NotModified { of } => Some(of.clone()),
            Kept::Failure | Kept::Nothing => None,
        }
    }
}

/// Takes back: the records of a segment from an offset on are no longer there, so their visits must be made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lost {
    pub(crate) segment: String,
    pub(crate) from: u64,
    /// Lines that start before this byte of the log are concerned; later ones tell of new records.
    pub(crate) before: u64,
}

impl Lost {
    /// Whether the observation on the line at `line` lost its record.
    pub(crate) fn covers(&self, line: u64, place: Option<&Place>) -> bool {
        let lost = |place: &Place| place.segment == self.segment && place.offset >= self.from;
        line < self.before && place.is_some_and(lost)
    }
}

/// A visit whose record was damaged or lost on disk. What is left of it is that it was made, and that stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingRecord {
    pub url: String,
    pub asked: Time,
    /// Of the payload that was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Where the record was when it was missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The answer is held; what is lost is the request as it was sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_request: bool,
}

impl MissingRecord {
    pub(crate) fn of(observed: Observed) -> MissingRecord {
        let Observed { observation, place, .. } = observed;
        let (url, asked, digest) = (observation.url, observation.asked, observation.digest);
        MissingRecord { url, asked, digest, place, only_request: false }
    }

    /// The request of a visit whose answer is held.
    pub(crate) fn request_of(observed: &Observed) -> MissingRecord {
        let (url, asked) = (observed.observation.url.clone(), observed.observation.asked);
        MissingRecord { url, asked, digest: None, place: observed.place.clone(), only_request: true }
    }
}

impl fmt::Display for MissingRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as of {}", self.url, self.asked)?;
        match &self.place {
            Some(place) if self.only_request => {
                write!(
                    f,
                    ": the request as it was sent; the answer is held, and was in {} at byte {}",
                    place.segment, place.offset
                )
            }
            Some(place) => write!(f, ", which was in {} at byte {}", place.segment, place.offset),
            None => Ok(()),
        }
    }
}

/// A crawl of a source, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Objects<'a> {
    at: Time,
    found: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held: Option<HeldBack>,
    #[serde(default, skip_serializing_if = "is_nothing")]
    events: Cow<'a, [ObjectEvent]>,
    /// The next such line goes on with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    more: bool,
}

/// Events on one line, so that no line is too long to be read.
pub(crate) const EVENTS_MAX: usize = 1024;

fn is_nothing(events: &[ObjectEvent]) -> bool {
    events.is_empty()
}

impl Objects<'_> {
    /// The lines of a crawl.
    pub(crate) fn of(crawl: &ObjectCrawl) -> impl Iterator<Item = Objects<'_>> {
        let lines = crawl.events.len().div_ceil(EVENTS_MAX).max(1);
        (0..lines).map(move |line| {
            let events = crawl.events.iter().as_slice();
            let events = &events[line * EVENTS_MAX..events.len().min((line + 1) * EVENTS_MAX)];
            let ObjectCrawl { at, found, held, .. } = *crawl;
            Objects { at, found, held, events: events.into(), more: line + 1 < lines }
        })
    }

    /// The crawl as far as it is known with this line, and whether there is more of it.
    pub(crate) fn after(self, begun: Option<ObjectCrawl>) -> (ObjectCrawl, bool) {
        let Objects { at, found, held, events, more } = self;
        let mut crawl = match begun.filter(|begun| begun.at == at) {
            Some(begun) => begun,
            None => ObjectCrawl { at, found, held, events: Vec::new() },
        };
        crawl.events.extend(events.into_owned());
        (crawl, more)
    }
}

/// A line as written.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Written<'a> {
    Head(&'a HeadLine<&'a CaptureHead>),
    Decide(&'a Decision),
    Observe(Box<ObserveOut<'a>>),
    Same(Box<Brief<'a>>),
    Lost(&'a Lost),
    Missing(&'a MissingRecord),
    Objects(&'a Objects<'a>),
    End(&'a serde_json::Value),
}

/// A line as read. Links stay coded, because those who only want state do not need them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Read<'a> {
    Head(Box<HeadLine>),
    Decide(Decision),
    #[serde(borrow)]
    Observe(Box<ObserveIn<'a>>),
    #[serde(borrow)]
    Same(Box<Brief<'a>>),
    /// In older logs: that a segment was closed.
    Closed(serde::de::IgnoredAny),
    Lost(Lost),
    Missing(MissingRecord),
    Objects(Objects<'static>),
    End(serde_json::Value),
}

#[derive(Serialize)]
pub(crate) struct ObserveOut<'a> {
    site: SiteId,
    page: PageId,
    url: &'a str,
    purpose: Purpose,
    attempt: u8,
    asked: Time,
    answered: Time,
    outcome: &'a Outcome,
    change: Change,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    media_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sniffed: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gist: Option<u64>,
    bytes: u64,
    #[serde(skip_serializing_if = "Validators::is_empty")]
    validators: &'a Validators,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_age: Option<Span>,
    kept: &'a Kept,
    #[serde(skip_serializing_if = "Retention::is_indexed")]
    retention: Retention,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'a Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'a Before>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judgement: Option<&'a Judgement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robots: Option<&'a str>,
    rate: ChangeRate,
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<Coded<'a>>,
    #[serde(skip_serializing_if = "LeftOut::is_nothing")]
    left_out: LeftOut,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<Truncated>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rendered: Option<RenderGain>,
}

impl<'a> ObserveOut<'a> {
    pub(crate) fn new(observed: &'a Observed, coder: &mut Coder) -> ObserveOut<'a> {
        let Observed { observation: seen, kept, retention, place, attempt, before, judgement, is_brief: _ } = observed;
        ObserveOut {
            site: seen.site,
            page: seen.page,
            url: &seen.url,
            purpose: seen.purpose,
            attempt: *attempt,
            asked: seen.asked,
            answered: seen.answered,
            outcome: &seen.outcome,
            change: seen.change,
            digest: seen.digest,
            media_type: seen.media_type.as_deref(),
            sniffed: seen.sniffed.as_deref(),
            gist: seen.gist,
            bytes: seen.bytes,
            validators: &seen.validators,
            max_age: seen.max_age,
            kept,
            retention: *retention,
            place: place.as_ref(),
            before: before.as_ref(),
            judgement: judgement.as_ref(),
            robots: seen.robots.as_deref(),
            rate: seen.rate,
            links: (!seen.links.is_empty()).then(|| coder.code(&seen.links)),
            left_out: seen.links.left_out(),
            truncated: seen.truncated,
            rendered: seen.rendered,
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct ObserveIn<'a> {
    site: SiteId,
    page: PageId,
    url: String,
    purpose: Purpose,
    attempt: u8,
    asked: Time,
    answered: Time,
    outcome: Outcome,
    change: Change,
    #[serde(default)]
    digest: Option<Digest>,
    #[serde(default)]
    media_type: Option<String>,
    #[serde(default)]
    sniffed: Option<String>,
    #[serde(default)]
    gist: Option<u64>,
    bytes: u64,
    #[serde(default)]
    validators: Validators,
    #[serde(default)]
    max_age: Option<Span>,
    kept: Kept,
    #[serde(default)]
    retention: Retention,
    #[serde(default)]
    place: Option<Place>,
    #[serde(default)]
    before: Option<Before>,
    #[serde(default)]
    judgement: Option<Judgement>,
    #[serde(default)]
    robots: Option<String>,
    #[serde(default)]
    rate: ChangeRate,
    #[serde(borrow, default)]
    links: Option<Coded<'a>>,
    #[serde(default)]
    left_out: LeftOut,
    #[serde(default)]
    truncated: Option<Truncated>,
    #[serde(default)]
    rendered: Option<RenderGain>,
}

impl Read<'_> {
    /// What was observed, if that is what the line says; links are decoded with the table of the lines before it, or left
    /// out.
    pub(crate) fn into_observed(self, decoder: Option<&mut Decoder>) -> Option<Observed> {
        match self {
            Read::Observe(line) => Some(line.into_observed(decoder)),
            Read::Same(line) => Some(line.into_observed()),
            _ => None,
        }
    }
}

impl ObserveIn<'_> {
    /// The observation; its links are decoded with the table of the lines before it, or left out.
    fn into_observed(self, decoder: Option<&mut Decoder>) -> Observed {
        let mut links = match (self.links, decoder) {
            (Some(coded), Some(decoder)) => decoder.decode(&coded),
            _ => tintype_vocab::Links::new(),
        };
        links.leave_out(self.left_out);
        let observation = Observation {
            site: self.site,
            page: self.page,
            url: self.url,
            purpose: self.purpose,
            asked: self.asked,
            answered: self.answered,
            outcome: self.outcome,
            change: self.change,
            digest: self.digest,
            media_type: self.media_type,
            sniffed: self.sniffed,
            gist: self.gist,
            bytes: self.bytes,
            validators: self.validators,
            max_age: self.max_age,
            links,
            robots: self.robots,
            rate: self.rate,
            truncated: self.truncated,
            rendered: self.rendered,
        };
        let ObserveIn { kept, retention, place, attempt, before, judgement, .. } = self;
        Observed { observation, kept, retention, place, attempt, before, judgement, is_brief: false }
    }
}
