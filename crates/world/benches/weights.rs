//! Weighing every version: of a made-up newspaper, and of the recorded history in the directory `TINTYPE_HISTORY` names.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use std::{fs::File, io::BufReader, path::Path};
use tintype_world::{
    Contents, History,
    recorded::{Segment, read_events},
    synthetic::{Made, SyntheticConfig, named},
    weights,
};

fn weigh(criterion: &mut Criterion, name: &str, history: &History, contents: &mut (dyn Contents + Send)) {
    let mut group = criterion.benchmark_group("weights");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Bytes(history.events().iter().map(|event| u64::from(event.size)).sum()));
    group.bench_function(name, |bencher| {
        bencher.iter(|| weights(history, contents, "http://history.invalid").expect("documents can be read"))
    });
    group.finish();
}

fn bench(criterion: &mut Criterion) {
    let wish = SyntheticConfig { pages: 1_000, days: 14.0, ..SyntheticConfig::default() };
    let Made { history, mut contents, .. } = (named("news").expect("the kind is registered").make)(&wish);
    weigh(criterion, "made up", &history, &mut contents);
    if let Some(directory) = std::env::var_os("TINTYPE_HISTORY") {
        let open = |name| File::open(Path::new(&directory).join(name)).expect("the history is there");
        let history = read_events(open("events.csv.gz")).expect("a table of events");
        let mut segment =
            Segment::open(BufReader::new(open("history.warc.gz")), &history).expect("the segment of those events");
        weigh(criterion, "recorded", &history, &mut segment);
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
