//! Tables of events: what is read can have happened, what is refused names a line, whatever the pieces it is read in.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::Read;
use tintype_fuzz::gzip;
use tintype_vocab::Time;
use tintype_world::{Event, History, EventKind, recorded};

const HEADER: &[u8] = b"time,path,kind,size,sha1,media_type\n";

/// All that can be told of a history, or why there is none.
fn told(read: Result<History, recorded::Malformed>) -> Result<Vec<(Event, String)>, (u64, String)> {
    let history = read.map_err(|refused| (refused.line, refused.to_string()))?;
    can_have_happened(&history);
    Ok(history.events().iter().map(|event| (*event, history.path(event.page).to_owned())).collect())
}

fn can_have_happened(history: &History) {
    let events = history.events();
    assert!(events.is_sorted_by_key(|event| event.at));
    for page in 0..history.pages() as u32 {
        let path = history.path(page);
        assert!(path.starts_with('/') && path.len() <= recorded::PATH_BYTES_MAX && history.find(path) == Some(page));
        let mut there = false;
        for &row in history.rows(page) {
            let kind = events[row as usize].kind;
            assert_eq!(there, kind != EventKind::Added, "a page is added before it changes, and once");
            there = kind != EventKind::Deleted;
        }
    }
    let (from, to) = recorded::window(history);
    assert!(from < to && events.last().is_none_or(|last| last.at < to));
    history.truth(|_| 1.0);
    assert!(events.first().is_none_or(|first| first.at >= Time::from_secs(0)));
}

fuzz_target!(|data: &[u8]| {
    let Some((form, rest)) = data.split_first() else { return };
    let text = if form & 1 == 0 { [HEADER, rest].concat() } else { rest.to_vec() };
    let mut bytes = if form & 2 == 0 { text.clone() } else { gzip(&text) };
    if form & 4 != 0 {
        bytes.truncate(bytes.len() - bytes.len().min(usize::from(form >> 3)));
    }
    let whole = told(recorded::read_events(&bytes[..]));
    let (start, end) = bytes.split_at(bytes.len() / 2);
    assert_eq!(whole, told(recorded::read_events(start.chain(end))), "the size of the pieces does not matter");
    if let Err((line, why)) = whole {
        let lines = text.split(|byte| *byte == b'\n').count() as u64;
        assert!((1..=lines).contains(&line), "{why}");
    }
});
