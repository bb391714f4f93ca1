//! What a browser asks for, and how it is told the answer.

use super::{RenderResponse, page::without_fragment};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::borrow::Cow;

/// Of a film a browser gets so much at a time: the pipe would choke on all of it.
const PIECE: usize = 256 << 10;

/// Headers of an answer that say how it came over the wire, which is not how the browser gets it.
const OF_THE_WIRE: [&str; 8] = [
    "connection",
    "content-encoding",
    "content-length",
    "content-range",
    "keep-alive",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// What a page may say with a request. Cookies are the capture's, and who asks is us.
const SAID: [&str; 5] = ["accept", "accept-language", "origin", "referer", "x-requested-with"];

/// Ports that browsers ask nothing of: services that are no web servers listen there.
const BAD_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/// A request that waits in the browser.
#[derive(Clone, Debug)]
pub(super) struct Paused {
    pub(super) id: String,
    /// Without fragment.
    pub(super) url: String,
    pub(super) method: String,
    /// What it is for, in the browser's words.
    pub(super) kind: String,
    pub(super) frame: String,
    pub(super) headers: Vec<(String, String)>,
}

impl Paused {
    pub(super) fn of(params: &Value) -> Paused {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let request = &params["request"];
        let headers = request["headers"].as_object().into_iter().flatten();
        Paused {
            id: text(&params["requestId"]),
            url: without_fragment(request["url"].as_str().unwrap_or_default()).to_owned(),
            method: text(&request["method"]),
            kind: text(&params["resourceType"]),
            frame: text(&params["frameId"]),
            headers: headers.map(|(name, value)| (name.to_ascii_lowercase(), text(value))).collect(),
        }
    }

    pub(super) fn is_web(&self) -> bool {
        self.url.starts_with("http://") || self.url.starts_with("https://")
    }

    /// Answers without end, and ports of other services.
    pub(super) fn is_hopeless(&self) -> bool {
        let port = url::Url::parse(&self.url).ok().and_then(|url| url.port());
        let is_endless = self.header("accept").is_some_and(|accepted| accepted.contains("text/event-stream"));
        is_endless
            || matches!(self.kind.as_str(), "EventSource" | "WebSocket")
            || port.is_some_and(|port| BAD_PORTS.contains(&port))
    }

    fn header(&self, wanted: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
    }

    /// What is said to the server: what the page wants said, and what browsers say of the reason.
    pub(super) fn said(&self, page: &str) -> Vec<(String, String)> {
        let is_said = |name: &str| SAID.contains(&name) || name.starts_with("x-");
        let own = self.headers.iter().filter(|(name, _)| is_said(name)).cloned();
        let (to, from) = match self.kind.as_str() {
            "Document" => ("iframe", "navigate"),
            "Fetch" | "XHR" => ("empty", "cors"),
            "Font" => ("font", "cors"),
            "Image" => ("image", "no-cors"),
            "Media" => ("video", "no-cors"),
            "Script" => ("script", "no-cors"),
            "Stylesheet" => ("style", "no-cors"),
            _ => ("empty", "no-cors"),
        };
        let origin = |url: &str| url::Url::parse(url).map(|url| url.origin().ascii_serialization()).ok();
        let site = if origin(page) == origin(&self.url) { "same-origin" } else { "cross-site" };
        let reason = [("sec-fetch-dest", to), ("sec-fetch-mode", from), ("sec-fetch-site", site)];
        own.chain(reason.map(|(name, value)| (name.to_owned(), value.to_owned()))).collect()
    }

    pub(super) fn continued(&self) -> (&'static str, Value) {
        ("Fetch.continueRequest", json!({ "requestId": self.id }))
    }

    pub(super) fn failed(&self, reason: &str) -> (&'static str, Value) {
        ("Fetch.failRequest", json!({ "requestId": self.id, "errorReason": reason }))
    }

    /// What a browser asks before it asks: whether it may. The answer to the question itself tells.
    pub(super) fn permitted(&self) -> (&'static str, Value) {
        let header = |name: &str, value: &str| json!({ "name": name, "value": value });
        let headers = [
            header("access-control-allow-origin", self.header("origin").unwrap_or("*")),
            header("access-control-allow-credentials", "true"),
            header("access-control-allow-methods", self.header("access-control-request-method").unwrap_or("GET")),
            header("access-control-allow-headers", self.header("access-control-request-headers").unwrap_or("*")),
        ];
        ("Fetch.fulfillRequest", json!({ "requestId": self.id, "responseCode": 204, "responseHeaders": headers }))
    }

    /// The answer, or the piece of it that is wanted.
    pub(super) fn fulfilled(&self, response: &RenderResponse) -> (&'static str, Value) {
        let is_passed = |name: &str| !OF_THE_WIRE.contains(&name.to_ascii_lowercase().as_str());
        let header = |name: &str, value: &str| json!({ "name": name, "value": value });
        let passed = response.headers.iter().filter(|(name, _)| is_passed(name));
        let mut headers: Vec<Value> = passed.map(|(name, value)| header(name, value)).collect();
        let (mut status, mut body) = (response.status, Cow::Borrowed(response.body.as_slice()));
        if let Some((from, until)) =
            self.header("range").and_then(|range| piece(range, body.len())).filter(|_| status == 200)
        {
            headers.push(header("content-range", &format!("bytes {from}-{}/{}", until - 1, body.len())));
            headers.push(header("content-length", &(until - from).to_string()));
            (status, body) = (206, Cow::Owned(body[from..until].to_vec()));
        }
        if self.method == "HEAD" {
            body = Cow::Borrowed(&[]);
        }
        let params = json!({
            "requestId": self.id,
            "responseCode": status,
            "responseHeaders": headers,
            "body": BASE64.encode(&body),
        });
        ("Fetch.fulfillRequest", params)
    }
}

/// The first and the last byte but one of a piece of a body, by the header that asks for it.
fn piece(range: &str, len: usize) -> Option<(usize, usize)> {
    let (from, until) = range.trim().strip_prefix("bytes=")?.split(',').next()?.split_once('-')?;
    // Without a beginning it is the last so many bytes.
    let (from, until) = match from {
        "" => (len.checked_sub(until.parse().ok()?)?, len),
        from => (from.parse().ok()?, until.parse::<usize>().map_or(len, |last| last.saturating_add(1))),
    };
    let until = until.min(from.saturating_add(PIECE)).min(len);
    (from < until).then_some((from, until))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(headers: Value) -> Paused {
        let request = json!({ "url": "http://e.com/film.mp4#t=3", "method": "GET", "headers": headers });
        Paused::of(&json!({ "requestId": "1", "request": request, "resourceType": "Media", "frameId": "F" }))
    }

    #[test]
    fn ports_are_in_order() {
        assert!(BAD_PORTS.is_sorted());
    }

    #[test]
    fn films_come_in_pieces() {
        assert_eq!(piece("bytes=0-", 1 << 20), Some((0, PIECE)));
        assert_eq!(piece("bytes=100-199", 1000), Some((100, 200)));
        assert_eq!(piece("bytes=-10", 1000), Some((990, 1000)));
        for odd in ["bytes=1000-", "bytes=5-2", "bytes=x-", "lines=0-", "bytes=-2000"] {
            assert_eq!(piece(odd, 1000), None, "{odd}");
        }
        let response = RenderResponse { status: 200, headers: Vec::new(), body: vec![7; 1 << 20] };
        let (_, told) = asked(json!({ "Range": "bytes=1048000-" })).fulfilled(&response);
        assert_eq!((told["responseCode"].as_u64(), told["body"].as_str().map(str::len)), (Some(206), Some(768)));
        assert_eq!(told["responseHeaders"][0]["value"], "bytes 1048000-1048575/1048576");
    }

    #[test]
    fn what_is_of_the_wire_is_not_told() {
        let headers =
            ["Content-Encoding", "Set-Cookie", "content-length"].map(|name| (name.to_owned(), "x".to_owned()));
        let response = RenderResponse { status: 404, headers: headers.to_vec(), body: Vec::new() };
        let (_, told) = asked(json!({})).fulfilled(&response);
        assert_eq!(told["responseHeaders"], json!([{ "name": "Set-Cookie", "value": "x" }]));
    }

    #[test]
    fn a_page_may_say_what_it_accepts_and_not_who_asks() {
        let asked = asked(json!({ "Accept": "video/*", "User-Agent": "x", "Cookie": "a=b", "X-Api": "1" }));
        assert_eq!(asked.url, "http://e.com/film.mp4");
        let names: Vec<String> = asked.said("http://e.com/").into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["accept", "x-api", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site"]);
    }
}
