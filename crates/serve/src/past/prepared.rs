//! Answers that cost more than a request may: made beside the requests, shown as long as they are fresh.
//!
//! Whoever asks first waits a moment; what takes longer than that is made all the same and is there for the next request. How
//! long something is fresh grows with what it took, so that a large collection is not read without end.

use super::Past;
use std::{
    collections::HashMap,
    fmt::Display,
    hash::Hash,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tintype_vocab::{Span, Time};

/// Made at once by so many threads at most.
const MAKERS_MAX: usize = 4;
/// Answers of one kind that are remembered.
const KEPT_MAX: usize = 2000;
/// Shown again for so long, and for so many times what it took to make.
const FRESH_FOR: Span = Span::from_secs(2);
const FRESH_TIMES: i64 = 20;
/// How long a request waits for what is not there yet, and for what could be fresher.
const PATIENCE: Duration = Duration::from_millis(1500);
const PATIENCE_IF_OLD: Duration = Duration::from_millis(200);

/// Answers of one kind, by what they are about.
#[derive(Debug)]
pub(super) struct Prepared<K, V> {
    slots: Mutex<HashMap<K, Slot<V>>>,
    made: Condvar,
}

#[derive(Debug)]
struct Slot<V> {
    ready: Option<Ready<V>>,
    is_under_way: bool,
}

#[derive(Debug)]
struct Ready<V> {
    at: Time,
    took: Span,
    value: Result<Arc<V>, String>,
}

/// Why something cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NotReady {
    /// It is being made.
    Yet,
    Failed(String),
}

impl<E: Display> From<E> for NotReady {
    fn from(error: E) -> NotReady {
        NotReady::Failed(error.to_string())
    }
}

/// How many threads make answers.
#[derive(Debug, Default)]
pub(super) struct Makers(AtomicUsize);

impl<K, V> Default for Prepared<K, V> {
    fn default() -> Prepared<K, V> {
        Prepared { slots: Mutex::new(HashMap::new()), made: Condvar::new() }
    }
}

impl<K: Clone + Eq + Hash + Send + 'static, V: Send + Sync + 'static> Prepared<K, V> {
    /// What is known of a thing, made if it is not there or no longer fresh.
    pub(super) fn get(
        past: &Arc<Past>,
        of: fn(&Past) -> &Prepared<K, V>,
        key: K,
        make: impl FnOnce(&Past) -> Result<V, NotReady> + Send + 'static,
    ) -> Result<Arc<V>, NotReady> {
        let (prepared, now) = (of(past), (past.clock)());
        let mut slots = prepared.lock();
        if slots.len() >= KEPT_MAX && !slots.contains_key(&key) {
            slots.retain(|_, slot| slot.is_under_way);
        }
        let slot = slots.entry(key.clone()).or_insert(Slot { ready: None, is_under_way: false });
        if let Some(ready) =
            slot.ready.as_ref().filter(|ready| now - ready.at < FRESH_FOR.max(ready.took * FRESH_TIMES))
        {
            return ready.shown();
        }
        if !slot.is_under_way && past.makers.begin() {
            slot.is_under_way = true;
            let job = Job { past: past.clone(), of, key: key.clone() };
            std::thread::spawn(move || job.run(make));
        }
        let patience = if slot.ready.is_some() { PATIENCE_IF_OLD } else { PATIENCE };
        let is_under_way = |slots: &mut HashMap<K, Slot<V>>| slots.get(&key).is_some_and(|slot| slot.is_under_way);
        let waited = prepared.made.wait_timeout_while(slots, patience, is_under_way);
        let (slots, _) = waited.unwrap_or_else(PoisonError::into_inner);
        slots.get(&key).and_then(|slot| slot.ready.as_ref()).map_or(Err(NotReady::Yet), Ready::shown)
    }

    /// The same only if it is there already.
    pub(super) fn known(&self, key: &K) -> Option<Arc<V>> {
        self.lock().get(key)?.ready.as_ref()?.value.as_ref().ok().cloned()
    }

    /// From now on it is made anew.
    pub(super) fn forget(&self, key: &K) {
        if let Some(slot) = self.lock().get_mut(key) {
            slot.ready = None;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Slot<V>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V> Ready<V> {
    fn shown(&self) -> Result<Arc<V>, NotReady> {
        self.value.clone().map_err(NotReady::Failed)
    }
}

/// Something that is being made; over when it is dropped, however that comes.
struct Job<K: Clone + Eq + Hash + Send + 'static, V: Send + Sync + 'static> {
    past: Arc<Past>,
    of: fn(&Past) -> &Prepared<K, V>,
    key: K,
}

impl<K: Clone + Eq + Hash + Send + 'static, V: Send + Sync + 'static> Job<K, V> {
    fn run(self, make: impl FnOnce(&Past) -> Result<V, NotReady>) {
        let began = (self.past.clock)();
        let value = match make(&self.past) {
            Ok(value) => Ok(Arc::new(value)),
            Err(NotReady::Failed(error)) => Err(error),
            // It was made from something that is not ready itself: the next request tries again.
            Err(NotReady::Yet) => return,
        };
        let now = (self.past.clock)();
        let ready = Ready { at: now, took: now - began, value };
        if let Some(slot) = (self.of)(&self.past).lock().get_mut(&self.key) {
            slot.ready = Some(ready);
        }
    }
}

impl<K: Clone + Eq + Hash + Send + 'static, V: Send + Sync + 'static> Drop for Job<K, V> {
    fn drop(&mut self) {
        let prepared = (self.of)(&self.past);
        if let Some(slot) = prepared.lock().get_mut(&self.key) {
            slot.is_under_way = false;
        }
        prepared.made.notify_all();
        self.past.makers.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Makers {
    fn begin(&self) -> bool {
        self.0
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |at_work| (at_work < MAKERS_MAX).then_some(at_work + 1))
            .is_ok()
    }
}
