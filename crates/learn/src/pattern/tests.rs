//! Patterns recovered from visits that do not say when a change happened.

use super::*;
use proptest::prelude::*;
use tintype_vocab::{Span, Time};

/// A Monday.
const START: Time = Time::from_secs(1_704_067_200);

/// Seeded numbers between 0 and 1.
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Busy in eight hours from `opens` (UTC) on weekdays, ten times as much as at other times.
fn office(opens: usize) -> Shape {
    let calendar = Calendar::default();
    let mut factors = vec![0.1; calendar.bins()];
    (opens..opens + 8).for_each(|hour| factors[hour % 24] = 1.0);
    factors[24..48].fill(1.0);
    factors[48..53].fill(1.0);
    factors[55..].fill(1.0);
    Shape::of(calendar, factors)
}

/// Visits every few hours to a page that changes at this rate in this shape, for so many days.
fn visits(seed: u64, truth: &Shape, rate: f64, days: i64) -> Vec<(Time, Time, HourSeen)> {
    let mut dice = Dice(seed);
    let (mut last, mut now, mut log) = (START, START, Vec::new());
    while now < START + Span::from_days(days) {
        now = last + Span::from_secs(3600 + (dice.unit() * 12.0 * 3600.0) as i64);
        let changed = dice.unit() > (-rate * truth.effective_days(last, now)).exp();
        log.push((last, now, if changed { HourSeen::Change { importance: 1.0 } } else { HourSeen::Same }));
        last = now;
    }
    log
}

fn fold(log: &[(Time, Time, HourSeen)], rate: f64, believed: &Shape) -> HourTally {
    let mut tally = HourTally::new(believed.calendar(), f64::INFINITY);
    log.iter().for_each(|&(from, to, seen)| tally.observe(from, to, seen, rate, believed));
    tally
}

/// Several rounds over one log, each spreading changes by what the last has learned.
fn learned(log: &[(Time, Time, HourSeen)], rate: f64, rounds: usize) -> Shape {
    let mut shape = Shape::flat(Calendar::default());
    for _ in 0..rounds {
        shape = fold(log, rate, &shape).shape(&Shape::flat(Calendar::default()), 10.0);
    }
    shape
}

fn distance(one: &Shape, other: &Shape) -> f32 {
    one.weekday().iter().zip(other.weekday()).map(|(a, b)| (a - b).abs()).sum::<f32>() / 24.0
}

#[test]
fn office_hours_are_recovered_from_visits_hours_apart() {
    let truth = office(8);
    let shape = learned(&visits(1, &truth, 4.0, 400), 4.0, 20);
    let flat = Shape::flat(Calendar::default());
    assert!(distance(&shape, &truth) < 0.4 * distance(&flat, &truth), "{:?}", shape.weekday());
    assert!(shape.week()[2] > 4.0 * shape.week()[6], "{:?}", shape.week());
}

#[test]
fn known_moments_of_change_need_no_guess_of_when() {
    let (truth, flat) = (office(8), Shape::flat(Calendar::default()));
    let mut tally = HourTally::new(Calendar::default(), f64::INFINITY);
    let (mut dice, half_hour) = (Dice(2), Span::from_secs(1800));
    for visit in 0..400 {
        let (from, to) = (START + half_hour * (17 * visit), START + half_hour * (17 * (visit + 1)));
        let moments = (1..=17).map(|step| from + half_hour * step + Span::from_secs(-900));
        let latest = moments.filter(|at| dice.unit() < 4.0 * truth.at(*at) / 48.0).last();
        let seen = latest.map_or(HourSeen::Same, |at| HourSeen::ChangeAt { at, importance: 1.0 });
        tally.observe(from, to, seen, 4.0, &flat);
    }
    let shape = tally.shape(&flat, 10.0);
    assert!(distance(&shape, &truth) < 0.3 * distance(&flat, &truth), "{:?}", shape.weekday());
}

#[test]
fn a_page_without_changes_has_the_shape_it_was_given() {
    let tally = fold(&[(START, START + Span::from_days(30), HourSeen::Same)], 0.01, &office(3));
    assert_eq!(tally.changes(), 0.0);
    assert!(distance(&tally.shape(&office(3), 10.0), &office(3)) < 1e-4);
}

#[test]
fn merged_logs_say_what_one_log_of_both_would() {
    let log = visits(3, &office(8), 2.0, 60);
    let believed = office(6);
    for memory in [20.0, f64::INFINITY] {
        let fold = |log: &mut dyn Iterator<Item = &(Time, Time, HourSeen)>| {
            let mut tally = HourTally::new(Calendar::default(), memory);
            log.for_each(|&(from, to, seen)| tally.observe(from, to, seen, 2.0, &believed));
            tally
        };
        let (whole, half) = (fold(&mut log.iter()), log.len() / 2);
        let mut forwards = fold(&mut log[..half].iter());
        forwards.merge(&fold(&mut log[half..].iter()));
        let mut backwards = fold(&mut log[half..].iter());
        backwards.merge(&fold(&mut log[..half].iter()));
        let close = |a: f64, b: f64| (a - b).abs() < 1e-3 * (1.0 + b);
        for bin in 0..whole.calendar().bins() {
            for merged in [&forwards, &backwards] {
                let (got, expected) = (merged.bin(bin), whole.bin(bin));
                assert!(close(got.0, expected.0) && close(got.1, expected.1), "{bin}: {got:?} {expected:?}");
            }
        }
    }
}

#[test]
fn old_habits_are_forgotten() {
    let mut tally = HourTally::new(Calendar::default(), 20.0);
    let flat = Shape::flat(Calendar::default());
    for (opens, first_day) in [(0, 0), (12, 98)] {
        for (from, to, seen) in visits(4, &office(opens), 4.0, 98) {
            let later = Span::from_days(first_day);
            tally.observe(from + later, to + later, seen, 4.0, &flat);
        }
    }
    let shape = tally.shape(&flat, 10.0);
    let (old, new): (f32, f32) = (shape.weekday()[..8].iter().sum(), shape.weekday()[12..20].iter().sum());
    assert!(new > 1.4 * old, "{old} {new}");
}

#[test]
fn a_tally_holds_less_than_800_bytes_however_much_it_sees() {
    let tally = fold(&visits(5, &office(9), 3.0, 365), 3.0, &office(9));
    assert!(tally.bytes() <= 800, "{}", tally.bytes());
}

/// Sixteen pages, every other one busy in the evening.
fn two_kinds() -> ([Shape; 2], Vec<HourTally>, Profiles) {
    let truths = [office(6), office(18)];
    let pages: Vec<HourTally> = (0..16).map(|page| fold_of(&truths[page % 2], page as u64, 2.0)).collect();
    let mut profiles = Profiles::of_site(Shape::flat(Calendar::default()));
    profiles.learn(Shape::flat(Calendar::default()), &pages);
    (truths, pages, profiles)
}

#[test]
fn pages_that_behave_alike_are_found() {
    let (truths, pages, mut profiles) = two_kinds();
    assert_eq!(profiles.len(), 2);
    let sides: Vec<bool> = pages.iter().map(|page| profiles.membership(page)[0] > 0.5).collect();
    assert!(sides.iter().enumerate().all(|(page, side)| *side == (sides[0] == (page % 2 == 0))), "{sides:?}");
    // Nobody knows where one without changes belongs.
    let newcomer = profiles.membership(&HourTally::new(Calendar::default(), 1.0));
    assert!(newcomer.iter().all(|share| (share - 0.5).abs() < 0.1), "{newcomer:?}");
    assert_eq!(profiles.shared(&pages[0]), *profiles.site(), "not believed before they are tested");
    for (from, to, seen) in visits(77, &truths[0], 2.0, 30) {
        profiles.test(&pages[0], from, to, seen != HourSeen::Same, 2.0);
    }
    let alike = (distance(&profiles.shape(&pages[0]), &truths[0]), distance(&profiles.shape(&pages[0]), &truths[1]));
    assert!(alike.0 < 0.5 * alike.1, "{alike:?}");
}

#[test]
fn profiles_that_foretell_nothing_are_not_believed() {
    let (_, pages, mut profiles) = two_kinds();
    for (from, to, seen) in visits(78, &Shape::flat(Calendar::default()), 2.0, 60) {
        profiles.test(&pages[0], from, to, seen != HourSeen::Same, 2.0);
    }
    assert_eq!(profiles.shared(&pages[0]), *profiles.site());
}

fn fold_of(truth: &Shape, seed: u64, rate: f64) -> HourTally {
    let log = visits(seed + 100, truth, rate, 120);
    fold(&log, rate, &learned(&log, rate, 5))
}

#[test]
fn pages_that_are_all_alike_have_one_profile() {
    let pages: Vec<HourTally> = (0..20).map(|page| fold(&visits(page, &office(9), 1.0, 90), 1.0, &office(9))).collect();
    let mut profiles = Profiles::of_site(Shape::flat(Calendar::default()));
    profiles.learn(office(9), &pages);
    assert_eq!(profiles, Profiles::of_site(office(9)));
    profiles.learn(office(9), []);
    assert_eq!(profiles, Profiles::of_site(office(9)));
}

#[test]
fn the_zone_of_a_site_is_where_its_quiet_hours_are_night() {
    // Open from 16 to 24 UTC: nine to five, seven hours behind.
    let log = visits(6, &office(16), 4.0, 200);
    let tally = fold(&log, 4.0, &learned(&log, 4.0, 10));
    let zone = infer_zone(&tally, tally.changes()).unwrap();
    let hours = zone.offset.as_secs_f64() / 3600.0;
    assert!((hours + 7.0).abs() <= 2.0 && zone.confidence > 0.9, "{zone:?}");
    assert_eq!(infer_zone(&tally, 3.0), None, "a handful of occasions says nothing");
}

#[test]
fn a_site_that_never_sleeps_has_no_zone() {
    let flat = Shape::flat(Calendar::default());
    let tally = fold(&visits(7, &flat, 4.0, 200), 4.0, &flat);
    assert_eq!(infer_zone(&tally, tally.changes()), None);
    assert_eq!(infer_zone(&HourTally::new(Calendar::default(), 1.0), 0.0), None);
}

/// A rhythm that has heard of every visit to a few pages.
fn rhythm_of(pages: &[Vec<(Time, Time, HourSeen)>], rate: f64) -> Rhythm {
    let mut visits: Vec<_> = pages.iter().flatten().copied().collect();
    visits.sort_by_key(|(_, to, _)| *to);
    let mut rhythm = Rhythm::new(Calendar::default(), f64::INFINITY);
    for (from, to, seen) in visits {
        rhythm.observe(from, to, seen, rate);
    }
    rhythm
}

#[test]
fn the_rhythm_of_a_site_is_learned_while_it_is_visited() {
    let truth = office(16);
    let pages: Vec<_> = (0..12).map(|page| visits(page + 30, &truth, 1.0, 120)).collect();
    let rhythm = rhythm_of(&pages, 1.0);
    let flat = Shape::flat(Calendar::default());
    assert!(distance(rhythm.shape(), &truth) < 0.6 * distance(&flat, &truth), "{:?}", rhythm.shape().weekday());
    assert!(rhythm.zone().is_some_and(|zone| (zone.offset.as_secs_f64() / 3600.0 + 7.0).abs() <= 2.0));
    let text = serde_json::to_string(&rhythm).unwrap();
    assert!(distance(serde_json::from_str::<Rhythm>(&text).unwrap().shape(), rhythm.shape()) < 1e-5);
}

#[test]
fn an_edit_of_all_pages_at_once_makes_little_of_a_rhythm() {
    let at = |hours: i64| START + Span::from_secs(3600 * hours);
    let mut rhythm = Rhythm::new(Calendar::default(), f64::INFINITY);
    for hour in 0..24 * 50 {
        for page in 0..100 {
            // Once, on a Monday at nine, all change; otherwise each page once in 50 days.
            let changed = hour == 24 * 28 + 9 || (page * 7 + hour * 13) % 1200 == 0;
            let seen = if changed { HourSeen::Change { importance: 1.0 } } else { HourSeen::Same };
            rhythm.observe(at(hour), at(hour + 1), seen, 1.0 / 30.0);
        }
    }
    // Ten, if each of the hundred changes counted as one.
    assert!(rhythm.shape().weekday()[9] < 4.0, "{:?}", rhythm.shape().weekday());
}

#[test]
fn merged_rhythms_have_heard_both_logs() {
    let truth = office(8);
    let pages: Vec<_> = (0..8).map(|page| visits(page + 50, &truth, 1.0, 100)).collect();
    let (whole, other) = (rhythm_of(&pages, 1.0), rhythm_of(&pages[4..], 1.0));
    let mut merged = rhythm_of(&pages[..4], 1.0);
    merged.merge(&other);
    let flat = Shape::flat(Calendar::default());
    assert!(distance(merged.shape(), whole.shape()) < 0.3 * distance(whole.shape(), &flat));
}

fn any_seen() -> impl Strategy<Value = HourSeen> {
    prop_oneof![
        Just(HourSeen::Same),
        any::<f64>().prop_map(|importance| HourSeen::Change { importance }),
        (any::<i64>(), any::<f64>())
            .prop_map(|(at, importance)| HourSeen::ChangeAt { at: Time::from_millis(at), importance }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_visit_leaves_a_sound_tally_and_shape(
        visits in prop::collection::vec((any::<i64>(), any::<i64>(), any_seen(), any::<f64>()), 0..6),
        memory in any::<f64>(), strength in any::<f64>(),
    ) {
        let calendar = Calendar::new(6, Span::ZERO);
        let flat = Shape::flat(calendar);
        let mut tally = HourTally::new(calendar, memory);
        for (from, to, seen, rate) in visits {
            tally.observe(Time::from_millis(from), Time::from_millis(to), seen, rate, &flat);
        }
        let mut profiles = Profiles::of_site(flat.clone());
        profiles.learn(flat.clone(), [&tally]);
        profiles.test(&tally, Time::MIN, Time::MAX, true, strength);
        for shape in [tally.shape(&flat, strength), profiles.shape(&tally)] {
            prop_assert!((0..calendar.bins()).all(|bin| shape.factor(bin).is_finite() && shape.factor(bin) >= 0.0));
        }
        infer_zone(&tally, strength);
        let text = serde_json::to_string(&tally).unwrap();
        let back: HourTally = serde_json::from_str(&text).unwrap();
        prop_assert!((back.changes() - tally.changes()).abs() <= 1e-4 * tally.changes());
    }
}
