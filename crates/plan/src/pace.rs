//! Politeness: when the next request to a host may be sent, and why not sooner.

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
pub(crate) const RETRY_AFTER_MAX: Span = Span::from_secs(3600);
/// What one page that is out of service asks for is waited for by that page; its host is left alone this long.
const ONE_PAGE_HOLDS: Span = Span::from_secs(10);
/// No pause is longer, whatever is written in a file.
const KEPT_PAUSE_MAX: Span = Span::from_days(1);
/// Failures in a row after which every further one slows the whole host down.
const FAILURES_TOLERATED: u32 = 3;
/// Different pages that must be out of service in a row before it is the host that is: one broken page among many that
/// answer is only asked for again later.
const PAGES_TOLERATED: u32 = 2;
/// Failures in a row after which a host is given up for now.
const FAILURES_MAX: u32 = 20;
/// What a server answers that is asked too much, whatever the page.
const TOO_MANY_REQUESTS: u16 = 429;

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
    /// The middle of the capture is to fall on the moment a person named.
    Moment,
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
            Wait::Moment => "the middle of the capture is to fall on the moment of --as-of",
            Wait::NothingDue => "nothing is due yet",
        })
    }
}

/// The pace of one host: when it may be asked next, and what that is learned from.
///
/// The pause a person chose is no part of it but an argument (`fixed`), because sites with different settings may share a
/// host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostPace {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crawl_delay: Option<Span>,
    /// The Crawl-delay is from an earlier run: the next robots.txt replaces it instead of adding to it.
    #[serde(skip)]
    crawl_delay_is_old: bool,
    /// Smoothed response time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<Span>,
    /// The last request or answer.
    last: Time,
    next: Time,
    why: Wait,
    /// Until when the host refuses or fails, whatever pauses a person chose.
    held: Time,
    /// Failures in a row.
    failures: u32,
    /// Different pages in a row that were refused for the moment, and which was the last.
    #[serde(skip)]
    refused: (u32, u64),
}

impl Default for HostPace {
    fn default() -> HostPace {
        HostPace {
            crawl_delay: None,
            crawl_delay_is_old: false,
            response: None,
            last: Time::MIN,
            next: Time::MIN,
            why: Wait::NothingDue,
            held: Time::MIN,
            failures: 0,
            refused: (0, 0),
        }
    }
}

/// A pace with all there is to it.
pub(crate) type SavedPace = (Option<Span>, bool, Option<Span>, Time, Time, Wait, Time, u32, (u32, u64));

impl HostPace {
    pub(crate) fn save(&self) -> SavedPace {
        let HostPace { crawl_delay, crawl_delay_is_old, response, last, next, why, held, failures, refused } = *self;
        (crawl_delay, crawl_delay_is_old, response, last, next, why, held, failures, refused)
    }

    pub(crate) fn restore(saved: SavedPace) -> HostPace {
        let (crawl_delay, crawl_delay_is_old, response, last, next, why, held, failures, refused) = saved;
        HostPace { crawl_delay, crawl_delay_is_old, response, last, next, why, held, failures, refused }
    }

    /// When the next request may be sent.
    pub fn next_slot(&self) -> Time {
        self.next
    }

    /// The same for a site whose pause is `fixed`: one without pauses does not keep those of others.
    pub(crate) fn slot_of(&self, fixed: Option<Span>) -> Time {
        if fixed == Some(Span::ZERO) { self.held } else { self.next }
    }

    /// The pause between requests now, and where it comes from.
    pub fn pause(&self, fixed: Option<Span>) -> (Span, Wait) {
        if fixed == Some(Span::ZERO) {
            return (Span::ZERO, Wait::Fixed);
        }
        let (own, why) = match (fixed, self.response) {
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
    pub fn slot(&self, fixed: Option<Span>) -> Span {
        self.pause(fixed).0.max(self.response.unwrap_or(Span::ZERO)).max(Span::from_millis(1))
    }

    /// Why [`HostPace::next_slot`] lies where it does.
    pub fn why(&self) -> Wait {
        self.why
    }

    /// Whether the host has stopped answering.
    pub(crate) fn gave_up(&self) -> bool {
        self.failures >= FAILURES_MAX
    }

    /// A later run tries again, a while after the host stopped answering.
    pub(crate) fn forgive(&mut self) {
        self.failures = 0;
    }

    /// robots.txt was read at `now`: what it asks for holds from there on.
    pub(crate) fn obey(&mut self, crawl_delay: Option<Span>, now: Time, fixed: Option<Span>) {
        let before = self.crawl_delay.filter(|_| !self.crawl_delay_is_old);
        self.crawl_delay_is_old = false;
        self.crawl_delay = before.max(crawl_delay);
        if let (pause, Wait::CrawlDelay) = self.pause(fixed) {
            self.postpone(now + pause, Wait::CrawlDelay);
        }
    }

    pub(crate) fn sent(&mut self, now: Time, fixed: Option<Span>) {
        let (pause, why) = self.pause(fixed);
        self.last = self.last.max(now);
        self.postpone(now + pause, why);
    }

    /// An answer came at `answered`, which need not be on the clock of the observation.
    pub(crate) fn settled(&mut self, observation: &Observation, answered: Time, fixed: Option<Span>, dice: &mut Dice) {
        let took = (observation.answered - observation.asked).max(Span::ZERO);
        let smoothed = self.response.map_or(took, |old| (old * 3 + took) / 4);
        self.response = Some(smoothed);
        self.last = self.last.max(answered);
        let (pause, why) = self.pause(fixed);
        self.postpone(answered + pause, why);
        self.mind_trouble(observation, answered, dice);
    }

    fn mind_trouble(&mut self, observation: &Observation, answered: Time, dice: &mut Dice) {
        if !observation.outcome.is_transient() {
            self.failures = 0;
            self.refused = (0, 0);
            return;
        }
        self.failures += 1;
        let Outcome::Refused { status, retry_after } = &observation.outcome else {
            if self.failures > FAILURES_TOLERATED {
                let pause = back_off(self.failures - FAILURES_TOLERATED - 1, dice);
                self.postpone(answered + pause, Wait::BackOff);
            }
            return;
        };
        self.count_refused(&observation.url);
        if let Some(asked) = retry_after {
            let of_host = self.refusals(*status).is_some();
            let most = if of_host { RETRY_AFTER_MAX } else { ONE_PAGE_HOLDS };
            self.postpone(answered + (*asked).clamp(Span::ZERO, most), Wait::RetryAfter);
        }
        // "Come back at once" is no reason to come back sooner than without a word.
        if let Some(nth) = self.refusals(*status) {
            self.postpone(answered + back_off(nth, dice), Wait::BackOff);
        }
    }

    fn count_refused(&mut self, url: &str) {
        let page = rapidhash::v3::rapidhash_v3(url.as_bytes());
        if self.refused.0 == 0 || self.refused.1 != page {
            self.refused = (self.refused.0 + 1, page);
        }
    }

    /// How often the host, not only a page of it, has refused in a row before this time; nothing if it may be the page.
    fn refusals(&self, status: u16) -> Option<u32> {
        match status {
            TOO_MANY_REQUESTS => Some(self.failures - 1),
            _ => self.refused.0.checked_sub(PAGES_TOLERATED + 1),
        }
    }

    fn postpone(&mut self, until: Time, why: Wait) {
        if matches!(why, Wait::RetryAfter | Wait::BackOff) {
            self.held = self.held.max(until);
        }
        if until > self.next {
            self.next = until;
            self.why = why;
        }
    }

    /// Takes a pace of an earlier run up at `now`. If the clock was set back meanwhile, what was left to wait then is
    /// waited for from now on.
    pub(crate) fn resume(&mut self, now: Time) {
        self.crawl_delay_is_old = true;
        self.crawl_delay = self.crawl_delay.map(|delay| delay.min(KEPT_PAUSE_MAX));
        if self.last > now {
            let back = self.last - now;
            (self.next, self.held, self.last) = (self.next - back, self.held - back, now);
        }
        // A pause a person chose was for one run.
        if self.why == Wait::Fixed {
            self.next = self.next.min(self.last + PAUSE_MIN);
        }
        self.held = self.held.min(now + KEPT_PAUSE_MAX);
        self.next = self.next.max(self.held).min(now + KEPT_PAUSE_MAX);
    }

    pub(crate) fn shift(&mut self, ahead: Span) {
        self.last += ahead;
        self.next += ahead;
        self.held += ahead;
    }

    /// Nothing is known of the host but that something was: it is asked late rather than too soon.
    pub(crate) fn careful(now: Time) -> HostPace {
        HostPace { next: now + PAUSE_MAX, held: now + PAUSE_MAX, why: Wait::BackOff, ..HostPace::default() }
    }

    /// The more careful of two paces, for two names that turn out to be one host.
    pub(crate) fn merge(&mut self, other: &HostPace) {
        self.crawl_delay = self.crawl_delay.max(other.crawl_delay);
        self.response = self.response.max(other.response);
        self.last = self.last.max(other.last);
        self.failures = self.failures.max(other.failures);
        self.held = self.held.max(other.held);
        self.postpone(other.next, other.why);
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

    /// The pause after an answer, for a site with this delay.
    fn after(pace: &mut HostPace, fixed: Option<Span>, observation: &Observation) -> (i64, Wait) {
        pace.settled(observation, observation.answered, fixed, &mut Dice::new(1, 1));
        ((pace.next_slot() - observation.answered).as_millis(), pace.why())
    }

    const LIFTED: Option<Span> = Some(Span::ZERO);

    fn refused(url: &str, at: i64, status: u16, retry_after: Option<Span>) -> Observation {
        Observation { url: url.into(), ..seen(at, 0, Outcome::Refused { status, retry_after }) }
    }

    #[test]
    fn the_pause_follows_the_response_time_within_bounds() {
        let ok = |took| seen(0, took, Outcome::Body { status: 200 });
        assert_eq!(after(&mut HostPace::default(), None, &ok(10)), (1000, Wait::ResponseTime));
        assert_eq!(after(&mut HostPace::default(), None, &ok(600)), (3000, Wait::ResponseTime));
        assert_eq!(after(&mut HostPace::default(), None, &ok(60_000)), (30_000, Wait::ResponseTime));
    }

    #[test]
    fn a_crawl_delay_is_obeyed_from_the_rules_on_unless_the_pause_was_lifted() {
        let mut pace = HostPace::default();
        let fixed = Some(Span::from_secs(2));
        pace.obey(Some(Span::from_secs(7)), Time::from_secs(100), fixed);
        assert_eq!(pace.pause(fixed), (Span::from_secs(7), Wait::CrawlDelay));
        assert_eq!(pace.next_slot(), Time::from_secs(107));
        assert_eq!(pace.pause(LIFTED), (Span::ZERO, Wait::Fixed));
    }

    #[test]
    fn an_old_crawl_delay_holds_until_the_rules_are_read_again() {
        let mut pace = HostPace::default();
        pace.obey(Some(Span::from_secs(60)), Time::from_secs(100), None);
        pace.resume(Time::from_secs(110));
        assert_eq!((pace.pause(None).0, pace.next_slot()), (Span::from_secs(60), Time::from_secs(160)));
        pace.obey(Some(Span::from_secs(5)), Time::from_secs(160), None);
        assert_eq!(pace.pause(None).0, Span::from_secs(5));
    }

    #[test]
    fn a_clock_set_back_between_runs_neither_shortens_nor_lengthens_a_pause() {
        let mut pace = HostPace::default();
        after(&mut pace, None, &refused("/", 5_000_000, 429, Some(Span::from_secs(600))));
        pace.resume(Time::from_millis(1_400_000));
        assert_eq!(pace.next_slot(), Time::from_millis(2_000_000));
    }

    #[test]
    fn a_pause_a_person_chose_ends_with_the_run_but_a_refusal_does_not() {
        let (mut chosen, long) = (HostPace::default(), Some(Span::from_secs(60)));
        chosen.sent(Time::from_secs(100), long);
        chosen.resume(Time::from_secs(100));
        assert_eq!((chosen.slot_of(None), chosen.slot_of(LIFTED)), (Time::from_secs(101), Time::MIN));
        let mut refused_too = HostPace::default();
        after(&mut refused_too, long, &refused("/", 100_000, 429, Some(Span::from_secs(40))));
        refused_too.resume(Time::from_secs(110));
        let until = Time::from_secs(140);
        assert_eq!((refused_too.slot_of(None), refused_too.slot_of(LIFTED)), (until, until));
    }

    #[test]
    fn retry_after_is_obeyed_even_when_the_pause_was_lifted() {
        let busy = refused("/", 0, 429, Some(Span::from_secs(40)));
        assert_eq!(after(&mut HostPace::default(), LIFTED, &busy), (40_000, Wait::RetryAfter));
        let forever = |url| refused(url, 0, 503, Some(Span::from_days(900)));
        let mut pace = HostPace::default();
        for (url, pause) in [("/a", 10_000), ("/b", 10_000), ("/c", 3_600_000)] {
            assert_eq!(
                after(&mut pace, None, &forever(url)),
                (pause, Wait::RetryAfter),
                "one page does not speak for all"
            );
        }
    }

    #[test]
    fn to_come_back_at_once_is_no_invitation() {
        let (pause, why) = after(&mut HostPace::default(), LIFTED, &refused("/", 0, 429, Some(Span::ZERO)));
        assert!(pause >= 1000 && why == Wait::BackOff, "{pause} {why:?}");
    }

    #[test]
    fn refusals_back_off_further_each_time_and_success_forgives() {
        let mut pace = HostPace::default();
        let busy = |at| refused("/", at, 429, None);
        let first = after(&mut pace, LIFTED, &busy(0)).0;
        let mut last = first;
        for _ in 0..6 {
            let at = pace.next_slot().as_millis();
            last = after(&mut pace, LIFTED, &busy(at)).0;
        }
        assert!((1000..=3000).contains(&first), "{first}");
        assert!(last > 10 * first, "{last}");
        let at = pace.next_slot().as_millis();
        assert_eq!(after(&mut pace, LIFTED, &seen(at, 0, Outcome::Body { status: 200 })).0, 0);
    }

    #[test]
    fn one_page_out_of_service_does_not_slow_its_host_but_several_do() {
        let mut pace = HostPace::default();
        for at in 0..5 {
            assert_eq!(after(&mut pace, LIFTED, &refused("/broken", at, 503, None)).0, 0);
        }
        assert_eq!(after(&mut pace, LIFTED, &refused("/second", 10, 503, None)).0, 0);
        assert!(after(&mut pace, LIFTED, &refused("/third", 20, 503, None)).0 >= 1000);
    }

    #[test]
    fn a_host_that_stays_silent_is_given_up() {
        let mut pace = HostPace::default();
        for at in 0..FAILURES_MAX {
            assert!(!pace.gave_up());
            let dead = seen(i64::from(at), 0, Outcome::Failed { cause: Failure::Unreachable });
            pace.settled(&dead, dead.answered, None, &mut Dice::new(0, 0));
        }
        assert!(pace.gave_up());
    }
}
