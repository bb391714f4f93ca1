//! What is written in different ways and means the same: numbers with zeros before them, and months of dates.

use super::{figure, stamp};
use std::borrow::Cow;

/// A part of a word as it is compared: without capitals, zeros before a number, and notations of a month.
pub(super) fn plain<'p>(part: &'p str, word: &str) -> Cow<'p, str> {
    if part.contains(',') && figure::is_decimal(part) {
        return Cow::Owned(thousands(part));
    }
    if part.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = part.trim_start_matches('0');
        if number.is_empty() {
            return Cow::Borrowed("0");
        }
        let is_month = part.len() == 2 && iso_month(word) == Some(part);
        return if is_month { Cow::Owned(format!("month {number}")) } else { Cow::Borrowed(number) };
    }
    // A moment with and without its time zone, and a clock behind its day.
    let clock = part.strip_suffix('Z').unwrap_or(part);
    if clock.len() < part.len() && word.contains(':') && clock.bytes().all(|byte| byte.is_ascii_digit()) {
        return plain(clock, clock);
    }
    match stamp::month(part) {
        Some(month) => Cow::Owned(format!("month {month}")),
        None => Cow::Owned(part.to_lowercase()),
    }
}

/// A number without the signs between its thousands.
fn thousands(number: &str) -> String {
    let mut groups = number.split('.').next().unwrap_or(number).split(',').skip(1);
    if groups.all(|group| group.len() == 3) { number.replace(',', "") } else { number.to_owned() }
}

/// The month of a date that begins with its year, where no other order is meant.
fn iso_month(word: &str) -> Option<&str> {
    let word = word.trim_matches(|char: char| !char.is_ascii_alphanumeric());
    let mut parts = word.split(['-', '/']);
    let [year, month, day] = [parts.next()?, parts.next()?, parts.next()?];
    let is_figures =
        |text: &str, len: usize| text.len() >= len && text.as_bytes()[..len].iter().all(u8::is_ascii_digit);
    let is_date = year.len() == 4 && is_figures(year, 4) && is_figures(month, 2) && is_figures(day, 2) && day != month;
    (is_date && month.len() == 2).then_some(month)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a date, in no order.
    fn parts(date: &str) -> Vec<String> {
        let words = date.split_whitespace().flat_map(|word| {
            let parts = word.split(|char: char| !char.is_alphanumeric()).filter(|part| !part.is_empty());
            parts.map(move |part| plain(part, word).into_owned())
        });
        let mut parts: Vec<String> = words.collect();
        parts.sort();
        parts
    }

    #[test]
    fn a_date_is_the_same_in_every_notation_and_other_dates_are_not() {
        for same in [
            ["2018-12-16", "16-Dec-2018"],
            ["8-Mar-2009", "08-Mar-2009"],
            ["14-July-2012", "14-Jul-2012"],
            ["30 Aug 2012", "30-August-2012"],
            ["2012/01/12", "12 January 2012"],
            ["0617", "617"],
        ] {
            assert_eq!(parts(same[0]), parts(same[1]), "{same:?}");
        }
        for other in [
            ["2018-12-16", "16-Nov-2018"],
            ["2018-12-16", "2018-16-12"],
            ["8-Mar-2009", "3 August 2009"],
            ["10", "100"],
        ] {
            assert_ne!(parts(other[0]), parts(other[1]), "{other:?}");
        }
    }
}
