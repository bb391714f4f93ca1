//! The body of an answer, changed as far as it would lead out of the archive.

use super::{
    Kind,
    addresses::Addresses,
    css,
    rewrite::{self, Added},
    script,
};
use crate::past::{
    ask::Ask,
    raw,
    reply::{Reply, ReplyBody},
};
use tintype_archive::holdings::{MementoBody, OpenedMemento};
use tintype_observe::{ContentTypeHeader, plain};

/// Larger pages, scripts and style sheets are shown as they are.
const REWRITTEN_MAX: usize = 16 << 20;

/// Headers of the past that would act on the browser of today, or speak of bytes that are not sent.
const DROPPED: [&str; 37] = [
    "content-security-policy",
    "content-security-policy-report-only",
    "x-frame-options",
    "strict-transport-security",
    "public-key-pins",
    "public-key-pins-report-only",
    "expect-ct",
    "x-webkit-csp",
    "x-content-security-policy",
    "clear-site-data",
    "nel",
    "report-to",
    "reporting-endpoints",
    "alt-svc",
    "link",
    "refresh",
    "location",
    "referrer-policy",
    "permissions-policy",
    "feature-policy",
    "cross-origin-opener-policy",
    "cross-origin-embedder-policy",
    "cross-origin-resource-policy",
    "origin-agent-cluster",
    "service-worker-allowed",
    "speculation-rules",
    "set-cookie",
    "connection",
    "keep-alive",
    "transfer-encoding",
    "trailer",
    "upgrade",
    "content-length",
    "content-encoding",
    "cache-control",
    "expires",
    "proxy-authenticate",
];

/// The answer with addresses that lead into the archive, if it is a page, a style sheet or a script.
pub(super) fn changed(opened: OpenedMemento, to: &Addresses, added: &Added, kind: Kind, ask: &Ask) -> Reply {
    let content_type = opened.field("content-type").unwrap_or_default();
    let form = Form::of(&content_type, kind, &ask.destination);
    let kept: Vec<(String, String)> = opened
        .fields()
        .into_iter()
        .filter(|(name, _)| !DROPPED.contains(&name.to_ascii_lowercase().as_str()))
        .map(|(name, value)| (name, String::from_utf8_lossy(&value).into_owned()))
        .collect();
    let body = match &opened.body {
        MementoBody::Whole(body) if form != Form::Other && body.len() <= REWRITTEN_MAX => {
            let body = plain(opened.field("content-encoding").as_deref(), body);
            form.rewritten(&body, &content_type, to, added)
        }
        _ => None,
    };
    match body {
        Some(body) => Reply { status: opened.status, headers: kept, body: ReplyBody::Whole(body) },
        // A page that cannot be changed is not shown where it could act.
        None if form == Form::Page => {
            Reply::error(502, "this page is larger than what is rewritten; add id_ to the time to see its bytes")
        }
        None => {
            let raw = raw::reply(opened, ask.range.as_deref(), &ask.codings);
            let own = raw.headers.into_iter().filter(|(name, _)| raw::describes_bytes(name));
            Reply { status: raw.status, headers: kept.into_iter().chain(own).collect(), body: raw.body }
        }
    }
}

/// What may have to be changed in a body.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Page,
    Style,
    Script,
    /// A script that runs where no page is.
    Worker,
    Other,
}

impl Form {
    fn of(content_type: &str, kind: Kind, destination: &str) -> Form {
        let lower = content_type.trim().to_ascii_lowercase();
        let is_html = lower.is_empty() || lower.starts_with("text/html") || lower.starts_with("application/xhtml");
        match destination {
            _ if kind == Kind::Document && is_html => Form::Page,
            _ if lower.starts_with("text/css") => Form::Style,
            "worker" | "sharedworker" => Form::Worker,
            "script" => Form::Script,
            _ if lower.contains("javascript") || lower.contains("ecmascript") => Form::Script,
            _ => Form::Other,
        }
    }

    fn rewritten(self, body: &[u8], content_type: &str, to: &Addresses, added: &Added) -> Option<Vec<u8>> {
        let text = || std::str::from_utf8(body).ok();
        match self {
            Form::Page => {
                let kind = ContentTypeHeader::parse(content_type);
                rewrite::rewritten(body, kind.as_ref().and_then(|kind| kind.charset.as_deref()), to, added)
            }
            Form::Style => Some(css::rewritten(body, &|url| to.resource(url))),
            Form::Script => script::rewritten(text()?, to).map(String::into_bytes),
            Form::Worker => {
                let source = text()?;
                let changed = script::rewritten(source, to);
                Some(format!("{}{}", added.worker, changed.as_deref().unwrap_or(source)).into_bytes())
            }
            Form::Other => None,
        }
    }
}
