//! `/cdx/search/cdx`: the CDX server API of the Internet Archive, as its clients read it.

use super::{
    Past,
    ask::Ask,
    cdx::{Query, parameter},
    cdx_filter::{LineFilter, field_name, value},
    reply::Reply,
};
use serde_json::{Value, json};
use tintype_archive::Error;
use tintype_warc::cdxj::Line;

const FIELDS: [&str; 7] = ["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"];
/// Lines in one answer with a key to go on from.
const RESUMED_AFTER: usize = 10_000;

pub(super) fn answer(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    let parameters = ask.parameters();
    let mut query = match Query::read(&parameters, LineFilter::parse_whole) {
        Ok(query) => query,
        Err(problem) => return Ok(Reply::error(400, &problem)),
    };
    let get = |name: &str| parameter(&parameters, &[name]);
    query.collapse =
        parameters.iter().filter(|(name, _)| name == "collapse").map(|(_, text)| collapsed(text)).collect();
    if get("showNumPages").is_some_and(|shown| shown == "true") {
        return Ok(Reply::text(200, "text/plain; charset=utf-8", "1\n"));
    }
    if get("page").is_some_and(|page| page != "0") {
        query.limit = 0;
    }
    let resumes = get("showResumeKey").is_some_and(|shown| shown == "true");
    if resumes {
        query.limit = query.limit.min(RESUMED_AFTER);
    }
    // Where the last answer ended: so many lines are passed over.
    if let Some(passed) = get("resumeKey").and_then(|key| key.parse::<usize>().ok()) {
        query.skip = passed;
    }
    query.limit += usize::from(resumes);
    let mut lines = query.lines(past)?;
    let more = resumes && lines.len() == query.limit;
    if more {
        lines.pop();
    }
    let key = more.then(|| (query.skip + lines.len()).to_string());
    let fields: Vec<&str> = get("fl").map_or(FIELDS.to_vec(), |fields| fields.split(',').collect());
    let rows = lines.iter().map(|line| fields.iter().map(|name| spelled(line, name)).collect::<Vec<_>>());
    Ok(match get("output") {
        Some("json") => as_json(&fields, rows, key),
        _ => {
            let mut text: String = rows.map(|row| row.join(" ") + "\n").collect();
            text.extend(key.map(|key| format!("\n{key}\n")));
            Reply::text(200, "text/plain; charset=utf-8", text)
        }
    })
}

/// An array of arrays, the first of them the names; nothing at all is an empty array.
fn as_json(fields: &[&str], rows: impl Iterator<Item = Vec<String>>, key: Option<String>) -> Reply {
    let mut all: Vec<Value> = rows.map(|row| json!(row)).collect();
    if !all.is_empty() {
        all.insert(0, json!(fields));
    }
    if let Some(key) = key {
        all.extend([json!([]), json!([key])]);
    }
    Reply::json(200, &Value::Array(all))
}

/// `timestamp:8`, or a field as a whole.
fn collapsed(text: &str) -> (String, usize) {
    match text.split_once(':').and_then(|(field, len)| Some((field, len.parse().ok()?))) {
        Some((field, len)) => (field.to_owned(), len),
        None => (text.to_owned(), usize::MAX),
    }
}

fn spelled(line: &Line, name: &str) -> String {
    let value = value(line, name).filter(|value| !value.is_empty());
    match (field_name(name), value) {
        ("digest", Some(digest)) => digest.strip_prefix("sha1:").unwrap_or(&digest).to_owned(),
        (_, Some(value)) => value,
        _ => "-".to_owned(),
    }
}
