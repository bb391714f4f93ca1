//! A capture: what it brought, and what is proved of it.

use super::{
    Figure, Frame, Past, Reply, capture_print as print, catalogue::Catalogue, ending, kind_word, not_held, rendered,
    seconds,
};
use crate::{
    organ_pipes,
    past::{
        ask::Ask,
        prepared::{NotReady, Prepared},
        reply::ReplyBody,
    },
};
use askama::Template;
use std::sync::Arc;
use tintype_archive::CaptureInfo;
use tintype_quality::certificate::{Certificate, PageProof, PageVerdict};
use tintype_session::certify;

/// Pages in the table; the JSON has all of them.
const PAGES_SHOWN: usize = 100;

#[derive(Template)]
#[template(path = "capture.html")]
struct CapturePage {
    frame: Frame,
    id: String,
    site: String,
    kind: &'static str,
    started: String,
    ending: String,
    figures: Vec<Figure>,
    dated: String,
    pipes: Option<String>,
    missing: Vec<(String, u64)>,
    has_parts: bool,
    pages: Vec<PageRow>,
    pages_shown: String,
    fingerprint: String,
}

pub(super) struct PageRow {
    pub(super) url: String,
    pub(super) verdict: String,
    pub(super) class: &'static str,
    pub(super) first: String,
    pub(super) at: String,
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask, name: &str) -> Result<Reply, NotReady> {
    let (id, form) = match name.rsplit_once('.') {
        Some((id, form @ ("json" | "wacz" | "print"))) => (id, form),
        _ => (name, ""),
    };
    let catalogue = Catalogue::get(past)?;
    let of_name = |(_, info): &&(usize, CaptureInfo)| info.id.as_str() == id;
    let Some((collection, info)) = catalogue.captures.iter().find(of_name).cloned() else {
        return Ok(not_held("capture", id));
    };
    if form == "wacz" {
        return Ok(package(past, collection, id));
    }
    let known = certificate(past, collection, info)?;
    let (info, certificate) = known.as_ref();
    match form {
        "json" => Ok(Reply::json(200, &certificate_json(certificate))),
        "print" => print::page(past, info, certificate),
        _ => rendered(200, &shown(Frame::new(past, ask), info, certificate)),
    }
}

/// A capture with what is proved of it.
pub(super) fn certificate(
    past: &Arc<Past>,
    collection: usize,
    info: CaptureInfo,
) -> Result<Arc<(CaptureInfo, Certificate)>, NotReady> {
    Prepared::get(
        past,
        |past| &past.interface.certificates,
        (collection, info.id.as_str().to_owned()),
        move |past| {
            let certificate = certify(past.collection(collection)?, &info)?;
            Ok((info, certificate))
        },
    )
}

/// What is downloaded, and what a signature speaks of.
pub(super) fn certificate_json(certificate: &Certificate) -> serde_json::Value {
    serde_json::json!({ "captures": [serde_json::to_value(certificate).unwrap_or_default()] })
}

/// One is made at a time: each takes as much of the disk as its capture.
fn package(past: &Past, collection: usize, id: &str) -> Reply {
    let Some(file) = &past.file else { return Reply::error(404, "this server does not know how to hand it on") };
    let Ok(_alone) = past.packing.try_lock() else {
        return Reply::error(503, "another package is being made; ask again").with("Retry-After", "10");
    };
    let made = file.package(collection, id).and_then(|file| {
        let len = file.metadata().map_err(|error| error.to_string())?.len();
        Ok((file, len))
    });
    match made {
        Ok((file, len)) => {
            let name: String =
                id.chars().map(|c| if c.is_ascii_alphanumeric() || ".-".contains(c) { c } else { '_' }).collect();
            let mut reply = Reply::text(200, "application/wacz", "");
            reply.body = ReplyBody::File(file);
            reply
                .with("Content-Length", &len.to_string())
                .with("Content-Disposition", &format!("attachment; filename=\"{name}.wacz\""))
        }
        Err(problem) => Reply::error(500, &problem),
    }
}

fn shown(frame: Frame, info: &CaptureInfo, of: &Certificate) -> CapturePage {
    let listed: Vec<&PageProof> = not_sharp_first(of);
    let pages_shown = match listed.len() > PAGES_SHOWN {
        true => format!("{PAGES_SHOWN} of {}; the JSON has all.", listed.len()),
        false => format!("All {}.", listed.len()),
    };
    CapturePage {
        frame,
        id: info.id.as_str().to_owned(),
        site: info.head.site.clone(),
        kind: kind_word(info.head.kind),
        started: seconds(info.head.started),
        ending: ending(info),
        figures: figures(of),
        dated: dated(of),
        pipes: (of.captured > 0).then(|| organ_pipes(of).draw().svg().to_owned()),
        missing: of.failures.iter().map(|(cause, count)| (cause.clone(), *count)).collect(),
        has_parts: of.composites.pages() > 0,
        pages: listed.into_iter().take(PAGES_SHOWN).map(row).collect(),
        pages_shown,
        fingerprint: of.fingerprint.clone(),
    }
}

pub(super) fn figures(of: &Certificate) -> Vec<Figure> {
    let missing: u64 = of.failures.values().sum();
    let mut figures = vec![
        Figure::new("Pages captured", of.captured.to_string(), format!("{} redirects", of.redirects)),
        Figure::new("Missing", missing.to_string(), ""),
        Figure::new("Visits", of.visits.to_string(), format!("{} of them revisits", of.revisits)),
    ];
    if of.revisits > 0 {
        let expected = format!("{:.1} expected", of.sharp.expected);
        figures.push(Figure::new("Sharp pages", format!("{} of {}", of.sharp.proved, of.captured), expected));
        let expected = format!("{:.2} expected", of.blur.expected);
        figures.push(Figure::new("Blur, in changes", format!("{:.2}", of.blur.realised), expected));
    }
    if of.composites.pages() > 0 {
        let parts = of.composites;
        let note =
            format!("{} possibly not, {} proved not, {} unknown", parts.possible, parts.violations, parts.unknown);
        figures.push(Figure::new(
            "Proved as they looked, with all parts",
            format!("{} of {}", parts.coherent, parts.pages()),
            note,
        ));
    }
    if !of.lost.is_empty() {
        figures.push(Figure::new("Lost on disk", of.lost.len().to_string(), "named in the JSON"));
    }
    figures
}

pub(super) fn dated(of: &Certificate) -> String {
    let query = of.query.map_or("No page answered.".to_owned(), |query| {
        format!("Answers for {} to {}.", seconds(query.from), seconds(query.to))
    });
    match of.dated.filter(|dated| dated.pages > 0 && of.revisits > 0) {
        Some(dated) => {
            format!("{query} {} of {} pages are proved to be as of {}.", dated.pages, dated.of, dated.period.from)
        }
        None => {
            format!("{query} Every page is proved for the moment it was seen; tintype capture --revisit proves more.")
        }
    }
}

/// What needs a look comes first: changed meanwhile, missing, unknown, sharp.
pub(super) fn not_sharp_first(of: &Certificate) -> Vec<&PageProof> {
    let mut pages: Vec<&PageProof> = of.pages.iter().collect();
    pages.sort_by_key(|page| match page.verdict {
        PageVerdict::NotSharp(reason) if reason.is_change() => 0,
        PageVerdict::Missing(_) => 1,
        PageVerdict::NotSharp(_) => 2,
        PageVerdict::Sharp { .. } => 3,
    });
    pages
}

pub(super) fn row(page: &PageProof) -> PageRow {
    let (verdict, class) = match page.verdict {
        PageVerdict::Sharp { period, .. } => {
            (format!("sharp, {} to {}", seconds(period.from), seconds(period.to)), "good")
        }
        PageVerdict::NotSharp(reason) if !reason.is_change() => (reason.to_string(), "soft"),
        PageVerdict::NotSharp(reason) | PageVerdict::Missing(reason) => (reason.to_string(), "warn"),
    };
    PageRow { url: page.url.clone(), verdict, class, first: seconds(page.first), at: page.first.to_timestamp14() }
}
