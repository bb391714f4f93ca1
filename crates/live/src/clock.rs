//! What time it is: the only place that reads the clocks.
//!
//! [`now`] is the clock on the wall, which people and time servers set; records and logs are dated by it. [`steady`] is
//! monotonic; pauses are measured by it. Both tell the same time until the first is set.
//!
//! Experiments may let them run from another moment and faster ([`run`]): then a crawl lives through a past site in a
//! fraction of the time, by the same code. Only waiting and dates follow it; time limits of connections do not. A clock that
//! goes in steps ([`step`]) stands still except while the crawl has nothing to do but wait, so that neither a slow machine nor
//! coarse timers change what happens.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use tintype_vocab::{Span, Time};

static FACE: Mutex<Face> =
    Mutex::new(Face { latest: Time::MIN, steady: None, fast: false, set_by: Span::ZERO, steps: false });

/// What everybody in this process looks at.
#[derive(Debug)]
struct Face {
    /// The latest time told.
    latest: Time,
    steady: Option<Steady>,
    /// The clock on the wall is made up as well.
    fast: bool,
    /// By how much an experiment has set the clock on the wall.
    set_by: Span,
    /// Both clocks stand still but for [`pass`].
    steps: bool,
}

#[derive(Clone, Copy, Debug)]
struct Steady {
    from: Time,
    /// Infinite where waiting takes no time at all.
    speed: f64,
    began: Instant,
}

impl Steady {
    fn after(&self, elapsed: Duration) -> Time {
        self.from + Span::from_millis((elapsed.as_secs_f64() * 1000.0 * self.speed) as i64)
    }

    fn wall(&self, span: Span) -> Duration {
        Duration::from_millis(span.as_millis().max(0).unsigned_abs()).div_f64(self.speed.max(f64::MIN_POSITIVE))
    }
}

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    pub now: Time,
    /// By how much the clock on the wall is ahead of the steady one.
    pub ahead: Span,
}

impl Face {
    fn steady(&mut self) -> Time {
        let begin = || Steady { from: of_system(SystemTime::now()), speed: 1.0, began: Instant::now() };
        let steady = self.steady.get_or_insert_with(begin);
        if self.steps { steady.from } else { steady.after(steady.began.elapsed()) }
    }

    fn read(&mut self) -> ClockReading {
        let steady = self.steady();
        let wall = if self.fast { steady } else { of_system(SystemTime::now()) };
        self.latest = self.latest.max(wall + self.set_by);
        ClockReading { now: self.latest, ahead: self.latest - steady }
    }
}

/// Now, never earlier than a time this process was told before: an answer must not precede its question because a
/// time server stepped the clock back in between.
pub fn now() -> Time {
    face().read().now
}

/// Now, by the monotonic clock.
pub fn steady() -> Time {
    face().steady()
}

/// Both clocks at once.
pub fn reading() -> ClockReading {
    face().read()
}

/// For experiments: from this moment on it is `from`, and `speed` seconds pass in one of ours. May be said again, for
/// example to leave out the days between two captures.
///
/// # Panics
/// If time would stand still or run backwards.
pub fn run(from: Time, speed: f64) {
    assert!(speed > 0.0 && speed.is_finite(), "time runs forward");
    begin(from, speed, false);
}

/// For experiments: it is `from`, and time passes only while a crawl waits for the next moment with nothing under way; then
/// `speed` seconds pass in one of ours, or all at once.
///
/// # Panics
/// If time would stand still or run backwards.
pub fn step(from: Time, speed: Option<f64>) {
    assert!(speed.is_none_or(|speed| speed > 0.0 && speed.is_finite()), "time runs forward");
    begin(from, speed.unwrap_or(f64::INFINITY), true);
}

fn begin(from: Time, speed: f64, steps: bool) {
    let steady = Some(Steady { from, speed, began: Instant::now() });
    *face() = Face { latest: from, steady, fast: true, set_by: Span::ZERO, steps };
}

/// Whether the clocks stand still until [`pass`].
pub(crate) fn goes_in_steps() -> bool {
    face().steps
}

/// It is this moment now, by a clock that goes in steps.
pub(crate) fn pass(until: Time) {
    let mut face = face();
    debug_assert!(face.steps, "other clocks run by themselves");
    if let Some(steady) = &mut face.steady {
        steady.from = steady.from.max(until);
    }
}

/// For experiments: sets the clock on the wall, forward or back.
pub fn set(by: Span) {
    let mut face = face();
    face.set_by = face.set_by + by;
}

/// How long we have to wait for so much time to pass.
pub fn wall(span: Span) -> Duration {
    let real = Steady { from: Time::MIN, speed: 1.0, began: Instant::now() };
    face().steady.unwrap_or(real).wall(span)
}

/// A panic elsewhere does not stop the clock.
fn face() -> std::sync::MutexGuard<'static, Face> {
    FACE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A system time as ours.
pub(crate) fn of_system(time: SystemTime) -> Time {
    let millis = match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |ms| -ms),
    };
    Time::from_millis(millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, because the whole process has one clock.
    #[test]
    fn time_does_not_run_backwards_and_as_fast_as_it_is_told() {
        let times: Vec<Time> = (0..1000).map(|_| now()).collect();
        assert!(times.is_sorted());
        assert!(times[0] > Time::parse_rfc3339("2024-01-01").unwrap());
        assert_eq!(wall(Span::from_secs(3)), Duration::from_secs(3));

        let past = Time::from_secs(1_000_000);
        run(past, 1e6);
        let before = now();
        assert!(past <= before && before < times[0], "{before}");
        assert_eq!(wall(Span::from_secs(3)), Duration::from_micros(3));
        let later = Time::from_secs(2_000_000_000);
        run(later, 0.5);
        assert!(now() >= later);
        assert_eq!(wall(Span::from_secs(3)), Duration::from_secs(6));

        step(past, None);
        assert_eq!((now(), steady()), (past, past), "it stands still");
        assert_eq!(wall(Span::from_days(3)), Duration::ZERO);
        pass(past + Span::from_days(3));
        assert_eq!((now(), steady()), (past + Span::from_days(3), past + Span::from_days(3)));
        step(past, Some(2.0));
        assert_eq!(wall(Span::from_secs(3)), Duration::from_millis(1500));

        run(past, 1.0);
        let hour = Span::from_secs(3600);
        set(hour);
        assert_eq!(reading().ahead, hour);
        assert!(steady() < past + hour && now() >= past + hour);
        set(hour * -1);
        let stopped = reading();
        assert!(stopped.now >= past + hour, "told times do not run backwards");
        assert!(steady() < past + hour, "and the steady clock knows nothing of it");
    }

    #[test]
    fn a_fast_clock_multiplies_what_has_passed() {
        let fast = Steady { from: Time::from_secs(1000), speed: 10_000.0, began: Instant::now() };
        assert_eq!(fast.after(Duration::from_millis(1500)), Time::from_secs(16_000));
        assert!(fast.after(Duration::MAX) > Time::from_secs(1000));
    }
}
