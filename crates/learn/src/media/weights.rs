//! A row of weights for every slot, one for each kind, and how much each row has learned.

use super::kind::Kind;

/// Slots of general features, and of local ones behind them.
pub(super) const GENERAL: usize = 1 << GENERAL_BITS;
pub(super) const LOCAL: usize = 1 << LOCAL_BITS;
const GENERAL_BITS: u32 = 17;
const LOCAL_BITS: u32 = 16;
/// Slots in all.
pub(super) const SLOTS: usize = GENERAL + LOCAL;

/// Weights for every kind and, in the last place, the sum of squared slopes they were moved by. One cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [f32; Kind::COUNT + 1]);

impl Row {
    /// The place of what was learned.
    pub(super) const LEARNED: usize = Kind::COUNT;

    pub(super) fn learned(&self) -> f32 {
        self.0[Row::LEARNED]
    }
}

/// The slot of a general feature.
pub(super) fn general(hash: u64) -> u32 {
    (hash >> (64 - GENERAL_BITS)) as u32
}

/// The slot of a local one.
pub(super) fn local(hash: u64) -> u32 {
    GENERAL as u32 + (hash >> (64 - LOCAL_BITS)) as u32
}

/// All rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weights(Box<[Row]>);

impl Weights {
    pub(super) fn blank() -> Weights {
        Weights(vec![Row::default(); SLOTS].into_boxed_slice())
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.0
    }

    pub(super) fn rows_mut(&mut self) -> &mut [Row] {
        &mut self.0
    }

    /// The sum of the rows in these slots; its last place means nothing.
    pub(super) fn sum(&self, slots: &[u32]) -> Row {
        let mut sum = Row::default();
        for slot in slots {
            let row = &self.0[*slot as usize];
            for (sum, weight) in sum.0.iter_mut().zip(row.0) {
                *sum += weight;
            }
        }
        sum
    }

    /// Moves the rows in these slots against a slope, the less the more they have learned.
    pub(super) fn step(&mut self, slots: &[u32], slope: &Row, squared: f32, rate: f32) {
        for slot in slots {
            let row = &mut self.0[*slot as usize];
            let learned = row.learned() + squared;
            let rate = rate / (1.0 + learned).sqrt();
            for (weight, slope) in row.0.iter_mut().zip(slope.0) {
                *weight -= rate * slope;
            }
            row.0[Row::LEARNED] = learned;
        }
    }

    pub(super) fn add(&mut self, other: &Weights) {
        let pairs = self.0.iter_mut().zip(&other.0);
        pairs.for_each(|(row, other)| row.0.iter_mut().zip(other.0).for_each(|(weight, other)| *weight += other));
    }

    pub(super) fn scale(&mut self, by: f32) {
        self.0.iter_mut().for_each(|row| row.0.iter_mut().for_each(|weight| *weight *= by));
    }

    /// What two have learned, each row as much from either as that one has learned of it.
    pub(super) fn merge(&mut self, other: &Weights) {
        for (row, other) in self.0.iter_mut().zip(&other.0) {
            let (ours, theirs) = (row.learned(), other.learned());
            if theirs > 0.0 {
                let share = theirs / (ours + theirs);
                for (weight, other) in row.0.iter_mut().zip(other.0) {
                    *weight += share * (other - *weight);
                }
                row.0[Row::LEARNED] = ours + theirs;
            }
        }
    }
}

/// Chances from scores: each the exponential of its score, all of them together 1.
pub(super) fn chances(scores: &Row) -> [f32; Kind::COUNT] {
    let mut chances = [0.0; Kind::COUNT + 1];
    let most = scores.0[..Kind::COUNT].iter().copied().fold(f32::MIN, f32::max);
    for (chance, score) in chances.iter_mut().zip(scores.0) {
        *chance = exponential(score - most);
    }
    chances[Kind::COUNT] = 0.0;
    let sum: f32 = chances.iter().sum();
    let mut result = [0.0; Kind::COUNT];
    for (result, chance) in result.iter_mut().zip(chances) {
        *result = chance / sum;
    }
    result
}

/// e^x for x from -80 to 0 and a little above, to five digits: a power of two from its bits, the rest from a polynomial.
/// Many at once take a few cycles each, which the exact one does not.
fn exponential(x: f32) -> f32 {
    let x = (x * std::f32::consts::LOG2_E).clamp(-120.0, 120.0);
    let whole = (x + 128.0) as i32 - 128;
    let rest = x - whole as f32;
    let power = f32::from_bits(((whole + 127) << 23) as u32);
    power
        * (1.0
            + rest
                * (0.693_147_2
                    + rest * (0.240_226_5 + rest * (0.055_504_1 + rest * (0.009_618_1 + rest * 0.001_333_6)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_good_to_five_digits() {
        for step in -8000..100 {
            let x = step as f32 / 100.0;
            let (near, exact) = (exponential(x), x.exp());
            assert!((near - exact).abs() <= 2e-5 * exact, "{x}: {near} {exact}");
        }
    }

    #[test]
    fn chances_sum_to_one_and_follow_the_scores() {
        let mut scores = Row::default();
        scores.0[3] = 5.0;
        scores.0[4] = -300.0;
        let chances = chances(&scores);
        assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(chances[3] > 0.9 && chances[4] < 1e-9, "{chances:?}");
    }

    #[test]
    fn merging_is_the_same_in_any_order_and_a_blank_one_adds_nothing() {
        let (mut a, mut b) = (Weights::blank(), Weights::blank());
        let slope = Row([1.0; Kind::COUNT + 1]);
        a.step(&[1, 2], &slope, 0.5, 0.1);
        b.step(&[2, 3], &slope, 2.0, 0.3);
        let (mut ab, mut ba) = (a.clone(), b.clone());
        ab.merge(&b);
        ba.merge(&a);
        for (one, other) in ab.rows().iter().zip(ba.rows()) {
            assert!(one.0.iter().zip(other.0).all(|(one, other)| (one - other).abs() < 1e-6));
        }
        let before = ab.clone();
        ab.merge(&Weights::blank());
        assert_eq!(ab, before);
    }
}
