//! Keys of any text: something an index line can hold, and the same whatever stands in the buffer before.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_vocab::{surt, surt_into};

fuzz_target!(|data: &[u8]| {
    let url = String::from_utf8_lossy(data);
    let key = surt(&url);
    assert!(!key.is_empty());
    assert!(key.bytes().all(|byte| byte.is_ascii_graphic()), "{key:?}");
    let mut appended = "before".to_owned();
    surt_into(&url, &mut appended);
    assert_eq!(appended, format!("before{key}"));
});
