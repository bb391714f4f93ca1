//! What a request asks for.

use super::{control::FORMS, replay::ReplayName};
use axum::extract::Request;
use http::{HeaderMap, Method};

/// A longer address is refused: no browser and no client sends one.
pub(super) const TARGET_MAX: usize = 64 << 10;
/// Parameters beyond this many are not looked at.
const PARAMETERS_MAX: usize = 64;

/// A request, as far as answers depend on it.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    /// Scheme, name and port of the interface as the asker knows it.
    pub(super) origin: String,
    pub(super) path: String,
    pub(super) query: Option<String>,
    pub(super) accept_datetime: Option<String>,
    pub(super) range: Option<String>,
    /// The content codings the asker takes.
    pub(super) codings: String,
    /// The archived host whose name the request came in under.
    pub(super) replay: Option<ReplayName>,
    /// Name and port below which archived hosts have theirs; empty where there is no such name.
    suffix: String,
    pub(super) referrer: Option<String>,
    /// A browser means to show the answer as a page, and not in a frame.
    pub(super) is_navigation: bool,
    pub(super) is_top: bool,
    /// What a browser means to do with the answer: `script`, `worker`, `image`; empty where it does not say.
    pub(super) destination: String,
    /// A browser means to install the answer between a page and the network.
    pub(super) is_worker_script: bool,
    pub(super) is_post: bool,
    pub(super) sender: Sender,
    /// What was sent of a form of the interface.
    pub(super) form: Vec<(String, String)>,
}

/// Where a browser says a request comes from.
#[derive(Clone, Debug, Default)]
pub(super) struct Sender {
    pub(super) origin: Option<String>,
    pub(super) site: Option<String>,
    pub(super) cookie: Option<String>,
}

/// The names a server goes by.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnNames {
    /// Without the port; if there are none, any.
    pub(super) names: Vec<String>,
    /// Below which archived hosts have theirs.
    pub(super) replay: Option<String>,
}

/// Why a request is not even looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    Method,
    TooLong,
    /// A name this server does not have: somebody may be trying to read it through a browser.
    OtherName,
}

impl Ask {
    pub(super) fn read(request: &Request, own: &OwnNames) -> Result<Ask, Refused> {
        let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
        let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        if target.len() > TARGET_MAX {
            return Err(Refused::TooLong);
        }
        let host = text("host").unwrap_or_default().to_ascii_lowercase();
        let (replay, suffix) = own.place(&host)?;
        // A page of the past may post: it is answered with what is held of that address, and nothing is taken in.
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let is_post = *request.method() == Method::POST;
        if !is_read && !(is_post && (replay.is_some() || target.starts_with(FORMS))) {
            return Err(Refused::Method);
        }
        let (path, query) = match target.split_once('?') {
            Some((path, query)) => (path.to_owned(), Some(query.to_owned())),
            None => (target.to_owned(), None),
        };
        let shown_in = text("sec-fetch-dest");
        Ok(Ask {
            origin: format!("http://{host}"),
            path,
            query,
            accept_datetime: text("accept-datetime"),
            range: text("range"),
            codings: text("accept-encoding").unwrap_or_default(),
            replay,
            suffix,
            referrer: text("referer"),
            is_navigation: is_navigation(request.headers()),
            is_top: shown_in.as_ref().is_none_or(|shown| shown == "document"),
            destination: shown_in.unwrap_or_default(),
            is_worker_script: text("service-worker").is_some(),
            is_post,
            sender: Sender { origin: text("origin"), site: text("sec-fetch-site"), cookie: text("cookie") },
            form: Vec::new(),
        })
    }

    pub(super) fn replay_suffix(&self) -> String {
        self.suffix.clone()
    }

    /// The address of the interface, also for somebody who looks at a page of the past.
    pub(super) fn interface(&self) -> String {
        if self.replay.is_some() { format!("http://{}", self.suffix) } else { self.origin.clone() }
    }

    /// The interface under all names it has on this machine.
    pub(super) fn interfaces(&self) -> String {
        match self.suffix.strip_prefix("localhost") {
            Some(port) => format!("http://{} http://127.0.0.1{port}", self.suffix),
            None => self.interface(),
        }
    }

    /// Path and query from behind a prefix on: where the address of an archived page stands as it is.
    pub(super) fn rest(&self, prefix: &str) -> String {
        let path = self.path.strip_prefix(prefix).unwrap_or_default();
        match &self.query {
            Some(query) => format!("{path}?{query}"),
            None => path.to_owned(),
        }
    }

    /// The parameters of the query, decoded.
    pub(super) fn parameters(&self) -> Vec<(String, String)> {
        pairs(self.query.as_deref().unwrap_or_default().as_bytes())
    }
}

impl OwnNames {
    /// Which archived host a name stands for, if any, and what all such names end with.
    fn place(&self, host: &str) -> Result<(Option<ReplayName>, String), Refused> {
        let (name, port) = (without_port(host), &host[without_port(host).len()..]);
        let Some(replay) = &self.replay else {
            let is_ours = self.names.is_empty() || self.names.iter().any(|own| own == name);
            return if is_ours { Ok((None, String::new())) } else { Err(Refused::OtherName) };
        };
        let suffix = format!("{replay}{port}");
        if let Some(labels) = name.strip_suffix(replay.as_str()).and_then(|labels| labels.strip_suffix('.')) {
            return ReplayName::parse(labels).map(|name| (Some(name), suffix)).ok_or(Refused::OtherName);
        }
        match self.names.is_empty() || name == replay || self.names.iter().any(|own| own == name) {
            true => Ok((None, suffix)),
            false => Err(Refused::OtherName),
        }
    }
}

/// Names and values of a query or a form, decoded.
pub(super) fn pairs(text: &[u8]) -> Vec<(String, String)> {
    url::form_urlencoded::parse(text).into_owned().take(PARAMETERS_MAX).collect()
}

/// Whether a browser means to show the answer as a page.
pub(super) fn is_navigation(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match text("sec-fetch-mode") {
        Some(mode) => mode == "navigate",
        // Browsers say so only to names they trust.
        None => text("accept").is_some_and(|accepted| accepted.starts_with("text/html")),
    }
}

pub(super) fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// An archived address as people type it and as proxies spoil it.
pub(super) fn archived_url(text: &str) -> String {
    let text = text.trim();
    for scheme in ["http", "https"] {
        if let Some(rest) = text.strip_prefix(scheme).and_then(|rest| rest.strip_prefix(":/")) {
            return format!("{scheme}://{}", rest.trim_start_matches('/'));
        }
    }
    // Clients that encode the whole address.
    let lower = text.get(..12).unwrap_or(text).to_ascii_lowercase();
    if lower.starts_with("http%3a") || lower.starts_with("https%3a") {
        let pair = format!("u={}", text.replace('+', "%2B").replace('&', "%26"));
        let decoded = url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, url)| url.into_owned());
        return decoded.unwrap_or_else(|| text.to_owned());
    }
    if text.contains("://") { text.to_owned() } else { format!("http://{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_typed_and_spoiled() {
        for (typed, meant) in [
            ("http://e.com/a", "http://e.com/a"),
            ("http:/e.com/a?b", "http://e.com/a?b"),
            ("https:///e.com", "https://e.com"),
            ("e.com/a", "http://e.com/a"),
            ("https%3A%2F%2Fe.com%2Fa%3Fb%3D1", "https://e.com/a?b=1"),
            ("ftp://e.com/", "ftp://e.com/"),
        ] {
            assert_eq!(archived_url(typed), meant);
        }
        assert_eq!([without_port("[::1]:80"), without_port("a.b"), without_port("a:8080")], ["[::1]", "a.b", "a"]);
    }
}
