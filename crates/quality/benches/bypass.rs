//! The best that can be skipped of a site of a hundred thousand pages, when little changed, and when everything may have.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use tintype_quality::oracle::{DirectoryFates, Leaves, bypass};

const DIRECTORIES: u32 = 10_000;
const PAGES_PER_DIRECTORY: u32 = 10;

/// Directories hang in one of the fifty before them at random, so that the tree is deep; a share of pages changed.
fn site(percent: u64) -> Vec<DirectoryFates> {
    let mut state = 1_u64;
    let mut dice = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let directory = |number: u32| {
        let parent = number.checked_sub(1).map(|last| last - dice(u64::from(last + 1).min(50)) as u32);
        let modified = (0..PAGES_PER_DIRECTORY).filter(|_| dice(100) < percent).count() as u32;
        DirectoryFates { parent, modified, unchanged: PAGES_PER_DIRECTORY - modified, ..DirectoryFates::default() }
    };
    (0..DIRECTORIES).map(directory).collect()
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a hundred thousand pages");
    group.sample_size(10);
    for percent in [1, 10, 50] {
        let site = site(percent);
        group.bench_function(format!("directories, {percent} % changed"), |b| {
            b.iter(|| bypass(black_box(&site), Leaves::Directories));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
