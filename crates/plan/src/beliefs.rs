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
    /// By hash of the URL.
    recalled: HashMap<u64, Recalled>,
}

fn hash(url: &str) -> u64 {
    rapidhash::v3::rapidhash_v3(url.as_bytes())
}

impl Beliefs {
    /// Starts from what was learned of pages elsewhere.
    pub(crate) fn guess_like(&mut self, guess: FirstGuess) {
        self.guess = guess;
    }

    pub(crate) fn recall(&mut self, url: &str, signs: &Signs<'_>, past: &Past) {
        let rate = match signs.modified {
            // Seen once: when its version came to be is all that is known of its changes.
            Some(modified) if past.comparisons == 0 => {
                let seen = Seen::ChangedAgo { days: (signs.now - modified).as_days_f64() };
                rate::believe_seen(self.guess.guess(&Signs { modified: None, ..*signs }), &seen)
            }
            _ => rate::believe(self.guess.guess(signs), past),
        };
        self.recalled.insert(hash(url), Recalled { rate, last_seen: Some(signs.now) });
    }

    pub(crate) fn recall_rate(&mut self, url: &str, rate: ChangeRate) {
        self.recalled.insert(hash(url), Recalled { rate, last_seen: None });
    }

    /// What is believed of a page that becomes known.
    pub(crate) fn first(&self, signs: &Signs<'_>) -> ChangeRate {
        self.recalled.get(&hash(signs.url)).map_or_else(|| self.guess.guess(signs), |recalled| recalled.rate)
    }

    /// What to believe after a visit, and what the visit says of pages like this one.
    pub(crate) fn after(&mut self, rate: ChangeRate, signs: &Signs<'_>, visit: &Observation) -> ChangeRate {
        let last_seen = self.recalled.get(&hash(signs.url)).and_then(|recalled| recalled.last_seen);
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
        (change, Some(at)) if change.matters() && at > last_seen => Some(changed_ago(at)),
        (change, _) if change.matters() => Some(Seen::Interval { days, changed: true }),
        // A new version that says nothing new is none to reckon with: a clock ticks at every visit.
        (Change::Same | Change::New { .. }, _) => Some(Seen::Interval { days, changed: false }),
        (Change::First | Change::Unknown, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::{LinkKind, Span};

    #[test]
    fn a_page_seen_once_is_judged_by_when_it_last_changed() {
        let now = Time::from_secs(1_800_000_000);
        let rate = |modified: Option<Time>, past: Past| {
            let mut beliefs = Beliefs::default();
            let signs = Signs { modified, ..Signs::new("http://e.com/a.html", LinkKind::Anchor, 1, now) };
            beliefs.recall(signs.url, &signs, &past);
            beliefs.first(&signs).per_day
        };
        let once = Past { comparisons: 0, changes: 0, observed: Span::ZERO };
        let (old, young) = (now - Span::from_days(1000), now - Span::from_secs(3600));
        assert!(rate(Some(old), once) < rate(None, once) && rate(None, once) < rate(Some(young), once));
        let often = Past { comparisons: 50, changes: 45, observed: Span::from_days(50) };
        assert!(rate(Some(old), often) > 1.0, "its own record says more than any date");
    }

    #[test]
    fn a_clock_that_ticks_is_no_change() {
        let request = tintype_vocab::Request {
            site: tintype_vocab::SiteId(0),
            page: tintype_vocab::PageId(0),
            url: String::new(),
            purpose: tintype_vocab::Purpose::Visit,
            attempt: 0,
            rate: ChangeRate::default(),
        };
        let now = Time::from_secs(1_800_000_000);
        let outcome = tintype_vocab::Outcome::Body { status: 200 };
        let says = |importance| {
            let visit = Observation::of(&request, now, now, outcome.clone());
            seen(&Observation { change: Change::New { importance }, ..visit }, Some(now - Span::from_days(2)))
        };
        assert!(matches!(says(0.0), Some(Seen::Interval { changed: false, .. })));
        assert!(matches!(says(0.5), Some(Seen::Interval { changed: true, .. })));
    }

    #[test]
    fn who_was_told_a_rate_keeps_it() {
        let mut beliefs = Beliefs::default();
        beliefs.recall_rate("http://e.com/", ChangeRate::known(7.0));
        let signs = Signs::new("http://e.com/", LinkKind::Anchor, 0, Time::from_secs(0));
        assert_eq!(beliefs.first(&signs), ChangeRate::known(7.0));
    }
}
