//! A stream of made-up URIs that drifts, mined under a budget that changes: speed, memory as the allocator sees it, and how far
//! counts are from the truth against how far they say they may be.
//!
//! `cargo bench -p tintype-learn --bench stream` takes half a minute; `TINTYPE_BENCH_URIS=100000000` names another length. A
//! plain program rather than criterion: one long stream is the point. Fails if memory leaves the budget by a twentieth, or a
//! count its bounds.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    collections::BTreeMap,
    fmt::Write,
    hint::black_box,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};
use tintype_learn::media::{
    MediaAnswer, Model, Sight, Stream,
    stream::{Frequent, PatternKind},
};

const URIS: u64 = 10_000_000;
const HALF_LIFE: u64 = 1 << 20;
/// Made at once and then learned, so that making them is not timed.
const BLOCK: u64 = 1 << 16;
/// Budgets, each for an equal part of the stream.
const BUDGETS_MIB: [usize; 4] = [16, 4, 16, 64];
/// One domain in so many is counted exactly, with all that is on it.
const WATCHED_ONE_IN: u64 = 64;

const ANSWERS: [(&str, &str); 8] = [
    ("html", "text/html"),
    ("jpg", "image/jpeg"),
    ("png", "image/png"),
    ("gif", "image/gif"),
    ("js", "application/javascript"),
    ("css", "text/css"),
    ("mp3", "audio/mpeg"),
    ("pdf", "application/pdf"),
];

/// Bytes that are allocated, and the most that ever were since somebody asked.
static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[allow(unsafe_code)]
// SAFETY: everything is handed on to the system's allocator as it came; only the sizes are added up.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// SplitMix64: the same stream in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Small numbers far more often than large ones.
    fn skewed(&mut self, end: u64) -> u64 {
        let share = (self.roll() >> 11) as f64 / (1u64 << 53) as f64;
        (share * share * share * share * end as f64) as u64
    }
}

#[derive(Clone, Copy)]
struct Made {
    domain: u64,
    directory: u64,
    answer: usize,
}

/// The stream: domains come and go, directories too, and what is behind an extension changes its mind.
struct Web {
    dice: Dice,
    made: u64,
}

impl Web {
    fn next(&mut self, uri: &mut String) -> Made {
        let age = self.made / (HALF_LIFE / 4);
        self.made += 1;
        let domain = self.dice.skewed(200_000) + 500 * age;
        let directory = (domain * 7 + self.dice.skewed(12)) % 997 + age;
        let honest = self.dice.skewed(8) as usize;
        let lies = self.dice.roll().is_multiple_of(8);
        let answer = if lies { (domain + directory) as usize % 8 } else { honest };
        let (number, extension) = (self.dice.roll() % 1_000_000, ANSWERS[honest].0);
        let site = ["www", "img", "cdn", "m"][honest % 4];
        write!(uri, "https://{site}.d{domain}.example/t{directory}/{}/p{number}.{extension}", 2000 + age % 30).unwrap();
        Made { domain, directory, answer }
    }
}

/// A pattern that is counted exactly, fading as the miner's do.
#[derive(Default)]
struct Exact {
    count: f64,
    types: [f64; ANSWERS.len()],
}

/// Watched domains by number, each on its own and with its directories; directory 0 is the domain itself.
#[derive(Default)]
struct Truth(BTreeMap<(u64, u64), Exact>);

impl Truth {
    fn see(&mut self, made: Made) {
        if made.domain % WATCHED_ONE_IN != 3 {
            return;
        }
        for directory in [0, made.directory + 1] {
            let exact = self.0.entry((made.domain, directory)).or_default();
            exact.count += 1.0;
            exact.types[made.answer] += 1.0;
        }
    }

    fn halve(&mut self) {
        for exact in self.0.values_mut() {
            exact.count /= 2.0;
            exact.types.iter_mut().for_each(|with| *with /= 2.0);
        }
        // What has faded this far is below every bound.
        self.0.retain(|_, exact| exact.count > 0.01);
    }
}

/// How the counts of watched patterns compare with the truth.
#[derive(Default)]
struct Judged {
    patterns: usize,
    missing: usize,
    /// The largest count of a pattern that is missing, and the largest error of one that is held.
    missed: f64,
    error: f64,
    /// The mean width of the bounds of a share.
    width: f64,
}

fn judge(stream: &Stream, truth: &Truth) -> Judged {
    let mut judged = Judged::default();
    for ((domain, directory), exact) in &truth.0 {
        judged.patterns += 1;
        let (kind, uri) = match directory {
            0 => (PatternKind::Domain, format!("http://d{domain}.example/")),
            _ => (PatternKind::DomainToken, format!("http://d{domain}.example/t{}/", directory - 1)),
        };
        match stream.explain(&uri, usize::MAX).into_iter().find(|said| said.kind == kind) {
            Some(said) => judge_held(&said, exact, &mut judged),
            None => {
                judged.missing += 1;
                judged.missed = judged.missed.max(exact.count);
            }
        }
    }
    assert!(judged.missed <= f64::from(stream.guarantee().occurrences), "a frequent pattern is missing");
    judged.width /= (judged.patterns - judged.missing).max(1) as f64;
    judged
}

fn judge_held(said: &Frequent, exact: &Exact, judged: &mut Judged) {
    let [least, most] = said.occurrences.map(f64::from);
    assert!(least <= exact.count && exact.count <= most, "{said:?}: {}", exact.count);
    judged.error = judged.error.max(most - exact.count);
    let answer = ANSWERS.iter().position(|(_, name)| *name == said.media_type).unwrap();
    let [low, high] = said.confidence.map(f64::from);
    let share = exact.types[answer] / exact.count;
    assert!(low <= share + 1e-6 && share <= high + 1e-6, "{said:?}: {share}");
    judged.width += high - low;
}

fn main() {
    let uris = std::env::var("TINTYPE_BENCH_URIS").ok().and_then(|text| text.parse().ok()).unwrap_or(URIS);
    let mut web = Web { dice: Dice(1), made: 0 };
    let mut truth = Truth::default();
    let outside = HELD.load(Ordering::Relaxed);
    let mut stream = Stream::new(BUDGETS_MIB[0] << 20).halving_every(HALF_LIFE);
    let own = HELD.load(Ordering::Relaxed) - outside;
    assert_eq!(own + size_of::<Stream>(), stream.bytes(), "every allocation is counted");
    println!("URIs         budget   allocated    learned/s  bound  mean  missed  error  width  missing of watched");
    for (part, mib) in BUDGETS_MIB.into_iter().enumerate() {
        set_budget(&mut stream, mib << 20);
        let end = uris * (part as u64 + 1) / BUDGETS_MIB.len() as u64;
        let from = stream.seen();
        let took = pass(&mut stream, &mut web, &mut truth, end);
        let judged = judge(&stream, &truth);
        let guarantee = stream.guarantee();
        println!(
            "{:<12} {mib:>3} MiB {:>11} {:>12.0} {:>6} {:>5.1} {:>7.1} {:>6.1} {:>6.4}  {} of {}",
            stream.seen(),
            stream.bytes(),
            (stream.seen() - from) as f64 / took.as_secs_f64(),
            guarantee.occurrences,
            guarantee.mean_occurrences,
            judged.missed,
            judged.error,
            judged.width,
            judged.missing,
            judged.patterns,
        );
    }
}

/// Changes the budget, and holds what the allocator gave away meanwhile against it.
fn set_budget(stream: &mut Stream, budget: usize) {
    let others = HELD.load(Ordering::Relaxed) + size_of::<Stream>() - stream.bytes();
    stream.set_budget(budget);
    let held = HELD.load(Ordering::Relaxed) + size_of::<Stream>() - others;
    assert_eq!(held, stream.bytes(), "every allocation is counted");
    let share = held as f64 / budget as f64;
    assert!((0.95..=1.05).contains(&share), "{share} of {budget}");
}

/// Learns until so many URIs were seen; gives the time that took.
fn pass(stream: &mut Stream, web: &mut Web, truth: &mut Truth, end: u64) -> Duration {
    let (mut text, mut block) = (String::new(), Vec::new());
    let mut took = Duration::ZERO;
    while stream.seen() < end {
        text.clear();
        block.clear();
        // Blocks end where counts fade, so that the truth fades at the same moment.
        let until_halved = HALF_LIFE - stream.seen() % HALF_LIFE;
        for _ in 0..BLOCK.min(end - stream.seen()).min(until_halved) {
            let from = text.len();
            let made = web.next(&mut text);
            truth.see(made);
            block.push((from..text.len(), made.answer));
        }
        let held = HELD.load(Ordering::Relaxed);
        PEAK.store(held, Ordering::Relaxed);
        let start = Instant::now();
        for (place, answer) in &block {
            black_box(&mut *stream).learn(&Sight::of(&text[place.clone()]), &MediaAnswer::of(ANSWERS[*answer].1));
        }
        took += start.elapsed();
        let extra = PEAK.load(Ordering::Relaxed) - held;
        assert!(extra < stream.budget() / 20, "{extra} bytes more for a moment");
        if stream.seen().is_multiple_of(HALF_LIFE) {
            truth.halve();
        }
    }
    took
}
