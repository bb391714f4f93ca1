//! Ours: every request goes where it buys the archive most.
//!
//! A visit is worth the changes to be expected since the one before: by the page's own past and its cohort's, by the hours
//! its site keeps and the spells it has, by what listings have said or kept silent about; and by how old the copy would
//! grow if nobody looked (age). Were rates known, any growing function of the changes to be expected would choose alike,
//! R − xR′ among them; they are learned, and the expectation itself, which counts what a page might do at most, teaches
//! most. Nothing is tuned to a site: what listings are worth is learned, and age is measured against the time one round
//! over all pages would take.

use super::{
    Choice, Policy, View, age_price::AgePrice, by_index::speaks_of_page, newcomers::Newcomers, ripening::Ripening,
    timing::Spanned, watch::Watch,
};
use crate::PageState;
use tintype_learn::{grid::Curve, hint::Hints};
use tintype_vocab::{Change, Observation, PageId, Span, Time};

/// How fast the measured pace follows the real one.
const PACE_MEMORY: f64 = 0.99;

#[derive(Debug)]
pub(super) struct Tintype {
    watch: Watch,
    hints: Hints,
    newcomers: Newcomers,
    ripening: Ripening,
    age_price: AgePrice,
    /// Smoothed days between choices, and the latest.
    pace_days: Option<f64>,
    chose: Option<Time>,
}

impl Default for Tintype {
    fn default() -> Tintype {
        Tintype {
            watch: Watch::with_timing(),
            hints: Hints::default(),
            newcomers: Newcomers::default(),
            ripening: Ripening::default(),
            age_price: AgePrice::default(),
            pace_days: None,
            chose: None,
        }
    }
}

/// What visits are worth now.
struct Worth<'a> {
    watch: &'a Watch,
    hints: &'a Hints,
    /// Days that one round over all pages takes.
    round_days: f64,
    age_price: f64,
}

impl Worth<'_> {
    fn index(&self, page: PageId, view: &View<'_>, at: Time) -> f64 {
        let span = span(self.watch, self.hints, page, at, self.hints.habit(page));
        let worth = self.watch.telling(page) * (self.watch.changes_in(page, &span) + self.hints.strength(page));
        let days = self.watch.days(page, at).max(1e-6);
        let age = self.watch.expect(page, view, Curve::Age, days) / self.round_days.powi(2);
        worth + self.age_price * age
    }
}

/// The time since the latest visit, silence of listings in it, and how much more than usual the page changes.
fn span(watch: &Watch, hints: &Hints, page: PageId, at: Time, habit: f64) -> Spanned {
    let last = watch.last(page).unwrap_or(at);
    Spanned { last, at, silence: hints.silence(page, last), habit }
}

impl Tintype {
    /// Days that one round over all pages takes.
    fn round_days(&self) -> f64 {
        let pace = self.pace_days.unwrap_or(Span::from_secs(1).as_days_f64());
        (self.ripening.len() as f64 * pace).max(1e-6)
    }

    fn keep_pace(&mut self, now: Time) {
        if let Some(before) = self.chose.filter(|before| *before < now) {
            let days = (now - before).as_days_f64();
            self.pace_days = Some(self.pace_days.map_or(days, |pace| PACE_MEMORY * pace + (1.0 - PACE_MEMORY) * days));
        }
        self.chose = Some(now);
    }

    /// Learns what the visit says of hints and habits, before the page's own belief moves.
    fn test_hints(&mut self, observation: &Observation, page: PageId) {
        let Some(last) = self.watch.last(page) else { return };
        let changed = match observation.change {
            Change::New { .. } => Some(observation.modified()),
            Change::Same => None,
            Change::First | Change::Unknown => return,
        };
        let span = span(&self.watch, &self.hints, page, observation.answered, 1.0);
        let expected = self.watch.surprise_in(page, &span);
        self.hints.test(page, last, changed, expected);
    }

    /// Keeps account of how old the copy had grown.
    fn mind_age(&mut self, observation: &Observation, page: PageId) {
        let round_days = self.round_days();
        if let (Some(last), Change::New { .. }) = (self.watch.last(page), observation.change) {
            let modified = observation.modified().filter(|modified| *modified > last);
            self.age_price.found(page, last, modified, observation.answered, round_days);
        }
        self.age_price.visited(self.ripening.len());
    }

    /// Reads what the page says of others.
    fn read(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        match observation.change {
            Change::First | Change::New { .. } => {
                for hinted in self.hints.read(page, observation.answered, view.linked) {
                    if self.ripening.contains(hinted) {
                        self.ripening.put(hinted);
                    }
                }
            }
            Change::Same => self.hints.read_again(page, observation.answered),
            Change::Unknown => {}
        }
    }
}

impl Policy for Tintype {
    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        self.watch.on_known(page, view.now);
        self.newcomers.push(page);
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        self.keep_pace(now);
        let ripening = &self.ripening;
        if let Some(page) = self.newcomers.next(view, |page| ripening.contains(page)) {
            return Choice::Visit(page);
        }
        let (round_days, age_price) = (self.round_days(), self.age_price.get());
        let worth = Worth { watch: &self.watch, hints: &self.hints, round_days, age_price };
        let best = self.ripening.pick(now, |page, at| worth.index(page, view, at));
        best.map_or(Choice::Done, Choice::Visit)
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if !speaks_of_page(observation) {
            return self.ripening.take_out(page);
        }
        if view.pages.get(page).state != PageState::Waiting {
            return;
        }
        self.test_hints(observation, page);
        self.mind_age(observation, page);
        if self.watch.observe(observation, page, view) {
            self.ripening.shake();
        }
        self.read(page, observation, view);
        self.ripening.put(page);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PageInfo, Pages};
    use tintype_vocab::{ChangeRate, Outcome, Purpose, Request, SiteId};

    /// Visits to a page whose every change has the first importance, and to one whose changes have the second, both
    /// changed whenever somebody looks.
    fn visits(importances: [f32; 2]) -> [usize; 2] {
        let mut pages = Pages::default();
        let info = PageInfo::waiting(1);
        let ids = ["http://e.com/a/one", "http://e.com/b/two"].map(|url| pages.add_unlisted(url, info));
        let mut policy = Tintype::default();
        let hour = |hour: i64| Time::from_secs(1_704_067_200 + 3600 * hour);
        ids.iter().for_each(|page| policy.on_known(*page, &View::of(&pages, hour(0))));
        let mut visits = [0; 2];
        for now in 1..=500 {
            let Choice::Visit(page) = policy.choose(hour(now), &View::of(&pages, hour(now))) else {
                panic!("nothing to do")
            };
            let which = page.index();
            let request = Request {
                site: SiteId(0),
                page,
                url: String::new(),
                purpose: Purpose::Visit,
                attempt: 0,
                rate: ChangeRate::default(),
            };
            let change =
                if visits[which] == 0 { Change::First } else { Change::New { importance: importances[which] } };
            let seen = Observation::of(&request, hour(now), hour(now), Outcome::Body { status: 200 });
            policy.on_observation(page, &Observation { change, ..seen }, &View::of(&pages, hour(now)));
            visits[which] += 1;
        }
        visits
    }

    #[test]
    fn a_page_with_a_clock_on_it_is_not_asked_for_because_it_ticks() {
        let [news, clock] = visits([0.5, 0.0]);
        assert!(news > 5 * clock, "{news} {clock}");
        let [one, other] = visits([0.5, 0.5]);
        assert!(one.abs_diff(other) < 100, "{one} {other}");
    }
}
