//! Tournaments: which policy would have kept a site best, played on what is recorded of it here.

use super::{Frame, Past, Reply, catalogue::Catalogue, rendered};
use crate::past::{
    ask::Ask,
    cdx::parameter,
    control::{back, field},
    laboratory::{LabResults, LabStage, LabState, TournamentWish},
    live::LiveFeed,
    prepared::NotReady,
    reply::ReplyBody,
};
use askama::Template;
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use tintype_plan::policy::{self, PolicyKind};
use tintype_quality::measure::{REGISTRY, SHARE};
use tintype_vocab::Time;

/// Who is invited unless somebody chooses.
const INVITED: [&str; 4] = ["tintype", "proportional", "change-chance", "uniform"];
/// Sites one can choose from, those that were captured last.
const SITES_SHOWN: usize = 200;
const EVERY: Duration = Duration::from_millis(500);

#[derive(Template)]
#[template(path = "lab.html")]
struct LabPage {
    frame: Frame,
    can_play: bool,
    sites: Vec<(usize, String, bool)>,
    players: Vec<Player>,
    heading: Option<String>,
    playing: Option<(u64, String)>,
    failed: Option<String>,
    table: Option<Table>,
    pictures: Vec<(String, String)>,
    tables: Vec<String>,
    command: String,
}

struct Player {
    name: &'static str,
    summary: &'static str,
    is_invited: bool,
}

/// Everybody, the best first.
struct Table {
    about: String,
    columns: Vec<(&'static str, &'static str)>,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    /// Of the best possible, in percent.
    percent: u64,
    of_best: String,
    cells: Vec<String>,
    is_best: bool,
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    let parameters = ask.parameters();
    let wanted = parameter(&parameters, &["site"]).unwrap_or_default();
    let catalogue = Catalogue::get(past)?;
    let state = past.laboratory.as_ref().map(|laboratory| laboratory.state()).unwrap_or_default();
    let sites = catalogue.sites.iter().take(SITES_SHOWN);
    let results = match &state.stage {
        LabStage::Played(results) => Some(results.clone()),
        _ => None,
    };
    let pictures = results.iter().flat_map(|results| &results.pictures).map(|(name, _)| (name.clone(), title(name)));
    let page = LabPage {
        can_play: past.laboratory.is_some(),
        sites: sites.map(|(number, site, _)| (*number, site.clone(), site == wanted)).collect(),
        players: players(),
        heading: state.wish.as_ref().map(|wish| wish.site.clone()),
        playing: match &state.stage {
            LabStage::Playing { percent, now } => Some((*percent, now.clone())),
            _ => None,
        },
        failed: match &state.stage {
            LabStage::Failed(why) => Some(why.clone()),
            _ => None,
        },
        table: results.as_ref().and_then(|results| table(&results.json)),
        pictures: pictures.collect(),
        tables: results.iter().flat_map(|results| &results.tables).map(|(name, _)| name.clone()).collect(),
        command: results.map_or(String::new(), |results| results.command.clone()),
        frame: Frame::new(past, ask),
    };
    let is_playing = page.playing.is_some();
    let reply = rendered(200, &page)?;
    // Who has no script sees how far it is all the same.
    Ok(if is_playing { reply.with("Refresh", "5") } else { reply })
}

fn players() -> Vec<Player> {
    let continual =
        policy::REGISTRY.iter().filter(|policy| matches!(policy.kind, PolicyKind::Continual | PolicyKind::Passes));
    let player = |policy: &policy::RegisteredPolicy| Player {
        name: policy.name,
        summary: policy.summary,
        is_invited: INVITED.contains(&policy.name),
    };
    let mut players: Vec<Player> = continual.map(player).collect();
    players.sort_by_key(|player| !player.is_invited);
    players
}

/// `completeness-by-budget` as a title.
fn title(name: &str) -> String {
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn table(json: &Value) -> Option<Table> {
    let number = |row: &Value, name: &str| row.get(name).and_then(Value::as_f64);
    let mut results: Vec<&Value> = json.get("results")?.as_array()?.iter().collect();
    let completeness = |row: &Value| number(row, "completeness").unwrap_or(0.0);
    results.sort_by(|one, two| completeness(two).total_cmp(&completeness(one)));
    let cell = |row: &Value, name: &str, unit: &str| match (number(row, name), unit) {
        (None, _) => String::new(),
        (Some(value), SHARE) => format!("{value:.3}"),
        (Some(value), _) => format!("{value:.1}"),
    };
    let rows = results.iter().enumerate().map(|(nth, row)| {
        let of_best = number(row, "of_oracle").unwrap_or(0.0);
        let visits = number(row, "visits").map_or(String::new(), |visits| format!("{visits:.0}"));
        Row {
            name: row.get("policy").and_then(Value::as_str).unwrap_or_default().to_owned(),
            percent: (100.0 * of_best).round().clamp(0.0, 100.0) as u64,
            of_best: format!("{:.1} %", 100.0 * of_best),
            cells: REGISTRY.iter().map(|measure| cell(row, measure.name, measure.unit)).chain([visits]).collect(),
            is_best: nth == 0,
        }
    });
    let named = |name: &str| number(json, name).map_or(String::new(), |value| format!("{value:.0}"));
    let best = number(json, "oracle_completeness").unwrap_or(0.0);
    let columns = REGISTRY.iter().map(|measure| (column(measure.name), measure.meaning));
    Some(Table {
        about: format!(
            "{} pages, {} versions born in the window, {:.1} visits a day. The best that any schedule could have done is a completeness of {best:.3}.",
            named("pages"),
            named("versions"),
            number(json, "budget_per_day").unwrap_or(0.0)
        ),
        columns: columns.chain([("visits", "requests that were spent")]).collect(),
        rows: rows.collect(),
    })
}

fn column(name: &'static str) -> &'static str {
    match name {
        "weighted_completeness" => "weighted",
        "mean_age_hours" => "mean age, h",
        "blur_pages" => "blur, pages",
        name => name,
    }
}

/// A picture or a table of the latest tournament.
pub(super) fn file(past: &Past, name: &str) -> Option<Reply> {
    let LabStage::Played(results) = past.laboratory.as_ref()?.state().stage else { return None };
    let LabResults { json, pictures, tables, .. } = results.as_ref();
    let named = |files: &[(String, String)], name: &str| {
        files.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone())
    };
    if name == "results.json" {
        return Some(Reply::json(200, json));
    }
    if let Some(picture) = name.strip_suffix(".svg").and_then(|name| named(pictures, name)) {
        return Some(
            Reply::text(200, "image/svg+xml", picture)
                .with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        );
    }
    let table = named(tables, name)?;
    Some(Reply::text(200, "text/csv; charset=utf-8", table).with("Content-Disposition", "attachment"))
}

pub(super) fn events(_: &Past) -> Reply {
    let mut reply = Reply::text(200, "text/event-stream", "").with("Cache-Control", "no-store");
    reply.body = ReplyBody::Events(LiveFeed { tell, every: EVERY });
    reply
}

fn tell(past: &Arc<Past>, since: Time) -> Result<(String, Time), NotReady> {
    let state = past.laboratory.as_ref().map(|laboratory| laboratory.state()).unwrap_or_default();
    Ok((progress(&state).to_string(), since))
}

fn progress(state: &LabState) -> Value {
    match &state.stage {
        LabStage::Playing { percent, now } => serde_json::json!({ "playing": true, "percent": percent, "now": now }),
        _ => serde_json::json!({ "playing": false }),
    }
}

pub(super) fn begin(past: &Arc<Past>, ask: &Ask) -> Reply {
    let Some(laboratory) = &past.laboratory else { return Reply::error(404, "nothing can be played here") };
    // One choice says both where and what.
    let chosen = field(ask, "site").and_then(|site| site.split_once(' '));
    let Some((Ok(collection), site)) = chosen.map(|(number, site)| (number.parse::<usize>(), site)) else {
        return Reply::error(400, "choose a site");
    };
    let is_known = Catalogue::get(past)
        .is_ok_and(|known| known.sites.iter().any(|(of, name, _)| *of == collection && name == site));
    let named = ask.form.iter().filter(|(name, _)| name == "policy").map(|(_, policy)| policy.clone());
    let policies: Vec<String> = named.filter(|named| policy::find(named).is_some()).collect();
    let per_day = match field(ask, "budget").map(str::trim).filter(|text| !text.is_empty()).map(str::parse::<f64>) {
        None => None,
        Some(Ok(per_day)) if per_day > 0.0 && per_day.is_finite() => Some(per_day),
        Some(_) => return Reply::error(400, "visits a day are a number, such as 30"),
    };
    if !is_known || policies.is_empty() {
        return Reply::error(400, "choose a site that is kept here, and somebody who plays");
    }
    let wish = TournamentWish {
        collection,
        site: site.to_owned(),
        policies,
        per_day,
        with_pictures: field(ask, "pictures").is_some(),
    };
    match laboratory.begin(wish) {
        Ok(()) => Reply::see_other("/lab"),
        Err(problem) => Reply::error(409, &problem),
    }
}

pub(super) fn cancel(past: &Arc<Past>, ask: &Ask) -> Reply {
    if let Some(laboratory) = &past.laboratory {
        laboratory.cancel();
    }
    Reply::see_other(back(ask))
}
