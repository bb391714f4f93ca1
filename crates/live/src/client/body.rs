//! Taking in a body within its limits.

use super::{ClientSettings, connection::Connection, watch::Watch};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use std::{
    io,
    time::{Duration, Instant},
};
use tintype_archive::Spool;
use tintype_vocab::Truncated;

/// Where a body goes: a spool with a lid.
#[derive(Debug)]
pub(super) struct Sink {
    pub(super) spool: Spool,
    room: u64,
    pace: Pace,
}

/// How fast a body comes.
#[derive(Debug)]
struct Pace {
    /// Bytes a second.
    least: u64,
    over: Duration,
    since: Instant,
    bytes: u64,
}

impl Pace {
    /// Whether too few bytes came since it was last looked at.
    fn is_too_slow(&mut self, bytes: usize) -> bool {
        self.bytes += bytes as u64;
        let took = self.since.elapsed();
        if took < self.over {
            return false;
        }
        let (came, wanted) = (self.bytes as f64, self.least as f64 * took.as_secs_f64());
        (self.since, self.bytes) = (Instant::now(), 0);
        came < wanted
    }
}

/// Why taking in a body stopped.
#[derive(Debug)]
pub(super) enum End {
    Complete,
    Truncated(Truncated, String),
    /// We failed, not the server.
    Spool(io::Error),
}

impl Sink {
    pub(super) fn new(spool: Spool, bytes_max: u64, settings: &ClientSettings) -> Sink {
        let pace = Pace { least: settings.body_rate_min, over: settings.slow_after, since: Instant::now(), bytes: 0 };
        Sink { spool, room: bytes_max, pace }
    }

    /// Makes room for an announced length.
    pub(super) fn expect(&mut self, bytes: u64) {
        self.spool.reserve(bytes.min(self.room));
    }

    /// Takes what fits; tells when that was not all, or when it could not be kept.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), End> {
        let fits = usize::try_from(self.room).unwrap_or(usize::MAX).min(bytes.len());
        self.spool.push(&bytes[..fits]).map_err(End::Spool)?;
        self.room -= fits as u64;
        if fits < bytes.len() {
            return Err(End::Truncated(Truncated::Length, "the body is longer than allowed".to_owned()));
        }
        if self.pace.is_too_slow(fits) {
            let note = format!("the body came slower than {} bytes a second", self.pace.least);
            return Err(End::Truncated(Truncated::Time, note));
        }
        Ok(())
    }
}

/// Takes in the body hyper reads from `connection`.
pub(super) async fn collect(
    connection: &mut Connection,
    mut body: Incoming,
    sink: &mut Sink,
    watch: &mut Watch,
) -> End {
    if let Some(length) = body.size_hint().exact() {
        sink.expect(length);
    }
    loop {
        let frame = match watch.guard(connection.drive(body.frame())).await {
            Err(_) => return timed_out(),
            Ok(None) => return End::Complete,
            Ok(Some(Err(error))) => return disconnected(&error),
            Ok(Some(Ok(frame))) => frame,
        };
        // Trailers belong to the transfer coding, which the archive leaves behind.
        if let Some(data) = frame.data_ref()
            && let Err(end) = sink.push(data)
        {
            return end;
        }
    }
}

pub(super) fn timed_out() -> End {
    End::Truncated(Truncated::Time, "timed out in the body".to_owned())
}

pub(super) fn disconnected(error: &dyn std::error::Error) -> End {
    End::Truncated(Truncated::Disconnect, super::fetch_error::in_words(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sink_takes_exactly_its_limit() {
        let mut sink = Sink::new(Spool::from_bytes(Vec::new()), 5, &ClientSettings::new("t", ""));
        assert!(sink.push(b"abc").is_ok());
        assert!(sink.push(b"de").is_ok(), "a body as long as the limit is whole");
        assert!(matches!(sink.push(b"f"), Err(End::Truncated(Truncated::Length, _))));
        assert_eq!(sink.spool.as_bytes(), Some(&b"abcde"[..]));
    }
}
