//! Any bytes as a script, in a file and on a page.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_fuzz::look_as;

fuzz_target!(|data: &[u8]| {
    // What is imported by a name is not taken: without a map nobody knows where it is.
    let named = [b"import 'module-of-that-name';\n".as_slice(), data].concat();
    let look = look_as("text/javascript", &named);
    let written_out = data.windows(9).any(|window| window == b"that-name");
    assert!(written_out || look.links.iter().all(|link| !link.url.contains("that-name")));
    look_as("text/html", &[b"<script type=module>".as_slice(), data, b"</script>"].concat());
    look_as(
        "text/html",
        &[b"<script type=importmap>".as_slice(), data, b"</script><script type=module>import 'a'</script>"].concat(),
    );
});
