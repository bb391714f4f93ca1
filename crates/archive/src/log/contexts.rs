//! Contexts of links in the log, one text per list: for each link `=` if the words around it are those around its URL
//! when that was new, `-` if there are none, else the six digits of their fingerprint to the base of 64.
//!
//! Menus read the same on every page, so nearly all links take one character. That it is the *first* context that
//! need not be repeated, not the last, is for a reader that lost a line: who does not know it does not know the URL
//! either, so no link gets words it never had.

const DIGITS: &[u8; 64] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,";
const NONE: char = '-';
const FIRST: char = '=';
/// Digits of a fingerprint.
const LEN: usize = 6;

/// Puts contexts into a text.
#[derive(Debug, Default)]
pub(super) struct Writer {
    text: String,
}

impl Writer {
    /// Adds the context of the next link; `first` is what that of its URL was when it was new, unless it is now.
    pub(super) fn push(&mut self, context: u32, first: Option<u32>) {
        match context {
            0 => self.text.push(NONE),
            _ if first == Some(context) => self.text.push(FIRST),
            _ => (0..LEN).rev().for_each(|at| self.text.push(digit(context >> (6 * at)))),
        }
    }

    /// The text; what is not said at its end is none.
    pub(super) fn finish(mut self) -> String {
        let said = self.text.trim_end_matches(NONE).len();
        self.text.truncate(said);
        self.text
    }
}

fn digit(number: u32) -> char {
    char::from(DIGITS[number as usize & 63])
}

/// What a text says of one link's context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    First,
    Is(u32),
}

impl Told {
    pub(super) fn or_first(self, first: u32) -> u32 {
        match self {
            Told::First => first,
            Told::Is(context) => context,
        }
    }
}

/// Takes contexts out of a text.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    rest: &'t [u8],
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Reader<'t> {
        Reader { rest: text.as_bytes() }
    }

    /// Of the next link. Nonsense tells of none, for this link and all after it.
    pub(super) fn next(&mut self) -> Told {
        let told = match self.rest {
            [first, ..] if char::from(*first) == NONE => Some((Told::Is(0), 1)),
            [first, ..] if char::from(*first) == FIRST => Some((Told::First, 1)),
            _ => self.rest.first_chunk().and_then(number).map(|context| (Told::Is(context), LEN)),
        };
        let (told, len) = told.unwrap_or((Told::Is(0), self.rest.len()));
        self.rest = &self.rest[len..];
        told
    }
}

fn number(digits: &[u8; LEN]) -> Option<u32> {
    let value = |digit: &u8| DIGITS.iter().position(|known| known == digit);
    let number = digits.iter().try_fold(0u64, |number, digit| Some(number << 6 | value(digit)? as u64))?;
    u32::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_context_is_as_short_as_it_can_be() {
        let mut writer = Writer::default();
        for (context, first) in [(64, None), (0, Some(5)), (5, Some(5)), (u32::MAX, Some(5)), (0, None), (0, Some(0))] {
            writer.push(context, first);
        }
        let text = writer.finish();
        assert_eq!(text, "000010-=3,,,,,");
        let mut reader = Reader::new(&text);
        let told: Vec<Told> = (0..6).map(|_| reader.next()).collect();
        assert_eq!(told, [Told::Is(64), Told::Is(0), Told::First, Told::Is(u32::MAX), Told::Is(0), Told::Is(0)]);
    }

    #[test]
    fn nonsense_tells_nothing() {
        for text in ["", "00001", "00001\"-=", "é=====", ",,,,,,=", " ="] {
            let mut reader = Reader::new(text);
            assert_eq!((reader.next(), reader.next()), (Told::Is(0), Told::Is(0)), "{text}");
        }
    }
}
