//! What a site answered: the bytes behind the events of a history, one document at a time.

use std::io;
use tintype_observe::Described;
use tintype_warc::{Record, chunked::Dechunker, digest::is_chunked, http::Head};

/// No document holds more of a body than this; what is longer is cut and says so.
pub const BODY_BYTES_MAX: usize = 64 << 20;

/// Header fields that speak of one transfer, or that a document has a place of its own for.
const NOT_KEPT: [&str; 7] =
    ["content-type", "content-length", "transfer-encoding", "connection", "keep-alive", "trailer", "date"];

/// What the site answers for a page from one event to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    pub status: u16,
    pub content_type: Option<String>,
    /// Last-Modified, ETag, Content-Encoding and the like, as the server wrote them; nothing about the transfer itself.
    pub headers: Vec<(String, String)>,
    /// Transfer-decoded, still content-encoded.
    pub body: Vec<u8>,
    /// The site's body was longer than the one kept.
    pub truncated: bool,
}

/// Whoever knows what the site answered from each event on.
pub trait Contents {
    /// The answer from the event in that row of the history on; `None` if only the event is known and not its bytes.
    fn document(&mut self, row: u32) -> Result<Option<Document>, Unreadable>;
}

/// A document that should be there and cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    #[error("cannot read the document of event {row}: {source}")]
    Io { row: u32, source: io::Error },
    #[error("the record of event {row} is damaged")]
    Damaged { row: u32 },
    #[error("cannot read the document of event {row}: {source}")]
    Archive { row: u32, source: tintype_archive::Error },
}

impl Document {
    /// The answer for a page that is not there.
    pub fn gone() -> Document {
        Document { status: 404, ..Document::default() }
    }

    /// The answer for a page that is elsewhere.
    pub(crate) fn moved(to: String) -> Document {
        Document { status: 301, headers: vec![("Location".to_owned(), to)], ..Document::default() }
    }

    /// The value of a header field, if there is one of that name.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// What the head says of the body, for those who look into it.
    pub(crate) fn described<'a>(&'a self, url: &'a str) -> Described<'a> {
        Described {
            url,
            content_type: self.content_type.as_deref(),
            content_encoding: self.field("content-encoding"),
            ..Described::default()
        }
    }

    /// The HTTP message in a record; `None` if there is none, or less of it than was written.
    pub(crate) fn of_record(record: &mut Record<'_>) -> io::Result<Option<Document>> {
        let Some(head) = Head::parse(record.block()) else { return Ok(None) };
        let Some(status) = head.status() else { return Ok(None) };
        let mut document = Document {
            status,
            content_type: head.get("content-type").map(|value| value.into_owned()),
            headers: kept_fields(&head),
            body: Vec::new(),
            truncated: record.header.truncated().is_some(),
        };
        let (head_bytes, dechunker) = (head.len, is_chunked(&head).then(Dechunker::new));
        Ok(document.take_body(record, head_bytes, dechunker)?.then_some(document))
    }

    /// Fills the body. Returns whether the record was whole.
    fn take_body(
        &mut self,
        record: &mut Record<'_>,
        mut head_bytes: usize,
        mut dechunker: Option<Dechunker>,
    ) -> io::Result<bool> {
        let mut keep = |bytes: &[u8]| {
            let room = (BODY_BYTES_MAX - self.body.len()).min(bytes.len());
            self.body.extend_from_slice(&bytes[..room]);
            self.truncated |= room < bytes.len();
        };
        let place = record.pour(&mut |piece| {
            let piece = &piece[head_bytes.min(piece.len())..];
            // The head lies in the first piece as a whole.
            head_bytes = 0;
            match &mut dechunker {
                Some(dechunker) => dechunker.feed(piece, &mut keep),
                None => keep(piece),
            }
        })?;
        Ok(place.is_some())
    }
}

fn kept_fields(head: &Head<'_>) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let fields = head.fields().map(|(name, value)| (text(name), text(value)));
    fields.filter(|(name, _)| !NOT_KEPT.iter().any(|other| name.eq_ignore_ascii_case(other))).collect()
}
