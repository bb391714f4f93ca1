mod hostile;

use super::*;

fn day(days: f64) -> Time {
    Time::from_millis((days * 86_400_000.0).round() as i64)
}

/// Crawls of a source at whole days, of which one object in `parts` goes every day and as many come.
fn steady(days: u32, objects: u32, loss: f64) -> Vec<Crawl> {
    let mut alive: Vec<(Time, u32)> = vec![(day(0.0), objects)];
    let mut crawls = vec![Crawl { at: day(0.0), alive: alive.clone() }];
    for number in 1..=days {
        let left = |count: u32| (f64::from(count) * (1.0 - loss)).round() as u32;
        alive.iter_mut().for_each(|(_, count)| *count = left(*count));
        let kept: u32 = alive.iter().map(|(_, count)| count).sum();
        alive.push((day(f64::from(number)), objects - kept));
        alive.retain(|(_, count)| *count > 0);
        crawls.push(Crawl { at: day(f64::from(number)), alive: alive.clone() });
    }
    crawls
}

fn learned(crawls: &[Crawl]) -> Decay {
    let mut decay = Decay::new();
    crawls.iter().for_each(|crawl| decay.see(crawl).unwrap());
    decay
}

#[test]
fn a_steady_loss_is_foretold_for_every_horizon() {
    let decay = learned(&steady(40, 10_000, 0.02));
    for measure in CopyMeasure::ALL {
        for ahead in [1.0, 5.0, 20.0] {
            let forecast = decay.forecast(measure, day(40.0 + ahead)).unwrap();
            let truth = 0.98f64.powf(ahead);
            assert!((forecast.mean - truth).abs() < 0.012, "{} {ahead}: {} {truth}", measure.name(), forecast.mean);
            let (low, high) = forecast.interval(0.9);
            assert!(low < truth && truth < high && high - low < 0.1, "{low} {truth} {high}");
        }
    }
    let half = decay.half_life(CopyMeasure::Precision).unwrap().as_days_f64();
    assert!((half - 34.3).abs() < 4.0, "{half}");
}

#[test]
fn nothing_is_foretold_before_two_crawls_and_no_crawl_comes_twice() {
    let crawls = steady(2, 100, 0.1);
    let mut decay = Decay::new();
    assert_eq!(decay.forecast(CopyMeasure::Recall, day(1.0)), None);
    decay.see(&crawls[0]).unwrap();
    assert_eq!(decay.forecast(CopyMeasure::Recall, day(1.0)), None);
    assert_eq!(decay.see(&crawls[0]), Err(RefusedCrawl::NotLater));
    decay.see(&crawls[1]).unwrap();
    assert!(decay.forecast(CopyMeasure::Recall, day(2.0)).is_some());
    assert_eq!((decay.see(&crawls[0]), decay.crawls()), (Err(RefusedCrawl::NotLater), 2));
}

#[test]
fn a_source_that_doubles_its_pace_is_followed() {
    let mut crawls = steady(40, 10_000, 0.01);
    let mut alive = crawls[40].alive.clone();
    for cycle in 1..=6 {
        let at = day(40.0 + f64::from(cycle) * 5.0);
        alive.iter_mut().for_each(|(_, count)| *count = (f64::from(*count) * 0.98f64.powi(5)).round() as u32);
        let kept: u32 = alive.iter().map(|(_, count)| count).sum();
        alive.push((at, 10_000 - kept));
        crawls.push(Crawl { at, alive: alive.clone() });
    }
    let forecast = learned(&crawls).forecast(CopyMeasure::Precision, day(75.0)).unwrap();
    assert!((forecast.mean - 0.98f64.powi(5)).abs() < 0.01, "{forecast:?}");
}

#[test]
fn beliefs_survive_being_written_down_and_memory_is_bounded() {
    let crawls = steady(540, 2_000, 0.4);
    let mut decay = learned(&crawls[..520]);
    assert!(decay.crawls.len() <= CRAWLS_MAX);
    let text = serde_json::to_string(&decay).unwrap();
    let mut read: Decay = serde_json::from_str(&text).unwrap();
    for crawl in &crawls[520..] {
        decay.see(crawl).unwrap();
        read.see(crawl).unwrap();
    }
    let ask = |decay: &Decay| decay.forecast(CopyMeasure::Precision, day(541.0)).unwrap();
    assert!((ask(&decay).mean - ask(&read).mean).abs() < 1e-9);
}

#[test]
fn an_empty_source_and_a_source_that_stands_still_are_no_trouble() {
    for objects in [0, 50] {
        let crawls: Vec<Crawl> = (0..40)
            .map(|number| {
                let alive = if objects > 0 { vec![(day(0.0), objects)] } else { Vec::new() };
                Crawl { at: day(f64::from(number)), alive }
            })
            .collect();
        let decay = learned(&crawls);
        for measure in CopyMeasure::ALL {
            let forecast = decay.forecast(measure, day(45.0)).unwrap();
            assert!(forecast.mean.is_finite() && forecast.variance.is_finite(), "{forecast:?}");
            assert!(objects == 0 || forecast.mean > 0.95, "{forecast:?}");
        }
    }
}
