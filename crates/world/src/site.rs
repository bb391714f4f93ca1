//! A site whose every version is known.

use std::collections::BTreeMap;
use tintype_vocab::Time;

/// What a path answers from some moment on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteAnswer {
    Body { content_type: String, bytes: Vec<u8> },
    Redirect { to: String },
    Gone,
}

/// An answer as HTTP has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteResponse {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// Paths and what they answer when.
#[derive(Clone, Debug)]
pub struct Site {
    origin: String,
    paths: BTreeMap<String, Vec<(Time, SiteAnswer)>>,
}

impl Site {
    /// An empty site at an origin such as `http://127.0.0.1:8080`.
    pub fn new(origin: &str) -> Site {
        Site { origin: origin.trim_end_matches('/').to_owned(), paths: BTreeMap::new() }
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// From `from` on, `path` answers this. Changes of one path are scripted in order of time.
    pub fn script(&mut self, path: &str, from: Time, answer: SiteAnswer) {
        let versions = self.paths.entry(path.to_owned()).or_default();
        assert!(versions.last().is_none_or(|(last, _)| *last <= from), "changes of {path} are not in order of time");
        versions.push((from, answer));
    }

    /// From `from` on, `path` is this document.
    pub fn publish(&mut self, path: &str, from: Time, content_type: &str, bytes: impl Into<Vec<u8>>) {
        self.script(path, from, SiteAnswer::Body { content_type: content_type.to_owned(), bytes: bytes.into() });
    }

    /// What `path` answers at `now` and since when; `None` if it never existed before.
    pub fn at(&self, path: &str, now: Time) -> Option<(Time, &SiteAnswer)> {
        let versions = self.paths.get(path)?;
        let live = versions.partition_point(|(from, _)| *from <= now);
        versions[..live].last().map(|(from, answer)| (*from, answer))
    }

    /// The HTTP answer to a request at `now`: 304 when the asker's copy is still right.
    pub fn respond(&self, target: &str, if_none_match: Option<&str>, now: Time) -> SiteResponse {
        let plain = |status, headers, body| SiteResponse { status, headers, body };
        match self.at(target, now) {
            None | Some((_, SiteAnswer::Gone)) => plain(404, Vec::new(), b"not here\n".to_vec()),
            Some((_, SiteAnswer::Redirect { to })) => plain(302, vec![("location", to.clone())], Vec::new()),
            Some((since, SiteAnswer::Body { content_type, bytes })) => {
                let etag = format!("\"{}\"", since.as_millis());
                if if_none_match == Some(etag.as_str()) {
                    return plain(304, vec![("etag", etag)], Vec::new());
                }
                plain(200, vec![("content-type", content_type.clone()), ("etag", etag)], bytes.clone())
            }
        }
    }

    /// Every path that was ever scripted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.paths.keys().map(String::as_str)
    }

    /// How many versions of documents were born in `[from, to)`.
    pub fn births(&self, from: Time, to: Time) -> usize {
        let bodies =
            |(at, answer): &&(Time, SiteAnswer)| (from..to).contains(at) && matches!(answer, SiteAnswer::Body { .. });
        self.paths.values().map(|versions| versions.iter().filter(bodies).count()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_sees_the_latest_version_at_or_before_it() {
        let mut site = Site::new("http://a.test/");
        site.publish("/", Time::from_secs(10), "text/plain", "one");
        site.publish("/", Time::from_secs(20), "text/plain", "two");
        site.script("/", Time::from_secs(30), SiteAnswer::Gone);
        let body = |at| match site.at("/", Time::from_secs(at)) {
            Some((_, SiteAnswer::Body { bytes, .. })) => String::from_utf8(bytes.clone()).unwrap(),
            other => format!("{:?}", other.map(|(_, answer)| answer)),
        };
        assert_eq!([body(9), body(10), body(19), body(20)], ["None", "one", "one", "two"]);
        assert_eq!(site.at("/", Time::from_secs(99)), Some((Time::from_secs(30), &SiteAnswer::Gone)));
        assert_eq!(site.births(Time::from_secs(10), Time::from_secs(20)), 1);
    }
}
