//! SURT.

/// The SURT of a URL.
pub fn surt(url: &str) -> String {
    url.to_owned()
}
