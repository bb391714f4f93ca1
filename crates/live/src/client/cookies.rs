//! Cookies that live as long as one capture, so that a site which insists on them can be captured at all.

use crate::clock;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tintype_vocab::Time;
use url::{Host, Url};

const PER_HOST_MAX: usize = 50;
const PER_JAR_MAX: usize = 1000;
const COOKIE_BYTES_MAX: usize = 4 << 10;
const HEADER_BYTES_MAX: usize = 16 << 10;

/// The cookies of one capture; clones share them.
#[derive(Clone, Debug, Default)]
pub struct Jar(Arc<Mutex<Vec<Cookie>>>);

#[derive(Debug)]
struct Cookie {
    name: String,
    value: String,
    domain: String,
    /// Only the very host that set it gets it back.
    host_only: bool,
    path: String,
    secure: bool,
}

impl Jar {
    pub fn new() -> Jar {
        Jar::default()
    }

    fn cookies(&self) -> MutexGuard<'_, Vec<Cookie>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The Cookie header for a request, the most specific paths first.
    pub(super) fn header(&self, url: &Url) -> Option<String> {
        let cookies = self.cookies();
        if cookies.is_empty() {
            return None;
        }
        let mut matching: Vec<&Cookie> = cookies.iter().filter(|cookie| cookie.goes_to(url)).collect();
        matching.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let mut header = String::new();
        for cookie in matching {
            if header.len() + cookie.name.len() + cookie.value.len() > HEADER_BYTES_MAX {
                break;
            }
            if !header.is_empty() {
                header.push_str("; ");
            }
            header.push_str(&cookie.name);
            header.push('=');
            header.push_str(&cookie.value);
        }
        (!header.is_empty()).then_some(header)
    }

    /// Takes in one Set-Cookie value; what is malformed or not this host's to set is ignored.
    pub(super) fn receive(&self, url: &Url, set_cookie: &[u8], now: Time) {
        let Some((cookie, expired)) = parse(url, set_cookie, now) else { return };
        let mut cookies = self.cookies();
        cookies.retain(|old| !old.is_same(&cookie));
        if expired {
            return;
        }
        if cookies.iter().filter(|old| old.domain == cookie.domain).count() >= PER_HOST_MAX {
            let oldest = cookies.iter().position(|old| old.domain == cookie.domain);
            oldest.map(|at| cookies.remove(at));
        } else if cookies.len() >= PER_JAR_MAX {
            cookies.remove(0);
        }
        cookies.push(cookie);
    }
}

impl Cookie {
    fn is_same(&self, other: &Cookie) -> bool {
        (&self.name, &self.domain, &self.path) == (&other.name, &other.domain, &other.path)
    }

    fn goes_to(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let host_fits = if self.host_only { host == self.domain } else { is_within(host, &self.domain) };
        host_fits && path_fits(url.path(), &self.path) && (!self.secure || url.scheme() == "https")
    }
}

fn is_within(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

fn path_fits(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || prefix.ends_with('/') || rest.starts_with('/'))
}

/// A cookie, and whether it is set only to be forgotten.
fn parse(url: &Url, set_cookie: &[u8], now: Time) -> Option<(Cookie, bool)> {
    if set_cookie.len() > COOKIE_BYTES_MAX {
        return None;
    }
    let text = std::str::from_utf8(set_cookie).ok()?;
    let mut parts = text.split(';');
    let (name, value) = parts.next()?.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || text.bytes().any(|b| b.is_ascii_control() && b != b'\t') {
        return None;
    }
    let mut cookie = Cookie {
        name: name.to_owned(),
        value: value.to_owned(),
        domain: url.host_str()?.to_owned(),
        host_only: true,
        path: default_path(url.path()).to_owned(),
        secure: false,
    };
    let (mut expires, mut max_age) = (None, None);
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "domain" if !value.is_empty() => cookie.widen(url, value)?,
            "path" if value.starts_with('/') => cookie.path = value.to_owned(),
            "secure" => cookie.secure = true,
            "max-age" => max_age = value.parse::<i64>().ok().map(|seconds| seconds <= 0),
            "expires" => expires = httpdate::parse_http_date(value).ok().map(|time| clock::of_system(time) <= now),
            _ => {}
        }
    }
    Some((cookie, max_age.or(expires).unwrap_or(false)))
}

impl Cookie {
    /// Lets the cookie go to a whole domain the host belongs to, or refuses it. One label is no domain (`com` is
    /// everybody's), and an address has none.
    fn widen(&mut self, url: &Url, domain: &str) -> Option<()> {
        let domain = domain.trim_start_matches('.').to_ascii_lowercase();
        let named = matches!(url.host(), Some(Host::Domain(_)));
        if named && domain.contains('.') && is_within(&self.domain, &domain) {
            self.host_only = false;
            self.domain = domain;
            return Some(());
        }
        (domain == self.domain).then_some(())
    }
}

/// The directory of the page.
fn default_path(path: &str) -> &str {
    match path.rfind('/') {
        None | Some(0) => "/",
        Some(end) => &path[..end],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn receive(jar: &Jar, from: &str, set_cookie: &str) {
        jar.receive(&url(from), set_cookie.as_bytes(), Time::parse_rfc3339("2026-11-15").unwrap());
    }

    fn sent(jar: &Jar, to: &str) -> String {
        jar.header(&url(to)).unwrap_or_default()
    }

    #[test]
    fn a_cookie_comes_back_to_its_host_and_directory() {
        let jar = Jar::new();
        receive(&jar, "http://a.example/shop/list", "id=1");
        receive(&jar, "http://a.example/shop/list", "all=2; Path=/");
        assert_eq!(sent(&jar, "http://a.example/shop/cart"), "id=1; all=2");
        assert_eq!(sent(&jar, "http://a.example/shopping"), "all=2");
        assert_eq!(sent(&jar, "http://b.a.example/shop/cart"), "");
    }

    #[test]
    fn a_domain_may_be_widened_to_ones_own_only() {
        let jar = Jar::new();
        receive(&jar, "http://www.a.example/", "wide=1; Domain=.A.example");
        receive(&jar, "http://www.a.example/", "foreign=1; Domain=b.example");
        receive(&jar, "http://www.a.example/", "top=1; Domain=example");
        receive(&jar, "http://10.0.0.1/", "address=1; Domain=0.0.1");
        assert_eq!(sent(&jar, "http://img.a.example/"), "wide=1");
        assert_eq!(sent(&jar, "http://nota.example/"), "");
        assert_eq!(sent(&jar, "http://10.0.0.1/"), "");
    }

    #[test]
    fn secure_cookies_stay_on_tls() {
        let jar = Jar::new();
        receive(&jar, "https://a.example/", "s=1; Secure; HttpOnly; SameSite=Lax");
        assert_eq!(sent(&jar, "https://a.example/x"), "s=1");
        assert_eq!(sent(&jar, "http://a.example/x"), "");
    }

    #[test]
    fn cookies_are_replaced_and_forgotten() {
        let jar = Jar::new();
        for (set, expected) in [
            ("a=1", "a=1"),
            ("a=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT", "a=2"),
            ("a=; Max-Age=0", ""),
            ("a=3; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=3"),
            ("a=4; Expires=Thu, 01 Jan 1970 00:00:00 GMT", ""),
        ] {
            receive(&jar, "http://a.example/", set);
            assert_eq!(sent(&jar, "http://a.example/"), expected, "{set}");
        }
    }

    #[test]
    fn a_hostile_site_cannot_fill_the_jar() {
        let jar = Jar::new();
        for n in 0..2_000 {
            receive(&jar, &format!("http://h{}.example/", n % 100), &format!("c{n}={}", "x".repeat(3000)));
        }
        receive(&jar, "http://a.example/", &format!("big={}", "x".repeat(COOKIE_BYTES_MAX)));
        assert!(jar.cookies().len() <= PER_JAR_MAX);
        assert!(sent(&jar, "http://h1.example/").len() <= HEADER_BYTES_MAX + 2);
        assert_eq!(sent(&jar, "http://a.example/"), "");
    }

    proptest! {
        #[test]
        fn any_cookie_text_is_harmless(set in "\\PC*|[a=;: ,/.\\x00-\\x1f]*") {
            let jar = Jar::new();
            receive(&jar, "http://www.a.example/x", &set);
            if let Some(header) = jar.header(&url("http://www.a.example/x")) {
                prop_assert!(!header.contains(['\r', '\n', '\0']));
            }
        }
    }
}
