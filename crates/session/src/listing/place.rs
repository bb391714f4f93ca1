//! Where pages of a listing are.

use tintype_vocab::{PageUrl, surt};

/// What tells pages of a listing apart wherever its site moved: path and query as they are sent, but the host alone without
/// scheme and `www.`, since a page that is linked under http is asked for under https once the site sent visitors there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(String);

impl Place {
    pub(super) fn of(url: &str) -> Place {
        let (url, mut place) = (PageUrl::new(url), surt(url));
        place.truncate(place.find(")/").map_or(place.len(), |end| end + 1));
        let host = url.as_str().find("://").map_or(0, |at| at + 3);
        place.push_str(url.as_str()[host..].find('/').map_or("", |at| &url.as_str()[host + at..]));
        Place(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_stays_when_its_site_moves_and_no_other_is_taken_for_it() {
        let place = Place::of("http://e.com/list?ID=aB");
        assert_eq!(Place::of("https://www.e.com/list?ID=aB#end"), place);
        for other in
            ["http://e.com/list?ID=Ab", "http://e.com/list/?ID=aB", "http://x.e.com/list?ID=aB", "http://e.com/"]
        {
            assert_ne!(Place::of(other), place, "{other}");
        }
    }
}
