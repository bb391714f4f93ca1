//! What stands around every page.

use super::Past;
use crate::past::ask::Ask;

const PLACES: [(&str, &str); 7] = [
    ("/", "Home"),
    ("/changes", "Changes"),
    ("/captures", "Captures"),
    ("/listings", "Listings"),
    ("/search", "Search"),
    ("/live", "Live"),
    ("/lab", "Lab"),
];

/// Where the reader is, and whether anything can be changed from here.
pub(in crate::past) struct Frame {
    here: String,
    /// Where to go back to after a sign-in.
    pub(in crate::past) back: String,
    /// What forms must name; nothing for who is not signed in.
    pub(in crate::past) secret: Option<String>,
    pub(in crate::past) can_sign_in: bool,
}

impl Frame {
    pub(in crate::past) fn new(past: &Past, ask: &Ask) -> Frame {
        let back = ask.query.as_ref().map_or_else(|| ask.path.clone(), |query| format!("{}?{query}", ask.path));
        Frame {
            here: ask.path.clone(),
            back,
            secret: past.control.form_secret(ask),
            can_sign_in: past.control.is_possible(),
        }
    }

    pub(in crate::past) fn places(&self) -> [(&'static str, &'static str); 7] {
        PLACES
    }

    pub(in crate::past) fn is_here(&self, address: &&str) -> bool {
        match *address {
            "/" => self.here == "/" || self.here.starts_with("/site/"),
            "/changes" => matches!(self.here.as_str(), "/changes" | "/diff" | "/subscribe"),
            "/captures" => self.here.starts_with("/capture"),
            "/search" => self.here == "/search" || self.here == "/version",
            "/listings" => self.here.starts_with("/listing"),
            address => self.here == address,
        }
    }
}
