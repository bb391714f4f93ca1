//! SURT: the sort-friendly form of a URL that every replay tool looks pages up by.
//!
//! The result equals `surt.surt(url)` of the Python package `surt` 0.3.1 with its defaults, which is how cdxj-indexer
//! and pywb call it; `tests/surt_table.tsv` holds what that package answers. Oddities are kept on purpose: a key that
//! is nicer than the one an index was written with finds nothing.
//!
//! Three differences, all where the package offers nothing better:
//! - Where it raises (a port that is no number up to 65535), the key is the URL itself, as cdxj-indexer does, with
//!   anything that could break an index line percent-encoded. A URL of white space only has the key `-`, like no URL.
//! - `filedesc` names stay as they are, but in one word: white space would break an index line there too.
//! - Internationalised host names use the Unicode tables of the `url` crate, not those of Unicode 3.2. Names that can
//!   be registered agree; some that cannot be looked up at all (`é|&`, a lone accent) stay percent-encoded here.
//!
//! `plain` answers for ordinary URLs without allocating; everything else takes the long way through this file.

mod escape;
mod host;
mod path;
mod plain;
mod query;

use std::borrow::Cow;

/// The SURT of a URL.
pub fn surt(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    surt_into(url, &mut out);
    out
}

/// Appends the SURT of a URL to a buffer, so that a caller with many links needs one allocation for all of them.
pub fn surt_into(url: &str, out: &mut String) {
    if !plain::append(url, out) {
        append_any(url, out);
    }
}

/// The long way, right for every input.
fn append_any(url: &str, out: &mut String) {
    if url.starts_with("filedesc") {
        return escape::append_visible(url.as_bytes(), out);
    }
    let url = tidy(url);
    if url.is_empty() {
        return out.push('-');
    }
    match Parts::of(last_of_stacked_protocols(&url)) {
        Some(parts) => parts.append(out),
        None => escape::append_visible(url.as_bytes(), out),
    }
}

/// Without white space at the ends and without line breaks and tabs anywhere; with `http://` if no scheme is there.
fn tidy(url: &str) -> Cow<'_, str> {
    let trimmed = url.trim_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    let mut tidy = Cow::Borrowed(trimmed);
    if trimmed.contains(['\t', '\n', '\r']) {
        tidy.to_mut().retain(|c| !matches!(c, '\t' | '\n' | '\r'));
    }
    if !tidy.is_empty() && scheme_of(&tidy).is_none() {
        tidy.to_mut().insert_str(0, "http://");
    }
    tidy
}

fn scheme_of(url: &str) -> Option<&str> {
    let end = url.bytes().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))?;
    let scheme = &url[..end];
    (url.as_bytes()[end] == b':' && scheme.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(scheme)
}

/// `http://https://example.com` means `https://example.com`.
fn last_of_stacked_protocols(mut url: &str) -> &str {
    let without = |url: &'_ str| -> Option<usize> {
        ["http://", "https://"].iter().find(|protocol| url.starts_with(**protocol)).map(|protocol| protocol.len())
    };
    while let Some(first) = without(url) {
        if without(&url[first..]).is_none() {
            break;
        }
        url = &url[first..];
    }
    url
}

/// A URL taken apart. An absent part is empty; no rule tells the two apart.
struct Parts<'a> {
    scheme: &'a str,
    host: &'a str,
    port: Option<u16>,
    path: &'a str,
    query: &'a str,
}

impl<'a> Parts<'a> {
    /// Takes apart a URL that has a scheme; nothing if its port is not a port.
    fn of(url: &'a str) -> Option<Parts<'a>> {
        let (scheme, rest) = url.split_once(':')?;
        let rest = rest.split_once('#').map_or(rest, |(before, _fragment)| before);
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", rest),
        };
        let (host, port) = host_and_port(authority)?;
        let mut parts = Parts { scheme, host, port, path, query };
        if host.is_empty() && scheme.starts_with("http") && !path.is_empty() {
            (parts.host, parts.path) = host_from_path(path);
        }
        Some(parts)
    }

    fn append(&self, out: &mut String) {
        let host = host::canonical(self.host);
        let host = if self.scheme == "dns" { &host } else { host::without_www(&host) };
        if host.is_empty() {
            out.push_str(self.scheme);
            out.push(':');
            path::append_opaque(self.path, out);
            if self.path.is_empty() && !self.query.is_empty() {
                out.push('/');
            }
        } else {
            host::append_reversed(host, out);
            self.append_port(out);
            out.push(')');
            path::append(self.path, out);
        }
        query::append(self.query, out);
    }

    fn append_port(&self, out: &mut String) {
        let default = match self.scheme {
            scheme if scheme.eq_ignore_ascii_case("http") => 80,
            scheme if scheme.eq_ignore_ascii_case("https") => 443,
            _ => 0,
        };
        if let Some(port) = self.port.filter(|port| *port != default) {
            out.push(':');
            out.push_str(&port.to_string());
        }
    }
}

/// Host and port of an authority, its user left out. An address in brackets loses them. Port 0 counts as none.
fn host_and_port(authority: &str) -> Option<(&str, Option<u16>)> {
    let authority = authority.trim_end_matches(':');
    let host_port = authority.rsplit_once('@').map_or(authority, |(_user, rest)| rest);
    let (host, port) = match host_port.split_once('[') {
        Some((_, bracketed)) => {
            let (host, rest) = bracketed.split_once(']').unwrap_or((bracketed, ""));
            (host, rest.split_once(':').map_or("", |(_, port)| port))
        }
        None => host_port.split_once(':').unwrap_or((host_port, "")),
    };
    if port.is_empty() {
        return Some((host, None));
    }
    // `parse` alone would let `+80` through.
    let port: u16 = port.parse().ok().filter(|_| !port.starts_with('+'))?;
    Some((host, (port != 0).then_some(port)))
}

/// `http:////example.com/a` and `http:example.com/a` name their host in what reads as a path.
fn host_from_path(path: &str) -> (&str, &str) {
    let path = path.trim_start_matches('/');
    match path.find('/') {
        Some(slash) => path.split_at(slash),
        None => (path, "/"),
    }
}

#[cfg(test)]
mod tests;
