//! HTTP/2 messages written as HTTP/1.1, the form every archive tool reads.

use super::{connection::NoBody, target::Target};
use http::{HeaderMap, Request, Response};
use hyper::body::Incoming;

pub(super) fn request_head(request: &Request<NoBody>, target: &Target) -> Vec<u8> {
    let first = format!("GET {} HTTP/1.1\r\nHost: {}\r\n", target.path_and_query(), target.authority());
    head(first, request.headers())
}

pub(super) fn response_head(response: &Response<Incoming>) -> Vec<u8> {
    let status = response.status();
    let first = format!("HTTP/1.1 {} {}\r\n", status.as_str(), status.canonical_reason().unwrap_or_default());
    head(first, response.headers())
}

/// Pseudo-headers never reach us; names stay in the lower case HTTP/2 sends.
fn head(first_line: String, headers: &HeaderMap) -> Vec<u8> {
    let mut head = first_line.into_bytes();
    for (name, value) in headers {
        head.extend_from_slice(name.as_str().as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
    head
}
