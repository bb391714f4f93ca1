//! Words that change without anything being said, on any site, because their wording says so: when a page was updated or
//! generated, revision stamps, hashes and session ids, counters of visitors, the time since, years of a copyright.
//!
//! A date, a clock or a number is content unless the words beside it call it a stamp. What a word is depends on its
//! neighbours: `12` is a figure, `12 May` is a date. So words are judged in runs.

use std::ops::Range;

/// Words of a revision stamp at most: `$Id: index.html,v 1.2 2001/01/02 10:11:12 user Exp $`.
const STAMP_WORDS: usize = 9;
/// Letters and digits of an id that nobody made up as a word.
const HEX_MIN: usize = 7;
const NONCE_MIN: usize = 20;
/// Words between what calls a date a stamp and the date, at most: "last updated by the editors on".
const CALLED_WITHIN: usize = 5;
/// The same where the date comes first: "2001-05-17 updated".
const CALLED_AFTER: usize = 2;

/// Words between what calls an id a checksum and the id, at most: "SHA256 (file.tgz) = 4f2a…".
const CHECKED_WITHIN: usize = 3;

/// Words that call the date beside them a stamp.
const CALLS: [&str; 22] = [
    "updated",
    "modified",
    "generated",
    "refreshed",
    "rendered",
    "lastmod",
    "lastbuilddate",
    "datemodified",
    "retrieved",
    "accessed",
    "aktualisiert",
    "geändert",
    "stand",
    "abgerufen",
    "actualizado",
    "actualizada",
    "modificado",
    "aggiornato",
    "modifié",
    "mise",
    "atualizado",
    "更新",
];
/// What only calls it so after "last".
const LAST: [&str; 14] = [
    "reviewed",
    "changed",
    "edited",
    "checked",
    "verified",
    "update",
    "modification",
    "revision",
    "revised",
    "change",
    "edit",
    "build",
    "commit",
    "built",
];

/// What a word looks like by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Word,
    /// Any other number.
    Number,
    /// A number that may be the day of a month.
    Day,
    /// A number that may be a year, or two of them.
    Year,
    Month,
    /// A weekday, a time zone, or what stands between the parts of a date.
    Between,
    /// 12:30, 2001-05-17, 17/05/01, 2001-05-17T12:30:00Z.
    Stamp,
    /// 1.203
    Version,
    /// Hashes, ids, nonces.
    Id,
}

/// Which words are volatile.
pub(super) fn volatile(words: &[&str]) -> Vec<bool> {
    let sorts: Vec<Sort> = words.iter().map(|word| sort(word)).collect();
    let is_told = |at: usize| words[at.saturating_sub(CHECKED_WITHIN)..at].iter().any(|word| is_checksum(word));
    let is_id = |(at, sort): (usize, &Sort)| *sort == Sort::Id && !is_told(at);
    let mut volatile: Vec<bool> = sorts.iter().enumerate().map(is_id).collect();
    stamped_dates(words, &sorts, &mut volatile);
    for at in 0..words.len() {
        let marked = revision(&words[at..], &sorts[at..]).max(counter(words, &sorts, at)).max(since(&words[at..]));
        volatile[at..at + marked].fill(true);
        copyright(words, &sorts, at, &mut volatile);
    }
    volatile
}

/// Whether a word calls what follows a checksum: who downloads a file relies on it.
fn is_checksum(word: &str) -> bool {
    const NAMES: [&str; 11] =
        ["hash", "checksum", "md5", "sha1", "sha256", "sha512", "sha-1", "sha-256", "sha-512", "blake2b", "prüfsumme"];
    NAMES.iter().any(|name| name.eq_ignore_ascii_case(bare(word)))
}

/// Which words are parts of dates or clocks, stamps or not.
pub(super) fn dates(words: &[&str]) -> Vec<bool> {
    let sorts: Vec<Sort> = words.iter().map(|word| sort(word)).collect();
    let mut marks = vec![false; words.len()];
    for_each_date(&sorts, |range, named| mark_date(&sorts, range, named, &mut marks));
    marks
}

/// A date with a part that is a stamp is one.
pub(super) fn whole_dates(words: &[&str], is_stamp: &mut [bool]) {
    if is_stamp.contains(&true) {
        let sorts: Vec<Sort> = words.iter().map(|word| sort(word)).collect();
        for_each_date(&sorts, |range, named| {
            if is_stamp[range.clone()].contains(&true) {
                mark_date(&sorts, range, named, is_stamp);
            }
        });
    }
}

/// Marks dates that are called stamps, and moments that stand alone.
fn stamped_dates(words: &[&str], sorts: &[Sort], volatile: &mut [bool]) {
    for_each_date(sorts, |range, named| {
        let is_all = range.len() == words.len() && is_moment(words);
        if is_all || is_called_stamp(words, range.start, range.end) {
            mark_date(sorts, range, named, volatile);
        }
    });
}

/// Whether words are a moment to the second with its time zone: nobody writes that but a machine, about itself.
fn is_moment(words: &[&str]) -> bool {
    let zone = |word: &&str| matches!(bare(word), "GMT" | "UTC" | "Z") || word.ends_with('Z') || word.contains("+0");
    words.iter().any(|word| is_moment_of_a_machine(word)) && words.last().is_some_and(zone)
}

/// Whether a word is a clock to the second, alone or behind its day; of a full minute behind its day people may be told.
fn is_moment_of_a_machine(word: &str) -> bool {
    word.matches(':').count() >= 2 && !(word.contains('T') && word.contains(":00Z"))
}

/// Whether a word is a day and its clock.
pub(super) fn is_moment_word(word: &str) -> bool {
    word.contains('T') && word.contains(':') && is_stamp(bare(word))
}

/// Marks clocks to a second before an offset: of such a moment the day is for people, the second is a machine's.
pub(super) fn seconds(words: &[&str], is_stamp: &mut [bool]) {
    for (at, pair) in words.windows(2).enumerate() {
        is_stamp[at] |= is_stamped(pair[0]) && is_clock(bare(pair[0])) && is_offset(pair[1]);
    }
}

/// Whether a clock tells seconds, and not those of a full quarter of an hour, which people agree on.
fn is_stamped(word: &str) -> bool {
    word.matches(':').count() >= 2
        && ![":00:00", ":15:00", ":30:00", ":45:00"].iter().any(|quarter| word.contains(quarter))
}

/// Whether a word says how far a clock is from Greenwich: +0100, -05:00.
fn is_offset(word: &str) -> bool {
    let digits = word.strip_prefix(['+', '-']).map(|digits| digits.replace(':', ""));
    digits.is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Tells runs of the parts of dates that name a month and a number (true), or have a date or clock.
fn for_each_date(sorts: &[Sort], mut tell: impl FnMut(Range<usize>, bool)) {
    let is_part = |sort: Sort| matches!(sort, Sort::Day | Sort::Year | Sort::Month | Sort::Between | Sort::Stamp);
    let mut at = 0;
    for run in sorts.chunk_by(|one, two| is_part(*one) == is_part(*two)) {
        let has = |sort: Sort| run.contains(&sort);
        let named = has(Sort::Month) && (has(Sort::Day) || has(Sort::Year) || has(Sort::Stamp));
        if is_part(run[0]) && (named || has(Sort::Stamp)) {
            tell(at..at + run.len(), named);
        }
        at += run.len();
    }
}

fn mark_date(sorts: &[Sort], range: Range<usize>, named: bool, marks: &mut [bool]) {
    let each = marks[range.clone()].iter_mut().zip(&sorts[range]);
    each.for_each(|(mark, sort)| *mark |= named || !matches!(sort, Sort::Day | Sort::Year | Sort::Month));
}

/// Whether the words before or after a date call it a stamp.
fn is_called_stamp(words: &[&str], first: usize, end: usize) -> bool {
    let before = words[..first].iter().rev().take(CALLED_WITHIN);
    // What was said in the sentence before is not said of this date.
    let said_before = before.take_while(|word| !word.ends_with(['.', ';', '!', '?']) || word.len() <= 3).count();
    let calls_at = |at: usize| calls(words, at);
    (first - said_before..first).any(calls_at)
        || (end..words.len().min(end + CALLED_AFTER)).any(|at| calls_at(at) && !words[at].ends_with(':'))
}

/// Whether a word calls dates beside it stamps.
fn calls(words: &[&str], at: usize) -> bool {
    let word = bare(words[at]);
    let is =
        |known: &&str| known.eq_ignore_ascii_case(word) || !word.is_ascii() && word.to_lowercase().contains(*known);
    let after_last = || at > 0 && bare(words[at - 1]).eq_ignore_ascii_case("last");
    CALLS.iter().any(is) || after_last() && LAST.iter().any(is)
}

/// How many words from here are the stamp of a version control system, with or without its dollar signs.
fn revision(words: &[&str], sorts: &[Sort]) -> usize {
    let first = words[0].trim_start_matches(['[', '(', '<', '"']);
    if first.starts_with('$') && (first.ends_with(':') || first.len() > 2 && first.ends_with('$')) {
        let end = words
            .iter()
            .take(STAMP_WORDS)
            .skip(1)
            .position(|word| word.trim_end_matches([']', ')', '.', ',']).ends_with('$'));
        return if first.ends_with('$') { 1 } else { end.map_or(0, |end| end + 2) };
    }
    let named = first.ends_with(",v") || first.eq_ignore_ascii_case("revision:");
    if !named || sorts.get(1) != Some(&Sort::Version) {
        return 0;
    }
    let mut end = 2;
    while sorts.get(end) == Some(&Sort::Stamp) {
        end += 1;
    }
    // The author, if the state follows.
    let state = |word: Option<&&str>| word.is_some_and(|word| matches!(*word, "Exp" | "Rel" | "Stab" | "Exp$"));
    end + if end > 2 && state(words.get(end + 1)) { 2 } else { 0 }
}

/// How many words from here are a count of visitors and the like.
fn counter(words: &[&str], sorts: &[Sort], at: usize) -> usize {
    const COUNTED: [&str; 18] = [
        "views",
        "visits",
        "visitors",
        "hits",
        "readers",
        "downloads",
        "likes",
        "shares",
        "followers",
        "points",
        "comments",
        "votes",
        "upvotes",
        "replies",
        "reactions",
        "retweets",
        "reposts",
        "subscribers",
    ];
    let counted = |at: usize| {
        let word = words.get(at).map_or("", |word| bare(word));
        COUNTED.iter().any(|counted| counted.eq_ignore_ascii_case(word))
    };
    let number = matches!(sorts[at], Sort::Number | Sort::Day | Sort::Year | Sort::Version);
    let before = at > 0 && words[at - 1].ends_with(':') && counted(at - 1);
    usize::from(number && (counted(at + 1) || before))
}

/// How many words from here tell how long ago something was.
fn since(words: &[&str]) -> usize {
    const UNITS: [&str; 16] = [
        "second", "seconds", "sec", "secs", "minute", "minutes", "min", "mins", "hour", "hours", "day", "days", "week",
        "weeks", "month", "months",
    ];
    let [_, unit, ago, ..] = words else { return 0 };
    let unit = bare(unit);
    if bare(ago) == "ago" && (UNITS.contains(&unit) || matches!(unit, "year" | "years")) { 3 } else { 0 }
}

/// Marks the years a copyright is claimed for.
fn copyright(words: &[&str], sorts: &[Sort], at: usize, volatile: &mut [bool]) {
    if words[at].contains('©') || bare(words[at]).eq_ignore_ascii_case("copyright") {
        let years = sorts[at + 1..].iter().zip(&words[at + 1..]).take(4);
        let years = years
            .take_while(|(sort, word)| **sort == Sort::Year || !word.contains(char::is_alphabetic) || **word == "(c)");
        let count = years.count();
        for (mark, sort) in volatile[at + 1..].iter_mut().zip(&sorts[at + 1..]).take(count) {
            *mark |= *sort == Sort::Year;
        }
    }
}

/// A word without the signs around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|char: char| !char.is_alphanumeric())
}

fn sort(word: &str) -> Sort {
    let word = bare(word);
    let bytes = word.as_bytes();
    let Some(first) = bytes.first() else { return Sort::Word };
    if first.is_ascii_digit() {
        return numeric(word);
    }
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return named(word);
    }
    if is_id(word) { Sort::Id } else { Sort::Word }
}

/// What a word that begins with a digit is.
fn numeric(word: &str) -> Sort {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    if rest.is_empty() || matches!(rest, "st" | "nd" | "rd" | "th") {
        return number(&word[..digits]);
    }
    if is_stamp(word) {
        return Sort::Stamp;
    }
    if word.len() == 9 && rest.len() == 5 && rest.starts_with(['-', '/']) && number(&rest[1..]) == Sort::Year {
        return Sort::Year;
    }
    if is_id(word) {
        return Sort::Id;
    }
    let figures = rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'%'));
    match figures {
        true if rest.bytes().filter(|byte| *byte == b'.').count() == 1 && !rest.contains(',') => Sort::Version,
        true => Sort::Number,
        false => Sort::Word,
    }
}

fn number(digits: &str) -> Sort {
    match (digits.len(), digits.parse::<u64>().unwrap_or(u64::MAX)) {
        (1 | 2, 1..=31) => Sort::Day,
        (4, 1900..=2100) => Sort::Year,
        // Seconds or milliseconds since 1970, from 2001 to 2033.
        (10, 1_000_000_000..2_000_000_000) | (13, 1_000_000_000_000..2_000_000_000_000) => Sort::Id,
        _ => Sort::Number,
    }
}

/// Whether a word is a date in figures, a clock, or both.
fn is_stamp(word: &str) -> bool {
    let (date, clock) = match word.split_once(['T', '_']) {
        Some((date, clock)) => (Some(date), Some(clock)),
        None if word.contains(':') => (None, Some(word)),
        None => (Some(word), None),
    };
    date.is_none_or(is_date) && clock.is_none_or(is_clock)
}

fn is_date(word: &str) -> bool {
    for sign in ['-', '/', '.'] {
        let mut parts = word.split(sign);
        if let (Some(one), Some(two), Some(three), None) = (parts.next(), parts.next(), parts.next(), parts.next()) {
            let number = |part: &str| part.parse::<u32>().ok().filter(|_| part.len() <= 4 && !part.starts_with('+'));
            let long = [one, two, three].iter().filter(|part| part.len() == 4).count();
            let month = number(two).is_some_and(|n| n <= 31) || is_month(two);
            let ends = number(one).is_some_and(|n| n <= 31 || (1900..=2100).contains(&n))
                && number(three).is_some_and(|n| n <= 99 || (1900..=2100).contains(&n));
            let usual = long == 1 || sign == '/' && long == 0 && two.len() == 2;
            return month && ends && usual;
        }
    }
    false
}

fn is_clock(word: &str) -> bool {
    let word = word.trim_end_matches(['a', 'p', 'A', 'P', 'm', 'M', 'Z']);
    let word = word.split(['+', '-', '.']).next().unwrap_or(word);
    let mut parts = word.split(':');
    let in_range = |part: &str, max: u32, least: usize| {
        (least..=2).contains(&part.len()) && part.parse::<u32>().is_ok_and(|number| number < max)
    };
    let hour = parts.next().is_some_and(|hour| in_range(hour, 25, 1));
    let minute = parts.next().is_some_and(|minute| in_range(minute, 60, 2));
    hour && minute && parts.next().is_none_or(|second| in_range(second, 61, 2)) && parts.next().is_none()
}

/// Whether a word is made of letters and digits nobody would choose.
fn is_id(word: &str) -> bool {
    let count = |test: fn(&u8) -> bool| word.bytes().filter(test).count();
    let (digits, lower, upper) =
        (count(u8::is_ascii_digit), count(u8::is_ascii_lowercase), count(u8::is_ascii_uppercase));
    let hex = word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-') && digits + lower + upper >= HEX_MIN;
    let letters = lower + upper;
    hex && digits >= 2 && letters >= 2 && (lower == 0 || upper == 0)
        || digits + letters >= NONCE_MIN
            && digits >= 3
            && lower >= 3
            && upper >= 3
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'/' | b'='))
}

fn named(word: &str) -> Sort {
    const BETWEEN: [&str; 30] = [
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "am",
        "pm",
        "gmt",
        "utc",
        "est",
        "edt",
        "cst",
        "cdt",
        "mst",
        "mdt",
        "pst",
        "pdt",
        "cet",
        "cest",
        "bst",
        "uhr",
    ];
    if !word.is_ascii() || word.len() > 10 {
        return if is_month(word) { Sort::Month } else { Sort::Word };
    }
    let is = |other: &&str| other.eq_ignore_ascii_case(word);
    if BETWEEN.iter().any(is) {
        Sort::Between
    } else if is_month(word) {
        Sort::Month
    } else {
        Sort::Word
    }
}

/// Names of months, in full, how many letters are enough, and its number.
const MONTHS: [(&str, usize, u32); 48] = [
    ("january", 3, 1),
    ("february", 3, 2),
    ("march", 3, 3),
    ("april", 3, 4),
    ("may", 3, 5),
    ("june", 3, 6),
    ("july", 3, 7),
    ("august", 3, 8),
    ("september", 3, 9),
    ("october", 3, 10),
    ("november", 3, 11),
    ("december", 3, 12),
    ("januar", 3, 1),
    ("februar", 3, 2),
    ("märz", 4, 3),
    ("mai", 3, 5),
    ("juni", 4, 6),
    ("juli", 4, 7),
    ("oktober", 3, 10),
    ("dezember", 3, 12),
    ("janvier", 4, 1),
    ("février", 3, 2),
    ("mars", 4, 3),
    ("avril", 3, 4),
    ("juin", 4, 6),
    ("juillet", 4, 7),
    ("août", 4, 8),
    ("septembre", 4, 9),
    ("octobre", 3, 10),
    ("novembre", 3, 11),
    ("décembre", 3, 12),
    ("enero", 3, 1),
    ("febrero", 3, 2),
    ("marzo", 3, 3),
    ("abril", 3, 4),
    ("mayo", 4, 5),
    ("junio", 5, 6),
    ("julio", 5, 7),
    ("agosto", 3, 8),
    ("septiembre", 4, 9),
    ("octubre", 3, 10),
    ("noviembre", 3, 11),
    ("diciembre", 3, 12),
    ("janeiro", 3, 1),
    ("março", 5, 3),
    ("setembro", 3, 9),
    ("outubro", 3, 10),
    ("dezembro", 3, 12),
];

fn is_month(word: &str) -> bool {
    month(word).is_some()
}

/// The number of the month that a word names.
pub(super) fn month(word: &str) -> Option<u32> {
    let first = word.bytes().next().map(|byte| byte.to_ascii_lowercase());
    let is = |(month, least, _): &&(&str, usize, u32)| {
        first == month.bytes().next()
            && word.len() >= *least
            && month.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let found = if word.len() <= 10 { MONTHS.iter().find(is) } else { None };
    found.map(|(.., number)| *number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that are not volatile.
    fn steady(text: &str) -> String {
        let words: Vec<&str> = text.split(' ').collect();
        let marks = volatile(&words);
        words.iter().zip(marks).filter(|(_, mark)| !mark).map(|(word, _)| *word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn dates_and_clocks_are_stamps_where_they_are_called_so() {
        for (text, left) in [
            ("Updated 2021-05-17T12:30:00Z by us", "Updated by us"),
            ("Last modified: Mon, 01 Mar 2021 10:15:00 GMT", "Last modified:"),
            ("am 3. März 2001 geändert", "geändert"),
            ("Last reviewed on May 4th, 2020 (10:30 PM)", "Last reviewed on"),
            ("Page generated at 10:30:01", "Page generated at"),
            ("on May 4th, 2020 (10:30 PM)", "on May 4th, 2020 (10:30 PM)"),
            ("2001/11/05 16:22:03", "2001/11/05 16:22:03"),
            ("We updated the terms. They end on May 4, 2020", "We updated the terms. They end on May 4, 2020"),
            ("discharged after September 11, 2001", "discharged after September 11, 2001"),
            ("the hearing is at 14:00", "the hearing is at 14:00"),
            ("Released: 2021-05-17 Updated: 2021-06-01", "Released: 2021-05-17 Updated:"),
            ("May I have 12 of them in 2020?", "May I have 12 of them in 2020?"),
            ("12 acres, 45% contained, 1,200 people", "12 acres, 45% contained, 1,200 people"),
            ("20 acres 5/17/21", "20 acres 5/17/21"),
            ("version 1.2.3 at 10.0.0.1", "version 1.2.3 at 10.0.0.1"),
        ] {
            assert_eq!(steady(text), left, "{text}");
        }
    }

    #[test]
    fn the_second_of_a_moment_is_a_machines_and_its_day_is_not() {
        for (text, marks) in [
            ("date: 2022-01-04 16:35:27 -0500", [false, false, true, false]),
            ("begins: 2022-01-04 16:45:00 -0500", [false; 4]),
            ("begins 2022-01-04 16:35 -0500", [false; 4]),
            ("won in 2:16:35 hours", [false; 4]),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            let mut found = volatile(&words);
            seconds(&words, &mut found);
            assert_eq!(found, marks, "{text}");
        }
    }

    #[test]
    fn revision_stamps_say_nothing() {
        for (text, left) in [
            ("$OpenBSD: index.html,v 1.203 2001/11/05 16:22:03 horacio Exp $ end", "end"),
            ("Originally index.html,v 1.203 2001/11/05 16:22:03 horacio Exp here", "Originally here"),
            ("$Revision: 1.5 $", ""),
            ("costs $5 and $7", "costs $5 and $7"),
        ] {
            assert_eq!(steady(text), left, "{text}");
        }
    }

    #[test]
    fn ids_and_counters_say_nothing() {
        for (text, left) in [
            ("build 4f2a9c1 of 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "build of"),
            ("SHA256 (a.tgz) = 4f2a9c1e8b7d6f50", "SHA256 (a.tgz) = 4f2a9c1e8b7d6f50"),
            ("64bit hash 4f2a9c1e8b7d6f50", "64bit hash 4f2a9c1e8b7d6f50"),
            ("seen by 1,204 visitors", "seen by visitors"),
            ("Views: 77", "Views:"),
            ("posted 5 minutes ago", "posted"),
            ("Copyright (c) 1996-2001 OpenBSD", "Copyright (c) OpenBSD"),
            ("cafe facade decade", "cafe facade decade"),
            ("at 1615067426", "at"),
        ] {
            assert_eq!(steady(text), left, "{text}");
        }
    }
}
