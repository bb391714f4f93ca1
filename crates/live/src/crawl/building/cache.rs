//! Answers as a browser is told them, and those at hand that pages of one capture have in common.

use crate::{client::Answer, render::RenderResponse};
use std::{
    collections::{HashMap, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};
use tintype_archive::HeldAnswer;
use tintype_observe::plain;

/// Longer bodies are archived, and fail in the browser: the pipe to it hangs on them.
const BODY_MAX: usize = 32 << 20;
/// What is kept at hand in all, and of one answer.
const KEPT_BYTES: usize = 96 << 20;
const KEPT_BODY: usize = 4 << 20;
/// Answers without a page, such as redirects, that are remembered: the archive has no version to read back.
const KEPT_ODD: usize = 100_000;

/// Answers at hand. What is not here can be read back from the archive, if it was a page.
#[derive(Debug, Default)]
pub(super) struct Answers {
    kept: HashMap<(usize, String), Arc<RenderResponse>>,
    order: VecDeque<(usize, String)>,
    bytes: usize,
    /// Nothing where the browser gets nothing.
    odd: HashMap<(usize, String), Option<Arc<RenderResponse>>>,
}

impl Answers {
    /// What came of a URL in a capture, if that is at hand: perhaps nothing.
    pub(super) fn get(&self, capture: usize, url: &str) -> Option<Option<Arc<RenderResponse>>> {
        let key = (capture, url.to_owned());
        self.kept.get(&key).cloned().map(Some).or_else(|| self.odd.get(&key).cloned())
    }

    pub(super) fn keep(&mut self, capture: usize, url: &str, response: Option<Arc<RenderResponse>>, is_page: bool) {
        let key = (capture, url.to_owned());
        match response {
            Some(response) if is_page => {
                if response.body.len() > KEPT_BODY || self.kept.contains_key(&key) {
                    return;
                }
                self.bytes += response.body.len();
                self.kept.insert(key.clone(), response);
                self.order.push_back(key);
                while self.bytes > KEPT_BYTES
                    && let Some(oldest) = self.order.pop_front()
                {
                    let gone = self.kept.remove(&oldest);
                    self.bytes -= gone.map_or(0, |gone| gone.body.len());
                }
            }
            odd if self.odd.len() < KEPT_ODD => drop(self.odd.insert(key, odd)),
            _ => {}
        }
    }

    pub(super) fn forget(&mut self, capture: usize) {
        self.odd.retain(|(of, _), _| *of != capture);
        self.order.retain(|(of, _)| *of != capture);
        self.kept.retain(|(of, _), _| *of != capture);
        self.bytes = self.kept.values().map(|kept| kept.body.len()).sum();
    }
}

/// An answer without its codings; nothing where there was none, or one too long for a browser.
pub(super) fn response(answer: &mut Answer) -> Option<Arc<RenderResponse>> {
    let exchange = answer.exchange.as_mut()?;
    if exchange.body.len() > BODY_MAX as u64 {
        return None;
    }
    let body = exchange.body.prefix(BODY_MAX).ok()?;
    of_parts(&exchange.response_head, body)
}

/// The same of one that is held.
pub(super) fn held_response(held: HeldAnswer) -> Option<Arc<RenderResponse>> {
    if held.body.len() > BODY_MAX {
        return None;
    }
    of_parts(&held.head, held.body)
}

fn of_parts(head: &[u8], body: Vec<u8>) -> Option<Arc<RenderResponse>> {
    let status = status(head)?;
    // A browser that asked for a page must not be told that it has it.
    if status == 304 {
        return None;
    }
    let headers = fields(head);
    let coding = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-encoding"));
    let body = plain(coding.map(|(_, coding)| coding.as_str()), &body).into_owned();
    (body.len() <= BODY_MAX).then(|| Arc::new(RenderResponse { status, headers, body }))
}

/// Pictures of so few bytes show nothing: they count visitors.
const PIXEL_BYTES: usize = 100;

/// A hash of what an answer brings, if it brings anything.
pub(super) fn content(response: &RenderResponse) -> Option<u64> {
    let is_picture = response.headers.iter().any(|(name, value)| {
        name.eq_ignore_ascii_case("content-type") && value.to_ascii_lowercase().starts_with("image/")
    });
    let is_empty = response.body.is_empty() || is_picture && response.body.len() <= PIXEL_BYTES;
    if is_empty || !(200..300).contains(&response.status) {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    response.body.hash(&mut hasher);
    Some(hasher.finish())
}

/// Whether a head says that a page follows.
pub(super) fn is_html(head: &[u8]) -> bool {
    let headers = fields(head);
    let said = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    said.is_some_and(|(_, said)| {
        let essence = said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        matches!(essence.as_str(), "text/html" | "application/xhtml+xml")
    })
}

fn status(head: &[u8]) -> Option<u16> {
    let line = String::from_utf8_lossy(head.split(|byte| *byte == b'\n').next()?);
    let status: u16 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    (200..=599).contains(&status).then_some(status)
}

/// Names and values, as far as a browser takes them.
fn fields(head: &[u8]) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in head.split(|byte| *byte == b'\n').skip(1) {
        let line = String::from_utf8_lossy(line);
        let is_folded = line.starts_with([' ', '\t']);
        let text: String = line.trim().chars().filter(|c| !c.is_control()).collect();
        match (is_folded, fields.last_mut(), text.split_once(':')) {
            (true, Some((_, value)), _) => *value = format!("{value} {text}"),
            (false, _, Some((name, value))) => {
                let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
                if !name.is_empty() && name.bytes().all(is_token) {
                    fields.push((name.to_owned(), value.trim().to_owned()));
                }
            }
            _ => {}
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=utf-8\r\nX: a\r\n b\r\nbad name: c\r\nSet-Cookie: d\r\n\r\n";

    #[test]
    fn heads_are_taken_apart() {
        let names: Vec<_> = fields(HEAD);
        let expected = [("Content-Type", "Text/HTML; charset=utf-8"), ("X", "a b"), ("Set-Cookie", "d")];
        assert_eq!(names, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert!(is_html(HEAD) && status(HEAD) == Some(200));
        assert!(of_parts(b"HTTP/1.1 304 Not Modified\r\n\r\n", Vec::new()).is_none());
    }

    #[test]
    fn what_only_counts_visitors_brings_nothing() {
        let of = |status, kind: &str, len| {
            let headers = vec![("content-type".to_owned(), kind.to_owned())];
            content(&RenderResponse { status, headers, body: vec![7; len] })
        };
        assert_eq!((of(204, "text/plain", 0), of(404, "text/html", 500), of(200, "image/gif", 43)), (None, None, None));
        assert!(of(200, "image/gif", 430).is_some() && of(200, "application/json", 2).is_some());
    }

    #[test]
    fn the_oldest_answers_make_room() {
        let mut answers = Answers::default();
        let body = |len: usize| Some(Arc::new(RenderResponse { status: 200, headers: Vec::new(), body: vec![0; len] }));
        let count = KEPT_BYTES / KEPT_BODY + 3;
        (0..count).for_each(|n| answers.keep(0, &format!("http://e.com/{n}"), body(KEPT_BODY), true));
        assert!(answers.bytes <= KEPT_BYTES);
        assert!(answers.get(0, "http://e.com/0").is_none());
        assert!(answers.get(0, &format!("http://e.com/{}", count - 1)).is_some());
        answers.keep(0, "http://e.com/gone", None, false);
        assert_eq!(answers.get(0, "http://e.com/gone"), Some(None));
        answers.forget(0);
        assert!(answers.bytes == 0 && answers.get(0, "http://e.com/gone").is_none());
    }
}
