//! Simulated visits a second on two rungs of fidelity: a million with observations only, some thousands with bytes
//! through the real archive.
//!
//! `cargo bench -p tintype-world --bench play -- --quick uniform` takes a minute; the games of policies that weigh every
//! page take much longer.

use criterion::{BatchSize, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use tempfile::TempDir;
use tintype_archive::{Capture, CaptureHead, CaptureKind, Collection, OpenOptions};
use tintype_vocab::{Span, Time};
use tintype_world::{
    Contents, Discovery, History, Simulation, SimulationConfig,
    synthetic::{Made, SyntheticConfig, named},
};

const DAYS: i64 = 56;

fn world(name: &str, pages: usize) -> (Made, SyntheticConfig) {
    let wish = SyntheticConfig { pages, days: DAYS as f64, ..SyntheticConfig::default() };
    let kind = named(name).expect("the kind is registered");
    ((kind.make)(&wish), wish)
}

fn stage<'a>(
    history: &'a History,
    contents: Option<&'a mut dyn Contents>,
    wish: &SyntheticConfig,
    visits: u64,
) -> Simulation<'a> {
    let (from, to) = (wish.from, wish.from + Span::from_days(DAYS));
    let game = SimulationConfig {
        from,
        to,
        per_day: visits as f64 / DAYS as f64,
        discovery: Discovery::Announced,
        sitemap: None,
        run_seed: 1,
    };
    Simulation::new(history, contents, &wish.origin, game)
}

/// A million visits to more and more pages, and to a newspaper whose links are read as well.
fn observations(criterion: &mut Criterion) {
    const VISITS: u64 = 1_000_000;
    let mut group = criterion.benchmark_group("a million visits, observations only");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).throughput(Throughput::Elements(VISITS));
    for (name, pages) in [("poisson", 1_000), ("poisson", 10_000), ("poisson", 100_000), ("news", 10_000)] {
        let (Made { history, mut contents, .. }, wish) = world(name, pages);
        let contents = (name == "news").then_some(&mut contents as &mut dyn Contents);
        let mut stage = stage(&history, contents, &wish, VISITS);
        for policy in ["uniform", "tintype"] {
            let id = BenchmarkId::new(format!("{policy}, {name}"), pages);
            group.bench_function(id, |bencher| bencher.iter(|| stage.play(policy).expect("the game can be played")));
        }
    }
    group.finish();
}

fn capture(started: Time) -> (TempDir, Capture) {
    let directory = tempfile::tempdir().expect("there is room for a collection");
    let options = OpenOptions { create: true, command: "bench".to_owned(), now: started };
    let collection = Collection::open(directory.path(), options).expect("the collection is new");
    let head = CaptureHead {
        site: "world".to_owned(),
        kind: CaptureKind::Capture,
        seeds: Vec::new(),
        settings: serde_json::Value::Null,
        run_seed: 1,
        started,
        describe: Vec::new(),
    };
    let capture = collection.begin(head).expect("nobody else writes here");
    (directory, capture)
}

/// The same line with records written, compared and read: what a game costs when nothing is left out but the network.
fn through_archive(criterion: &mut Criterion) {
    const VISITS: u64 = 20_000;
    let mut group = criterion.benchmark_group("visits with bytes through the archive");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).throughput(Throughput::Elements(VISITS));
    let (Made { history, mut contents, .. }, wish) = world("news", 1_000);
    let mut stage = stage(&history, Some(&mut contents), &wish, VISITS);
    for policy in ["uniform", "tintype"] {
        group.bench_function(BenchmarkId::new(format!("{policy}, news"), 1_000), |bencher| {
            let play = |(directory, mut capture): (TempDir, Capture)| {
                stage.play_through(policy, &mut capture).expect("the game can be played");
                directory
            };
            bencher.iter_batched(|| capture(wish.from), play, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, observations, through_archive);
criterion_main!(benches);
