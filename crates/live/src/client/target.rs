//! A URL taken apart for asking.

use super::fetch_error::FetchError;
use std::net::IpAddr;
use tintype_vocab::Failure;
use url::{Host, Url};

/// Longer URLs are traps; the `http` crate has its own limit a little above.
const URL_BYTES_MAX: usize = 32 << 10;

/// What connections are kept by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Origin {
    pub(super) https: bool,
    pub(super) host: Host<String>,
    pub(super) port: u16,
    /// Part of the identity: a connection opened into private space for a person's seed must not serve a link that
    /// has no business there.
    pub(super) private_allowed: bool,
}

impl Origin {
    pub(super) fn literal_address(&self) -> Option<IpAddr> {
        match self.host {
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
            Host::Domain(_) => None,
        }
    }

    /// The name the certificate must carry; an IPv6 address without brackets.
    pub(super) fn name_for_tls(&self) -> String {
        match &self.host {
            Host::Ipv6(address) => address.to_string(),
            host => host.to_string(),
        }
    }
}

/// Where to ask and what for.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) url: Url,
    pub(super) origin: Origin,
}

impl Target {
    pub(super) fn parse(text: &str, private_allowed: bool) -> Result<Target, FetchError> {
        let bad = |why: &str| FetchError::new(Failure::BadUrl, why);
        if text.len() > URL_BYTES_MAX {
            return Err(bad("the URL is absurdly long"));
        }
        let mut url = Url::parse(text).map_err(|error| bad(&error.to_string()))?;
        url.set_fragment(None);
        let https = match url.scheme() {
            "http" => false,
            "https" => true,
            other => return Err(bad(&format!("{other} is not asked for, only http and https"))),
        };
        let host = url.host().ok_or_else(|| bad("the URL has no host"))?.to_owned();
        let port = url.port_or_known_default().ok_or_else(|| bad("the URL has no port"))?;
        Ok(Target { origin: Origin { https, host, port, private_allowed }, url })
    }

    /// Path and query, as a request line has them.
    pub(super) fn path_and_query(&self) -> &str {
        &self.url[url::Position::BeforePath..url::Position::AfterQuery]
    }

    /// Host and, unless it is the usual one, port: the value of the Host header.
    pub(super) fn authority(&self) -> &str {
        &self.url[url::Position::BeforeHost..url::Position::AfterPort]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_taken_apart() {
        let target = Target::parse("HTTPS://me:pw@Example.com:443/a b?c=d#e", false).unwrap();
        assert_eq!(target.authority(), "example.com");
        assert_eq!(target.path_and_query(), "/a%20b?c=d");
        assert_eq!(target.origin.port, 443);
        let target = Target::parse("http://[::1]:8080", true).unwrap();
        assert_eq!((target.authority(), target.path_and_query()), ("[::1]:8080", "/"));
        assert_eq!(target.origin.name_for_tls(), "::1");
    }

    #[test]
    fn what_cannot_be_asked_for_is_refused() {
        let long = format!("http://a/{}", "x".repeat(URL_BYTES_MAX));
        for text in ["", "ftp://a/", "mailto:a@b", "javascript:1", "http://", "//a/b", "http://a:99999/", &long] {
            assert_eq!(Target::parse(text, false).unwrap_err().cause, Failure::BadUrl, "{text}");
        }
    }

    #[test]
    fn addresses_in_disguise_are_recognised() {
        for text in ["http://127.1/", "http://0x7f000001/", "http://2130706433/", "http://0177.0.0.1/"] {
            let address = Target::parse(text, false).unwrap().origin.literal_address();
            assert_eq!(address, Some("127.0.0.1".parse().unwrap()), "{text}");
        }
    }
}
