//! Pages by their address: those whose addresses begin alike or lie on one host, by date, status and media type.

use super::{
    Past,
    ask::{Ask, archived_url},
    cdx::{SCANNED_MAX, parameter},
    links,
    reply::Reply,
};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use tintype_archive::{
    Error,
    holdings::{KeyRange, MatchType, Memento},
};
use tintype_vocab::{MediaRange, PartialTime, Time};

/// Pages that one answer of the interface for programs lists.
const PAGES_MAX: usize = 10_000;

/// What is looked for.
#[derive(Debug)]
pub(super) struct AddressQuery {
    range: KeyRange,
    from: Option<Time>,
    to: Option<Time>,
    /// One status, or all that begin with its digit: 404, 4xx.
    status: Option<String>,
    media: Option<MediaRange>,
    limit: usize,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct FoundAddresses {
    pub(super) pages: Vec<FoundPage>,
    /// There are more than were asked for.
    pub(super) is_cut: bool,
    /// The search ended before all of them had been looked at.
    pub(super) is_partial: bool,
}

/// A page with the visits that fit.
#[derive(Debug)]
pub(super) struct FoundPage {
    pub(super) url: String,
    pub(super) visits: usize,
    pub(super) first: Time,
    pub(super) last: Time,
    /// Of the last of them.
    pub(super) status: Option<u16>,
    pub(super) media_type: Option<String>,
    key: String,
}

impl AddressQuery {
    /// Pages whose address begins like this; of a name alone, of that host and those below it.
    pub(super) fn new(address: &str, limit: usize) -> AddressQuery {
        let url = archived_url(address);
        let is_host = url.split_once("://").is_some_and(|(_, rest)| !rest.contains(['/', '?', '*']));
        let match_type = if is_host { MatchType::Domain } else { MatchType::Prefix };
        AddressQuery::of(&url, match_type, limit)
    }

    fn of(url: &str, match_type: MatchType, limit: usize) -> AddressQuery {
        let range = KeyRange::of_query(url.strip_suffix('*').unwrap_or(url), Some(match_type));
        AddressQuery { range, from: None, to: None, status: None, media: None, limit }
    }

    /// Narrows it down by fields as people and programs fill them in; those that are empty ask nothing.
    pub(super) fn narrowed(mut self, from: &str, to: &str, status: &str, media: &str) -> Result<AddressQuery, String> {
        let time = |text: &str| match text.is_empty() {
            true => Ok(None),
            false => PartialTime::parse(text).map(Some).map_err(|error| format!("{text} is {error}")),
        };
        self.from = time(from)?.map(|time| time.earliest);
        self.to = time(to)?.map(|time| time.latest);
        self.status = given(status).map(status_of).transpose()?;
        let no_type = |_| format!("{media} is no media type, such as text/html or image");
        self.media = given(media).map(str::parse).transpose().map_err(no_type)?;
        Ok(self)
    }

    /// Whether a visit is one of those looked for, the page being of this media type then.
    fn fits(&self, memento: &Memento, media_type: Option<&str>) -> bool {
        let in_time = self.from.is_none_or(|from| memento.time >= from) && self.to.is_none_or(|to| memento.time <= to);
        let status = memento.line.status.as_deref().unwrap_or_default();
        let fits_status = |wanted: &String| match wanted.strip_suffix("xx") {
            Some(digit) => status.len() == 3 && status.starts_with(digit),
            None => status == wanted,
        };
        let fits_type = |wanted: &MediaRange| media_type.is_some_and(|media_type| wanted.contains(media_type));
        in_time && self.status.as_ref().is_none_or(fits_status) && self.media.as_ref().is_none_or(fits_type)
    }

    /// Looks through the index.
    pub(super) fn find(&self, past: &Past) -> Result<FoundAddresses, Error> {
        let (mut found, mut looked_at) = (FoundAddresses::default(), 0_usize);
        // What a duplicate is of is said by the line before it.
        let mut types = TypesOfKey::default();
        past.holdings.scan(&self.range, |memento| {
            looked_at += 1;
            let media_type = types.media_type(&memento);
            if self.fits(&memento, media_type) {
                found.add(&memento, media_type, self.limit);
            }
            found.is_partial = looked_at >= SCANNED_MAX;
            if found.is_cut || found.is_partial { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(found)
    }
}

fn given(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

fn status_of(text: &str) -> Result<String, String> {
    let status = text.to_ascii_lowercase();
    let digits = status.strip_suffix("xx").map_or(3, |_| 1);
    let number = status.strip_suffix("xx").unwrap_or(&status);
    match number.len() == digits && number.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Ok(status),
        false => Err(format!("{text} is no status, such as 404 or 4xx")),
    }
}

/// The media types of the addresses of one key, each as last told.
#[derive(Default)]
struct TypesOfKey {
    key: String,
    types: Vec<(String, String)>,
}

impl TypesOfKey {
    fn media_type(&mut self, memento: &Memento) -> Option<&str> {
        if self.key != memento.line.key {
            (self.key, self.types) = (memento.line.key.clone(), Vec::new());
        }
        let known = self.types.iter().position(|(url, _)| url == memento.url());
        let said = memento.line.mime.as_ref().filter(|mime| *mime != "warc/revisit" && *mime != "-");
        match (known, said) {
            (Some(known), Some(said)) => self.types[known].1.clone_from(said),
            (None, Some(said)) => self.types.push((memento.url().to_owned(), said.clone())),
            (_, None) => {}
        }
        self.types.iter().find(|(url, _)| url == memento.url()).map(|(_, media_type)| media_type.as_str())
    }
}

impl FoundAddresses {
    fn add(&mut self, memento: &Memento, media_type: Option<&str>, limit: usize) {
        let key = &memento.line.key;
        // Addresses of one key, with and without www and the like, come in turn, by time.
        let alike = self.pages.iter().rev().take_while(|page| page.key == *key).count();
        let all = self.pages.len();
        match self.pages[all - alike..].iter_mut().find(|page| page.url == memento.url()) {
            Some(page) => {
                page.visits += 1;
                (page.last, page.status) = (memento.time, memento.status().or(page.status));
                page.media_type = media_type.map(str::to_owned).or(page.media_type.take());
            }
            None if all >= limit => self.is_cut = true,
            None => self.pages.push(FoundPage {
                url: memento.url().to_owned(),
                visits: 1,
                first: memento.time,
                last: memento.time,
                status: memento.status(),
                media_type: media_type.map(str::to_owned),
                key: key.clone(),
            }),
        }
    }
}

/// `/api/pages`.
pub(super) fn answer(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    let query = match asked(ask) {
        Ok(query) => query,
        Err(problem) => return Ok(Reply::json(400, &json!({ "error": problem }))),
    };
    let found = query.find(past)?;
    let page = |page: &FoundPage| -> Value {
        json!({
            "url": page.url, "visits": page.visits, "first": page.first.to_rfc3339_secs(),
            "last": page.last.to_rfc3339_secs(), "status": page.status, "media_type": page.media_type,
            "memento": links::memento(ask, page.last, "", &page.url),
        })
    };
    let pages: Vec<Value> = found.pages.iter().map(page).collect();
    Ok(Reply::json(200, &json!({ "pages": pages, "more": found.is_cut, "partial": found.is_partial })))
}

fn asked(ask: &Ask) -> Result<AddressQuery, String> {
    let parameters = ask.parameters();
    let one = |name: &'static str| parameter(&parameters, &[name]).unwrap_or_default();
    let address = given(one("url")).ok_or("name an address or a host: /api/pages?url=example.com/news")?;
    let limit = match given(one("limit")).map(str::parse::<usize>) {
        Some(Ok(limit)) if limit > 0 => limit.min(PAGES_MAX),
        Some(_) => return Err("limit is a number above 0".to_owned()),
        None => PAGES_MAX,
    };
    let query = match given(one("matchType")) {
        Some(text) => {
            let match_type = MatchType::parse(text).ok_or("matchType is exact, prefix, host or domain")?;
            AddressQuery::of(&archived_url(address), match_type, limit)
        }
        None => AddressQuery::new(address, limit),
    };
    query.narrowed(one("from"), one("to"), one("status"), one("type"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_make_no_sense_are_told_and_empty_ones_ask_nothing() {
        let narrowed = |from: &str, to: &str, status: &str, media: &str| {
            AddressQuery::new("example.com", 9).narrowed(from, to, status, media).map(|query| query.status)
        };
        assert_eq!(narrowed("", "", "", ""), Ok(None));
        assert_eq!(narrowed("2026", "2026-11", " 4XX ", "image"), Ok(Some("4xx".to_owned())));
        for (from, status, media) in
            [("soon", "", ""), ("", "40", ""), ("", "4x", ""), ("", "xx", ""), ("", "", "a/b/c d")]
        {
            assert!(narrowed(from, "", status, media).is_err(), "{from} {status} {media}");
        }
    }
}
