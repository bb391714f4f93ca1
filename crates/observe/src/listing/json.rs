//! Objects that are values of a JSON document, read one at a time: only the value at hand is in memory.

use super::{
    gather::Gatherer,
    way::{Field, Pointer, Way},
};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// Every value that the pointer leads to.
pub(super) fn objects(text: &str, items: &Pointer, way: &Way, gatherer: &mut Gatherer<'_>) {
    let whole = walk(text, items, &mut |item| {
        let pointed = |field: &Field| match field {
            Field::Pointer(pointer) => item.pointer(pointer).and_then(said),
            _ => None,
        };
        let id = way.id.as_ref().map_or_else(|| said(item.get("id").unwrap_or(item)), pointed);
        let attributes = gatherer.attributes.iter().map(|(_, field)| pointed(field));
        gatherer.add(id.as_deref(), attributes);
    });
    gatherer.findings.broken |= !whole;
}

/// The entries of a JSON feed.
pub(super) fn entries(text: &str, way: &Way, gatherer: &mut Gatherer<'_>) {
    let items = ["items".to_owned(), "*".to_owned()];
    let whole = walk(text, &items, &mut |item| {
        let member = |name: &str| item.get(name).and_then(said);
        let named = |field: &Field| match field {
            Field::Element { name, .. } => member(name),
            _ => None,
        };
        let id = way.id.as_ref().map_or_else(|| member("id").or_else(|| member("url")), named);
        let attributes = gatherer.attributes.iter().map(|(_, field)| named(field));
        gatherer.add(id.as_deref(), attributes);
    });
    gatherer.findings.broken |= !whole;
}

/// The texts that a pointer leads to.
pub(super) fn texts(text: &str, pointer: &[String]) -> Vec<String> {
    let mut texts = Vec::new();
    walk(text, pointer, &mut |value| texts.extend(said(value)));
    texts
}

/// A value as text; nothing where there is none.
fn said(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// Hands over every value at a place. Whether the document is whole and has that place.
fn walk(text: &str, path: &[String], each: &mut dyn FnMut(&Value)) -> bool {
    let mut reader = serde_json::Deserializer::from_str(text);
    let mut is_there = false;
    let read = Walk { path, each, is_there: &mut is_there }.deserialize(&mut reader);
    read.is_ok() && reader.end().is_ok() && is_there
}

struct Walk<'w> {
    path: &'w [String],
    each: &'w mut dyn FnMut(&Value),
    /// A place is there if its list is, be it empty.
    is_there: &'w mut bool,
}

impl<'w> Walk<'w> {
    /// The same one step on.
    fn below<'s>(&'s mut self) -> Walk<'s>
    where
        'w: 's,
    {
        Walk { path: &self.path[1..], each: &mut *self.each, is_there: &mut *self.is_there }
    }

    fn is_every(&self) -> bool {
        self.path[0] == "*"
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        if !self.path.is_empty() {
            return reader.deserialize_any(self);
        }
        *self.is_there = true;
        (self.each)(&Value::deserialize(reader)?);
        Ok(())
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        let wanted = self.path[0].parse::<usize>().ok();
        *self.is_there |= self.is_every() && self.path.len() == 1;
        for index in 0.. {
            let more = if self.is_every() || wanted == Some(index) {
                list.next_element_seed(self.below())?.is_some()
            } else {
                list.next_element::<IgnoredAny>()?.is_some()
            };
            if !more {
                break;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        *self.is_there |= self.is_every() && self.path.len() == 1;
        while let Some(name) = members.next_key::<String>()? {
            if self.is_every() || self.path[0] == name {
                members.next_value_seed(self.below())?;
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
}
