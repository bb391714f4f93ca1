//! Answers, before they are sent.

use super::{Past, ask::Refused, live};
use axum::body::Body;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response, StatusCode, header};
use std::{fs::File, io::Read, sync::Arc};
use tintype_archive::holdings::MementoBody;
use tokio::sync::mpsc;

/// Pieces of a large body that wait for a slow reader.
const WAITING_PIECES: usize = 8;
const FILE_PIECE: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: ReplyBody,
}

#[derive(Debug)]
pub(super) enum ReplyBody {
    Whole(Vec<u8>),
    /// Read from its record while it is sent: so many bytes from there on.
    Large {
        body: MementoBody,
        skip: u64,
        len: Option<u64>,
    },
    /// A file that is read while it is sent.
    File(File),
    /// Told as it happens, until the reader or the server goes.
    Events(live::LiveFeed),
}

impl Reply {
    pub(super) fn text(status: u16, content_type: &str, text: impl Into<String>) -> Reply {
        let headers = vec![("Content-Type".to_owned(), content_type.to_owned())];
        Reply { status, headers, body: ReplyBody::Whole(text.into().into_bytes()) }
    }

    pub(super) fn json(status: u16, value: &serde_json::Value) -> Reply {
        Reply::text(status, "application/json", format!("{value}\n"))
    }

    /// A page of the interface: nothing from elsewhere, and no script but our own file.
    pub(super) fn page(status: u16, html: String) -> Reply {
        Reply::page_with_frames(status, html, "'none'")
    }

    /// The same with frames from these places.
    pub(super) fn page_with_frames(status: u16, html: String, frames: &str) -> Reply {
        let policy = format!(
            "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
             frame-src {frames}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        );
        Reply::text(status, "text/html; charset=utf-8", html)
            .with("Content-Security-Policy", &policy)
            .with("Referrer-Policy", "same-origin")
            .with("Cache-Control", "no-store")
    }

    pub(super) fn error(status: u16, problem: &str) -> Reply {
        Reply::text(status, "text/plain; charset=utf-8", format!("{problem}\n"))
    }

    pub(super) fn redirect(to: &str) -> Reply {
        Reply::text(302, "text/plain; charset=utf-8", "").with("Location", to)
    }

    /// After a form was taken: shows something by GET.
    pub(super) fn see_other(to: &str) -> Reply {
        Reply::text(303, "text/plain; charset=utf-8", "").with("Location", to).with("Cache-Control", "no-store")
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> Reply {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// What HTTP cannot carry of it is left out, because there are servers that send anything.
    pub(super) fn send(self, past: &Arc<Past>) -> Response<Body> {
        let body = match self.body {
            ReplyBody::Whole(bytes) => Body::from(bytes),
            ReplyBody::Large { body, skip, len } => poured(past, body, skip, len),
            ReplyBody::File(file) => read_out(file),
            ReplyBody::Events(feed) => feed.body(past),
        };
        let mut response = Response::new(body);
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_GATEWAY);
        for (name, value) in self.headers {
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_bytes(value.as_bytes())) {
                response.headers_mut().append(name, value);
            }
        }
        let nosniff = HeaderValue::from_static("nosniff");
        response.headers_mut().entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(nosniff);
        response
    }
}

pub(super) fn refused(why: Refused) -> Response<Body> {
    let (status, problem) = match why {
        Refused::Method => (StatusCode::METHOD_NOT_ALLOWED, "there is nothing to send here: GET and HEAD\n"),
        Refused::TooLong => {
            (StatusCode::URI_TOO_LONG, "no page that was ever captured has an address as long as this\n")
        }
        Refused::OtherName => (
            StatusCode::MISDIRECTED_REQUEST,
            "this server is for this machine: open it as http://localhost or http://127.0.0.1 with its port\n",
        ),
    };
    let mut response = Response::new(Body::from(problem));
    *response.status_mut() = status;
    response
}

/// A file, piece by piece.
fn read_out(mut file: File) -> Body {
    let (sender, mut receiver) = mpsc::channel::<Result<Bytes, std::io::Error>>(WAITING_PIECES);
    tokio::task::spawn_blocking(move || {
        let mut piece = vec![0; FILE_PIECE];
        loop {
            let sent = match file.read(&mut piece) {
                Ok(0) => return,
                Ok(len) => sender.blocking_send(Ok(Bytes::copy_from_slice(&piece[..len]))),
                Err(error) => sender.blocking_send(Err(error)),
            };
            if sent.is_err() {
                return;
            }
        }
    });
    Body::from_stream(futures_util::stream::poll_fn(move |context| receiver.poll_recv(context)))
}

/// A body that is read while it is sent.
fn poured(past: &Arc<Past>, body: MementoBody, mut skip: u64, len: Option<u64>) -> Body {
    let (sender, mut receiver) = mpsc::channel::<Result<Bytes, std::io::Error>>(WAITING_PIECES);
    let past = past.clone();
    tokio::task::spawn_blocking(move || {
        let (mut left, mut is_gone) = (len.unwrap_or(u64::MAX), false);
        let poured = past.holdings.pour(&body, &mut |piece| {
            let passed = skip.min(piece.len() as u64);
            skip -= passed;
            let piece = &piece[passed as usize..];
            let piece = &piece[..piece.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
            left -= piece.len() as u64;
            if !is_gone && !piece.is_empty() {
                is_gone = sender.blocking_send(Ok(Bytes::copy_from_slice(piece))).is_err();
            }
        });
        if let Err(error) = poured {
            // Whoever reads must not take half a body for a whole one.
            let _ = sender.blocking_send(Err(std::io::Error::other(error)));
        }
    });
    Body::from_stream(futures_util::stream::poll_fn(move |context| receiver.poll_recv(context)))
}
