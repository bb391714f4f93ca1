//! Every record of any bytes: bounded, in order, found again at its place, whatever the pieces it is read in.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::{self, Read};
use tintype_fuzz::segment;
use tintype_warc::{Extent, Limits, Problem, Reader};

/// What was read of one record.
#[derive(Debug, PartialEq)]
struct Met {
    header: Vec<(String, String)>,
    offset: u64,
    block: Vec<u8>,
    extent: Option<Extent>,
}

/// What was read of a segment.
#[derive(Debug, PartialEq)]
struct All {
    records: Vec<Met>,
    findings: Vec<String>,
    valid_up_to: u64,
    shared: bool,
}

fn read(bytes: impl Read, limits: Limits) -> All {
    let mut reader = Reader::with_limits(bytes, limits);
    let (mut records, mut valid_up_to) = (Vec::new(), 0);
    while let Some(mut record) = reader.next().expect("memory does not fail") {
        let header = record.header.iter().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
        let (offset, block_len, mut block) = (record.offset, record.block_len, Vec::new());
        let extent = record.pour(&mut |piece| block.extend_from_slice(piece)).expect("memory does not fail");
        match extent {
            Some(extent) => assert!(block.len() as u64 == block_len && extent.offset == offset),
            None => assert!(block.len() as u64 <= block_len),
        }
        records.push(Met { header, offset, block, extent });
        assert!(reader.valid_up_to() >= valid_up_to, "what was whole stays whole");
        valid_up_to = reader.valid_up_to();
    }
    assert!(reader.valid_up_to() >= valid_up_to);
    assert!(reader.next().expect("memory does not fail").is_none(), "the end is the end");
    let shared = reader.findings().iter().any(|finding| finding.problem == Problem::SharedMember);
    let findings = reader.findings().iter().map(ToString::to_string).collect();
    All { records, findings, valid_up_to: reader.valid_up_to(), shared }
}

/// Hands out a few bytes at a time.
struct Dribble<'a>(&'a [u8], usize);

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(buffer.len());
        self.0.read(&mut buffer[..count])
    }
}

fuzz_target!(|data: &[u8]| {
    let Some(bytes) = segment(data) else { return };
    let size = bytes.len() as u64;
    let limits = Limits::default();
    let all = read(&bytes[..], limits);
    assert!(all.valid_up_to <= size);
    assert!(all.records.is_sorted_by_key(|record| record.offset));
    assert_eq!(all, read(Dribble(&bytes, 1021), limits), "the size of the pieces does not matter");
    for record in all.records.iter().take(20) {
        let Some(Extent { offset, length }) = record.extent else { continue };
        let end = offset.checked_add(length).filter(|end| *end <= size).expect("a record is inside its file");
        if !all.shared {
            let again = read(&bytes[offset as usize..end as usize], limits);
            let first = again.records.first().expect("a record is where it was said to be");
            assert_eq!((&first.header, &first.block), (&record.header, &record.block));
        }
    }
    read(&bytes[..], Limits { header_bytes: 256, block_bytes_in_memory: 32 });
});
