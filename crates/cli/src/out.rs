//! The one door to the terminal. Words of strangers come to it from everywhere: addresses, headers, names of files. A
//! terminal obeys control characters, so what goes through here loses them, whoever wrote it; our own colours pass.
//!
//! [`say!`] is for what was asked for, [`mention!`] for what is said besides, [`json`] for machines. Text of a stranger that
//! is to stay on its line is made so where it is put into a sentence, by [`printable`](tintype_vocab::plain::printable).

use serde::Serialize;
use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Write as _},
};
use tintype_vocab::plain::is_obeyed;

/// What paints: an end, dim, bold, red, green, yellow.
const COLOURS: &[&str] = &["\u{1b}[0m", "\u{1b}[2m", "\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m"];

/// Prints a line that was asked for.
macro_rules! say {
    ($($words:tt)*) => { $crate::out::line(&format!($($words)*)) };
}

/// Prints a line to those who watch, not to those who read what was asked for.
macro_rules! mention {
    ($($words:tt)*) => { $crate::out::aside(&format!($($words)*)) };
}

pub(crate) use {mention, say};

pub(crate) fn line(text: &str) {
    println!("{}", shown(text));
}

pub(crate) fn aside(text: &str) {
    eprintln!("{}", shown(text));
}

/// Text of several lines that was asked for, with their ends.
pub(crate) fn text(text: &str) {
    print!("{}", shown(text));
}

/// Bytes as they are, for a file or another program. A terminal is shown them.
pub(crate) fn bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.is_terminal() {
        true => out.write_all(shown(&String::from_utf8_lossy(bytes)).as_bytes()),
        false => out.write_all(bytes),
    }
}

/// A line to those who watch. A reader that went away is no reason to stop a capture.
pub(crate) fn murmur(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", shown(text));
}

/// One object on one line.
pub(crate) fn json(value: &impl Serialize) {
    let text = serde_json::to_string(value).expect("what is told to machines is plain data");
    println!("{}", unobeyed(&text));
}

/// What a terminal shows and does not obey, but for ends of lines, tabs and colours of ours.
fn shown(text: &str) -> String {
    let (mut shown, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(c) = rest.chars().next() {
        let colour = COLOURS.iter().find(|colour| rest.starts_with(**colour));
        let taken = colour.map_or(c.len_utf8(), |colour| colour.len());
        let is_layout = matches!(c, '\n' | '\t') || rest.starts_with("\r\n");
        match is_obeyed(c) && colour.is_none() && !is_layout {
            true => shown.push('\u{fffd}'),
            false => shown.push_str(&rest[..taken]),
        }
        rest = &rest[taken..];
    }
    shown
}

/// JSON that says the same without characters that are obeyed: they stand only inside its strings.
fn unobeyed(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        match is_obeyed(c) {
            true => write!(safe, "\\u{:04x}", u32::from(c)).expect("strings grow"),
            false => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_lines_pass_and_nothing_else_that_is_obeyed() {
        assert_eq!(shown("a\tb\n\u{1b}[31mred\u{1b}[0m"), "a\tb\n\u{1b}[31mred\u{1b}[0m");
        assert_eq!(shown("a: b\r\nc"), "a: b\r\nc");
        assert_eq!(shown("\u{1b}[2Ja\u{7}\u{202e}b\u{1b}[8m\r"), "\u{fffd}[2Ja\u{fffd}\u{fffd}b\u{fffd}[8m\u{fffd}");
    }

    #[test]
    fn machines_read_what_people_must_not_see() {
        let words = "a\u{1b}\u{7f}\u{9b}\u{202e}é\n";
        let text = unobeyed(&serde_json::to_string(words).unwrap());
        assert!(!text.chars().any(is_obeyed), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), words);
    }
}
