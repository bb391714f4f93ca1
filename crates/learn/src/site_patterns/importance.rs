//! How important what happens to some pages is: by the hour, and day by day.

use super::{VisitRecord, VisitResult, VisitSource};
use crate::pattern::Calendar;
use std::collections::{BTreeMap, HashMap};
use tintype_vocab::Time;

/// The importance of the changes of some pages.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportanceSeries {
    /// ω_k: what changes in a period of a weekday, from midnight on, are important together, on average over days and pages.
    pub weekday: Vec<f64>,
    pub weekend: Vec<f64>,
    /// Every day with a change, by the site's clock.
    pub days: Vec<ImportantDay>,
}

/// What a day brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImportantDay {
    /// Its midnight, as the site's clock shows it.
    pub day: Time,
    pub changes: u64,
    /// Of all of them together.
    pub importance: f64,
}

/// What is summed up.
struct Sums {
    calendar: Calendar,
    /// When each page was seen last, while it is there.
    last: HashMap<Box<str>, Time>,
    /// Importance, and days watched, of every period.
    found: Vec<f64>,
    watched: Vec<f64>,
    days: BTreeMap<Time, (u64, f64)>,
}

impl ImportanceSeries {
    /// Of the pages that are wanted, by their names. A change whose moment is not told belongs to all of the time since the
    /// visit before, and to the day it was found.
    pub fn from_visits<S: VisitSource>(
        source: &S,
        calendar: Calendar,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<ImportanceSeries, S::Error> {
        let periods = 2 * calendar.periods();
        let [found, watched] = [vec![0.0; periods], vec![0.0; periods]];
        let mut sums = Sums { calendar, last: HashMap::new(), found, watched, days: BTreeMap::new() };
        source.for_each(&mut |visit| {
            if is_wanted(visit.name) {
                sums.add(&visit);
            }
        })?;
        Ok(sums.finish())
    }

    /// δ: the mean of the pattern. Changes that are more important than that are worth an index of their own.
    pub fn threshold(&self) -> f64 {
        let all = self.weekday.iter().chain(&self.weekend);
        all.clone().sum::<f64>() / all.count().max(1) as f64
    }
}

impl Sums {
    fn add(&mut self, visit: &VisitRecord<'_>) {
        let Some(from) = self.last.get(visit.name).copied() else {
            if visit.saw != VisitResult::Gone {
                self.last.insert(visit.name.into(), visit.at);
            }
            return;
        };
        let (mut cells, mut days) = (Vec::new(), 0.0);
        self.calendar.walk(from, visit.at, |cell| {
            cells.push((cell.bins[0], cell.days));
            days += cell.days;
        });
        cells.iter().for_each(|(period, days)| self.watched[*period] += days);
        if let VisitResult::Change { at, importance } = visit.saw {
            let told = at.filter(|at| from < *at && *at <= visit.at);
            match told {
                Some(at) => self.found[self.calendar.bins_at(at)[0]] += importance,
                None if days > 0.0 => {
                    cells.iter().for_each(|(period, part)| self.found[*period] += importance * part / days);
                }
                None => self.found[self.calendar.bins_at(visit.at)[0]] += importance,
            }
            let day = (told.unwrap_or(visit.at) + self.calendar.offset()).midnight();
            let (changes, sum) = self.days.entry(day).or_default();
            (*changes, *sum) = (*changes + 1, *sum + importance);
        }
        match visit.saw {
            VisitResult::Gone => self.last.remove(visit.name),
            _ => self.last.insert(visit.name.into(), visit.at),
        };
    }

    fn finish(self) -> ImportanceSeries {
        let per_day = self.calendar.periods() as f64;
        let mean = |(found, days): (&f64, &f64)| if *days > 0.0 { found / (days * per_day) } else { 0.0 };
        let mut weekday: Vec<f64> = self.found.iter().zip(&self.watched).map(mean).collect();
        let weekend = weekday.split_off(self.calendar.periods());
        let day = |(day, (changes, importance)): (Time, (u64, f64))| ImportantDay { day, changes, importance };
        ImportanceSeries { weekday, weekend, days: self.days.into_iter().map(day).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use tintype_vocab::Span;

    struct Told(Vec<(i64, &'static str, VisitResult)>);

    /// A Monday.
    const START: Time = Time::from_secs(1_704_067_200);

    impl VisitSource for Told {
        type Error = Infallible;

        fn for_each(&self, each: &mut dyn FnMut(VisitRecord<'_>)) -> Result<(), Infallible> {
            for (hour, name, saw) in &self.0 {
                each(VisitRecord { key: name, name, at: START + Span::from_secs(3600 * hour), saw: *saw });
            }
            Ok(())
        }
    }

    fn of(visits: Vec<(i64, &'static str, VisitResult)>) -> ImportanceSeries {
        let Ok(series) = ImportanceSeries::from_visits(&Told(visits), Calendar::default(), |name| name != "other");
        series
    }

    const FIRST: VisitResult = VisitResult::First { newborn: false };

    fn change(importance: f64) -> VisitResult {
        VisitResult::Change { at: None, importance }
    }

    #[test]
    fn a_pattern_is_the_mean_importance_of_an_hour_over_days() {
        // Visited every hour of five weekdays; on two of them something came between nine and ten.
        let mut visits = vec![(0, "page", FIRST)];
        for hour in 1..=120 {
            let saw = match hour {
                10 => change(0.5),
                34 => change(0.25),
                _ => VisitResult::Same,
            };
            visits.push((hour, "page", saw));
            visits.push((hour, "other", change(1.0)));
        }
        let series = of(visits);
        assert!((series.weekday[9] - 0.75 / 5.0).abs() < 1e-9, "{series:?}");
        assert!(series.weekday.iter().sum::<f64>() - series.weekday[9] < 1e-12);
        assert!((series.threshold() - 0.15 / 48.0).abs() < 1e-9);
        let days: Vec<(u64, f64)> = series.days.iter().map(|day| (day.changes, day.importance)).collect();
        assert_eq!(days, [(1, 0.5), (1, 0.25)]);
    }

    #[test]
    fn a_change_after_a_gap_belongs_to_all_of_it_and_a_dated_one_to_its_hour() {
        let gap = of(vec![(0, "page", FIRST), (24, "page", change(0.48))]);
        assert!(gap.weekday.iter().all(|hour| (hour - 0.02).abs() < 1e-9), "{gap:?}");
        let dated = VisitResult::Change { at: Some(START + Span::from_secs(3600 * 5)), importance: 0.48 };
        let dated = of(vec![(0, "page", FIRST), (24, "page", dated)]);
        assert!((dated.weekday[5] - 0.48).abs() < 1e-9 && dated.weekday[6] == 0.0, "{dated:?}");
        let gone = of(vec![(0, "page", FIRST), (24, "page", VisitResult::Gone), (48, "page", FIRST)]);
        assert!(gone.days.is_empty() && gone.weekday.iter().all(|hour| *hour == 0.0));
    }
}
