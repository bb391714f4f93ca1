//! JSON as a tree: members by name, whatever their order; lists in theirs.

use super::tree::{NODES_MAX, Node};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::{cell::Cell, fmt};

/// The tree of a document, or of one on every line; nothing if it is neither, too large or too deep.
pub(super) fn read(text: &str) -> Option<Node<'static>> {
    let left = Cell::new(NODES_MAX);
    document(text, &left).or_else(|| lines(text, &left))
}

fn document(text: &str, left: &Cell<usize>) -> Option<Node<'static>> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let tree = Seed { name: String::new(), left }.deserialize(&mut reader).ok()?;
    reader.end().is_ok().then_some(tree)
}

fn lines(text: &str, left: &Cell<usize>) -> Option<Node<'static>> {
    left.set(NODES_MAX);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = document(lines.next()?, left)?;
    let mut documents = vec![first];
    for line in lines {
        // A line that broke off is still there to be read.
        documents.push(document(line, left).unwrap_or_else(|| Node::text("", line.to_owned())));
        left.set(left.get().checked_sub(1)?);
    }
    Some(Node::many("", documents))
}

/// Reads a value of that name, as long as there is room for more.
struct Seed<'c> {
    name: String,
    left: &'c Cell<usize>,
}

impl Seed<'_> {
    fn text<E>(self, text: impl Into<String>) -> Result<Node<'static>, E> {
        Ok(Node::text(self.name, text.into()))
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Node<'static>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Node<'static>, D::Error> {
        let left = self.left.get().checked_sub(1).ok_or_else(|| D::Error::custom("too many values"))?;
        self.left.set(left);
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Node<'static>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        self.text("")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        self.text(value.to_string())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        self.text(value.to_string())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        self.text(value.to_string())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        // Never with hundreds of digits, as numbers otherwise print.
        self.text(serde_json::Number::from_f64(value).map_or_else(String::new, |number| number.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        self.text(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(Seed { name: String::new(), left: self.left })? {
            items.push(item);
        }
        Ok(Node::many(self.name, items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key()? {
            members.push(map.next_value_seed(Seed { name, left: self.left })?);
        }
        members.sort_by(|one, two| one.name.cmp(&two.name));
        Ok(Node::many(self.name, members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_members_is_none() {
        let [one, two] = [r#"{"a":[1,{"x":null,"b":true}],"c":1.50}"#, r#" {"c":1.5,"a":[1,{"b":true,"x":null}]}"#];
        assert_eq!(read(one).unwrap(), read(two).unwrap());
        assert_ne!(read("[1,2]").unwrap(), read("[2,1]").unwrap());
    }

    #[test]
    fn documents_may_stand_on_lines() {
        let tree = read("{\"a\":1}\n\n{\"a\":2}\n{\"a\":").unwrap();
        let each = [1, 2].map(|n| Node::many("", vec![Node::text("a", n.to_string())]));
        assert_eq!(tree, Node::many("", each.into_iter().chain([Node::text("", "{\"a\":")]).collect()));
    }

    #[test]
    fn what_is_no_json_or_too_much_of_it_is_none() {
        let (deep, many) = ("[".repeat(100_000), format!("[{}1]", "1,".repeat(NODES_MAX)));
        let (lines, broken) = ("1\n".repeat(NODES_MAX), format!("1\n{}", "{\n".repeat(NODES_MAX)));
        for text in ["", "{", "hello", "[1] x", &deep, &many, &lines, &broken] {
            assert_eq!(read(text), None, "{}", &text[..text.len().min(10)]);
        }
    }
}
