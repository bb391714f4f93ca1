//! Captures played out many times: intervals hold what they promise if the site is as believed.

use super::{Activity, Certificate, Certifier};
use crate::capture::exact_blur_of_page;
use proptest::{
    prelude::*,
    test_runner::{RngAlgorithm, TestRng},
};
use tintype_vocab::{ChangeRate, Digest, Observation, Outcome, PageId, Purpose, Request, SiteId, Time};

const PAGES: i64 = 25;
const SECONDS: i64 = 720;
const PLAYED: u32 = 120;

/// From just above 0 up to 1.
fn uniform(dice: &mut TestRng) -> f64 {
    (f64::from(dice.next_u32()) + 1.0) / (f64::from(u32::MAX) + 1.0)
}

/// A Gamma variable of whole shape, with mean 1.
fn gamma(shape: u32, dice: &mut TestRng) -> f64 {
    -(0..shape).map(|_| uniform(dice).ln()).sum::<f64>() / f64::from(shape)
}

fn visit(page: i64, slot: i64, changes: &[Time], rate: ChangeRate) -> Observation {
    let at = Time::from_secs(slot * SECONDS);
    let (site, number, url) = (SiteId(0), PageId(page as u32), format!("http://example.com/{page}"));
    let request = Request { site, page: number, url, purpose: Purpose::Visit, attempt: 0, rate };
    let version = changes.partition_point(|change| *change <= at);
    Observation {
        digest: Some(Digest([version.min(255) as u8; 20])),
        ..Observation::of(&request, at, at, Outcome::Body { status: 200 })
    }
}

/// A pyramid over ten hours of pages believed to change with this mean and shape, on a day of this liveliness: its
/// certificate, and its blur.
fn play(per_day: f64, shape: u32, liveliness: f64, activity: Activity, dice: &mut TestRng) -> (Certificate, f64) {
    let last = 2 * PAGES - 1;
    let (mut certifier, mut blur) = (Certifier::new(), 0.0);
    for page in 0..PAGES {
        let believed = ChangeRate { per_day: per_day as f32, shape: shape as f32 };
        let true_per_day = per_day * gamma(shape, dice) * liveliness;
        let mut now = 0.0;
        let mut next = || {
            now -= uniform(dice).ln() / true_per_day;
            now
        };
        let end = (last * SECONDS) as f64 / 86_400.0;
        let days = std::iter::repeat_with(&mut next).take_while(|day| *day < end);
        let changes: Vec<Time> = days.map(|day| Time::from_millis((day * 86_400_000.0) as i64)).collect();
        let looks = [page, last - page].map(|slot| visit(page, slot, &changes, believed));
        looks.iter().for_each(|look| certifier.add(look));
        let times = looks.map(|look| look.asked);
        blur += exact_blur_of_page(changes, &times, Time::from_secs(0), Time::from_secs(last * SECONDS));
    }
    (certifier.finish("example.com", "1-example.com", activity, None, None), blur)
}

#[test]
fn nine_of_ten_captures_lie_inside_if_the_site_is_as_believed() {
    let mut dice = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    // From sites on which hardly anything happens to sites on which nearly every page changes.
    for per_day in [0.01, 0.1, 1.0, 4.0] {
        for (shape_of_day, factor) in [(1, 1.0), (4, 0.5), (1000, 2.0)] {
            let activity = Activity { factor, spread: 1.0 / f64::from(shape_of_day), captures: 9 };
            let (mut blurs, mut sharps) = (0, 0);
            for _ in 0..PLAYED {
                let liveliness = factor * gamma(shape_of_day, &mut dice);
                let (certificate, blur) = play(per_day, 2, liveliness, activity, &mut dice);
                let holds = |[low, high]: [f64; 2], truth: f64| low - 1e-9 <= truth && truth <= high + 1e-9;
                blurs += u32::from(holds(certificate.blur.interval_90, blur));
                sharps += u32::from(holds(certificate.sharp.interval_90, certificate.sharp.proved as f64));
            }
            let share = |inside: u32| f64::from(inside) / f64::from(PLAYED);
            let what = format!("{per_day} a day, {activity:?}: blur {}, sharp {}", share(blurs), share(sharps));
            // What is counted, or often nothing, cannot be cut at nine of ten: more is inside.
            assert!(share(blurs) > 0.83 && share(sharps) > 0.83, "{what}");
            assert!(per_day < 1.0 || (share(blurs) < 0.98 && share(sharps) < 0.99), "{what}");
        }
    }
}
