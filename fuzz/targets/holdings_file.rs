//! Files of other tools that are served: whatever a segment, a package or an index says, every line of it leads to bytes or to a reason why not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::{fs, path::PathBuf, sync::LazyLock};
use tintype_archive::{Collection, OpenOptions, holdings::Holdings};
use tintype_fuzz::{ask_holdings, place, segment};
use tintype_vocab::Time;

static PLACE: LazyLock<PathBuf> = LazyLock::new(|| {
    let place = place("files");
    let options = OpenOptions { create: true, command: "fuzz".into(), now: Time::from_secs(1) };
    Collection::open(&place.join("collection"), options).expect("a collection");
    place
});

fuzz_target!(|data: &[u8]| {
    let Some((form, rest)) = data.split_first() else { return };
    let (name, bytes) = match form % 4 {
        0 => ("file.cdxj", rest.to_vec()),
        1 => ("file.wacz", rest.to_vec()),
        _ => match segment(rest) {
            Some(segment) => ("file.warc.gz", segment),
            None => return,
        },
    };
    let file = PLACE.join(name);
    fs::write(&file, bytes).expect("a file");
    let mut holdings = Holdings::of_collection(Collection::read(&PLACE.join("collection")).expect("a collection"));
    if holdings.add_file(&file).is_ok() {
        ask_holdings(&holdings);
    }
    fs::remove_file(&file).ok();
});
