//! What is said of links beside their URLs, one text per list: for each link `=` if it is what was said of its URL when
//! that was new, `-` if it is nothing, else the thing itself, spelled in digits to the base of 64.
//!
//! Menus read the same on every page, so nearly all links take one character. That it is what was *first* said that
//! need not be repeated, not what was last said, is for a reader that lost a line: who does not know it does not know
//! the URL either, so no link gets words it never had.

use std::marker::PhantomData;
use tintype_vocab::{LinkPlace, Mention, Tag};

const DIGITS: &[u8; 64] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,";
const NONE: char = '-';
const FIRST: char = '=';

/// What can be said of a link; the default is nothing.
pub(super) trait Spelled: Copy + Default + PartialEq {
    fn spell(self, text: &mut String);

    /// What is spelled where the text begins, and in how many digits.
    fn read(text: &[u8]) -> Option<(Self, usize)>;
}

/// The fingerprint of the words around a link, in six digits.
impl Spelled for u32 {
    fn spell(self, text: &mut String) {
        spell(u64::from(self), 6, text);
    }

    fn read(text: &[u8]) -> Option<(u32, usize)> {
        Some((u32::try_from(number(text.get(..6)?)?).ok()?, 6))
    }
}

/// A digit for the tag, one for the place and how many words there are, three for each word.
impl Spelled for Mention {
    fn spell(self, text: &mut String) {
        let words = self.words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        spell(self.tag as u64, 1, text);
        spell(self.place as u64 * COUNTS + words as u64, 1, text);
        self.words[..words].iter().for_each(|word| spell(u64::from(*word), 3, text));
    }

    fn read(text: &[u8]) -> Option<(Mention, usize)> {
        let (tag, rest) = (number(text.get(..1)?)?, number(text.get(1..2)?)?);
        let mut mention = Mention { tag: *Tag::ALL.get(tag as usize)?, ..Mention::default() };
        mention.place = *LinkPlace::ALL.get((rest / COUNTS) as usize)?;
        let words = (rest % COUNTS) as usize;
        let digits = text[2..].get(..3 * words)?;
        for (to, word) in mention.words.iter_mut().zip(digits.chunks(3)) {
            *to = u16::try_from(number(word)?).ok()?;
        }
        Some((mention, 2 + digits.len()))
    }
}

/// How many words a mention may have: none to four.
const COUNTS: u64 = 5;

fn spell(number: u64, digits: u32, text: &mut String) {
    (0..digits).rev().for_each(|at| text.push(char::from(DIGITS[(number >> (6 * at)) as usize & 63])));
}

/// What at most ten digits come to.
fn number(digits: &[u8]) -> Option<u64> {
    let value = |digit: &u8| DIGITS.iter().position(|known| known == digit);
    digits.iter().try_fold(0, |number, digit| Some(number << 6 | value(digit)? as u64))
}

/// Puts into a text what is said of one link after the other.
#[derive(Debug, Default)]
pub(super) struct Writer {
    text: String,
}

impl Writer {
    /// Adds what is said of the next link; `first` is what was said of its URL when it was new, unless it is now.
    pub(super) fn push<T: Spelled>(&mut self, said: T, first: Option<T>) {
        match said {
            _ if said == T::default() => self.text.push(NONE),
            _ if first == Some(said) => self.text.push(FIRST),
            _ => said.spell(&mut self.text),
        }
    }

    /// The text; what is not said at its end is nothing.
    pub(super) fn finish(mut self) -> String {
        let said = self.text.trim_end_matches(NONE).len();
        self.text.truncate(said);
        self.text
    }
}

/// What a text says of one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told<T> {
    First,
    Is(T),
}

impl<T> Told<T> {
    pub(super) fn or_first(self, first: T) -> T {
        match self {
            Told::First => first,
            Told::Is(said) => said,
        }
    }
}

/// Takes out of a text what is said of one link after the other.
#[derive(Debug)]
pub(super) struct Reader<'t, T> {
    rest: &'t [u8],
    of: PhantomData<T>,
}

impl<'t, T: Spelled> Reader<'t, T> {
    pub(super) fn new(text: &'t str) -> Reader<'t, T> {
        Reader { rest: text.as_bytes(), of: PhantomData }
    }

    /// Of the next link. Nonsense tells nothing, of this link and all after it.
    pub(super) fn next(&mut self) -> Told<T> {
        let told = match self.rest {
            [first, ..] if char::from(*first) == NONE => Some((Told::Is(T::default()), 1)),
            [first, ..] if char::from(*first) == FIRST => Some((Told::First, 1)),
            _ => T::read(self.rest).map(|(said, len)| (Told::Is(said), len)),
        };
        let (told, len) = told.unwrap_or((Told::Is(T::default()), self.rest.len()));
        self.rest = &self.rest[len..];
        told
    }
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
        let mut reader = Reader::<u32>::new(&text);
        let told: Vec<Told<u32>> = (0..6).map(|_| reader.next()).collect();
        assert_eq!(told, [Told::Is(64), Told::Is(0), Told::First, Told::Is(u32::MAX), Told::Is(0), Told::Is(0)]);
    }

    #[test]
    fn each_mention_is_as_short_as_it_can_be() {
        let mention = |tag, place, words| Mention { tag, place, words };
        let all = [
            mention(Tag::Anchor, LinkPlace::Content, [64, 0, 1, 0]),
            mention(Tag::Redirect, LinkPlace::Footer, [u16::MAX; 4]),
            mention(Tag::Image, LinkPlace::Unknown, [0; 4]),
        ];
        let mut writer = Writer::default();
        all.iter().for_each(|mention| writer.push(*mention, None));
        let text = writer.finish();
        assert_eq!(text, "1i010000001nof,,f,,f,,f,,30");
        let mut reader = Reader::<Mention>::new(&text);
        assert_eq!([0, 1, 2].map(|_| reader.next()), all.map(Told::Is));
    }

    #[test]
    fn nonsense_tells_nothing() {
        for text in ["", "00001", "00001\"-=", "é=====", ",,,,,,=", " ="] {
            let mut reader = Reader::<u32>::new(text);
            assert_eq!((reader.next(), reader.next()), (Told::Is(0), Told::Is(0)), "{text}");
        }
        for text in ["", "1", "p0==", "1p==", "11,,,==", "12000", "1é==", "\"1=="] {
            let (mut reader, nothing) = (Reader::<Mention>::new(text), Told::Is(Mention::default()));
            assert_eq!((reader.next(), reader.next()), (nothing, nothing), "{text}");
        }
    }
}
