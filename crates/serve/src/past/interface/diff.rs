//! Two versions of a page beside each other: as text, as source, and as browsers show them; and the way to all the others.

use super::{Frame, Past, Reply, counted, encoded, frame_address, frame_places, not_held, seconds};
use crate::past::{
    ask::{Ask, archived_url},
    cdx::parameter,
    prepared::NotReady,
};
use askama::Template;
use serde_json::json;
use std::sync::Arc;
use tintype_archive::holdings::{Memento, PageVersion, nearest, versions_of};
use tintype_observe::{
    ads::Advertisements,
    page::{DiffRow, WordRun, lines_side_by_side},
    plain,
};
use tintype_session::{
    diff::{DiffCounts, NoDiff, PageDiff, lines_html, rows_html},
    feed::EventJudge,
};
use tintype_vocab::{PartialTime, Time};

/// Versions one can choose from at once, those around the one that is shown.
const VERSIONS_SHOWN: usize = 120;
/// Longer runs of what is the same are counted only.
const SAME_MAX: usize = 40;
/// Of a source, lines around a change that are shown too.
const AROUND: usize = 3;
/// Bytes of a source that are compared, and of a table that is shown.
const SOURCE_MAX: usize = 2 << 20;
const TABLE_MAX: usize = 150_000;
/// Blocks that are marked where browsers show a version, and bytes of their words.
const MARKS_MAX: usize = 500;
const MARKED_MAX: usize = 60_000;

#[derive(Template)]
#[template(path = "diff.html")]
struct Difference {
    frame: Frame,
    url: String,
    before: Side,
    after: Side,
    views: Vec<(&'static str, &'static str, String, bool)>,
    view: &'static str,
    summary: String,
    facts: Vec<(&'static str, String, String)>,
    note: Option<String>,
    table: String,
    is_cut: bool,
    older: Option<String>,
    newer: Option<String>,
    choices: Vec<Choice>,
    chosen: usize,
    slider: String,
}

/// One of the two versions.
struct Side {
    time: String,
    memento: String,
    place: String,
    frame: String,
    /// What the frame is to mark, as the name by which its page is told.
    marks: String,
}

struct Choice {
    value: String,
    name: String,
    is_before: bool,
    is_after: bool,
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    let parameters = ask.parameters();
    let one = |name: &'static str| parameter(&parameters, &[name]);
    let Some(url) = one("url").map(archived_url) else { return Ok(Reply::redirect("/changes")) };
    let time = |name| one(name).map(PartialTime::parse).transpose().map(|time| time.map(PartialTime::as_asked));
    let (Ok(from), Ok(to)) = (time("from"), time("to")) else {
        return Ok(Reply::error(400, "write times as 2026, 202611 or 2026-11-15T21:55:03Z"));
    };
    let is_page = |memento: &Memento| memento.status().is_none_or(|status| (200..300).contains(&status));
    let mementos: Vec<Memento> = past.holdings.mementos(&url)?.into_iter().filter(is_page).collect();
    let difference = match compared(past, &url, (from, to))? {
        Ok(difference) => difference,
        Err(none) => return Ok(excuse(&url, &none)),
    };
    let view =
        one("view").and_then(|view| VIEWS.iter().find(|(known, _)| *known == view)).map_or("side", |(view, _)| view);
    let versions = versions_of(mementos.clone());
    let ends = [&difference.before.archived, &difference.after.archived].map(|time| moment(time));
    let pair = ends.map(|end| nearest(&mementos, end));
    let [Some(before), Some(after)] = pair else { return Ok(not_held("page", &url)) };
    let page = shown(past, ask, &difference, &versions, [before, after], view)?;
    let html = page.render()?;
    let frames = if view == "rendered" { frame_places(ask) } else { "'none'".to_owned() };
    Ok(Reply::page_with_frames(200, html, &frames))
}

const VIEWS: [(&str, &str); 4] =
    [("side", "Side by side"), ("one", "In one column"), ("source", "Source"), ("rendered", "As browsers show it")];

fn moment(time: &str) -> Time {
    PartialTime::parse(time).map_or(Time::MAX, |time| time.earliest)
}

/// By the collection that has two versions, or the best excuse of all of them.
fn compared(past: &Past, url: &str, times: (Option<Time>, Option<Time>)) -> Result<Result<PageDiff, NoDiff>, NotReady> {
    let mut excuse = NoDiff::NothingHeld;
    for (_, reading) in past.holdings.collections() {
        let advertisements = Advertisements::default();
        let mut judge = EventJudge::new(reading, &advertisements);
        match PageDiff::between(reading, &mut judge, url, times, "")? {
            Ok(difference) => return Ok(Ok(difference)),
            Err(NoDiff::NothingHeld) => {}
            Err(none) => excuse = none,
        }
    }
    Ok(Err(excuse))
}

fn excuse(url: &str, none: &NoDiff) -> Reply {
    match none {
        NoDiff::NothingHeld => not_held("page", url),
        NoDiff::OneVersion(first, last) => Reply::error(
            404,
            &format!("{url} was the same whenever it was seen, from {} to {}", seconds(*first), seconds(*last)),
        ),
        NoDiff::NotSeenYet(time) => {
            Reply::error(404, &format!("no version of {url} was seen at or before {}", seconds(*time)))
        }
    }
}

fn shown(
    past: &Past,
    ask: &Ask,
    difference: &PageDiff,
    versions: &[PageVersion],
    pair: [&Memento; 2],
    view: &'static str,
) -> Result<Difference, NotReady> {
    let url = &difference.url;
    let place = |time: Time| versions.iter().rposition(|version| version.first <= time).unwrap_or(0);
    let [old, new] = pair.map(|memento| place(memento.time));
    let link = |from: usize, to: usize, view: &str| {
        let time = |number: usize| versions[number].first.to_timestamp14();
        format!("/diff?url={}&from={}&to={}&view={view}", encoded(url), time(from), time(to))
    };
    let start = new.saturating_sub(VERSIONS_SHOWN / 2).min(versions.len().saturating_sub(VERSIONS_SHOWN));
    let around = start..versions.len().min(start + VERSIONS_SHOWN);
    let steps: Vec<_> = around.clone().filter(|number| *number > 0).collect();
    let slides = steps
        .iter()
        .map(|number| json!({ "name": seconds(versions[*number].first), "to": link(number - 1, *number, view) }));
    let choice = |number: usize| Choice {
        value: versions[number].first.to_timestamp14(),
        name: seconds(versions[number].first),
        is_before: number == old,
        is_after: number == new,
    };
    let (table, is_cut) = match view {
        "source" => cut(source(past, pair)?),
        "rendered" => (String::new(), false),
        view => cut(rows_html(&difference.rows, if view == "one" { 1 } else { 2 }, SAME_MAX)),
    };
    let counts = difference.counts;
    let skipped = if difference.skipped > 0 {
        format!("; {} between the two passed over", counted(difference.skipped as u64, "version"))
    } else {
        String::new()
    };
    Ok(Difference {
        frame: Frame::new(past, ask),
        before: side(ask, &difference.before, pair[0], marks("before", &difference.rows, |row| &row.before)),
        after: side(ask, &difference.after, pair[1], marks("after", &difference.rows, |row| &row.after)),
        views: VIEWS.map(|(name, title)| (name, title, link(old, new, name), name == view)).into(),
        view,
        summary: format!(
            "Importance {:.2}, by what is known of the page today. Of its blocks {}{skipped}.",
            difference.importance,
            blocks(counts)
        ),
        facts: difference
            .facts
            .iter()
            .map(|fact| (fact.kind.as_str(), fact.before.clone(), fact.after.clone()))
            .collect(),
        note: difference.note.clone(),
        table,
        is_cut,
        older: (old > 0).then(|| link(old - 1, old, view)),
        newer: (new + 1 < versions.len()).then(|| link(new, new + 1, view)),
        choices: around.rev().map(choice).collect(),
        chosen: steps.iter().position(|number| *number == new).unwrap_or(0),
        slider: serde_json::Value::from_iter(slides).to_string(),
        url: url.clone(),
    })
}

/// What became of the blocks, as far as there are any.
fn blocks(counts: DiffCounts) -> String {
    let all = [
        (counts.changed, "changed"),
        (counts.inserted, "new"),
        (counts.deleted, "gone"),
        (counts.moved, "moved"),
        (counts.same, "the same"),
    ];
    let told: Vec<String> =
        all.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if told.is_empty() { "none can be told apart".to_owned() } else { told.join(", ") }
}

fn side(ask: &Ask, version: &tintype_session::feed::ArchivedVersion, memento: &Memento, marks: String) -> Side {
    let place = match (&version.file, version.offset) {
        (Some(file), Some(offset)) => format!("{file}, byte {offset}"),
        _ => String::new(),
    };
    Side {
        time: version.archived.replace('T', " ").trim_end_matches('Z').to_owned(),
        memento: version.memento.clone(),
        place,
        frame: frame_address(ask, memento),
        marks,
    }
}

/// The blocks of one side that are not as on the other, each with its words and whether they are there alone. The script in
/// a replayed page finds them there and lights them up ([`replay`](crate::past::replay)).
fn marks(side: &str, rows: &[DiffRow], words: impl Fn(&DiffRow) -> &Vec<WordRun>) -> String {
    let (mut blocks, mut len) = (Vec::new(), 0);
    for row in rows.iter().filter(|row| !row.is_same() && !words(row).is_empty()).take(MARKS_MAX) {
        let runs: Vec<_> = words(row).iter().map(|run| json!([run.text, run.is_marked])).collect();
        let block = json!({ "runs": runs, "moved": row.moved });
        len += block.to_string().len();
        if len > MARKED_MAX {
            break;
        }
        blocks.push(block);
    }
    format!("tintype-marks:{}", json!({ "side": side, "blocks": blocks }))
}

/// Both sources, a line for every element, with what surrounds the changes.
fn source(past: &Past, pair: [&Memento; 2]) -> Result<String, NotReady> {
    let [old, new] = [text(past, pair[0])?, text(past, pair[1])?];
    let rows = lines_side_by_side(&old, &new);
    let differs: Vec<usize> = rows.iter().enumerate().filter(|(_, row)| !row.is_same()).map(|(nth, _)| nth).collect();
    let is_near = |nth: usize| {
        let next = differs.partition_point(|other| *other + AROUND < nth);
        differs.get(next).is_some_and(|other| other.abs_diff(nth) <= AROUND)
    };
    let (mut out, mut run, mut passed) = (String::new(), Vec::<DiffRow>::new(), 0);
    for (nth, row) in rows.into_iter().enumerate() {
        if !is_near(nth) {
            passed += 1;
            continue;
        }
        if passed > 0 {
            out += &flushed(&mut run);
            out += &format!("<p class=\"soft\">{passed} lines the same</p>");
            passed = 0;
        }
        run.push(row);
    }
    out += &flushed(&mut run);
    if passed > 0 {
        out += &format!("<p class=\"soft\">{passed} lines the same</p>");
    }
    Ok(out)
}

/// Lines beside a change are shown with it.
fn flushed(run: &mut Vec<DiffRow>) -> String {
    let html = if run.is_empty() { String::new() } else { lines_html(run) };
    run.clear();
    html
}

/// The source of a version as text.
fn text(past: &Past, memento: &Memento) -> Result<String, NotReady> {
    let Some(opened) = past.holdings.open(memento)? else { return Ok(String::new()) };
    let mut bytes = Vec::new();
    past.holdings.pour(&opened.body, &mut |piece| {
        let room = SOURCE_MAX.saturating_sub(bytes.len());
        bytes.extend_from_slice(&piece[..piece.len().min(room)]);
    })?;
    let bytes = plain(opened.field("content-encoding").as_deref(), &bytes);
    let content_type = opened.field("content-type").unwrap_or_default();
    let charset = content_type.split("charset=").nth(1).map(|charset| charset.trim_matches(['"', '\'', ' ', ';']));
    let encoding =
        charset.and_then(|name| encoding_rs::Encoding::for_label(name.as_bytes())).unwrap_or(encoding_rs::UTF_8);
    Ok(encoding.decode(&bytes).0.replace("><", ">\n<"))
}

/// What is longer than a page should be ends early, at the end of a row.
fn cut(table: String) -> (String, bool) {
    if table.len() <= TABLE_MAX {
        return (table, false);
    }
    let end = table[..table.floor_char_boundary(TABLE_MAX)].rfind("</tr>").map_or(0, |at| at + 5);
    (format!("{}</table>", &table[..end]), true)
}
