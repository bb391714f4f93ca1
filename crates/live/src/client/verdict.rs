//! What an answer's head means.

use super::head;
use crate::clock;
use tintype_vocab::{Outcome, Span, Time};
use url::Url;

/// Longer waits are not waits.
const RETRY_AFTER_MAX: Span = Span::from_days(365);

/// The outcome a complete head stands for.
pub(super) fn outcome(head: &[u8], url: &Url, asked: Time, conditional: bool) -> Outcome {
    let status = head::status(head).unwrap_or(0);
    if status == 304 && !conditional {
        // Confirms nothing, for nothing was asked to be confirmed.
        return Outcome::Refused { status, retry_after: None };
    }
    let to = head::values(head, "location").next().and_then(|location| redirect(url, location));
    let retry_after = head::values(head, "retry-after").next().and_then(|value| retry_after(value, asked));
    Outcome::of_status(status, to.as_deref(), retry_after)
}

/// The absolute URL a Location points to, without its fragment.
fn redirect(url: &Url, location: &[u8]) -> Option<String> {
    let location = match std::str::from_utf8(location) {
        Ok(text) => url.join(text),
        Err(_) => url.join(&escape_bytes(location)),
    };
    let mut to = location.ok()?;
    to.set_fragment(None);
    Some(to.into())
}

/// Bytes of an unknown charset, kept by percent-encoding them.
fn escape_bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|&b| if b.is_ascii() { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

/// Seconds, or a date to be reached.
fn retry_after(value: &[u8], asked: Time) -> Option<Span> {
    let text = std::str::from_utf8(value).ok()?;
    let span = match text.parse::<u32>() {
        Ok(seconds) => Span::from_secs(i64::from(seconds)),
        Err(_) => clock::of_system(httpdate::parse_http_date(text).ok()?) - asked,
    };
    Some(span.clamp(Span::ZERO, RETRY_AFTER_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(head: &str) -> Outcome {
        let url = Url::parse("http://a.example/x/y?z").unwrap();
        let asked = Time::parse_rfc3339("2026-11-15T12:00:00Z").unwrap();
        outcome(head.as_bytes(), &url, asked, true)
    }

    #[test]
    fn redirects_are_joined_and_lose_their_fragment() {
        for (location, to) in [
            ("/b", "http://a.example/b"),
            ("w?q#frag", "http://a.example/x/w?q"),
            ("//c.example", "http://c.example/"),
            ("https://d.example/\u{fc}", "https://d.example/%C3%BC"),
            ("mailto:me@a.example", "mailto:me@a.example"),
            ("", "http://a.example/x/y?z"),
        ] {
            let head = format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\n\r\n");
            assert_eq!(judge(&head), Outcome::Redirected { status: 302, to: to.into() }, "{location}");
        }
        assert_eq!(judge("HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n"), Outcome::Body { status: 302 });
        let url = Url::parse("http://a.example/").unwrap();
        assert_eq!(redirect(&url, b"/\xfc"), Some("http://a.example/%FC".into()));
    }

    #[test]
    fn servers_say_when_to_come_back() {
        for (value, seconds) in [
            ("120", Some(120)),
            ("Sun, 15 Nov 2026 12:05:00 GMT", Some(300)),
            ("Sun, 15 Nov 2020 12:05:00 GMT", Some(0)),
            ("4294967295", Some(365 * 86_400)),
            ("soon", None),
            ("-5", None),
        ] {
            let head = format!("HTTP/1.1 503 Busy\r\nRetry-After: {value}\r\n\r\n");
            let retry_after = seconds.map(Span::from_secs);
            assert_eq!(judge(&head), Outcome::Refused { status: 503, retry_after }, "{value}");
        }
    }

    #[test]
    fn a_confirmation_nobody_asked_for_confirms_nothing() {
        let url = Url::parse("http://a.example/").unwrap();
        let head = b"HTTP/1.1 304 Not Modified\r\n\r\n";
        assert_eq!(outcome(head, &url, Time::default(), true), Outcome::NotModified);
        assert_eq!(outcome(head, &url, Time::default(), false), Outcome::Refused { status: 304, retry_after: None });
    }
}
