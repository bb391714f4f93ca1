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
        if document.content_type.as_deref().is_some_and(is_text)
            && !is_encoded
            && let Ok(text) = std::str::from_utf8(&document.body)
            && self.old.iter().any(|old| text.contains(old))
        {
            let moved = self.old.iter().fold(text.to_owned(), |text, old| text.replace(old, &self.new));
            document.body = moved.into_bytes();
        }
        Ok(Some(document))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(&'static str);

    impl Contents for One {
        fn document(&mut self, _: u32) -> Result<Option<Document>, Unreadable> {
            let content_type = Some("text/html".to_owned());
            Ok(Some(Document { status: 200, content_type, body: self.0.into(), ..Document::default() }))
        }
    }

    #[test]
    fn links_to_the_recorded_host_lead_to_the_new_one() {
        let body = "<a href=https://e.com/a>a</a> <a href=http://e.com/b>b</a> <a href=http://f.com/>f</a>";
        let mut moved = MovedContents::new(Box::new(One(body)), "https://e.com/", "http://127.0.0.1:9");
        let body = moved.document(0).unwrap().unwrap().body;
        let text = String::from_utf8(body).unwrap();
        assert_eq!(
            text,
            "<a href=http://127.0.0.1:9/a>a</a> <a href=http://127.0.0.1:9/b>b</a> <a href=http://f.com/>f</a>"
        );
    }
}
