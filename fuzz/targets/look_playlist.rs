//! Any bytes as a playlist: HLS or DASH.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_fuzz::look_as;

fuzz_target!(|data: &[u8]| {
    look_as("application/vnd.apple.mpegurl", &[b"#EXTM3U\n".as_slice(), data].concat());
    look_as("application/dash+xml", data);
});
