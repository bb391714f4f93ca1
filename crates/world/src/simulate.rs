//! The one loop over pages of this room: the scheduler says what is next, answers come from a world, the clock jumps.

use std::convert::Infallible;
use tintype_plan::{Scheduler, Step};
use tintype_vocab::{Observation, Request, Span, Time};

/// A web that answers a scheduler's requests, and the clock that goes with it.
pub trait Answers {
    type Error;

    /// The clock has come to `now`: what became known meanwhile is announced.
    fn arrive(&mut self, _scheduler: &mut Scheduler, _now: Time) {}

    /// What a visit made now teaches. The scheduler has not seen it yet.
    fn answer(&mut self, scheduler: &mut Scheduler, request: &Request, now: Time) -> Result<Observation, Self::Error>;

    /// The scheduler has taken the observation in.
    fn settled(&mut self, _scheduler: &mut Scheduler, _request: &Request, _observation: Observation) {}

    /// When the scheduler is asked next after a visit that was answered at `answered`; nothing ends the run.
    fn after_visit(&mut self, answered: Time) -> Option<Time> {
        Some(answered)
    }

    /// When it is asked next if it has nothing to ask for, at all or before a moment; nothing ends the run.
    fn after_wait(&mut self, until: Option<Time>) -> Option<Time> {
        until
    }
}

/// Lets a scheduler loose on a world from `start` until it is done or the world ends; returns the clock at the end.
pub fn simulate<A: Answers>(scheduler: &mut Scheduler, answers: &mut A, start: Time) -> Result<Time, A::Error> {
    let mut now = start;
    loop {
        answers.arrive(scheduler, now);
        let next = match scheduler.next(now) {
            Step::Fetch(request) => {
                let observation = answers.answer(scheduler, &request, now)?;
                let answered = observation.answered;
                scheduler.settle(&observation);
                answers.settled(scheduler, &request, observation);
                answers.after_visit(answered)
            }
            // A wait that does not move the clock would never end.
            Step::WaitUntil(until) => answers.after_wait(Some(until.max(now + Span::from_millis(1)))),
            Step::Idle | Step::Done => answers.after_wait(None),
        };
        match next {
            Some(at) => now = at,
            None => return Ok(now),
        }
    }
}

/// The same for a world in which nothing can fail.
pub fn simulate_surely<A: Answers<Error = Infallible>>(
    scheduler: &mut Scheduler,
    answers: &mut A,
    start: Time,
) -> Time {
    let Ok(ended) = simulate(scheduler, answers, start);
    ended
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_plan::Settings;
    use tintype_vocab::{Outcome, SiteId};

    /// Answers nothing but absence, and has only so many slots.
    struct Slots {
        left: u32,
        arrived: Vec<i64>,
        asked: Vec<i64>,
    }

    impl Answers for Slots {
        type Error = Infallible;

        fn arrive(&mut self, _: &mut Scheduler, now: Time) {
            self.arrived.push(now.as_secs());
        }

        fn answer(&mut self, _: &mut Scheduler, request: &Request, now: Time) -> Result<Observation, Infallible> {
            self.asked.push(now.as_secs());
            Ok(Observation::of(request, now, now + Span::from_secs(3), Outcome::Gone { status: 404 }))
        }

        fn after_wait(&mut self, until: Option<Time>) -> Option<Time> {
            self.left = self.left.checked_sub(1)?;
            Some(until.unwrap_or(Time::from_secs(1000 + i64::from(self.left))))
        }
    }

    #[test]
    fn the_clock_goes_on_from_answers_and_waits_until_the_world_ends() {
        let mut settings = Settings::new(SiteId(0), vec!["http://a.invalid/x/".to_owned()]);
        settings.delay = Some(Span::from_secs(10));
        settings.scope = tintype_plan::ScopeRule::Prefix;
        let mut scheduler = Scheduler::new(settings).unwrap();
        let mut slots = Slots { left: 3, arrived: Vec::new(), asked: Vec::new() };
        let ended = simulate_surely(&mut scheduler, &mut slots, Time::from_secs(0));
        // Rules, then the page ten seconds after the answer; then nothing is left but two empty slots.
        assert_eq!(slots.asked, [0, 13]);
        assert_eq!(slots.arrived, [0, 3, 13, 16, 1001, 1000]);
        assert_eq!(ended, Time::from_secs(1000));
    }
}
