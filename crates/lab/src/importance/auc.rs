//! The area under the ROC curve, how sure it is, and what a threshold makes of it.

use tintype_quality::Estimate;

/// Drawings for the interval.
const DRAWN: usize = 1_000;
/// The number behind them.
const SEED: u64 = 20_011_105;

/// A score and whether the thing matters.
pub(crate) type Judged = (f64, bool);

/// The chance that what matters scores higher than what does not, ties counting half, with its 95 % interval.
/// Nothing if all is of one kind.
pub(super) fn auc(judged: &[Judged]) -> Option<Estimate> {
    let mean = area(judged.to_vec())?;
    let mut state = SEED;
    let mut draw = || {
        let drawn = (0..judged.len()).map(|_| judged[(next(&mut state) % judged.len() as u64) as usize]);
        area(drawn.collect())
    };
    let mut drawn: Vec<f64> = (0..DRAWN).filter_map(|_| draw()).collect();
    drawn.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| drawn.get((drawn.len() as f64 * share) as usize).copied();
    Some(Estimate { mean, ci95: at(0.025).zip(at(0.975)).map(|(low, high)| [low, high]) })
}

/// SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// By the sum of ranks, as Mann and Whitney have it.
pub(crate) fn area(mut judged: Vec<Judged>) -> Option<f64> {
    judged.sort_unstable_by(|one, two| one.0.total_cmp(&two.0));
    let (mut below, mut won, mut matter) = (0.0, 0.0, 0.0);
    for same in judged.chunk_by(|one, two| one.0 == two.0) {
        let matters = same.iter().filter(|(_, matters)| *matters).count() as f64;
        let not = same.len() as f64 - matters;
        won += matters * (below + not / 2.0);
        below += not;
        matter += matters;
    }
    (below > 0.0 && matter > 0.0).then(|| won / (below * matter))
}

/// The curve: share of what does not matter, and of what does, at or above each score.
pub(super) fn curve(judged: &[Judged]) -> Vec<(f64, f64)> {
    let mut judged = judged.to_vec();
    judged.sort_unstable_by(|one, two| two.0.total_cmp(&one.0));
    let all = judged.iter().filter(|(_, matters)| *matters).count() as f64;
    let none = judged.len() as f64 - all;
    let mut points = vec![(0.0, 0.0)];
    let (mut matter, mut not) = (0.0, 0.0);
    for same in judged.chunk_by(|one, two| one.0 == two.0) {
        let matters = same.iter().filter(|(_, matters)| *matters).count() as f64;
        matter += matters;
        not += same.len() as f64 - matters;
        points.push((not / none.max(1.0), matter / all.max(1.0)));
    }
    points
}

/// The threshold that sorts most of these rightly.
pub(super) fn threshold(judged: &[Judged]) -> f64 {
    let mut sorted = judged.to_vec();
    sorted.sort_unstable_by(|one, two| one.0.total_cmp(&two.0));
    let mut right = sorted.iter().filter(|(_, matters)| *matters).count() as i64;
    let mut best = (right, f64::NEG_INFINITY);
    for same in sorted.chunk_by(|one, two| one.0 == two.0) {
        right += same.iter().map(|(_, matters)| if *matters { -1 } else { 1 }).sum::<i64>();
        best = if right > best.0 { (right, same[0].0) } else { best };
    }
    best.1
}

/// How many of these a threshold sorts rightly: what is above it matters.
pub(super) fn rightly(judged: &[Judged], threshold: f64) -> usize {
    judged.iter().filter(|(score, matters)| (*score > threshold) == *matters).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIXED: [Judged; 5] = [(0.9, true), (0.5, true), (0.5, false), (0.2, true), (0.1, false)];

    #[test]
    fn the_area_is_the_chance_of_being_told_apart() {
        let found = auc(&MIXED).unwrap();
        // Of six comparisons four are won, one is a tie.
        assert!((found.mean - 4.5 / 6.0).abs() < 1e-12, "{found:?}");
        let [low, high] = found.ci95.unwrap();
        assert!(low < found.mean && found.mean < high && (0.0..=1.0).contains(&low) && high <= 1.0, "{found:?}");
        assert_eq!(auc(&[(1.0, true), (0.0, false)]).unwrap().mean, 1.0);
        assert_eq!(auc(&[(1.0, true)]), None);
    }

    #[test]
    fn the_curve_rises_to_the_upper_right() {
        let curve = curve(&MIXED);
        assert_eq!((curve[0], curve[1], *curve.last().unwrap()), ((0.0, 0.0), (0.0, 1.0 / 3.0), (1.0, 1.0)));
    }

    #[test]
    fn the_best_threshold_is_found() {
        assert_eq!(threshold(&MIXED), 0.1);
        assert_eq!(rightly(&MIXED, 0.1), 4);
        assert_eq!(threshold(&[(0.5, true)]), f64::NEG_INFINITY);
    }
}
