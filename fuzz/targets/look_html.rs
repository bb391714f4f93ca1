//! Any bytes as HTML or XHTML, in any declared charset.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_fuzz::look_as;

const TYPES: [&str; 8] = [
    "text/html",
    "text/html; charset=utf-8",
    "text/html; charset=utf-16le",
    "text/html; charset=iso-2022-jp",
    "text/html; charset=shift_jis",
    "application/xhtml+xml",
    "image/svg+xml",
    "*/*",
];

fuzz_target!(|data: &[u8]| {
    let Some((kind, body)) = data.split_first() else { return };
    look_as(TYPES[usize::from(*kind) % TYPES.len()], body);
});
