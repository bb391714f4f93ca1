//! URLs classified and learned on one core, features included, against merely adding up their bytes; and hostile ones.
//!
//! `cargo bench -p tintype-learn --bench media` takes half a minute; `TINTYPE_BENCH_URLS=FILE` names a file of labelled
//! URLs (`url<TAB>media type`, not packed) to be used instead of made-up ones. A plain program rather than criterion: all
//! figures are ratios of one run, because machines are noisy.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use tintype_learn::media::{Media, MediaAnswer, Model, Sight, Statistical, Stream};

const URLS: usize = 100_000;
/// The best of so many runs counts: what else the machine does only ever adds.
const RUNS: usize = 5;

/// URLs of a few hundred sites, with what is behind them.
fn made_up() -> Vec<(String, String)> {
    let shapes: [(&str, &str); 8] = [
        ("img/photos/holiday-N.jpg", "image/jpeg"),
        ("assets/js/app.N.min.js?v=2", "application/javascript"),
        ("news/2024/05/what-happened-in-town-N", "text/html"),
        ("index.php?topic=N&page=3", "text/html"),
        ("static/css/theme-N.css", "text/css"),
        ("show.php?image=N&w=300&h=200", "image/png"),
        ("api/v1/items/N.json", "application/json"),
        ("download/N", "application/pdf"),
    ];
    let url = |number: usize| {
        let (shape, media_type) = shapes[number % shapes.len()];
        let path = shape.replace('N', &(number * 7919 % 100_003).to_string());
        (format!("https://www{}.site-{}.example/{path}", number % 3, number * 31 % 400), media_type.to_owned())
    };
    (0..URLS).map(url).collect()
}

fn labelled() -> Vec<(String, String)> {
    let Ok(file) = std::env::var("TINTYPE_BENCH_URLS") else { return made_up() };
    let text = std::fs::read_to_string(&file).expect("a readable file of labelled URLs");
    let row = |line: &str| {
        let mut columns = line.split('\t');
        Some((columns.next()?.to_owned(), columns.next()?.to_owned()))
    };
    text.lines().filter_map(row).collect()
}

fn best(mut work: impl FnMut()) -> Duration {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..RUNS).map(run).min().expect("some runs")
}

fn per_second(count: usize, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64()
}

fn tell(what: &str, count: usize, took: Duration, scan: Duration) {
    let ratio = took.as_secs_f64() / scan.as_secs_f64();
    println!("{what:<34} {:>12.0} URLs/s {ratio:>9.0} x the time of adding up their bytes", per_second(count, took));
}

fn main() {
    let rows = labelled();
    let bytes: usize = rows.iter().map(|(url, _)| url.len()).sum();
    println!("{} URLs of {:.0} bytes each\n", rows.len(), bytes as f64 / rows.len() as f64);
    let scan = best(|| {
        let sum = rows.iter().fold(0u64, |sum, (url, _)| url.bytes().fold(sum, |sum, byte| sum + u64::from(byte)));
        black_box(sum);
    });
    tell("their bytes added up", rows.len(), scan, scan);
    let shipped = Media::default();
    let classified = best(|| {
        rows.iter().for_each(|(url, _)| {
            black_box(shipped.guess(&Sight::of(url)).folded_content_types());
        });
    });
    tell("classified", rows.len(), classified, scan);
    for (what, mut media) in [("learned, as shipped", Media::default()), ("learned, from nothing", Media::blank())] {
        let learned = best(|| rows.iter().for_each(|(url, name)| media.learn(&Sight::of(url), &MediaAnswer::of(name))));
        tell(what, rows.len(), learned, scan);
    }
    let mut others: Vec<(&str, Box<dyn Model>)> =
        vec![("statistical", Box::new(Statistical::new(0.5))), ("stream", Box::new(Stream::new(16 << 20)))];
    for (name, model) in &mut others {
        let learned = best(|| rows.iter().for_each(|(url, name)| model.learn(&Sight::of(url), &MediaAnswer::of(name))));
        tell(&format!("{name}: learned"), rows.len(), learned, scan);
        let classified = best(|| {
            rows.iter().for_each(|(url, _)| {
                black_box(model.content_types(&Sight::of(url)));
            });
        });
        tell(&format!("{name}: classified"), rows.len(), classified, scan);
    }
    println!();
    for (what, url) in hostile() {
        let took = best(|| {
            black_box(shipped.guess(&Sight::of(&url)));
        });
        println!("{what:<34} {:>9} bytes {:>12.1?}", url.len(), took);
    }
}

/// What nobody's browser sends.
fn hostile() -> [(&'static str, String); 6] {
    let long = 1 << 20;
    [
        ("a path without end", format!("http://e.example/{}", "a/".repeat(long / 2))),
        ("percent signs", format!("http://e.example/{}", "%".repeat(long))),
        ("parameters", format!("http://e.example/?{}", "a=1&".repeat(long / 4))),
        ("dots", format!("http://e.example/{}", ".".repeat(long))),
        ("noughts", format!("http://e.example/{}", "\0".repeat(long))),
        ("right to left", format!("http://e.example/{}", "\u{5d0}\u{202e}".repeat(long / 5))),
    ]
}
