//! How important the changes of every page are by the hour: the page-change-pattern paper's own patterns, learned while
//! visiting. What a visit finds belongs to all periods since the one before. About 450 bytes a page.

use crate::{
    learner::{Context, Effect, Learner, PageSlot, Subject, same, speaks_of_page},
    pattern::{Calendar, ImportancePattern},
    stored,
};
use serde::{Deserialize, Serialize};
use tintype_vocab::{Change, Observation, Time};

/// What a pattern is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Counted {
    /// How important changes are.
    #[default]
    Importance,
    /// How many there are.
    Changes,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct PageHours {
    /// The latest visit since the page was last gone.
    last: Option<Time>,
    pattern: Option<Box<ImportancePattern>>,
}

/// Importance by the hour, of all pages of a site.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Hours {
    calendar: Calendar,
    counted: Counted,
    pages: Vec<PageHours>,
}

impl Hours {
    pub fn new(calendar: Calendar, counted: Counted) -> Hours {
        Hours { calendar, counted, pages: Vec::new() }
    }

    pub fn calendar(&self) -> Calendar {
        self.calendar
    }

    /// The pattern of a page, if it has shown any.
    pub fn pattern(&self, page: PageSlot) -> Option<&ImportancePattern> {
        self.pages.get(page.index())?.pattern.as_deref()
    }

    fn page(&mut self, page: PageSlot) -> &mut PageHours {
        if self.pages.len() <= page.index() {
            self.pages.resize_with(page.index() + 1, PageHours::default);
        }
        &mut self.pages[page.index()]
    }

    pub(crate) fn load(bytes: &[u8]) -> Option<Hours> {
        let hours: Hours = stored::from_bytes(bytes)?;
        let mut patterns = hours.pages.iter().filter_map(|page| page.pattern.as_ref());
        patterns.all(|pattern| pattern.calendar() == hours.calendar).then_some(hours)
    }
}

impl Learner for Hours {
    fn name(&self) -> &'static str {
        "hours"
    }

    fn blank(&self) -> Box<dyn Learner> {
        Box::new(Hours::new(self.calendar, self.counted))
    }

    fn fits(&self, wanted: &dyn Learner) -> bool {
        same::<Hours>(wanted).is_some_and(|wanted| (wanted.calendar, wanted.counted) == (self.calendar, self.counted))
    }

    fn observe(&mut self, page: &Subject<'_>, seen: &Observation, _: &Context<'_>) -> Effect {
        let (calendar, counted) = (self.calendar, self.counted);
        let page = self.page(page.slot);
        if !speaks_of_page(seen) {
            page.last = None;
            return Effect::default();
        }
        let last = page.last.replace(seen.answered);
        let found = match (seen.change, counted) {
            (Change::New { importance }, Counted::Importance) => f64::from(importance),
            (Change::New { .. }, Counted::Changes) => 1.0,
            (Change::Same, _) => 0.0,
            (Change::First | Change::Unknown, _) => return Effect::default(),
        };
        if let Some(last) = last {
            let pattern = page.pattern.get_or_insert_with(|| Box::new(ImportancePattern::new(calendar)));
            pattern.observe(last, seen.answered, found);
        }
        Effect::default()
    }

    fn merge(&mut self, other: &dyn Learner, slots: &[PageSlot]) {
        let Some(other) = same::<Hours>(other).filter(|other| self.fits(*other)) else { return };
        let pages = slots.iter().zip(&other.pages).filter(|(slot, _)| **slot != PageSlot::NONE);
        for (slot, theirs) in pages {
            let mine = self.page(*slot);
            mine.last = mine.last.max(theirs.last);
            match (&mut mine.pattern, &theirs.pattern) {
                (Some(mine), Some(theirs)) => mine.merge(theirs),
                (mine @ None, theirs) => *mine = theirs.clone(),
                (Some(_), None) => {}
            }
        }
    }

    fn save(&self) -> Vec<u8> {
        stored::to_bytes(self)
    }

    fn bytes(&self) -> usize {
        let patterns: usize =
            self.pages.iter().filter_map(|page| page.pattern.as_ref()).map(|pattern| pattern.bytes()).sum();
        self.pages.capacity() * size_of::<PageHours>() + patterns
    }

    fn believes(&self, page: &Subject<'_>, at: Time) -> Vec<(&'static str, f64)> {
        let Some(pattern) = self.pattern(page.slot) else { return Vec::new() };
        vec![("importance of changes in this hour", pattern.at(at)), ("in any hour", pattern.overall().0)]
    }
}
