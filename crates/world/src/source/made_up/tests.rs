//! Every made-up source is what its summary says.

use super::*;
use crate::source::{CrawlGrid, Subset};
use tintype_vocab::CopyMeasure;

fn made(name: &str) -> Source {
    (named(name).unwrap().make)(&MadeUpConfig::default())
}

fn grid(source: &Source) -> CrawlGrid {
    source.grid(Span::from_days(1)).unwrap()
}

/// Mean copy precision after so many days, of copies made at these steps.
fn precision(grid: &CrawlGrid, steps: std::ops::Range<usize>, wait: usize) -> f64 {
    let count = steps.len() as f64;
    steps.map(|from| grid.quality(CopyMeasure::Precision, from, from + wait)).sum::<f64>() / count
}

#[test]
fn all_have_about_the_size_that_was_wished_for_from_the_start() {
    for kind in REGISTRY {
        let source = (kind.make)(&MadeUpConfig::default());
        assert_eq!(source.findings().sentences(), [""; 0], "{}", kind.name);
        let grid = grid(&source);
        assert_eq!(grid.steps(), 241, "{}", kind.name);
        for steps in [0..80, 160..240] {
            let mean = steps.clone().map(|step| f64::from(grid.size(step))).sum::<f64>() / 80.0;
            assert!((mean / 1000.0 - 1.0).abs() < 0.2, "{}: {mean}", kind.name);
        }
        let again = (kind.make)(&MadeUpConfig::default());
        assert_eq!(source.lives(), again.lives(), "{}", kind.name);
        let other = (kind.make)(&MadeUpConfig { seed: 2, ..MadeUpConfig::default() });
        assert_ne!(source.lives(), other.lives(), "{}", kind.name);
    }
}

#[test]
fn a_steady_copy_rots_exponentially() {
    let grid = grid(&made("steady"));
    for wait in [3, 10, 30] {
        let expected = (-(wait as f64) / MEAN_LIFE).exp();
        let found = precision(&grid, 0..200, wait);
        assert!((found - expected).abs() < 0.02, "{wait}: {found} {expected}");
    }
}

#[test]
fn heavy_tails_rot_ever_more_slowly() {
    let grid = grid(&made("heavy-tails"));
    let (soon, late) = (precision(&grid, 0..200, 3), precision(&grid, 0..200, 30));
    assert!(late > soon.powi(10) + 0.05, "{soon} {late}");
}

#[test]
fn a_fixed_total_never_changes() {
    let grid = grid(&made("fixed-total"));
    // Two who have a place within one day are not both seen.
    assert!((0..grid.steps()).all(|step| grid.size(step) == 1000));
    assert_eq!(grid.quality(CopyMeasure::Precision, 3, 20), grid.quality(CopyMeasure::Recall, 3, 20));
}

#[test]
fn a_change_of_regime_doubles_the_decay() {
    let grid = grid(&made("regime-change"));
    let (before, after) = (precision(&grid, 0..110, 5), precision(&grid, 125..230, 5));
    assert!((after.ln() / before.ln() - FASTER).abs() < 0.2, "{before} {after}");
}

const FASTER: f64 = 2.0;

#[test]
fn weekends_are_quiet() {
    let grid = grid(&made("weekly"));
    let lost = |day: usize| 1.0 - precision(&grid, day..day + 1, 1);
    let (mondays, sundays): (f64, f64) =
        ((0..30).map(|week| lost(7 * week)).sum(), (0..30).map(|week| lost(7 * week + 6)).sum());
    assert!(mondays > 10.0 * sundays, "{mondays} {sundays}");
}

#[test]
fn bursts_are_no_poisson_process() {
    let source = made("bursts");
    let grid = grid(&source);
    let arrivals: Vec<f64> =
        (1..grid.steps()).map(|step| f64::from(grid.size(step) - grid.kept(step - 1, step))).collect();
    let mean = arrivals.iter().sum::<f64>() / arrivals.len() as f64;
    let variance = arrivals.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / arrivals.len() as f64;
    assert!(variance > 10.0 * mean, "{variance} {mean}");
}

#[test]
fn kinds_rot_at_their_own_pace_and_colours_do_not() {
    let source = made("partitions");
    let after_ten_days = |subset: &str| {
        let part = source.subset(&subset.parse::<Subset>().unwrap()).unwrap();
        precision(&grid(&part), 0..200, 10)
    };
    for (kind, days) in [("flat", 8.0), ("car", 25.0), ("book", 80.0)] {
        let found = after_ten_days(&format!("kind={kind}"));
        assert!((found - (-10.0f64 / days).exp()).abs() < 0.03, "{kind}: {found}");
    }
    assert!((after_ten_days("colour=red") - after_ten_days("colour!=red")).abs() < 0.05);
}
