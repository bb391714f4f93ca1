//! Where on its page an element stands: in the menu, in the footer, in what the page is for.
//!
//! By the elements HTML has for that, and by the roles that do the same for pages made of `div`. No tree is built: a
//! region ends with the end tag of its name that is not that of an element inside.

use super::element::Name;
use tintype_vocab::Place;

/// Regions that may be open inside each other; deeper ones are as what they stand in.
const DEPTH_MAX: usize = 32;

/// The regions that are open where a page is being read.
#[derive(Debug, Default)]
pub(crate) struct Regions<'b> {
    open: Vec<Region<'b>>,
    /// Whether something was read that only a body has.
    pub(crate) in_body: bool,
}

#[derive(Debug)]
struct Region<'b> {
    name: Name<'b>,
    place: Place,
    /// Elements of the same name that are open inside.
    inside: u32,
}

impl<'b> Regions<'b> {
    pub(crate) fn place(&self) -> Place {
        self.open.last().map_or(Place::Unknown, |region| region.place)
    }

    #[inline]
    pub(crate) fn opens(&mut self, name: &Name<'b>, role: Option<&[u8]>) {
        let place = role.and_then(by_role).or_else(|| by_name(name.bytes(), self.open.is_empty()));
        match place {
            Some(place) if self.open.len() < DEPTH_MAX && !name.bytes().is_empty() => {
                self.open.push(Region { name: *name, place, inside: 0 });
            }
            _ => {
                if let Some(region) = self.open.last_mut().filter(|region| region.name.bytes() == name.bytes()) {
                    region.inside += 1;
                }
            }
        }
    }

    #[inline]
    pub(crate) fn closes(&mut self, name: &Name<'b>) {
        let Some(region) = self.open.last_mut() else { return };
        let name = name.bytes();
        if region.name.bytes() != name {
            self.close_around(name);
        } else if region.inside > 0 {
            region.inside -= 1;
        } else {
            self.open.pop();
        }
    }

    /// An element that is always a region ends all that was left open inside. A `div` says nothing: its start tags
    /// were not counted there.
    fn close_around(&mut self, name: &[u8]) {
        if by_name(name, true).is_some()
            && let Some(at) = self.open.iter().rposition(|region| region.name.bytes() == name)
        {
            self.open.truncate(at);
        }
    }
}

/// A header is that of the page unless it stands in something.
fn by_name(name: &[u8], outermost: bool) -> Option<Place> {
    match name {
        b"nav" => Some(Place::Navigation),
        b"header" if outermost => Some(Place::Navigation),
        b"main" | b"article" => Some(Place::Content),
        b"footer" => Some(Place::Footer),
        _ => None,
    }
}

fn by_role(role: &[u8]) -> Option<Place> {
    let role = role.trim_ascii();
    let is = |known: &[&str]| known.iter().any(|known| role.eq_ignore_ascii_case(known.as_bytes()));
    match role.len() {
        4 | 7 if is(&["main", "article"]) => Some(Place::Content),
        4 | 6 | 7 | 10 if is(&["menu", "banner", "menubar", "navigation"]) => Some(Place::Navigation),
        11 if is(&["contentinfo"]) => Some(Place::Footer),
        _ => None,
    }
}
