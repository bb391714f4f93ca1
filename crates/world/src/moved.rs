//! A recorded site at another address: links that name the recorded host lead to the new one.

use crate::{Contents, Document, Unreadable};

/// Documents whose absolute links to one origin lead to another.
pub struct MovedContents {
    contents: Box<dyn Contents + Send>,
    /// What is written for the old origin, whatever the scheme.
    old: Vec<String>,
    new: String,
}

impl MovedContents {
    pub fn new(contents: Box<dyn Contents + Send>, old: &str, new: &str) -> MovedContents {
        let host = old.split_once("://").map_or(old, |(_, host)| host).trim_end_matches('/');
        let old = ["http://", "https://"].map(|scheme| format!("{scheme}{host}")).to_vec();
        MovedContents { contents, old, new: new.trim_end_matches('/').to_owned() }
    }
}

impl std::fmt::Debug for MovedContents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "documents of {} at {}", self.old[0], self.new)
    }
}

impl Contents for MovedContents {
    fn document(&mut self, row: u32) -> Result<Option<Document>, Unreadable> {
        let Some(mut document) = self.contents.document(row)? else { return Ok(None) };
        let is_text = |kind: &str| ["text", "xml", "json"].iter().any(|text| kind.contains(text));
        let is_encoded = document.field("content-encoding").is_some();
        if document.content_type.as_deref().is_some_and(is_text) && !is_encoded {
            document.body = self.moved(&document.body);
        }
        Ok(Some(document))
    }
}

impl MovedContents {
    /// A document of whatever encoding with the new origin in place of the old one, in whatever capitals it is written.
    fn moved(&self, body: &[u8]) -> Vec<u8> {
        let mut moved = Vec::with_capacity(body.len());
        let mut rest = body;
        while let Some(first) = rest.first() {
            match self.old.iter().find(|old| is_origin(rest, old)) {
                Some(old) => {
                    moved.extend_from_slice(self.new.as_bytes());
                    rest = &rest[old.len()..];
                }
                None => {
                    moved.push(*first);
                    rest = &rest[1..];
                }
            }
        }
        moved
    }
}

/// Whether a text begins with an origin, and not with that of another host or port.
fn is_origin(text: &[u8], origin: &str) -> bool {
    let Some((head, after)) = text.split_at_checked(origin.len()) else { return false };
    let goes_on = |next: &u8| next.is_ascii_alphanumeric() || matches!(next, b'.' | b'-' | b':');
    head.eq_ignore_ascii_case(origin.as_bytes()) && !after.first().is_some_and(goes_on)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(&'static [u8]);

    impl Contents for One {
        fn document(&mut self, _: u32) -> Result<Option<Document>, Unreadable> {
            let content_type = Some("text/html".to_owned());
            Ok(Some(Document { status: 200, content_type, body: self.0.into(), ..Document::default() }))
        }
    }

    #[test]
    fn links_to_the_recorded_host_lead_to_the_new_one() {
        let body = b"\xe9 <a href=https://e.com/a>a</a> <a href=http://E.com/b>b</a> <a href=http://f.com/>f</a> <a href=http://e.com.au/>";
        let mut moved = MovedContents::new(Box::new(One(body)), "https://e.com/", "http://127.0.0.1:9");
        let body = moved.document(0).unwrap().unwrap().body;
        let expected = b"\xe9 <a href=http://127.0.0.1:9/a>a</a> <a href=http://127.0.0.1:9/b>b</a> <a href=http://f.com/>f</a> <a href=http://e.com.au/>";
        assert_eq!(body, expected);
    }
}
