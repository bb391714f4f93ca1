//! Taking down the exact heads, between TLS and hyper.
//!
//! hyper parses heads and forgets how they were written, so the bytes are copied where they pass. Bodies are not copied
//! here: hyper hands them on transfer-decoded, which is how archives store them.

use super::{head, transport::Transport};
use std::{
    io, mem,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A buffer grown larger than this by one exchange is not kept for the next.
const KEPT_BYTES_MAX: usize = 64 << 10;

/// What has been taken down of the exchange under way.
#[derive(Debug, Default)]
struct Notes {
    running: bool,
    sent: Vec<u8>,
    received: Vec<u8>,
}

/// A handle to the notes; the stream holds another.
#[derive(Clone, Debug, Default)]
pub(super) struct Recording(Arc<Mutex<Notes>>);

impl Recording {
    fn notes(&self) -> std::sync::MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new exchange begins.
    pub(super) fn begin(&self) {
        let mut notes = self.notes();
        notes.sent.clear();
        notes.received.clear();
        notes.running = true;
    }

    /// hyper is content: hands over the request head and the final response head alone, and stops listening. The
    /// buffers stay, for the next exchange.
    pub(super) fn heads(&self) -> (Vec<u8>, Vec<u8>) {
        let mut notes = self.notes();
        notes.running = false;
        let range = head::final_head(&notes.received).unwrap_or(0..notes.received.len());
        let heads = (notes.sent.clone(), notes.received[range].to_vec());
        notes.received.clear();
        notes.received.shrink_to(KEPT_BYTES_MAX);
        heads
    }

    /// hyper is not: hands over everything sent and received since the beginning, and stops listening.
    pub(super) fn everything(&self) -> (Vec<u8>, Vec<u8>) {
        let mut notes = self.notes();
        notes.running = false;
        (mem::take(&mut notes.sent), mem::take(&mut notes.received))
    }

    /// Whether the server has said anything since the beginning.
    pub(super) fn has_received(&self) -> bool {
        !self.notes().received.is_empty()
    }
}

/// A transport that is listened to.
#[derive(Debug)]
pub(super) struct Recorder {
    transport: Transport,
    recording: Recording,
    /// More than this before the head is complete is an attack; the stream then fails.
    received_max: usize,
}

impl Recorder {
    pub(super) fn new(transport: Transport, recording: Recording, received_max: usize) -> Recorder {
        Recorder { transport, recording, received_max }
    }
}

impl AsyncRead for Recorder {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buf.filled().len();
        let result = Pin::new(&mut this.transport).poll_read(cx, buf);
        let new = &buf.filled()[before..];
        if !new.is_empty() {
            let mut notes = this.recording.notes();
            if notes.running {
                if notes.received.len() >= this.received_max {
                    return Poll::Ready(Err(io::Error::other("the heads of the answer are too long")));
                }
                notes.received.extend_from_slice(new);
            }
        }
        result
    }
}

impl AsyncWrite for Recorder {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.transport).poll_write(cx, bytes);
        if let Poll::Ready(Ok(written)) = result {
            let mut notes = this.recording.notes();
            if notes.running {
                notes.sent.extend_from_slice(&bytes[..written]);
            }
        }
        result
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().transport).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().transport).poll_shutdown(cx)
    }
}
