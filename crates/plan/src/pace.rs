//! Politeness: when the next request to a site may be sent, and why not sooner.

use crate::Dice;
use serde::{Deserialize, Serialize};
use std::fmt;
use tintype_vocab::{Observation, Outcome, Span, Time};

/// The pause is this many response times: a server that takes long is given longer.
const RESPONSE_TIMES: i64 = 5;
const PAUSE_MIN: Span = Span::from_secs(1);
const PAUSE_MAX: Span = Span::from_secs(30);
/// First back-off after trouble; doubled every time.
const BACK_OFF: Span = Span::from_secs(2);
const BACK_OFF_MAX: Span = Span::from_secs(600);
/// A server may ask for any patience; a capture has this much.
const RETRY_AFTER_MAX: Span = Span::from_secs(3600);
/// Failures in a row after which every further one slows the whole site down.
const FAILURES_TOLERATED: u32 = 3;
/// Failures in a row after which a site is given up for now.
const FAILURES_MAX: u32 = 20;

/// Why nothing may be asked right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wait {
    /// The pause a person chose.
    Fixed,
    /// The pause that follows the server's response time.
    ResponseTime,
    /// robots.txt asks for it.
    CrawlDelay,
    /// The server said when to come back.
    RetryAfter,
    /// The server refused or failed; we leave it alone for a while.
    BackOff,
    /// The requests of this day are spread over it.
    Budget,
    /// Nothing is due yet.
    NothingDue,
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wait::Fixed => "as told by --delay",
            Wait::ResponseTime => "five response times, at least 1 s",
            Wait::CrawlDelay => "robots.txt Crawl-delay",
            Wait::RetryAfter => "the server said Retry-After",
            Wait::BackOff => "backing off after trouble",
            Wait::Budget => "the daily budget",
            Wait::NothingDue => "nothing is due yet",
        })
    }
}

/// The pace of one site.
#[derive(Clone, Debug)]
pub struct Pace {
    fixed: Option<Span>,
    crawl_delay: Option<Span>,
    /// Smoothed response time.
    response: Option<Span>,
    next: Time,
    why: Wait,
    troubles: u32,
}

impl Pace {
    pub(crate) fn new(fixed: Option<Span>) -> Pace {
        Pace { fixed, crawl_delay: None, response: None, next: Time::MIN, why: Wait::NothingDue, troubles: 0 }
    }

    /// When the next request may be sent.
    pub fn next_slot(&self) -> Time {
        self.next
    }

    /// The pause between requests now, and where it comes from.
    pub fn pause(&self) -> (Span, Wait) {
        if self.fixed == Some(Span::ZERO) {
            return (Span::ZERO, Wait::Fixed);
        }
        let (own, why) = match (self.fixed, self.response) {
            (Some(fixed), _) => (fixed, Wait::Fixed),
            (None, Some(response)) => ((response * RESPONSE_TIMES).clamp(PAUSE_MIN, PAUSE_MAX), Wait::ResponseTime),
            (None, None) => (PAUSE_MIN, Wait::ResponseTime),
        };
        match self.crawl_delay {
            Some(asked) if asked > own => (asked, Wait::CrawlDelay),
            _ => (own, why),
        }
    }

    /// How long one request takes all in all: the pause, or the answer if that takes longer.
    pub fn slot(&self) -> Span {
        self.pause().0.max(self.response.unwrap_or(Span::ZERO)).max(Span::from_millis(1))
    }

    /// Why [`Pace::next_slot`] lies where it does.
    pub fn why(&self) -> Wait {
        self.why
    }

    /// Whether the site has stopped answering.
    pub(crate) fn gave_up(&self) -> bool {
        self.troubles >= FAILURES_MAX
    }

    /// Somebody wants to try again, a while after the site stopped answering.
    pub(crate) fn forgive(&mut self) {
        self.troubles = 0;
    }

    pub(crate) fn obey(&mut self, crawl_delay: Option<Span>) {
        self.crawl_delay = self.crawl_delay.max(crawl_delay);
    }

    pub(crate) fn sent(&mut self, now: Time) {
        let (pause, why) = self.pause();
        self.postpone(now + pause, why);
    }

    /// A host that only lends an image says nothing about how the site fares.
    pub(crate) fn settled_elsewhere(&mut self, observation: &Observation) {
        let (pause, why) = self.pause();
        self.postpone(observation.answered + pause, why);
    }

    pub(crate) fn settled(&mut self, observation: &Observation, dice: &mut Dice) {
        let took = (observation.answered - observation.asked).max(Span::ZERO);
        let smoothed = self.response.map_or(took, |old| (old * 3 + took) / 4);
        self.response = Some(smoothed);
        self.settled_elsewhere(observation);
        self.mind_trouble(observation, dice);
    }

    fn mind_trouble(&mut self, observation: &Observation, dice: &mut Dice) {
        if !observation.outcome.is_transient() {
            self.troubles = 0;
            return;
        }
        self.troubles += 1;
        let refused = matches!(observation.outcome, Outcome::Refused { .. });
        if let Outcome::Refused { retry_after: Some(asked), .. } = &observation.outcome {
            let patience = (*asked).clamp(Span::ZERO, RETRY_AFTER_MAX);
            self.postpone(observation.answered + patience, Wait::RetryAfter);
        } else if refused || self.troubles > FAILURES_TOLERATED {
            let pause = back_off(self.troubles.saturating_sub(if refused { 1 } else { FAILURES_TOLERATED + 1 }), dice);
            self.postpone(observation.answered + pause, Wait::BackOff);
        }
    }

    fn postpone(&mut self, until: Time, why: Wait) {
        if until > self.next {
            self.next = until;
            self.why = why;
        }
    }
}

/// The n-th back-off, jittered by half on both sides so that many pages or many crawlers do not return in step.
pub(crate) fn back_off(nth: u32, dice: &mut Dice) -> Span {
    let base = (BACK_OFF * (1i64 << nth.min(20))).min(BACK_OFF_MAX);
    Span::from_millis((base.as_millis() as f64 * (0.5 + dice.unit())) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::{Failure, PageId, Purpose, Request, SiteId};

    fn seen(at: i64, took: i64, outcome: Outcome) -> Observation {
        let (site, page, purpose) = (SiteId(0), PageId(0), Purpose::Visit);
        let request =
            Request { site, page, url: "http://e.com/".into(), purpose, attempt: 0, rate: Default::default() };
        Observation::of(&request, Time::from_millis(at), Time::from_millis(at + took), outcome)
    }

    fn after(pace: &mut Pace, observation: &Observation) -> (i64, Wait) {
        pace.settled(observation, &mut Dice::new(1, 1));
        ((pace.next_slot() - observation.answered).as_millis(), pace.why())
    }

    #[test]
    fn the_pause_follows_the_response_time_within_bounds() {
        let ok = |took| seen(0, took, Outcome::Body { status: 200 });
        assert_eq!(after(&mut Pace::new(None), &ok(10)), (1000, Wait::ResponseTime));
        assert_eq!(after(&mut Pace::new(None), &ok(600)), (3000, Wait::ResponseTime));
        assert_eq!(after(&mut Pace::new(None), &ok(60_000)), (30_000, Wait::ResponseTime));
    }

    #[test]
    fn a_crawl_delay_is_obeyed_unless_the_pause_was_lifted() {
        let mut pace = Pace::new(Some(Span::from_secs(2)));
        pace.obey(Some(Span::from_secs(7)));
        assert_eq!(pace.pause(), (Span::from_secs(7), Wait::CrawlDelay));
        let mut lifted = Pace::new(Some(Span::ZERO));
        lifted.obey(Some(Span::from_secs(7)));
        assert_eq!(lifted.pause(), (Span::ZERO, Wait::Fixed));
    }

    #[test]
    fn retry_after_is_obeyed_even_when_the_pause_was_lifted() {
        let busy = seen(0, 5, Outcome::Refused { status: 429, retry_after: Some(Span::from_secs(40)) });
        assert_eq!(after(&mut Pace::new(Some(Span::ZERO)), &busy), (40_000, Wait::RetryAfter));
        let forever = seen(0, 5, Outcome::Refused { status: 503, retry_after: Some(Span::from_days(900)) });
        assert_eq!(after(&mut Pace::new(None), &forever), (3_600_000, Wait::RetryAfter));
    }

    #[test]
    fn refusals_back_off_further_each_time_and_success_forgives() {
        let mut pace = Pace::new(Some(Span::ZERO));
        let busy = |at| seen(at, 0, Outcome::Refused { status: 503, retry_after: None });
        let first = after(&mut pace, &busy(0)).0;
        let mut last = first;
        for _ in 0..6 {
            let at = pace.next_slot().as_millis();
            last = after(&mut pace, &busy(at)).0;
        }
        assert!((1000..=3000).contains(&first), "{first}");
        assert!(last > 10 * first, "{last}");
        let at = pace.next_slot().as_millis();
        assert_eq!(after(&mut pace, &seen(at, 0, Outcome::Body { status: 200 })).0, 0);
    }

    #[test]
    fn a_site_that_stays_silent_is_given_up() {
        let mut pace = Pace::new(None);
        for at in 0..FAILURES_MAX {
            assert!(!pace.gave_up());
            let dead = seen(i64::from(at), 0, Outcome::Failed { cause: Failure::Unreachable });
            pace.settled(&dead, &mut Dice::new(0, 0));
        }
        assert!(pace.gave_up());
    }
}
