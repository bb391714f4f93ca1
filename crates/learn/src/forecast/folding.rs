//! The forecaster as a learner: every visit tests what was foretold, then adds to what is known of the page and of those it
//! belongs to.

use super::{
    Forecaster, PACE_KEPT,
    clues::{CHANCE, UNSEEN},
    group::Group,
    place::Whereabouts,
    story::Story,
};
use crate::learner::{Context, Effect, Learner, PageSlot, Subject, same};
use tintype_vocab::{Change, Observation, Outcome, Purpose, Span, Time};

/// Siblings, and namesakes, that are to be looked at anew when a page has changed.
const TOLD_MAX: usize = 16;

impl Forecaster {
    /// Measures how fast visits are made.
    fn keep_pace(&mut self, at: Time) {
        self.began = self.began.min(at);
        if self.latest != Time::MIN && at > self.latest {
            let days = super::group::days(self.latest, at);
            let first = self.pace == super::PACE_AT_FIRST;
            self.pace = if first { days } else { PACE_KEPT * self.pace + (1.0 - PACE_KEPT) * days };
        }
        self.latest = self.latest.max(at);
    }

    /// Somebody looked for a page never seen, and may have found out whether it is there.
    fn look_for(&mut self, page: &Subject<'_>, context: &Context<'_>, has_found_out: bool, is_there: bool) {
        let clues = context.clues.filter(|clues| clues.values[UNSEEN] == 1.0 && self.story(page.slot).is_none());
        if let Some(clues) = clues.filter(|_| has_found_out) {
            let foretold = self.foretold_there(clues);
            self.unseen.observe(&clues.values, foretold, is_there);
        }
    }

    /// Nothing is there any more.
    fn lose(&mut self, page: &Subject<'_>) {
        let groups = Whereabouts::of(page.url).groups.map(|name| self.names.find(name));
        groups.into_iter().flatten().for_each(|group| self.groups[group as usize].gone += 1.0);
        self.site.gone += 1.0;
        if let Some(Some(story)) = self.pages.get_mut(page.slot.index())
            && !story.is_gone
        {
            story.is_gone = true;
            self.alive -= 1;
        }
    }

    /// A page is seen for the first time.
    fn meet(&mut self, page: &Subject<'_>, seen: &Observation, known_since: Time) {
        let (slot, place) = (page.slot, Whereabouts::of(page.url));
        if self.pages.len() <= slot.index() {
            self.pages.resize_with(slot.index() + 1, || None);
        }
        let mut story = Story::unseen(known_since.min(seen.answered), self.began, place.looks);
        story.begin(seen.answered, seen.modified().unwrap_or(known_since).min(seen.answered));
        story.groups = place.groups.map(|name| self.group(name));
        for nth in 0..story.groups.len() {
            // A page may be all there is of its section.
            if !story.groups[..nth].contains(&story.groups[nth]) {
                self.groups[story.groups[nth] as usize].join(slot.0, story.known_since);
            }
        }
        self.site.pages = self.site.pages.saturating_add(1);
        self.alive += 1;
        self.pages[slot.index()] = Some(Box::new(story));
    }

    /// A page is seen again; returns pages that it says something of.
    fn see_again(&mut self, slot: PageSlot, at: Time, chance: f32, moment: Option<Time>) -> Vec<PageSlot> {
        let Some(Some(story)) = self.pages.get_mut(slot.index()) else { return Vec::new() };
        let directory = &self.groups[story.groups[0] as usize];
        let nearby = directory.since(story.last) / (directory.pages as f32 + 1.0);
        if story.is_gone {
            story.is_gone = false;
            self.alive += 1;
        }
        let days = super::group::days(story.last, at);
        let middle = story.last + Span::from_millis((at - story.last).as_millis() / 2);
        self.ages.observe(story.age(middle), days, chance, moment.is_some());
        story.go_on(at, chance, moment, nearby);
        let groups = story.groups;
        for nth in 0..groups.len() {
            if !groups[..nth].contains(&groups[nth]) {
                self.groups[groups[nth] as usize].observe(at, chance, moment);
            }
        }
        self.site.observe(at, chance, moment);
        let mut told = Vec::new();
        if moment.is_some() {
            for group in &groups[..2] {
                told.extend(self.groups[*group as usize].some(slot.0, TOLD_MAX).map(PageSlot));
            }
        }
        told
    }
}

/// Log-odds of a change when so much of it is left that nobody would have told of.
fn left_of(log_odds: f32, share: f64) -> f32 {
    if share >= 1.0 {
        return log_odds;
    }
    // −ln of the chance that nothing changed is ln(1 + e^log-odds).
    let expected = share * f64::from(log_odds).exp().ln_1p();
    expected.max(1e-7).exp_m1().ln() as f32
}

impl Learner for Forecaster {
    fn name(&self) -> &'static str {
        "forecast"
    }

    fn fits(&self, wanted: &dyn Learner) -> bool {
        same::<Forecaster>(wanted).is_some_and(|wanted| wanted.forest == self.forest)
    }

    fn blank(&self) -> Box<dyn Learner> {
        Box::new(Forecaster::new(self.forest.clone()))
    }

    fn observe(&mut self, page: &Subject<'_>, seen: &Observation, context: &Context<'_>) -> Effect {
        if seen.purpose == Purpose::Robots || page.slot == PageSlot::NONE {
            return Effect::default();
        }
        let at = seen.answered;
        self.keep_pace(at);
        let is_gone = matches!(seen.outcome, Outcome::Gone { .. });
        self.look_for(page, context, is_gone || seen.change != Change::Unknown, !is_gone);
        if is_gone {
            self.lose(page);
            return Effect::default();
        }
        let Some(last) = self.story(page.slot).map(|story| story.last) else {
            if seen.change != Change::Unknown {
                self.meet(page, seen, context.known_since);
                self.list(page.slot, context);
            }
            return Effect::default();
        };
        let changed = match seen.change {
            Change::New { .. } => true,
            Change::Same => context.came_back,
            Change::First | Change::Unknown => return Effect::default(),
        };
        let chance = match context.clues.filter(|clues| clues.values[UNSEEN] == 0.0) {
            Some(clues) => clues.values[CHANCE],
            None => 1.0 - (-context.expected).exp() as f32,
        };
        // A page that a sitemap sends to has changed whatever was foretold: that tests the sitemap.
        if let Some(clues) = context.clues.filter(|clues| clues.values[UNSEEN] == 0.0 && context.told == 0.0) {
            let foretold = left_of(self.log_odds(clues) as f32, context.untold_share);
            self.tested.observe(last, at, 1.0 / (1.0 + (-foretold).exp()), changed);
            let forest = left_of(self.forest.log_odds(&clues.values), context.untold_share);
            let directory = clues.directory.and_then(|group| self.groups.get_mut(group as usize));
            self.adaption.learn(&clues.values, forest, directory.unwrap_or(&mut Group::default()), changed);
        }
        let moment = changed.then(|| seen.modified().filter(|modified| *modified > last).unwrap_or(at));
        let told = self.see_again(page.slot, at, chance.clamp(0.0, 1.0), moment);
        if changed {
            self.list(page.slot, context);
        }
        Effect { moved_all: false, hinted: told }
    }

    fn merge(&mut self, other: &dyn Learner, slots: &[PageSlot]) {
        if let Some(other) = same::<Forecaster>(other) {
            self.add(other, slots);
        }
    }

    fn save(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn bytes(&self) -> usize {
        let met = self.pages.iter().flatten().count();
        let groups: usize = self.groups.iter().map(Group::bytes).sum();
        self.pages.capacity() * size_of::<usize>()
            + met * size_of::<Story>()
            + self.groups.capacity() * size_of::<Group>()
            + groups
            + self.names.bytes()
    }

    fn believes(&self, page: &Subject<'_>, at: Time) -> Vec<(&'static str, f64)> {
        let Some(story) = self.story(page.slot) else { return Vec::new() };
        let directory = &self.groups[story.groups[0] as usize];
        vec![
            ("share of visits that found a change", f64::from(story.changes) / f64::from(story.visits.max(1))),
            (
                "changes in its directory against what was expected, within a week",
                f64::from(directory.surprise(2, at).exp()),
            ),
        ]
    }
}

impl Forecaster {
    fn list(&mut self, slot: PageSlot, context: &Context<'_>) {
        if let Some(Some(story)) = self.pages.get_mut(slot.index()) {
            story.lists = context.linked.len() as u32;
        }
    }
}
