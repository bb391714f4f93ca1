//! What is at a source: crawls come in, and what they found is held against what was there.
//!
//! Not every crawl is believed. A site that is down, a login page, a listing of which half could not be read, a clock that
//! jumped: all of these look like mass deletion to whoever only compares sets. Such a crawl is held back until another
//! one says the same ([`doubt`]), and only what was believed becomes events, lives and [`Crawl`]s.

mod doubt;
#[cfg(test)]
mod tests;

use crate::decay::Crawl;
use doubt::{Doubt, Habits};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use tintype_vocab::{HeldBack, Life, Object, ObjectCrawl, ObjectEvent, Span, Time};

/// Most objects that one crawl may find; a crawl that finds more is not whole.
pub const OBJECTS_MAX: usize = 4 << 20;
/// Most past lives that are remembered, the latest ones.
pub const LIVES_MAX: usize = 1 << 20;

/// What a crawl found, before anybody judged it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundObjects {
    pub at: Time,
    /// In any order, and some perhaps twice: then the first counts.
    pub objects: Vec<Object>,
    /// Pages of the listing that could not be read, or not to their end.
    pub unread: u32,
}

/// What a crawl changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Events {
    pub at: Time,
    /// Objects at the source before, of which so many are still there, and now.
    pub was: u32,
    pub kept: u32,
    pub is: u32,
    /// By identifier.
    pub events: Vec<ObjectEvent>,
}

/// Whether a crawl is believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrawlVerdict {
    Taken(Events),
    Held(HeldBack),
}

impl CrawlVerdict {
    /// The crawl as the log keeps it, if it was made at `at` and found so many objects.
    pub fn into_crawl(self, at: Time, found: u32) -> ObjectCrawl {
        match self {
            CrawlVerdict::Taken(events) => ObjectCrawl { at, found: events.is, held: None, events: events.events },
            CrawlVerdict::Held(why) => ObjectCrawl { at, found, held: Some(why), events: Vec::new() },
        }
    }
}

/// One object that is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stay {
    first_seen: Time,
    last_seen: Time,
    updates: u32,
    attributes: Vec<String>,
}

/// All that is known of the objects of one source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// Who is missing for no longer has never left.
    bridge: Span,
    first: Option<Time>,
    last: Option<Time>,
    crawls: u32,
    here: BTreeMap<String, Stay>,
    /// Missing for so short a time that they may return.
    missing: BTreeMap<String, Stay>,
    gone: VecDeque<(String, Stay)>,
    forgotten: u64,
    habits: Habits,
    doubt: Option<Doubt>,
}

impl Ledger {
    /// A ledger in which absences up to `bridge` do not end a life.
    pub fn bridging(bridge: Span) -> Ledger {
        Ledger { bridge, ..Ledger::default() }
    }

    /// Takes a crawl in, or says why not.
    pub fn see(&mut self, mut found: FoundObjects) -> CrawlVerdict {
        if found.objects.len() > OBJECTS_MAX {
            found.objects.truncate(OBJECTS_MAX);
            found.unread = found.unread.saturating_add(1);
        }
        let mut listed = BTreeMap::new();
        for Object { id, attributes } in found.objects {
            listed.entry(id).or_insert(attributes);
        }
        let kept = listed.keys().filter(|id| self.here.contains_key(*id)).count() as u32;
        let look = doubt::Look { at: found.at, was: self.size(), kept, is: listed.len() as u32, unread: found.unread };
        if let Some(why) = self.doubts(&look) {
            return CrawlVerdict::Held(why);
        }
        let events = self.compare(found.at, listed);
        self.apply(found.at, &events);
        CrawlVerdict::Taken(Events { at: look.at, was: look.was, kept, is: look.is, events })
    }

    /// Takes in what a log says of a crawl, which was judged when it was made.
    pub fn replay(&mut self, crawl: &ObjectCrawl) {
        match crawl.held {
            Some(why) => self.note_doubt(why, crawl.at),
            None => self.apply(crawl.at, &crawl.events),
        }
    }

    fn compare(&self, at: Time, listed: BTreeMap<String, Vec<String>>) -> Vec<ObjectEvent> {
        let mut events = Vec::new();
        let left = self.here.keys().filter(|id| !listed.contains_key(*id));
        let left: Vec<ObjectEvent> = left.map(|id| ObjectEvent::Removed(id.clone())).collect();
        for (id, attributes) in listed {
            let returns = self.missing.get(&id).is_some_and(|stay| at - stay.last_seen <= self.bridge);
            let before = self.here.get(&id).map(|stay| stay.attributes != attributes);
            let object = Object { id, attributes };
            match before {
                Some(false) => {}
                Some(true) => events.push(ObjectEvent::Updated { object, times: 1 }),
                None if returns => events.push(ObjectEvent::Returned(object)),
                None => events.push(ObjectEvent::Inserted(object)),
            }
        }
        events.extend(left);
        events.sort_by(|a, b| id_of(a).cmp(id_of(b)));
        events
    }

    fn apply(&mut self, at: Time, events: &[ObjectEvent]) {
        let was = self.size();
        let removed = events.iter().filter(|event| matches!(event, ObjectEvent::Removed(_))).count() as u32;
        self.habits.learn(self.last.map(|last| at - last), was, was.saturating_sub(removed));
        for event in events {
            self.happen(at, event);
        }
        self.here.values_mut().for_each(|stay| stay.last_seen = at);
        self.first = self.first.or(Some(at));
        self.last = Some(at);
        self.crawls = self.crawls.saturating_add(1);
        self.doubt = None;
        self.give_up_waiting(at);
    }

    fn happen(&mut self, at: Time, event: &ObjectEvent) {
        match event {
            ObjectEvent::Inserted(Object { id, attributes }) => {
                let stay = Stay { first_seen: at, last_seen: at, updates: 0, attributes: attributes.clone() };
                self.here.insert(id.clone(), stay);
            }
            ObjectEvent::Returned(Object { id, attributes }) => {
                let stay = self.missing.remove(id);
                let first_seen = stay.as_ref().map_or(at, |stay| stay.first_seen);
                let changed = stay.as_ref().is_some_and(|stay| stay.attributes != *attributes);
                let updates = stay.map_or(0, |stay| stay.updates).saturating_add(u32::from(changed));
                let stay = Stay { first_seen, last_seen: at, updates, attributes: attributes.clone() };
                self.here.insert(id.clone(), stay);
            }
            ObjectEvent::Updated { object: Object { id, attributes }, times } => {
                if let Some(stay) = self.here.get_mut(id) {
                    stay.attributes.clone_from(attributes);
                    stay.updates = stay.updates.saturating_add(*times);
                }
            }
            ObjectEvent::Removed(id) => {
                if let Some(stay) = self.here.remove(id) {
                    // Of two absences of one name only the later one can still be bridged.
                    if let Some(earlier) = self.missing.insert(id.clone(), stay) {
                        self.bury(id.clone(), earlier);
                    }
                }
            }
        }
    }

    /// Who has been missing for too long is gone, and so is everybody if more are missing than can be remembered.
    fn give_up_waiting(&mut self, at: Time) {
        let bridge = if self.missing.len() > LIVES_MAX { Span::ZERO } else { self.bridge };
        let over = self.missing.extract_if(.., |_, stay| at - stay.last_seen > bridge);
        for (id, stay) in over.collect::<Vec<_>>() {
            self.bury(id, stay);
        }
    }

    fn bury(&mut self, id: String, stay: Stay) {
        self.gone.push_back((id, stay));
        if self.gone.len() > LIVES_MAX {
            self.gone.pop_front();
            self.forgotten += 1;
        }
    }

    /// Objects at the source, by the last crawl that was believed.
    pub fn size(&self) -> u32 {
        self.here.len() as u32
    }

    /// Crawls that were believed.
    pub fn crawls(&self) -> u32 {
        self.crawls
    }

    /// When the last crawl was made that was believed.
    pub fn last(&self) -> Option<Time> {
        self.last
    }

    /// Lives that are over and were so many that the oldest ones are not remembered.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// The last crawl that was believed, as a learner of decay wants it.
    pub fn crawl(&self) -> Option<Crawl> {
        let at = self.last?;
        let mut alive: BTreeMap<Time, u32> = BTreeMap::new();
        self.here.values().for_each(|stay| *alive.entry(stay.first_seen).or_default() += 1);
        Some(Crawl { at, alive: alive.into_iter().collect() })
    }

    /// Every life that is remembered, those that go on last.
    pub fn lives(&self) -> impl Iterator<Item = Life> {
        let over = self.gone.iter().map(|(id, stay)| (id, stay)).chain(&self.missing);
        let over = over.map(|(id, stay)| self.life(id, stay, false));
        over.chain(self.here.iter().map(|(id, stay)| self.life(id, stay, true)))
    }

    fn life(&self, id: &str, stay: &Stay, right_censored: bool) -> Life {
        Life {
            id: id.to_owned(),
            first_seen: stay.first_seen,
            last_seen: stay.last_seen,
            left_censored: Some(stay.first_seen) == self.first,
            right_censored,
            updates: stay.updates,
            attributes: stay.attributes.clone(),
        }
    }
}

fn id_of(event: &ObjectEvent) -> &str {
    match event {
        ObjectEvent::Inserted(object) | ObjectEvent::Returned(object) | ObjectEvent::Updated { object, .. } => {
            &object.id
        }
        ObjectEvent::Removed(id) => id,
    }
}
