//! Verification and indexing of any bytes: they agree with the reader, and every index line can be read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_fuzz::segment;
use tintype_warc::{Reader, cdxj, index, verify};

fuzz_target!(|data: &[u8]| {
    let Some(bytes) = segment(data) else { return };
    let mut records = 0;
    let mut reader = Reader::new(&bytes[..]);
    while reader.next().expect("memory does not fail").is_some() {
        records += 1;
    }
    let report = verify::check(Reader::new(&bytes[..]), &mut |_| false).expect("memory does not fail");
    assert_eq!((report.records, report.valid_up_to), (records, reader.valid_up_to()));
    assert!(report.findings.iter().is_sorted_by_key(|finding| finding.offset));
    assert!(report.findings.len() >= reader.findings().len());

    let lines = index::lines(&mut Reader::new(&bytes[..]), "x.warc.gz").expect("memory does not fail");
    // A key that begins like a header line is taken for one.
    for line in lines.split_terminator('\n').filter(|line| !line.starts_with(['!', '#'])) {
        let parsed = cdxj::Line::parse(line).expect("our own index line");
        assert_eq!(parsed.to_string(), line);
        assert!(parsed.time().is_some());
        let end = parsed.offset.zip(parsed.length).map(|(offset, length)| offset + length);
        assert!(end.is_some_and(|end| end <= bytes.len() as u64));
    }
});
