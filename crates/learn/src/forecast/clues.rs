//! What is known of a page at a moment, as numbers that mean the same on every site.

use super::{
    Forecaster,
    group::{Group, days},
    place::{GROUPS, Looks, Whereabouts},
    story::Story,
};
use crate::{
    changes::{Changes, Elapsed},
    hint::{Heard, Standing},
    learner::PageSlot,
};
use tintype_vocab::{Span, Time};

/// How many there are.
pub const CLUES: usize = 67;

pub type Values = [f32; CLUES];

/// Clues that a chance grows with, all else being the same: time since the last visit, that by the length of a round, and
/// what the page's own past lets expect by chance and by number.
pub(super) const GROWING: [usize; 4] = [0, 1, CHANCE, EXPECTED];
pub(super) const SINCE_CHANGE: usize = 2;
pub(super) const BORN: usize = 4;
pub(super) const RUN: usize = 12;
pub(super) const CHANCE: usize = 14;
pub(super) const EXPECTED: usize = 16;
pub(super) const RECENT_SURPRISE: usize = 18;
pub(super) const DIRECTORY_SURPRISE: usize = 20;
pub(super) const DIRECTORY_CHANGES: usize = 29;
pub(super) const NAMESAKE_CHANGES: usize = 31;
pub(super) const BUSY: usize = 38;
pub(super) const IS_INDEX: usize = 45;
pub(super) const TOGETHER: usize = 50;
pub(super) const UNSEEN: usize = 51;
pub(super) const NEWER: usize = 64;
pub(super) const BY_AGE: usize = 65;
pub(super) const AGE_SURPRISE: usize = 66;

/// What they are called, in order.
pub const NAMES: [&str; CLUES] = [
    "hours since the last visit",
    "rounds since the last visit",
    "hours since the last change",
    "hours since it became known",
    "born while watched",
    "visits",
    "changes",
    "share of visits with a change",
    "hours between the last two changes",
    "time since the last visit against the time before it",
    "hours between the last two visits",
    "changed at the last two visits",
    "visits without a change",
    "time since the last change against that since the last visit",
    "chance of a change by its own past",
    "changes a day by its own past",
    "changes expected by its own past",
    "share of visits with a change lately",
    "the same against what was expected",
    "directory against expectation, 3 hours",
    "directory against expectation, a day",
    "directory against expectation, a week",
    "how much was looked at in the directory",
    "namesakes against expectation, a day",
    "namesakes against expectation, a week",
    "section against expectation, a day",
    "site against expectation, 3 hours",
    "site against expectation, a day",
    "site against expectation, a week",
    "changes in the directory since the last visit",
    "the same by its size",
    "changes of namesakes since the last visit",
    "the same by their number",
    "changes in the section since the last visit",
    "changes on the site since the last visit, by its size",
    "hours since a change in the directory",
    "hours since a change of a namesake",
    "pages in the directory",
    "busy hours since the last visit",
    "how busy the next hour is",
    "namesakes",
    "depth",
    "ending",
    "has a number",
    "is a number",
    "is an entrance",
    "has a date",
    "letters of its name",
    "hours of a round",
    "share of visits with a change on the site",
    "changes with its directory",
    "never seen",
    "share of visits with a change in the directory",
    "share of visits that found nothing in the directory",
    "share of visits that found nothing on the site",
    "what a listing hints at",
    "hours since the hint",
    "how far the lister is right",
    "share of the time in which a listing was silent",
    "how much its silence says",
    "hours since it was newly listed",
    "how it is listed",
    "habit of pages listed so",
    "pages it lists",
    "newer pages in its directory",
    "changes expected of pages of its age",
    "pages of its age against expectation",
];

/// The clues of one page at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Clues {
    pub values: Values,
    /// The page's directory, where it has been met.
    pub(super) directory: Option<u32>,
}

/// The logarithm of hours, a second at least.
fn log_hours(from: Time, to: Time) -> f32 {
    ln(24.0 * days(from, to))
}

fn ln(value: f64) -> f32 {
    (value.max(3e-4) as f32).ln()
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// What stands for a time when there was none.
const NEVER: f32 = 12.0;

impl Forecaster {
    /// The clues of a page that was visited.
    pub fn clues(&self, changes: &Changes, heard: &Heard, page: PageSlot, elapsed: &Elapsed) -> Option<Clues> {
        let story = self.story(page)?;
        let (last, at) = (elapsed.last, elapsed.at);
        let since_last = (at - last).as_days_f64().max(1e-5);
        let expected = changes.changes_in(page, elapsed);
        let busy = changes.busy_days(last, at).max(1e-6) / since_last;
        let next = changes.busy_days(at, at + Span::from_secs(3600)) * 24.0;
        let chance = 1.0 - (-expected).exp();
        let own =
            Own { since_last, chance, per_day: changes.mean_per_day(page), expected, busy, next, heard_since: last };
        let groups = story.groups.map(|group| &self.groups[group as usize]);
        let values = self.values(story, &story.looks, groups, &own, heard, at);
        Some(Clues { values, directory: Some(story.groups[0]) })
    }

    /// The clues of a page that was never seen: its chance is that there is something to be seen.
    pub fn clues_unseen(
        &self,
        changes: &Changes,
        heard: &Heard,
        place: &Whereabouts,
        known_since: Time,
        at: Time,
    ) -> Clues {
        let found = place.groups.map(|name| self.names.find(name));
        let groups = found.map(|group| group.map_or(&self.nobody, |group| &self.groups[group as usize]));
        let since_last = (at - known_since).as_days_f64().max(1e-5);
        let next = changes.busy_days(at, at + Span::from_secs(3600)) * 24.0;
        let own =
            Own { since_last, chance: 0.5, per_day: 0.0, expected: 0.0, busy: 1.0, next, heard_since: known_since };
        let story = Story::unseen(known_since, self.began, place.looks);
        Clues { values: self.values(&story, &place.looks, groups, &own, heard, at), directory: found[0] }
    }

    fn values(
        &self,
        story: &Story,
        looks: &Looks,
        [directory, namesakes, section]: [&Group; GROUPS],
        own: &Own,
        heard: &Heard,
        at: Time,
    ) -> Values {
        let last = own.heard_since;
        let site = &self.site;
        let hours = 24.0 * own.since_last;
        let round = self.round_days();
        let per = |count: f32, of: u32| count / (of as f32 + 1.0);
        let (nearby, namesake) = (directory.since(last), namesakes.since(last));
        let silent = heard.silence.map_or(0.0, |silence| (silence.until - silence.from).as_days_f64() / own.since_last);
        let [depth, ending, has_number, is_number, is_dated, is_index, stem] = looks.clues();
        [
            ln(hours),
            ln(own.since_last / round),
            log_hours(story.last_change, at),
            log_hours(story.known_since, at),
            flag(story.born),
            (1.0 + story.visits as f32).ln(),
            (1.0 + story.changes as f32).ln(),
            story.changes as f32 / (story.visits as f32 + 1.0),
            if story.changes > 0 { log_hours(story.change_before, story.last_change) } else { NEVER },
            ln(own.since_last / (story.last_gap_days() + 1e-5)),
            ln(24.0 * story.last_gap_days()),
            f32::from(story.last_two),
            (1.0 + story.run as f32).ln(),
            ln(days(story.last_change, at) / own.since_last),
            own.chance as f32,
            ln(own.per_day),
            ln(own.expected),
            story.lately,
            ((story.lately + 0.2) / (story.lately_expected + 0.2)).ln(),
            directory.surprise(0, at),
            directory.surprise(1, at),
            directory.surprise(2, at),
            directory.looked(at),
            namesakes.surprise(1, at),
            namesakes.surprise(2, at),
            section.surprise(1, at),
            site.surprise(0, at),
            site.surprise(1, at),
            site.surprise(2, at),
            (1.0 + nearby).ln(),
            per(nearby, directory.pages),
            (1.0 + namesake).ln(),
            per(namesake, namesakes.pages),
            (1.0 + section.since(last)).ln(),
            per(site.since(last), site.pages),
            log_hours(directory.last_change(), at),
            log_hours(namesakes.last_change(), at),
            (1.0 + directory.pages as f32).ln(),
            ln(own.busy),
            ln(own.next),
            (1.0 + namesakes.pages as f32).ln(),
            depth,
            ending,
            has_number,
            is_number,
            is_index,
            is_dated,
            stem,
            ln(24.0 * round),
            site.share().ln(),
            ((story.together + 0.5) / (story.together_expected + 0.5)).ln(),
            flag(story.visits == 0),
            directory.share().ln(),
            directory.gone_share().ln(),
            site.gone_share().ln(),
            heard.strength.min(8.0) as f32,
            heard.hinted.map_or(NEVER, |hinted| log_hours(hinted, at)),
            heard.hinted.map_or(-0.1, |_| heard.right as f32),
            silent as f32,
            heard.silence.map_or(-0.1, |silence| silence.shown as f32),
            heard.since.filter(|since| *since > last).map_or(NEVER, |since| log_hours(since, at)),
            match heard.standing {
                Standing::Unlisted => 0.0,
                Standing::Dropped => 1.0,
                Standing::Listed => 2.0,
            },
            heard.habit.ln() as f32,
            (1.0 + story.lists as f32).ln(),
            if story.born { (1.0 + directory.newer(story.known_since)).ln() } else { 4.0 },
            ln(self.ages.per_day(story.age(at)) * own.since_last),
            self.ages.surprise(story.age(at)),
        ]
    }
}

/// What a page's own past lets expect.
struct Own {
    since_last: f64,
    chance: f64,
    per_day: f64,
    expected: f64,
    busy: f64,
    next: f64,
    heard_since: Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clues_that_are_asked_for_by_number_are_where_they_are_thought_to_be() {
        for (clue, name) in [
            (SINCE_CHANGE, "hours since the last change"),
            (RUN, "visits without a change"),
            (CHANCE, "chance of a change by its own past"),
            (EXPECTED, "changes expected by its own past"),
            (RECENT_SURPRISE, "the same against what was expected"),
            (DIRECTORY_SURPRISE, "directory against expectation, a day"),
            (DIRECTORY_CHANGES, "changes in the directory since the last visit"),
            (NAMESAKE_CHANGES, "changes of namesakes since the last visit"),
            (BUSY, "busy hours since the last visit"),
            (IS_INDEX, "is an entrance"),
            (TOGETHER, "changes with its directory"),
            (UNSEEN, "never seen"),
        ] {
            assert_eq!(NAMES[clue], name);
        }
    }
}
