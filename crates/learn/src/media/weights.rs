//! A row of weights for every slot, one for each kind, and how much each row has learned.

use super::kind::Kind;

/// Slots of general features, and of local ones behind them.
pub(super) const GENERAL: usize = 1 << GENERAL_BITS;
pub(super) const LOCAL: usize = 1 << LOCAL_BITS;
const GENERAL_BITS: u32 = 18;
const LOCAL_BITS: u32 = 16;
/// Slots in all.
pub(super) const SLOTS: usize = GENERAL + LOCAL;

/// Weights for every kind and, in the last place, the sum of squared slopes they were moved by. One cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [f32; Kind::COUNT + 1]);

impl Row {
    pub(super) const LEN: usize = Kind::COUNT + 1;
    /// The place of what was learned.
    pub(super) const LEARNED: usize = Kind::COUNT;

    pub(super) fn learned(&self) -> f32 {
        self.0[Row::LEARNED]
    }

    /// A row as it is rounded.
    pub(super) fn of_steps(steps: Rounded, learned: f32) -> Row {
        let mut row = Row(steps.map(|step| f32::from(step) / STEPS));
        row.0[Row::LEARNED] = learned;
        row
    }
}

/// The slot of a general feature.
#[inline]
pub(super) fn general(hash: u64) -> u32 {
    (hash >> (64 - GENERAL_BITS)) as u32
}

/// The slot of a local one.
#[inline]
pub(super) fn local(hash: u64) -> u32 {
    GENERAL as u32 + (hash >> (64 - LOCAL_BITS)) as u32
}

/// A row rounded to 1/32, between -4 and 4: a quarter of a cache line. The last place is nought.
pub(super) type Rounded = [i8; Kind::COUNT + 1];
const STEPS: f32 = 32.0;
const LARGE: f32 = 12_582_912.0;

fn rounded(row: &Row) -> Rounded {
    let mut rounded = [0; Kind::COUNT + 1];
    for (rounded, weight) in rounded.iter_mut().zip(&row.0) {
        // Next to so large a number there are no fractions: adding it rounds, and its last bits are the result.
        let shifted = (weight * STEPS).clamp(-127.0, 127.0) + LARGE;
        *rounded = (shifted.to_bits() as i32 - LARGE.to_bits() as i32) as i8;
    }
    rounded[Row::LEARNED] = 0;
    rounded
}

/// A sum of rounded rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum([i16; Kind::COUNT + 1]);

impl Sum {
    /// Its last place means nothing.
    pub(super) fn scores(&self) -> Row {
        Row(self.0.map(|sum| f32::from(sum) / STEPS))
    }
}

/// All rows, and the same rounded: predictions read the latter, a quarter of the memory, and learning moves the former.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weights {
    rows: Box<[Row]>,
    rounded: Box<[Rounded]>,
}

impl Weights {
    pub(super) fn blank() -> Weights {
        Weights {
            rows: vec![Row::default(); SLOTS].into_boxed_slice(),
            rounded: vec![Rounded::default(); SLOTS].into_boxed_slice(),
        }
    }

    pub(super) const BYTES: usize = SLOTS * (size_of::<Row>() + size_of::<Rounded>());

    #[inline]
    pub(super) fn row(&self, slot: u32) -> &Row {
        &self.rows[slot as usize]
    }

    /// A row as it is rounded.
    pub(super) fn steps(&self, slot: usize) -> Rounded {
        self.rounded[slot]
    }

    /// Whether there is anything left of a row when it is rounded.
    #[inline]
    pub(super) fn says(&self, slot: usize) -> bool {
        self.rounded[slot] != Rounded::default()
    }

    pub(super) fn set(&mut self, slot: usize, row: Row) {
        self.rows[slot] = row;
        self.rounded[slot] = rounded(&row);
    }

    /// Adds the rows in these slots to a sum, place by place: the compiler makes two instructions of it. No more are added to one than there are features: it cannot overflow.
    #[inline]
    #[allow(clippy::needless_range_loop)]
    pub(super) fn add_to(&self, sum: &mut Sum, slots: &[u32]) {
        // A sum of its own stays in registers, and the next rows are on their way meanwhile.
        let mut own = sum.0;
        for slot in slots {
            let row = &self.rounded[*slot as usize];
            for at in 0..own.len() {
                own[at] = own[at].wrapping_add(i16::from(row[at]));
            }
        }
        sum.0 = own;
    }

    /// Moves the rows in these slots against a slope, the less the more they have learned.
    pub(super) fn step(&mut self, slots: &[u32], slope: &Row, squared: f32, rate: f32) {
        for slot in slots {
            let row = &mut self.rows[*slot as usize];
            let learned = row.learned() + squared;
            let rate = rate / (1.0 + learned).sqrt();
            row.0.iter_mut().zip(&slope.0).for_each(|(weight, slope)| *weight -= rate * slope);
            row.0[Row::LEARNED] = learned;
            self.rounded[*slot as usize] = rounded(row);
        }
    }

    pub(super) fn add(&mut self, other: &Weights) {
        let pairs = self.rows.iter_mut().zip(&other.rows);
        pairs.for_each(|(row, other)| row.0.iter_mut().zip(other.0).for_each(|(weight, other)| *weight += other));
    }

    pub(super) fn scale(&mut self, by: f32) {
        for (row, quick) in self.rows.iter_mut().zip(&mut self.rounded) {
            row.0.iter_mut().for_each(|weight| *weight *= by);
            *quick = rounded(row);
        }
    }

    /// What two have learned, each row as much from either as that one has learned of it.
    pub(super) fn merge(&mut self, other: &Weights) {
        for (slot, other) in other.rows.iter().enumerate().filter(|(_, other)| other.learned() > 0.0) {
            let mut row = self.rows[slot];
            let (ours, theirs) = (row.learned(), other.learned());
            let share = theirs / (ours + theirs);
            row.0.iter_mut().zip(other.0).for_each(|(weight, other)| *weight += share * (other - *weight));
            row.0[Row::LEARNED] = ours + theirs;
            self.set(slot, row);
        }
    }
}

/// Chances from scores: each the exponential of its score, all of them together 1.
pub(super) fn chances(scores: &Row) -> [f32; Kind::COUNT] {
    let most = scores.0[..Kind::COUNT].iter().copied().fold(f32::MIN, f32::max);
    let mut all = [0.0; Kind::COUNT + 1];
    all.iter_mut().zip(&scores.0).for_each(|(chance, score)| *chance = exponential(score - most));
    let mut chances = [0.0; Kind::COUNT];
    chances.copy_from_slice(&all[..Kind::COUNT]);
    let sum: f32 = chances.iter().sum();
    chances.iter_mut().for_each(|chance| *chance /= sum);
    chances
}

/// e^x for x from -80 to 0 and a little above, to five digits: a power of two from its bits, the rest from a polynomial.
/// Many at once take a few cycles each, which the exact one does not.
#[inline]
fn exponential(x: f32) -> f32 {
    let x = (x * std::f32::consts::LOG2_E).clamp(-120.0, 120.0);
    let whole = (x + 128.0) as i32 - 128;
    let rest = x - whole as f32;
    let power = f32::from_bits(((whole + 127) << 23) as u32);
    let [a, b, c, d, e, f] = [0.999_999_9, 0.693_153, 0.240_153_6, 0.055_826_3, 0.008_989_3, 0.001_877_5];
    power * (a + rest * (b + rest * (c + rest * (d + rest * (e + rest * f)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_rounded_to_the_nearest_step_and_no_further_than_they_can() {
        let mut row = Row::default();
        let weights = [0.0, 0.03, -0.03, 0.016, -0.016, 1.0, -1.0, 3.9, -3.9, 100.0, -100.0];
        row.0[..weights.len()].copy_from_slice(&weights);
        row.0[Row::LEARNED] = 7.0;
        let expected = [0, 1, -1, 1, -1, 32, -32, 125, -125, 127, -127];
        assert_eq!(rounded(&row)[..expected.len()], expected);
        assert_eq!(rounded(&row)[Row::LEARNED], 0);
        assert!((i16::MAX as usize) > 127 * (crate::media::features::GENERAL_MAX + crate::media::features::LOCAL_MAX));
    }

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
        for (one, other) in ab.rows.iter().zip(&ba.rows) {
            assert!(one.0.iter().zip(other.0).all(|(one, other)| (one - other).abs() < 1e-6));
        }
        let before = ab.clone();
        ab.merge(&Weights::blank());
        assert_eq!(ab, before);
    }
}
