//! Content codings: any bytes under any claim; and what was coded properly looks as if it had never been.
#![no_main]

use flate2::{
    Compression,
    write::{DeflateEncoder, GzEncoder, ZlibEncoder},
};
use libfuzzer_sys::fuzz_target;
use std::io::Write;
use tintype_fuzz::all_links_hold;
use tintype_observe::{Described, Look, look};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all bytes")
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all bytes")
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all bytes")
}

fn looked(coding: Option<&str>, body: &[u8]) -> Look {
    let described = Described {
        url: "http://example.com/dir/page",
        content_type: Some("text/html"),
        content_encoding: coding,
        ..Described::default()
    };
    let look = look(&described, body);
    all_links_hold(&look);
    look
}

fuzz_target!(|data: &[u8]| {
    const CLAIMS: [&str; 4] = ["gzip", "deflate", "deflate, gzip", "gzip, gzip, x-gzip"];
    let Some((form, body)) = data.split_first() else { return };
    let coded = match form % 5 {
        0 => (CLAIMS[usize::from(*form >> 6)], body.to_vec()),
        1 => ("gzip", gzip(body)),
        2 => ("deflate", zlib(body)),
        3 => ("deflate", deflate(body)),
        _ => ("deflate, x-gzip", gzip(&zlib(body))),
    };
    let look = looked(Some(coded.0), &coded.1);
    if form % 5 != 0 {
        assert_eq!(look, looked(None, body));
    }
    looked(Some(coded.0), &coded.1[..coded.1.len() / 2]);
});
