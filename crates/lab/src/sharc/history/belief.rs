//! What an archive that looked once a day would believe of a page by the beginning of a capture.

use super::depth;
use tintype_learn::{
    first_guess::{FirstGuess, Signs},
    rate::{self, Past},
};
use tintype_vocab::{ChangeRate, LinkKind, Time};
use tintype_world::{EventKind, History};

/// Beliefs at one moment.
pub(super) struct Beliefs<'a> {
    history: &'a History,
    origin: &'a str,
    /// Since when the archive looks.
    since: Time,
    now: Time,
    guess: FirstGuess,
}

impl<'a> Beliefs<'a> {
    pub(super) fn new(history: &'a History, origin: &'a str, since: Time, now: Time) -> Beliefs<'a> {
        Beliefs { history, origin: origin.trim_end_matches('/'), since, now, guess: FirstGuess::default() }
    }

    /// What is believed of a page that is there now.
    pub(super) fn of(&self, page: u32) -> ChangeRate {
        rate::believe(self.before(page), &self.record(page))
    }

    /// The guess before any visit.
    fn before(&self, page: u32) -> ChangeRate {
        let url = format!("{}{}", self.origin, self.history.path(page));
        let row = self.history.alive(page, self.now);
        let event = row.map(|row| self.history.events()[row as usize]);
        let signs = Signs::new(&url, LinkKind::Anchor, depth(self.history, page), self.now);
        self.guess.guess(&Signs { media_type: event.as_ref().map(|event| self.history.media_type(event)), ..signs })
    }

    /// One comparison a day since the page was there; several changes on one day are seen as one.
    fn record(&self, page: u32) -> Past {
        let events = self.history.rows(page).iter().map(|row| self.history.events()[*row as usize]);
        let before: Vec<_> = events.take_while(|event| event.at < self.now).collect();
        let begun = before.first().map_or(self.now, |event| event.at.max(self.since));
        let day = |at: Time| (at - begun).as_days_f64().floor() as i64;
        let comparisons = day(self.now).max(0) as u64;
        let changed = before.iter().filter(|event| event.kind == EventKind::Modified && event.at > begun);
        let mut days: Vec<i64> = changed.map(|event| day(event.at)).filter(|day| *day < comparisons as i64).collect();
        days.dedup();
        Past { comparisons, changes: days.len() as u64, observed: tintype_vocab::Span::from_days(comparisons as i64) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_world::recorded::read_events;

    const DAY: i64 = 86_400;

    #[test]
    fn a_daily_archive_sees_one_change_a_day_at_most() {
        let mut table =
            "time,path,kind,size,sha1,media_type\n0,/busy,A,1,00,text/html\n0,/quiet,A,1,01,text/html\n".to_owned();
        let moments = [DAY + 10, DAY + 20, 3 * DAY + 5, 9 * DAY];
        moments.iter().for_each(|at| table += &format!("{at},/busy,M,1,{at:x},text/html\n"));
        let history = read_events(table.as_bytes()).unwrap();
        let beliefs = Beliefs::new(&history, "http://site.test/", Time::from_secs(0), Time::from_secs(6 * DAY + 7));
        let of = |path: &str| history.find(path).unwrap();
        let record = beliefs.record(of("/busy"));
        assert_eq!((record.comparisons, record.changes), (6, 2));
        assert!(beliefs.of(of("/busy")).per_day > 3.0 * beliefs.of(of("/quiet")).per_day);
    }
}
