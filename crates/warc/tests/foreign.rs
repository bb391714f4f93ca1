//! Files made by other tools read as those tools read them.

use std::path::PathBuf;
use tintype_warc::{
    Problem, Reader,
    cdx::Columns,
    cdxj::Line,
    digest::Checker,
    index,
    wacz::{Package, parse_pages},
    zipnum,
};

fn fixture(name: &str) -> Vec<u8> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "fixtures", name].iter().collect();
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn expected_index(name: &str) -> String {
    String::from_utf8(fixture(name)).unwrap()
}

fn assert_same_lines(got: &str, want: &str) {
    for (got, want) in got.lines().zip(want.lines()) {
        assert_eq!(got, want);
    }
    assert_eq!(got.lines().count(), want.lines().count());
}

#[test]
fn our_index_is_that_of_cdxj_indexer_line_for_line() {
    for (segment, lines) in [
        ("wget.warc.gz", "wget.cdxj"),
        ("wget-plain.warc", "wget-plain.cdxj"),
        ("warcio.warc.gz", "warcio.cdxj"),
        ("odd.warc.gz", "odd.cdxj"),
    ] {
        let bytes = fixture(segment);
        let ours = index::lines(&mut Reader::new(bytes.as_slice()), segment).unwrap();
        assert_same_lines(&ours, &expected_index(lines));
    }
}

#[test]
fn lines_of_the_indexer_read_and_write_back() {
    for name in ["wget.cdxj", "warcio.cdxj", "odd.cdxj"] {
        for text in expected_index(name).lines() {
            assert_eq!(Line::parse(text).unwrap().to_string(), text);
        }
    }
}

/// RecordFindings of a whole file with digests checked.
fn problems(bytes: &[u8]) -> Vec<Problem> {
    let (mut reader, mut found) = (Reader::new(bytes), Vec::new());
    while let Some(mut record) = reader.next().unwrap() {
        let mut checker = Checker::new(record.header, record.block());
        record.pour(&mut |piece| checker.update(piece)).unwrap();
        found.extend(checker.finish());
    }
    assert_eq!(reader.valid_up_to(), bytes.len() as u64);
    found.extend(reader.findings().iter().map(|finding| finding.problem.clone()));
    found
}

#[test]
fn files_of_warcio_have_nothing_odd() {
    assert_eq!(problems(&fixture("warcio.warc.gz")), []);
}

#[test]
fn files_of_wget_have_only_the_oddities_wget_is_known_for() {
    for name in ["wget.warc.gz", "wget-plain.warc"] {
        let mut found = problems(&fixture(name));
        assert!(found.contains(&Problem::BracketedUri) && found.contains(&Problem::DigestOverChunks), "{name}");
        found.retain(|problem| !matches!(problem, Problem::BracketedUri | Problem::DigestOverChunks));
        assert_eq!(found, [], "{name}");
    }
}

#[test]
fn the_index_wget_writes_is_read_with_keys_of_our_own() {
    let (cdx, ours) = (expected_index("wget.cdx"), expected_index("wget.cdxj"));
    let columns = Columns::of_header(cdx.lines().next().unwrap()).unwrap();
    let entries: Vec<Line> = cdx.lines().skip(1).map(|line| columns.parse(line).unwrap()).collect();
    assert!(!entries.is_empty());
    for entry in entries {
        let same =
            ours.lines().map(|line| Line::parse(line).unwrap()).find(|line| line.offset == entry.offset).unwrap();
        assert_eq!((same.key, same.url, same.digest), (entry.key, entry.url, entry.digest));
    }
}

/// The odd file is left out: fastwarc does not read a `content-length` in lower case.
#[test]
fn fastwarc_sees_the_same_records() {
    use fastwarc::warc::iter::ArchiveIterator;
    use std::io::Read;
    for name in ["wget.warc.gz", "warcio.warc.gz"] {
        let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "fixtures", name].iter().collect();
        let bytes = fixture(name);
        let mut reader = Reader::new(bytes.as_slice());
        for theirs in ArchiveIterator::from_path(path.to_str().unwrap()).unwrap().with_parse_http(false) {
            let theirs = theirs.unwrap();
            let mut block = Vec::new();
            theirs.borrow_mut().reader_mut().unwrap().read_to_end(&mut block).unwrap();
            let ours = reader.next().unwrap().unwrap();
            assert_eq!(ours.block(), block, "{name} at {}", ours.offset);
        }
        assert!(reader.next().unwrap().is_none(), "{name}");
    }
}

#[test]
fn a_package_of_py_wacz_is_read() {
    let mut package = Package::open(std::io::Cursor::new(fixture("pywacz.wacz"))).unwrap();
    assert!(package.wrong_resources().unwrap().is_empty());
    assert_eq!(package.datapackage().unwrap().title.as_deref(), Some("A title"));
    let segment = package.member("archive/warcio.warc.gz").unwrap();
    let (start, len) = package.range(&segment).unwrap();
    assert_eq!(fixture("pywacz.wacz")[start as usize..(start + len) as usize], fixture("warcio.warc.gz"));
    let lines = index::lines(&mut Reader::new(package.stream(&segment).unwrap()), "warcio.warc.gz").unwrap();
    assert_eq!(lines, expected_index("warcio.cdxj"));

    let second = package.member("indexes/index.idx").unwrap();
    let blocks = zipnum::parse_index(&String::from_utf8(package.read(&second, 10_000).unwrap()).unwrap());
    let data = package.member("indexes/index.cdx.gz").unwrap();
    let data = package.read(&data, 10_000).unwrap();
    let text = zipnum::inflate_block(&data[..blocks[0].length as usize]).unwrap();
    assert_eq!(text.lines().count(), lines.lines().count());
    let pages = package.member("pages/pages.jsonl").unwrap();
    let pages = parse_pages(&String::from_utf8(package.read(&pages, 10_000).unwrap()).unwrap());
    assert!(pages.iter().any(|page| page.url == "http://www.example.com/"));
}
