//! What is said to the servers a person named and to nobody else: headers, cookies, passwords. None of it is archived
//! unless that is asked for.

use super::cookies::Jar;
use crate::clock;
use http::{HeaderMap, HeaderName, HeaderValue, header::COOKIE};
use std::fmt;
use url::Url;

/// Headers that would change what is archived, or break it.
const OWN: [&str; 9] = [
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "accept-encoding",
    "range",
    "if-none-match",
    "if-modified-since",
    "user-agent",
];

/// What a person lets us say in their name, and to whom.
#[derive(Clone, Default)]
pub struct Credentials {
    /// Where it is said: scheme, host and port of what a person named.
    named: Vec<Url>,
    headers: Vec<(HeaderName, HeaderValue)>,
    jar: Jar,
    is_recorded: bool,
}

/// How much there is, never what.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("named", &self.named.len()).field("headers", &self.headers.len()).finish()
    }
}

/// What cannot be said. It never repeats a secret.
#[derive(Debug, thiserror::Error)]
pub enum CredentialsError {
    #[error("{0} is no header: write 'Name: value' in printable ASCII")]
    Malformed(String),
    #[error("the header {0} is tintype's own to send")]
    Own(String),
    #[error("line {0} is no cookie: a cookie file has seven columns with tabs between them")]
    CookieLine(usize),
    #[error("a cookie is no name=value")]
    Cookie,
}

impl Credentials {
    /// For the servers of these URLs.
    pub fn new<'a>(urls: impl IntoIterator<Item = &'a str>) -> Credentials {
        let named = urls.into_iter().filter_map(|url| Url::parse(url).ok()).collect();
        Credentials { named, ..Credentials::default() }
    }

    /// From now on it is archived as it was said.
    pub fn record(&mut self) {
        self.is_recorded = true;
    }

    pub fn add_header(&mut self, name: &str, value: &str) -> Result<(), CredentialsError> {
        let malformed = || CredentialsError::Malformed(name.trim().escape_default().to_string());
        let header = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| malformed())?;
        if OWN.contains(&header.as_str()) {
            return Err(CredentialsError::Own(name.trim().to_owned()));
        }
        let mut value = HeaderValue::from_str(value.trim()).map_err(|_| malformed())?;
        value.set_sensitive(true);
        if header == COOKIE {
            return value.to_str().map_err(|_| malformed()).and_then(|cookies| self.add_cookies(cookies));
        }
        self.headers.push((header, value));
        Ok(())
    }

    pub fn add_user(&mut self, name_and_password: &str) -> Result<(), CredentialsError> {
        let encoded = data_encoding::BASE64.encode(name_and_password.as_bytes());
        self.add_header("Authorization", &format!("Basic {encoded}"))
    }

    pub fn add_bearer(&mut self, token: &str) -> Result<(), CredentialsError> {
        self.add_header("Authorization", &format!("Bearer {token}"))
    }

    /// `a=1; b=2`, for everything on the servers that were named.
    pub fn add_cookies(&mut self, cookies: &str) -> Result<(), CredentialsError> {
        for cookie in cookies.split(';').map(str::trim).filter(|cookie| !cookie.is_empty()) {
            if cookie.split_once('=').is_none_or(|(name, _)| name.trim().is_empty()) {
                return Err(CredentialsError::Cookie);
            }
            self.set(&format!("{cookie}; Path=/"));
        }
        Ok(())
    }

    /// A cookie file as browsers' extensions, curl and wget write it: domain, whether subdomains, path, whether TLS only,
    /// when it expires, name, value.
    pub fn add_cookie_file(&mut self, text: &str) -> Result<(), CredentialsError> {
        for (number, line) in text.lines().enumerate() {
            let line = line.strip_prefix("#HttpOnly_").unwrap_or(line);
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let columns: Vec<&str> = line.split('\t').collect();
            let [domain, subdomains, path, secure, expires, name, value] = columns[..] else {
                return Err(CredentialsError::CookieLine(number + 1));
            };
            // Some write parts of a second, and numbers beyond all time for cookies that stay.
            let expires = expires.parse::<f64>().map_err(|_| CredentialsError::CookieLine(number + 1))?;
            if expires != 0.0 && expires * 1000.0 <= clock::now().as_millis() as f64 {
                continue;
            }
            let secure = if secure.eq_ignore_ascii_case("true") { "; Secure" } else { "" };
            let host = domain.trim_start_matches('.');
            let cookie = match subdomains.eq_ignore_ascii_case("true") {
                true => format!("{name}={value}; Path={path}; Domain={host}{secure}"),
                false => format!("{name}={value}; Path={path}{secure}"),
            };
            let of_domain = |url: &&Url| {
                let named = url.host_str().unwrap_or_default();
                named == host || subdomains.eq_ignore_ascii_case("true") && named.ends_with(&format!(".{host}"))
            };
            let named: Vec<Url> = self.named.iter().filter(of_domain).cloned().collect();
            named.iter().for_each(|url| self.jar.receive(url, cookie.as_bytes(), clock::now()));
        }
        Ok(())
    }

    fn set(&self, cookie: &str) {
        self.named.iter().for_each(|url| self.jar.receive(url, cookie.as_bytes(), clock::now()));
    }

    fn go_to(&self, url: &Url) -> bool {
        self.named.iter().any(|named| named.origin() == url.origin())
    }

    /// Says it, if this is a server that was named. `cookies` are those the server set itself.
    pub(super) fn say(&self, url: &Url, headers: &mut HeaderMap, cookies: Option<String>) -> Option<String> {
        if !self.go_to(url) {
            return cookies;
        }
        headers.extend(self.headers.iter().cloned());
        match (cookies, self.jar.header(url)) {
            (Some(theirs), Some(ours)) => Some(format!("{ours}; {theirs}")),
            (theirs, ours) => theirs.or(ours),
        }
    }

    /// Whether a header of a request is nobody's business in an archive.
    pub(super) fn hides(&self, url: &Url, name: &[u8]) -> bool {
        let is = |secret: &str| name.eq_ignore_ascii_case(secret.as_bytes());
        let cookies = || is("cookie") && self.jar.header(url).is_some();
        !self.is_recorded
            && self.go_to(url)
            && (self.headers.iter().any(|(secret, _)| is(secret.as_str())) || cookies())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    /// The headers and cookies that go to a URL.
    fn said(credentials: &Credentials, to: &str) -> (usize, String) {
        let mut headers = HeaderMap::new();
        let cookies = credentials.say(&url(to), &mut headers, None);
        (headers.len(), cookies.unwrap_or_default())
    }

    #[test]
    fn what_is_secret_goes_to_the_named_server_only_and_is_not_shown() {
        let mut credentials = Credentials::new(["https://a.example/x"]);
        credentials.add_user("me:secret").unwrap();
        credentials.add_cookies("a=1; b=2").unwrap();
        assert_eq!(said(&credentials, "https://a.example/y"), (1, "a=1; b=2".to_owned()));
        for other in ["http://a.example/", "https://a.example:444/", "https://b.example/", "https://sub.a.example/"] {
            assert_eq!(said(&credentials, other), (0, String::new()), "{other}");
        }
        let here = url("https://a.example/");
        assert!(credentials.hides(&here, b"Authorization") && credentials.hides(&here, b"cookie"));
        assert!(!credentials.hides(&here, b"accept") && !format!("{credentials:?}").contains("secret"));
        credentials.record();
        assert!(!credentials.hides(&here, b"authorization"));
    }

    #[test]
    fn cookie_files_of_other_tools_are_read() {
        let file = "# Netscape HTTP Cookie File\n\n.a.example\tTRUE\t/\tFALSE\t0\tall\t1\n\
                    #HttpOnly_www.a.example\tFALSE\t/in\tTRUE\t99999999999\thidden\t2\n\
                    b.example\tFALSE\t/\tFALSE\t0\tother\t3\nwww.a.example\tFALSE\t/\tFALSE\t1000\told\t4\n";
        let mut credentials = Credentials::new(["https://www.a.example/"]);
        credentials.add_cookie_file(file).unwrap();
        assert_eq!(said(&credentials, "https://www.a.example/").1, "all=1");
        assert_eq!(said(&credentials, "https://www.a.example/in").1, "hidden=2; all=1");
        for (until, is_read) in [("9223372036854775807", true), ("9999999999.5", true), ("-9223372036854775808", false)]
        {
            let mut credentials = Credentials::new(["https://a.example/"]);
            credentials.add_cookie_file(&format!("a.example\tFALSE\t/\tFALSE\t{until}\tname\t1\n")).unwrap();
            assert_eq!(!said(&credentials, "https://a.example/").1.is_empty(), is_read, "{until}");
        }
        let error = credentials.add_cookie_file("a b c").unwrap_err().to_string();
        assert!(error.contains("line 1"), "{error}");
    }

    #[test]
    fn what_would_break_the_archive_is_refused_without_repeating_a_secret() {
        let mut credentials = Credentials::default();
        for (name, value) in [("Host", "x"), ("range", "bytes=0-"), ("a b", "secret"), ("A", "sec\nret")] {
            let error = credentials.add_header(name, value).unwrap_err().to_string();
            assert!(!error.contains("sec"), "{error}");
        }
        assert!(credentials.add_cookies("secret").is_err());
    }
}
