//! The text of robots.txt, which schedulers read from the observation.

use tintype_observe::plain;
use tintype_warc::http::Head;

/// RFC 9309 asks for at least 500 KiB; what lies beyond is not read.
const ROBOTS_MAX: usize = 512 << 10;

/// The body as text, content codings undone. Odd bytes become replacement characters.
pub(crate) fn text(head: Option<&Head<'_>>, body: &[u8]) -> String {
    let coding = head.and_then(|head| head.get("content-encoding"));
    let plain = plain(coding.as_deref(), body);
    String::from_utf8_lossy(&plain[..plain.len().min(ROBOTS_MAX)]).into_owned()
}
