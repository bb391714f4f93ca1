//! The window a history is judged in when nobody names one.

use crate::{EventKind, History};
use tintype_vocab::{Span, Time};

/// From the midnight (UTC) at or before the first event that is not an addition, because the rows before it are the
/// pages that were there when recording began, to the first midnight after the last event. Where nothing ever changes
/// or goes, additions are all there is to see, and the window begins with the first.
pub fn window(history: &History) -> (Time, Time) {
    let events = history.events();
    let begins = events.iter().find(|event| event.kind != EventKind::Added).or(events.first());
    let at = |event: Option<&crate::Event>| event.map_or(Time::default(), |event| event.at);
    (at(begins).midnight(), at(events.last()).midnight() + Span::from_days(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recorder;

    fn windowed(events: &[(&str, EventKind, &str)]) -> (String, String) {
        let mut recorder = Recorder::default();
        for (at, kind, path) in events {
            recorder.record(Time::parse_rfc3339(at).unwrap(), path, *kind, 1, 1, "").unwrap();
        }
        let (from, to) = window(&recorder.finish());
        (from.to_rfc3339_secs(), to.to_rfc3339_secs())
    }

    fn days(from: &str, to: &str) -> (String, String) {
        (format!("{from}T00:00:00Z"), format!("{to}T00:00:00Z"))
    }

    #[test]
    fn the_window_begins_with_the_first_change_and_holds_the_last_event() {
        let (a, b) = ("/a", "/b");
        let early = [("2001-03-01T10:00Z", EventKind::Added, a), ("2001-05-02T10:00Z", EventKind::Added, b)];
        let change = ("2001-05-03T10:00Z", EventKind::Modified, a);
        let last = ("2001-06-01T00:00Z", EventKind::Deleted, b);
        let all = [early[0], early[1], change, last];
        assert_eq!(windowed(&all), days("2001-05-03", "2001-06-02"));
        assert_eq!(windowed(&early), days("2001-03-01", "2001-05-03"), "nothing ever changes");
        assert_eq!(windowed(&[]), days("1970-01-01", "1970-01-02"));
    }
}
