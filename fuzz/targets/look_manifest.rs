//! Any bytes as a web app manifest.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_fuzz::look_as;

fuzz_target!(|data: &[u8]| {
    look_as("application/manifest+json", data);
});
