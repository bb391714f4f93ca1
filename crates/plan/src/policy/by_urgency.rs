//! Algorithm 5 of the page-change-pattern paper: at the beginning of every period all pages are listed by their urgency,
//! page weight × what the pattern promises × time since the latest visit, and visited in that order until the period
//! ends.
//!
//! Patterns are learned while visiting ([`Hours`]). A page that has shown little is taken to be like the others. The paper
//! says nothing of periods that nobody has lived through yet: until enough is seen of one, what pages brought in any
//! other stands for it.

use super::{by_list::Listing, view::View};
use crate::page_rank::PageRank;
use tintype_learn::{
    hours::{Counted, Hours},
    learner::Learner,
    pattern::{Calendar, ImportancePattern, Periods, urgency},
};
use tintype_vocab::{Change, Observation, PageId, Time};

/// What pages have in common counts as much as this many periods of a page's own.
const COMMON_PERIODS: f64 = 5.0;
/// Nobody is wholly without urgency: where nothing was ever found, whoever waits longest comes first.
const FLOOR: f64 = 1e-6;

/// Mean importance of a period, and how many periods speak for it.
type Promise = (f64, f64);

/// What a pattern is made of, and what of it counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strategy {
    /// What a change adds to the pattern.
    pub(super) counted: Counted,
    /// What the pattern promises for a moment, and how many periods speak for it.
    pub(super) promise: fn(&ImportancePattern, Time) -> Promise,
    /// What pages weigh: ω(P).
    pub(super) weight: fn(&PageRank, PageId) -> f64,
}

#[derive(Debug)]
pub(super) struct ByUrgency {
    strategy: Strategy,
    calendar: Calendar,
    ranks: PageRank,
}

impl ByUrgency {
    pub(super) fn new(strategy: Strategy, calendar: Calendar) -> ByUrgency {
        ByUrgency { strategy, calendar, ranks: PageRank::default() }
    }

    /// What a page's own pattern promises for a moment, and what for any; nothing of a page without one.
    fn own(&self, page: PageId, at: Time, view: &View<'_>) -> (Promise, Promise) {
        let pattern = view.knowledge.hours().and_then(|hours| hours.pattern(view.knowledge.slot(page)));
        pattern.map_or(((0.0, 0.0), (0.0, 0.0)), |pattern| {
            let (mean, seen) = pattern.overall();
            ((self.strategy.promise)(pattern, at), (mean, seen * pattern.means().len() as f64))
        })
    }
}

impl Listing for ByUrgency {
    saves!(ranks);

    fn learns(&self) -> Vec<Box<dyn Learner>> {
        vec![Box::new(Hours::new(self.calendar, self.strategy.counted))]
    }

    fn is_over(&self, made: Time, now: Time) -> bool {
        let periods = Periods::new(self.calendar);
        periods.number(made) != periods.number(now)
    }

    fn list(&mut self, pages: &[(PageId, Time)], now: Time, view: &View<'_>) -> Vec<f64> {
        let own = || pages.iter().map(|(page, _)| self.own(*page, now, view));
        let (now_common, ever_common) = (Common::of(own().map(|own| own.0)), Common::of(own().map(|own| own.1)));
        let urgency = |(&(page, last), (own, ever)): (&(PageId, Time), (Promise, Promise))| {
            let promise = now_common.with(own, ever_common.so_far(ever));
            urgency((self.strategy.weight)(&self.ranks, page), promise + FLOOR, (now - last).as_days_f64())
        };
        pages.iter().zip(own()).map(urgency).collect()
    }

    fn on_visit(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        read_links(&mut self.ranks, page, observation, view);
    }
}

/// A page that is as it was links what it linked.
pub(super) fn read_links(ranks: &mut PageRank, page: PageId, observation: &Observation, view: &View<'_>) {
    if observation.change != Change::Same && observation.outcome.saw_page() {
        ranks.read(page, view.linked.iter().map(|(target, _)| *target));
    }
}

/// What pages have in common, and how many periods of it there are: as many as a page has seen on average.
struct Common {
    mean: f64,
    periods: f64,
}

impl Common {
    /// The mean of what patterns promise, by how much speaks for each.
    fn of(own: impl ExactSizeIterator<Item = Promise>) -> Common {
        let pages = own.len().max(1) as f64;
        let (sum, seen) = own.fold((0.0, 0.0), |(sum, all), (mean, seen)| (sum + mean * seen, all + seen));
        Common { mean: if seen > 0.0 { sum / seen } else { 0.0 }, periods: (seen / pages).min(COMMON_PERIODS) }
    }

    /// What a page has brought in any period: a few visits within a minute say as little of all pages as of one.
    fn so_far(&self, (own, seen): Promise) -> f64 {
        let all = seen + self.periods;
        if all > 0.0 { (own * seen + self.mean * self.periods) / all } else { 0.0 }
    }

    /// What a page promises; where even all pages together have seen little, `otherwise` makes up what is missing.
    fn with(&self, (own, seen): Promise, otherwise: f64) -> f64 {
        let missing = COMMON_PERIODS - self.periods;
        (own * seen + self.mean * self.periods + otherwise * missing) / (seen + COMMON_PERIODS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Pages,
        policy::{importance, importance_pattern, pattern},
    };
    use tintype_learn::knowledge::{About, Knowledge};
    use tintype_vocab::{LinkKind, Mention, Outcome, Purpose, Request, SiteId, Span};

    /// A Monday.
    const START: Time = Time::from_secs(1_704_067_200);
    /// Two, in hours.
    const WEEKS: i64 = 14 * 24;

    fn hours(hours: i64) -> Time {
        START + Span::from_secs(3600 * hours)
    }

    fn seen(page: PageId, at: Time, change: Change) -> Observation {
        let (site, url, purpose) = (SiteId(0), String::new(), Purpose::Visit);
        let request = Request { site, page, url, purpose, attempt: 0, rate: Default::default() };
        Observation { change, ..Observation::of(&request, at, at, Outcome::Body { status: 200 }) }
    }

    fn about(page: PageId) -> About<'static> {
        let (kind, mention) = (LinkKind::Anchor, Mention::default());
        About { page, url: "", kind, mention, depth: 1, rate: Default::default() }
    }

    /// After two weeks of hourly visits to a page busy at nine, one busy at three in the afternoon, and one busy at nine
    /// with trifles: their urgencies at an hour of the next day.
    fn urgencies(strategy: Strategy, hour: i64) -> Vec<f64> {
        let mut by_urgency = ByUrgency::new(strategy, Calendar::default());
        let (pages, mut knowledge) = (Pages::default(), Knowledge::default());
        knowledge.learn_also(by_urgency.learns());
        (0..3).for_each(|page| knowledge.know(PageId(page), &page.to_string(), START));
        let habits = [(9, 0.8), (15, 0.8), (9, 0.1)];
        for now in 0..=WEEKS {
            for (page, (busy, importance)) in (0..).map(PageId).zip(habits) {
                let change = if (now - 1) % 24 == busy { Change::New { importance } } else { Change::Same };
                knowledge.observe(&about(page), &seen(page, hours(now), change), &[]);
            }
        }
        let last = [0, 1, 2].map(|page| (PageId(page), hours(WEEKS)));
        by_urgency.list(&last, hours(WEEKS + hour), &View { knowledge: &knowledge, ..View::of(&pages, START) })
    }

    #[test]
    fn who_is_busy_now_with_what_matters_comes_first() {
        let [nine, three] = [9, 15].map(|hour| urgencies(importance_pattern::STRATEGY, hour));
        assert!(nine[0] > 2.0 * nine[2] && nine[2] > nine[1], "{nine:?}");
        assert!(three[1] > 2.0 * three[0] && three[1] > 2.0 * three[2], "{three:?}");
    }

    #[test]
    fn without_importance_trifles_count_as_much() {
        let nine = urgencies(pattern::STRATEGY, 9);
        assert!((nine[0] - nine[2]).abs() < 1e-6 * nine[0] && nine[0] > 2.0 * nine[1], "{nine:?}");
    }

    #[test]
    fn without_a_pattern_every_hour_is_alike() {
        let [nine, three] = [9, 15].map(|hour| urgencies(importance::STRATEGY, hour));
        assert!((nine[0] - nine[1]).abs() < 0.01 * nine[0] && nine[0] > 2.0 * nine[2], "{nine:?}");
        assert!((three[0] / nine[0] - 15.0 / 9.0).abs() < 1e-9, "only time has passed");
    }

    /// Nobody knows the second hour of a site yet; the first has told who is in the news.
    #[test]
    fn before_a_period_is_known_what_pages_brought_so_far_counts() {
        let mut by_urgency = ByUrgency::new(importance_pattern::STRATEGY, Calendar::default());
        let (pages, mut knowledge) = (Pages::default(), Knowledge::default());
        knowledge.learn_also(by_urgency.learns());
        (0..3).for_each(|page| knowledge.know(PageId(page), &page.to_string(), START));
        for second in 0..20 {
            for page in (0..3).map(PageId) {
                let change = if page.0 == 1 { Change::New { importance: 0.5 } } else { Change::Same };
                let at = START + Span::from_secs(second);
                let change = if second == 0 { Change::First } else { change };
                knowledge.observe(&about(page), &seen(page, at, change), &[]);
            }
        }
        for later in [Span::from_secs(60), Span::from_secs(3600)] {
            let last = [0, 1, 2].map(|page| (PageId(page), START));
            let view = View { knowledge: &knowledge, ..View::of(&pages, START) };
            let urgencies = by_urgency.list(&last, START + later, &view);
            assert!(urgencies[1] > 2.0 * urgencies[0] && urgencies[0] == urgencies[2], "{urgencies:?}");
        }
    }

    #[test]
    fn a_list_is_over_with_its_period() {
        let by_urgency = ByUrgency::new(importance::STRATEGY, Calendar::new(4, Span::ZERO));
        assert!(!by_urgency.is_over(hours(1), hours(5)) && by_urgency.is_over(hours(5), hours(6)));
    }
}
