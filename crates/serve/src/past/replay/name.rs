//! The name of an archived host among the names of this server: an origin of its own for each of them.
//!
//! `20261118093000.www.s-example--com.localhost`: the time, the labels below the registrable domain, and that domain in one
//! label, so that the hosts of one site are one site here too. `s` stands for https, `h` for http.

use sha2::{Digest as _, Sha256};
use url::Url;

/// What DNS allows.
const LABEL_MAX: usize = 63;
const NAME_MAX: usize = 230;

/// An archived origin as of a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplayName {
    /// Fourteen digits.
    pub(super) timestamp: String,
    pub(super) is_https: bool,
    /// With its port, if that is not the usual one.
    pub(super) host: String,
}

impl ReplayName {
    /// The origin a page lies at; nothing for what is no web page.
    pub(super) fn of(url: &Url, timestamp: &str) -> Option<ReplayName> {
        let is_https = match url.scheme() {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        let host = url.host_str()?;
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Some(ReplayName { timestamp: timestamp.to_owned(), is_https, host })
    }

    pub(super) fn origin(&self) -> String {
        format!("{}://{}", if self.is_https { "https" } else { "http" }, self.host)
    }

    /// The labels before the name of the server; nothing if they are longer than a name may be.
    pub(super) fn labels(&self) -> Option<String> {
        let (host, port) = match self.host.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => {
                (host, Some(port))
            }
            _ => (self.host.as_str(), None),
        };
        let is_address = host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok();
        let domain = if is_address { None } else { psl::domain_str(host) }.unwrap_or(host);
        let below = host.strip_suffix(domain).unwrap_or_default().trim_end_matches('.');
        let mut label = format!("{}-{}", if self.is_https { 's' } else { 'h' }, escaped(domain));
        if let Some(port) = port {
            label += &format!("-p{port}");
        }
        let name = match below {
            "" => format!("{}.{label}", self.timestamp),
            below => format!("{}.{below}.{label}", self.timestamp),
        };
        let fits = name.len() <= NAME_MAX && name.split('.').all(|label| (1..=LABEL_MAX).contains(&label.len()));
        fits.then_some(name)
    }

    /// Stands for a host whose name does not fit: whoever asks for it has to say which it is.
    pub(super) fn hashed(&self) -> String {
        let hash = Sha256::digest(self.origin().as_bytes());
        format!("{}.x-{}", self.timestamp, data_encoding::HEXLOWER.encode(&hash[..12]))
    }

    /// Reads the labels before the name of the server.
    pub(crate) fn parse(labels: &str) -> Option<ReplayName> {
        let (timestamp, rest) = labels.split_once('.')?;
        if timestamp.len() != 14 || !timestamp.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (below, label) = rest.rsplit_once('.').map_or(("", rest), |(below, label)| (below, label));
        let (scheme, domain) = label.split_once('-')?;
        let is_https = match scheme {
            "s" => true,
            "h" => false,
            _ => return None,
        };
        let domain = unescaped(domain)?;
        let host = if below.is_empty() { domain } else { format!("{below}.{domain}") };
        Some(ReplayName { timestamp: timestamp.to_owned(), is_https, host })
    }
}

/// A domain in one label: a hyphen is `-0`, a point `--`, anything else that is no letter or digit `-x` and two digits.
fn escaped(domain: &str) -> String {
    domain
        .chars()
        .map(|c| match c {
            '-' => "-0".to_owned(),
            '.' => "--".to_owned(),
            c if c.is_ascii_alphanumeric() => c.to_ascii_lowercase().to_string(),
            c => format!("-x{:02x}", c as u32 & 0xff),
        })
        .collect()
}

fn unescaped(label: &str) -> Option<String> {
    let (mut out, mut chars) = (String::new(), label.chars());
    while let Some(c) = chars.next() {
        match c {
            '-' => match chars.next()? {
                '0' => out.push('-'),
                '-' => out.push('.'),
                'p' => out.push(':'),
                'x' => {
                    let digits: String = chars.by_ref().take(2).collect();
                    out.push(char::from(u8::from_str_radix(&digits, 16).ok()?));
                }
                _ => return None,
            },
            c if c.is_ascii_alphanumeric() => out.push(c),
            _ => return None,
        }
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(url: &str) -> ReplayName {
        ReplayName::of(&Url::parse(url).unwrap(), "20261118093000").unwrap()
    }

    #[test]
    fn every_host_has_a_name_that_leads_back_to_it() {
        for (url, labels) in [
            ("https://www.example.com/a", "20261118093000.www.s-example--com"),
            ("http://a-b.co.uk/", "20261118093000.h-a-0b--co--uk"),
            ("http://127.0.0.1:8080/", "20261118093000.h-127--0--0--1-p8080"),
            ("http://[::1]/", "20261118093000.h--x5b-x3a-x3a1-x5d"),
            ("https://xn--bcher-kva.example/", "20261118093000.s-xn-0-0bcher-0kva--example"),
            ("http://localhost:81/", "20261118093000.h-localhost-p81"),
        ] {
            let name = name(url);
            assert_eq!(name.labels().as_deref(), Some(labels));
            assert_eq!(ReplayName::parse(labels), Some(name), "{url}");
        }
        let long = name(&format!("http://{}.com/", "a".repeat(63)));
        assert!(long.labels().is_none() && long.hashed().split('.').all(|label| label.len() <= LABEL_MAX));
        for odd in
            ["", "2026.h-a", "20261118093000.q-a", "20261118093000.h-a_b", "20261118093000.h-a-", "20261118093000"]
        {
            assert_eq!(ReplayName::parse(odd), None, "{odd}");
        }
    }
}
