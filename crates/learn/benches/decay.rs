//! Lives folded, fitted, parted and forecast, against merely adding up how long they were; and a source learned crawl by crawl.
//!
//! `cargo bench -p tintype-learn --bench decay` takes about a minute; `TINTYPE_BENCH_LIVES=10000` names other sizes,
//! comma-separated. A plain program rather than criterion: the lives are many, made one size at a time, and each step is run on
//! what the one before has left.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use tintype_learn::{
    decay::{Crawl, Decay},
    life::{ArrivalSurvival, Family, KaplanMeier, Lives, Survival, Watched, fits},
    partition::{PartitionTree, Rules},
};
use tintype_vocab::{CopyMeasure, Span, Time};

const DAYS: i64 = 365;
/// A million lives are to be fitted and forecast in seconds.
const SECONDS_MAX: f64 = 5.0;
const FORECAST_STEPS: u32 = 60;

/// SplitMix64: the same lives in every run.
struct Dice(u64);

impl Dice {
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }
}

struct Object {
    born: Time,
    left: Time,
    attributes: Vec<String>,
}

/// Objects that come all year and leave by their age, some makes sooner than others.
fn objects(count: usize) -> Vec<Object> {
    let mut dice = Dice(count as u64);
    let object = |_| {
        let make = (dice.share() * 12.0) as u32;
        let days = if make < 4 { 40.0 } else { 25.0 };
        let survival = Survival { family: Family::Weibull, spread: 0.7, ..Survival::exponential(1.0 / days) };
        let born = Time::from_millis((dice.share() * DAYS as f64 * 86_400_000.0) as i64);
        let left = born + Span::from_millis((survival.quantile(dice.share()) * 86_400_000.0) as i64 + 1);
        let attributes = vec![format!("make {make}"), format!("colour {}", (dice.share() * 9.0) as u32)];
        Object { born, left, attributes }
    };
    (0..count).map(object).collect()
}

fn watched(object: &Object) -> Watched {
    let end = Time::from_millis(0) + Span::from_days(DAYS);
    let ended = object.left <= end;
    let to = if ended { object.left } else { end } - object.born;
    Watched { from: Span::ZERO, to: to.max(Span::from_millis(1)), ended }
}

/// What daily crawls see: one cohort a day.
fn crawls(objects: &[Object]) -> Vec<Crawl> {
    let day = |time: Time| time.as_millis().div_euclid(86_400_000) + 1;
    let mut leaving = vec![vec![0u32; DAYS as usize + 2]; DAYS as usize + 2];
    for object in objects {
        leaving[day(object.born) as usize][day(object.left).min(DAYS + 1) as usize] += 1;
    }
    let at = |day: i64| Time::from_millis(0) + Span::from_days(day);
    let alive = |cohort: i64, now: i64| leaving[cohort as usize][now as usize + 1..].iter().sum::<u32>();
    let crawl =
        |now: i64| Crawl { at: at(now), alive: (1..=now).map(|cohort| (at(cohort), alive(cohort, now))).collect() };
    (1..=DAYS).map(crawl).collect()
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (black_box(work()), start.elapsed())
}

fn run(count: usize) {
    let objects = objects(count);
    let lives: Vec<Watched> = objects.iter().map(watched).collect();
    let (_, adding) = timed(|| lives.iter().map(|life| life.to.as_millis()).sum::<i64>());
    let (folded, folding) = timed(|| {
        let mut folded = Lives::default();
        lives.iter().for_each(|life| assert!(folded.see(*life)));
        folded
    });
    let (_, curving) = timed(|| KaplanMeier::of(&folded));
    let (fitted, fitting) = timed(|| fits(&folded));
    let (estimates, forecasting) = timed(|| {
        let arrivals = count as f64 / DAYS as f64;
        let model = ArrivalSurvival {
            survival: fitted[0].survival,
            step: Span::from_days(1),
            arrivals: (arrivals, arrivals),
            steps_seen: DAYS as u32,
        };
        let held: Vec<(Span, u32)> = (0..100).map(|age| (Span::from_days(age), 10)).collect();
        let both = |steps| (model.precision(&held, steps, 0.9), model.recall(&held, steps, 0.9));
        (1..=FORECAST_STEPS).map(both).collect::<Vec<_>>()
    });
    let (tree, parting) = timed(|| {
        let objects: Vec<(Watched, &[String])> =
            lives.iter().zip(&objects).map(|(life, object)| (*life, object.attributes.as_slice())).collect();
        PartitionTree::grow(&objects, &Rules::default())
    });
    let crawls = crawls(&objects);
    let (decay, learning) = timed(|| {
        let mut decay = Decay::new();
        crawls.iter().for_each(|crawl| decay.see(crawl).expect("they are in order"));
        decay
    });
    let ahead = crawls[crawls.len() - 1].at + Span::from_days(7);
    let (_, foreseeing) = timed(|| CopyMeasure::ALL.map(|measure| decay.forecast(measure, ahead)));
    let times = |time: Duration| time.as_secs_f64() / adding.as_secs_f64().max(1e-9);
    let all = (folding + curving + fitting + forecasting).as_secs_f64();
    println!(
        "{count} lives, the best of them {} with a spread of {:.3}",
        fitted[0].survival.family.name(),
        fitted[0].survival.spread
    );
    println!("{:>12} {adding:.2?}", "added up");
    println!("{:>12} {folding:.2?}, {:.0} times adding up", "folded", times(folding));
    println!("{:>12} {curving:.2?} the curve, {fitting:.2?} four families", "fitted");
    println!("{:>12} {forecasting:.2?} for {} steps of both measures", "forecast", estimates.len());
    println!("{:>12} {parting:.2?} into {} groups", "parted", tree.leaves().len());
    println!(
        "{:>12} {learning:.2?} from {} crawls, {foreseeing:.2?} for a forecast of each measure",
        "learned",
        crawls.len()
    );
    let verdict = if all <= SECONDS_MAX { "holds" } else { "does not hold" };
    println!("{:>12} folded, fitted and forecast within {SECONDS_MAX} s: {all:.2} s, {verdict}", "");
}

fn main() {
    let sizes = std::env::var("TINTYPE_BENCH_LIVES").unwrap_or_else(|_| "10000,100000,1000000".to_owned());
    sizes.split(',').map(|size| size.parse().expect("sizes are numbers")).for_each(run);
}
