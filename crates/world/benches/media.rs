//! Requests until nine tenths of the wanted files of made-up webs were found, by every strategy.
//!
//! `TINTYPE_BENCH_PAGES=10000 TINTYPE_BENCH_SEEDS=5 cargo bench -p tintype-world --bench media` names other sizes. A plain
//! program rather than criterion: what is measured is requests, not time; the time of all runs is said beside it.

use std::time::Instant;
use tintype_world::media::{REGISTRY, Spread, StrategyRow, compare};

const SHARE: f64 = 0.9;

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn written(spread: Option<Spread>) -> String {
    spread.map_or_else(
        || "never".to_owned(),
        |Spread { mean, low, high }| {
            if mean < 10.0 {
                format!("{mean:.3} [{low:.3}, {high:.3}]")
            } else {
                format!("{mean:.0} [{low:.0}, {high:.0}]")
            }
        },
    )
}

/// Beside requests: the share found when breadth-first had found nine tenths half over.
fn say(row: &StrategyRow, breadth: &StrategyRow) {
    let half: Option<Vec<u32>> =
        breadth.curves.iter().map(|curve| curve.reached(SHARE).map(|requests| requests / 2)).collect();
    let forgotten: u64 = row.curves.iter().map(|curve| curve.forgotten).sum();
    println!(
        "  {:<20} {:>24} {:>24} {:>22} {:>22} {:>9}",
        row.strategy.name,
        written(row.reached(SHARE)),
        written(row.reached_of(SHARE, breadth)),
        written(row.share(half.as_deref())),
        written(row.share(None)),
        forgotten / row.curves.len().max(1) as u64
    );
}

fn main() {
    let (pages, seeds) = (setting("TINTYPE_BENCH_PAGES", 10_000), setting("TINTYPE_BENCH_SEEDS", 5));
    println!("{pages} pages, {seeds} seeds; means with 95 % intervals");
    for web in REGISTRY {
        let began = Instant::now();
        let rows = compare(web, pages as usize, seeds);
        println!("{} ({:.1} s)", web.name, began.elapsed().as_secs_f64());
        println!(
            "  strategy               requests to 90 %        of breadth-first       found at half of it        in the end      forgotten"
        );
        rows.iter().for_each(|row| say(row, &rows[0]));
    }
}
