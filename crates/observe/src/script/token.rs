//! The tokens of a script: enough of the grammar to know code from text, comments and patterns.
//!
//! Whether a slash divides or begins a pattern depends on what stands before it, which only a parser knows for sure;
//! the few tokens before it tell in all but contrived cases. A pattern ends on its own line or is none.

use super::text;
use memchr::{memchr2, memmem};
use std::borrow::Cow;

/// Parentheses, braces and templates that may be open inside each other; the rest of a deeper script is not read.
const NESTING_MAX: usize = 4096;
/// Bytes that are read in vain for the end of patterns that are none.
const IN_VAIN_MAX: usize = 1 << 20;

/// Words after which a value begins, and so a pattern may.
const BEFORE_VALUES: [&str; 15] = [
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "do",
    "else",
    "void",
    "delete",
    "throw",
    "new",
    "instanceof",
    "yield",
    "await",
    "default",
];

#[derive(Debug, PartialEq)]
pub(super) enum Token<'s> {
    /// A name or keyword.
    Word(&'s str),
    /// A string, or a template nothing is put into.
    Text(Cow<'s, str>),
    /// A number, a pattern, a template that something was put into.
    Value,
    /// Any other character; a backtick where a template begins that something is put into.
    Mark(u8),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Open {
    /// Whether a statement follows it, as after `if (…)`.
    Parenthesis {
        of_statement: bool,
    },
    Brace,
    /// `${` in a template.
    Inset,
}

#[derive(Debug)]
pub(super) struct Tokens<'s> {
    source: &'s str,
    at: usize,
    /// Where the last token begins.
    start: usize,
    open: Vec<Open>,
    /// Whether what was read last is a value, which a slash divides.
    after_value: bool,
    /// Whether the last token was a full stop: what follows is a member, whatever it is called.
    after_dot: bool,
    after_statement_word: bool,
    in_vain: usize,
}

impl<'s> Tokens<'s> {
    pub(super) fn new(source: &'s str) -> Tokens<'s> {
        let at = if source.starts_with("#!") { line_len(source.as_bytes()) } else { 0 };
        let open = Vec::new();
        Tokens {
            source,
            at,
            start: at,
            open,
            after_value: false,
            after_dot: false,
            after_statement_word: false,
            in_vain: 0,
        }
    }

    /// The next token, and whether it stands behind a full stop.
    pub(super) fn next(&mut self) -> Option<(Token<'s>, bool)> {
        self.skip_blank();
        self.start = self.at;
        let byte = *self.bytes().get(self.at)?;
        let (after_dot, after_statement_word) = (self.after_dot, self.after_statement_word);
        (self.after_dot, self.after_statement_word) = (false, false);
        let token = match byte {
            b'"' | b'\'' => self.string(byte),
            b'`' => self.template(),
            b'/' if !self.after_value && self.skip_pattern() => Token::Value,
            b'0'..=b'9' => self.number(),
            _ if is_name(byte) => self.word(after_dot),
            _ => self.mark(byte, after_statement_word)?,
        };
        if !matches!(token, Token::Word(_) | Token::Mark(_)) {
            self.after_value = true;
        }
        Some((token, after_dot))
    }

    /// Where the last token begins.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// Where it ends.
    pub(super) fn end(&self) -> usize {
        self.at
    }

    fn bytes(&self) -> &'s [u8] {
        self.source.as_bytes()
    }

    fn skip_blank(&mut self) {
        let bytes = self.bytes();
        while let Some(byte) = bytes.get(self.at) {
            let rest = &bytes[self.at..];
            self.at += match byte {
                byte if byte.is_ascii_whitespace() => 1,
                b'/' if rest.starts_with(b"//") => line_len(rest),
                b'<' if rest.starts_with(b"<!--") => line_len(rest),
                b'/' if rest.starts_with(b"/*") => memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4),
                _ => return,
            };
        }
    }

    fn word(&mut self, after_dot: bool) -> Token<'s> {
        let rest = &self.bytes()[self.at..];
        let len = rest.iter().position(|byte| !is_name(*byte)).unwrap_or(rest.len());
        let word = &self.source[self.at..self.at + len];
        self.at += len;
        self.after_value = after_dot || !BEFORE_VALUES.contains(&word);
        self.after_statement_word = !after_dot && matches!(word, "if" | "while" | "for" | "with");
        Token::Word(word)
    }

    fn number(&mut self) -> Token<'s> {
        let rest = &self.bytes()[self.at..];
        let len = rest.iter().position(|byte| !is_name(*byte) && *byte != b'.').unwrap_or(rest.len());
        self.at += len;
        Token::Value
    }

    fn mark(&mut self, byte: u8, after_statement_word: bool) -> Option<Token<'s>> {
        let doubled = matches!(byte, b'+' | b'-') && self.bytes().get(self.at + 1) == Some(&byte);
        self.at += 1 + usize::from(doubled);
        // Nothing that begins with a slash follows `++`.
        self.after_value = doubled || byte == b']';
        match byte {
            b'.' => self.after_dot = true,
            b'(' => self.open(Open::Parenthesis { of_statement: after_statement_word })?,
            b'{' => self.open(Open::Brace)?,
            b')' => self.close_parenthesis(),
            b'}' if self.closes_inset() => return Some(self.rest_of_template(self.at)),
            _ => {}
        }
        Some(Token::Mark(byte))
    }

    fn open(&mut self, open: Open) -> Option<()> {
        self.open.push(open);
        (self.open.len() <= NESTING_MAX).then_some(())
    }

    fn close_parenthesis(&mut self) {
        let of_statement = self.open.last() == Some(&Open::Parenthesis { of_statement: true });
        if matches!(self.open.last(), Some(Open::Parenthesis { .. })) {
            self.open.pop();
        }
        self.after_value = !of_statement;
    }

    fn closes_inset(&mut self) -> bool {
        while matches!(self.open.last(), Some(Open::Parenthesis { .. })) {
            self.open.pop();
        }
        self.open.pop() == Some(Open::Inset)
    }

    /// A quoted string; one that its line does not end is over with it.
    fn string(&mut self, quote: u8) -> Token<'s> {
        let bytes = self.bytes();
        let start = self.at + 1;
        let mut end = start;
        while let Some(byte) = bytes.get(end) {
            match byte {
                b'\\' => end += 2,
                b'\n' => break,
                byte if *byte == quote => break,
                _ => end += 1,
            }
        }
        let end = end.min(bytes.len());
        self.at = (end + 1).min(bytes.len());
        Token::Text(text::unescape(&self.source[start..end]))
    }

    fn template(&mut self) -> Token<'s> {
        let start = self.at + 1;
        match self.rest_of_template(start) {
            Token::Value => {
                let end = if self.bytes()[self.at - 1] == b'`' && self.at > start { self.at - 1 } else { self.at };
                Token::Text(text::unescape(&self.source[start..end]))
            }
            inset => inset,
        }
    }

    /// Goes on in a template to its end, or to what is put in next.
    fn rest_of_template(&mut self, from: usize) -> Token<'s> {
        let bytes = self.bytes();
        let mut at = from;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\\' => at += 2,
                b'`' => {
                    (self.at, self.after_value) = (at + 1, true);
                    return Token::Value;
                }
                b'$' if bytes.get(at + 1) == Some(&b'{') => {
                    (self.at, self.after_value) = (at + 2, false);
                    self.open.push(Open::Inset);
                    return Token::Mark(b'`');
                }
                _ => at += 1,
            }
        }
        self.at = bytes.len();
        Token::Value
    }

    /// Skips a pattern such as `/["']/g`, if there is one.
    fn skip_pattern(&mut self) -> bool {
        if self.in_vain > IN_VAIN_MAX {
            return false;
        }
        let bytes = self.bytes();
        let (mut at, mut in_class) = (self.at + 1, false);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\n' => break,
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    let flags = bytes[at + 1..].iter().position(|byte| !is_name(*byte));
                    self.at = flags.map_or(bytes.len(), |flags| at + 1 + flags);
                    return true;
                }
                _ => {}
            }
            at += 1;
        }
        self.in_vain += at - self.at;
        false
    }
}

fn line_len(rest: &[u8]) -> usize {
    memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let mut tokens = Tokens::new(source);
        let next = || {
            loop {
                if let (Token::Text(text), _) = tokens.next()? {
                    return Some(text.into_owned());
                }
            }
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn strings_are_told_from_all_that_looks_like_them() {
        for (source, expected) in [
            ("a='x';b=\"y\"", &["x", "y"][..]),
            ("// 'no'\n'yes' /* 'no' */ <!-- 'no'\n'yes too'", &["yes", "yes too"]),
            ("#!/usr/bin/env 'no'\n'yes'", &["yes"]),
            ("a=b.replace(/['\"]/g,'x')", &["x"]),
            ("a=b/c;d='x';e=f/g", &["x"]),
            ("if(a)/'/.test(b);'x'", &["x"]),
            ("f(a)/2;'x';b/2", &["x"]),
            ("a[0]/2+'x'/3", &["x"]),
            ("return/'/.test('x')", &["x"]),
            ("a.return/2;'x';b/2", &["x"]),
            ("a++/2;'x';b/2", &["x"]),
            ("x={}\n/'/.exec('y')", &["y"]),
            ("/[/'\"]/;'x'", &["x"]),
            ("`a`;`b${c+'d'}e${`f`}g`;'h'", &["a", "d", "f", "h"]),
            ("`${{a:'}'}.a}'`;'x'", &["}", "x"]),
            ("'a\\'b' 'a\\x2fb' 'a\\u002fb' 'a\\u{2f}b' '\\/'", &["a'b", "a/b", "a/b", "a/b", "/"]),
            ("'open\n'x'", &["open", "x"]),
            ("'é\\é", &["éé"]),
            ("`open", &["open"]),
            ("'\\", &[""]),
            ("(((`${)}", &[]),
        ] {
            assert_eq!(texts(source), expected, "{source}");
        }
    }

    #[test]
    fn what_is_nested_without_end_is_left() {
        assert!(texts(&format!("{}'x'", "(".repeat(NESTING_MAX + 1))).is_empty());
        assert!(texts(&format!("{}'x'", "`${".repeat(200_000))).len() <= 1);
        assert!(texts(&"=/[".repeat(400_000)).is_empty());
    }
}
