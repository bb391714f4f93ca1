//! The objects a PDF file consists of, read from bytes.

use std::borrow::Cow;

/// Objects inside each other.
const DEPTH_MAX: usize = 64;
/// Objects in one, all together: they take many times the room of their source.
const INSIDE_MAX: usize = 1 << 18;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Object<'p> {
    Null,
    Number(f64),
    Name(Cow<'p, [u8]>),
    Text(Cow<'p, [u8]>),
    List(Vec<Object<'p>>),
    Dictionary(Vec<(Cow<'p, [u8]>, Object<'p>)>),
    /// Another object, by its number.
    Reference(u32),
    /// A word: an operator in content, `true`, `endobj`.
    Word(&'p [u8]),
}

impl<'p> Object<'p> {
    /// What a dictionary has under that key.
    pub(super) fn get(&self, key: &str) -> Option<&Object<'p>> {
        let Object::Dictionary(entries) = self else { return None };
        entries.iter().find(|(name, _)| **name == *key.as_bytes()).map(|(_, value)| value)
    }

    pub(super) fn number(&self) -> Option<f64> {
        if let Object::Number(number) = self { Some(*number) } else { None }
    }

    /// A number that counts something.
    pub(super) fn count(&self) -> Option<usize> {
        self.number().filter(|number| (0.0..4e9).contains(number)).map(|number| number as usize)
    }

    pub(super) fn name(&self) -> Option<&[u8]> {
        if let Object::Name(name) = self { Some(name) } else { None }
    }

    pub(super) fn is_name(&self, name: &str) -> bool {
        self.name() == Some(name.as_bytes())
    }

    pub(super) fn text(&self) -> Option<&[u8]> {
        if let Object::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn list(&self) -> &[Object<'p>] {
        if let Object::List(list) = self { list } else { &[] }
    }

    /// How many entries a dictionary has.
    pub(super) fn entries(&self) -> usize {
        if let Object::Dictionary(entries) = self { entries.len() } else { 0 }
    }
}

/// Reads object after object.
#[derive(Clone, Debug)]
pub(super) struct Objects<'p> {
    bytes: &'p [u8],
    pub(super) at: usize,
    /// How many more there may be in the object that is read.
    left: usize,
}

impl<'p> Objects<'p> {
    pub(super) fn new(bytes: &'p [u8]) -> Objects<'p> {
        Objects { bytes, at: 0, left: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn rest(&self) -> &'p [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'%' => {
                    let end = memchr::memchr2(b'\n', b'\r', self.rest());
                    self.at = end.map_or(self.bytes.len(), |end| self.at + end);
                }
                _ if is_space(byte) => self.at += 1,
                _ => return,
            }
        }
    }

    /// The next object; nothing at the end.
    pub(super) fn next(&mut self) -> Option<Object<'p>> {
        self.left = INSIDE_MAX;
        self.object(0)
    }

    fn object(&mut self, depth: usize) -> Option<Object<'p>> {
        self.left = self.left.saturating_sub(1);
        self.skip_space();
        let first = self.peek()?;
        Some(match first {
            b'/' => {
                self.at += 1;
                Object::Name(unescaped(self.word()))
            }
            b'(' => Object::Text(Cow::Owned(self.string())),
            b'<' if self.rest().starts_with(b"<<") => {
                self.at += 2;
                self.dictionary(depth)
            }
            b'<' => Object::Text(Cow::Owned(self.hexadecimal())),
            b'[' => {
                self.at += 1;
                Object::List(self.until(depth, b"]"))
            }
            b'+' | b'-' | b'.' | b'0'..=b'9' => self.number(),
            b']' | b'>' | b')' | b'{' | b'}' => {
                self.at += 1;
                Object::Word(&self.bytes[self.at - 1..self.at])
            }
            _ => match self.word() {
                b"null" => Object::Null,
                word => Object::Word(word),
            },
        })
    }

    /// Bytes up to the next space or delimiter.
    fn word(&mut self) -> &'p [u8] {
        let rest = self.rest();
        let end = rest.iter().position(|byte| is_space(*byte) || is_delimiter(*byte)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A number, or the reference that begins with it.
    fn number(&mut self) -> Object<'p> {
        let word = self.word();
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
        let Some(number) = number.filter(|number| number.is_finite()) else { return Object::Word(word) };
        if word.iter().all(u8::is_ascii_digit) && number <= f64::from(u32::MAX) {
            let mut ahead = self.clone();
            ahead.skip_space();
            let generation = ahead.word();
            ahead.skip_space();
            if (1..=5).contains(&generation.len()) && generation.iter().all(u8::is_ascii_digit) && ahead.word() == b"R"
            {
                self.at = ahead.at;
                return Object::Reference(number as u32);
            }
        }
        Object::Number(number)
    }

    fn until(&mut self, depth: usize, end: &[u8]) -> Vec<Object<'p>> {
        let mut list = Vec::new();
        while depth < DEPTH_MAX
            && self.left > 0
            && let Some(object) = self.object(depth + 1)
            && object != Object::Word(end)
        {
            // Whatever has no end ends with the object it is in.
            if matches!(object, Object::Word(b"endobj" | b"stream" | b"endstream")) {
                break;
            }
            list.push(object);
        }
        list
    }

    fn dictionary(&mut self, depth: usize) -> Object<'p> {
        let mut objects = self.until(depth, b">").into_iter();
        if self.peek() == Some(b'>') {
            self.at += 1;
        }
        let mut entries = Vec::new();
        while let (Some(key), Some(value)) = (objects.next(), objects.next()) {
            if let Object::Name(key) = key {
                entries.push((key, value));
            }
        }
        Object::Dictionary(entries)
    }

    /// A string in parentheses, which may be inside it in pairs.
    fn string(&mut self) -> Vec<u8> {
        self.at += 1;
        let (mut text, mut open) = (Vec::new(), 1);
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'\\' => self.escape(&mut text),
                b'(' => open += 1,
                b')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                break;
            }
            if byte != b'\\' {
                text.push(byte);
            }
        }
        text
    }

    fn escape(&mut self, text: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.at += 1;
        text.push(match byte {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'b' => 8,
            b'f' => 12,
            b'\r' => {
                self.at += usize::from(self.peek() == Some(b'\n'));
                return;
            }
            b'\n' => return,
            b'0'..=b'7' => {
                let digits = self.rest().iter().take(2).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
                let code = self.bytes[self.at - 1..self.at + digits]
                    .iter()
                    .fold(0u32, |code, digit| code * 8 + u32::from(digit - b'0'));
                self.at += digits;
                code as u8
            }
            other => other,
        });
    }

    fn hexadecimal(&mut self) -> Vec<u8> {
        self.at += 1;
        let rest = self.rest();
        let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
        self.at += (end + 1).min(rest.len());
        hexadecimal(&rest[..end])
    }
}

/// The bytes that digits stand for, whatever is between them; a missing last one is zero.
pub(super) fn hexadecimal(digits: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> =
        digits.iter().filter_map(|byte| char::from(*byte).to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).unwrap_or(&0)).collect()
}

/// A name with its `#xx` undone.
fn unescaped(name: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'#', name).is_none() {
        return name.into();
    }
    let (mut out, mut rest) = (Vec::new(), name);
    while let Some((first, after)) = rest.split_first() {
        match after.get(..2) {
            Some(digits) if *first == b'#' && digits.iter().all(u8::is_ascii_hexdigit) => {
                out.extend(hexadecimal(digits));
                rest = &after[2..];
            }
            _ => {
                out.push(*first);
                rest = after;
            }
        }
    }
    out.into()
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | 9 | 10 | 12 | 13 | 32)
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_every_sort_are_read() {
        let source = b"<< /A#20b [1 -2.5 (x\\(y(z)\\101) <4 1 4>] /R 12 0 R /N null>> % c\nBT 7";
        let mut objects = Objects::new(source);
        let dictionary = objects.next().unwrap();
        let expected = [
            Object::Number(1.0),
            Object::Number(-2.5),
            Object::Text(b"x(y(z)A".as_slice().into()),
            Object::Text(b"A@".as_slice().into()),
        ];
        assert_eq!(dictionary.get("A b").unwrap().list(), expected);
        assert_eq!(dictionary.get("R"), Some(&Object::Reference(12)));
        assert_eq!(dictionary.get("N"), Some(&Object::Null));
        assert_eq!(objects.next(), Some(Object::Word(b"BT")));
        assert_eq!((objects.next(), objects.next()), (Some(Object::Number(7.0)), None));
    }
}
