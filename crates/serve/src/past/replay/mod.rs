//! Pages of the past on origins of their own: root-relative addresses, routers and storage work there as they did, and
//! nothing there can read the interface or another site.
//!
//! The server changes what leads out of a page ([`rewrite`], [`css`]), a small script changes what scripts make of addresses,
//! and a policy stops the rest: not one request of a replayed page is let out to the live web. That is why there is no
//! service worker: a policy is applied before a worker would see the request, and frames without one would get out.

mod addresses;
mod css;
mod name;
mod rewrite;

use super::{
    Past,
    ask::Ask,
    raw,
    reply::{Reply, ReplyBody},
    web::{joined, missing, nearest},
};
use addresses::{Addresses, Spelling, address};
use askama::Template;
pub(super) use name::ReplayName;
use rewrite::Added;
use tintype_archive::{
    Error,
    holdings::{Memento, MementoBody, OpenedMemento, proof, versions_of},
};
use tintype_observe::{ContentTypeHeader, plain};
use tintype_quality::capture::CompositeVerdict;
use tintype_session::{ComposedPage, composed, shown_part};
use tintype_vocab::{PartialTime, Time};
use url::Url;

/// Larger pages and style sheets are shown as they are.
const REWRITTEN_MAX: usize = 16 << 20;
const SHIM: &str = include_str!("shim.js");

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

/// What a request to a replay origin is about.
struct Shown<'a> {
    ask: &'a Ask,
    name: &'a ReplayName,
    /// Name and port of this server.
    suffix: String,
    at: Time,
}

/// Answers a request that came in under the name of an archived host.
pub(super) fn answer(past: &Past, ask: &Ask, name: &ReplayName) -> Result<Reply, Error> {
    let Ok(at) = PartialTime::parse(&name.timestamp) else { return Ok(Reply::error(400, "this is no time")) };
    let shown = Shown { ask, name, suffix: ask.replay_suffix(), at: at.as_asked() };
    if ask.is_worker_script {
        // Only what is installed here may stand between a page and the network: nothing.
        return Ok(Reply::error(403, "workers of the past do not run here"));
    }
    let reply = match ask.path.as_str() {
        "/__tt/banner" => banner(past, &shown)?,
        path if path.starts_with("/__tt/go/") => match Url::parse(&ask.rest("/__tt/go/")) {
            Ok(url) => Reply::redirect(&address(&url, &name.timestamp, &shown.suffix)),
            Err(_) => Reply::error(404, "this is no address"),
        },
        path if path.starts_with("/__tt/f/") => show(past, &shown, &ask.rest("/__tt/f/"), true)?,
        _ => match foreign_base(ask) {
            Some(base) => Reply::redirect(&format!("/__tt/f/{}", joined(&base, &ask.rest("")))),
            None => show(past, &shown, &format!("{}{}", name.origin(), ask.rest("")), false)?,
        },
    };
    Ok(guarded(reply, &shown))
}

/// The address of another host's resource that asks for something by a path alone: it means a path of its own host.
fn foreign_base(ask: &Ask) -> Option<String> {
    let referrer = Url::parse(ask.referrer.as_deref()?).ok()?;
    let (_, url) = referrer.as_str().split_once("/__tt/f/").filter(|(origin, _)| *origin == ask.origin)?;
    (!ask.is_navigation).then(|| url.to_owned())
}

/// Under which nothing but this server is ever asked.
fn guarded(reply: Reply, shown: &Shown<'_>) -> Reply {
    let (suffix, interface) = (&shown.suffix, shown.ask.interface());
    let policy = format!(
        "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; object-src 'none'; base-uri 'none'; \
         frame-src 'self' http://*.{suffix} blob:; form-action 'self' http://*.{suffix} {interface}; \
         frame-ancestors 'self' http://*.{suffix} {interface}; webrtc 'block'"
    );
    reply
        .with("Content-Security-Policy", &policy)
        .with("X-DNS-Prefetch-Control", "off")
        .with("Referrer-Policy", "same-origin")
        .with("Cache-Control", "no-store")
}

/// What is shown at an address: of a page the copy nearest to the time, of its parts the one that was there with it.
fn chosen(
    past: &Past,
    shown: &Shown<'_>,
    url: &str,
) -> Result<Option<(Memento, OpenedMemento, Option<CompositeVerdict>)>, Error> {
    if shown.ask.is_navigation {
        return Ok(nearest(past, url, shown.at)?.map(|(memento, opened)| (memento, opened, None)));
    }
    let part = shown_part(&past.holdings, url, shown.root(past)?)?;
    Ok(part.map(|part| (part.memento, part.opened, Some(part.verdict))))
}

fn show(past: &Past, shown: &Shown<'_>, url: &str, is_foreign: bool) -> Result<Reply, Error> {
    let Some((memento, opened, verdict)) = chosen(past, shown, url)? else { return Ok(missing(url)) };
    let base = Url::parse(&opened.url).or_else(|_| Url::parse(url));
    let Ok(base) = base else { return Ok(missing(url)) };
    let spelling = Spelling::Origins { here: shown.name.clone(), suffix: shown.suffix.clone() };
    let addresses = Addresses { base, spelling };
    let location =
        opened.field("location").map(|to| joined(&opened.url, &to)).filter(|_| (300..400).contains(&opened.status));
    let refresh = opened.field("refresh").and_then(|refresh| rewrite::refresh(&refresh, &addresses));
    let is_document = shown.ask.is_navigation;
    let added = match is_document {
        true => added(shown, &memento),
        false => Added::default(),
    };
    let mut reply = changed(opened, &addresses, &added, is_document, shown.ask);
    if let Some(to) = location {
        let to = match (is_foreign, Url::parse(&to)) {
            (true, _) => format!("/__tt/f/{to}"),
            (false, Ok(to)) => address(&to, &shown.name.timestamp, &shown.suffix),
            (false, Err(_)) => "/".to_owned(),
        };
        reply = reply.with("Location", &to);
    }
    if let Some(refresh) = refresh {
        reply = reply.with("Refresh", &refresh);
    }
    if let Some(verdict) = verdict {
        reply = reply.with("X-Tintype-Coherence", verdict.as_str());
    }
    Ok(reply.with("Memento-Datetime", &memento.time.to_mail_date()))
}

impl Shown<'_> {
    /// When the page was visited that asks for a part of itself: a link on a page leads to another one under the same name, and
    /// that one was visited a little earlier or later.
    fn root(&self, past: &Past) -> Result<Time, Error> {
        let referrer =
            self.ask.referrer.as_deref().and_then(|referrer| referrer.strip_prefix(self.ask.origin.as_str()));
        let Some(path) = referrer.filter(|path| !path.starts_with("/__tt/")) else { return Ok(self.at) };
        let mementos = past.holdings.mementos(&format!("{}{path}", self.name.origin()))?;
        let page = tintype_archive::holdings::nearest(&mementos, self.at);
        // A style sheet asks for parts, too, but it is itself one of the page's.
        let is_style = page.is_some_and(|page| page.line.mime.as_deref() == Some("text/css"));
        Ok(page.filter(|_| !is_style).map_or(self.at, |page| page.time))
    }
}

/// The answer with addresses that lead into the archive, if it is a page or a style sheet.
fn changed(opened: OpenedMemento, to: &Addresses, added: &Added, is_document: bool, ask: &Ask) -> Reply {
    let content_type = opened.field("content-type").unwrap_or_default();
    let kind = ContentTypeHeader::parse(&content_type);
    let (is_html, is_css) =
        (is_document && is_html(&content_type), content_type.to_ascii_lowercase().starts_with("text/css"));
    let fields = opened.fields();
    let kept: Vec<(String, String)> = fields
        .into_iter()
        .filter(|(name, _)| !DROPPED.contains(&name.to_ascii_lowercase().as_str()))
        .map(|(name, value)| (name, String::from_utf8_lossy(&value).into_owned()))
        .collect();
    let body = match &opened.body {
        MementoBody::Whole(body) if (is_html || is_css) && body.len() <= REWRITTEN_MAX => {
            let body = plain(opened.field("content-encoding").as_deref(), body);
            match is_html {
                true => rewrite::rewritten(&body, kind.as_ref().and_then(|kind| kind.charset.as_deref()), to, added),
                false => Some(css::rewritten(&body, &|url| to.resource(url))),
            }
        }
        _ => None,
    };
    match body {
        Some(body) => Reply { status: opened.status, headers: kept, body: ReplyBody::Whole(body) },
        // A page that cannot be changed is not shown where it could act.
        None if is_html => {
            Reply::error(502, "this page is larger than what is rewritten; add id_ to the time to see its bytes")
        }
        None => {
            let raw = raw::reply(opened, ask.range.as_deref(), ask.takes_gzip);
            let sent = |name: &str| {
                ["content-length", "content-range", "accept-ranges", "content-encoding"]
                    .contains(&name.to_ascii_lowercase().as_str())
            };
            let own = raw.headers.into_iter().filter(|(name, _)| sent(name));
            Reply { status: raw.status, headers: kept.into_iter().chain(own).collect(), body: raw.body }
        }
    }
}

fn is_html(content_type: &str) -> bool {
    let lower = content_type.trim().to_ascii_lowercase();
    lower.is_empty() || lower.starts_with("text/html") || lower.starts_with("application/xhtml")
}

/// What is put into a page: the script that keeps scripts here, and the banner on a page that stands alone.
fn added(shown: &Shown<'_>, memento: &Memento) -> Added {
    let told = serde_json::json!({ "past": shown.name.origin(), "suffix": shown.suffix }).to_string();
    let told = told.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let first = format!("<script data-past=\"{told}\">{SHIM}</script>");
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("url", memento.url())
        .append_pair("at", &memento.time.to_timestamp14())
        .finish()
        .replace('&', "&amp;");
    let style =
        "position:fixed;inset:auto 0 0 0;width:100%;height:40px;border:0;z-index:2147483647;color-scheme:normal";
    let last = match shown.ask.is_top {
        true => format!("<iframe title=\"About this copy\" src=\"/__tt/banner?{query}\" style=\"{style}\"></iframe>"),
        false => String::new(),
    };
    Added { first, last }
}

#[derive(Template)]
#[template(path = "banner.html")]
struct Banner {
    date: String,
    url: String,
    calendar: String,
    before: Option<String>,
    after: Option<String>,
    seen: String,
    parts: String,
}

/// Date, what is proved, and the ways to other times. Works without script.
fn banner(past: &Past, shown: &Shown<'_>) -> Result<Reply, Error> {
    let parameters = shown.ask.parameters();
    let get = |name: &str| {
        parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let (url, time) = (get("url"), PartialTime::parse(&get("at")).map_or(shown.at, PartialTime::as_asked));
    let versions = versions_of(past.holdings.mementos(&url)?);
    let interface = shown.ask.interface();
    let Some(number) = versions.iter().position(|version| version.first <= time && time <= version.last) else {
        return Ok(missing(&url));
    };
    let version = &versions[number];
    let to = |version: &tintype_archive::holdings::PageVersion| {
        format!("{interface}/web/{}/{url}", version.first.to_timestamp14())
    };
    let visit = version.visit_near(time);
    let parts = match past.holdings.open(visit)? {
        Some(opened) => parts_text(&composed(&past.holdings, &opened, visit.time)?, visit.time),
        None => String::new(),
    };
    let asked = shown.at;
    let proved = if proof(&versions, number, asked).is_proved() { "proved" } else { "not proved" };
    let page = Banner {
        date: time.to_rfc3339_secs().replace('T', " ").replace('Z', " UTC"),
        seen: format!(
            "seen from {} to {} by {} visits; {proved} for {asked}",
            version.first,
            version.last,
            version.mementos.len()
        ),
        parts,
        calendar: format!("{interface}/web/*/{url}"),
        before: number.checked_sub(1).map(|number| to(&versions[number])),
        after: versions.get(number + 1).map(to),
        url,
    };
    Ok(Reply::text(200, "text/html; charset=utf-8", page.render().unwrap_or_default()))
}

/// How sure it is that what the page shows stood together, and which times it is of.
fn parts_text(composed: &ComposedPage, root: Time) -> String {
    let held = composed.verdicts();
    let count = |verdict| held.count(verdict);
    let proved = count(CompositeVerdict::CoherentByOne) + count(CompositeVerdict::CoherentByBracket);
    let told = [
        (proved, "proved"),
        (count(CompositeVerdict::Possible), "possible"),
        (count(CompositeVerdict::Unknown), "unknown"),
        (count(CompositeVerdict::Violation), "later than the page"),
        (composed.missing.len() as u64, "not held"),
    ];
    let told: Vec<String> =
        told.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}")).collect();
    let (first, last) = composed.span(root);
    match told.is_empty() {
        true => String::new(),
        false => format!("parts: {}; from {first} to {last}", told.join(", ")),
    }
}

/// A page below a path of the interface, without script: for browsers without such names.
pub(super) fn below_path(opened: OpenedMemento, ask: &Ask, memento: &Memento) -> Reply {
    let Ok(base) = Url::parse(&opened.url) else { return missing(&opened.url) };
    let timestamp = memento.time.to_timestamp14();
    let spelling = Spelling::Paths { origin: ask.origin.clone(), timestamp };
    let origin = &ask.origin;
    let policy = format!(
        "sandbox allow-forms allow-popups allow-top-navigation-by-user-activation; default-src 'none'; img-src {origin} data:; \
         style-src {origin} 'unsafe-inline'; font-src {origin} data:; media-src {origin}; frame-src {origin}; form-action {origin}"
    );
    let mut reply = changed(opened, &Addresses { base, spelling }, &Added::default(), true, ask);
    reply.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-security-policy"));
    reply.with("Content-Security-Policy", &policy)
}

/// Where a browser is shown a memento; nothing where such names do not lead here.
pub(super) fn origin_address(ask: &Ask, memento: &Memento) -> Option<String> {
    let suffix = ask.replay_suffix();
    (!suffix.is_empty())
        .then(|| Url::parse(memento.url()).ok())
        .flatten()
        .map(|url| address(&url, &memento.time.to_timestamp14(), &suffix))
}
