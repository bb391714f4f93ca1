//! `/api/`: pages, captures, the versions of a page and what it was made of, as JSON.

use super::{
    Past, addresses,
    ask::{Ask, archived_url},
    cdx::parameter,
    changes, links,
    reply::Reply,
    web::nearest,
};
use serde_json::{Value, json};
use tintype_archive::{
    CaptureInfo, Error,
    holdings::{PageVersion, TimeProof, proof, versions_of},
};
use tintype_session::composed;
use tintype_vocab::{PartialTime, Span, Time};

/// A limit in time is no longer.
const DAYS_MAX: f64 = 1e6;

pub(super) fn answer(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    match ask.path.as_str() {
        "/api/pages" => addresses::answer(past, ask),
        "/api/captures" => captures(past, ask),
        "/api/versions" => versions(past, ask),
        "/api/composite" => composite(past, ask),
        "/api/changes" => changes::answer(past, ask),
        _ => Ok(Reply::json(
            404,
            &json!({ "error": "there are /api/captures, /api/changes, /api/pages?url=, /api/versions?url=, /api/composite?url=, /api/explain?url= and /api/search?q=" }),
        )),
    }
}

fn captures(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    let parameters = ask.parameters();
    let site = parameter(&parameters, &["site"]);
    let captures = past.holdings.captures()?;
    let wanted = captures.iter().filter(|(_, info)| site.is_none_or(|site| info.head.site == site));
    let captures: Vec<Value> = wanted.map(|(_, info)| capture(info)).collect();
    Ok(Reply::json(200, &json!({ "captures": captures })))
}

fn capture(info: &CaptureInfo) -> Value {
    json!({
        "capture": info.id.as_str(), "site": info.head.site, "kind": info.head.kind.as_str(), "seeds": info.head.seeds,
        "started": info.head.started.to_rfc3339(), "ended": info.end.is_some(),
    })
}

/// Every version of a page, and what is known of it at a time.
fn versions(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    let (url, at) = match asked(ask) {
        Ok(asked) => asked,
        Err(refused) => return Ok(refused),
    };
    let versions = versions_of(past.holdings.mementos(&url)?);
    let status = if versions.is_empty() { 404 } else { 200 };
    let rows: Vec<Value> = (0..versions.len()).map(|number| version(ask, &versions, number, at)).collect();
    Ok(Reply::json(status, &json!({ "url": url, "at": at.map(Time::to_rfc3339_secs), "versions": rows })))
}

/// The address and the time of the parameters, or what is wrong with them.
fn asked(ask: &Ask) -> Result<(String, Option<Time>), Reply> {
    let parameters = ask.parameters();
    let refused = |error: String| Reply::json(400, &json!({ "error": error }));
    let url = parameter(&parameters, &["url"]).map(archived_url);
    let url = url.ok_or_else(|| refused(format!("name an address: {}?url=https://example.com/", ask.path)))?;
    match parameter(&parameters, &["at"]).map(PartialTime::parse) {
        Some(Ok(time)) => Ok((url, Some(time.as_asked()))),
        Some(Err(error)) => Err(refused(error.to_string())),
        None => Ok((url, None)),
    }
}

/// What a page was made of: of every part which copy is shown with it, and whether it was there then.
fn composite(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    let (url, at) = match asked(ask) {
        Ok(asked) => asked,
        Err(refused) => return Ok(refused),
    };
    let Some((page, opened)) = nearest(past, &url, at.unwrap_or(Time::MAX))? else {
        return Ok(Reply::json(404, &json!({ "error": format!("nothing is held of {url}") })));
    };
    let parameters = ask.parameters();
    let within = match parameter(&parameters, &["within"]).map(days) {
        Some(None) => {
            return Ok(Reply::json(400, &json!({ "error": "within= is a number of days, such as 7 or 0.5" })));
        }
        Some(within) => within,
        None => past.within,
    };
    let composed = composed(&past.holdings, &opened, page.time, within)?;
    let (first, last) = composed.span(page.time);
    let parts: Vec<Value> = composed.parts.iter().map(|(url, time, verdict)| {
        json!({ "url": url, "time": time.to_rfc3339_secs(), "verdict": verdict.as_str(), "memento": links::memento(ask, *time, "", url) })
    }).collect();
    let too_far: Vec<Value> = composed.too_far.iter().map(|(url, nearest)| {
        json!({ "url": url, "nearest": nearest.to_rfc3339_secs(), "memento": links::memento(ask, *nearest, "", url) })
    }).collect();
    Ok(Reply::json(
        200,
        &json!({
            "url": page.url(), "time": page.time.to_rfc3339_secs(), "worst": composed.verdicts().worst().map(|worst| worst.as_str()),
            "first": first.to_rfc3339_secs(), "last": last.to_rfc3339_secs(), "parts": parts,
            "within_days": within.map(Span::as_days_f64), "too_far": too_far, "missing": composed.missing,
        }),
    ))
}

/// So many days, if that can be.
fn days(text: &str) -> Option<Span> {
    let days = text.parse::<f64>().ok().filter(|days| (0.0..=DAYS_MAX).contains(days))?;
    Some(Span::from_millis((days * Span::from_days(1).as_millis() as f64) as i64))
}

fn version(ask: &Ask, versions: &[PageVersion], number: usize, at: Option<Time>) -> Value {
    let version = &versions[number];
    let shown = version.visit_near(version.first);
    json!({
        "first_seen": version.first.to_rfc3339_secs(), "last_seen": version.last.to_rfc3339_secs(),
        "visits": version.mementos.len(), "digest": version.digest(), "status": shown.status(), "mime": shown.line.mime,
        "memento": links::memento(ask, shown.time, "", shown.url()),
        "proved": at.map(|at| proof(versions, number, at)).map(TimeProof::is_proved),
    })
}
