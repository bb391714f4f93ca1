//! Judging and bounding a million versions and a million visits.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use tintype_quality::{Seen, Truth, Version, judge, oracle};
use tintype_vocab::{Span, Time};

const PAGES: u64 = 20_000;
const VERSIONS_PER_PAGE: u64 = 50;
const VISITS: i64 = 1_000_000;
const YEAR: Span = Span::from_days(365);

/// The same dice on every run: multiply, add, keep the high bits.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn truth(dice: &mut Dice) -> Truth {
    let most = YEAR.as_millis() as u64 / VERSIONS_PER_PAGE;
    let mut truth = Truth::default();
    for _ in 0..PAGES {
        let mut births: Vec<Time> = Vec::new();
        let mut now = Time::default();
        for _ in 0..VERSIONS_PER_PAGE {
            births.push(now);
            now += Span::from_millis(1 + dice.below(2 * most) as i64);
        }
        let until = births.iter().copied().skip(1).chain([Time::MAX]);
        let weight = dice.below(100) as f32 / 100.0;
        truth.push_page(births.iter().zip(until).map(|(&from, until)| Version { from, until, weight }));
    }
    truth
}

fn bench(criterion: &mut Criterion) {
    let mut dice = Dice(1);
    let truth = truth(&mut dice);
    let slots: Vec<Time> = (0..VISITS).map(|slot| Time::default() + YEAR * slot / VISITS).collect();
    let visits: Vec<Seen> = slots.iter().map(|&at| Seen { at, page: dice.below(PAGES) as u32 }).collect();
    let (from, to) = (Time::default(), Time::default() + YEAR);
    let mut group = criterion.benchmark_group("a million versions and visits");
    group.sample_size(10);
    group.bench_function("judge", |b| b.iter(|| judge(black_box(&truth), from, to, &visits)));
    group.bench_function("oracle completeness", |b| {
        b.iter(|| oracle::completeness(black_box(&truth), from, to, &slots))
    });
    group.bench_function("oracle weighted completeness", |b| {
        b.iter(|| oracle::weighted_completeness(black_box(&truth), from, to, &slots));
    });
    group.bench_function("oracle freshness", |b| b.iter(|| oracle::freshness(black_box(&truth), from, to, &slots)));
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
