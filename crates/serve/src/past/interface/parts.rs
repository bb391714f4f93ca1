//! A page of the past with what it was made of: which copy of every part is shown with it, and whether it was there then.

use super::{Frame, Past, Reply, encoded, not_held, rendered, seconds};
use crate::past::{
    ask::{Ask, archived_url},
    cdx::parameter,
    prepared::NotReady,
    web::nearest,
};
use askama::Template;
use tintype_quality::capture::CompositeVerdict;
use tintype_session::{ComposedPage, composed};
use tintype_vocab::{PartialTime, Time};

#[derive(Template)]
#[template(path = "parts.html")]
struct Parts {
    frame: Frame,
    url: String,
    time: String,
    memento: String,
    summary: String,
    rows: Vec<PartRow>,
    json: String,
}

struct PartRow {
    url: String,
    /// The copy that is shown; nothing where none is.
    memento: Option<String>,
    time: String,
    verdict: &'static str,
    class: &'static str,
}

pub(super) fn page(past: &Past, ask: &Ask) -> Result<Reply, NotReady> {
    let parameters = ask.parameters();
    let Some(url) = parameter(&parameters, &["url"]).map(archived_url) else { return Ok(Reply::redirect("/search")) };
    let at = parameter(&parameters, &["at"]).map(PartialTime::parse).transpose();
    let Ok(at) = at else { return Ok(Reply::error(400, "write times as 2026, 202611 or 2026-11-15T21:55:03Z")) };
    let at = at.map_or(Time::MAX, PartialTime::as_asked);
    let Some((page, opened)) = nearest(past, &url, at)? else { return Ok(not_held("page", &url)) };
    let composed = composed(&past.holdings, &opened, page.time, past.within)?;
    let timestamp = page.time.to_timestamp14();
    let shown = Parts {
        frame: Frame::new(past, ask),
        time: seconds(page.time),
        memento: format!("/web/{timestamp}/{url}"),
        summary: summary(&composed, page.time),
        rows: rows(&composed),
        json: format!("/api/composite?url={}&at={timestamp}", encoded(&url)),
        url,
    };
    rendered(200, &shown)
}

fn summary(of: &ComposedPage, root: Time) -> String {
    let all = of.parts.len() + of.too_far.len() + of.missing.len();
    if all == 0 {
        return "It names no picture, style sheet or script: it is whole by itself.".to_owned();
    }
    let proved = of.parts.iter().filter(|(_, _, verdict)| verdict.is_coherent()).count();
    let (first, last) = of.span(root);
    format!(
        "Of {all} parts {proved} are proved to have been there with it, {} are not held. What is shown is of {} to {}.",
        of.missing.len(),
        seconds(first),
        seconds(last)
    )
}

/// What does not belong together comes first.
fn rows(of: &ComposedPage) -> Vec<PartRow> {
    let mut parts: Vec<_> = of.parts.iter().collect();
    parts.sort_by_key(|(_, _, verdict)| std::cmp::Reverse(*verdict));
    let shown = parts.into_iter().map(|(url, time, verdict)| {
        let (words, class) = words(*verdict);
        let memento = Some(format!("/web/{}im_/{url}", time.to_timestamp14()));
        PartRow { url: url.clone(), memento, time: seconds(*time), verdict: words, class }
    });
    let none = |url: &String, time, verdict| PartRow { url: url.clone(), memento: None, time, verdict, class: "warn" };
    let too_far = of.too_far.iter().map(|(url, nearest)| none(url, seconds(*nearest), "seen too far from the page"));
    let missing = of.missing.iter().map(|url| none(url, String::new(), "not held"));
    too_far.chain(missing).chain(shown).collect()
}

fn words(verdict: CompositeVerdict) -> (&'static str, &'static str) {
    match verdict {
        CompositeVerdict::CoherentByOne => ("was there: seen then, or not modified since", "good"),
        CompositeVerdict::CoherentByBracket => ("was there: visits before and after saw the same", "good"),
        CompositeVerdict::Unknown => ("nothing says whether it was there", "soft"),
        CompositeVerdict::Possible => ("may have been another: it changed in between", "warn"),
        CompositeVerdict::Violation => ("was not there yet: it was modified later", "warn"),
    }
}
