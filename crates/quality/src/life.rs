//! What happened to one page during the window, next to when we looked: all that any measure needs.

use crate::{Version, window::Window};
use tintype_vocab::Time;

/// A version as far as the window shows it: alive in `[from, until)`, both cut to the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Life {
    pub(crate) from: Time,
    pub(crate) until: Time,
    pub(crate) weight: f32,
    /// Came to be inside the window; otherwise it was held from the outset.
    pub(crate) born: bool,
    /// Since when we hold it.
    pub(crate) seen: Option<Time>,
}

/// One page during the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page<'a> {
    pub(crate) window: Window,
    pub(crate) lives: &'a [Life],
    /// Every visit, also those that found nothing.
    pub(crate) visits: &'a [Time],
}

impl<'a> Page<'a> {
    /// `lives` is room to write in, so that millions of pages need one allocation.
    pub(crate) fn new(window: Window, versions: &[Version], visits: &'a [Time], lives: &'a mut Vec<Life>) -> Page<'a> {
        lives.clear();
        let first = versions.partition_point(|version| version.until <= window.from);
        let shown = versions[first..].iter().take_while(|version| version.from < window.to);
        let mut ahead = visits.iter().copied().peekable();
        lives.extend(shown.map(|version| {
            while ahead.next_if(|&at| at < version.from).is_some() {}
            let born = window.bears(version);
            let seen = if born { ahead.peek().copied() } else { Some(window.from) };
            Life {
                from: version.from.max(window.from),
                until: version.until.min(window.to),
                weight: version.weight,
                born,
                seen: seen.filter(|&at| at < version.until),
            }
        }));
        Page { window, lives, visits }
    }

    /// The moments at which the page became something else, or ceased to be.
    pub(crate) fn changes(&self) -> impl Iterator<Item = Time> {
        let next = self.lives.iter().skip(1).map(|life| Some(life.from)).chain([None]);
        self.lives.iter().zip(next).flat_map(|(life, next)| {
            let ceased = (next != Some(life.until)).then_some(life.until);
            [Some(life.from), ceased].into_iter().flatten()
        })
    }
}
