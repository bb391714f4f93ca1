//! What a scheduler believes of how often pages change: recalled from earlier captures, or guessed from what is known
//! before asking, and made better by every answer.

use hashbrown::HashMap;
use tintype_learn::{
    first_guess::{FirstGuess, Seen, Signs},
    rate::{self, Past},
};
use tintype_vocab::{Change, ChangeRate, Observation, Time};

/// What earlier captures left behind of a page.
#[derive(Clone, Copy, Debug)]
struct Recalled {
    rate: ChangeRate,
    last_seen: Option<Time>,
}

#[derive(Debug, Default)]
pub(crate) struct Beliefs {
    guess: FirstGuess,
    /// By hash of the key.
    recalled: HashMap<u64, Recalled>,
}

fn hash(key: &str) -> u64 {
    rapidhash::v3::rapidhash_v3(key.as_bytes())
}

impl Beliefs {
    /// Starts from what was learned of pages elsewhere.
    pub(crate) fn guess_like(&mut self, guess: FirstGuess) {
        self.guess = guess;
    }

    pub(crate) fn recall(&mut self, key: &str, signs: &Signs<'_>, past: &Past) {
        let rate = rate::believe(self.guess.guess(signs), past);
        self.recalled.insert(hash(key), Recalled { rate, last_seen: Some(signs.now) });
    }

    pub(crate) fn recall_rate(&mut self, key: &str, rate: ChangeRate) {
        self.recalled.insert(hash(key), Recalled { rate, last_seen: None });
    }

    /// What is believed of a page that becomes known.
    pub(crate) fn first(&self, key: &str, signs: &Signs<'_>) -> ChangeRate {
        self.recalled.get(&hash(key)).map_or_else(|| self.guess.guess(signs), |recalled| recalled.rate)
    }

    /// What to believe after a visit, and what the visit says of pages like this one.
    pub(crate) fn after(&mut self, rate: ChangeRate, key: &str, signs: &Signs<'_>, visit: &Observation) -> ChangeRate {
        let last_seen = self.recalled.get(&hash(key)).and_then(|recalled| recalled.last_seen);
        let Some(seen) = seen(visit, last_seen) else { return rate };
        if last_seen.is_none() {
            self.guess.learn(signs, &seen);
        }
        rate::believe_seen(rate, &seen)
    }
}

/// What an answer shows of a page's changes: since the last capture, or since the version came to be.
fn seen(visit: &Observation, last_seen: Option<Time>) -> Option<Seen> {
    let modified = visit.modified();
    let changed_ago = |at: Time| Seen::ChangedAgo { days: (visit.answered - at).as_days_f64() };
    let Some(last_seen) = last_seen else { return modified.map(changed_ago) };
    let days = (visit.asked - last_seen).as_days_f64();
    match (visit.change, modified) {
        (Change::New { .. }, Some(at)) if at > last_seen => Some(changed_ago(at)),
        (Change::New { .. }, _) => Some(Seen::Interval { days, changed: true }),
        (Change::Same, _) => Some(Seen::Interval { days, changed: false }),
        (Change::First | Change::Unknown, _) => None,
    }
}
