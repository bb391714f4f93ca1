//! Search by address, title and full text, with the dates on which a phrase was there and those on which it was not.

use super::{
    Frame, Past, Reply, encoded,
    phrase_rows::{PhraseRow, rows},
    rendered,
    texts::{self, Question},
};
use crate::past::{
    addresses::{AddressQuery, FoundAddresses, FoundPage},
    ask::{Ask, archived_url},
    cdx::parameter,
    prepared::NotReady,
    reply,
};
use askama::Template;
use serde_json::json;
use std::sync::Arc;
use tintype_archive::Phrase;
use tintype_session::{phrase_json, phrase_summary};
use tintype_vocab::PartialTime;

/// Addresses that a search shows.
const FOUND_MAX: usize = 200;

#[derive(Template)]
#[template(path = "search.html")]
struct Search {
    frame: Frame,
    asked: Asked,
    problem: Option<String>,
    /// What is said of each collection.
    summaries: Vec<String>,
    rows: Vec<PhraseRow>,
    named: Vec<String>,
    reading: Option<String>,
    addresses: Option<Addresses>,
    json: String,
    addresses_json: String,
    has_phrase: bool,
}

/// The fields of the form, as they were filled in.
#[derive(Default)]
struct Asked {
    words: String,
    site: String,
    url: String,
    from: String,
    to: String,
    /// Of pages by their address alone.
    status: String,
    media_type: String,
}

struct Addresses {
    pages: Vec<AddressRow>,
    is_cut: bool,
    is_partial: bool,
}

struct AddressRow {
    url: String,
    visits: usize,
    first: String,
    last: String,
    status: String,
    media_type: String,
}

impl Asked {
    fn read(ask: &Ask) -> Asked {
        let parameters = ask.parameters();
        let one = |name: &'static str| parameter(&parameters, &[name]).unwrap_or_default().trim().to_owned();
        let (status, media_type) = (one("status"), one("type"));
        Asked {
            words: one("q"),
            site: one("site"),
            url: one("url"),
            from: one("from"),
            to: one("to"),
            status,
            media_type,
        }
    }

    /// What the indexes are asked; nothing if it is about addresses only.
    fn question(&self) -> Result<Option<Question>, String> {
        if self.words.is_empty() {
            return Ok(None);
        }
        if Phrase::parse(&self.words).is_none() {
            return Err("there is no word in this, or it is longer than 500 characters".to_owned());
        }
        let time = |text: &str| match text.is_empty() {
            true => Ok(None),
            false => PartialTime::parse(text).map(Some).map_err(|error| format!("{text} is {error}")),
        };
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Ok(Some(Question {
            phrase: self.words.clone(),
            site: given(&self.site),
            url: given(&self.url).map(|url| archived_url(&url)),
            from: time(&self.from)?.map(|time| time.earliest),
            to: time(&self.to)?.map(|time| time.latest),
        }))
    }

    /// The address that was typed, in its own field or instead of words; a site's if nothing else was.
    fn address(&self) -> Option<&str> {
        let host = self.words.split("://").last().and_then(|rest| rest.split('/').next()).unwrap_or_default();
        let is_address = !self.words.contains(char::is_whitespace)
            && (self.words.contains("://") || (host.contains('.') && !host.starts_with('.') && !host.ends_with('.')));
        match (self.words.is_empty(), is_address) {
            (true, _) => [&self.url, &self.site].into_iter().map(String::as_str).find(|address| !address.is_empty()),
            (false, true) => Some(&self.words),
            (false, false) => None,
        }
    }

    fn pairs(&self) -> String {
        let fields =
            [("q", &self.words), ("site", &self.site), ("url", &self.url), ("from", &self.from), ("to", &self.to)];
        pairs(&fields)
    }

    /// The same for who asks for the addresses as JSON.
    fn address_pairs(&self) -> String {
        let address = self.address().unwrap_or_default().to_owned();
        pairs(&[
            ("url", &address),
            ("from", &self.from),
            ("to", &self.to),
            ("status", &self.status),
            ("type", &self.media_type),
        ])
    }

    /// Pages by the address that was typed.
    fn addresses(&self, past: &Past) -> Result<Option<Addresses>, NotReady> {
        let Some(address) = self.address() else { return Ok(None) };
        let query = AddressQuery::new(address, FOUND_MAX);
        let query = query.narrowed(&self.from, &self.to, &self.status, &self.media_type).map_err(NotReady::Failed)?;
        let FoundAddresses { pages, is_cut, is_partial } = query.find(past)?;
        let row = |page: FoundPage| AddressRow {
            first: super::minutes(page.first),
            last: super::minutes(page.last),
            status: page.status.map_or(String::new(), |status| status.to_string()),
            media_type: page.media_type.unwrap_or_default(),
            url: page.url,
            visits: page.visits,
        };
        Ok(Some(Addresses { pages: pages.into_iter().map(row).collect(), is_cut, is_partial }))
    }
}

/// Fields that are not empty, as a query.
fn pairs(fields: &[(&str, &String)]) -> String {
    let pairs = fields.iter().filter(|(_, value)| !value.is_empty());
    pairs.map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>().join("&")
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    let asked = Asked::read(ask);
    let (question, problem) = match asked.question() {
        Ok(question) => (question, None),
        Err(problem) => (None, Some(problem)),
    };
    let found = question.as_ref().map(|question| texts::search(past, question)).transpose()?.unwrap_or_default();
    let so_far: Vec<u64> = found.iter().filter_map(|found| found.reading).collect();
    let reading = (!so_far.is_empty()).then(|| match so_far.iter().sum() {
        0 => "Texts are being taken into the index".to_owned(),
        count => format!("{} were taken into the index so far", super::counted(count, "version")),
    });
    let (addresses, problem) = match asked.addresses(past) {
        Ok(addresses) => (addresses, problem),
        Err(NotReady::Failed(said)) => (None, problem.or(Some(said))),
        Err(not_yet) => return Err(not_yet),
    };
    let of = |found: &texts::Searched| found.found.clone();
    let page = Search {
        frame: Frame::new(past, ask),
        problem,
        summaries: summaries(past, &found),
        rows: found.iter().filter_map(of).flat_map(|of| rows(&of, asked.url.is_empty())).collect(),
        named: found.iter().filter_map(of).flat_map(|of| of.addresses.clone()).collect(),
        addresses,
        json: asked.pairs(),
        addresses_json: asked.address_pairs(),
        has_phrase: question.is_some(),
        reading,
        asked,
    };
    let is_reading = page.reading.is_some();
    let reply = rendered(200, &page)?;
    Ok(if is_reading { reply.with("Refresh", "3") } else { reply })
}

/// What is said of each collection, by its name if there are several; those that saw it first.
fn summaries(past: &Past, found: &[texts::Searched]) -> Vec<String> {
    let told = found.iter().filter_map(|searched| {
        let found = searched.found.as_ref()?;
        let summary = phrase_summary(&found.finding, &found.query);
        let path = past.holdings.collection(searched.collection)?.path();
        let name = path.file_name().map_or_else(String::new, |name| format!("{}: ", name.to_string_lossy()));
        Some((found.finding.pages.iter().all(|page| page.seen().is_none()), name, summary))
    });
    let mut told: Vec<(bool, String, String)> = told.collect();
    told.sort_by_key(|(is_absent, ..)| *is_absent);
    let is_one = told.len() == 1;
    told.into_iter().map(|(_, name, summary)| if is_one { summary } else { format!("{name}{summary}") }).collect()
}

/// The same for programs.
pub(in crate::past) fn answer(past: &Arc<Past>, ask: &Ask) -> reply::Reply {
    let refused = |problem: &str| Reply::json(400, &json!({ "error": problem }));
    let question = match Asked::read(ask).question() {
        Ok(Some(question)) => question,
        Ok(None) => return refused("name a phrase: /api/search?q=never+close"),
        Err(problem) => return refused(&problem),
    };
    let found = match texts::search(past, &question) {
        Ok(found) => found,
        Err(NotReady::Yet) => {
            return Reply::json(503, &json!({ "error": "the texts are being read; ask again" }))
                .with("Retry-After", "1");
        }
        Err(NotReady::Failed(error)) => return Reply::json(500, &json!({ "error": error })),
    };
    let is_reading = found.iter().any(|found| found.reading.is_some());
    let told = found.iter().filter_map(|searched| {
        let found = searched.found.as_ref()?;
        let mut told = phrase_json(&found.finding, &found.query);
        told["collection"] = json!(searched.collection);
        told["addresses"] = json!(found.addresses);
        Some(told)
    });
    Reply::json(200, &json!({ "collections": told.collect::<Vec<_>>(), "reading": is_reading }))
}
