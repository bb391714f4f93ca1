//! Real peers: warcio, cdxj-indexer, pywb and wget. `./check` installs them; elsewhere these tests say what they lack.

use crate::bench::{Bench, INTERVAL, capture, files, index_lines, run};
use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};
use tintype_vocab::Time;

/// A tool of the virtual environment `./check` makes. Under `./check` its absence is a failure.
pub(crate) fn peer(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let path = root.join(".venv/bin").join(name);
    if path.exists() {
        return Some(path);
    }
    assert!(std::env::var_os("TINTYPE_PEERS").is_none(), "{name} is not in .venv");
    println!("skipped, no {name}: run ./check once");
    None
}

fn output(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// A collection with two captures, the second with revisits: first versions, duplicates of both kinds, changes, a
/// redirect, a 404.
/// Returns a moment between them.
fn two_captures(bench: &Bench, directory: &Path) -> Time {
    capture(directory, &bench.seed(), &[]);
    bench.advance(INTERVAL);
    // Replay tools tell captures apart by the second.
    let second = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let first = second();
    while second() == first {
        std::thread::yield_now();
    }
    capture(directory, &bench.seed(), &["--revisit"]);
    Time::from_secs(first as i64)
}

#[test]
fn warcio_check_passes_every_file() {
    let Some(warcio) = peer("warcio") else { return };
    let (bench, directory) = (Bench::newsroom(), tempfile::tempdir().unwrap());
    two_captures(&bench, directory.path());
    for segment in files(directory.path(), "warc") {
        let said = output(Command::new(&warcio).args(["check", "-v"]).arg(&segment));
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        assert!(said.contains("digest pass") && !said.contains("fail"), "{said}");
    }
}

#[test]
fn cdxj_indexer_gives_our_index_line_for_line() {
    let Some(indexer) = peer("cdxj-indexer") else { return };
    let (bench, directory) = (Bench::newsroom(), tempfile::tempdir().unwrap());
    two_captures(&bench, directory.path());
    let segments = files(directory.path(), "warc");
    assert!(!segments.is_empty());
    for (segment, index) in segments.iter().zip(files(directory.path(), "index")) {
        let theirs = output(Command::new(&indexer).arg(segment)).stdout;
        let mut theirs: Vec<&[u8]> = theirs.split_inclusive(|byte| *byte == b'\n').collect();
        theirs.sort();
        let ours = fs::read(index).unwrap();
        assert_eq!(String::from_utf8_lossy(&theirs.concat()), String::from_utf8_lossy(&ours));
    }
}

/// pywb over a collection, until dropped.
pub(crate) struct Pywb {
    process: Child,
    port: u16,
}

impl Pywb {
    pub(crate) fn start(wayback: &Path, directory: &Path) -> Pywb {
        let collection = directory.join("collection");
        let config = format!(
            "collections:\n  ours:\n    archive_paths: {0}/warc/\n    index_paths: {0}/index/\n",
            collection.display()
        );
        Pywb::configured(wayback, directory, &config)
    }

    /// With a `config.yaml` of one's own.
    pub(crate) fn configured(wayback: &Path, directory: &Path, config: &str) -> Pywb {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        fs::write(directory.join("config.yaml"), config).unwrap();
        let process = Command::new(wayback)
            .current_dir(directory)
            .args(["-p", &port.to_string(), "-b", "127.0.0.1"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "pywb does not start");
            std::thread::yield_now();
        }
        Pywb { process, port }
    }

    /// The body of an answer.
    pub(crate) fn get(&self, target: &str) -> String {
        String::from_utf8_lossy(&self.ask(target).1).into_owned()
    }

    /// Status and body of the raw replay of a URL at a time.
    fn replay(&self, timestamp: &str, url: &str) -> (u16, Vec<u8>) {
        self.ask(&format!("/ours/{timestamp}id_/{url}"))
    }

    /// Status and body of an answer.
    pub(crate) fn ask(&self, target: &str) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "GET {target} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let head = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
        let status = String::from_utf8_lossy(&answer[9..12]).parse().unwrap();
        (status, answer[head + 4..].to_vec())
    }
}

impl Drop for Pywb {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn pywb_replays_every_page_with_the_right_bytes() {
    let Some(wayback) = peer("wayback") else { return };
    let (bench, directory) = (Bench::newsroom(), tempfile::tempdir().unwrap());
    let between = two_captures(&bench, directory.path());
    let pywb = Pywb::start(&wayback, directory.path());
    let (mut replayed, mut duplicates) = (0, 0);
    for index in files(directory.path(), "index") {
        for line in fs::read_to_string(index).unwrap().lines() {
            let mut parts = line.splitn(3, ' ');
            let (timestamp, json) = (parts.nth(1).unwrap(), parts.next().unwrap());
            let json: serde_json::Value = serde_json::from_str(json).unwrap();
            let is_second = Time::parse_timestamp14(timestamp).unwrap() > between;
            let now = crate::bench::START + INTERVAL * i64::from(is_second);
            let url = json["url"].as_str().unwrap();
            let truth = bench.site().respond(url.strip_prefix(bench.site().origin()).unwrap(), None, now);
            let (status, body) = pywb.replay(timestamp, url);
            assert_eq!(status, truth.status, "{timestamp} {url}");
            if status == 200 {
                assert!(body == truth.body, "{timestamp} {url}: {} bytes instead of {}", body.len(), truth.body.len());
                replayed += 1;
                duplicates += u32::from(json["mime"] == "warc/revisit");
            }
        }
    }
    assert!(replayed >= 60 && duplicates >= 25, "{replayed} {duplicates}");
}

#[test]
fn pywb_and_cdxj_indexer_agree_with_an_index_in_blocks() {
    let (Some(wayback), Some(indexer)) = (peer("wayback"), peer("cdxj-indexer")) else { return };
    let (bench, directory) = (Bench::library(), tempfile::tempdir().unwrap());
    capture(directory.path(), &bench.seed(), &[]);
    assert_eq!(files(directory.path(), "index").len(), 3, "blocks, their places, their name");
    let ours = index_lines(directory.path());
    let theirs = output(Command::new(&indexer).args(files(directory.path(), "warc"))).stdout;
    let mut theirs: Vec<String> = String::from_utf8(theirs).unwrap().lines().map(str::to_owned).collect();
    theirs.sort();
    assert_eq!(theirs, ours);
    let pywb = Pywb::start(&wayback, directory.path());
    for line in ours.iter().step_by(7).chain(ours.last()) {
        let mut parts = line.splitn(3, ' ');
        let (timestamp, json) = (parts.nth(1).unwrap(), parts.next().unwrap());
        let json: serde_json::Value = serde_json::from_str(json).unwrap();
        let (status, body) = pywb.replay(timestamp, json["url"].as_str().unwrap());
        assert_eq!(Some(status.to_string().as_str()), json["status"].as_str(), "{line}");
        assert!(status != 200 || !body.is_empty(), "{line}");
    }
    assert_eq!(pywb.replay("2026", &format!("{}nowhere", bench.seed())).0, 404);
}

#[test]
fn archives_made_by_wget_and_warcio_import_cleanly() {
    let Some(python) = peer("python") else { return };
    let (bench, directory) = (Bench::newsroom(), tempfile::tempdir().unwrap());
    let here = directory.path();
    output(
        Command::new("wget")
            .current_dir(here)
            .args(["-q", "-r", "-l", "inf", "--delete-after", "--warc-file=theirs", "--warc-cdx"])
            .arg(bench.seed()),
    );
    let write = "import sys, io\nfrom warcio.warcwriter import WARCWriter\nfrom warcio.statusandheaders import StatusAndHeaders\n\
        w = WARCWriter(open(sys.argv[1], 'wb'), gzip=True)\n\
        for i in range(5):\n  h = StatusAndHeaders('200 OK', [('Content-Type', 'text/html')], protocol='HTTP/1.1')\n  \
        w.write_record(w.create_warc_record('http://made.invalid/%d' % i, 'response', payload=io.BytesIO(b'<p>%d</p>' % i), http_headers=h))\n";
    output(Command::new(&python).current_dir(here).args(["-c", write, "warcio.warc.gz"]));
    let imported = run(here, &["import", "theirs.warc.gz", "warcio.warc.gz", "--json"]);
    assert!(imported.status.success(), "{}", String::from_utf8_lossy(&imported.stderr));
    let verified = run(here, &["verify"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    let index: String = files(here, "index").iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    assert_eq!(index.lines().filter(|line| line.contains("made.invalid")).count(), 5);
    assert!(index.lines().filter(|line| line.contains("story-")).count() >= 18, "{index}");
}
