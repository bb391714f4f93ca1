//! How many URLs a second a model tells apart and learns from, on one core and with everything that takes.

use super::{
    labelled::Labelled,
    models::{Learner, learn},
};
use crate::cpu::cpu_time;
use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use tintype_learn::media::Sight;

/// Passes over the URLs at the least.
const PASSES: usize = 5;
const LASTING: Duration = Duration::from_millis(300);

/// URLs a second of processor time, in the fastest of several passes: what else the machine does only spoils some caches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Speed {
    pub(super) classified: f64,
    pub(super) learned: f64,
    /// By somebody who only adds up the bytes of the URLs that are classified.
    pub(super) scanned: f64,
}

impl Speed {
    /// Of a model before and after it learned.
    pub(super) fn of(
        blank: &dyn Learner,
        trained: &dyn Learner,
        train: &[Labelled<'_>],
        test: &[Labelled<'_>],
    ) -> Speed {
        let classify = |(): &mut ()| {
            for row in test {
                black_box(trained.content_types(&Sight::of(black_box(row.url))));
            }
        };
        let scan = |(): &mut ()| {
            for row in test {
                black_box(black_box(row.url).bytes().fold(0_u64, |sum, byte| sum + u64::from(byte)));
            }
        };
        Speed {
            classified: fastest(test.len(), LASTING, || (), classify),
            learned: fastest(train.len(), LASTING, || blank.again(), |model| learn(&mut **model, train)),
            scanned: fastest(test.len(), LASTING, || (), scan),
        }
    }
}

/// Things a second of processor time in the fastest of some passes, as many as fit in a time. Getting ready for a pass, and clearing up after
/// it, is not counted.
pub(crate) fn fastest<S>(things: usize, lasting: Duration, ready: impl Fn() -> S, pass: impl Fn(&mut S)) -> f64 {
    let (mut least, mut passes, began) = (Duration::MAX, 0, Instant::now());
    while passes < PASSES || began.elapsed() < lasting {
        let mut state = ready();
        let start = cpu_time();
        pass(&mut state);
        least = least.min(cpu_time() - start);
        passes += 1;
    }
    things as f64 / least.as_secs_f64().max(1e-9)
}
