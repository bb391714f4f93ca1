//! Any bytes as JSON on a page: what it says of itself, and settings of its scripts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_fuzz::look_as;

fuzz_target!(|data: &[u8]| {
    for kind in ["application/ld+json", "application/json"] {
        look_as("text/html", &[format!("<script type={kind}>").as_bytes(), data, b"</script>"].concat());
    }
});
