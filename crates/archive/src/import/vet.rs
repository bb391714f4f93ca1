//! Which records and lines of a stranger's file are visits to pages. What is no address of a page, or of no time we can
//! write down, would make files that cannot be read back.

use tintype_vocab::Time;
use url::Url;

/// Longer addresses are passed over.
const URL_MAX: usize = 16 << 10;
/// The years that a 14-digit time stamp can say, without those in which there was no web.
const YEARS: [Time; 2] = [Time::from_secs(0), Time::from_secs(253_402_300_799)];

/// Why this cannot be the address of a visit at that time, if it cannot.
pub(super) fn fault(url: &str, time: Time) -> Option<&'static str> {
    match address_fault(url) {
        None if time < YEARS[0] || time > YEARS[1] => Some("not of this time"),
        fault => fault,
    }
}

/// The site of a page: its host, and the port where that is not the usual one; nothing if this is no page.
pub(super) fn site(url: &str) -> Option<String> {
    if address_fault(url).is_some() {
        return None;
    }
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
}

fn address_fault(url: &str) -> Option<&'static str> {
    if url.len() > URL_MAX {
        return Some("a URL longer than 16 kB");
    }
    if url.chars().any(char::is_control) || url.trim() != url {
        return Some("control characters in a URL");
    }
    match Url::parse(url) {
        Err(_) => Some("no URL"),
        Ok(url) if !matches!(url.scheme(), "http" | "https") => Some("no page of the web"),
        Ok(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_web_and_of_our_time_are_visits() {
        let now = Time::from_secs(1_794_779_703);
        for bad in [
            "../../etc/passwd",
            "file:///etc/passwd",
            "dns:example.com",
            "http://",
            "http://a\u{1b}/",
            " http://a/",
            "",
        ] {
            assert!(fault(bad, now).is_some() && site(bad).is_none(), "{bad}");
        }
        assert_eq!(fault("http://example.com/a b?é", now), None);
        assert!(fault("http://example.com/", Time::from_secs(-1)).is_some());
        assert!(fault("http://example.com/", Time::MAX).is_some());
        assert_eq!(site("http://me@Example.com:8080/x").as_deref(), Some("example.com:8080"));
        assert_eq!(site("https://example.com:443/x").as_deref(), Some("example.com"));
    }
}
