//! Versions of a site diffed, merged and mined, against reading and hashing their lists once: time, growth and memory.
//!
//! `cargo bench -p tintype-learn --bench directory` takes a few minutes; `TINTYPE_BENCH_NODES=10000` names other sizes,
//! comma-separated. A plain program rather than criterion: the lists are large, made one at a time, and each is read
//! by both in turn, so that the ratio is of one run.

use rapidhash::v3::rapidhash_v3;
use std::{
    hint::black_box,
    ops::AddAssign,
    time::{Duration, Instant},
};
use tintype_learn::directory::{Bitmaps, DirectoryTree, Rule, Thresholds, Unseen, Weighing, mine_all};

const VERSIONS: usize = 52;
/// Where growth is shown.
const MILESTONES: [usize; 3] = [13, 26, 52];
const DEGREE_OF_CHANGE_MIN: f64 = 0.02;
const THRESHOLDS: Thresholds = Thresholds::new(0.1, None, 0.6);
const TIMES_READING_MAX: f64 = 3.0;
const BYTES_PER_NODE_MAX: f64 = 64.0;

/// SplitMix64: the same site in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.roll() % end as u64) as usize
    }

    fn happens(&mut self, chance: f64) -> bool {
        (self.roll() >> 11) as f64 / (1u64 << 53) as f64 <= chance
    }
}

#[derive(Clone)]
struct Page {
    path: String,
    content: u64,
    directory: usize,
}

/// A made-up site: one node in fourteen is a directory, some five deep; each directory is quiet or busy, and in each
/// version some of the busy ones change a good part of their pages.
struct Site {
    dice: Dice,
    directories: Vec<String>,
    busy: Vec<f64>,
    pages: Vec<Page>,
    made: usize,
}

impl Site {
    fn new(nodes: usize) -> Site {
        let mut dice = Dice(nodes as u64);
        let mut directories = vec![String::from("/")];
        let mut depths = vec![0usize];
        while directories.len() < nodes / 14 {
            let parent = dice.below(directories.len().min(1 + nodes / 28));
            if depths[parent] < 7 {
                directories.push(format!("{}dir-{}/", directories[parent], directories.len()));
                depths.push(depths[parent] + 1);
            }
        }
        let busy = directories.iter().map(|_| if dice.happens(0.3) { 0.5 } else { 0.05 }).collect();
        let mut site = Site { dice, directories, busy, pages: Vec::new(), made: 0 };
        let mut homes: Vec<usize> =
            (0..nodes - site.directories.len()).map(|_| site.dice.below(site.directories.len())).collect();
        homes.sort_by(|one, other| site.directories[*one].cmp(&site.directories[*other]));
        site.pages = homes.into_iter().map(|home| site.page(home)).collect();
        site
    }

    fn page(&mut self, directory: usize) -> Page {
        self.made += 1;
        let path = format!("{}an-article-{}.html", self.directories[directory], self.made);
        Page { path, content: self.dice.roll(), directory }
    }

    /// The next version, in the site's order: some three pages in a hundred change, one goes and one comes.
    fn pass(&mut self) {
        let active: Vec<bool> = (0..self.busy.len()).map(|place| self.dice.happens(self.busy[place])).collect();
        for page in std::mem::take(&mut self.pages) {
            let share = if active[page.directory] { 1.0 } else { 0.0 };
            let directory = page.directory;
            if !self.dice.happens(0.05 * share) {
                let is_updated = self.dice.happens(0.15 * share);
                let content = if is_updated { self.dice.roll() } else { page.content };
                self.pages.push(Page { content, ..page });
            }
            if self.dice.happens(0.05 * share) {
                let page = self.page(directory);
                self.pages.push(page);
            }
        }
    }

    fn list<'a>(pages: impl Iterator<Item = &'a Page>) -> String {
        use std::fmt::Write;
        pages.fold(String::new(), |mut text, page| {
            writeln!(text, "{}\t{:016x}", page.path, page.content).expect("there is memory");
            text
        })
    }
}

/// Splits and parses a list.
fn read(list: &str) -> impl Iterator<Item = (&str, u64)> {
    list.lines().map(|line| {
        let (path, content) = line.split_once('\t').expect("every line has two fields");
        (path, u64::from_str_radix(content, 16).expect("contents are hexadecimal"))
    })
}

fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = black_box(work());
    total.add_assign(started.elapsed());
    result
}

/// Ours, and the time it took so far.
#[derive(Default)]
struct Run {
    tree: DirectoryTree,
    bitmaps: Bitmaps,
    lines: usize,
    /// Reading and hashing alone.
    reading: Duration,
    /// Reading, diffing, merging and appending.
    folding: Duration,
}

impl Run {
    fn version(&mut self, list: &str) {
        let hash = |(path, content): (&str, u64)| rapidhash_v3(path.as_bytes()) ^ content;
        timed(&mut self.reading, || read(list).map(hash).fold(0, |all, one| all ^ one));
        let Run { tree, bitmaps, folding, .. } = self;
        timed(folding, || {
            for (path, content) in read(list) {
                tree.see(path, content);
            }
            if let Some(delta) = tree.close(Unseen::Gone) {
                bitmaps.append(&delta, DEGREE_OF_CHANGE_MIN, Weighing::Count);
            }
        });
        self.lines += list.lines().count();
    }

    fn mine(&self) -> (Duration, Vec<Rule>) {
        let mut time = Duration::ZERO;
        let within = 0..self.bitmaps.transitions();
        let rules = timed(&mut time, || mine_all(self.tree.shape(), &self.bitmaps, within, &THRESHOLDS));
        (time, rules)
    }

    fn report(&self, title: &str) -> (f64, f64) {
        let (mining, rules) = self.mine();
        let shape = self.tree.shape();
        let nodes = (shape.pages() + shape.directories()) as f64;
        let ratio = (self.folding + mining).as_secs_f64() / self.reading.as_secs_f64();
        let bytes = (self.tree.bytes_beside_text() + self.bitmaps.bytes()) as f64 / nodes;
        println!(
            "{title:>24} {:>3} versions: read and hash {:.3} s, ours {:.3} s (mining {:.4} s, {} rules), ratio {ratio:.2}, \
             {:.1} ns a line; {nodes} nodes ever ({} directories), {bytes:.1} bytes a node",
            self.tree.versions(),
            self.reading.as_secs_f64(),
            (self.folding + mining).as_secs_f64(),
            mining.as_secs_f64(),
            rules.len(),
            self.folding.as_nanos() as f64 / self.lines as f64,
            shape.directories(),
        );
        (ratio, bytes)
    }
}

/// Versions in the site's own order.
fn in_order(nodes: usize) {
    let mut site = Site::new(nodes);
    let mut run = Run::default();
    for version in 1..=VERSIONS {
        run.version(&Site::list(site.pages.iter()));
        if MILESTONES.contains(&version) {
            let (ratio, bytes) = run.report(&format!("{nodes} nodes"));
            let verdict = |holds| if holds { "holds" } else { "does not hold" };
            if version == VERSIONS {
                println!("{:>24} at most {TIMES_READING_MAX} times: {}", "", verdict(ratio <= TIMES_READING_MAX));
                println!("{:>24} at most {BYTES_PER_NODE_MAX} bytes: {}", "", verdict(bytes <= BYTES_PER_NODE_MAX));
            }
        }
        site.pass();
    }
}

/// Every version in another order: nothing can be guessed.
fn shuffled(nodes: usize) {
    let mut site = Site::new(nodes);
    let mut run = Run::default();
    for _ in 0..MILESTONES[0] {
        let mut order: Vec<&Page> = site.pages.iter().collect();
        for end in (1..order.len()).rev() {
            order.swap(end, site.dice.below(end + 1));
        }
        run.version(&Site::list(order.into_iter()));
        site.pass();
    }
    run.report(&format!("{nodes} nodes, shuffled"));
}

/// All directories side by side, one page in each, and every tenth page changed in each version.
fn siblings(nodes: usize) {
    let mut run = Run::default();
    for version in 0..MILESTONES[0] {
        let content = |nth: usize| if nth % 10 == version % 10 { version as u64 } else { 0 };
        let page = |nth: usize| Page { path: format!("/{nth}/"), content: content(nth), directory: nth };
        let pages: Vec<Page> = (0..nodes).map(page).collect();
        run.version(&Site::list(pages.iter()));
    }
    run.report(&format!("{nodes} siblings"));
}

fn main() {
    let sizes = std::env::var("TINTYPE_BENCH_NODES").unwrap_or_else(|_| "10000,100000,1000000".to_owned());
    let sizes: Vec<usize> = sizes.split(',').map(|size| size.parse().expect("sizes are numbers")).collect();
    for nodes in &sizes {
        in_order(*nodes);
        shuffled(*nodes);
        siblings(*nodes);
    }
}
