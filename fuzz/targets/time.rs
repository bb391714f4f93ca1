//! Times as others write them: what is read is a time we can write and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_vocab::Time;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Ok(time) = Time::parse_rfc3339(&text) {
        assert_eq!(Time::parse_rfc3339(&time.to_rfc3339()), Ok(time));
        assert_eq!(time.to_timestamp14().len(), 14);
        assert_eq!(time.to_timestamp17().len(), 17);
    }
    if let Ok(time) = Time::parse_timestamp14(&text) {
        assert_eq!(Time::parse_timestamp14(&time.to_timestamp14()), Ok(time));
        assert_eq!(Time::parse_rfc3339(&time.to_rfc3339_secs()), Ok(time));
    }
});
