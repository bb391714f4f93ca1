//! Growing a forest: boosted trees over binned clues, by gradients of the logistic loss, each tree leaf by leaf where it
//! gains most. Answers never fall where the time since the last visit, or what the page's own past lets expect, grows.

use super::{
    clues::{CLUES, GROWING, Values},
    forest::Forest,
};

/// Leaves of a tree, and how much of what it says is believed.
const LEAVES: usize = 31;
const STEP: f64 = 0.1;
/// Imaginary weight behind the answer 0 of every leaf.
const DOUBT: f64 = 5.0;
/// Rows that a leaf must have.
const ROWS_MIN: usize = 200;
/// Steps a clue is told apart by.
const BINS: usize = 64;
/// Of ten clues, those a tree may ask for.
const ASKED_OF_TEN: u64 = 6;

/// What was known of a page at some moment, and whether a visit would have brought a new version.
#[derive(Clone, Debug, Default)]
pub struct Lessons {
    pub clues: Vec<Values>,
    pub changed: Vec<bool>,
    pub weights: Vec<f32>,
}

impl Lessons {
    pub fn push(&mut self, clues: Values, changed: bool, weight: f32) {
        self.clues.push(clues);
        self.changed.push(changed);
        self.weights.push(weight);
    }

    pub fn len(&self) -> usize {
        self.clues.len()
    }

    pub fn is_empty(&self) -> bool {
        self.clues.is_empty()
    }
}

/// Gradient and curvature of the loss, summed.
#[derive(Clone, Copy, Debug, Default)]
struct Slope {
    first: f64,
    second: f64,
    rows: u32,
}

impl Slope {
    fn add(&mut self, other: Slope) {
        self.first += other.first;
        self.second += other.second;
        self.rows += other.rows;
    }

    fn without(self, other: Slope) -> Slope {
        let (first, second) = (self.first - other.first, self.second - other.second);
        Slope { first, second, rows: self.rows - other.rows }
    }

    /// What a leaf should say, between bounds.
    fn answer(self, [least, most]: [f64; 2]) -> f64 {
        (-self.first / (self.second + DOUBT)).clamp(least, most)
    }

    /// How far an answer lowers the loss.
    fn gain(self, answer: f64) -> f64 {
        -(self.first * answer + 0.5 * (self.second + DOUBT) * answer * answer)
    }
}

/// The steps of every clue: a value's bin is how many of them it is above.
struct Steps(Vec<Vec<f32>>);

impl Steps {
    fn new(lessons: &Lessons) -> Steps {
        let of = |clue: usize| {
            let every = (lessons.len() / 50_000).max(1);
            let mut values: Vec<f32> = lessons.clues.iter().step_by(every).map(|clues| clues[clue]).collect();
            values.sort_unstable_by(f32::total_cmp);
            let mut steps: Vec<f32> = (1..BINS).map(|nth| values[nth * (values.len() - 1) / BINS]).collect();
            steps.dedup();
            steps
        };
        Steps((0..CLUES).map(of).collect())
    }

    fn bins(&self, clues: &Values) -> [u8; CLUES] {
        std::array::from_fn(|clue| self.0[clue].partition_point(|step| clues[clue] > *step) as u8)
    }
}

type Histogram = Vec<Slope>;

/// A leaf that may be split.
struct Branch {
    node: u16,
    rows: Vec<u32>,
    histogram: Histogram,
    bounds: [f64; 2],
    split: Option<Split>,
}

#[derive(Clone, Copy)]
struct Split {
    gain: f64,
    clue: usize,
    bin: usize,
    /// Where the answers of the two halves meet, for clues that answers grow with.
    middle: f64,
}

struct Grower<'a> {
    lessons: &'a Lessons,
    steps: Steps,
    bins: Vec<[u8; CLUES]>,
    odds: Vec<f64>,
    slopes: Vec<Slope>,
    /// Clues that the tree under way may ask for.
    asked: Vec<usize>,
    lot: u64,
}

/// A forest of so many trees; the label says what it was trained on.
pub fn grow(lessons: &Lessons, trees: usize, trained_on: &str) -> Forest {
    if lessons.is_empty() {
        return Forest::new(0.0, trained_on);
    }
    let sum: f64 = lessons.weights.iter().map(|weight| f64::from(*weight)).sum();
    let changed = lessons.weights.iter().zip(&lessons.changed).filter(|(_, changed)| **changed);
    let share = (changed.map(|(weight, _)| f64::from(*weight)).sum::<f64>() / sum).clamp(1e-6, 1.0 - 1e-6);
    let base = (share / (1.0 - share)).ln();
    let steps = Steps::new(lessons);
    let bins = lessons.clues.iter().map(|clues| steps.bins(clues)).collect();
    let odds = vec![base; lessons.len()];
    let slopes = vec![Slope::default(); lessons.len()];
    let mut grower = Grower { lessons, steps, bins, odds, slopes, asked: Vec::new(), lot: 1 };
    let mut forest = Forest::new(base as f32, trained_on);
    for _ in 0..trees {
        if !forest.has_room(LEAVES) {
            break;
        }
        grower.tree(&mut forest);
    }
    forest
}

impl Grower<'_> {
    /// A number below another, by lot, the same every time.
    fn draw(&mut self, below: u64) -> u64 {
        self.lot = self.lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.lot >> 33) % below
    }

    fn tree(&mut self, forest: &mut Forest) {
        for (row, slope) in self.slopes.iter_mut().enumerate() {
            let weight = f64::from(self.lessons.weights[row]);
            let chance = 1.0 / (1.0 + (-self.odds[row]).exp());
            let first = weight * (chance - f64::from(u8::from(self.lessons.changed[row])));
            *slope = Slope { first, second: weight * chance * (1.0 - chance), rows: 1 };
        }
        self.asked = (0..CLUES).collect();
        let lots: Vec<u64> = (0..CLUES).map(|_| self.draw(10)).collect();
        self.asked.retain(|clue| lots[*clue] < ASKED_OF_TEN);
        let rows: Vec<u32> = (0..self.lessons.len() as u32).collect();
        let histogram = self.histogram(&rows);
        let mut branches = vec![self.branch(forest.plant(), rows, histogram, [f64::NEG_INFINITY, f64::INFINITY])];
        while branches.len() < LEAVES {
            let gain = |branch: &Branch| branch.split.map_or(0.0, |split| split.gain);
            let best = (0..branches.len()).max_by(|a, b| gain(&branches[*a]).total_cmp(&gain(&branches[*b])));
            let Some(best) = best.filter(|best| branches[*best].split.is_some()) else { break };
            let branch = branches.swap_remove(best);
            branches.extend(self.part(forest, branch));
        }
        for branch in branches {
            let sum = branch.rows.iter().fold(Slope::default(), |mut sum, row| {
                sum.add(self.slopes[*row as usize]);
                sum
            });
            let answer = (STEP * sum.answer(branch.bounds)) as f32;
            forest.answer(branch.node, answer);
            branch.rows.iter().for_each(|row| self.odds[*row as usize] += f64::from(answer));
        }
    }

    fn histogram(&self, rows: &[u32]) -> Histogram {
        let mut histogram = vec![Slope::default(); CLUES * BINS];
        for row in rows {
            let (slope, bins) = (self.slopes[*row as usize], &self.bins[*row as usize]);
            for clue in &self.asked {
                histogram[clue * BINS + bins[*clue] as usize].add(slope);
            }
        }
        histogram
    }

    fn branch(&self, node: u16, rows: Vec<u32>, histogram: Histogram, bounds: [f64; 2]) -> Branch {
        let splits = self.asked.iter().filter_map(|clue| best_split(&histogram, *clue, bounds));
        let split = splits.max_by(|one, other| one.gain.total_cmp(&other.gain));
        Branch { node, rows, histogram, bounds, split }
    }

    /// Both halves of a branch at its best split.
    fn part(&self, forest: &mut Forest, branch: Branch) -> [Branch; 2] {
        let split = branch.split.expect("who is parted has a split");
        let value = self.steps.0[split.clue][split.bin];
        let [left, right] = forest.split(branch.node, split.clue as u8, value);
        let (low, high): (Vec<u32>, Vec<u32>) =
            branch.rows.iter().partition(|row| self.bins[**row as usize][split.clue] as usize <= split.bin);
        // The smaller half is counted, the other is the rest.
        let is_low_smaller = low.len() < high.len();
        let counted = self.histogram(if is_low_smaller { &low } else { &high });
        let rest: Histogram = branch.histogram.iter().zip(&counted).map(|(all, one)| all.without(*one)).collect();
        let (of_low, of_high) = if is_low_smaller { (counted, rest) } else { (rest, counted) };
        let ([mut low_most, mut high_least], [least, most]) = ([branch.bounds[1], branch.bounds[0]], branch.bounds);
        if GROWING.contains(&split.clue) {
            (low_most, high_least) = (split.middle, split.middle);
        }
        [self.branch(left, low, of_low, [least, low_most]), self.branch(right, high, of_high, [high_least, most])]
    }
}

fn best_split(histogram: &Histogram, clue: usize, bounds: [f64; 2]) -> Option<Split> {
    let bins = &histogram[clue * BINS..(clue + 1) * BINS];
    let all = bins.iter().fold(Slope::default(), |mut sum, slope| {
        sum.add(*slope);
        sum
    });
    let whole = all.gain(all.answer(bounds));
    let (mut low, mut best) = (Slope::default(), None::<Split>);
    for (bin, slope) in bins.iter().enumerate().take(BINS - 1) {
        low.add(*slope);
        let high = all.without(low);
        if slope.rows == 0 || (low.rows as usize) < ROWS_MIN {
            continue;
        }
        if (high.rows as usize) < ROWS_MIN {
            break;
        }
        let answers = [low.answer(bounds), high.answer(bounds)];
        if GROWING.contains(&clue) && answers[0] > answers[1] {
            continue;
        }
        let gain = low.gain(answers[0]) + high.gain(answers[1]) - whole;
        if gain > 1e-6 && best.is_none_or(|best| gain > best.gain) {
            best = Some(Split { gain, clue, bin, middle: 0.5 * (answers[0] + answers[1]) });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page changes if one clue is high and another is not; a third says nothing.
    fn lessons(rows: usize) -> Lessons {
        let (mut lessons, mut lot) = (Lessons::default(), 7u64);
        let mut draw = || {
            lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (lot >> 40) as f32 / (1u64 << 24) as f32
        };
        for _ in 0..rows {
            let mut clues = [0.0; CLUES];
            (clues[5], clues[6], clues[7]) = (draw(), draw(), draw());
            let chance = if clues[5] > 0.5 && clues[6] < 0.3 { 0.9 } else { 0.1 };
            lessons.push(clues, draw() < chance, 1.0);
        }
        lessons
    }

    #[test]
    fn what_two_clues_say_together_is_learned() {
        let forest = grow(&lessons(20_000), 80, "a test");
        let chance = |five: f32, six: f32| {
            let mut clues = [0.0; CLUES];
            (clues[5], clues[6], clues[7]) = (five, six, 0.5);
            1.0 / (1.0 + (-forest.log_odds(&clues)).exp())
        };
        assert!(chance(0.8, 0.1) > 0.8, "{}", chance(0.8, 0.1));
        assert!(chance(0.8, 0.8) < 0.2 && chance(0.1, 0.1) < 0.2, "{} {}", chance(0.8, 0.8), chance(0.1, 0.1));
    }

    #[test]
    fn answers_do_not_fall_while_time_passes() {
        let mut lessons = lessons(20_000);
        let growing = GROWING[0];
        for (nth, clues) in lessons.clues.iter_mut().enumerate() {
            clues[growing] = (nth % 97) as f32;
            // In the middle of the range it would pay to say less.
            lessons.changed[nth] = (nth % 97 < 30 || nth % 97 > 80) == (nth % 5 > 0);
        }
        let forest = grow(&lessons, 30, "a test");
        let mut clues = [0.0; CLUES];
        let mut odds = (0..97).map(|at| {
            clues[growing] = at as f32;
            forest.log_odds(&clues)
        });
        let first = odds.next().unwrap();
        odds.try_fold(first, |before, now| (now >= before).then_some(now)).expect("it never falls");
    }
}
