//! The deadlines of one fetch, kept by one timer.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Instant, Sleep, sleep_until};

/// Far enough to mean never, near enough for the timer wheel.
const NEVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// Guards one phase after another. The timer is moved only when it fires too early or stands too late, so a fetch that
/// goes well registers one timer, whatever the number of phases and reads.
#[derive(Debug)]
pub(super) struct Watch {
    sleep: Pin<Box<Sleep>>,
    end: Instant,
    idle: Duration,
    last: Instant,
}

/// The phase lasted too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expired;

impl Watch {
    pub(super) fn start(limit: Duration) -> Watch {
        let now = Instant::now();
        let end = now + limit.min(NEVER);
        Watch { sleep: Box::pin(sleep_until(end)), end, idle: NEVER, last: now }
    }

    /// Begins a phase of at most `limit`.
    pub(super) fn phase(&mut self, limit: Duration) {
        self.phase_with_idle(limit, NEVER);
    }

    /// Begins a phase of at most `limit` in which no single step may take longer than `idle`.
    pub(super) fn phase_with_idle(&mut self, limit: Duration, idle: Duration) {
        self.last = Instant::now();
        self.end = self.last + limit.min(NEVER);
        self.idle = idle.min(NEVER);
        if self.due() < self.sleep.deadline() {
            let due = self.due();
            self.sleep.as_mut().reset(due);
        }
    }

    /// Runs one step of the phase.
    pub(super) async fn guard<F: Future>(&mut self, step: F) -> Result<F::Output, Expired> {
        let mut step = pin!(step);
        let output = poll_fn(|cx| match step.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending => self.poll_expired(cx).map(Err),
        })
        .await?;
        if self.idle < NEVER {
            self.last = Instant::now();
            // Steps that are always ready never let the timer speak.
            if self.last >= self.end {
                return Err(Expired);
            }
        }
        Ok(output)
    }

    fn due(&self) -> Instant {
        self.end.min(self.last + self.idle)
    }

    fn poll_expired(&mut self, cx: &mut Context<'_>) -> Poll<Expired> {
        while self.sleep.as_mut().poll(cx).is_ready() {
            let due = self.due();
            if due <= Instant::now() {
                return Poll::Ready(Expired);
            }
            self.sleep.as_mut().reset(due);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::{pending, ready};

    const MS: Duration = Duration::from_millis(1);

    #[tokio::test]
    async fn a_phase_ends_a_step_that_never_does() {
        let mut watch = Watch::start(MS);
        assert_eq!(watch.guard(pending::<()>()).await, Err(Expired));
        watch.phase(1000 * MS);
        assert_eq!(watch.guard(ready(7)).await, Ok(7));
    }

    #[tokio::test]
    async fn a_later_phase_outlives_the_timer_of_an_earlier_one() {
        let mut watch = Watch::start(MS);
        watch.phase(10_000 * MS);
        assert_eq!(watch.guard(tokio::time::sleep(5 * MS)).await, Ok(()));
        watch.phase_with_idle(10_000 * MS, 2 * MS);
        assert_eq!(watch.guard(pending::<()>()).await, Err(Expired));
    }

    #[tokio::test]
    async fn steps_that_are_always_ready_end_with_their_phase() {
        let mut watch = Watch::start(MS);
        watch.phase_with_idle(5 * MS, 500 * MS);
        while watch.guard(ready(())).await.is_ok() {}
    }

    #[tokio::test]
    async fn steady_steps_are_not_idle() {
        let mut watch = Watch::start(MS);
        watch.phase_with_idle(10_000 * MS, 500 * MS);
        for _ in 0..5 {
            assert_eq!(watch.guard(tokio::time::sleep(MS)).await, Ok(()));
        }
    }
}
