//! CDXJ and CDX lines: what is read once is written and read again as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_warc::{
    cdx::Columns,
    cdxj::{Line, split},
};

fn survives_writing(line: &Line) {
    assert_eq!(Line::parse(&line.to_string()).as_ref(), Ok(line));
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let mut columns = None;
    for text in text.lines() {
        split(text);
        if let Ok(line) = Line::parse(text) {
            survives_writing(&line);
        }
        columns = Columns::of_header(text).or(columns).or_else(|| Columns::guess(text));
        if let Some(Ok(line)) = columns.as_ref().map(|columns| columns.parse(text)) {
            assert!(line.time().is_some());
            // A key that begins like a header line is taken for one.
            if !line.key.starts_with(['!', '#']) {
                survives_writing(&line);
            }
        }
    }
});
