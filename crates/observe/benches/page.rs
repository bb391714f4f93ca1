//! What it costs to segment two versions of a page, to say what changed and whether it matters, and to learn from them.
//!
//! Versions: a page made up here (30 KiB) and an edited copy of it; and neighbours among the files of every directory
//! below the one that `TINTYPE_VERSIONS` names, where the versions of one page lie in the order of their names.

use criterion::{Criterion, Throughput};
use std::{fmt::Write, fs, hint::black_box, path::Path};
use tintype_observe::{
    Described,
    page::{Habits, Hooks, compare, segment},
};
use tintype_vocab::Span;

type Pair = [Vec<u8>; 2];

fn described() -> Described<'static> {
    Described { url: "http://127.0.0.1/a/", content_type: Some("text/html"), ..Described::default() }
}

fn made_up() -> Pair {
    let mut page =
        String::from("<title>News</title><nav><ul><li><a href=/>Home</a><li><a href=/b>More</a></ul></nav><main>");
    for n in 0..120 {
        let words = "and the story goes on for a few words more, as they do ".repeat(3);
        write!(page, "<h2>Heading {n}</h2><p>Story {n} <a href='/s/{n}'>begins</a> {words}<img src=i{n}.png>").unwrap();
    }
    let edited = page.replace("Story 17 ", "History ").replacen("<h2>Heading 60</h2>", "<p>Something new.", 1);
    [page.into_bytes(), edited.into_bytes()]
}

fn recorded() -> Vec<Pair> {
    let Some(root) = std::env::var_os("TINTYPE_VERSIONS") else { return Vec::new() };
    let entries = |path: &Path| {
        let mut paths: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let versions = |page: &Path| -> Vec<Pair> {
        let bodies: Vec<Vec<u8>> = entries(page).iter().map(|path| fs::read(path).unwrap()).collect();
        bodies.windows(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect()
    };
    entries(Path::new(&root)).iter().filter(|path| path.is_dir()).flat_map(|page| versions(page)).collect()
}

fn bench(criterion: &mut Criterion, name: &str, pairs: &[Pair]) {
    let described = described();
    let hooks = Hooks::default();
    let mut group = criterion.benchmark_group(format!("page/{name}"));
    group.throughput(Throughput::Elements(pairs.len() as u64));
    group.bench_function("segment", |bencher| {
        bencher.iter(|| pairs.iter().flatten().for_each(|body| drop(black_box(segment(&described, body)))));
    });
    group.bench_function("compare", |bencher| {
        let each = |[old, new]: &Pair| drop(black_box(compare((&described, old), (&described, new), &hooks)));
        bencher.iter(|| pairs.iter().for_each(each));
    });
    let versions: Vec<_> =
        pairs.iter().map(|pair| pair.each_ref().map(|body| segment(&described, body).expect("a page"))).collect();
    let mut habits = Habits::default();
    group.bench_function("judge", |bencher| {
        bencher.iter(|| {
            for [old, new] in &versions {
                black_box(habits.judge(old, new, described.url, Span::from_days(1), &hooks));
            }
        });
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    bench(&mut criterion, "made up", &[made_up()]);
    let recorded = recorded();
    if !recorded.is_empty() {
        bench(&mut criterion, "recorded", &recorded);
    }
    criterion.final_summary();
}
