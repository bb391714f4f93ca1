//! Requests saved up for whole passes over a site, as captures by cron spend them.

use crate::{EventKind, History, SimulationConfig};
use std::iter::repeat_n;
use tintype_vocab::Time;

/// The moments of visits of who asks for all pages that are there as soon as the requests for that have come together.
pub(crate) fn moments(history: &History, game: &SimulationConfig) -> Vec<Time> {
    let (mut there, mut count) = (vec![false; history.pages()], 0);
    let mut events = history.events().iter().peekable();
    let (mut saved, mut moments) = (0, Vec::new());
    for at in game.slots() {
        while let Some(event) = events.next_if(|event| event.at <= at) {
            let is_there = event.kind != EventKind::Deleted;
            let was_there = std::mem::replace(&mut there[event.page as usize], is_there);
            count = count + usize::from(is_there) - usize::from(was_there);
        }
        saved += 1;
        if saved >= count {
            moments.extend(repeat_n(at, count));
            saved -= count;
        }
    }
    moments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Discovery, Recorder};

    #[test]
    fn a_pass_begins_when_there_is_a_request_for_every_page() {
        let mut recorder = Recorder::default();
        for (at, page, kind) in [
            (0, "/a", EventKind::Added),
            (0, "/b", EventKind::Added),
            (35, "/c", EventKind::Added),
            (75, "/a", EventKind::Deleted),
        ] {
            recorder.record(Time::from_secs(at), page, kind, 1, 1, "").unwrap();
        }
        let game = SimulationConfig {
            from: Time::from_secs(0),
            to: Time::from_secs(100),
            per_day: 86_400.0 / 10.0,
            discovery: Discovery::Announced,
            run_seed: 1,
            sitemap: None,
        };
        let moments: Vec<i64> = moments(&recorder.finish(), &game).into_iter().map(Time::as_secs).collect();
        assert_eq!(moments, [10, 10, 30, 30, 60, 60, 60, 80, 80]);
    }
}
