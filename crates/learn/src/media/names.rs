//! Names of media types, numbered in the order in which they appear.

use super::parts::hashed;
use tintype_vocab::{ContentType, MediaRange};

/// Names that are told apart: there are some two thousand registered, and servers make up more.
pub(super) const NAMES_MAX: usize = 512;
/// Longest name that is one.
const NAME_MAX: usize = 127;
/// Bytes of all names together.
const TEXT_MAX: usize = 16 << 10;
/// Room to look names up, at most half full.
const PLACES: usize = 2 * NAMES_MAX;

/// A media type by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NameId(pub(super) u16);

/// The names met so far. Takes the same room whatever they are.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// All of them, one behind the other.
    text: String,
    /// Where each ends.
    ends: Vec<u32>,
    content_types: Vec<Option<ContentType>>,
    /// By hash, one more than the number of a name; 0 where there is none.
    places: Vec<u16>,
}

impl Default for Names {
    fn default() -> Names {
        Names {
            text: String::with_capacity(TEXT_MAX),
            ends: Vec::with_capacity(NAMES_MAX),
            content_types: Vec::with_capacity(NAMES_MAX),
            places: vec![0; PLACES],
        }
    }
}

impl Names {
    /// The number of a name, which may be new. Nothing of what is no media type, and of new ones when the table is full.
    pub(super) fn intern(&mut self, name: &str) -> Option<NameId> {
        let place = match self.look(name) {
            Ok(found) => return Some(found),
            Err(place) => place,
        };
        let may_be_a_name = name.contains('/') && name.len() <= NAME_MAX && !name.contains(char::is_whitespace);
        if self.ends.len() == NAMES_MAX || self.text.len() + name.len() > TEXT_MAX || !may_be_a_name {
            return None;
        }
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        self.content_types.push(ContentType::of(name));
        self.places[place] = self.ends.len() as u16;
        Some(NameId(self.ends.len() as u16 - 1))
    }

    /// The number of a name that was met before.
    pub(super) fn find(&self, name: &str) -> Option<NameId> {
        self.look(name).ok()
    }

    pub(super) fn get(&self, id: NameId) -> &str {
        let at = usize::from(id.0);
        let from = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text[from..self.ends[at] as usize]
    }

    /// The names that have one, each with its content type.
    pub(super) fn content_types(&self) -> impl Iterator<Item = (NameId, ContentType)> {
        let numbered = self.content_types.iter().enumerate();
        numbered.filter_map(|(at, content_type)| Some((NameId(at as u16), (*content_type)?)))
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (NameId, &str)> {
        (0..self.len() as u16).map(|at| (NameId(at), self.get(NameId(at))))
    }

    /// The numbers of all that is in a range.
    pub(super) fn within(&self, range: &MediaRange) -> impl Iterator<Item = NameId> {
        self.iter().filter(|(_, name)| range.contains(name)).map(|(id, _)| id)
    }

    pub(super) fn bytes(&self) -> usize {
        self.text.capacity()
            + self.ends.capacity() * size_of::<u32>()
            + self.content_types.capacity() * size_of::<Option<ContentType>>()
            + self.places.capacity() * size_of::<u16>()
    }

    /// Where a name is, or where it would go.
    fn look(&self, name: &str) -> Result<NameId, usize> {
        let mut place = hashed(name) as usize % PLACES;
        while let Some(id) = self.places[place].checked_sub(1) {
            if self.get(NameId(id)) == name {
                return Ok(NameId(id));
            }
            place = (place + 1) % PLACES;
        }
        Err(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_once_and_not_without_end() {
        let mut names = Names::default();
        let numbers = ["text/html", "image/png", "text/html"].map(|name| names.intern(name).unwrap().0);
        assert_eq!((numbers, names.get(NameId(1))), ([0, 1, 0], "image/png"));
        assert_eq!(names.within(&"image".parse().unwrap()).collect::<Vec<_>>(), [NameId(1)]);
        for odd in ["", "html", "text/ html", &format!("text/{}", "x".repeat(NAME_MAX))] {
            assert_eq!(names.intern(odd), None, "{odd}");
        }
        for number in 0..2 * NAMES_MAX {
            let name = format!("made/up-{number}");
            let id = names.intern(&name);
            assert_eq!(id.is_some(), number + 2 < NAMES_MAX);
            assert!(id.is_none_or(|id| names.get(id) == name));
        }
        assert_eq!((names.len(), names.intern("text/html")), (NAMES_MAX, Some(NameId(0))));
    }
}
