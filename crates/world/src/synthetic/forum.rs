//! A forum: threads get answers quickly, then slowly, then none; whatever was answered last stands on top.

use super::{
    Made, SyntheticConfig,
    chance::{Purpose, below, dice, exponential, happens},
    feed::Feed,
    objects::arrivals,
    outlet::{Order, Sight, Trade, open, things},
    shelf::Life,
};
use std::fmt::{self, Write};
use tintype_vocab::Time;

pub(super) const SUMMARY: &str = "a forum: threads that grow and go quiet, boards by latest answer, Atom";

/// Chance that there is one more answer.
const ANSWERED: f64 = 0.88;
const ANSWERS_MAX: usize = 30;

/// Mean days until the first answer; every further one takes longer by this factor.
const UNTIL_ANSWERED: f64 = 0.05;
const SLOWING: f64 = 1.35;

/// Share of threads that a moderator removes, and how soon.
const REMOVED: f64 = 0.04;
const UNTIL_REMOVED: f64 = 2.0;

/// Threads from before the world begins, as a share of those to come.
const BACKLOG: f64 = 0.3;

const PEOPLE: [&str; 12] =
    ["ada", "bo", "chidi", "dara", "emil", "farah", "goro", "hana", "ines", "jun", "kofi", "lena"];

#[derive(Debug)]
struct Forum;

pub(super) fn make(wish: &SyntheticConfig) -> Made {
    let threads = arrivals(wish, things(wish, &Forum), 4.0, -BACKLOG * wish.days..wish.days);
    open(wish, Forum, threads.into_iter().enumerate().map(|(nth, born)| thread(wish, nth, born)).collect())
}

fn thread(wish: &SyntheticConfig, nth: usize, born: f64) -> Life {
    let mut dice = dice(wish.seed, Purpose::Lives, nth as u64);
    let section = below(&mut dice, Forum.sections().len());
    let (mut updates, mut day, mut pause) = (Vec::new(), born, UNTIL_ANSWERED);
    while updates.len() < ANSWERS_MAX && happens(&mut dice, ANSWERED) {
        day += exponential(&mut dice, pause);
        pause *= SLOWING;
        updates.push(day);
    }
    let removed = happens(&mut dice, REMOVED);
    let dies = if removed { born + exponential(&mut dice, UNTIL_REMOVED) } else { f64::INFINITY };
    Life { section, born, dies, updates }
}

fn post(thread: &Sight<'_>, nth: u64, at: Time, out: &mut String) -> fmt::Result {
    let mut dice = dice(thread.seed, Purpose::Figures, thread.name ^ nth << 32);
    let person = PEOPLE[below(&mut dice, PEOPLE.len())];
    write!(out, "<section class=\"post\" id=\"post-{nth}\"><h2>{person}</h2><p class=\"detail\">{at}</p>\n<p>")?;
    let length = 1 + below(&mut dice, 6);
    thread.prose.sentences(&mut dice, length, out);
    out.push_str("</p></section>\n");
    Ok(())
}

impl Trade for Forum {
    fn name(&self) -> &'static str {
        "Darkroom Talk"
    }

    fn sections(&self) -> &'static [&'static str] {
        &["beginners", "chemistry", "cameras", "critique", "market", "off-topic"]
    }

    fn feed(&self) -> Option<Feed> {
        Some(Feed::Atom)
    }

    fn order(&self) -> Order {
        Order::MostActive
    }

    fn describe(&self, thread: &Sight<'_>, out: &mut String) -> fmt::Result {
        let posts = std::iter::once(&thread.born).chain(thread.past);
        posts.enumerate().try_for_each(|(nth, &at)| post(thread, nth as u64, at, out))
    }

    fn detail(&self, thread: &Sight<'_>, out: &mut String) -> fmt::Result {
        write!(out, "{} answers, latest {}", thread.revision(), thread.touched())
    }
}
