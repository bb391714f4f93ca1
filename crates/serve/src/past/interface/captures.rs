//! Every capture, the latest first.

use super::{CaptureRow, Past, Reply, rendered};
use crate::past::{ask::Ask, cdx::parameter};
use askama::Template;
use tintype_session::Error;

/// Captures on one page.
const SHOWN: usize = 200;

#[derive(Template)]
#[template(path = "captures.html")]
struct Captures {
    site: String,
    in_all: usize,
    captures: Vec<CaptureRow>,
    /// The address of the page behind this one.
    older: Option<String>,
}

pub(super) fn page(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    let parameters = ask.parameters();
    let site = parameter(&parameters, &["site"]).unwrap_or_default().trim().to_owned();
    let skip: usize = parameter(&parameters, &["skip"]).and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut captures = past.holdings.captures()?;
    captures.retain(|(_, info)| site.is_empty() || info.head.site == site);
    let in_all = captures.len();
    let rows = captures.iter().rev().skip(skip).take(SHOWN).map(|(_, info)| CaptureRow::new(info));
    let encoded: String = url::form_urlencoded::byte_serialize(site.as_bytes()).collect();
    let further = skip.saturating_add(SHOWN);
    let older = (in_all > further).then(|| format!("/captures?site={encoded}&skip={further}"));
    rendered(200, &Captures { captures: rows.collect(), site, in_all, older })
}
