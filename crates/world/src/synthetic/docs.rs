//! A manual: pages stay, chapters are revised as a whole with every release, now and then somebody mends one page.

use super::{
    Made, SyntheticConfig,
    chance::{Purpose, dice, happens, poisson},
    feed::Feed,
    outlet::{Order, Sight, Trade, open, things},
    shelf::Life,
};
use std::fmt::{self, Write};

pub(super) const SUMMARY: &str = "a manual: chapters revised together at releases, pages mended one by one";

/// Releases per day that touch a chapter, and the share of its pages each rewrites.
const RELEASES: f64 = 0.08;
const REWRITTEN: f64 = 0.5;

/// Mendings of a page per day.
const MENDED: f64 = 0.02;

/// Share of the pages that are written only after the world has begun.
const LATE: f64 = 0.1;

#[derive(Debug)]
struct Docs;

pub(super) fn make(wish: &SyntheticConfig) -> Made {
    let release = |section| poisson(&mut dice(wish.seed, Purpose::States, section), RELEASES, 0.0, wish.days).collect();
    let releases: Vec<Vec<f64>> = (0..Docs.sections().len() as u64).map(release).collect();
    open(wish, Docs, (0..things(wish, &Docs)).map(|nth| page(wish, &releases, nth)).collect())
}

fn page(wish: &SyntheticConfig, releases: &[Vec<f64>], nth: usize) -> Life {
    let mut dice = dice(wish.seed, Purpose::Lives, nth as u64);
    let section = nth % releases.len();
    let born = if happens(&mut dice, LATE) { dice.unit() * wish.days } else { -1.0 - 300.0 * dice.unit() };
    let mut updates: Vec<f64> = releases[section].iter().copied().filter(|_| happens(&mut dice, REWRITTEN)).collect();
    updates.extend(poisson(&mut dice, MENDED, 0.0, wish.days));
    Life { section, born, dies: f64::INFINITY, updates }
}

impl Trade for Docs {
    fn name(&self) -> &'static str {
        "Collodion Manual"
    }

    fn sections(&self) -> &'static [&'static str] {
        &["tutorial", "guide", "reference", "cookbook", "internals"]
    }

    fn feed(&self) -> Option<Feed> {
        None
    }

    fn order(&self) -> Order {
        Order::Newest
    }

    fn describe(&self, page: &Sight<'_>, out: &mut String) -> fmt::Result {
        page.prose.paragraphs(page.name, page.prose.length(page.name), page.revision(), out);
        writeln!(
            out,
            "<h2>Example</h2>\n<pre><code>collodion --plate {} --expose {}s",
            page.name,
            page.revision() + 2
        )?;
        writeln!(out, "</code></pre>\n<p class=\"updated\">Last updated on {}.</p>", page.touched())
    }

    fn detail(&self, page: &Sight<'_>, out: &mut String) -> fmt::Result {
        write!(out, "since {}", page.born)
    }
}
