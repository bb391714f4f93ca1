//! Written records read back; a file cut anywhere says how far it is good; damage is passed over.

use proptest::prelude::*;
use std::io::Read;
use tintype_vocab::Time;
use tintype_warc::{
    Composer, Encoder, Header, Limits, Problem, Reader, RecordId, RecordType, ResponseHead, digest::sha1_of,
};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";

fn header_for(number: u32, body: &[u8]) -> Header {
    let about = ResponseHead {
        url: &format!("http://example.org/{number}"),
        date: Time::from_secs(1_794_779_703),
        address: Some("127.0.0.1"),
        protocols: &[],
        truncated: None,
    };
    let (block, payload) = (sha1_of(&[HEAD, body]), sha1_of(&[body]));
    let len = (HEAD.len() + body.len()) as u64;
    Composer::new().response(RecordId::new(number.into()), &about, block, payload, len).clone()
}

/// A segment and where each record of it ends.
fn segment(bodies: &[&[u8]], gzip: bool) -> (Vec<u8>, Vec<usize>) {
    let (mut bytes, mut ends, mut encoder) = (Vec::new(), Vec::new(), Encoder::default());
    for (number, body) in bodies.iter().enumerate() {
        let header = header_for(number as u32, body);
        if gzip {
            encoder.encode(&header, &[HEAD, body], &mut bytes);
        } else {
            header.write_to(&mut bytes);
            [HEAD, body, b"\r\n\r\n"].iter().for_each(|part| bytes.extend_from_slice(part));
        }
        ends.push(bytes.len());
    }
    (bytes, ends)
}

struct Outcome {
    blocks: Vec<Vec<u8>>,
    extents: Vec<(u64, u64)>,
    problems: Vec<(u64, Problem)>,
    valid_up_to: u64,
}

fn read_with(bytes: &[u8], limits: Limits) -> Outcome {
    let mut reader = Reader::with_limits(bytes, limits);
    let (mut blocks, mut extents) = (Vec::new(), Vec::new());
    while let Some(mut record) = reader.next().unwrap() {
        let mut block = Vec::new();
        if let Some(extent) = record.pour(&mut |piece| block.extend_from_slice(piece)).unwrap() {
            blocks.push(block);
            extents.push((extent.offset, extent.length));
        }
    }
    let problems = reader.findings().iter().map(|f| (f.offset, f.problem.clone())).collect();
    Outcome { blocks, extents, problems, valid_up_to: reader.valid_up_to() }
}

fn read(bytes: &[u8]) -> Outcome {
    read_with(bytes, Limits::default())
}

fn small() -> Limits {
    Limits { block_bytes_in_memory: 64, ..Limits::default() }
}

#[test]
fn records_come_back_with_their_places() {
    let bodies: [&[u8]; 3] = [b"one", b"", &[7; 3000]];
    let (bytes, ends) = segment(&bodies, true);
    for limits in [Limits::default(), small()] {
        let seen = read_with(&bytes, limits);
        assert_eq!(seen.problems, []);
        assert_eq!(seen.valid_up_to, bytes.len() as u64);
        let starts = [0, ends[0], ends[1]];
        for i in 0..3 {
            assert_eq!(seen.blocks[i], [HEAD, bodies[i]].concat());
            assert_eq!(seen.extents[i], (starts[i] as u64, (ends[i] - starts[i]) as u64));
        }
    }
    let mut reader = Reader::new(bytes.as_slice());
    let record = reader.next().unwrap().unwrap();
    assert_eq!(record.header.record_type(), RecordType::Response);
    assert_eq!(record.header.target_uri().as_deref(), Some("http://example.org/0"));
    assert_eq!(record.header.payload_digest(), Some(sha1_of(&[b"one"]).to_string().as_str()));
}

#[test]
fn a_segment_cut_at_every_byte_is_good_up_to_its_last_whole_record() {
    let bodies: [&[u8]; 3] = [b"one", b"two two two two", b"three"];
    let (bytes, ends) = segment(&bodies, true);
    for cut in 0..=bytes.len() {
        let good = ends.iter().filter(|end| **end <= cut).count();
        let valid = ends[..good].last().copied().unwrap_or(0);
        for limits in [Limits::default(), small()] {
            let seen = read_with(&bytes[..cut], limits);
            assert_eq!(seen.blocks.len(), good, "cut at {cut}");
            assert_eq!(seen.valid_up_to, valid as u64, "cut at {cut}");
            let torn = (valid < cut).then_some((valid as u64, Problem::Torn));
            assert_eq!(seen.problems, Vec::from_iter(torn), "cut at {cut}");
        }
    }
}

#[test]
fn a_plain_segment_cut_at_every_byte_is_good_up_to_its_last_whole_record() {
    let bodies: [&[u8]; 3] = [b"one", b"two two two two", b"three"];
    let (bytes, ends) = segment(&bodies, false);
    for cut in 0..=bytes.len() {
        let seen = read(&bytes[..cut]);
        let good = ends.iter().filter(|end| **end <= cut + 4).count();
        assert_eq!(seen.blocks.len(), good, "cut at {cut}");
        let torn = seen.problems.iter().any(|(_, problem)| *problem == Problem::Torn);
        let inside_record = ends[..good].last().copied().unwrap_or(0) < cut;
        assert_eq!(torn, inside_record, "cut at {cut}: {:?}", seen.problems);
        if torn {
            assert_eq!(seen.valid_up_to, ends[..good].last().copied().unwrap_or(0) as u64);
        }
    }
}

#[test]
fn every_flipped_byte_costs_one_record_at_most() {
    let bodies: [&[u8]; 4] = [b"one", b"two two two two", b"three", b"four"];
    let (bytes, ends) = segment(&bodies, true);
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xff;
        let seen = read(&damaged);
        let victim = ends.iter().filter(|end| **end <= at).count();
        let rest: Vec<_> = (0..4).filter(|i| *i != victim).map(|i| [HEAD, bodies[i]].concat()).collect();
        if seen.blocks.len() == 4 {
            continue; // the gzip header's time and system bytes mean nothing
        }
        assert_eq!(seen.blocks, rest, "flipped {at}");
        assert!(!seen.problems.is_empty());
    }
}

#[test]
fn a_member_cut_short_and_written_after_is_passed_over() {
    let (first, _) = segment(&[b"one one one one one"], true);
    let (second, _) = segment(&[b"two"], true);
    for cut in 1..first.len() {
        let bytes = [&first[..cut], &second].concat();
        let seen = read(&bytes);
        assert_eq!(seen.blocks, [[HEAD, b"two"].concat()], "cut at {cut}");
        assert_eq!(seen.extents, [(cut as u64, second.len() as u64)]);
        assert!(seen.problems.contains(&(0, Problem::Skipped { bytes: cut as u64 })), "{:?}", seen.problems);
    }
}

#[test]
fn garbage_between_members_is_counted() {
    let (one, _) = segment(&[b"one"], true);
    let bytes = [&one[..], &[0; 5000], &one].concat();
    let seen = read(&bytes);
    assert_eq!(seen.blocks.len(), 2);
    assert_eq!(seen.problems, [(one.len() as u64, Problem::Skipped { bytes: 5000 })]);
    let tail = read(&bytes[..one.len() + 5000]);
    assert_eq!(tail.valid_up_to, one.len() as u64);
}

#[test]
fn one_gzip_stream_over_all_records_is_read_and_reported() {
    let (plain, _) = segment(&[b"one", b"two", &[3; 200]], false);
    let mut whole = Vec::new();
    flate2::read::GzEncoder::new(plain.as_slice(), flate2::Compression::fast()).read_to_end(&mut whole).unwrap();
    for limits in [Limits::default(), small()] {
        let seen = read_with(&whole, limits);
        assert_eq!(seen.blocks.len(), 3);
        assert_eq!(seen.problems, [(0, Problem::SharedMember)]);
        assert_eq!(seen.valid_up_to, whole.len() as u64);
    }
    let torn = read(&whole[..whole.len() - 1]);
    assert_eq!(torn.blocks.len(), 2);
    assert_eq!(torn.problems, [(0, Problem::SharedMember), (0, Problem::Torn)]);
    assert_eq!(torn.valid_up_to, 0, "nothing inside a torn member can be looked up");
}

#[test]
fn rubbish_between_the_records_of_one_member_does_not_hide_that_they_share_it() {
    let (one, two) = (segment(&[b"one"], false).0, segment(&[b"two"], false).0);
    let stream = zstd::bulk::compress(&[&one[..], b"rubbish\r\n", &two].concat(), 1).unwrap();
    let seen = read(&stream);
    assert_eq!(seen.blocks.len(), 2);
    assert!(seen.problems.contains(&(0, Problem::SharedMember)), "{:?}", seen.problems);
}

/// Looking at a whole header's worth of bytes for each of the lines would run for minutes.
#[test]
fn version_lines_without_end_are_passed_over_in_one_go() {
    let record = segment(&[b"one"], false).0;
    let bytes = [&b"WARC/1.0\r\n".repeat(200_000)[..], &record].concat();
    let seen = read(&bytes);
    assert_eq!(seen.blocks, [[HEAD, b"one"].concat()]);
    assert_eq!(seen.extents, [((bytes.len() - record.len()) as u64, record.len() as u64 - 4)]);
    assert!(seen.problems.iter().all(|(_, problem)| *problem == Problem::HeaderTooLarge), "{:?}", seen.problems);
    assert!((1..20).contains(&seen.problems.len()));
}

#[test]
fn zstd_segments_read_with_and_without_dictionary() {
    let bodies: [&[u8]; 2] = [b"one", &[5; 999]];
    let plain: Vec<Vec<u8>> = (0..2).map(|i| segment(&bodies[i..=i], false).0).collect();
    let bare: Vec<u8> = plain.iter().flat_map(|record| zstd::bulk::compress(record, 3).unwrap()).collect();
    let dictionary = plain[0].clone();
    let mut framed = [&[0x5d, 0x2a, 0x4d, 0x18][..], &(dictionary.len() as u32).to_le_bytes(), &dictionary].concat();
    for record in &plain {
        let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
        framed.extend(compressor.compress(record).unwrap());
    }
    for bytes in [bare, framed] {
        let seen = read(&bytes);
        assert_eq!(seen.blocks, [[HEAD, bodies[0]].concat(), [HEAD, bodies[1]].concat()]);
        assert_eq!((seen.problems, seen.valid_up_to), (vec![], bytes.len() as u64));
    }
}

#[test]
fn a_record_larger_than_memory_streams_through() {
    let body: Vec<u8> = (0..3_000_000u32).flat_map(|n| n.to_le_bytes()).collect();
    let header = header_for(1, &body);
    let (mut bytes, len) = (Vec::new(), (HEAD.len() + body.len()) as u64);
    Encoder::default().encode_stream(&header, &mut HEAD.chain(body.as_slice()), len, &mut bytes).unwrap();
    let stored = bytes.len() as u64;
    Encoder::default().encode(&header_for(2, b"x"), &[HEAD, b"x"], &mut bytes);
    let mut reader =
        Reader::with_limits(bytes.as_slice(), Limits { block_bytes_in_memory: 1 << 16, ..Limits::default() });
    let mut record = reader.next().unwrap().unwrap();
    assert!(!record.is_whole() && record.block().starts_with(HEAD) && record.block_len == len);
    let extent = record.extent().unwrap().unwrap();
    assert_eq!((extent.offset, extent.length), (0, stored));
    assert_eq!(reader.next().unwrap().unwrap().block(), [HEAD, b"x"].concat());
    assert!(reader.next().unwrap().is_none() && reader.findings().is_empty());
}

#[test]
fn wrong_content_lengths_are_named() {
    let mut header = Header::new();
    header.push("WARC-Type", "resource");
    header.push("Content-Length", "5");
    let pack = |header: &Header, block: &[u8]| {
        let mut bytes = Vec::new();
        Encoder::default().encode(header, &[block], &mut bytes);
        bytes
    };
    let short = read(&pack(&header, b""));
    assert_eq!(short.problems[0], (0, Problem::WrongContentLength { declared: 5, found: 4 }));
    let long = read(&pack(&header, b"abcdefgh"));
    assert_eq!(long.problems[0], (0, Problem::WrongContentLength { declared: 5, found: 8 }));
    let mut none = Header::new();
    none.push("WARC-Type", "resource");
    let read_all = read(&pack(&none, b"abcdefgh"));
    assert_eq!(
        (read_all.problems, read_all.blocks),
        (vec![(0, Problem::BadContentLength)], vec![b"abcdefgh".to_vec()])
    );
}

#[test]
fn an_endless_header_is_not_kept_in_memory() {
    let mut plain = b"WARC/1.0\r\n".to_vec();
    (0..100_000).for_each(|_| plain.extend_from_slice(b"Name: value\r\n"));
    plain.extend_from_slice(b"\r\n");
    let (good, _) = segment(&[b"one"], false);
    let seen = read(&[plain, good].concat());
    assert_eq!(seen.problems[0], (0, Problem::HeaderTooLarge));
    assert_eq!(seen.blocks.len(), 1);
}

#[test]
fn members_inside_members_are_not_read_over_and_over() {
    // Each start is followed by a stored block of 65,535 bytes that holds thousands of further starts.
    let start = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, b'W', b'A', b'R', b'C', b'/'];
    let bytes = start.repeat(100_000);
    let seen = read(&bytes);
    assert!(seen.blocks.is_empty() && seen.valid_up_to == 0 && !seen.problems.is_empty());
}

#[test]
fn an_empty_file_has_no_records_and_nothing_odd() {
    let seen = read(b"");
    assert!(seen.blocks.is_empty() && seen.problems.is_empty());
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_the_end(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let seen = read(&bytes);
        prop_assert!(seen.valid_up_to <= bytes.len() as u64);
        let gz = [&[0x1f, 0x8b, 8, 0], bytes.as_slice()].concat();
        read(&gz);
        read(&[b"WARC/1.0\r\n", bytes.as_slice()].concat());
        read(&[&[0x28, 0xb5, 0x2f, 0xfd], bytes.as_slice()].concat());
    }

    #[test]
    fn arbitrary_text_inside_a_member_is_read(text in "(WARC/1\\.[01]|\r\n|Content-Length: [0-9]{1,3}|[a-z ]){0,60}") {
        let mut bytes = Vec::new();
        flate2::read::GzEncoder::new(text.as_bytes(), flate2::Compression::fast()).read_to_end(&mut bytes).unwrap();
        for limits in [Limits::default(), small()] {
            read_with(&bytes, limits);
            read_with(text.as_bytes(), limits);
        }
    }

    #[test]
    fn bodies_round_trip(bodies in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..300), 0..6), gzip: bool) {
        let slices: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
        let (bytes, _) = segment(&slices, gzip);
        for limits in [Limits::default(), small()] {
            let seen = read_with(&bytes, limits);
            prop_assert_eq!(seen.problems, vec![]);
            let want: Vec<Vec<u8>> = slices.iter().map(|body| [HEAD, body].concat()).collect();
            prop_assert_eq!(seen.blocks, want);
        }
    }
}
