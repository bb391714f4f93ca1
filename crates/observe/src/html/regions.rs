//! Where on its page an element stands: in the menu, in the footer, in what the page is for.
//!
//! By the elements HTML has for that, and by the roles that do the same for pages made of `div`. No tree is built: a
//! region ends with the end tag of its name that is not that of an element inside.

use super::{blocks::Boundary, element::Name};
use tintype_vocab::LinkPlace;

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
    place: LinkPlace,
    /// Of an element that is a region by its role: how many of the same name are open inside.
    inside: Option<u32>,
}

impl<'b> Regions<'b> {
    pub(crate) fn place(&self) -> LinkPlace {
        self.open.last().map_or(LinkPlace::Unknown, |region| region.place)
    }

    #[inline]
    pub(crate) fn opens(&mut self, boundary: Option<Boundary>, name: &Name<'b>, role: Option<&[u8]>) {
        let named = boundary.and_then(by_name);
        match role.and_then(by_role).or(named) {
            Some(place) => self.push(name, place, named.is_none()),
            None => {
                if let Some(inside) = self.counted(name) {
                    *inside += 1;
                }
            }
        }
    }

    #[inline]
    pub(crate) fn closes(&mut self, boundary: Option<Boundary>, name: &Name<'b>) {
        if self.open.is_empty() {
            return;
        }
        if boundary.and_then(by_name).is_some() {
            // Ends all that was left open inside. A `div` could not: its start tags were not counted there.
            let begin = self.open.iter().rposition(|region| region.name.bytes() == name.bytes());
            self.open.truncate(begin.unwrap_or(self.open.len()));
        } else if let Some(inside) = self.counted(name) {
            match inside.checked_sub(1) {
                Some(left) => *inside = left,
                None => drop(self.open.pop()),
            }
        }
    }

    fn push(&mut self, name: &Name<'b>, place: LinkPlace, by_role: bool) {
        // A header is that of the page unless it stands in something.
        let within = self.open.last().filter(|_| name.bytes() == b"header").map(|region| region.place);
        if self.open.len() < DEPTH_MAX && !name.bytes().is_empty() {
            let inside = by_role.then_some(0);
            self.open.push(Region { name: *name, place: within.unwrap_or(place), inside });
        }
    }

    /// The count of the innermost region, if elements of that name are counted in it.
    #[inline]
    fn counted(&mut self, name: &Name<'_>) -> Option<&mut u32> {
        let region = self.open.last_mut()?;
        region.inside.as_mut().filter(|_| region.name.bytes() == name.bytes())
    }
}

fn by_name(boundary: Boundary) -> Option<LinkPlace> {
    match boundary {
        Boundary::Region(place) => Some(place),
        Boundary::Article => Some(LinkPlace::Content),
        _ => None,
    }
}

fn by_role(role: &[u8]) -> Option<LinkPlace> {
    let role = role.trim_ascii();
    let is = |known: &[&str]| known.iter().any(|known| role.eq_ignore_ascii_case(known.as_bytes()));
    match () {
        () if is(&["main", "article"]) => Some(LinkPlace::Content),
        () if is(&["menu", "banner", "menubar", "navigation"]) => Some(LinkPlace::Navigation),
        () if is(&["contentinfo"]) => Some(LinkPlace::Footer),
        () => None,
    }
}
