//! Measuring one capture of a million pages, visited and revisited.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use tintype_quality::capture::{Moments, Proven, blur_moments, coherent, expected_blur};
use tintype_vocab::{ChangeRate, Time};

const PAGES: i64 = 1_000_000;

/// Visit and revisit of every page, in seconds: strides that scatter the pages over all slots.
fn visits() -> Vec<[i64; 2]> {
    (0..PAGES).map(|page| [page * 700_001 % PAGES, PAGES + page * 300_007 % PAGES]).collect()
}

fn bench(criterion: &mut Criterion) {
    let visits = visits();
    let plain: Vec<[f64; 2]> = visits.iter().map(|pair| pair.map(|second| second as f64)).collect();
    let times: Vec<[Time; 2]> = visits.iter().map(|pair| pair.map(Time::from_secs)).collect();
    let proven: Vec<[Proven; 1]> = times.iter().map(|&[first, last]| [Proven { first, last }]).collect();
    let end = 2 * PAGES;
    let mut group = criterion.benchmark_group("a capture of a million pages");
    group.sample_size(10);
    group.bench_function("expected blur", |b| {
        b.iter(|| expected_blur(black_box(&plain).iter().map(|pair| (1e-6, pair)), 0.0, end as f64));
    });
    group.bench_function("moments of blur", |b| {
        let page = |pair: &[Time; 2]| blur_moments(ChangeRate::default(), pair, Time::default(), Time::from_secs(end));
        b.iter(|| black_box(&times).iter().map(page).sum::<Moments>());
    });
    group.bench_function("coherent interval", |b| b.iter(|| coherent(black_box(&proven))));
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
