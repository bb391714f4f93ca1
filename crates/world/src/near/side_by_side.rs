//! Independent runs on all cores.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// The results of runs `0..runs`, in their order, whichever ends first.
pub(super) fn side_by_side<T: Send>(runs: usize, run: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        (number < runs).then(|| (number, run(number)))
    };
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get()).min(runs);
    let mut done: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> =
            (0..cores).map(|_| scope.spawn(|| std::iter::from_fn(take).collect::<Vec<_>>())).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a run does not panic")).collect()
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        assert_eq!(
            side_by_side(100, |number| number * number),
            (0..100).map(|number| number * number).collect::<Vec<_>>()
        );
        assert!(side_by_side(0, |number| number).is_empty());
    }
}
