//! Tables of a source that others watched: what is read has lives that add up, what is refused says why.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::{fs, path::PathBuf, sync::LazyLock};
use tintype_fuzz::{gzip, place};
use tintype_world::source::Source;

static PLACE: LazyLock<PathBuf> = LazyLock::new(|| {
    let place = place("source");
    fs::create_dir_all(&place).expect("a directory");
    place
});

const OBJECTS: &[u8] = b"object_id,first_seen,last_seen,left_censored,right_censored,updates,make\n";
const LOOKS: &[u8] = b"time,objects\n";

// The first byte says whether headers are given and files are compressed; a line of `---` begins the second table.
fuzz_target!(|data: &[u8]| {
    let Some((form, rest)) = data.split_first() else { return };
    let cut = rest.windows(4).position(|bytes| bytes == b"---\n");
    let (objects, looks) = cut.map_or((rest, None), |cut| (&rest[..cut], Some(&rest[cut + 4..])));
    let table = |head: &[u8], rows: &[u8]| {
        let text = if form & 1 == 0 { [head, rows].concat() } else { rows.to_vec() };
        if form & 2 == 0 { text } else { gzip(&text) }
    };
    let (objects_file, looks_file) = (PLACE.join("objects.csv"), PLACE.join("snapshots.csv"));
    fs::write(&objects_file, table(OBJECTS, objects)).expect("a file");
    if let Some(looks) = looks {
        fs::write(&looks_file, table(LOOKS, looks)).expect("a file");
    }
    let read = Source::read_tables(&objects_file, looks.map(|_| looks_file.as_path()));
    match read {
        Ok(source) => drop(format!("{:?}", source)),
        Err(refused) => assert!(!refused.to_string().is_empty()),
    }
});
