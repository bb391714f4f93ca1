//! What is decided about a site, and the form that changes it, as `tintype sites change` does.

use super::{NotReady, Past, Reply, collection_named, encoded, reckoning};
use crate::past::{ask::Ask, control::field};
use std::sync::Arc;

/// What a setting means, and what it costs to change it.
const MEANINGS: [(&str, &str, &str); 10] = [
    ("scope", "Reaches", "page, prefix, host or domain: a domain may be many times a host"),
    ("budget", "Budget of a capture", "500, 2GB or 500,2GB: pages beyond it are not captured"),
    ("depth", "Links away from the start", "each step usually brings several times the pages"),
    ("delay", "Pause in seconds", "longer is gentler and slower; empty: five response times"),
    ("include", "Only URLs like", "with commas between, such as /news/*"),
    ("exclude", "Never URLs like", "with commas between, such as /calendar/*"),
    ("weight", "Weight of its changes", "other sites count 1: twice the weight draws requests from them"),
    ("ceiling", "At most a day", "such as 100/day: changes beyond it are found later"),
    ("hours", "Only within, UTC", "such as 22:00-06:00: what happens outside is found later"),
    ("capture-every", "A dated whole every", "such as 30d: each costs about as many requests as it has pages"),
];

/// A setting and what somebody wants it to be.
pub(super) type Changed = (String, String);

pub(super) struct SettingRow {
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    pub(super) hint: &'static str,
    pub(super) value: String,
}

/// The settings of a site; none where its collection has no file that names it.
pub(super) fn rows(past: &Past, collection: usize, site: &str) -> Vec<SettingRow> {
    let settings = past.settings(collection);
    let Some(of_site) = settings.sites.iter().find(|section| section.names.iter().any(|name| name == site)) else {
        return Vec::new();
    };
    let value = |key: &str| {
        of_site.values.iter().find(|(name, _)| name == key).map_or(String::new(), |(_, value)| value.clone())
    };
    MEANINGS.map(|(key, name, hint)| SettingRow { key, name, hint, value: value(key) }).into()
}

/// Takes the form: what is other than it was is written down.
pub(super) fn change(past: &Arc<Past>, ask: &Ask) -> Reply {
    let (Some(file), Some(collection), Some(site)) = (&past.file, collection_named(ask), field(ask, "site")) else {
        return Reply::error(404, "this server does not know the settings of this");
    };
    let before = rows(past, collection, site);
    let is_other = |row: &&SettingRow| field(ask, row.key).is_some_and(|value| value.trim() != row.value);
    let sent = before.iter().filter(is_other);
    let changed: Vec<Changed> =
        sent.map(|row| (row.key.to_owned(), field(ask, row.key).unwrap_or_default().trim().to_owned())).collect();
    let there = format!("/site/{}", encoded(site).replace('+', "%20"));
    if changed.is_empty() {
        return Reply::see_other(&there);
    }
    if field(ask, "step") == Some("reckon") {
        return match reckoning::page(past, ask, collection, site, &before, &changed) {
            Ok(page) => page,
            Err(NotReady::Yet) => Reply::error(503, "the logs are being read; try again in a moment"),
            Err(NotReady::Failed(problem)) => Reply::error(500, &problem),
        };
    }
    match file.change(collection, site, &changed) {
        Ok(()) => {
            past.forget_settings(collection);
            past.interface.statuses.forget(&(collection, site.to_owned()));
            Reply::see_other(&format!("{there}?saved"))
        }
        Err(problem) => Reply::error(400, &format!("nothing was changed: {problem}")),
    }
}
