//! Where the addresses of an archived page lead in replay.

use super::name::ReplayName;
use url::Url;

/// How archived addresses are spelled.
#[derive(Clone, Debug)]
pub(super) enum Spelling {
    /// On origins of their own: `suffix` is name and port of the server.
    Origins { here: ReplayName, suffix: String },
    /// Below a path of the interface, for readers without script or without such names.
    Paths { origin: String, timestamp: String },
}

/// The addresses of one page.
#[derive(Clone, Debug)]
pub(super) struct Addresses {
    pub(super) base: Url,
    pub(super) spelling: Spelling,
}

impl Addresses {
    fn joined(&self, written: &str) -> Option<Url> {
        let written = written.trim();
        if written.is_empty() || written.starts_with('#') {
            return None;
        }
        self.base.join(written).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
    }

    /// Whether an address lies at the origin a page is shown on.
    fn is_here(&self, url: &Url) -> bool {
        let Spelling::Origins { here, .. } = &self.spelling else { return false };
        let (is_https, host) = (url.scheme() == "https", url.host_str().unwrap_or_default());
        is_https == here.is_https
            && here.host.strip_prefix(host).is_some_and(|rest| match (url.port(), rest.strip_prefix(':')) {
                (None, None) => rest.is_empty(),
                (Some(port), Some(known)) => known.parse() == Ok(port),
                _ => false,
            })
    }

    /// Whether an address is relative to a page on its own origin: there a browser reads it as it did.
    fn stays(&self, written: &str) -> bool {
        let written = written.trim_start();
        let end = written.find(['/', '?', '#', '\\']).unwrap_or(written.len());
        let is_relative = !written[..end].contains(':') && !written[end..].starts_with("//") && !written.contains('\\');
        is_relative && self.is_here(&self.base)
    }

    /// Where a link, a frame or a form leads; nothing if it is to stay as it is.
    pub(super) fn page(&self, written: &str) -> Option<String> {
        if self.stays(written) {
            return None;
        }
        let url = self.joined(written)?;
        Some(match &self.spelling {
            Spelling::Origins { .. } if self.is_here(&url) => target(&url),
            Spelling::Origins { here, suffix } => address(&url, &here.timestamp, suffix),
            Spelling::Paths { origin, timestamp } => format!("{origin}/web/{timestamp}mp_/{url}"),
        })
    }

    /// Where an image, a script or a style sheet is; nothing if it is to stay as it is.
    pub(super) fn resource(&self, written: &str) -> Option<String> {
        if self.stays(written) {
            return None;
        }
        let url = self.joined(written)?;
        Some(match &self.spelling {
            Spelling::Origins { .. } => match self.is_here(&url) {
                true => target(&url),
                false => format!("/__tt/f/{url}"),
            },
            Spelling::Paths { origin, timestamp } => format!("{origin}/web/{timestamp}im_/{url}"),
        })
    }

    /// A list of images for several sizes of screens.
    pub(super) fn srcset(&self, written: &str) -> String {
        let candidates = written.split(", ").flat_map(|part| match part.matches(',').count() {
            // Addresses of data hold commas; those of pages hardly ever do without a space behind.
            1.. if !part.contains("data:") && part.split(',').all(|one| one.contains(' ')) => part.split(',').collect(),
            _ => vec![part],
        });
        let spelled = candidates.map(|candidate| {
            let candidate = candidate.trim().trim_end_matches(',');
            let (url, size) = candidate.split_once(char::is_whitespace).unwrap_or((candidate, ""));
            let url = self.resource(url).unwrap_or_else(|| url.to_owned());
            if size.is_empty() { url } else { format!("{url} {size}") }
        });
        spelled.collect::<Vec<_>>().join(", ")
    }
}

/// Path, query and fragment.
fn target(url: &Url) -> String {
    url[url::Position::BeforePath..].to_owned()
}

/// The address of an archived page on its own origin.
pub(super) fn address(url: &Url, timestamp: &str, suffix: &str) -> String {
    let Some(name) = ReplayName::of(url, timestamp) else { return url.to_string() };
    match name.labels() {
        Some(labels) => format!("http://{labels}.{suffix}{}", target(url)),
        None => format!("http://{}.{suffix}/__tt/f/{url}", name.hashed()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(spelling: Spelling) -> Addresses {
        Addresses { base: Url::parse("https://www.e.com/a/b.html").unwrap(), spelling }
    }

    #[test]
    fn addresses_stay_in_the_archive() {
        let url = Url::parse("https://www.e.com/").unwrap();
        let here = ReplayName::of(&url, "20261118000000").unwrap();
        let page = of(Spelling::Origins { here, suffix: "localhost:80".into() });
        assert_eq!(
            [page.page("c.html#d"), page.resource("../c.png"), page.page("/a:b")],
            [None, None, None],
            "as it was"
        );
        assert_eq!(page.page("https://www.e.com/c?d").as_deref(), Some("/c?d"));
        assert_eq!(
            page.page("http://www.e.com/c").as_deref(),
            Some("http://20261118000000.www.h-e--com.localhost:80/c")
        );
        assert_eq!(
            page.page("https://www.e.com:81/c").as_deref(),
            Some("http://20261118000000.www.s-e--com-p81.localhost:80/c")
        );
        assert_eq!(page.page("//api.e.com/x").as_deref(), Some("http://20261118000000.api.s-e--com.localhost:80/x"));
        assert_eq!([page.page("#x"), page.page("mailto:a@b"), page.page("javascript:x()")], [None, None, None]);
        assert_eq!(page.resource("http://cdn.com/c.js?x=1").as_deref(), Some("/__tt/f/http://cdn.com/c.js?x=1"));
        assert_eq!(
            page.srcset("c.png 1x, //d.com/e.png 2x,f.png 3x"),
            "c.png 1x, /__tt/f/https://d.com/e.png 2x, f.png 3x"
        );
        let paths = of(Spelling::Paths { origin: "http://h".into(), timestamp: "2026".into() });
        assert_eq!(paths.page("/x").as_deref(), Some("http://h/web/2026mp_/https://www.e.com/x"));
    }
}
