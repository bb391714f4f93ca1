//! One exchange over one connection, from the request to the last byte of the body.

use super::{
    Ask, ClientSettings,
    body::{End, Sink, collect},
    connect::Facts,
    connection::Connection,
    fetch_error::{FetchError, in_words},
    http2,
    proxy::ProxyKind,
    request::{Form, RequestHeaders},
    salvage::Wreck,
    target::Target,
    watch::Watch,
};
use http::Response;
use hyper::body::Incoming;
use tintype_archive::{Exchange, Spool};
use tintype_vocab::{Failure, Phase, Truncated};

/// A complete head and what came of its body.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) exchange: Exchange,
    pub(super) note: Option<String>,
}

/// Everything an exchange needs but the connection.
pub(super) struct Conversation<'a> {
    pub(super) settings: &'a ClientSettings,
    pub(super) request_headers: &'a RequestHeaders,
    pub(super) target: &'a Target,
    pub(super) ask: &'a Ask,
    pub(super) watch: &'a mut Watch,
}

/// What was said, and the connection if it can be used again.
type Held = (Result<Reply, FetchError>, Option<Connection>);

impl Conversation<'_> {
    /// Nothing if the connection was a kept one and the server had hung up before saying a word.
    pub(super) async fn hold(mut self, mut connection: Connection) -> Option<Held> {
        let form = self.form(&connection);
        let request = match self.request_headers.request(self.target, self.ask, form) {
            Ok(request) => request,
            Err(fetch_error) => return Some((Err(fetch_error), None)),
        };
        let http2_request = connection.is_http2().then(|| http2::request_head(&request, self.target));
        let was_used = connection.used;
        if http2_request.is_none() {
            connection.recording.begin();
        }
        self.watch.phase(self.settings.first_byte_timeout);
        let answer = self.watch.guard(connection.send(request)).await;
        let stale = was_used && !connection.recording.has_received();
        match answer {
            Err(_) => Some((Err(FetchError::timeout(Phase::FirstByte)), None)),
            Ok(Err(_)) if stale => None,
            Ok(Err(error)) => Some((self.after_refusal(connection, &error).await, None)),
            Ok(Ok(response)) => Some(self.after_head(connection, response, http2_request).await),
        }
    }

    fn form(&self, connection: &Connection) -> Form {
        let proxied = self.settings.proxy.as_ref().is_some_and(|proxy| proxy.kind == ProxyKind::Http);
        match (connection.is_http2(), proxied && !self.target.origin.https) {
            (true, _) => Form::Http2,
            (false, true) => Form::Absolute,
            (false, false) => Form::Origin,
        }
    }

    async fn after_head(
        &mut self,
        mut connection: Connection,
        response: Response<Incoming>,
        http2_request: Option<Vec<u8>>,
    ) -> Held {
        let (request_head, response_head) = match http2_request {
            Some(request_head) => (request_head, http2::response_head(&response)),
            None => connection.recording.heads(),
        };
        let request_head = self.request_headers.for_archive(request_head, self.target);
        let mut sink = self.sink();
        self.watch.phase_with_idle(self.settings.body_timeout, self.settings.idle_timeout);
        let end = collect(&mut connection, response.into_body(), &mut sink, self.watch).await;
        let reusable = matches!(end, End::Complete) && connection.is_reusable().await;
        let protocol = protocol_of(&connection, &response_head);
        let mut result = reply(request_head, response_head, sink, end, &connection.facts, protocol);
        if let Ok(reply) = &mut result
            && connection.ended_badly()
            && reply.note.is_none()
        {
            reply.note = Some("the server sent more than it announced".to_owned());
        }
        (result, reusable.then_some(connection))
    }

    /// hyper gave up before it had a head. What came until then may still be an answer.
    async fn after_refusal(&mut self, connection: Connection, error: &hyper::Error) -> Result<Reply, FetchError> {
        let (sent, received) = connection.recording.everything();
        let sent = self.request_headers.for_archive(sent, self.target);
        let facts = connection.facts.clone();
        let stream = match connection.into_stream() {
            Some(stream) if !received.is_empty() => stream,
            _ => return Err(FetchError::new(Failure::Disconnected, in_words(error))),
        };
        let mut sink = self.sink();
        let wreck = Wreck { stream, received, watch: &mut *self.watch, settings: self.settings };
        let salvaged = wreck.salvage(&mut sink).await?;
        let protocol = if salvaged.headless { "http/0.9" } else { spoken(&salvaged.head) };
        let mut reply = reply(sent, salvaged.head, sink, salvaged.end, &facts, protocol)?;
        if salvaged.headless && facts.handshake.is_none() {
            reply.exchange.protocols.push(protocol.to_owned());
        }
        reply.note.get_or_insert_with(|| format!("salvaged: {}", in_words(error)));
        Ok(reply)
    }

    fn sink(&self) -> Sink {
        let limit = self.settings.body_bytes_max.min(self.ask.body_bytes_max.unwrap_or(u64::MAX));
        Sink::new(Spool::new(&self.settings.spool_directory), limit, self.settings)
    }
}

fn protocol_of(connection: &Connection, head: &[u8]) -> &'static str {
    if connection.is_http2() { "h2" } else { spoken(head) }
}

fn spoken(head: &[u8]) -> &'static str {
    if head.starts_with(b"HTTP/1.0") { "http/1.0" } else { "http/1.1" }
}

/// A body cut before its first byte is no answer; cut later, it is one with a mark.
fn reply(
    request_head: Vec<u8>,
    response_head: Vec<u8>,
    sink: Sink,
    end: End,
    facts: &Facts,
    protocol: &str,
) -> Result<Reply, FetchError> {
    let (truncated, note) = match end {
        End::Complete => (None, None),
        End::Truncated(Truncated::Time, note) if sink.spool.is_empty() => {
            return Err(FetchError::new(Failure::Timeout(Phase::Body), note));
        }
        End::Truncated(Truncated::Disconnect, note) if sink.spool.is_empty() => {
            return Err(FetchError::new(Failure::Disconnected, note));
        }
        End::Truncated(why, note) => (Some(why), Some(note)),
        End::Spool(error) => {
            return Err(FetchError::new(
                Failure::Disconnected,
                format!("given up: the spool cannot be written: {error}"),
            ));
        }
    };
    let handshake = facts.handshake.as_ref();
    let exchange = Exchange {
        request_head,
        response_head,
        body: sink.spool,
        peer: facts.peer,
        protocols: handshake.map_or_else(Vec::new, |h| vec![protocol.to_owned(), h.version.to_owned()]),
        cipher_suite: handshake.and_then(|h| h.cipher_suite.clone()),
        truncated,
    };
    Ok(Reply { exchange, note: note.or_else(|| handshake.and_then(|h| h.note.clone())) })
}
