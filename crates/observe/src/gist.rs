//! What a page says when its numbers are taken away: pages that a site makes without end are told by it.
//!
//! A calendar shows the same words on every page, a list under a new session's number says what it said before, and a
//! search that finds nothing says so whatever was looked for. What such pages differ in are counts, dates, and words of
//! their own address; what differs in its words or in what it embeds is a page of its own.

mod words;

use crate::html::{Syntax, visible_text};
use rapidhash::v3::rapidhash_v3;
use tintype_vocab::{LinkKind, Links};
use words::each_word;

/// Different words that are looked at.
const WORDS_MAX: usize = 4096;
/// What a word takes at least: a letter, and what sets it apart from the next.
const WORD_BYTES: usize = 2;
/// Numbers of so many digits are days, hours, places in a list.
const SHORT_NUMBER: usize = 2;

/// The words of a page as one number, whatever their order and how often each is there.
pub(crate) fn gist(page: &[u8], syntax: Syntax, url: &str) -> u64 {
    let (mut seen, mut numbers) = (Seen::new((page.len() + url.len()) / WORD_BYTES + 1), Vec::new());
    // Words of the address say nothing.
    each_word(url.as_bytes(), |word, hash| {
        seen.insert(hash);
        numbers.extend(number(word));
    });
    let mut sum = 0u64;
    visible_text(page, syntax, |piece| {
        each_word(piece, |word, hash| {
            if seen.insert(hash) && !passes(word, &numbers) {
                sum = sum.wrapping_add(hash | 1);
            }
        });
    });
    sum
}

/// Hashes, in a table of which half stays empty; 0 is an empty place.
struct Seen {
    table: Vec<u64>,
    left: usize,
}

impl Seen {
    /// For so many words, but at most [`WORDS_MAX`].
    fn new(words: usize) -> Seen {
        let words = words.min(WORDS_MAX);
        Seen { table: vec![0; (2 * words).next_power_of_two()], left: words }
    }

    /// Whether the hash is there now and was not before.
    #[inline]
    fn insert(&mut self, hash: u64) -> bool {
        let (hash, mask) = (hash.max(1), self.table.len() - 1);
        let mut at = hash as usize & mask;
        while self.table[at] != 0 {
            if self.table[at] == hash {
                return false;
            }
            at = (at + 1) & mask;
        }
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.table[at] = hash;
        true
    }
}

/// What a page shows beside its words, as one number: two photographs under the same words are two pages. Parameters of
/// their addresses count for nothing, as a session's number may be among them.
pub(crate) fn shown(links: &Links) -> u64 {
    let embedded = links.iter().filter(|link| link.kind == LinkKind::Embed);
    let named = embedded.map(|link| link.url.split(['?', ';']).next().unwrap_or_default());
    named.fold(0, |sum, url| sum.wrapping_add(rapidhash_v3(url.as_bytes()) | 1))
}

fn number(word: &[u8]) -> Option<u64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Whether a word says nothing: a short number, a year, a neighbour of a number of the address, or letters and digits
/// mixed, as in a session's number.
fn passes(word: &[u8], of_address: &[u64]) -> bool {
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return false;
    }
    let is_year = word.len() == 4 && matches!(word[0], b'1' | b'2');
    digits < word.len()
        || digits <= SHORT_NUMBER
        || is_year
        || number(word).is_some_and(|number| of_address.iter().any(|own| own.abs_diff(number) <= 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(url: &str, page: &str) -> u64 {
        gist(page.as_bytes(), Syntax::Html, url)
    }

    #[test]
    fn pages_of_a_calendar_say_the_same() {
        let month = |year: u32, month: u32| {
            let days: String = (1..=28).map(|day| format!("<td>{day}</td>")).collect();
            of(
                &format!("http://e.com/cal/{year}/{month}"),
                &format!("<h1>{year}-{month}</h1><table>{days}</table><a href=/>next</a>"),
            )
        };
        assert_eq!(month(1770, 3), month(2031, 11));
    }

    #[test]
    fn an_address_that_is_echoed_says_nothing() {
        let found = |what: &str| of(&format!("http://e.com/find?q={what}"), &format!("<p>nothing like {what} here"));
        assert_eq!(found("apples"), found("Pears"));
        let here = |path: &str| of(&format!("http://e.com{path}"), &format!("<p>you are here: {path}"));
        assert_eq!(here("/a/b"), here("/a/b/a/b/a"));
        let session = |sid: &str| of(&format!("http://e.com/shop?sid={sid}"), &format!("<p>shop, visit {sid}"));
        assert_eq!(session("9f3ac1"), session("qwkdxz"));
    }

    #[test]
    fn pages_that_say_something_of_their_own_differ() {
        let item =
            |id: u32, text: &str| of(&format!("http://e.com/item/{id}"), &format!("<h1>Item {id}</h1><p>{text}"));
        assert_ne!(item(1, "a red bicycle"), item(2, "a blue bicycle"));
        assert_ne!(item(1, "price 14950"), item(2, "price 13780"), "tables of figures are no calendars");
        assert_eq!(item(1, "red, blue"), item(2, "Blue, red, blue"));
    }
}
