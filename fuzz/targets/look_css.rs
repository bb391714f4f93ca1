//! Any bytes as a style sheet, and as one inside a page.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_fuzz::look_as;

fuzz_target!(|data: &[u8]| {
    look_as("text/css", data);
    look_as("text/html", &[b"<style>", data, b"</style><a href=after>"].concat());
});
