//! Small histories for tests.

use super::Windows;
use crate::{EventKind, History, Recorder};
use tintype_vocab::{Span, Time};

/// Events as second, path, kind and content.
pub(super) fn history(events: &[(i64, &str, char, u64)]) -> History {
    let mut recorder = Recorder::default();
    for &(at, path, kind, content) in events {
        let kind = match kind {
            'A' => EventKind::Added,
            'M' => EventKind::Modified,
            _ => EventKind::Deleted,
        };
        recorder.record(Time::from_secs(at), path, kind, 1, content, "text/html").unwrap();
    }
    recorder.finish()
}

pub(super) fn windows(from: i64, every: i64, train: usize, test: usize) -> Windows {
    Windows { from: Time::from_secs(from), every: Span::from_secs(every), train, test }
}

/// Ten seconds apart, in turn: all ten pages of `/a` change, or one of two in `/b`. There is nothing but these.
pub(super) fn see_saw(versions: u64) -> History {
    let mut recorder = Recorder::default();
    let mut record = |version: u64, path: &str, kind: EventKind| {
        recorder.record(Time::from_secs(10 * version as i64), path, kind, 1, version + 1, "text/html").unwrap();
    };
    let pages: Vec<String> = (0..10).map(|page| format!("/a/{page}")).collect();
    pages.iter().map(String::as_str).chain(["/b/x", "/b/still"]).for_each(|path| record(0, path, EventKind::Added));
    for version in 1..versions {
        if version % 2 == 1 {
            pages.iter().for_each(|path| record(version, path, EventKind::Modified));
        } else {
            record(version, "/b/x", EventKind::Modified);
        }
    }
    recorder.finish()
}
