//! Sources that nobody would make up.

use super::*;
use proptest::prelude::*;

/// Whatever is asked of it is answered with numbers.
fn check(decay: &Decay, at: Time) -> Result<(), TestCaseError> {
    for measure in CopyMeasure::ALL {
        if let Some(forecast) = decay.forecast(measure, at) {
            let (low, high) = forecast.interval(0.9);
            prop_assert!((0.0..=1.0).contains(&forecast.mean) && forecast.variance.is_finite(), "{forecast:?}");
            prop_assert!((0.0..=1.0).contains(&low) && low <= high, "{forecast:?} {low} {high}");
        }
        prop_assert!(decay.busy_days(measure, Time::MIN, Time::MAX).is_finite());
        decay.half_life(measure);
    }
    Ok(())
}

fn times() -> impl Strategy<Value = i64> {
    prop_oneof![
        any::<i64>(),
        0i64..5_000,
        (0i64..400).prop_map(|days| days * 86_400_000),
        Just(i64::MAX),
        Just(i64::MIN)
    ]
}

fn crawls() -> impl Strategy<Value = Vec<Crawl>> {
    let count = prop_oneof![0u32..5, 0u32..2_000, any::<u32>()];
    let crawl = (times(), prop::collection::vec((times(), count), 0..6)).prop_map(|(at, alive)| {
        let alive = alive.into_iter().map(|(first, count)| (Time::from_millis(first), count)).collect();
        Crawl { at: Time::from_millis(at), alive }
    });
    prop::collection::vec(crawl, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_sequence_of_crawls_breaks_it(mut crawls in crawls(), sorted in any::<bool>(), asked in times()) {
        if sorted {
            crawls.sort_by_key(|crawl| crawl.at);
            crawls.iter_mut().for_each(|crawl| crawl.alive.sort());
        }
        let mut decay = Decay::new();
        for crawl in &crawls {
            let _ = decay.see(crawl);
            let below = decay.was_below(CopyMeasure::Precision, 0.9, crawl, Time::from_millis(asked));
            prop_assert!((0.0..=1.0).contains(&below), "{below}");
        }
        for at in [asked, i64::MAX, i64::MIN] {
            check(&decay, Time::from_millis(at))?;
        }
    }
}

#[test]
fn forecasts_for_the_end_of_time_are_made_at_once() {
    let decay = learned(&steady(5, 100, 0.1));
    assert!(decay.forecast(CopyMeasure::Precision, Time::MAX).unwrap().mean < 0.01);
}

#[test]
fn objects_that_nobody_held_are_not_kept() {
    // All hundred objects are away for a while, and ten others with them; then they return.
    let alive = |counts: &[(f64, u32)]| counts.iter().map(|(first, count)| (day(*first), *count)).collect();
    let mut decay = Decay::new();
    for number in 0..30 {
        let here = if number % 2 == 0 { alive(&[(0.0, 100)]) } else { alive(&[(0.0, 10)]) };
        decay.see(&Crawl { at: day(f64::from(number)), alive: here }).unwrap();
    }
    let busy = decay.busy(CopyMeasure::Precision).unwrap();
    assert!(busy.days.iter().chain(&busy.hours).all(|busy| *busy > 0.0), "{busy:?}");
    check(&decay, day(31.0)).unwrap();
}

#[test]
fn old_objects_that_stay_are_not_taken_for_gone_when_their_cohorts_become_one() {
    let crawls: VecDeque<Crawl> = (2..6).map(|number| Crawl { at: day(f64::from(number)), alive: vec![] }).collect();
    let alive: Vec<(Time, u32)> = (0..8).map(|number| (day(f64::from(number)), 10)).collect();
    let told = |at: f64| told_apart(&Crawl { at: day(at), alive: alive.clone() }, &crawls);
    let cohorts: Vec<(Time, u32)> =
        [(2.0, 30), (3.0, 10), (4.0, 10), (5.0, 10), (7.0, 20)].map(|(first, count)| (day(first), count)).to_vec();
    assert_eq!(told(7.0).alive, cohorts);
    assert_eq!(told(7.0).size(), 80);
}

#[test]
fn what_was_damaged_is_not_read_and_never_breaks() {
    let text = serde_json::to_string(&learned(&steady(20, 100, 0.1))).unwrap();
    let whole: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut paths = Vec::new();
    lists(&whole, String::new(), &mut paths);
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        let mut damaged = whole.clone();
        damaged.pointer_mut(&path).and_then(|list| list.as_array_mut()).unwrap().pop();
        let Ok(mut decay) = serde_json::from_value::<Decay>(damaged) else { continue };
        let crawl = Crawl { at: day(21.0), alive: vec![(day(0.0), 50), (day(21.0), 50)] };
        decay.see(&crawl).unwrap();
        check(&decay, day(25.0)).unwrap();
    }
}

/// Where there are lists that are not empty.
fn lists(value: &serde_json::Value, path: String, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Array(items) => {
            items.iter().enumerate().take(3).for_each(|(nth, item)| lists(item, format!("{path}/{nth}"), found));
            found.extend((!items.is_empty()).then_some(path));
        }
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| lists(field, format!("{path}/{name}"), found));
        }
        _ => {}
    }
}

#[test]
fn a_source_from_which_nothing_ever_goes_is_believed_for_longer_than_crawls_are_remembered() {
    let mut decay = Decay::new();
    let mut alive = Vec::new();
    for number in 0..60 {
        let at = day(f64::from(number));
        alive.push((at, 10));
        decay.see_and_remember(&Crawl { at, alive: alive.clone() }, 8).unwrap();
    }
    let (beliefs, last) = (decay.beliefs.as_ref().unwrap(), decay.last().unwrap());
    let left = beliefs.ages.left(&beliefs.precision.rhythm, last, &[1.0], last.at + Span::from_days(10))[0];
    assert!(left > 0.95, "{left}");
    assert!(last.alive.len() <= 9 && last.size() == 600, "{last:?}");
}
