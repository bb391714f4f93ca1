//! Recognises URLs that a site can make without end.

use crate::{Objection, action::is_action, query_values::QueryValues};
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// URLs longer than this are not asked for.
pub(crate) const URL_BYTES_MAX: usize = 4096;
/// Directories deeper than this are a loop, not a site.
const SEGMENTS_MAX: usize = 40;
/// A segment may occur this often in a path.
const REPEATS_MAX: usize = 3;
/// Distinct queries of one path before it must look like plain paging to go on.
const QUERIES_MAX: u32 = 300;
/// Further queries for every value of the parameter that has most: a topic of a forum has some pages, a file of a repository
/// some states. Ways to sort and filter have few values each, however many combinations.
const QUERIES_PER_VALUE: u32 = 8;
/// Distinct queries of one path, whatever they look like. The threads of a large forum are one path with one parameter; what
/// only repeats itself is left long before ([`Families`](crate::families::Families)), and what is endless and new every
/// time by the ceiling of pages.
const PAGING_MAX: u32 = 1_000_000;
/// Paths with queries that are counted; beyond this, further paths are not limited.
const PATHS_MAX: usize = 500_000;
/// Years from now that a calendar may show.
const CALENDAR_YEARS: i64 = 15;

/// Remembers how many queries each path has had, and with which values once they are many.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Traps {
    queries: HashMap<u64, u32>,
    values: HashMap<u64, QueryValues>,
}

impl Traps {
    /// Why this new URL looks endless, if it does. Counts the URL, so ask once per URL.
    pub(crate) fn judge(&mut self, url: &str, now: Time) -> Option<Objection> {
        if url.len() > URL_BYTES_MAX {
            return Some(Objection::UrlTooLong);
        }
        let path_start = url.find("://").map_or(0, |at| at + 3);
        let path_start = url[path_start..].find('/').map_or(url.len(), |at| path_start + at);
        let (path, query) = match url[path_start..].split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (&url[path_start..], None),
        };
        self.judge_path(path, now)
            .or_else(|| query.and_then(|query| self.judge_query(&url[..path_start], path, query, now)))
    }

    fn judge_path(&self, path: &str, now: Time) -> Option<Objection> {
        let mut segments = [""; SEGMENTS_MAX];
        let mut count = 0;
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            if count == SEGMENTS_MAX {
                return Some(Objection::DeepPath);
            }
            segments[count] = segment;
            count += 1;
        }
        let segments = &segments[..count];
        if repeats(segments) {
            return Some(Objection::RepeatingPath);
        }
        (count >= 2 && is_far_calendar(segments, now)).then_some(Objection::Calendar)
    }

    fn judge_query(&mut self, origin: &str, path: &str, query: &str, now: Time) -> Option<Objection> {
        if query.split(['&', '=', '-']).any(|part| is_far_year_date(part, query, now)) {
            return Some(Objection::Calendar);
        }
        let hash = rapidhash::v3::rapidhash_v3(origin.as_bytes())
            ^ rapidhash::v3::rapidhash_v3(path.as_bytes()).rotate_left(1);
        if self.queries.len() >= PATHS_MAX && !self.queries.contains_key(&hash) {
            return None;
        }
        // What does something is bounded by what shows something, and must not use up its room.
        if is_action(&format!("{path}?{query}")) {
            return None;
        }
        let seen = self.queries.entry(hash).or_default();
        *seen += 1;
        let seen = *seen;
        let is_paging = query.matches(['&', ';']).count() <= 1;
        if seen > QUERIES_MAX / 2 {
            self.values.entry(hash).or_default().add(query);
        }
        let limit = if is_paging || seen <= QUERIES_MAX { PAGING_MAX } else { self.limit(hash) };
        (seen > limit).then_some(Objection::ParameterExplosion)
    }

    /// How many queries a path with so many values may have.
    fn limit(&self, path: u64) -> u32 {
        let values = self.values.get(&path).map_or(Some(0), QueryValues::most);
        values.map_or(PAGING_MAX, |values| QUERIES_MAX + QUERIES_PER_VALUE.saturating_mul(values))
    }
}

/// The same segment more than [`REPEATS_MAX`] times, or a group of segments that follows itself three times.
fn repeats(segments: &[&str]) -> bool {
    if segments.len() <= REPEATS_MAX {
        return false;
    }
    let often = |segment: &&str| segments.iter().filter(|other| *other == segment).count() > REPEATS_MAX;
    if segments.iter().any(often) {
        return true;
    }
    (2..=segments.len() / 3).any(|period| {
        segments
            .windows(3 * period)
            .any(|run| run[..period] == run[period..2 * period] && run[..period] == run[2 * period..])
    })
}

/// A path that walks dates (`/calendar/2091/12`) far away from now. Where nobody speaks of dates a number of four digits is a
/// number (`/handle/10900/1134/1`), unless the path begins with it.
fn is_far_calendar(segments: &[&str], now: Time) -> bool {
    segments.windows(2).enumerate().any(|(at, pair)| {
        let month = pair[1].len() <= 2 && pair[1].parse::<u8>().is_ok_and(|month| (1..=12).contains(&month));
        month && is_far_year(pair[0], now) && (at == 0 || segments[..at].iter().any(|segment| speaks_of_dates(segment)))
    })
}

/// Whether a directory is named as calendars are.
pub(crate) fn speaks_of_dates(segment: &str) -> bool {
    let segment = segment.to_ascii_lowercase();
    ["cal", "event", "agenda", "date", "day", "month", "year", "archive"].iter().any(|word| segment.contains(word))
}

/// `year=2091` beside a month, or `date=2091-12`.
fn is_far_year_date(part: &str, query: &str, now: Time) -> bool {
    is_far_year(part, now) && ["month", "mon=", "date", "day=", "cal", "-"].iter().any(|word| query.contains(word))
}

fn is_far_year(text: &str, now: Time) -> bool {
    if text.len() != 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let this_year = 1970 + now.as_secs() / 31_556_952;
    // The past is long on real sites; only a future calendar and one before printing are endless.
    text.parse::<i64>().is_ok_and(|year| year > this_year + CALENDAR_YEARS || year < 1500)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time::from_secs(1_794_779_703);

    fn judge(url: &str) -> Option<Objection> {
        Traps::default().judge(url, NOW)
    }

    #[test]
    fn ordinary_urls_pass() {
        for url in [
            "http://example.com",
            "http://example.com/a/b/c/d/e/f/g.html",
            "http://example.com/2024/11/15/story",
            "http://example.com/archive/1854/03/letters",
            "http://example.com/en/docs/en/reference/en",
            "http://example.com/search?q=2091&page=4",
            "http://example.com/product/2091/6000",
        ] {
            assert_eq!(judge(url), None, "{url}");
        }
    }

    #[test]
    fn endless_paths_are_recognised() {
        assert_eq!(judge("http://e.com/a/b/a/b/a/b/"), Some(Objection::RepeatingPath));
        assert_eq!(judge("http://e.com/x/x/x/x/"), Some(Objection::RepeatingPath));
        assert_eq!(
            judge(&format!("http://e.com{}", (0..50).map(|i| format!("/d{i}")).collect::<String>())),
            Some(Objection::DeepPath)
        );
        assert_eq!(judge("http://e.com/calendar/2099/12/"), Some(Objection::Calendar));
        assert_eq!(judge("http://e.com/2099/12/"), Some(Objection::Calendar));
        for id in ["handle/10900/1134/1", "thread/5312/2"] {
            assert_eq!(judge(&format!("http://e.com/{id}")), None, "{id}");
        }
        assert_eq!(judge("http://e.com/events?month=3&year=2077"), Some(Objection::Calendar));
        assert_eq!(judge(&format!("http://e.com/{}", "a".repeat(5000))), Some(Objection::UrlTooLong));
    }

    #[test]
    fn combinations_of_parameters_end_but_paging_goes_on() {
        let mut traps = Traps::default();
        let mut combinations = (0..2000)
            .map(|i| traps.judge(&format!("http://e.com/list?a={}&size={}&color={}", i % 7, i % 5, i % 57), NOW));
        assert_eq!(combinations.by_ref().take(QUERIES_MAX as usize).flatten().count(), 0);
        let most = (QUERIES_MAX + 60 * QUERIES_PER_VALUE) as usize;
        let rest: Vec<_> = combinations.skip(most - QUERIES_MAX as usize).collect();
        assert!(rest.iter().all(|objection| *objection == Some(Objection::ParameterExplosion)));
        assert!((0..5000).all(|i| traps.judge(&format!("http://e.com/items?page={i}"), NOW).is_none()));
        assert_eq!(traps.judge("http://e.com/other?sort=1&size=2&color=3", NOW), None);
    }

    #[test]
    fn topics_of_a_forum_and_files_of_a_repository_go_on_whatever_can_be_done_to_them() {
        let mut traps = Traps::default();
        for topic in 0..20_000 {
            let url = |more: &str| format!("http://e.com/viewtopic.php?f=3&t={topic}&start={more}");
            assert_eq!(traps.judge(&url("0"), NOW), None, "{topic}");
            assert_eq!(traps.judge(&url("15"), NOW), None, "{topic}");
            assert_eq!(traps.judge(&url("0&do=reply"), NOW), None, "{topic}");
        }
    }
}
