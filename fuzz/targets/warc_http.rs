//! HTTP heads, chunk framing and stated digests inside records.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_warc::{chunked::Dechunker, digest::Stated, http};

fn dechunk(pieces: impl Iterator<Item = impl AsRef<[u8]>>) -> (Vec<u8>, bool) {
    let (mut dechunker, mut body) = (Dechunker::new(), Vec::new());
    pieces.for_each(|piece| dechunker.feed(piece.as_ref(), &mut |bytes| body.extend_from_slice(bytes)));
    (body, dechunker.is_complete())
}

fuzz_target!(|data: &[u8]| {
    if let Some(head) = http::Head::parse(data) {
        assert!(head.len <= data.len());
        assert!(head.status().is_none_or(|status| (100..1000).contains(&status)));
        assert!(head.fields().count() <= http::FIELDS_MAX);
        for (name, _) in head.fields() {
            if let Ok(name) = std::str::from_utf8(name) {
                assert!(head.get(name).is_some(), "a field that is listed can be had by name");
            }
        }
        let without = http::without_transfer_encoding(&data[..head.len]);
        let again = http::Head::parse(&without).expect("the first line stays");
        assert!(again.get("transfer-encoding").is_none());
        assert_eq!(again.first_line(), head.first_line());
        assert_eq!(http::without_transfer_encoding(&without), without);
    }
    let whole = dechunk(std::iter::once(data));
    assert!(whole.0.len() <= data.len());
    assert_eq!(whole, dechunk(data.chunks(3)), "the size of the pieces does not matter");
    if let Ok(text) = std::str::from_utf8(data) {
        Stated::parse(text);
    }
});
