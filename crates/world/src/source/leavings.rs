//! When objects leave, by when they came: how many of those there at one step are left at another.

/// Lives are counted one by one up to so many, and by sorted runs beyond.
const RUN: usize = 64;

/// The objects of a source by the step at which they are gone. Memory grows with objects and steps, not with pairs of steps.
#[derive(Clone, Debug)]
pub(super) struct Leavings {
    /// Where the objects gone at each step begin, and where the last ones end.
    gone_at: Vec<u32>,
    /// When they came; as they are, and then in sorted runs of [`RUN`], of twice as many, and so on.
    came: Vec<Vec<u32>>,
}

impl Leavings {
    /// Objects that are there from a step on and up to, but not at, another; these are at most `steps`.
    pub(super) fn new(steps: usize, mut stays: Vec<(u32, u32)>) -> Leavings {
        stays.sort_unstable_by_key(|(came, gone)| (*gone, *came));
        let mut gone_at = Vec::with_capacity(steps + 2);
        for step in 0..=steps + 1 {
            gone_at.push(stays.partition_point(|(_, gone)| (*gone as usize) < step) as u32);
        }
        let mut came = vec![stays.iter().map(|(came, _)| *came).collect::<Vec<u32>>()];
        let mut run = RUN;
        while run <= stays.len() {
            let mut sorted = came[came.len() - 1].clone();
            sorted.chunks_mut(run).for_each(<[u32]>::sort_unstable);
            came.push(sorted);
            run *= 2;
        }
        Leavings { gone_at, came }
    }

    /// Of the objects that came up to `from`, how many left after it and up to `to`.
    pub(super) fn between(&self, from: usize, to: usize) -> u32 {
        let (mut low, mut high) = (self.gone_at[from + 1] as usize, self.gone_at[to + 1] as usize);
        let upto = from as u32;
        let plain = |low: usize, high: usize| self.came[0][low..high].iter().filter(|came| **came <= upto).count();
        if high - low < 2 * RUN {
            return plain(low, high) as u32;
        }
        let inner = (low.next_multiple_of(RUN), high / RUN * RUN);
        let mut count = plain(low, inner.0) + plain(inner.1, high);
        (low, high) = (inner.0 / RUN, inner.1 / RUN);
        let mut level = 1;
        while low < high {
            let run = RUN << (level - 1);
            let of = |nth: usize| self.came[level][nth * run..(nth + 1) * run].partition_point(|came| *came <= upto);
            if low % 2 == 1 {
                count += of(low);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                count += of(high);
            }
            (low, high, level) = (low / 2, high / 2, level + 1);
        }
        count as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn who_left_is_counted_as_one_by_one(
            lives in prop::collection::vec((0u32..90, 1u32..90), 0..900), from in 0usize..99, later in 0usize..99,
        ) {
            let stays: Vec<(u32, u32)> = lives.iter().map(|(came, stay)| (*came, (came + stay).min(100))).collect();
            let to = (from + later).min(99);
            let left = |(came, gone): &&(u32, u32)| {
                *came as usize <= from && *gone as usize > from && *gone as usize <= to
            };
            let expected = stays.iter().filter(left).count();
            prop_assert_eq!(Leavings::new(100, stays).between(from, to) as usize, expected);
        }
    }
}
