//! Any bytes as a sitemap or feed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_fuzz::look_as;

fuzz_target!(|data: &[u8]| {
    let Some((kind, body)) = data.split_first() else { return };
    const TYPES: [&str; 4] = ["application/xml", "application/rss+xml", "application/atom+xml", "text/plain"];
    look_as(TYPES[usize::from(*kind) % TYPES.len()], body);
});
