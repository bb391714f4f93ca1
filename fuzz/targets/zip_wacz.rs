//! ZIP directories and packages: any bytes are a package or a reason why not, within limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::{Cursor, Read};
use tintype_warc::wacz::{self, Package};

const LIMIT: usize = 1 << 20;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        wacz::parse_pages(text);
    }
    let Ok(mut package) = Package::open(Cursor::new(data)) else { return };
    assert!(package.members().len() <= data.len() / 46);
    for member in package.members().to_vec().iter().take(50) {
        if let Ok((start, _)) = package.range(member) {
            assert!(start >= 30);
        }
        if let Ok(bytes) = package.read(member, LIMIT) {
            assert!(bytes.len() <= LIMIT);
        }
        if let Ok(stream) = package.stream(member) {
            let mut bytes = Vec::new();
            let _ = stream.take(LIMIT as u64).read_to_end(&mut bytes);
        }
    }
    assert!(package.segments().count() <= package.members().len());
    let _ = package.datapackage();
    let _ = package.wrong_resources();
});
