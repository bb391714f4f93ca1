//! The bytes of one HTTP exchange, as they crossed the wire, on their way into a segment.

use crate::Spool;
use std::net::IpAddr;
use tintype_vocab::Truncated;

/// One request and its answer.
#[derive(Debug)]
pub struct Exchange {
    /// Request line, headers and blank line as sent.
    pub request_head: Vec<u8>,
    /// Status line, headers and blank line as received (for HTTP/2: written as HTTP/1.1).
    pub response_head: Vec<u8>,
    /// The body, transfer-decoded, content-encoding kept.
    pub body: Spool,
    /// Who answered; unknown through a proxy that resolves names.
    pub peer: Option<IpAddr>,
    /// Values for WARC-Protocol lines, such as `h2` and `tls/1.3`; empty for plain HTTP/1.1.
    pub protocols: Vec<String>,
    /// Value for WARC-Cipher-Suite.
    pub cipher_suite: Option<String>,
    pub truncated: Option<Truncated>,
}
