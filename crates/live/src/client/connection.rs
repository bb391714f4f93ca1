//! One open connection, HTTP/1.1 or HTTP/2, asked one thing at a time.
//!
//! No task belongs to it: whoever waits for an answer also moves the connection along. A fetch that is dropped takes its
//! connection with it, and an idle connection costs nothing until it is looked at again.

use super::{
    connect::{Connected, Facts},
    fetch_error::FetchError,
    record::{Recorder, Recording},
};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Empty;
use hyper::{
    body::Incoming,
    client::conn::{http1, http2},
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::{Context, Poll},
};
use tintype_vocab::Failure;

pub(super) type NoBody = Empty<Bytes>;
type Io = TokioIo<Recorder>;

/// More header lines than this are left to the salvage parser.
const HEADERS_MAX: usize = 512;

/// How far a read may run past the head into the body before the recording is stopped.
const READ_AHEAD_MAX: usize = 512 << 10;

pub(super) struct Connection {
    wire: Wire,
    pub(super) recording: Recording,
    pub(super) facts: Facts,
    /// Has carried an exchange before: the server may have hung up since.
    pub(super) used: bool,
    ended: Option<hyper::Result<()>>,
}

enum Wire {
    Http1(http1::SendRequest<NoBody>, Box<http1::Connection<Io, NoBody>>),
    Http2(http2::SendRequest<NoBody>, Box<http2::Connection<Io, NoBody, TokioExecutor>>),
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("facts", &self.facts).field("used", &self.used).finish_non_exhaustive()
    }
}

impl Connection {
    pub(super) async fn open(connected: Connected, head_bytes_max: usize) -> Result<Connection, FetchError> {
        let recording = Recording::default();
        let recorder = Recorder::new(connected.transport, recording.clone(), head_bytes_max + READ_AHEAD_MAX);
        let io = TokioIo::new(recorder);
        let http2 = connected.facts.handshake.as_ref().is_some_and(|handshake| handshake.http2);
        let wire = if http2 { shake_http2(io, head_bytes_max).await } else { shake_http1(io, head_bytes_max).await };
        let wire =
            wire.map_err(|error| FetchError::new(Failure::Disconnected, super::fetch_error::in_words(&error)))?;
        Ok(Connection { wire, recording, facts: connected.facts, used: false, ended: None })
    }

    pub(super) fn is_http2(&self) -> bool {
        matches!(self.wire, Wire::Http2(..))
    }

    /// Sends a request and waits for the head of the answer.
    pub(super) async fn send(&mut self, request: Request<NoBody>) -> hyper::Result<Response<Incoming>> {
        self.used = true;
        match &mut self.wire {
            Wire::Http1(sender, _) => {
                let answer = sender.send_request(request);
                self.drive(answer).await
            }
            Wire::Http2(sender, _) => {
                let answer = sender.send_request(request);
                self.drive(answer).await
            }
        }
    }

    /// Waits for `work` while moving the connection along.
    pub(super) async fn drive<F: Future>(&mut self, work: F) -> F::Output {
        let mut work = pin!(work);
        poll_fn(|cx| {
            if let Poll::Ready(output) = work.as_mut().poll(cx) {
                return Poll::Ready(output);
            }
            self.advance(cx);
            work.as_mut().poll(cx)
        })
        .await
    }

    /// Whether another request can be sent. Looks at the socket once, so bytes nobody asked for and a server that hung
    /// up are noticed.
    pub(super) async fn is_reusable(&mut self) -> bool {
        poll_fn(|cx| {
            self.advance(cx);
            Poll::Ready(())
        })
        .await;
        self.ended.is_none()
            && match &self.wire {
                Wire::Http1(sender, _) => sender.is_ready(),
                Wire::Http2(sender, _) => sender.is_ready(),
            }
    }

    /// Whether the connection ended because the server broke the rules, rather than by agreement.
    pub(super) fn ended_badly(&self) -> bool {
        matches!(self.ended, Some(Err(_)))
    }

    /// The stream beneath, for reading on where hyper gave up.
    pub(super) fn into_stream(self) -> Option<Recorder> {
        match self.wire {
            Wire::Http1(_, connection) => Some(connection.into_parts().io.into_inner()),
            Wire::Http2(..) => None,
        }
    }

    fn advance(&mut self, cx: &mut Context<'_>) {
        if self.ended.is_some() {
            return;
        }
        let progress = match &mut self.wire {
            Wire::Http1(_, connection) => connection.poll_without_shutdown(cx),
            Wire::Http2(_, connection) => Pin::new(connection.as_mut()).poll(cx),
        };
        if let Poll::Ready(result) = progress {
            self.ended = Some(result);
        }
    }
}

async fn shake_http1(io: Io, head_bytes_max: usize) -> hyper::Result<Wire> {
    let (sender, connection) = http1::Builder::new()
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .ignore_invalid_headers_in_responses(true)
        .http09_responses(false)
        .title_case_headers(true)
        .max_headers(HEADERS_MAX)
        .max_buf_size(head_bytes_max.max(8192))
        .handshake(io)
        .await?;
    Ok(Wire::Http1(sender, Box::new(connection)))
}

async fn shake_http2(io: Io, head_bytes_max: usize) -> hyper::Result<Wire> {
    let (sender, connection) = http2::Builder::new(TokioExecutor::new())
        .max_header_list_size(u32::try_from(head_bytes_max).unwrap_or(u32::MAX))
        .initial_stream_window_size(1 << 20)
        .initial_connection_window_size(1 << 20)
        .handshake(io)
        .await?;
    Ok(Wire::Http2(sender, Box::new(connection)))
}
