//! The text of robots.txt, which schedulers read from the observation.

use flate2::read::MultiGzDecoder;
use std::io::Read;
use tintype_warc::http::Head;

/// RFC 9309 asks for at least 500 KiB; what lies beyond is not read.
const ROBOTS_MAX: usize = 512 << 10;

/// The body as text, gzip undone if the head says so. Odd bytes become replacement characters.
pub(crate) fn text(head: Option<&Head<'_>>, body: &[u8]) -> String {
    let coding = head.and_then(|head| head.get("content-encoding")).unwrap_or_default();
    let gzipped = coding.trim().eq_ignore_ascii_case("gzip") || coding.trim().eq_ignore_ascii_case("x-gzip");
    let mut plain = Vec::new();
    if gzipped {
        // A stream that breaks off still gave the rules before the break.
        let _ = MultiGzDecoder::new(body).take(ROBOTS_MAX as u64).read_to_end(&mut plain);
    } else {
        plain.extend_from_slice(&body[..body.len().min(ROBOTS_MAX)]);
    }
    String::from_utf8_lossy(&plain).into_owned()
}
