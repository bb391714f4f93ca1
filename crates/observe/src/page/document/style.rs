//! Style sheets as a tree: rules by their selectors, declarations inside of them. Comments are not there.

use super::tree::{DEPTH_MAX, NODES_MAX, Node};
use memchr::memmem;

/// The tree of a sheet. Whatever is not a rule is text.
pub(super) fn read(sheet: &str) -> Node<'static> {
    let mut reader = Rules { open: vec![(String::new(), Vec::new())], said: String::new(), too_deep: 0, nodes: 0 };
    let mut rest = sheet;
    while let Some(first) = rest.chars().next().filter(|_| reader.nodes < NODES_MAX) {
        let len = match first {
            '/' if rest.starts_with("/*") => {
                reader.said.push(' ');
                memmem::find(rest.as_bytes(), b"*/").map_or(rest.len(), |end| end + 2)
            }
            '"' | '\'' => reader.keep(rest, string(rest)),
            '\\' => reader.keep(rest, 1 + rest[1..].chars().next().map_or(0, char::len_utf8)),
            '{' => reader.open(),
            '}' => reader.close(),
            ';' => reader.end(),
            _ => reader.keep(rest, plain(rest)),
        };
        rest = &rest[len..];
    }
    reader.said.push_str(rest);
    reader.finish()
}

/// How far a string goes: to its quote, or the end of the line.
fn string(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if *byte == bytes[0] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// How far nothing of interest goes; at least one character.
fn plain(rest: &str) -> usize {
    let first = rest.chars().next().map_or(0, char::len_utf8);
    rest[first..].find(['/', '"', '\'', '\\', '{', '}', ';']).map_or(rest.len(), |end| first + end)
}

struct Rules {
    /// Selectors of the rules that are open, and what is inside.
    open: Vec<(String, Vec<Node<'static>>)>,
    said: String,
    too_deep: usize,
    nodes: usize,
}

impl Rules {
    fn keep(&mut self, rest: &str, len: usize) -> usize {
        let end = rest.ceil_char_boundary(len.min(rest.len()));
        self.said.push_str(&rest[..end]);
        end
    }

    fn open(&mut self) -> usize {
        if self.open.len() >= DEPTH_MAX {
            self.too_deep += 1;
        } else {
            let selector = std::mem::take(&mut self.said);
            self.open.push((selector.split_whitespace().collect::<Vec<_>>().join(" "), Vec::new()));
        }
        1
    }

    fn end(&mut self) -> usize {
        let said = std::mem::take(&mut self.said);
        if let (false, Some((_, inside))) = (said.trim().is_empty(), self.open.last_mut()) {
            inside.push(Node::text("", said));
            self.nodes += 1;
        }
        1
    }

    fn close(&mut self) -> usize {
        self.end();
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if self.open.len() > 1
            && let Some((selector, inside)) = self.open.pop()
        {
            self.nodes += 1;
            self.inside().push(Node::many(selector, inside));
        }
        1
    }

    fn inside(&mut self) -> &mut Vec<Node<'static>> {
        &mut self.open.last_mut().expect("the sheet itself is never closed").1
    }

    fn finish(mut self) -> Node<'static> {
        self.too_deep = 0;
        while self.open.len() > 1 {
            self.close();
        }
        self.end();
        Node::many("", std::mem::take(self.inside()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_hold_declarations_and_rules() {
        let tree =
            read("@import 'x;y'; /* gone { */ p,\n a { color: red; b: \"}\" } @media x { i { j: \\} } }  } rest");
        let rule = |selector: &'static str, inside| Node::many(selector, inside);
        let expected = vec![
            Node::text("", "@import 'x;y'"),
            rule("p, a", vec![Node::text("", " color: red"), Node::text("", " b: \"}\" ")]),
            rule("@media x", vec![rule("i", vec![Node::text("", " j: \\} ")])]),
            Node::text("", " rest"),
        ];
        assert_eq!(tree, rule("", expected));
    }

    #[test]
    fn deep_and_broken_sheets_are_read() {
        for sheet in ["{".repeat(10_000), "a{b".repeat(10_000), "\"".repeat(9_999), "/*".to_owned(), "\\".to_owned()] {
            read(&sheet);
        }
        assert_eq!(read("a{b:é\\é").words, 1);
    }
}
