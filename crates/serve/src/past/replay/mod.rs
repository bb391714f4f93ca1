//! Pages of the past on origins of their own: root-relative addresses, routers and storage work there as they did, and
//! nothing there can read the interface or another site.
//!
//! The server changes what leads out of a page ([`rewrite`], [`css`]), a small script changes what scripts make of addresses,
//! and a policy stops the rest: not one request of a replayed page is let out to the live web. That is why there is no
//! service worker: a policy is applied before a worker would see the request, and frames without one would get out.

mod addresses;
mod banner;
mod body;
mod css;
mod name;
mod rewrite;
mod script;

use super::{
    Past,
    ask::Ask,
    choice::{self, Chosen},
    reply::Reply,
    web::{joined, missing},
};
use addresses::{Addresses, Spelling, address};
pub(super) use name::ReplayName;
use rewrite::Added;
use tintype_archive::{
    Error,
    holdings::{Memento, OpenedMemento},
};
use tintype_vocab::{PartialTime, Time};
use url::Url;

/// Scripts that keep what scripts make of addresses in the archive: on pages, and in workers.
const SHIM: &str = include_str!("shim.js");
const WORKER_SHIM: &str = include_str!("worker.js");

/// Whether something is shown as a page or as a part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Document,
    Part,
}

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
        "/__tt/banner" => banner::banner(past, &shown)?,
        "/__tt/worker.js" => Reply::text(200, "text/javascript", worker_shim(&shown)),
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
    let (suffix, interface) = (&shown.suffix, shown.ask.interfaces());
    let policy = format!(
        "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; object-src 'none'; base-uri 'self'; \
         frame-src 'self' http://*.{suffix} blob:; form-action 'self' http://*.{suffix} {interface}; \
         frame-ancestors 'self' http://*.{suffix} {interface}; webrtc 'block'"
    );
    reply
        .with("Content-Security-Policy", &policy)
        .with("X-DNS-Prefetch-Control", "off")
        .with("Referrer-Policy", "same-origin")
        .with("Cache-Control", "no-store")
}

fn show(past: &Past, shown: &Shown<'_>, url: &str, is_foreign: bool) -> Result<Reply, Error> {
    let chosen = match shown.ask.is_navigation {
        true => choice::page(past, url, shown.at)?,
        false => choice::part(past, url, shown.root(past)?)?,
    };
    let Chosen { memento, opened, verdict } = match chosen {
        Ok(chosen) => *chosen,
        Err(none) => return Ok(none),
    };
    let base = Url::parse(&opened.url).or_else(|_| Url::parse(url));
    let Ok(base) = base else { return Ok(missing(url)) };
    let spelling = Spelling::Origins { here: shown.name.clone(), suffix: shown.suffix.clone() };
    let addresses = Addresses { base, spelling };
    let location =
        opened.field("location").map(|to| joined(&opened.url, &to)).filter(|_| (300..400).contains(&opened.status));
    let refresh = opened.field("refresh").and_then(|refresh| rewrite::refresh(&refresh, &addresses));
    let kind = if shown.ask.is_navigation { Kind::Document } else { Kind::Part };
    let added = match kind {
        Kind::Document => added(shown, &memento),
        Kind::Part => Added { worker: worker_shim(shown), ..Added::default() },
    };
    let mut reply = body::changed(opened, &addresses, &added, kind, shown.ask);
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
    /// When the page was visited that asks for a part of itself.
    fn root(&self, past: &Past) -> Result<Time, Error> {
        let referrer =
            self.ask.referrer.as_deref().and_then(|referrer| referrer.strip_prefix(self.ask.origin.as_str()));
        let page = referrer.filter(|path| !path.starts_with("/__tt/"));
        choice::root(past, page.map(|path| format!("{}{path}", self.name.origin())).as_deref(), self.at)
    }
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
    Added { first, last, worker: String::new() }
}

/// What stands before the script of a worker.
fn worker_shim(shown: &Shown<'_>) -> String {
    let told = serde_json::json!({ "past": shown.name.origin(), "suffix": shown.suffix });
    format!("{}({told});\n", WORKER_SHIM.trim_end())
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
    let mut reply = body::changed(opened, &Addresses { base, spelling }, &Added::default(), Kind::Document, ask);
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
