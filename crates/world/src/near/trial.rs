//! Small histories for tests.

use super::Windows;
use crate::{History, Kind, Recorder};
use tintype_vocab::{Span, Time};

/// Events as second, path, kind and content.
pub(super) fn history(events: &[(i64, &str, char, u64)]) -> History {
    let mut recorder = Recorder::default();
    for &(at, path, kind, content) in events {
        let kind = match kind {
            'A' => Kind::Added,
            'M' => Kind::Modified,
            _ => Kind::Deleted,
        };
        recorder.record(Time::from_secs(at), path, kind, 1, content, "text/html").unwrap();
    }
    recorder.finish()
}

pub(super) fn windows(from: i64, every: i64, train: usize, test: usize) -> Windows {
    Windows { from: Time::from_secs(from), every: Span::from_secs(every), train, test }
}
