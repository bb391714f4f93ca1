//! A newspaper: stories come when people work, are corrected within hours or days, and then freeze.

use super::{
    Made, SyntheticConfig,
    chance::{Purpose, dice, exponential, happens},
    feed::Feed,
    objects::arrivals,
    outlet::{Order, Sight, Trade, open, things},
    shelf::Life,
};
use std::fmt::{self, Write};

pub(super) const SUMMARY: &str = "a newspaper: sections, stories that are corrected and then freeze, RSS";

/// Share of stories that are corrected, and of corrected ones that are corrected again.
const CORRECTED: f64 = 0.55;
const CORRECTIONS_MAX: usize = 6;

/// Mean days until the first correction; every further one takes twice as long.
const UNTIL_CORRECTED: f64 = 0.1;

/// Share of stories that are taken back, and how soon.
const WITHDRAWN: f64 = 0.02;
const UNTIL_WITHDRAWN: f64 = 4.0;

/// What is in the archive when the world begins, as a share of what is still to come.
const BACKLOG: f64 = 0.5;

#[derive(Debug)]
struct News;

pub(super) fn make(wish: &SyntheticConfig) -> Made {
    let days = -BACKLOG * wish.days..wish.days;
    let stories = arrivals(wish, things(wish, &News), 8.0, days);
    open(wish, News, stories.into_iter().enumerate().map(|(nth, born)| story(wish, nth as u64, born)).collect())
}

fn story(wish: &SyntheticConfig, nth: u64, born: f64) -> Life {
    let mut dice = dice(wish.seed, Purpose::Lives, nth);
    let section = nth as usize % News.sections().len();
    let (mut updates, mut day, mut pause) = (Vec::new(), born, UNTIL_CORRECTED);
    while updates.len() < CORRECTIONS_MAX && happens(&mut dice, CORRECTED) {
        day += exponential(&mut dice, pause);
        pause *= 2.0;
        updates.push(day);
    }
    let withdrawn = happens(&mut dice, WITHDRAWN);
    let dies = if withdrawn { born + exponential(&mut dice, UNTIL_WITHDRAWN) } else { f64::INFINITY };
    Life { section, born, dies, updates }
}

impl Trade for News {
    fn name(&self) -> &'static str {
        "The Daily Plate"
    }

    fn sections(&self) -> &'static [&'static str] {
        &["world", "politics", "business", "science", "sport", "culture"]
    }

    fn feed(&self) -> Option<Feed> {
        Some(Feed::Rss)
    }

    fn order(&self) -> Order {
        Order::Newest
    }

    fn describe(&self, story: &Sight<'_>, out: &mut String) -> fmt::Result {
        writeln!(out, "<p class=\"byline\">Published <time datetime=\"{0}\">{0}</time></p>", story.born)?;
        if story.revision() > 0 {
            writeln!(out, "<p class=\"correction\">Corrected {}.</p>", story.touched())?;
        }
        story.prose.paragraphs(story.name, story.prose.length(story.name), story.revision(), out);
        Ok(())
    }

    fn detail(&self, story: &Sight<'_>, out: &mut String) -> fmt::Result {
        write!(out, "{}", story.born)
    }
}
