//! Logs that a stranger wrote, with sums that add up: everything that reads a collection ends, with what it found or a reason why not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::{fs, path::PathBuf, sync::LazyLock};
use tintype_fuzz::{ask_collection, place};

static PLACE: LazyLock<PathBuf> = LazyLock::new(|| place("log"));

/// Every line ends with the sum that it should have.
fn sealed(data: &[u8]) -> String {
    let seal = |line: &str| {
        let object = line.split_once(",\"crc\":").map_or(line.trim_end_matches('}'), |(object, _)| object);
        format!("{object},\"crc\":\"{:08x}\"}}\n", crc32fast::hash(object.as_bytes()))
    };
    String::from_utf8_lossy(data).lines().map(seal).collect()
}

fuzz_target!(|data: &[u8]| {
    fs::remove_dir_all(&*PLACE).ok();
    for room in ["warc", "index", "log", "state"] {
        fs::create_dir_all(PLACE.join(room)).expect("a directory");
    }
    fs::write(PLACE.join("version"), "format = 2\n").expect("a file");
    fs::write(PLACE.join("log/20260101000000000-e.example.jsonl"), sealed(data)).expect("a file");
    ask_collection(&PLACE);
    fs::remove_dir_all(&*PLACE).ok();
});
