//! What happened to pages, as `tintype changes` tells it: chosen by site, kind, term and weight, read or unread.

use super::{Frame, Past, Reply, changes_item::ItemView, collection_named, encoded, rendered};
use crate::past::{
    ask::Ask,
    cdx::parameter,
    changes::query,
    control::{back, field},
    news::{News, NewsList},
    prepared::NotReady,
};
use askama::Template;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use tintype_archive::ToldEvents;
use tintype_session::feed::{FeedItem, FeedOrder, FeedQuery, PageEventKind};
use tintype_vocab::{Change, Time};

/// Items on one page.
const SHOWN: usize = 30;
/// Stretches one can choose, in days.
const DAYS: [(u32, &str); 4] = [(1, "a day"), (7, "a week"), (30, "a month"), (365, "a year")];
const DAYS_USUAL: u32 = 7;
pub(super) const READER: &str = "me";
pub(super) const READER_MAX: usize = 80;
/// Least importances one can choose, by their words.
const WEIGHTS: [(&str, &str); 5] =
    [("0", "anything"), ("0.001", "slight"), ("0.03", "minor"), ("0.15", "notable"), ("0.5", "major")];

#[derive(Template)]
#[template(path = "changes.html")]
struct Changes {
    frame: Frame,
    problem: Option<String>,
    sites: Vec<(String, bool)>,
    kinds: Vec<(&'static str, bool)>,
    is_filtered_by_kind: bool,
    days: Vec<(u32, &'static str, bool)>,
    weights: Vec<(&'static str, &'static str, bool)>,
    term: String,
    is_by_time: bool,
    is_watched: bool,
    has_watch: bool,
    is_unread: bool,
    reader: String,
    in_all: usize,
    unread: usize,
    hidden: usize,
    items: Vec<ItemView>,
    /// The query without the page of it.
    feeds: String,
    later: Option<String>,
    earlier: Option<String>,
    /// The items shown, for the form that marks them all as read.
    shown: Vec<(usize, String)>,
}

/// What a reader asks for.
pub(super) struct Asked {
    pub(super) query: FeedQuery,
    pub(super) days: u32,
    reader: String,
    is_unread: bool,
    is_watched: bool,
    skip: usize,
    problem: Option<String>,
}

impl Asked {
    pub(super) fn read(past: &Past, ask: &Ask) -> Asked {
        let parameters = ask.parameters();
        let one = |name: &'static str| parameter(&parameters, &[name]);
        let (mut query, problem) = match query(ask) {
            Ok(query) => (query, None),
            Err(problem) => {
                let min_importance = f64::from(Change::IMPORTANCE_MIN);
                (FeedQuery { min_importance, ..FeedQuery::default() }, Some(problem))
            }
        };
        let is_watched = one("watched").is_some();
        if is_watched {
            query.terms.extend(watch(past));
        }
        let days = one("days").and_then(|days| days.parse().ok()).unwrap_or(DAYS_USUAL);
        let reader = one("reader").unwrap_or(READER);
        Asked {
            query,
            days: DAYS.map(|(days, _)| days).into_iter().find(|known| *known >= days).unwrap_or(DAYS[3].0),
            reader: reader.chars().take(READER_MAX).collect(),
            is_unread: one("unread").is_some(),
            is_watched,
            skip: one("skip").and_then(|skip| skip.parse().ok()).unwrap_or(0),
            problem,
        }
    }

    /// The items that are wanted, in the order they are wanted in, and how many weigh too little.
    pub(super) fn choose<'a>(&self, list: &'a NewsList) -> (Vec<&'a (usize, FeedItem)>, usize) {
        let wanted: Vec<_> = list.items.iter().filter(|(_, item)| self.query.wants(item)).collect();
        let (mut chosen, hidden): (Vec<_>, Vec<_>) =
            wanted.into_iter().partition(|(_, item)| item.importance >= self.query.min_importance);
        if self.query.order == FeedOrder::Time {
            chosen.sort_by_key(|(_, item)| std::cmp::Reverse(item.at));
        }
        (chosen, hidden.len())
    }
}

/// The terms that somebody watches for; one that is no regular expression is for `tintype changes` to complain of.
fn watch(past: &Past) -> Vec<regex::Regex> {
    let collections = past.holdings.collections().map(|(number, _)| past.settings(number));
    let terms = collections.flat_map(|settings| settings.watch.clone());
    terms
        .filter_map(|term| regex::RegexBuilder::new(&term).case_insensitive(true).multi_line(true).build().ok())
        .collect()
}

/// Events that somebody was told of, and when last.
type Told = (BTreeSet<u64>, Option<Time>);

/// What a reader was told and when last, by the number of the collection.
pub(super) fn told(past: &Past, reader: &str) -> Result<BTreeMap<usize, Told>, NotReady> {
    let told = past.holdings.collections().map(|(number, reading)| {
        let told = ToldEvents::open(reading.path(), reader)?;
        Ok((number, (told.events().clone(), told.last())))
    });
    told.collect()
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    let asked = Asked::read(past, ask);
    let list = News::of_days(past, asked.days)?;
    let told = told(past, &asked.reader)?;
    let is_news = |(number, item): &(usize, FeedItem)| told.get(number).is_none_or(|(told, _)| item.is_news(told));
    let (mut chosen, hidden) = asked.choose(&list);
    let unread = chosen.iter().filter(|item| is_news(item)).count();
    if asked.is_unread {
        chosen.retain(|item| is_news(item));
    }
    let in_all = chosen.len();
    let shown: Vec<_> = chosen.into_iter().skip(asked.skip).take(SHOWN).collect();
    let mut sites: Vec<&String> = list.items.iter().map(|(_, item)| &item.site).collect();
    sites.sort_unstable();
    sites.dedup();
    let site = asked.query.site.clone().unwrap_or_default();
    let parameters = ask.parameters();
    let turned = |skip: usize| format!("/changes?{}", with(&parameters, "skip", &skip.to_string()));
    let min = asked.query.min_importance;
    let page = Changes {
        problem: asked.problem,
        sites: sites.into_iter().map(|name| (name.clone(), *name == site)).collect(),
        kinds: PageEventKind::ALL.iter().map(|kind| (kind.as_str(), asked.query.kinds.contains(kind))).collect(),
        is_filtered_by_kind: !asked.query.kinds.is_empty(),
        days: DAYS.map(|(days, name)| (days, name, days == asked.days)).into(),
        weights: WEIGHTS
            .map(|(value, name)| (value, name, value.parse().is_ok_and(|value: f64| (value - min).abs() < 1e-6)))
            .into(),
        term: parameter(&parameters, &["match"]).unwrap_or_default().to_owned(),
        is_by_time: asked.query.order == FeedOrder::Time,
        is_watched: asked.is_watched,
        has_watch: past.holdings.collections().any(|(number, _)| !past.settings(number).watch.is_empty()),
        is_unread: asked.is_unread,
        reader: asked.reader.clone(),
        in_all,
        unread,
        hidden,
        items: shown.iter().map(|item| ItemView::new(item.0, &item.1, is_news(item))).collect(),
        feeds: with(&parameters, "skip", ""),
        later: (asked.skip > 0).then(|| turned(asked.skip.saturating_sub(SHOWN))),
        earlier: (in_all > asked.skip + shown.len()).then(|| turned(asked.skip + SHOWN)),
        shown: shown.iter().map(|(number, item)| (*number, item.id.clone())).collect(),
        frame: Frame::new(past, ask),
    };
    rendered(200, &page)
}

/// The query with another value of one parameter; an empty one leaves it out.
fn with(parameters: &[(String, String)], name: &str, value: &str) -> String {
    let others = parameters.iter().filter(|(known, value)| known != name && !value.is_empty());
    let mut pairs: Vec<String> = others.map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    if !value.is_empty() {
        pairs.push(format!("{name}={value}"));
    }
    pairs.join("&")
}

/// Takes the form that says what was read: items by their ids, as they were shown.
pub(super) fn mark_read(past: &Arc<Past>, ask: &Ask) -> Reply {
    let days = field(ask, "days").and_then(|days| days.parse().ok()).unwrap_or(DAYS_USUAL);
    let reader: String = field(ask, "reader").unwrap_or(READER).chars().take(READER_MAX).collect();
    let ids: BTreeSet<&str> =
        ask.form.iter().filter(|(name, _)| name == "item").flat_map(|(_, ids)| ids.split(',')).collect();
    let only = collection_named(ask);
    let list = match News::of_days(past, days) {
        Ok(list) => list,
        Err(NotReady::Yet) => return Reply::error(503, "the logs are being read; try again in a moment"),
        Err(NotReady::Failed(error)) => return Reply::error(500, &error),
    };
    for (number, reading) in past.holdings.collections().filter(|(number, _)| only.is_none_or(|only| only == *number)) {
        let named = |(of, item): &&(usize, FeedItem)| *of == number && ids.contains(item.id.as_str());
        let events: Vec<u64> = list.items.iter().filter(named).flat_map(|(_, item)| item.events()).collect();
        if events.is_empty() {
            continue;
        }
        let told = ToldEvents::open(reading.path(), &reader).and_then(|mut told| told.tell(events, (past.clock)()));
        if let Err(error) = told {
            return Reply::error(500, &error.to_string());
        }
    }
    Reply::see_other(back(ask))
}
