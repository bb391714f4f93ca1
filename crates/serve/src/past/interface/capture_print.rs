//! A certificate for paper: everything that is proved of a capture, on pages that a browser prints or saves as PDF, signed.

use super::{
    Figure, NotReady, Past, Reply,
    capture::{PageRow, certificate_json, dated, figures, not_sharp_first, row},
    ending, kind_word, rendered, seconds,
};
use crate::organ_pipes;
use askama::Template;
use sha2::{Digest as _, Sha256};
use tintype_archive::{CaptureInfo, SignedData};
use tintype_quality::certificate::Certificate;

/// Pages on paper; the JSON that is signed names all.
const PAGES_MAX: usize = 1000;

#[derive(Template)]
#[template(path = "capture_print.html")]
struct Printed {
    id: String,
    site: String,
    kind: &'static str,
    started: String,
    ending: String,
    printed: String,
    figures: Vec<Figure>,
    dated: String,
    pipes: Option<String>,
    missing: Vec<(String, u64)>,
    pages: Vec<PageRow>,
    left: usize,
    fingerprint: String,
    hash: String,
    signed: Option<SignedData>,
}

pub(super) fn page(past: &Past, info: &CaptureInfo, of: &Certificate) -> Result<Reply, NotReady> {
    // The very bytes that are downloaded.
    let json = format!("{}\n", certificate_json(of));
    let hash = format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(json.as_bytes())));
    let now = (past.clock)();
    let software = concat!("tintype ", env!("CARGO_PKG_VERSION"));
    let listed = not_sharp_first(of);
    let printed = Printed {
        id: info.id.as_str().to_owned(),
        site: info.head.site.clone(),
        kind: kind_word(info.head.kind),
        started: seconds(info.head.started),
        ending: ending(info),
        printed: seconds(now),
        figures: figures(of),
        dated: dated(of),
        pipes: (of.captured > 0).then(|| organ_pipes(of).draw().svg().to_owned()),
        missing: of.failures.iter().map(|(cause, count)| (cause.clone(), *count)).collect(),
        left: listed.len().saturating_sub(PAGES_MAX),
        pages: listed.into_iter().take(PAGES_MAX).map(row).collect(),
        fingerprint: of.fingerprint.clone(),
        signed: past.key.as_ref().map(|key| key.sign(&hash, &now.to_rfc3339_secs(), software)),
        hash,
    };
    rendered(200, &printed)
}
