//! A URI in the features of the paper: extension E, file name F, path tokens T, and domain D.
//!
//! The paper calls three things D: the host, the pay-level domain, and the top-level domain. The second makes pairs with
//! tokens here, the third stands in where a domain is new. Nothing is copied, and no more than the first two kilobytes
//! are looked at.

use crate::address::{Address, PARTS_MAX};
use rapidhash::v3::rapidhash_v3;

/// Bytes of a part that tell it from others.
const PART_MAX: usize = 64;
/// Most tokens that [`Parts::tokens`] gives.
pub(super) const TOKENS_MAX: usize = PARTS_MAX + 1;

/// The features of one URI.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    address: Address<'a>,
    host: &'a str,
    domain: &'a str,
    file: &'a str,
    extension: Option<&'a str>,
}

impl<'a> Parts<'a> {
    pub fn of(uri: &'a str) -> Parts<'a> {
        let address = Address::of(uri);
        let host = bare(address.host);
        let name = if address.is_directory { "" } else { address.name() };
        let extension = if address.is_directory { None } else { address.extension() };
        let file = extension.map_or(name, |extension| &name[..name.len() - extension.len() - 1]);
        Parts { address, host, domain: registered_domain(host), file, extension }
    }

    /// The host, without port and user.
    pub fn host(&self) -> &'a str {
        self.host
    }

    /// What somebody registered, `example.co.uk`; the host itself where that cannot be told.
    pub fn domain(&self) -> &'a str {
        self.domain
    }

    /// The last label of the host; nothing of an address made of numbers.
    pub fn top_level(&self) -> &'a str {
        let last = self.host.rsplit('.').next().unwrap_or_default();
        if last.bytes().any(|byte| byte.is_ascii_alphabetic()) { last } else { "" }
    }

    /// The parts of the path; the last one only if it has no extension, and so may be a directory.
    pub fn tokens(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let address = self.address;
        let last = self.extension().is_none().then(|| address.name());
        let count = address.directories().len();
        (0..count).map(move |at| address.directories()[at]).chain(last.filter(|name| !name.is_empty()))
    }

    /// The name without its extension; nothing behind a slash.
    pub fn file(&self) -> &'a str {
        self.file
    }

    pub fn extension(&self) -> Option<&'a str> {
        self.extension
    }

    /// The keys of the query.
    pub fn keys(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.address.keys()
    }
}

/// A host as it stands between user and port.
fn bare(host: &str) -> &str {
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    match host.rsplit_once(':') {
        Some((before, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => before,
        _ => host,
    }
}

fn registered_domain(host: &str) -> &str {
    let is_name = host.bytes().next_back().is_some_and(|byte| byte.is_ascii_alphabetic());
    if is_name { psl::domain_str(host).unwrap_or(host) } else { host }
}

/// What stands for a part wherever parts are counted: upper and lower case are one.
pub(super) fn hashed(part: &str) -> u64 {
    let mut lower = [0; PART_MAX];
    let part = &part.as_bytes()[..part.len().min(PART_MAX)];
    let lower = &mut lower[..part.len()];
    lower.copy_from_slice(part);
    lower.make_ascii_lowercase();
    rapidhash_v3(lower)
}

/// What stands for two parts seen together, in this order.
pub(super) fn joined(one: u64, other: u64) -> u64 {
    let product = u128::from(one ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_example_of_the_paper_comes_apart() {
        let parts = Parts::of("http://www.w3.org/2007/08/video/slides/KidsHealth/Angio.avi");
        assert_eq!((parts.host(), parts.domain(), parts.top_level()), ("www.w3.org", "w3.org", "org"));
        assert_eq!(parts.tokens().collect::<Vec<_>>(), ["2007", "08", "video", "slides", "KidsHealth"]);
        assert_eq!((parts.file(), parts.extension()), ("Angio", Some("avi")));
    }

    #[test]
    fn domains_are_what_somebody_registered() {
        for (host, domain, top_level) in [
            ("a.b.example.co.uk:8080", "example.co.uk", "uk"),
            ("me@example.org", "example.org", "org"),
            ("127.0.0.1:80", "127.0.0.1", ""),
            ("[::1]", "[::1]", ""),
            ("localhost", "localhost", "localhost"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example", "example"),
            ("", "", ""),
        ] {
            let url = format!("https://{host}/x");
            let parts = Parts::of(&url);
            assert_eq!((parts.domain(), parts.top_level()), (domain, top_level), "{host}");
        }
    }

    #[test]
    fn directories_have_no_file() {
        let parts = Parts::of("http://h.example/a/b.d/?q=x.gif");
        assert_eq!((parts.tokens().collect::<Vec<_>>(), parts.file(), parts.extension()), (vec!["a", "b.d"], "", None));
        let maybe = Parts::of("http://h.example/a/b");
        assert_eq!((maybe.tokens().collect::<Vec<_>>(), maybe.file()), (vec!["a", "b"], "b"));
        let front = Parts::of("http://h.example");
        assert_eq!((front.tokens().count(), front.file(), front.extension()), (0, "", None));
    }

    #[test]
    fn case_does_not_tell_parts_apart_and_order_does() {
        assert_eq!(hashed("JPG"), hashed("jpg"));
        assert_ne!(joined(hashed("a"), hashed("b")), joined(hashed("b"), hashed("a")));
    }

    proptest! {
        #[test]
        fn any_text_has_parts(text in "(https?://)?[\\PC\0]{0,80}") {
            let parts = Parts::of(&text);
            prop_assert!(parts.tokens().count() <= TOKENS_MAX);
            prop_assert!(text.contains(parts.host()) && parts.host().ends_with(parts.domain()));
            prop_assert!(text.contains(parts.file()) && text.contains(parts.extension().unwrap_or_default()));
        }
    }
}
