//! Reading, indexing and writing one segment, beside a bare libdeflate loop and the fastwarc crate on the same bytes.
//!
//! `cargo bench -p tintype-warc`; `TINTYPE_BENCH_SEGMENT=file.warc.gz` takes a file of your own instead.

use criterion::{
    Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
    measurement::{Measurement, ValueFormatter, WallTime},
};
use sha1::{Digest as _, Sha1};
use std::{hint::black_box, io::Read, time::Duration};
use tintype_vocab::Time;
use tintype_warc::{
    Composer, Encoder, Header, Reader, RecordId, RecordType, ResponseHead,
    digest::{sha1, sha1_of},
    http::Head,
    index::Indexer,
};

/// Time this thread really ran, as Linux counts it: neighbours on the machine do not show.
struct CpuTime;

fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux with scheduler statistics");
    let nanos = stat.split(' ').next().and_then(|n| n.parse().ok()).expect("a number of nanoseconds");
    Duration::from_nanos(nanos)
}

impl Measurement for CpuTime {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        cpu_time()
    }

    fn end(&self, start: Duration) -> Duration {
        cpu_time() - start
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

const PAIRS: u32 = 3000;

/// Text that deflates about as well as HTML does: words of a small vocabulary, repeated by a fixed generator.
fn page(seed: u32) -> Vec<u8> {
    let mut state = u64::from(seed) + 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let len = 4_000 + next() as usize % 24_000;
    let mut text = Vec::with_capacity(len + 64);
    while text.len() < len {
        let word = next() % 20_000;
        match next() % 12 {
            0 => text.extend_from_slice(format!("</p>\n<p><a href=\"/d{}/page-{word}.html\">", word % 97).as_bytes()),
            _ => text.extend_from_slice(format!("{:x} ", u64::from(word) * 2_654_435_761 % 0xff_ffff).as_bytes()),
        }
    }
    text
}

fn segment() -> Vec<u8> {
    if let Some(path) = std::env::var_os("TINTYPE_BENCH_SEGMENT") {
        return std::fs::read(path).expect("the segment to measure");
    }
    let (mut encoder, mut composer, mut out) = (Encoder::new(6), Composer::new(), Vec::new());
    for number in 0..PAIRS {
        write_pair(&mut encoder, &mut composer, number, &page(number), &mut out);
    }
    out
}

fn write_pair(encoder: &mut Encoder, composer: &mut Composer, number: u32, body: &[u8], out: &mut Vec<u8>) {
    let url = format!("http://127.0.0.1:8080/d{}/page-{number}.html", number % 97);
    let head = format!(
        "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Sun, 15 Nov 2026 21:55:03 GMT\r\nContent-Type: text/html\r\n\
         Content-Length: {}\r\nConnection: keep-alive\r\nETag: \"6917a2b5-{number:x}\"\r\nAccept-Ranges: bytes\r\n\r\n",
        body.len()
    );
    let request = format!("GET /page-{number}.html HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: bench\r\n\r\n");
    let date = Time::from_secs(1_794_779_703);
    let about = ResponseHead { url: &url, date, address: Some("127.0.0.1"), protocols: &[], truncated: None };
    let (id, len) = (RecordId::new(number.into()), (head.len() + body.len()) as u64);
    let header = composer.response(id, &about, sha1_of(&[head.as_bytes(), body]), sha1(body), len);
    encoder.encode(header, &[head.as_bytes(), body], out);
    let asked = request.as_bytes();
    let header = composer.request(RecordId::new(!u128::from(number)), &about, id, sha1(asked), asked.len() as u64);
    encoder.encode(header, &[asked], out);
}

/// Iterate, parse HTTP heads, SHA-1 of every payload.
fn read_full(bytes: &[u8]) -> u64 {
    let (mut reader, mut sum) = (Reader::new(bytes), 0);
    while let Some(record) = reader.next().expect("memory does not fail") {
        let block = record.block();
        let response = record.header.record_type() == RecordType::Response;
        let head = if response { Head::parse(block) } else { None };
        let payload = &block[head.as_ref().map_or(0, |head| head.len)..];
        sum += u64::from(Sha1::digest(payload)[0]) + u64::from(head.and_then(|head| head.status()).unwrap_or(0));
    }
    assert!(reader.findings().is_empty());
    sum
}

fn index(bytes: &[u8]) -> usize {
    let (mut reader, mut indexer, mut out) = (Reader::new(bytes), Indexer::new("segment.warc.gz"), String::new());
    while let Some(mut record) = reader.next().expect("memory does not fail") {
        indexer.line(&mut record, &mut out).expect("memory does not fail");
    }
    out.len()
}

fn fastwarc_full(bytes: &[u8]) -> u64 {
    use fastwarc::warc::iter::ArchiveIterator;
    let path = std::env::temp_dir().join("tintype-bench-segment.warc.gz");
    if std::fs::metadata(&path).map_or(0, |meta| meta.len()) != bytes.len() as u64 {
        std::fs::write(&path, bytes).expect("a place for the segment");
    }
    let (mut sum, mut block) = (0, Vec::new());
    for record in ArchiveIterator::from_path(path.to_str().expect("a text path")).unwrap().with_parse_http(true) {
        block.clear();
        record.unwrap().borrow_mut().reader_mut().unwrap().read_to_end(&mut block).unwrap();
        sum += u64::from(Sha1::digest(&block)[0]);
    }
    sum
}

/// The least that can be done: inflate every member, find the header's end, SHA-1 of the rest.
#[allow(unsafe_code)]
fn bare_loop(bytes: &[u8], room: &mut [u8]) -> u64 {
    // SAFETY: slices are passed with their own lengths; the decompressor is freed once, at the end.
    unsafe {
        let decompressor = libdeflate_sys::libdeflate_alloc_decompressor();
        let (mut at, mut sum) = (0, 0);
        while at < bytes.len() {
            let (mut taken, mut made) = (0, 0);
            let (from, to) = (bytes[at..].as_ptr().cast(), room.as_mut_ptr().cast());
            let left = bytes.len() - at;
            let result = libdeflate_sys::libdeflate_gzip_decompress_ex(
                decompressor,
                from,
                left,
                to,
                room.len(),
                &mut taken,
                &mut made,
            );
            assert_eq!(result, 0);
            let head = memchr::memmem::find(&room[..made], b"\r\n\r\n").expect("a header");
            sum += u64::from(Sha1::digest(&room[head + 4..made - 4])[0]);
            at += taken;
        }
        libdeflate_sys::libdeflate_free_decompressor(decompressor);
        sum
    }
}

fn decoded_size(bytes: &[u8]) -> (u64, u64) {
    let (mut reader, mut size, mut records) = (Reader::new(bytes), 0, 0);
    while let Some(record) = reader.next().expect("memory does not fail") {
        let mut header = Vec::new();
        record.header.write_to(&mut header);
        size += header.len() as u64 + record.block_len + 4;
        records += 1;
    }
    (size, records)
}

fn measure(c: &mut Criterion<CpuTime>) {
    let bytes = segment();
    let (size, records) = decoded_size(&bytes);
    let mut group = c.benchmark_group("read");
    group.sampling_mode(SamplingMode::Flat).sample_size(10).measurement_time(Duration::from_secs(5));
    group.throughput(Throughput::Bytes(size));
    let mut room = vec![0; 64 << 20];
    group.bench_function("bare libdeflate and SHA-1", |b| b.iter(|| bare_loop(black_box(&bytes), &mut room)));
    group.bench_function("iterate, HTTP heads, SHA-1", |b| b.iter(|| read_full(black_box(&bytes))));
    group.bench_function("fastwarc crate, the same", |b| b.iter(|| fastwarc_full(black_box(&bytes))));
    group.throughput(Throughput::Elements(records));
    group.bench_function("index to CDXJ", |b| b.iter(|| index(black_box(&bytes))));
    group.finish();
    let pages: Vec<Vec<u8>> = (0..200).map(page).collect();
    let mut group = c.benchmark_group("write");
    group.sampling_mode(SamplingMode::Flat).sample_size(10).measurement_time(Duration::from_secs(3));
    group.throughput(Throughput::Elements(pages.len() as u64 * 2));
    let (mut encoder, mut composer, mut out) = (Encoder::default(), Composer::new(), Vec::new());
    group.bench_function("request and response, digests, level 1", |b| {
        b.iter(|| {
            out.clear();
            (0..).zip(&pages).for_each(|(i, page)| write_pair(&mut encoder, &mut composer, i, page, &mut out));
            out.len()
        })
    });
    let header = Header::new();
    group.bench_function("the same bytes, compression alone", |b| {
        b.iter(|| {
            out.clear();
            pages.iter().for_each(|page| _ = encoder.encode(&header, &[page], &mut out));
            out.len()
        })
    });
    group.finish();
}

criterion_group!(name = benches; config = Criterion::default().with_measurement(CpuTime); targets = measure);
criterion_main!(benches);
