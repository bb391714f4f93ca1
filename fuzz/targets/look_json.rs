//! Any bytes as a JSON feed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_fuzz::look_as;

fuzz_target!(|data: &[u8]| {
    look_as("application/feed+json", data);
    look_as("application/json", data);
});
