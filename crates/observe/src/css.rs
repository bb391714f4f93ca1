//! What a style sheet refers to: `url()`, `@import` and the strings of `image-set()`.
//!
//! A small tokenizer that knows comments, strings, escapes and unquoted URLs. It does not know properties: what is
//! loaded from a sheet is found by its syntax alone.

use memchr::memmem;
use std::borrow::Cow;
use tintype_vocab::Tag;

/// Cheaply tells most styles without references from those that may have some.
pub(crate) fn may_refer(css: &[u8]) -> bool {
    memchr::memchr2_iter(b'(', b'@', css).next().is_some()
}

/// Calls `found` with every reference of the sheet, unresolved, and what makes it one.
pub(crate) fn references(css: &str, mut found: impl FnMut(&str, Tag)) {
    let mut sheet = Sheet { css, at: 0, depth: 0, set: None };
    let mut pending = None;
    let mut tag = Tag::Background;
    while let Some(token) = sheet.next() {
        match (token, pending.take()) {
            // A namespace is a name, not a place.
            (Token::Url(_) | Token::Text(_), Some(Rule::Namespace)) => {}
            (Token::Url(url) | Token::Text(url), Some(Rule::Import)) => found(&url, Tag::StyleSheet),
            (Token::Url(url), None) => found(&url, tag),
            (Token::Text(_), None) => {}
            (Token::Rule(rule), _) => pending = Some(rule),
            (Token::FontFace, _) => tag = Tag::FontFace,
            (Token::EndOfBlock, _) => tag = Tag::Background,
            (Token::End, _) => {}
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    Import,
    Namespace,
}

#[derive(Debug, PartialEq)]
enum Token<'c> {
    Url(Cow<'c, str>),
    Text(Cow<'c, str>),
    Rule(Rule),
    FontFace,
    /// Of a statement, or the begin of a block.
    End,
    EndOfBlock,
}

struct Sheet<'c> {
    css: &'c str,
    at: usize,
    /// Parentheses that are open.
    depth: usize,
    /// How many were around the `image-set()` that is open.
    set: Option<usize>,
}

impl<'c> Sheet<'c> {
    fn next(&mut self) -> Option<Token<'c>> {
        let bytes = self.css.as_bytes();
        loop {
            let byte = *bytes.get(self.at)?;
            match byte {
                b'/' if bytes[self.at..].starts_with(b"/*") => self.skip_comment(),
                b'"' | b'\'' => {
                    let text = self.string(byte);
                    // Deeper inside stand media types: `type("image/avif")`.
                    let in_set = self.set.is_some_and(|around| self.depth == around + 1);
                    return Some(if in_set { Token::Url(text) } else { Token::Text(text) });
                }
                b'(' | b')' => {
                    self.at += 1;
                    self.depth = if byte == b'(' { self.depth + 1 } else { self.depth.saturating_sub(1) };
                    self.set = self.set.filter(|around| self.depth > *around);
                }
                b'@' => {
                    self.at += 1;
                    match self.word() {
                        word if word.eq_ignore_ascii_case("import") => return Some(Token::Rule(Rule::Import)),
                        word if word.eq_ignore_ascii_case("namespace") => return Some(Token::Rule(Rule::Namespace)),
                        word if word.eq_ignore_ascii_case("font-face") => return Some(Token::FontFace),
                        _ => {}
                    }
                }
                b';' | b'{' | b'}' => {
                    self.at += 1;
                    (self.depth, self.set) = (0, None);
                    return Some(if byte == b'}' { Token::EndOfBlock } else { Token::End });
                }
                _ if is_name(byte) => {
                    let word = self.word();
                    if bytes.get(self.at) != Some(&b'(') {
                        continue;
                    }
                    if word.eq_ignore_ascii_case("url") {
                        self.at += 1;
                        self.depth += 1;
                        if let Some(url) = self.url() {
                            return Some(Token::Url(url));
                        }
                    } else if self.set.is_none() && is_image_set(word) {
                        self.set = Some(self.depth);
                    }
                }
                b'\\' => self.at = self.past_escape(self.at + 1),
                _ => self.at += 1,
            }
        }
    }

    fn skip_comment(&mut self) {
        let rest = &self.css.as_bytes()[self.at + 2..];
        self.at = memmem::find(rest, b"*/").map_or(self.css.len(), |end| self.at + 2 + end + 2);
    }

    fn word(&mut self) -> &'c str {
        let rest = &self.css.as_bytes()[self.at..];
        let len = rest.iter().position(|byte| !is_name(*byte)).unwrap_or(rest.len());
        self.at += len;
        &self.css[self.at - len..self.at]
    }

    /// A quoted string; `at` stands on the quote. A bare line break ends it, as does the end of the sheet.
    fn string(&mut self, quote: u8) -> Cow<'c, str> {
        let start = self.at + 1;
        let end = self.scan(start, |byte| byte == quote || byte == b'\n');
        self.at = (end + 1).min(self.css.len());
        unescape(&self.css[start..end])
    }

    /// What stands in `url(…)`; nothing if it is not a URL after all.
    fn url(&mut self) -> Option<Cow<'c, str>> {
        self.skip_space();
        let first = *self.css.as_bytes().get(self.at)?;
        if matches!(first, b'"' | b'\'') {
            return Some(self.string(first));
        }
        let start = self.at;
        let end = self.scan(start, |byte| byte.is_ascii_whitespace() || matches!(byte, b')' | b'"' | b'\'' | b'('));
        self.at = end;
        self.skip_space();
        let closed = matches!(self.css.as_bytes().get(self.at), Some(b')') | None);
        closed.then(|| unescape(&self.css[start..end]))
    }

    /// The first position from `at` on whose byte is wanted and not escaped.
    fn scan(&self, mut at: usize, wanted: impl Fn(u8) -> bool) -> usize {
        let bytes = self.css.as_bytes();
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\\' => at = self.past_escape(at + 1),
                byte if wanted(*byte) => return at,
                _ => at += 1,
            }
        }
        bytes.len()
    }

    /// Where the escape ends whose backslash stands before `at`.
    fn past_escape(&self, at: usize) -> usize {
        let rest = &self.css[at..];
        let digits = rest.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        let spaced = rest.as_bytes().get(digits).is_some_and(u8::is_ascii_whitespace);
        match digits {
            0 => at + rest.chars().next().map_or(0, char::len_utf8),
            _ => at + digits + usize::from(spaced),
        }
    }

    fn skip_space(&mut self) {
        let rest = &self.css.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
    }
}

fn is_image_set(function: &str) -> bool {
    function.eq_ignore_ascii_case("image-set") || function.eq_ignore_ascii_case("-webkit-image-set")
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || !byte.is_ascii()
}

/// Replaces `\26 `, `\)` and escaped line breaks.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let digits = after.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        rest = &after[digits..];
        if digits > 0 {
            let code = u32::from_str_radix(&after[..digits], 16).ok().filter(|code| *code != 0);
            out.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
            rest = rest.strip_prefix(|c: char| c.is_ascii_whitespace()).unwrap_or(rest);
        } else if let Some(char) = rest.chars().next() {
            if char != '\n' {
                out.push(char);
            }
            rest = &rest[char.len_utf8()..];
        }
    }
    out.push_str(rest);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(css: &str) -> Vec<String> {
        let mut seen = Vec::new();
        references(css, |url, _| seen.push(url.to_owned()));
        seen
    }

    #[test]
    fn fonts_and_style_sheets_are_told_from_pictures() {
        let css = "@import 'a'; @import url(b); p{x:url(c)} @font-face{src:url(d),url(e)} @media{@font-face{f:url(f)}p{g:url(g)}}";
        let mut tags = Vec::new();
        references(css, |url, tag| tags.push((url.to_owned(), tag)));
        let expected = [
            ("a", Tag::StyleSheet),
            ("b", Tag::StyleSheet),
            ("c", Tag::Background),
            ("d", Tag::FontFace),
            ("e", Tag::FontFace),
            ("f", Tag::FontFace),
            ("g", Tag::Background),
        ];
        assert_eq!(tags, expected.map(|(url, tag)| (url.to_owned(), tag)));
    }

    #[test]
    fn references_are_found_by_syntax() {
        for (css, expected) in [
            ("a{background:url(x.png)}", &["x.png"][..]),
            ("a{background:URL( 'x y.png' )}", &["x y.png"]),
            ("url(\"a\")url(b)", &["a", "b"]),
            ("@import 'a.css';@IMPORT url(b.css) screen;@import url(\"c.css\");", &["a.css", "b.css", "c.css"]),
            ("@import/**/\"a.css\"", &["a.css"]),
            ("/* url(x) */ a{content:\"url(y)\"} b{c:url(z)}", &["z"]),
            ("@namespace svg url(http://www.w3.org/2000/svg);a{b:url(c)}", &["c"]),
            ("@namespace 'x'; @import 'y'", &["y"]),
            ("myurl(x) my-url(y) curl(z)", &[]),
            ("url(a\\)b) url(\\61 b) url('a\\\nb')", &["a)b", "ab", "ab"]),
            ("url(a b) url(c)", &["c"]),
            ("url(unclosed", &["unclosed"]),
            ("url('unclosed", &["unclosed"]),
            ("a{b:'bad\nurl(c)}", &["c"]),
            ("/* unclosed url(x)", &[]),
            ("\\", &[]),
            ("url(\\", &[""]),
            ("@font-face{src:url(a.woff2) format('woff2'),url(a.woff)}", &["a.woff2", "a.woff"]),
            ("a{content:'x'} @import ; 'y'", &[]),
            (
                "a{b:image-set('x.png' 1x, url(y.png) 2x, \"z.avif\" type('image/avif'))} c{d:'no'}",
                &["x.png", "y.png", "z.avif"],
            ),
            ("a{b:-webkit-image-set('x' 1x), 'no'} c{d:my-image-set('no')}", &["x"]),
            ("a{b:image-set('x' 1x} c{d:('no')} @media (e:'no'){f:(image-set('y' 1x))}", &["x", "y"]),
        ] {
            assert_eq!(seen(css), expected, "{css}");
        }
    }
}
