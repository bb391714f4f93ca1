//! What we say when we ask: an honest client's request, the same for every server.

use super::{
    Ask, ClientError, ClientSettings, connection::NoBody, credentials::Credentials, fetch_error::FetchError,
    proxy::Proxy, target::Target,
};
use http::{
    HeaderMap, HeaderName, HeaderValue, Request, Uri, Version,
    header::{
        ACCEPT, ACCEPT_ENCODING, COOKIE, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, PROXY_AUTHORIZATION, USER_AGENT,
    },
};
use tintype_vocab::Failure;

/// As browsers ask, so that servers which negotiate show what visitors see.
const ACCEPTED: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// Not br, not zstd: other people's replay tools must be able to read what we store.
const ENCODINGS: &str = "gzip, deflate";

/// The parts of a request that never change.
#[derive(Debug)]
pub(super) struct RequestHeaders {
    user_agent: HeaderValue,
    proxy_authorization: Option<HeaderValue>,
    credentials: Credentials,
}

/// How the request line names the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `/path`, to the server itself.
    Origin,
    /// `http://host/path`, to a proxy.
    Absolute,
    /// Scheme, authority and path apart.
    Http2,
}

impl RequestHeaders {
    pub(super) fn new(settings: &ClientSettings) -> Result<RequestHeaders, ClientError> {
        let user_agent = HeaderValue::from_str(&settings.user_agent)
            .map_err(|_| ClientError::UserAgent(settings.user_agent.clone()))?;
        let proxy_authorization = settings
            .proxy
            .as_ref()
            .and_then(Proxy::authorization)
            .map(|value| HeaderValue::try_from(value).expect("base64 is printable"));
        Ok(RequestHeaders { user_agent, proxy_authorization, credentials: settings.credentials.clone() })
    }

    pub(super) fn request(&self, target: &Target, ask: &Ask, form: Form) -> Result<Request<NoBody>, FetchError> {
        let mut request = Request::new(NoBody::new());
        *request.uri_mut() = uri(target, form)?;
        *request.headers_mut() = self.headers(target, ask, form)?;
        if form == Form::Http2 {
            *request.version_mut() = Version::HTTP_2;
        }
        Ok(request)
    }

    fn headers(&self, target: &Target, ask: &Ask, form: Form) -> Result<HeaderMap, FetchError> {
        let mut headers = HeaderMap::with_capacity(8);
        if form != Form::Http2 {
            headers.insert(HOST, value(target.authority())?);
        }
        headers.insert(USER_AGENT, self.user_agent.clone());
        headers.insert(ACCEPT, HeaderValue::from_static(ACCEPTED));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(ENCODINGS));
        for (name, said) in &ask.headers {
            if let (Ok(name), Ok(said)) = (HeaderName::try_from(name), HeaderValue::try_from(said)) {
                headers.insert(name, said);
            }
        }
        // A validator that cannot be sent back makes the request unconditional, which is always right.
        if let Some(Ok(etag)) = ask.validators.etag.as_deref().map(value) {
            headers.insert(IF_NONE_MATCH, etag);
        }
        if let Some(Ok(date)) = ask.validators.last_modified.as_deref().map(value) {
            headers.insert(IF_MODIFIED_SINCE, date);
        }
        let cookies = ask.jar.as_ref().and_then(|jar| jar.header(&target.url));
        let cookies = self.credentials.say(&target.url, &mut headers, cookies);
        if let Some(Ok(cookies)) = cookies.as_deref().map(value) {
            headers.insert(COOKIE, cookies);
        }
        if let (Form::Absolute, Some(authorization)) = (form, &self.proxy_authorization) {
            headers.insert(PROXY_AUTHORIZATION, authorization.clone());
        }
        Ok(headers)
    }

    /// A request head without the lines that hold passwords, which are nobody's business in an archive.
    pub(super) fn for_archive(&self, head: Vec<u8>, target: &Target) -> Vec<u8> {
        let name = |line: &[u8]| line.split(|&byte| byte == b':').next().unwrap_or_default().to_vec();
        let secret = |line: &[u8]| {
            let name = name(line);
            name.eq_ignore_ascii_case(b"proxy-authorization") || self.credentials.hides(&target.url, &name)
        };
        if !head.split_inclusive(|&b| b == b'\n').any(secret) {
            return head;
        }
        head.split_inclusive(|&b| b == b'\n').filter(|line| !secret(line)).flatten().copied().collect()
    }
}

fn value(text: &str) -> Result<HeaderValue, FetchError> {
    HeaderValue::from_str(text).map_err(|error| FetchError::new(Failure::BadUrl, error))
}

fn uri(target: &Target, form: Form) -> Result<Uri, FetchError> {
    let uri = match form {
        Form::Origin => target.path_and_query().parse(),
        Form::Absolute | Form::Http2 => {
            format!("{}://{}{}", target.url.scheme(), target.authority(), target.path_and_query()).parse()
        }
    };
    uri.map_err(|error: http::uri::InvalidUri| FetchError::new(Failure::BadUrl, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request_headers(user_agent: &str) -> Result<RequestHeaders, ClientError> {
        RequestHeaders::new(&ClientSettings::new(user_agent, ""))
    }

    #[test]
    fn the_proxys_password_is_not_archived() {
        let head = b"GET http://a/ HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic eA==\r\nA: b\r\n\r\n";
        let (request_headers, target) = (request_headers("t").unwrap(), Target::parse("http://a/", false).unwrap());
        let kept = b"GET http://a/ HTTP/1.1\r\nHost: a\r\nA: b\r\n\r\n";
        assert_eq!(request_headers.for_archive(head.to_vec(), &target), kept);
    }

    #[test]
    fn a_name_that_breaks_the_header_is_refused() {
        assert!(matches!(request_headers("a\r\nb"), Err(ClientError::UserAgent(_))));
    }

    #[test]
    fn every_path_the_url_parser_lets_through_can_be_sent() {
        let request_headers = request_headers("t").unwrap();
        let odd: String = (0x20u8..0x7f).map(char::from).filter(|c| !"?#".contains(*c)).collect();
        let url = format!("http://a.example/{odd}ü?{odd}?ü");
        let target = Target::parse(&url, false).unwrap();
        for form in [Form::Origin, Form::Absolute, Form::Http2] {
            let request = request_headers.request(&target, &Ask::default(), form).unwrap();
            assert_eq!(request.uri().path_and_query().unwrap().as_str(), target.path_and_query());
        }
    }
}
