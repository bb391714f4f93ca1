//! Every capture, the latest first.

use super::{CaptureRow, Frame, Past, Reply, catalogue::Catalogue, rendered};
use crate::past::{ask::Ask, cdx::parameter, prepared::NotReady};
use askama::Template;
use std::sync::Arc;
use tintype_archive::CaptureInfo;

/// Captures on one page.
const SHOWN: usize = 200;

#[derive(Template)]
#[template(path = "captures.html")]
struct Captures {
    frame: Frame,
    site: String,
    in_all: usize,
    captures: Vec<CaptureRow>,
    /// The address of the page behind this one.
    older: Option<String>,
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    let parameters = ask.parameters();
    let site = parameter(&parameters, &["site"]).unwrap_or_default().trim().to_owned();
    let skip: usize = parameter(&parameters, &["skip"]).and_then(|text| text.parse().ok()).unwrap_or(0);
    let catalogue = Catalogue::get(past)?;
    let of_site = |info: &&CaptureInfo| site.is_empty() || info.head.site == site;
    let captures: Vec<&CaptureInfo> = catalogue.captures.iter().map(|(_, info)| info).filter(of_site).collect();
    let in_all = captures.len();
    let rows = captures.iter().rev().skip(skip).take(SHOWN).map(|info| CaptureRow::new(info));
    let encoded: String = url::form_urlencoded::byte_serialize(site.as_bytes()).collect();
    let further = skip.saturating_add(SHOWN);
    let older = (in_all > further).then(|| format!("/captures?site={encoded}&skip={further}"));
    rendered(200, &Captures { frame: Frame::new(past, ask), captures: rows.collect(), site, in_all, older })
}
