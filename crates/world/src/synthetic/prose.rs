//! Sentences that mean nothing and read like something.

use super::chance::{Purpose, below, dice};
use std::fmt::Write;
use tintype_plan::Dice;

const WHO: &str = "council harbour teacher museum ferry orchard printer railway library garden engineer baker choir \
    lighthouse market theatre village clinic observatory school farmer captain workshop archive editor gardener \
    carpenter committee university airport brewery company neighbour painter mayor union laboratory station hospital \
    cooperative";
const DOES: &str = "opens repairs measures questions visits paints postpones publishes welcomes loses finds sells \
    rebuilds counts explains replaces examines borrows restores delivers defends doubles records forgets announces \
    inspects photographs closes celebrates improves";
const WHAT: &str = "bridge clock budget timetable collection telescope recipe contract storm archive windmill map \
    treaty engine harvest concert lantern ticket canal portrait greenhouse letter tunnel ledger signal kitchen \
    sculpture compass calendar battery roof shelf festival pipeline camera novel reservoir turbine piano fence";
const HOW: &str = "quiet narrow early copper northern patient blue careful sudden wooden late bright modest heavy \
    distant public hollow gentle rare second former curious steady silver open local western plain annual broken \
    small winter young old reluctant";
const WHEN: &str = "before noon|after the meeting|on Thursday|without warning|for the third time|near the old mill|\
    with some delay|in front of witnesses|since last spring|at the usual price|despite the rain|by train|\
    under new rules|in two languages|for a small fee|along the river|until further notice|as agreed|once a year|\
    in plain sight";

/// Enough that no two paragraphs are likely to be alike, few enough to stay in the cache.
const SENTENCES: usize = 2048;

/// A stock of sentences; paragraphs are drawn from it, since copying is many times faster than composing.
#[derive(Debug)]
pub(super) struct Prose {
    text: String,
    ends: Vec<u32>,
    words: Words,
    seed: u64,
}

#[derive(Debug)]
struct Words([Vec<&'static str>; 5]);

impl Words {
    fn new() -> Words {
        let list = |words: &'static str| words.split_ascii_whitespace().collect();
        Words([list(WHO), list(DOES), list(WHAT), list(HOW), WHEN.split('|').map(str::trim).collect()])
    }

    fn throw(&self, dice: &mut Dice) -> [&'static str; 5] {
        self.0.each_ref().map(|words| words[below(dice, words.len())])
    }
}

fn capital(out: &mut String, word: &str) {
    let (first, rest) = word.split_at(1);
    out.push_str(&first.to_ascii_uppercase());
    out.push_str(rest);
}

impl Prose {
    pub(super) fn new(seed: u64) -> Prose {
        let words = Words::new();
        let (mut text, mut ends) = (String::new(), Vec::with_capacity(SENTENCES));
        for nth in 0..SENTENCES as u64 {
            let mut dice = dice(seed, Purpose::Words, nth);
            let [who, does, what, how, when] = words.throw(&mut dice);
            let [_, _, other, quality, _] = words.throw(&mut dice);
            let sentence = match below(&mut dice, 4) {
                0 => format!("The {how} {who} {does} the {what} {when}. "),
                1 => format!("A {quality} {what} and a {how} {other} stay with the {who} {when}. "),
                2 => format!("Nobody {does} a {how} {what} {when}, said the {quality} {who}. "),
                _ => format!("If the {who} {does} the {quality} {what}, the {how} {other} has to wait. "),
            };
            text.push_str(&sentence);
            ends.push(text.len() as u32);
        }
        Prose { text, ends, words, seed }
    }

    fn sentence(&self, nth: usize) -> &str {
        let from = nth.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[from as usize..self.ends[nth] as usize]
    }

    /// So many sentences chosen by the dice.
    pub(super) fn sentences(&self, dice: &mut Dice, count: usize, out: &mut String) {
        for _ in 0..count {
            out.push_str(self.sentence(below(dice, SENTENCES)));
        }
        out.truncate(out.trim_end().len());
    }

    /// Paragraphs of the thing `name`, of which every revision has rewritten one: the first revision the second
    /// paragraph, and so on around.
    pub(super) fn paragraphs(&self, name: u64, count: usize, revision: u32, out: &mut String) {
        for place in 0..count {
            let since = (revision as usize + count - place) % count;
            let written = (revision as usize).saturating_sub(since) as u64;
            let mut dice = dice(self.seed, Purpose::Words, name ^ (place as u64) << 40 ^ written << 48);
            let length = 2 + below(&mut dice, 4);
            out.push_str("<p>");
            self.sentences(&mut dice, length, out);
            out.push_str("</p>\n");
        }
    }

    /// How many paragraphs the thing `name` has: mostly few, sometimes many.
    pub(super) fn length(&self, name: u64) -> usize {
        let spread = dice(self.seed, Purpose::Lengths, name).unit();
        (6.0 * (9.0f64).powf(spread * spread)) as usize
    }

    /// The lines that a listing shows of the thing `name`.
    pub(super) fn teaser(&self, name: u64, out: &mut String) {
        self.sentences(&mut dice(self.seed, Purpose::Titles, !name), 2, out);
    }

    /// The title of the thing `name`.
    pub(super) fn title(&self, name: u64) -> String {
        let mut dice = dice(self.seed, Purpose::Titles, name);
        let [who, does, what, how, _] = self.words.throw(&mut dice);
        let mut title = String::with_capacity(48);
        capital(&mut title, how);
        write!(title, " {who} {does} {what}").expect("strings grow");
        title
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_rewrites_one_paragraph() {
        let prose = Prose::new(5);
        let text = |name, revision| {
            let mut out = String::new();
            prose.paragraphs(name, 7, revision, &mut out);
            out.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        for revision in 0..20 {
            let (before, after) = (text(3, revision), text(3, revision + 1));
            assert_eq!(before.iter().zip(&after).filter(|(a, b)| a != b).count(), 1, "revision {revision}");
        }
        assert_ne!(text(3, 0), text(4, 0));
        assert_ne!(prose.title(3), prose.title(4));
    }
}
