//! Reading an answer hyper refused, so that what came is archived and the server not asked again.

use super::{
    body::{End, Sink, disconnected, timed_out},
    chunked::Dechunker,
    fetch_error::FetchError,
    head,
    record::Recorder,
    settings::ClientSettings,
    watch::Watch,
};
use std::io;
use tintype_vocab::{Failure, Phase, Truncated};
use tokio::io::AsyncReadExt;

const READ_BYTES: usize = 32 << 10;

/// The head given to a body that came without any, as HTTP/2 messages get one; the protocol tells the truth.
const HEAD_FOR_HEADLESS: &[u8] = b"HTTP/1.0 200 OK\r\n\r\n";

/// An answer read by hand.
#[derive(Debug)]
pub(super) struct Salvaged {
    pub(super) head: Vec<u8>,
    pub(super) end: End,
    /// A body came without a head, as before HTTP/1.0.
    pub(super) headless: bool,
}

/// How the end of a body is known.
enum Framing {
    None,
    Length(u64),
    Chunked,
    UntilClose,
}

/// What was read before, and the stream it came from.
pub(super) struct Wreck<'a> {
    pub(super) stream: Recorder,
    pub(super) received: Vec<u8>,
    pub(super) watch: &'a mut Watch,
    pub(super) settings: &'a ClientSettings,
}

impl Wreck<'_> {
    pub(super) async fn salvage(mut self, sink: &mut Sink) -> Result<Salvaged, FetchError> {
        let head = self.head().await?;
        self.watch.phase_with_idle(self.settings.body_timeout, self.settings.idle_timeout);
        let headless = head.is_none();
        let head = head.unwrap_or_else(|| HEAD_FOR_HEADLESS.to_vec());
        let end = match framing(&head) {
            Framing::None => End::Complete,
            Framing::Length(length) => self.take(length, true, sink).await,
            Framing::Chunked => self.take_chunks(sink).await,
            Framing::UntilClose => self.take(u64::MAX, false, sink).await,
        };
        Ok(Salvaged { head, end, headless })
    }

    /// The final head, cut off the received bytes; nothing if what comes is a page without one.
    async fn head(&mut self) -> Result<Option<Vec<u8>>, FetchError> {
        loop {
            if !head::may_be_http(&self.received) {
                return self.headless().await;
            }
            if let Some(range) = head::final_head(&self.received) {
                let head = self.received[range.clone()].to_vec();
                self.received.drain(..range.end);
                return if head::status(&head).is_some() {
                    Ok(Some(head))
                } else {
                    Err(FetchError::new(Failure::NotHttp, "the status line makes no sense"))
                };
            }
            if self.received.len() >= self.settings.head_bytes_max {
                return Err(FetchError::new(Failure::HeadTooLarge, Failure::HeadTooLarge));
            }
            if !self.read_more_head().await? {
                return Err(FetchError::new(Failure::Disconnected, "the connection closed inside the head"));
            }
        }
    }

    /// A page without a head begins with markup; anything else is another protocol's greeting.
    async fn headless(&mut self) -> Result<Option<Vec<u8>>, FetchError> {
        while self.received.trim_ascii_start().is_empty() && self.read_more_head().await? {}
        if self.received.trim_ascii_start().first() == Some(&b'<') {
            return Ok(None);
        }
        let shown: String =
            self.received.iter().take(40).map(|b| char::from(*b).escape_default().to_string()).collect();
        Err(FetchError::new(Failure::NotHttp, format!("the server said: {shown}")))
    }

    async fn read_more_head(&mut self) -> Result<bool, FetchError> {
        match self.read().await {
            Ok(more) => Ok(more),
            Err(ReadError::Expired) => Err(FetchError::timeout(Phase::FirstByte)),
            Err(ReadError::Io(error)) => Err(FetchError::new(Failure::Disconnected, error)),
        }
    }

    /// Appends what comes next; false at the end.
    async fn read(&mut self) -> Result<bool, ReadError> {
        self.received.reserve(READ_BYTES);
        let mut limited = (&mut self.stream).take(READ_BYTES as u64);
        match self.watch.guard(limited.read_buf(&mut self.received)).await {
            Err(_) => Err(ReadError::Expired),
            Ok(Err(error)) => Err(ReadError::Io(error)),
            Ok(Ok(count)) => Ok(count > 0),
        }
    }

    async fn take(&mut self, mut length: u64, must_be_all: bool, sink: &mut Sink) -> End {
        loop {
            let here = usize::try_from(length).unwrap_or(usize::MAX).min(self.received.len());
            if let Err(end) = sink.push(&self.received[..here]) {
                return end;
            }
            self.received.clear();
            length -= here as u64;
            if length == 0 {
                return End::Complete;
            }
            match self.read().await {
                Ok(true) => {}
                Ok(false) if must_be_all => return cut_short(),
                Ok(false) => return End::Complete,
                Err(error) => return error.into_end(),
            }
        }
    }

    async fn take_chunks(&mut self, sink: &mut Sink) -> End {
        let mut dechunker = Dechunker::new();
        loop {
            let mut input = &self.received[..];
            loop {
                match dechunker.next(&mut input) {
                    Ok(None) => break,
                    Ok(Some(data)) => {
                        if let Err(end) = sink.push(data) {
                            return end;
                        }
                    }
                    Err(error) => return disconnected(&error),
                }
            }
            if dechunker.is_done() {
                return End::Complete;
            }
            self.received.clear();
            match self.read().await {
                Ok(true) => {}
                Ok(false) => return cut_short(),
                Err(error) => return error.into_end(),
            }
        }
    }
}

enum ReadError {
    Expired,
    Io(io::Error),
}

impl ReadError {
    fn into_end(self) -> End {
        match self {
            ReadError::Expired => timed_out(),
            ReadError::Io(error) => disconnected(&error),
        }
    }
}

fn cut_short() -> End {
    End::Truncated(Truncated::Disconnect, "the connection closed inside the body".to_owned())
}

/// Of contradicting lengths the largest: cutting a body short loses more than waiting for bytes that do not come.
fn framing(head: &[u8]) -> Framing {
    if matches!(head::status(head), Some(204 | 304)) {
        return Framing::None;
    }
    let chunked = |value: &[u8]| value.to_ascii_lowercase().ends_with(b"chunked");
    if head::values(head, "transfer-encoding").any(chunked) {
        return Framing::Chunked;
    }
    let length = |value: &[u8]| std::str::from_utf8(value).ok()?.parse().ok();
    match head::values(head, "content-length").filter_map(length).max() {
        Some(length) => Framing::Length(length),
        None => Framing::UntilClose,
    }
}
