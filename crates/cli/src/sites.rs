//! From URLs a person typed to sites that can be scheduled.

use crate::failure::usage;
use tintype_plan::ScopeRule;
use url::{Host, Url};

/// URLs that belong to one capture, and the name of their site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeedGroup {
    pub(crate) name: String,
    pub(crate) seeds: Vec<String>,
}

/// One group per host, or per registered domain when that is the scope; one in all where links lead anywhere.
pub(crate) fn group(urls: &[String], scope: &ScopeRule) -> anyhow::Result<Vec<SeedGroup>> {
    let mut groups: Vec<SeedGroup> = Vec::new();
    for text in urls {
        let url = parse(text)?;
        let name = match (scope, groups.first()) {
            (ScopeRule::Web, Some(only)) => only.name.clone(),
            (ScopeRule::Web, None) => format!("web:{}", site_name(&url, scope)),
            _ => site_name(&url, scope),
        };
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.seeds.push(url.into()),
            None => groups.push(SeedGroup { name, seeds: vec![url.into()] }),
        }
    }
    Ok(groups)
}

/// A URL as people type it: `example.com/news` means https, `localhost:8000` a server on this machine, which has no certificate.
pub(crate) fn parse(text: &str) -> anyhow::Result<Url> {
    let example = "give a full URL such as https://example.com/";
    if let Some(meant) = meant(text) {
        return Err(usage(format!("{text} is not a URL"), format!("did you mean {meant}?")));
    }
    let url = match Url::parse(text) {
        Err(url::ParseError::RelativeUrlWithoutBase) => with_scheme(text),
        // `localhost:8080/x` reads as a URL of scheme localhost.
        Ok(url) if url.cannot_be_a_base() && !text.contains("//") && starts_like_host_and_port(text) => {
            with_scheme(text)
        }
        parsed => parsed,
    };
    let url = url.map_err(|error| usage(format!("{text} is not a URL: {error}"), example))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(usage(format!("{text} is not a web page: tintype captures http and https, not {other}"), example)),
    }
}

/// A URL that a person names to be archived: what it is archived under, which is no place for a password.
pub(crate) fn parse_start(text: &str) -> anyhow::Result<Url> {
    let mut url = parse(text)?;
    url.set_fragment(None);
    if !url.username().is_empty() || url.password().is_some() {
        // Every URL of the web has a host, and so takes them or not.
        let _ = url.set_username("").and_then(|()| url.set_password(None));
        let site = site_name(&url, &ScopeRule::Host);
        let problem = format!("a URL of {site} names a user, and would be archived with name and password");
        return Err(usage(problem, format!("write tintype capture {url} --user NAME:PASSWORD, or set TINTYPE_USER")));
    }
    Ok(url)
}

fn with_scheme(text: &str) -> Result<Url, url::ParseError> {
    let https = format!("https://{text}");
    if is_own_machine(&https) { Url::parse(&format!("http://{text}")) } else { Url::parse(&https) }
}

/// Whether a URL leads to this very machine.
pub(crate) fn is_own_machine(url: &str) -> bool {
    match Url::parse(url).ok().and_then(|url| url.host().map(|host| host.to_owned())) {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// The URL that was meant where the scheme is mistyped: `http//host`, `https;//host`, `htp://host`.
fn meant(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (scheme, rest) = text.split_at(end);
    let host = rest.trim_start_matches([':', ';', '/', ',']);
    let slashes = &rest[..rest.len() - host.len()];
    let lower = scheme.to_ascii_lowercase();
    let is_right = matches!(lower.as_str(), "http" | "https");
    let looks_like =
        lower.len() >= 3 && lower.contains('t') && lower.contains('p') && lower.chars().all(|c| "htps".contains(c));
    let is_wrong = if is_right { slashes != "://" && slashes.contains('/') } else { slashes.contains("//") };
    if host.is_empty() || !looks_like || !is_wrong {
        return None;
    }
    let scheme = if lower.contains('s') { "https" } else { "http" };
    Some(format!("{scheme}://{host}"))
}

/// The registered domain of a host or URL as people type it, or the address if it has none.
pub(crate) fn registered_domain(text: &str) -> anyhow::Result<String> {
    let url = parse(text)?;
    let host = url.host_str().unwrap_or_default();
    let domain = psl::domain_str(host).filter(|_| !is_address(&url));
    Ok(domain.unwrap_or(host).to_owned())
}

fn starts_like_host_and_port(text: &str) -> bool {
    let after = text.split_once(':').map_or("", |(_, after)| after);
    let port = after.split(['/', '?', '#']).next().unwrap_or_default();
    !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

fn site_name(url: &Url, scope: &ScopeRule) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let host = match (scope, psl::domain_str(host)) {
        (ScopeRule::Domain, Some(domain)) if !is_address(url) => domain,
        _ => host,
    };
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

fn is_address(url: &Url) -> bool {
    !matches!(url.host(), Some(url::Host::Domain(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(urls: &[&str], scope: &ScopeRule) -> Vec<(String, usize)> {
        let urls: Vec<String> = urls.iter().map(|url| (*url).to_owned()).collect();
        group(&urls, scope).unwrap().into_iter().map(|group| (group.name, group.seeds.len())).collect()
    }

    #[test]
    fn urls_of_one_host_make_one_site() {
        let urls = [
            "http://www.example.com/a",
            "https://example.com/b",
            "http://news.example.com/",
            "127.0.0.1:8080/x",
            "localhost:81",
        ];
        let expected = [("example.com", 2), ("news.example.com", 1), ("127.0.0.1:8080", 1), ("localhost:81", 1)];
        assert_eq!(names(&urls, &ScopeRule::Host), expected.map(|(name, count)| (name.to_owned(), count)));
        let expected = [("example.com", 3), ("127.0.0.1:8080", 1), ("localhost:81", 1)];
        assert_eq!(names(&urls, &ScopeRule::Domain), expected.map(|(name, count)| (name.to_owned(), count)));
    }

    #[test]
    fn who_goes_wherever_links_lead_makes_one_capture_of_all() {
        let urls = ["http://www.example.com/a", "https://other.org/b"];
        assert_eq!(names(&urls, &ScopeRule::Web), [("web:example.com".to_owned(), 2)]);
    }

    #[test]
    fn a_server_on_this_machine_is_asked_without_a_certificate_unless_https_is_typed() {
        for (typed, url) in [
            ("localhost:8000", "http://localhost:8000/"),
            ("127.0.0.1/a", "http://127.0.0.1/a"),
            ("https://localhost/", "https://localhost/"),
            ("example.com", "https://example.com/"),
        ] {
            assert_eq!(parse(typed).unwrap().as_str(), url);
        }
    }

    #[test]
    fn a_mistyped_scheme_is_no_host() {
        for (typed, suggested) in [
            ("http//example.com/a", "http://example.com/a"),
            ("https//example.com", "https://example.com"),
            ("http:/example.com", "http://example.com"),
            ("https;//example.com", "https://example.com"),
            ("htp://example.com", "http://example.com"),
            ("hhtps://example.com", "https://example.com"),
            ("http:///example.com", "http://example.com"),
        ] {
            assert_eq!(meant(typed).as_deref(), Some(suggested), "{typed}");
            assert!(parse(typed).is_err(), "{typed}");
        }
        for right in ["http.example.com/a", "example.com//a", "pst.example/", "http://e.com/", "tps/x", "localhost:80/"]
        {
            assert_eq!(meant(right), None, "{right}");
        }
    }

    #[test]
    fn what_is_no_web_page_is_refused() {
        for bad in
            ["ftp://example.com/", "mailto:a@example.com", "http://", "https://exa mple.com/", "file:///etc/passwd", ""]
        {
            assert!(group(&[bad.to_owned()], &ScopeRule::Host).is_err(), "{bad}");
        }
    }
}
