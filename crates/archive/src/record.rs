//! A visit as WARC records: response (or duplicate) first, then the request, both or a note of why there is neither.

use crate::{
    Error, Exchange, Retention,
    log::{CaptureHead, Original, Place},
    retention,
    segment::Segment,
    tag,
};
use sha1::{Digest as _, Sha1};
use std::{
    borrow::Cow,
    hash::{BuildHasher, RandomState},
    io::{self, Read},
};
use tintype_vocab::{Digest, Outcome, Time, Validators, Visit};
use tintype_warc::{Composer, Encoder, Failed, Header, RecordId, ResponseHead, digest::sha1_of};

/// The field of a segment's first record that repeats the head of its capture's log.
pub(crate) const HEAD_FIELD: &str = "tintype-capture";

/// The field that says which number the capture has in this segment; 0 is left out.
pub(crate) const NUMBER_FIELD: &str = "tintype-number";

/// Writes records into a segment.
#[derive(Debug)]
pub(crate) struct Recorder {
    composer: Composer,
    encoder: Encoder,
    ids: Ids,
}

/// What of an answer goes into its first record.
#[derive(Debug)]
pub(crate) enum Form<'a> {
    Response {
        payload: Digest,
    },
    Identical {
        original: &'a Original,
        payload: Digest,
    },
    /// Validators are not given where they came with the original.
    NotModified {
        original: &'a Original,
        payload: Digest,
        validators: Option<&'a Validators>,
    },
}

/// What the records of a visit say besides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks<'a> {
    /// A sentence about a failure.
    pub(crate) note: Option<&'a str>,
    /// For the last record.
    pub(crate) tag: &'a str,
    pub(crate) retention: Retention,
}

/// An exchange with what its records have in common already worked out.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The response head as it will be stored.
    pub(crate) head: Vec<u8>,
    pub(crate) exchange: Exchange,
    address: Option<String>,
}

impl Answer {
    /// Nothing if there was no response.
    pub(crate) fn of(exchange: Exchange) -> Option<Answer> {
        if exchange.response_head.is_empty() {
            return None;
        }
        let head = match tintype_warc::http::without_transfer_encoding(&exchange.response_head) {
            Cow::Borrowed(_) => exchange.response_head.clone(),
            Cow::Owned(head) => head,
        };
        let address = exchange.peer.map(|peer| peer.to_string());
        Some(Answer { head, exchange, address })
    }

    /// The digest of the payload.
    pub(crate) fn payload(&mut self) -> io::Result<Digest> {
        match self.exchange.body.as_bytes() {
            Some(body) => Ok(tintype_warc::digest::sha1(body)),
            None => sha1_stream(&[], &mut self.exchange.body.reader()?),
        }
    }

    /// Bytes that crossed the wire.
    pub(crate) fn bytes(&self) -> u64 {
        self.exchange.response_head.len() as u64 + self.exchange.body.len()
    }
}

impl Recorder {
    pub(crate) fn new() -> Recorder {
        Recorder { composer: Composer::new(), encoder: Encoder::default(), ids: Ids::default() }
    }

    /// The record before the first visit of a capture in a segment.
    pub(crate) fn warcinfo(
        &mut self,
        segment: &mut Segment,
        date: Time,
        host: &str,
        capture: (&str, u32),
        head: &CaptureHead,
    ) {
        let plan = serde_json::to_string(head).expect("a head is plain data");
        let given = head.describe.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let own = [
            ("format", "WARC File Format 1.1"),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
            ("hostname", host),
            ("isPartOf", capture.0),
            (HEAD_FIELD, &plan),
        ];
        let number = (capture.1 > 0).then(|| capture.1.to_string());
        let number = number.as_deref().map(|number| (NUMBER_FIELD, number));
        let fields: Vec<_> = given.chain(own).chain(number).collect();
        let name = segment.name().to_owned();
        let (header, block) = self.composer.warcinfo(self.ids.next(), date, &name, &fields);
        gather(&mut self.encoder, segment, header, &[&block]);
    }

    /// What a tool of ours made of a page.
    pub(crate) fn resource(&mut self, segment: &mut Segment, uri: &str, date: Time, media_type: &str, bytes: &[u8]) {
        let header = self.composer.resource(self.ids.next(), uri, date, media_type, bytes);
        gather(&mut self.encoder, segment, header, &[bytes]);
    }

    /// All records of one visit. Returns the place of the first, which is the one that index and log name.
    pub(crate) fn visit(
        &mut self,
        segment: &mut Segment,
        visit: &Visit,
        answer: Option<(&mut Answer, Form<'_>)>,
        marks: &Marks<'_>,
    ) -> Result<Place, Error> {
        let Some((answer, form)) = answer else {
            return Ok(self.failure(segment, visit, marks));
        };
        let id = self.ids.next();
        let unindexed = (retention::FIELD.0, (!marks.retention.is_indexed()).then_some(retention::FIELD.1));
        // What a server says is as it was is told by the question and the answer alike: one record says both.
        if answer.exchange.request_head.is_empty() || matches!(form, Form::NotModified { .. }) {
            return self.first(segment, visit, answer, &form, id, [unindexed, (tag::FIELD, Some(marks.tag))]);
        }
        let place = self.first(segment, visit, answer, &form, id, [unindexed, (tag::FIELD, None)])?;
        match visit.outcome {
            Outcome::Failed { cause } if !matches!(cause, tintype_vocab::Failure::Server(_)) => {
                self.request(segment, visit, answer, id, None);
                self.failure(segment, visit, marks);
            }
            _ => self.request(segment, visit, answer, id, Some(marks.tag)),
        }
        Ok(place)
    }

    /// The response or duplicate record; tagged if it will be the only one, because the request is not known.
    fn first(
        &mut self,
        segment: &mut Segment,
        visit: &Visit,
        answer: &mut Answer,
        form: &Form<'_>,
        id: RecordId,
        marks: [(&str, Option<&str>); 2],
    ) -> Result<Place, Error> {
        let Answer { head, exchange, address } = answer;
        let protocols: Vec<&str> = exchange.protocols.iter().map(String::as_str).collect();
        let about = ResponseHead {
            url: &visit.request.url,
            date: visit.asked,
            address: address.as_deref(),
            protocols: &protocols,
            truncated: exchange.truncated.map(tintype_vocab::Truncated::as_str),
        };
        let [index, tag] = marks;
        let extra = [("WARC-Cipher-Suite", exchange.cipher_suite.as_deref()), index, tag];
        match form {
            Form::Response { payload } => {
                let len = head.len() as u64 + exchange.body.len();
                if let Some(body) = exchange.body.as_bytes() {
                    let header = self.composer.response(id, &about, sha1_of(&[head, body]), *payload, len);
                    return Ok(gather(&mut self.encoder, segment, &extended(header, &extra), &[head, body]));
                }
                let digest = sha1_stream(head, &mut *exchange.body.reader().map_err(spooled())?).map_err(spooled())?;
                let header = &extended(self.composer.response(id, &about, digest, *payload, len), &extra);
                let mut block = head.chain(exchange.body.reader().map_err(spooled())?);
                let place = segment.stream(|out| self.encoder.encode_stream(header, &mut block, len, out))?;
                segment.index(header, head, &place);
                Ok(place)
            }
            Form::Identical { original, payload } => {
                let (original, len) = (refer(original, *payload), head.len() as u64);
                let header = self.composer.identical(id, &about, &original, sha1_of(&[head]), len);
                Ok(gather(&mut self.encoder, segment, &extended(header, &extra), &[head]))
            }
            Form::NotModified { original, payload, validators } => {
                let (original, none) = (refer(original, *payload), Validators::default());
                let validators = validators.unwrap_or(&none);
                let header = self.composer.not_modified(id, about.url, about.date, &original, validators);
                Ok(gather(&mut self.encoder, segment, &extended(header, &marks), &[]))
            }
        }
    }

    fn request(
        &mut self,
        segment: &mut Segment,
        visit: &Visit,
        answer: &Answer,
        response: RecordId,
        tag: Option<&str>,
    ) {
        let about = ResponseHead {
            url: &visit.request.url,
            date: visit.asked,
            address: answer.address.as_deref(),
            protocols: &[],
            truncated: None,
        };
        let block = &answer.exchange.request_head;
        let id = self.ids.next();
        let header = self.composer.request(id, &about, response, sha1_of(&[block]), block.len() as u64);
        gather(&mut self.encoder, segment, &extended(header, &[(tag::FIELD, tag)]), &[block]);
    }

    fn failure(&mut self, segment: &mut Segment, visit: &Visit, marks: &Marks<'_>) -> Place {
        let cause = match &visit.outcome {
            Outcome::Failed { cause } => cause.to_string(),
            _ if marks.retention == Retention::DigestOnly => "left out: less important than was asked for".to_owned(),
            other => format!("no response kept ({other:?})"),
        };
        let cause = marks.note.map_or(cause.clone(), |note| format!("{cause}: {note}"));
        let failed = Failed { url: &visit.request.url, date: visit.asked, cause: &cause };
        let (header, block) = self.composer.failed(self.ids.next(), &failed);
        gather(&mut self.encoder, segment, &extended(header, &[(tag::FIELD, Some(marks.tag))]), &[&block])
    }
}

fn gather(encoder: &mut Encoder, segment: &mut Segment, header: &Header, block: &[&[u8]]) -> Place {
    let place = segment.gather(|out| {
        encoder.encode(header, block, out);
    });
    segment.index(header, block.first().copied().unwrap_or_default(), &place);
    place
}

fn refer(original: &Original, payload: Digest) -> tintype_warc::OriginalRecord<'_> {
    tintype_warc::OriginalRecord { url: &original.url, date: original.date, id: None, payload }
}

/// The header with fields the composer does not know, where they are given.
fn extended<'a>(header: &'a Header, fields: &[(&str, Option<&str>)]) -> Cow<'a, Header> {
    if fields.iter().all(|(_, value)| value.is_none()) {
        return Cow::Borrowed(header);
    }
    let mut header = header.clone();
    fields
        .iter()
        .filter_map(|(name, value)| value.map(|value| (name, value)))
        .for_each(|(name, value)| header.push(name, value));
    Cow::Owned(header)
}

fn spooled() -> impl FnOnce(io::Error) -> Error {
    Error::io("read", std::path::Path::new("spooled body"))
}

pub(crate) fn sha1_stream(head: &[u8], body: &mut dyn Read) -> io::Result<Digest> {
    let mut sha1 = Sha1::new();
    sha1.update(head);
    let mut buffer = vec![0; 64 << 10];
    loop {
        match body.read(&mut buffer)? {
            0 => return Ok(Digest(sha1.finalize().into())),
            count => sha1.update(&buffer[..count]),
        }
    }
}

/// Record ids: a keyed hash of a counter, with a key the standard library draws afresh for every process.
#[derive(Debug, Default)]
struct Ids {
    key: RandomState,
    count: u64,
}

impl Ids {
    fn next(&mut self) -> RecordId {
        self.count += 1;
        let half = |side: u64| u128::from(self.key.hash_one((self.count, side)));
        RecordId::new(half(0) << 64 | half(1))
    }
}
