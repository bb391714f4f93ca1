//! What time it is: the only place that reads the wall clock.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};
use tintype_vocab::Time;

/// Now, never earlier than a time this process was told before: an answer must not precede its question because a
/// time server stepped the clock back in between.
pub fn now() -> Time {
    static LATEST: AtomicI64 = AtomicI64::new(i64::MIN);
    let wall = of_system(SystemTime::now()).as_millis();
    Time::from_millis(LATEST.fetch_max(wall, Ordering::Relaxed).max(wall))
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

    #[test]
    fn time_does_not_run_backwards() {
        let times: Vec<Time> = (0..1000).map(|_| now()).collect();
        assert!(times.is_sorted());
        assert!(times[0] > Time::parse_rfc3339("2024-01-01").unwrap());
    }
}
