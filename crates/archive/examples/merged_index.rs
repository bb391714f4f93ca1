//! What merging the indexes of many segments costs, and what a look-up in them costs then.
//!
//! `merged_index make DIR SEGMENTS LINES` writes the indexes of so many segments with so many lines each, over pages that are
//! in all of them by chance, with digests that do not compress; `merged_index merge DIR` merges them; `merged_index look DIR
//! TIMES` looks up pages by lot, in the process. Nothing but indexes is made: there are no segments.

use std::{
    env,
    error::Error,
    fmt::Write as _,
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
    time::Instant,
};
use tintype_archive::{Collection, OpenOptions};
use tintype_vocab::Time;
use tintype_warc::zipnum::{self, BlockWriter};

const LINES_PER_BLOCK: usize = zipnum::LINES_PER_BLOCK;
const HOSTS: u64 = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", path, segments, lines] => make(Path::new(path), segments.parse()?, lines.parse()?),
        ["merge", path] => merge(Path::new(path)),
        ["look", path, times] => look(Path::new(path), times.parse()?),
        _ => Err("merged_index make DIR SEGMENTS LINES | merge DIR | look DIR TIMES".into()),
    }
}

fn open(path: &Path) -> Result<Collection, tintype_archive::Error> {
    Collection::open(path, OpenOptions { create: true, command: "merged_index".to_owned(), now: Time::from_secs(0) })
}

/// Numbers that look like chance, the same each time.
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The page a line is of: every segment has some of each site.
fn page(segments: u64, lines: u64, segment: u64, n: u64) -> u64 {
    let pages = segments * lines / 3 + 1;
    n * pages / lines + mixed(segment << 40 | n) % (pages / lines + 1)
}

fn url(pages: u64, page: u64) -> (u64, String) {
    let host = page * HOSTS / pages;
    (host, format!("section-{}/page-{page:09}", page % 7))
}

fn make(path: &Path, segments: u64, lines: u64) -> Result<(), Box<dyn Error>> {
    drop(open(path)?);
    let pages = segments * lines / 3 + 2;
    for segment in 0..segments {
        let name = format!("tintype-2026{segment:013}-00000-host");
        let seen = Time::from_secs(1_780_000_000 + segment as i64).to_timestamp14();
        let mut all = Vec::new();
        for n in 0..lines {
            let (host, rest) = url(pages, page(segments, lines, segment, n));
            let mut line = format!("com,example-{host:04})/{rest} {seen} ");
            let (digest, offset) = (mixed(segment * lines + n), n * 9_731);
            let digest = format!("{:016X}{:016X}", digest, mixed(digest));
            write!(
                line,
                "{{\"url\": \"https://example-{host:04}.com/{rest}\", \"mime\": \"text/html\", \"status\": \"200\", \"digest\": \"sha1:{digest}\", \"length\": \"{}\", \"offset\": \"{offset}\", \"filename\": \"{name}.warc.gz\"}}",
                300 + mixed(n) % 20_000
            )?;
            all.push(line);
        }
        all.sort_unstable();
        let file = |end: &str| path.join("index").join(format!("{name}{end}"));
        let mut data = BufWriter::with_capacity(1 << 20, File::create(file(".cdx.gz"))?);
        let mut writer = BlockWriter::new(LINES_PER_BLOCK);
        all.iter().try_for_each(|line| writer.add(line.as_bytes(), &mut |member| data.write_all(member)))?;
        let blocks = writer.finish(&mut |member| data.write_all(member))?;
        data.flush()?;
        fs::write(file(".loc"), format!("lines\t{name}.cdx.gz\n"))?;
        fs::write(file(".idx"), zipnum::summary(&blocks, "lines"))?;
    }
    Ok(())
}

fn merge(path: &Path) -> Result<(), Box<dyn Error>> {
    let began = Instant::now();
    let collection = open(path)?;
    let waited = collection.merge_indexes()?;
    let bytes: u64 = fs::read_dir(path.join("index/merged"))?
        .map(|file| file?.metadata().map(|file| file.len()))
        .sum::<Result<_, _>>()?;
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{}",
        serde_json::json!({ "seconds": seconds, "lines_while_waited": waited, "bytes": bytes, "rss_mib": most_resident() })
    );
    Ok(())
}

fn look(path: &Path, times: u64) -> Result<(), Box<dyn Error>> {
    let (segments, lines) = size(path)?;
    let pages = segments * lines / 3 + 2;
    let began = Instant::now();
    let reading = Collection::read(path)?;
    let mut found = 0;
    let mut start = None;
    for n in 0..times {
        let (segment, line) = (mixed(n) % segments, mixed(n + times) % lines);
        let (host, rest) = url(pages, page(segments, lines, segment, line));
        let versions = reading.versions(&format!("https://example-{host:04}.com/{rest}"))?;
        assert!(!versions.is_empty(), "{rest}");
        found += versions.len();
        start.get_or_insert_with(|| began.elapsed());
    }
    let spent = began.elapsed().as_secs_f64() * 1000.0 / times as f64;
    let first = start.unwrap_or_default().as_secs_f64() * 1000.0;
    println!(
        "{}",
        serde_json::json!({ "look_ups": times, "found": found, "ms_each": spent, "first_ms": first, "rss_mib": most_resident() })
    );
    Ok(())
}

/// How many segments and lines of each `make` wrote, by the last block of the last list.
fn size(path: &Path) -> Result<(u64, u64), Box<dyn Error>> {
    let mut lists: Vec<_> =
        fs::read_dir(path.join("index"))?.map(|file| file.map(|file| file.path())).collect::<Result<_, _>>()?;
    lists.retain(|path| path.extension().is_some_and(|end| end == "idx"));
    let list = lists.iter().max().ok_or("no indexes")?;
    let bytes = fs::read(list.with_extension("cdx.gz"))?;
    let lines = zipnum::inflate_blocks(&bytes).ok_or("a damaged index")?.lines().count();
    Ok((lists.len() as u64, lines as u64))
}

/// The most memory that was resident, in MiB, where the kernel tells.
fn most_resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kib| kib / 1024)
}
