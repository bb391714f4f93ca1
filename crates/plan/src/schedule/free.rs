//! Slots that are still free, and the one nearest to a wish.

/// Which slots of a plan are taken. Finding the nearest free one costs next to nothing however many are gone: chains of
/// taken slots are followed once and then shortened (union–find in both directions).
#[derive(Debug)]
pub(super) struct Free {
    /// The slot itself if it is free, otherwise one further up; the last is a guard.
    up: Vec<u32>,
    /// The same downwards, shifted by one: the guard is the first.
    down: Vec<u32>,
}

impl Free {
    pub(super) fn new(slots: usize) -> Free {
        let numbers: Vec<u32> = (0..=slots as u32).collect();
        Free { up: numbers.clone(), down: numbers }
    }

    pub(super) fn is_free(&self, slot: usize) -> bool {
        self.up[slot] as usize == slot
    }

    /// Takes the free slot nearest to `wish`; the earlier of two equally near.
    pub(super) fn take_nearest(&mut self, wish: f64) -> Option<usize> {
        let slots = self.up.len() - 1;
        let start = (wish.round().max(0.0) as usize).min(slots.checked_sub(1)?);
        if self.is_free(start) && (wish - start as f64).abs() <= 0.5 {
            self.take(start);
            return Some(start);
        }
        let above = find(&mut self.up, start);
        let below = find(&mut self.down, start + 1).checked_sub(1);
        let away = |slot: usize| (slot as f64 - wish).abs();
        let slot = match (below, (above < slots).then_some(above)) {
            (Some(below), Some(above)) if away(below) <= away(above) => below,
            (_, Some(above)) => above,
            (below, None) => below?,
        };
        self.take(slot);
        Some(slot)
    }

    fn take(&mut self, slot: usize) {
        self.up[slot] = slot as u32 + 1;
        self.down[slot + 1] = slot as u32;
    }

    /// The free slots from one on, upwards.
    pub(super) fn upwards(&self, from: usize) -> impl Iterator<Item = usize> {
        (from..self.up.len() - 1).filter(|slot| self.is_free(*slot))
    }

    /// The free slots before one, downwards.
    pub(super) fn downwards(&self, before: usize) -> impl Iterator<Item = usize> {
        (0..before).rev().filter(|slot| self.is_free(*slot))
    }
}

fn find(links: &mut [u32], from: usize) -> usize {
    let mut at = from;
    while links[at] as usize != at {
        links[at] = links[links[at] as usize];
        at = links[at] as usize;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_nearest_free_slot_is_taken(slots in 1usize..40, wishes in proptest::collection::vec(-5.0f64..50.0, 0..60)) {
            let mut free = Free::new(slots);
            let mut taken = vec![false; slots];
            for wish in wishes {
                let open = (0..slots).filter(|slot| !taken[*slot]);
                let nearest = open.map(|slot| (slot as f64 - wish.clamp(0.0, slots as f64)).abs()).min_by(f64::total_cmp);
                let got = free.take_nearest(wish.clamp(0.0, slots as f64));
                prop_assert_eq!(got.is_some(), nearest.is_some());
                if let (Some(slot), Some(nearest)) = (got, nearest) {
                    prop_assert!(!taken[slot]);
                    prop_assert!(((slot as f64 - wish.clamp(0.0, slots as f64)).abs() - nearest).abs() < 1e-9);
                    taken[slot] = true;
                }
            }
        }
    }
}
