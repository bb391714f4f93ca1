//! Collections and files of strangers, as hostile as they come: no command hangs, panics, writes outside the collection or
//! ends without a word.

use crate::{
    bench::{Bench, capture, files},
    browser::Past,
};
use flate2::{Compression, write::GzEncoder};
use std::{
    fs,
    io::Write,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Everything here ends long before; what does not is stopped.
const PATIENCE: &str = "100";

/// Runs the binary, for so long.
pub(crate) fn run(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.arg(PATIENCE).arg(env!("CARGO_BIN_EXE_tintype")).args(arguments);
    command.current_dir(directory).env("RUST_BACKTRACE", "0").env("TINTYPE_BROWSER", "none").output().unwrap()
}

/// Runs the binary and expects it to end well, or with a sentence.
pub(crate) fn tried(directory: &Path, arguments: &[&str], what: &str) {
    let output = run(directory, arguments);
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let code = output.status.code();
    assert!(
        code.is_some_and(|code| code <= 2),
        "{what}: {arguments:?} ended with {:?}: {}",
        output.status,
        begin(&said)
    );
    assert!(code == Some(0) || !said.trim().is_empty(), "{what}: {arguments:?} failed without a word");
    is_decent(&said, &format!("{what}: {arguments:?}"));
}

fn begin(said: &str) -> String {
    said.chars().take(4000).collect()
}

/// Nothing broke, nothing steers a terminal, and nothing a stranger wrote is repeated at length.
fn is_decent(said: &str, what: &str) {
    assert!(!said.contains("panicked"), "{what}: {}", begin(said));
    assert!(!said.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{what}: {:?}", begin(said));
    assert!(said.lines().all(|line| line.len() < 20_000), "{what}: {}", begin(said));
}

/// Serves it, asks in every way, and expects answers, or a sentence why not.
pub(crate) fn served(directory: &Path, arguments: &[&str], url: &str, what: &str) {
    let complaints = directory.join("complaints");
    let past = Past::attempt(directory, arguments, fs::File::create(&complaints).unwrap().into());
    if let Some(past) = &past {
        for target in ["/", "/api/captures", "/metrics", "/cdx?url=*", "/cdx?url=http://a/*&output=json"] {
            assert!(past.get(target).status >= 200, "{what}: {target}");
        }
        for way in
            ["/web/", "/web/2026id_/", "/web/*/", "/web/timemap/link/", "/api/versions?url=", "/cdx/search/cdx?url="]
        {
            assert!(past.get(&format!("{way}{url}")).status >= 200, "{what}: {way}");
        }
    }
    let said = fs::read_to_string(&complaints).unwrap();
    assert!(past.is_some() || !said.trim().is_empty(), "{what}: {arguments:?} failed without a word");
    is_decent(&said, &format!("{what}: serve {arguments:?}"));
}

/// Everything that can be done with a collection, first what only looks.
pub(crate) fn every_command(seed: &str) -> Vec<Vec<String>> {
    let import = Path::new(env!("CARGO_MANIFEST_DIR")).join("../archive/fixtures/warcio.warc.gz");
    let commands = format!(
        "sites | status | captures | get {seed} | get {seed} --at 2020 | get {seed} --text | search the | search the --url {seed} --json | explain {seed} | changes | \
         changes --min-importance 0 --feed atom | changes --unread | changes --deliver | diff {seed} | \
         diff {seed} --html diff.html | report | report --json | report --html report.html | export --out out.wacz | \
         objects jobs | objects jobs --csv | learn patterns | learn rules | learn decay | learn media | verify | sites add http://127.0.0.1:9/ | \
         import {} | capture {seed} --delay 0 --budget 5 | keep --once --budget 5/day --delay 0 | repair | verify --json",
        import.display()
    );
    commands.split('|').map(|command| command.split_whitespace().map(str::to_owned).collect()).collect()
}

/// `serve` is tried by itself; the others here touch no collection.
const NOT_IN_EVERY_COMMAND: [&str; 6] = ["serve", "demo", "lab", "completions", "man", "help"];

#[test]
fn no_command_is_left_out() {
    let help = run(Path::new("."), &["--help"]);
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    // What is said of a command goes on below it, further in.
    let named = commands.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names: Vec<&str> = named.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 10, "{names:?}");
    let tried = every_command("http://a/");
    for name in names {
        let is_tried = tried.iter().any(|command| command[0] == name) || NOT_IN_EVERY_COMMAND.contains(&name);
        assert!(is_tried, "{name} is tried on no hostile collection");
    }
}

/// A captured site in `here/collection`, and beside it what must not be touched.
pub(crate) struct Ground {
    directory: tempfile::TempDir,
    bench: Bench,
}

/// What a victim holds.
const MINE: &str = "{\"head\":1}\nmine, and nobody else's\n";

impl Ground {
    pub(crate) fn new() -> Ground {
        let ground = Ground { directory: tempfile::tempdir().unwrap(), bench: Bench::newsroom() };
        capture(ground.here(), &ground.bench.seed(), &[]);
        let settings = ground.here().join("collection/tintype.toml");
        let told = fs::read_to_string(&settings).unwrap();
        // What happened is told to somebody who is not there.
        let rule = "[[notify]]\nwebhook = \"http://127.0.0.1:9/\"\n";
        fs::write(&settings, format!("{told}\n{rule}")).unwrap();
        fs::create_dir(ground.here().join("victims")).unwrap();
        fs::write(ground.victim(), MINE).unwrap();
        ground
    }

    pub(crate) fn here(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn victim(&self) -> PathBuf {
        self.here().join("victims/victim")
    }

    /// Another copy of the collection to be made hostile.
    pub(crate) fn collection(&self) -> PathBuf {
        let to = self.here().join("hostile");
        fs::remove_dir_all(&to).ok();
        let copied = Command::new("cp").arg("-a").args([&self.here().join("collection"), &to]).status().unwrap();
        assert!(copied.success());
        to
    }

    /// Every command on the hostile collection. Only what is made there may be new.
    pub(crate) fn suffer(&self, what: &str) {
        let seed = self.bench.seed();
        served(self.here(), &["-C", "hostile"], &seed, what);
        for command in every_command(&seed) {
            fs::remove_file(self.here().join("out.wacz")).ok();
            let command: Vec<&str> = command.iter().map(String::as_str).collect();
            tried(self.here(), &[&command, &["-C", "hostile"][..]].concat(), what);
            self.is_unhurt(what, &command);
        }
    }

    pub(crate) fn seed(&self) -> String {
        self.bench.seed()
    }

    pub(crate) fn is_unhurt(&self, what: &str, command: &[&str]) {
        let names = fs::read_dir(self.here().join("victims")).unwrap().count();
        assert_eq!(names, 1, "{what}: {command:?} made a file where it should not");
        assert_eq!(fs::read_to_string(self.victim()).unwrap(), MINE, "{what}: {command:?}");
    }
}

/// Files that a stranger has put there.
const STRANGE: [&str; 12] = [
    "warc/evil.warc.gz",
    "warc/evil.warc.gz.open",
    "log/evil.jsonl",
    "index/evil.cdxj",
    "tintype.toml",
    "version",
    "lock",
    "public-hosts",
    "readers/me.told",
    "outbox/evil.json",
    "outbox/lock",
    "state/hosts.jsonl",
];

/// Where a file of each kind lies, by names of the stranger's and by those we gave.
pub(crate) fn places(collection: &Path) -> Vec<PathBuf> {
    let own = ["warc", "log", "index", "state"].map(|room| {
        let mut files: Vec<PathBuf> =
            fs::read_dir(collection.join(room)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.is_file());
        files.sort();
        files
    });
    ["readers", "outbox"].iter().for_each(|room| fs::create_dir_all(collection.join(room)).unwrap());
    let strange = STRANGE.map(|name| collection.join(name));
    let own: Vec<PathBuf> = own.concat().into_iter().filter(|path| !strange.contains(path)).collect();
    [own, strange.to_vec()].concat()
}

fn link(to: &Path, path: &Path) {
    fs::remove_file(path).ok();
    symlink(to, path).unwrap();
}

#[test]
fn links_lead_nobody_out_of_a_collection() {
    let ground = Ground::new();
    let collection = ground.collection();
    places(&collection).iter().for_each(|path| link(&ground.victim(), path));
    ground.suffer("every file a link to the victim");
    let collection = ground.collection();
    places(&collection);
    for name in STRANGE {
        link(&ground.victim(), &collection.join(name));
    }
    ground.suffer("links beside good files");
    for room in ["warc", "log", "index", "state", "readers", "outbox", "state/spool", "state/snapshots"] {
        let collection = ground.collection();
        fs::remove_dir_all(collection.join(room)).ok();
        symlink(ground.here().join("victims"), collection.join(room)).unwrap();
        ground.suffer(&format!("{room} a link to another directory"));
    }
}

#[test]
fn pipes_and_devices_hang_nobody() {
    let ground = Ground::new();
    let collection = ground.collection();
    for path in places(&collection) {
        fs::remove_file(&path).ok();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    }
    ground.suffer("every file a pipe");
    let collection = ground.collection();
    places(&collection).iter().for_each(|path| link(Path::new("/dev/zero"), path));
    ground.suffer("every file a link to a device");
}

/// So many bytes that compress to next to nothing.
pub(crate) fn bomb(start: &[u8], bytes: usize) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(start).unwrap();
    let zeros = vec![b'a'; 1 << 20];
    (0..bytes >> 20).for_each(|_| gzip.write_all(&zeros).unwrap());
    gzip.finish().unwrap()
}

/// Names and bytes of files that are no use to anybody.
fn absurd() -> Vec<(&'static str, Vec<u8>)> {
    let record = |url: &str, length: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: {length}\r\n\r\n\
             HTTP/1.1 200 OK\r\n\r\nx\r\n\r\n"
        )
    };
    let odd =
        [("http://a/\u{1b}]0;x\u{7}", "20"), ("http://a/", "99999999999999999999"), ("http://a/", "-1"), ("", "")];
    let odd = odd.map(|(url, length)| record(url, length)).concat();
    let huge = record("http://a/", "9000000000000000000");
    vec![
        ("bomb.warc.gz", bomb(huge.as_bytes(), 64 << 20)),
        ("header.warc.gz", bomb(b"WARC/1.0\r\nX: ", 64 << 20)),
        ("odd.warc", odd.into_bytes()),
        ("nothing.warc.gz", Vec::new()),
        ("noise.warc.gz", (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect()),
        ("long.cdxj", vec![b'a'; 8 << 20]),
        ("deep.jsonl", [&b"{\"observe\":"[..], &vec![b'['; 1 << 20]].concat()),
        ("escape.jsonl", "{\"head\":{\"site\":\"\u{1b}[2J\"}}\n".repeat(100).into_bytes()),
    ]
}

#[test]
fn bombs_noise_and_giant_lines_are_survived_in_a_collection() {
    let ground = Ground::new();
    let collection = ground.collection();
    for (name, bytes) in absurd() {
        let room = if name.ends_with("jsonl") {
            "log"
        } else if name.ends_with("cdxj") {
            "index"
        } else {
            "warc"
        };
        fs::write(collection.join(room).join(name), bytes).unwrap();
    }
    fs::write(collection.join("log/giant.jsonl"), vec![b'{'; 70 << 20]).unwrap();
    ground.suffer("absurd files");
    let collection = ground.collection();
    for path in places(&collection).iter().filter(|path| path.is_file()) {
        fs::write(path, b"\0\xff noise \x1b[2J\n").unwrap();
    }
    ground.suffer("every file noise");
    assert!(!files(ground.here(), "warc").is_empty());
}

#[test]
fn absurd_files_are_refused_or_taken_in_as_far_as_they_make_sense() {
    let ground = Ground::new();
    let here = ground.here();
    let mut names = Vec::new();
    for (name, bytes) in absurd() {
        fs::write(here.join(name), bytes).unwrap();
        names.push(name);
    }
    assert!(Command::new("mkfifo").arg(here.join("pipe")).status().unwrap().success());
    symlink("/dev/zero", here.join("zero")).unwrap();
    fs::create_dir(here.join("directory")).unwrap();
    names.extend(["pipe", "zero", "directory", "absent"]);
    for name in names {
        for command in [
            &["import", name][..],
            &["import", "--objects", name],
            &["verify", "--certificate", name],
            &["verify", name],
            &["lab", "tournament", "--history", name, "--policies", "uniform", "--budget", "1/day"],
            &["lab", "media", "--train", name, "--test", name],
        ] {
            tried(here, command, name);
            ground.is_unhurt(name, command);
        }
        served(here, &[name], "http://a/", name);
    }
    tried(here, &["verify"], "after all imports");
    let verified = run(here, &["verify", "--json"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}
