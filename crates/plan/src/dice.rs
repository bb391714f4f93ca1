//! Seeded randomness that does not depend on how often anybody asked.

/// Dice for one step of a run. The same seed and step always throw the same numbers, so a question that
/// leads to waiting and is asked again later does not disturb what follows.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(run_seed: u64, step: u64) -> Dice {
        // The step is hashed first, or the throws of one step would be those of the next, shifted by one.
        let step = Dice(step).next_u64();
        Dice(Dice(run_seed ^ step).next_u64())
    }

    /// The next 64 bits (SplitMix64: small, fast, and good enough to spread retries).
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_throw_different_numbers_and_the_same_step_the_same() {
        assert_eq!(Dice::new(7, 3).next_u64(), Dice::new(7, 3).next_u64());
        let throws = |step| {
            let mut dice = Dice::new(7, step);
            [(); 8].map(|()| dice.next_u64())
        };
        assert!(throws(3).iter().all(|throw| !throws(4).contains(throw)));
        let mean = (0..10_000).map(|step| Dice::new(1, step).unit()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
    }
}
