//! `/api/changes`: what happened to pages, the weightiest first, as `tintype changes` tells it.

use super::{Past, ask::Ask, cdx::parameter, news, reply::Reply};
use serde_json::json;
use std::collections::BTreeSet;
use tintype_session::{
    Error,
    feed::{FeedItem, FeedOrder, FeedQuery, PageEventKind},
};
use tintype_vocab::{Change, PartialTime, Span};

/// Items of one answer.
const LIMIT: usize = 100;
/// Without `since` so much is looked at, back from the last visit.
const WINDOW: Span = Span::from_days(7);

pub(super) fn answer(past: &Past, ask: &Ask) -> Result<Reply, tintype_archive::Error> {
    let query = match query(ask) {
        Ok(query) => query,
        Err(error) => return Ok(Reply::json(400, &json!({ "error": error }))),
    };
    let parameters = ask.parameters();
    let limit = parameter(&parameters, &["limit"]).and_then(|limit| limit.parse().ok()).unwrap_or(LIMIT).min(LIMIT);
    match items(past, &query) {
        Ok((mut items, hidden)) => {
            let left = items.len().saturating_sub(limit);
            items.truncate(limit);
            Ok(Reply::json(200, &json!({ "changes": items, "shown": items.len(), "hidden": hidden, "left": left })))
        }
        Err(error) => Ok(Reply::json(500, &json!({ "error": error.to_string() }))),
    }
}

pub(super) fn query(ask: &Ask) -> Result<FeedQuery, String> {
    let parameters = ask.parameters();
    let one = |name: &'static str| parameter(&parameters, &[name]);
    let kinds = parameters.iter().filter(|(name, kinds)| name == "kind" && !kinds.is_empty());
    let kinds = kinds.flat_map(|(_, kinds)| kinds.split(',')).map(str::parse::<PageEventKind>);
    let term = one("match")
        .map(|term| regex::RegexBuilder::new(term).case_insensitive(true).multi_line(true).size_limit(1 << 20).build());
    let importance =
        one("min_importance").map(|text| text.parse::<f64>().map_err(|_| "min_importance is a number".to_owned()));
    let since = one("since").map(|text| PartialTime::parse(text).map_err(|error| error.to_string())).transpose()?;
    Ok(FeedQuery {
        since: since.map(|since| since.earliest),
        site: one("site").map(str::to_owned),
        kinds: kinds.collect::<Result<_, _>>()?,
        terms: term.transpose().map_err(|error| error.to_string())?.into_iter().collect(),
        min_importance: importance.transpose()?.unwrap_or(f64::from(Change::IMPORTANCE_MIN)),
        order: if one("sort") == Some("time") { FeedOrder::Time } else { FeedOrder::Importance },
        archive: ask.origin.clone(),
        ..FeedQuery::default()
    })
}

/// Those of all collections, and how many are less important than was asked for.
fn items(past: &Past, query: &FeedQuery) -> Result<(Vec<FeedItem>, usize), Error> {
    let (mut items, mut hidden) = (Vec::new(), 0);
    for (number, _) in past.holdings.collections() {
        let (found, _) = past.news.look(past, number, query, Some(WINDOW))?;
        items.extend(found.items);
        hidden += found.hidden;
    }
    news::sort(&mut items, query.order);
    let mut seen = BTreeSet::new();
    items.retain(|item| seen.insert(item.id.clone()));
    Ok((items, hidden))
}
