//! The time a thread really ran: what else the machine does does not count.

use std::time::Duration;

#[cfg(unix)]
pub(crate) fn cpu_time() -> Duration {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(spent.tv_sec.max(0) as u64, spent.tv_nsec.max(0) as u32)
}

/// Where nobody can say, it is the time that passed.
#[cfg(not(unix))]
pub(crate) fn cpu_time() -> Duration {
    static BEGAN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGAN.elapsed()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn who_sleeps_spends_nothing_and_who_works_does() {
        let before = cpu_time();
        let mut sum = 0_u64;
        while cpu_time() == before {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(cpu_time() > before);
        let (sender, waiter) = std::sync::mpsc::channel::<()>();
        let spent = std::thread::spawn(move || {
            let before = cpu_time();
            let _ = waiter.recv();
            cpu_time() - before
        });
        let began = std::time::Instant::now();
        while began.elapsed() < Duration::from_millis(60) {
            std::hint::black_box(sum);
        }
        drop(sender);
        assert!(spent.join().unwrap() < Duration::from_millis(30));
    }
}
