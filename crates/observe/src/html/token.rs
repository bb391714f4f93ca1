//! The tags of an HTML document, by the tokenizer of the HTML standard cut down to what tags need.
//!
//! Works on bytes of any ASCII-compatible encoding, allocates nothing per tag and is linear in the input: every
//! construct that never ends consumes the rest of the document once. Written by hand because a streaming rewriter's
//! selector machinery costs several times the tokenizing itself; a test holds it against that rewriter.

use memchr::{memchr, memchr2, memmem};

/// Most attributes kept of one tag.
const ATTRIBUTES_MAX: usize = 256;

/// One attribute as written, the value without quotes and with its character references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attribute<'b> {
    pub(crate) name: &'b [u8],
    pub(crate) value: &'b [u8],
}

/// What sort of tag was read; its name and attributes are in [`Tags`] until the next one is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) closes: bool,
    pub(crate) self_closing: bool,
}

/// Reads tag after tag.
#[derive(Debug)]
pub(crate) struct Tags<'b> {
    bytes: &'b [u8],
    at: usize,
    /// Of the tag just read, as written.
    pub(crate) name: &'b [u8],
    attributes: Vec<Attribute<'b>>,
    /// Whether `<![CDATA[` hides markup, as in XML and inside svg.
    pub(crate) cdata: bool,
}

impl<'b> Tags<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Tags<'b> {
        Tags { bytes, at: 0, name: &[], attributes: Vec::new(), cdata: false }
    }

    /// The value of an attribute of the tag just read; of several with one name the first counts.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'b [u8]> {
        self.attributes.iter().find(|attribute| attribute.name.eq_ignore_ascii_case(name.as_bytes())).map(|a| a.value)
    }

    pub(crate) fn attributes(&self) -> &[Attribute<'b>] {
        &self.attributes
    }

    /// The next tag; nothing when the document, or a tag that never ends, is over.
    pub(crate) fn next(&mut self) -> Option<Tag> {
        self.next_after(|_| {})
    }

    /// The next tag, and before it the text that leads there, in the pieces comments cut it into.
    pub(crate) fn next_after(&mut self, mut text: impl FnMut(&'b [u8])) -> Option<Tag> {
        let mut start = self.at;
        loop {
            let Some(found) = memchr(b'<', self.bytes.get(self.at..)?) else {
                text(&self.bytes[start..]);
                self.at = self.bytes.len();
                return None;
            };
            let end = self.at + found;
            self.at = end + 1;
            match *self.bytes.get(self.at)? {
                first if first.is_ascii_alphabetic() => {
                    text(&self.bytes[start..end]);
                    return self.tag(false);
                }
                b'/' => match *self.bytes.get(self.at + 1)? {
                    first if first.is_ascii_alphabetic() => {
                        text(&self.bytes[start..end]);
                        self.at += 1;
                        return self.tag(true);
                    }
                    _ => self.skip_past(b'>')?,
                },
                b'!' => self.declaration()?,
                b'?' => self.skip_past(b'>')?,
                _ => continue,
            }
            text(&self.bytes[start..end]);
            start = self.at;
        }
    }

    fn skip_past(&mut self, byte: u8) -> Option<()> {
        self.at += memchr(byte, &self.bytes[self.at..])? + 1;
        Some(())
    }

    /// Comments, CDATA sections and doctypes; `at` stands on the exclamation mark.
    fn declaration(&mut self) -> Option<()> {
        let rest = &self.bytes[self.at + 1..];
        if let Some(comment) = rest.strip_prefix(b"--") {
            self.at += 3 + comment_len(comment)?;
        } else if self.cdata && rest.starts_with(b"[CDATA[") {
            self.at += 8 + memmem::find(&rest[7..], b"]]>")? + 3;
        } else {
            self.skip_past(b'>')?;
        }
        Some(())
    }

    /// Reads a tag whose name starts at `at`.
    fn tag(&mut self, closes: bool) -> Option<Tag> {
        self.attributes.clear();
        self.name = self.take_until(|byte| is_space(byte) || matches!(byte, b'/' | b'>'))?;
        loop {
            self.skip_space();
            match *self.bytes.get(self.at)? {
                b'>' => {
                    self.at += 1;
                    return Some(Tag { closes, self_closing: false });
                }
                b'/' => {
                    self.at += 1;
                    if *self.bytes.get(self.at)? == b'>' {
                        self.at += 1;
                        return Some(Tag { closes, self_closing: true });
                    }
                }
                _ => self.attribute_here()?,
            }
        }
    }

    fn attribute_here(&mut self) -> Option<()> {
        let start = self.at;
        // A leading equals sign belongs to the name.
        self.at += 1;
        self.take_until(|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='))?;
        let name = &self.bytes[start..self.at];
        self.skip_space();
        let value = if *self.bytes.get(self.at)? == b'=' {
            self.at += 1;
            self.value()?
        } else {
            &[]
        };
        if self.attributes.len() < ATTRIBUTES_MAX {
            self.attributes.push(Attribute { name, value });
        }
        Some(())
    }

    fn value(&mut self) -> Option<&'b [u8]> {
        self.skip_space();
        match *self.bytes.get(self.at)? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let len = memchr(quote, &self.bytes[self.at..])?;
                let value = &self.bytes[self.at..self.at + len];
                self.at += len + 1;
                Some(value)
            }
            b'>' => Some(&[]),
            _ => self.take_until(|byte| is_space(byte) || byte == b'>'),
        }
    }

    fn take_until(&mut self, stop: impl Fn(u8) -> bool) -> Option<&'b [u8]> {
        let rest = &self.bytes[self.at..];
        let len = rest.iter().position(|byte| stop(*byte))?;
        self.at += len;
        Some(&rest[..len])
    }

    fn skip_space(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|byte| !is_space(*byte)).unwrap_or(rest.len());
    }

    /// The text up to the end tag of the element just opened, for elements in which `<` opens nothing.
    pub(crate) fn raw_text(&mut self) -> &'b [u8] {
        let rest = &self.bytes[self.at..];
        let len = if self.name.eq_ignore_ascii_case(b"script") { script_len(rest) } else { raw_len(rest, self.name) };
        self.at += len;
        &rest[..len]
    }

    /// All that is left, as text.
    pub(crate) fn rest(&mut self) -> &'b [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0c)
}

/// How long a comment is after its `<!--`, with its end.
fn comment_len(comment: &[u8]) -> Option<usize> {
    if comment.starts_with(b">") {
        return Some(1);
    }
    if comment.starts_with(b"->") {
        return Some(2);
    }
    let mut at = 0;
    loop {
        at += memmem::find(&comment[at..], b"--")?;
        match &comment[at + 2..] {
            [b'>', ..] => return Some(at + 3),
            [b'!', b'>', ..] => return Some(at + 4),
            _ => at += 1,
        }
    }
}

fn raw_len(text: &[u8], element: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr(b'<', &text[at..]) {
        at += found;
        if is_tag(&text[at + 1..], b"/", element) {
            return at;
        }
        at += 1;
    }
    text.len()
}

/// Scripts may hide an end tag in `<!-- <script> </script> -->`.
fn script_len(text: &[u8]) -> usize {
    #[derive(PartialEq)]
    enum Mode {
        Script,
        Escaped,
        DoublyEscaped,
    }
    let mut mode = Mode::Script;
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let found = if mode == Mode::Script { memchr(b'<', rest) } else { memchr2(b'<', b'-', rest) };
        let Some(found) = found else { return text.len() };
        at += found;
        let rest = &text[at..];
        if rest[0] == b'-' {
            if rest.starts_with(b"-->") {
                mode = Mode::Script;
            }
        } else if is_tag(&rest[1..], b"/", b"script") {
            match mode {
                Mode::DoublyEscaped => mode = Mode::Escaped,
                _ => return at,
            }
        } else if mode == Mode::Escaped && is_tag(&rest[1..], b"", b"script") {
            mode = Mode::DoublyEscaped;
        } else if mode == Mode::Script && rest.starts_with(b"<!--") {
            mode = Mode::Escaped;
            at += 1;
        }
        at += 1;
    }
}

/// Whether `slash`, this name and the end of a name follow.
fn is_tag(rest: &[u8], slash: &[u8], element: &[u8]) -> bool {
    let Some((name, after)) = rest.strip_prefix(slash).and_then(|rest| rest.split_at_checked(element.len())) else {
        return false;
    };
    name.eq_ignore_ascii_case(element)
        && after.first().is_some_and(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tags as `name key=value …`, closing ones with a slash in front.
    fn tags(html: &str) -> Vec<String> {
        let mut tags = Tags::new(html.as_bytes());
        let mut seen = Vec::new();
        while let Some(tag) = tags.next() {
            let mut line = if tag.closes { "/".to_owned() } else { String::new() };
            line += &String::from_utf8_lossy(tags.name);
            for Attribute { name, value } in tags.attributes() {
                line += &format!(" {}={}", String::from_utf8_lossy(name), String::from_utf8_lossy(value));
            }
            seen.push(line);
        }
        seen
    }

    #[test]
    fn tags_and_attributes_are_read_as_the_standard_says() {
        for (html, expected) in [
            ("<a href=x>t</a>", &["a href=x", "/a"][..]),
            ("<a href = \"x>y\" b='<c>' d>", &["a href=x>y b=<c> d="]),
            ("<a href=x/>", &["a href=x/"]),
            ("<br/><br /><a/b=c>", &["br", "br", "a b=c"]),
            ("<a href=\"x\"b=c>", &["a href=x b=c"]),
            ("<a =x=y>", &["a =x=y"]),
            ("<a b= >", &["a b="]),
            ("<a b=>", &["a b="]),
            ("< a><1><a", &[]),
            ("<a href=\"x", &[]),
            ("</ a><b>", &["b"]),
            ("</><b>", &["b"]),
            ("<!doctype html \"><i>\"><b>", &["i", "b"]),
            ("<?php <a> ?><b>", &["b"]),
            ("<!-- <a> --><b>", &["b"]),
            ("<!--><a><!---><b><!-- --!><c>", &["a", "b", "c"]),
            ("<!-- -- > <a> --- --><b>", &["b"]),
            ("<!--->-->", &[]),
            ("<!-- <a>", &[]),
            ("<![CDATA[<a>]]><b>", &["b"]),
            ("<A\nHREF\n=\n'x'\n>", &["A HREF=x"]),
        ] {
            assert_eq!(tags(html), expected, "{html}");
        }
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag() {
        for (element, text, len) in [
            ("title", "a</b></titles></TITLE >x", 14),
            ("title", "never", 5),
            ("script", "'</a>'</script>", 6),
            ("script", "<!-- <script> </script> --></script>", 27),
            ("script", "<!-- </script>", 5),
            ("script", "<!--><script></script>", 13),
            ("script", "<!-- <script> --> </script>", 18),
            ("script", "<!-- <scripts> </script>", 15),
        ] {
            let html = format!("<{element}>{text}");
            let mut tags = Tags::new(html.as_bytes());
            tags.next().unwrap();
            assert_eq!(tags.raw_text().len(), len, "{text}");
        }
    }

    #[test]
    fn a_tag_with_endless_attributes_is_cut() {
        let html = format!("<a {}><b>", "x=y ".repeat(10_000));
        let mut tags = Tags::new(html.as_bytes());
        tags.next().unwrap();
        assert_eq!(tags.attributes().len(), ATTRIBUTES_MAX);
        tags.next().unwrap();
        assert_eq!(tags.name, b"b");
    }
}
