//! Work on all cores.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

/// Does so many pieces of work on all cores; what came of them in their order.
pub(crate) fn side_by_side<T: Send>(
    count: u64,
    work: impl Fn(u64) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let next = AtomicU64::new(0);
    let done: Vec<Mutex<Option<anyhow::Result<T>>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let worker = || {
        while let nth @ 0.. = next.fetch_add(1, Ordering::Relaxed)
            && let Some(place) = done.get(nth as usize)
        {
            *place.lock().expect("a worker does not die with the lock") = Some(work(nth));
        }
    };
    let workers = thread::available_parallelism().map_or(1, |cores| cores.get().min(count as usize).max(1));
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(worker))));
    let result = |place: Mutex<Option<anyhow::Result<T>>>| {
        place.into_inner().expect("no worker died").expect("all work was done")
    };
    done.into_iter().map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_comes_back_in_its_order() {
        assert_eq!(side_by_side(9, |nth| Ok(nth * nth)).unwrap(), (0..9).map(|nth| nth * nth).collect::<Vec<u64>>());
        assert!(side_by_side(3, |nth| if nth == 1 { anyhow::bail!("no") } else { Ok(()) }).is_err());
    }
}
