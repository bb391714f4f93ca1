//! What the tests work on: a newsroom on loopback, the binary, and its output.

use flate2::read::MultiGzDecoder;
use std::{
    collections::BTreeMap,
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicI64, Ordering},
    },
};
use tintype_serve::site::{Server, reply};
use tintype_vocab::{Span, Time};
use tintype_world::{Site, newsroom};

pub(crate) const START: Time = Time::from_secs(1_790_000_000);
pub(crate) const INTERVAL: Span = Span::from_secs(3600);

/// A site being served, its clock, and how often each path was asked for.
pub(crate) struct Bench {
    pub(crate) server: Server,
    pub(crate) site: Arc<OnceLock<Site>>,
    clock: Arc<AtomicI64>,
    hits: Arc<Mutex<BTreeMap<String, u64>>>,
}

impl Bench {
    pub(crate) fn newsroom() -> Bench {
        Bench::serve(|origin| newsroom(origin, START, INTERVAL))
    }

    pub(crate) fn library() -> Bench {
        Bench::serve(library)
    }

    /// Serves a site that is told its own origin.
    pub(crate) fn serve(build: impl FnOnce(&str) -> Site) -> Bench {
        let (site, clock) = (Arc::new(OnceLock::<Site>::new()), Arc::new(AtomicI64::new(START.as_millis())));
        let hits = Arc::new(Mutex::new(BTreeMap::<String, u64>::new()));
        let (served, time, counts) = (site.clone(), clock.clone(), hits.clone());
        let server = Server::start(([127, 0, 0, 1], 0).into(), move |question| {
            *counts.lock().unwrap().entry(question.target.clone()).or_default() += 1;
            let now = Time::from_millis(time.load(Ordering::SeqCst));
            let Some(site) = served.get() else { return reply(503, &[], Vec::new()) };
            let answer = site.respond(&question.target, question.if_none_match.as_deref(), now);
            reply(answer.status, &answer.headers, answer.body)
        })
        .unwrap();
        site.get_or_init(|| build(&server.origin()));
        Bench { server, site, clock, hits }
    }

    pub(crate) fn site(&self) -> &Site {
        self.site.get().unwrap()
    }

    pub(crate) fn advance(&self, span: Span) {
        self.clock.fetch_add(span.as_millis(), Ordering::SeqCst);
    }

    pub(crate) fn seed(&self) -> String {
        format!("{}/", self.server.origin())
    }

    /// How often each path was asked for since the last call.
    pub(crate) fn take_hits(&self) -> BTreeMap<String, u64> {
        std::mem::take(&mut *self.hits.lock().unwrap())
    }
}

/// The binary, ready for arguments; it starts no browser.
pub(crate) fn tintype() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tintype"));
    command.env("TINTYPE_BROWSER", "none");
    command
}

/// The same with the browser of the system.
pub(crate) fn tintype_with_browser() -> Command {
    let mut command = tintype();
    command.env_remove("TINTYPE_BROWSER");
    command
}

/// Runs the binary to its end; with a browser where the arguments say when.
pub(crate) fn run(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = if arguments.contains(&"--render") { tintype_with_browser() } else { tintype() };
    command.current_dir(directory).args(arguments).output().unwrap()
}

/// Captures a site without a pause; panics unless it went well.
pub(crate) fn capture(directory: &Path, seed: &str, more: &[&str]) -> serde_json::Value {
    let arguments = [&["capture", seed, "--delay", "0", "--json"], more].concat();
    let output = run(directory, &arguments);
    assert!(
        output.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Files of a kind in the collection, by name.
pub(crate) fn files(directory: &Path, room: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory.join("collection").join(room))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

/// The lines of all indexes, plain or in blocks.
pub(crate) fn index_lines(directory: &Path) -> Vec<String> {
    let mut text = String::new();
    for file in files(directory, "index") {
        let mut bytes = std::fs::File::open(&file).unwrap();
        match file.to_str().unwrap() {
            plain if plain.ends_with(".cdxj") => bytes.read_to_string(&mut text).unwrap(),
            blocks if blocks.ends_with(".cdx.gz") => MultiGzDecoder::new(bytes).read_to_string(&mut text).unwrap(),
            _ => 0,
        };
    }
    text.lines().map(str::to_owned).collect()
}

/// Pages of the library.
pub(crate) const LIBRARY: usize = 300;

/// Pages in a binary tree, each a few kilobytes.
fn library(origin: &str) -> Site {
    let mut site = Site::new(origin);
    for page in 0..LIBRARY {
        let below = [2 * page + 1, 2 * page + 2].into_iter().filter(|to| *to < LIBRARY);
        let links: String = below.map(|to| format!("<a href='/{to}'>{to}</a>")).collect();
        let text: String = (0..400).map(|word| format!("w{} ", (word * 31 + page * 17) % 1009)).collect();
        let path = if page == 0 { "/".to_owned() } else { format!("/{page}") };
        site.publish(&path, START, "text/html", format!("<p>{text}</p>{links}"));
    }
    site
}
