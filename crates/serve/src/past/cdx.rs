//! `/cdx`: the CDX server API of pywb.

use super::{
    Past,
    ask::{Ask, archived_url},
    cdx_filter::{LineFilter, value},
    reply::Reply,
};
use serde_json::{Map, Value, json};
use std::{collections::VecDeque, ops::ControlFlow};
use tintype_archive::{
    Error,
    holdings::{KeyRange, MatchType},
};
use tintype_vocab::{PartialTime, Time};
use tintype_warc::cdxj::Line;

/// Lines of an answer, unless it asks for fewer.
pub(super) const LINES_MAX: usize = 100_000;
/// Lines that one query looks at.
pub(super) const SCANNED_MAX: usize = 10_000_000;
/// Lines of a block; pages are counted in blocks.
const BLOCK: usize = 300;
const BLOCKS_PER_PAGE: usize = 10;

/// What a CDX query asks for.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) range: KeyRange,
    pub(super) from: Option<Time>,
    pub(super) to: Option<Time>,
    pub(super) filters: Vec<LineFilter>,
    pub(super) limit: usize,
    /// The last lines instead of the first.
    pub(super) reverse: bool,
    pub(super) closest: Option<Time>,
    pub(super) skip: usize,
    /// Only the first of lines that agree in so many characters of a field.
    pub(super) collapse: Vec<(String, usize)>,
}

/// The first parameter of one of these names.
pub(super) fn parameter<'a>(parameters: &'a [(String, String)], names: &[&str]) -> Option<&'a str> {
    let named = |(name, value): &&(String, String)| names.contains(&name.as_str()) && !value.is_empty();
    parameters.iter().find(named).map(|(_, value)| value.as_str())
}

impl Query {
    /// What both dialects have in common.
    pub(super) fn read(
        parameters: &[(String, String)],
        filter: fn(&str) -> Option<LineFilter>,
    ) -> Result<Query, String> {
        let get = |names: &[&str]| parameter(parameters, names);
        let url = get(&["url"]).ok_or("name an address: url=https://example.com/")?;
        let match_type = match get(&["matchType"]) {
            Some(text) => Some(MatchType::parse(text).ok_or("matchType is exact, prefix, host or domain")?),
            None => None,
        };
        let time = |names: &[&str]| match get(names) {
            Some(text) => PartialTime::parse(text).map(Some).map_err(|_| format!("{text} is no time")),
            None => Ok(None),
        };
        let filters = parameters.iter().filter(|(name, _)| name == "filter");
        let filters = filters.map(|(_, text)| filter(text).ok_or(format!("{text} is no filter")));
        let number = |name: &str| match get(&[name]) {
            Some(text) => text.parse::<i64>().map(Some).map_err(|_| format!("{name} is a number")),
            None => Ok(None),
        };
        let limit = number("limit")?;
        let limit_max = limit.map_or(LINES_MAX, |limit| (limit.unsigned_abs() as usize).min(LINES_MAX));
        Ok(Query {
            range: KeyRange::of_query(&schemed(url), match_type),
            from: time(&["from", "from_ts"])?.map(|time| time.earliest),
            to: time(&["to"])?.map(|time| time.latest),
            filters: filters.collect::<Result<_, _>>()?,
            limit: limit_max,
            reverse: limit.is_some_and(|limit| limit < 0),
            closest: time(&["closest"])?.map(PartialTime::as_asked),
            skip: number("offset")?.map_or(0, |skip| skip.max(0) as usize),
            collapse: Vec::new(),
        })
    }

    fn passes(&self, line: &Line, time: Time) -> bool {
        self.from.is_none_or(|from| time >= from)
            && self.to.is_none_or(|to| time <= to)
            && self.filters.iter().all(|filter| filter.passes(line))
    }

    /// Hands out every line that passes, in order, until told to stop.
    pub(super) fn each(&self, past: &Past, mut each: impl FnMut(Line) -> ControlFlow<()>) -> Result<(), Error> {
        let (mut scanned, mut last) = (0, Vec::new());
        past.holdings.scan(&self.range, |memento| {
            scanned += 1;
            if scanned > SCANNED_MAX {
                return ControlFlow::Break(());
            }
            if !self.passes(&memento.line, memento.time) {
                return ControlFlow::Continue(());
            }
            let start = |(field, len): &(String, usize)| {
                value(&memento.line, field).unwrap_or_default().chars().take(*len).collect::<String>()
            };
            let same: Vec<String> = self.collapse.iter().map(start).collect();
            if !same.is_empty() && same == last {
                return ControlFlow::Continue(());
            }
            last = same;
            each(memento.line)
        })
    }

    /// The lines of the answer.
    pub(super) fn lines(&self, past: &Past) -> Result<Vec<Line>, Error> {
        let (mut found, mut skip) = (VecDeque::new(), self.skip);
        self.each(past, |line| {
            if skip > 0 {
                skip -= 1;
                return ControlFlow::Continue(());
            }
            found.push_back(line);
            if found.len() > self.limit && self.closest.is_none() && self.reverse {
                found.pop_front();
            }
            let is_full = found.len() >= self.limit && !self.reverse && self.closest.is_none();
            if is_full || found.len() > 2 * LINES_MAX { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let mut found = Vec::from(found);
        if let Some(at) = self.closest {
            let distance = |line: &Line| line.time().map_or(u64::MAX, |time| time.as_secs().abs_diff(at.as_secs()));
            found.sort_by_key(distance);
        }
        found.truncate(self.limit);
        Ok(found)
    }
}

/// Hosts are typed without a scheme; `*.` stays in front.
fn schemed(url: &str) -> String {
    match url.strip_prefix("*.") {
        Some(host) => format!("*.{host}"),
        None => archived_url(url),
    }
}

pub(super) fn answer(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    let parameters = ask.parameters();
    let mut query = match Query::read(&parameters, LineFilter::parse) {
        Ok(query) => query,
        Err(problem) => return Ok(Reply::json(400, &json!({ "error": problem }))),
    };
    let get = |name: &str| parameter(&parameters, &[name]);
    let is_set = |name: &str| get(name).is_some_and(|value| !matches!(value, "0" | "false" | "False"));
    if let Some(digits) = get("collapseTime").and_then(|digits| digits.parse().ok()) {
        query.collapse = vec![("timestamp".to_owned(), digits), ("status".to_owned(), usize::MAX)];
    }
    let blocks = get("pageSize").and_then(|size| size.parse::<usize>().ok()).unwrap_or(BLOCKS_PER_PAGE).clamp(1, 300);
    if is_set("showNumPages") {
        return pages(past, &query, blocks);
    }
    if let Some(page) = get("page").and_then(|page| page.parse::<usize>().ok()) {
        query.skip = page.saturating_mul(blocks * BLOCK);
        query.limit = query.limit.min(blocks * BLOCK);
    }
    let is_reverse = is_set("reverse") || get("sort") == Some("reverse");
    query.reverse |= is_reverse;
    let mut lines = query.lines(past)?;
    if is_reverse {
        lines.reverse();
    }
    if lines.is_empty() && query.skip > 0 {
        return Ok(Reply::json(400, &json!({ "error": "there are not so many pages" })));
    }
    if lines.is_empty() {
        return Ok(Reply::json(
            404,
            &json!({ "error": format!("nothing is held of {}", get("url").unwrap_or_default()) }),
        ));
    }
    let fields: Option<Vec<&str>> = parameter(&parameters, &["fields", "fl"]).map(|fields| fields.split(',').collect());
    Ok(match get("output").unwrap_or("cdxj") {
        "json" => Reply::text(
            200,
            "text/x-ndjson",
            lines.iter().map(|line| format!("{}\n", as_json(line, fields.as_deref()))).collect::<String>(),
        ),
        "text" => Reply::text(
            200,
            "text/plain; charset=utf-8",
            lines.iter().map(|line| as_text(line, fields.as_deref())).collect::<String>(),
        ),
        "cdxj" => Reply::text(
            200,
            "text/x-cdxj",
            lines.iter().map(|line| as_cdxj(line, fields.as_deref())).collect::<String>(),
        ),
        other => Reply::json(400, &json!({ "error": format!("output={other} is not cdxj, json or text") })),
    })
}

fn pages(past: &Past, query: &Query, blocks_per_page: usize) -> Result<Reply, Error> {
    let mut lines = 0usize;
    query.each(past, |_| {
        lines += 1;
        ControlFlow::Continue(())
    })?;
    let blocks = lines.div_ceil(BLOCK);
    let pages = blocks.div_ceil(blocks_per_page);
    Ok(Reply::json(200, &json!({ "blocks": blocks, "pages": pages, "pageSize": blocks_per_page })))
}

const FIELDS: [&str; 9] = ["urlkey", "timestamp", "url", "mime", "status", "digest", "length", "offset", "filename"];

fn as_json(line: &Line, fields: Option<&[&str]>) -> Value {
    let mut object = Map::new();
    for name in fields.unwrap_or(&FIELDS) {
        if let Some(value) = value(line, name) {
            object.insert((*name).to_owned(), value.into());
        }
    }
    if fields.is_none() {
        object.extend(line.others.iter().map(|(name, value)| (name.clone(), value.clone().into())));
    }
    Value::Object(object)
}

fn as_text(line: &Line, fields: Option<&[&str]>) -> String {
    match fields {
        None => format!("{line}\n"),
        Some(fields) => {
            let values: Vec<String> = fields.iter().map(|name| value(line, name).unwrap_or("-".to_owned())).collect();
            values.join(" ") + "\n"
        }
    }
}

fn as_cdxj(line: &Line, fields: Option<&[&str]>) -> String {
    match fields {
        None => format!("{line}\n"),
        Some(fields) => {
            let own: Vec<&str> =
                fields.iter().copied().filter(|name| !["urlkey", "timestamp"].contains(name)).collect();
            format!("{} {} {}\n", line.key, line.timestamp, as_json(line, Some(&own)))
        }
    }
}
