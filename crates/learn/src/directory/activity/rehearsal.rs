//! A past capture gone through once more as one that skips: what it would have left alone, what that would have been
//! expected to lose, and what it would have lost.

use super::{
    super::{DirectoryId, DirectoryShape, LOSS_SHARE, PageNumber, drawn_of},
    DirectoryActivity, FoundPage, Round, UNLIKELY,
};
use tintype_vocab::Time;

/// Past captures that must have been learned from before another one is gone through like that.
const CAPTURES_MIN: u64 = 2;
/// In so many parts the rest is looked at, until it is not worth it.
const PARTS: usize = 6;
const PART_MIN: usize = 4;

/// A page nobody has looked at yet.
struct Left {
    page: PageNumber,
    directory: DirectoryId,
    expected: f64,
    changed: bool,
    chance: f64,
}

impl DirectoryActivity {
    /// `compared` pages with what was expected of them and whether they had changed, in a capture that found `found`.
    pub(super) fn rehearse(
        &mut self,
        shape: &DirectoryShape,
        (at, since): (Time, Option<Time>),
        compared: &[(PageNumber, f64, bool)],
        found: &[(PageNumber, FoundPage)],
    ) {
        let Some(since) = since.filter(|_| self.table.captures() >= CAPTURES_MIN) else { return };
        let since_days = (at - since).as_days_f64().max(0.0);
        let mut rehearsal = Rehearsal::new(self, shape, at, since_days, compared);
        rehearsal.play();
        if rehearsal.left.is_empty() {
            return;
        }
        let (expected, lost) = (rehearsal.expected(), rehearsal.lost(found));
        self.losses.add(expected, lost);
    }

    /// Births to be expected in directories nobody has looked into, each given once.
    pub fn unseen_births(&self, round: &Round, directories: impl Iterator<Item = DirectoryId>, since_days: f64) -> f64 {
        let mut unseen: Vec<DirectoryId> = directories.filter(|directory| !round.looked_into(*directory)).collect();
        unseen.sort_unstable();
        unseen.dedup();
        unseen.into_iter().map(|directory| self.births(directory, since_days)).sum()
    }
}

struct Rehearsal<'a> {
    activity: &'a DirectoryActivity,
    shape: &'a DirectoryShape,
    round: Round,
    since_days: f64,
    left: Vec<Left>,
    found: f64,
}

impl<'a> Rehearsal<'a> {
    fn new(
        activity: &'a DirectoryActivity,
        shape: &'a DirectoryShape,
        at: Time,
        since_days: f64,
        compared: &[(PageNumber, f64, bool)],
    ) -> Rehearsal<'a> {
        let left = |&(page, expected, changed): &(PageNumber, f64, bool)| {
            let directory = shape.directory_of(page);
            Left { page, directory, expected, changed, chance: 0.0 }
        };
        let round = activity.begin(shape, at);
        Rehearsal { activity, shape, round, since_days, left: compared.iter().map(left).collect(), found: 0.0 }
    }

    /// Looks at the likeliest until the rest may be left alone, then at some by lot, and then again.
    fn play(&mut self) {
        let mut is_drawn = false;
        while !self.left.is_empty() {
            self.reconsider();
            let expected = self.expected();
            if expected > LOSS_SHARE * (self.found + expected) {
                self.look_at_likeliest();
            } else if is_drawn {
                return;
            } else {
                is_drawn = true;
                self.draw();
            }
        }
    }

    fn reconsider(&mut self) {
        self.round.take_stock(self.shape);
        for left in &mut self.left {
            left.chance = self.activity.chance(self.shape, &self.round, left.page, left.expected);
        }
    }

    fn expected(&self) -> f64 {
        let directories = self.left.iter().map(|left| left.directory);
        let births = self.activity.unseen_births(&self.round, directories, self.since_days);
        births + self.left.iter().map(|left| left.chance).sum::<f64>()
    }

    fn lost(&self, found: &[(PageNumber, FoundPage)]) -> u64 {
        let mut unseen = vec![false; self.shape.directories()];
        self.left.iter().for_each(|left| unseen[left.directory.index()] = !self.round.looked_into(left.directory));
        let born = found
            .iter()
            .filter(|(page, found)| *found == FoundPage::Born && unseen[self.shape.directory_of(*page).index()]);
        (self.left.iter().filter(|left| left.changed).count() + born.count()) as u64
    }

    fn look_at_likeliest(&mut self) {
        let births = |left: &Left| match self.round.looked_into(left.directory) {
            true => 0.0,
            false => self.activity.births(left.directory, self.since_days),
        };
        let mut order: Vec<(f64, Left)> =
            std::mem::take(&mut self.left).into_iter().map(|left| (left.chance + births(&left), left)).collect();
        order.sort_by(|(a, left), (b, right)| b.total_cmp(a).then(left.page.cmp(&right.page)));
        let likely = order.partition_point(|(value, _)| *value >= UNLIKELY);
        let enough = likely.max(PART_MIN).max(order.len() / PARTS).min(order.len());
        self.left = order.split_off(enough).into_iter().map(|(_, left)| left).collect();
        order.into_iter().for_each(|(_, left)| self.look_at(&left));
    }

    fn draw(&mut self) {
        let number = drawn_of(self.left.len());
        // Any order will do that has nothing to do with how likely they are.
        self.left.sort_by_key(|left| (left.page.0.wrapping_mul(0x9e37_79b9), left.page));
        let drawn: Vec<Left> = self.left.drain(..number).collect();
        drawn.iter().for_each(|left| self.look_at(left));
    }

    fn look_at(&mut self, left: &Left) {
        let usual = self.activity.usual_chance(self.shape, &self.round, left.page, left.expected);
        self.round.suspect(self.shape, left.page, usual, left.changed);
        self.round.saw(self.shape, left.page, left.expected, left.changed);
        self.found += f64::from(u8::from(left.changed));
    }
}
