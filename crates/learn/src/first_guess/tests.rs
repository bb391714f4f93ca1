//! What a model must be, whatever it learns, and what it is to learn.

use super::*;
use proptest::prelude::*;
use tintype_vocab::{Span, Time};

const NOW: Time = Time::from_secs(1_794_000_000);

fn page(url: &str, depth: u16) -> Signs<'_> {
    Signs::new(url, LinkKind::Anchor, depth, NOW)
}

fn per_day(model: &FirstGuess, signs: Signs<'_>) -> f32 {
    model.guess(&signs).per_day
}

/// Weekly comparisons for half a year.
fn record(changes: u64) -> RateSeen {
    RateSeen::Record(Past { comparisons: 26, changes, observed: Span::from_days(182) })
}

/// Learns pages 0, 1, 2, … of a host, each with as many changes as `changes` says.
fn learned(host: &str, pages: std::ops::Range<u64>, changes: impl Fn(u64) -> u64) -> FirstGuess {
    let mut model = FirstGuess::default();
    for n in pages {
        model.learn(&page(&format!("http://{host}/a/{}", letters(n)), 2), &record(changes(n)));
    }
    model
}

/// A name for a number that has no digits, because numbers are not told apart.
fn letters(n: u64) -> String {
    n.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}

/// Numbers that look as if drawn by chance.
fn dice(n: u64) -> f64 {
    let mixed = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64 / (1u64 << 53) as f64
}

#[test]
fn what_is_shipped_is_what_everybody_knows() {
    let model = FirstGuess::default();
    let falling = |signs: &[Signs<'_>]| {
        let rates: Vec<_> = signs.iter().map(|signs| per_day(&model, *signs)).collect();
        assert!(rates.windows(2).all(|pair| pair[0] > pair[1]), "{rates:?} for {signs:?}");
    };
    let picture = Signs::new("http://h/a.png", LinkKind::Embed, 1, NOW);
    falling(&[page("http://h/", 0), page("http://h/docs/", 1), page("http://h/docs/x", 4), picture]);
    falling(&[Signs::new("http://h/feed.xml", LinkKind::Feed, 1, NOW), page("http://h/x", 1)]);
    falling(
        &["2026/11/05", "2026/08/01", "2024/01/01"]
            .map(|date| format!("http://h/{date}/x"))
            .each_ref()
            .map(|url| page(url, 2)),
    );
    let every = |days| Signs { listed_every: Some(Span::from_days(days)), ..page("http://h/x", 2) };
    falling(&[every(1), every(30), every(36_500)]);
    let modified = |days| Signs { modified: Some(NOW - Span::from_days(days)), ..page("http://h/x", 2) };
    falling(&[modified(1), modified(100), modified(1000)]);
    let listed = |days| Signs { listed_modified: Some(NOW - Span::from_days(days)), ..page("http://h/x", 2) };
    falling(&[listed(1), listed(100), listed(1000)]);
    let max_age = |days| Signs { max_age: Some(Span::from_days(days)), ..page("http://h/x", 2) };
    falling(&[max_age(0), max_age(2), max_age(365)]);
    falling(&[Signs { in_feed: true, ..page("http://h/x", 2) }, page("http://h/x", 2)]);
    assert!(model.guess(&page("http://h/x", 2)).shape < 1.0, "and nobody is sure of it");
}

#[test]
fn a_page_is_guessed_to_be_like_its_kin_and_with_more_certainty() {
    let unseen = page("http://h/a/unseen", 2);
    let before = FirstGuess::default().guess(&unseen);
    let quiet = learned("h", 0..60, |_| 0).guess(&unseen);
    let busy = learned("h", 0..60, |_| 20).guess(&unseen);
    assert!(
        quiet.per_day < 0.2 * before.per_day && busy.per_day > 5.0 * before.per_day,
        "{quiet:?} {before:?} {busy:?}"
    );
    assert!((busy.per_day / 0.21).ln().abs() < 0.2, "20 of 26 weeks with a change: 0.21 a day, not {busy:?}");
    assert!(busy.shape > 2.0 * before.shape, "{busy:?} {before:?}");
}

#[test]
fn sites_teach_one_another_and_their_own_pages_most() {
    let mut model = FirstGuess::default();
    for host in 0..20 {
        model.merge(&learned(&letters(host), 0..10, |_| 13));
    }
    let rate = |url| per_day(&model, page(url, 2));
    let before = per_day(&FirstGuess::default(), page("http://new/b/x", 2));
    assert!(rate("http://new/b/x") > 1.5 * before, "{} {before}", rate("http://new/b/x"));
    assert!(rate("http://a/a/x") > rate("http://new/b/x"));
}

#[test]
fn a_guess_is_as_unsure_as_pages_scatter() {
    let alike = learned("h", 0..200, |_| 6).guess(&page("http://h/a/unseen", 2));
    let unlike = learned("h", 0..200, |n| if n % 5 == 0 { 26 } else { 0 }).guess(&page("http://h/a/unseen", 2));
    assert!(alike.shape > 1.5 && unlike.shape < 0.4, "{alike:?} {unlike:?}");
}

#[test]
fn nine_of_ten_pages_fall_into_the_central_nine_tenths_of_what_was_guessed() {
    // Rates with a mean of 0.1 a day that scatter as a Gamma of shape 1 does.
    let changes = |n: u64| {
        let rate = -0.1 * (1.0 - dice(3 * n)).ln();
        let changed = 1.0 - (-7.0 * rate).exp();
        (0..26).filter(|week| dice(1_000_000 + 26 * n + week) < changed).count() as u64
    };
    let model = learned("h", 0..300, changes);
    let guess = model.guess(&page("http://h/a/unseen", 2));
    assert!((guess.per_day / 0.1).ln().abs() < 0.3 && (guess.shape.ln()).abs() < 0.5, "{guess:?}");
    let bounds = [0.05, 0.95].map(|share| -f64::from(guess.per_day) * (1.0f64 - share).ln());
    let rates = (300..1300).map(|n| -0.1 * (1.0 - dice(3 * n)).ln());
    let within = rates.filter(|rate| (bounds[0]..bounds[1]).contains(rate)).count();
    assert!((850..950).contains(&within), "{within} of 1000");
}

#[test]
fn intervals_and_last_changes_teach_too() {
    let unseen = page("http://h/a/unseen", 2);
    let after = |seen: RateSeen| {
        let mut model = FirstGuess::default();
        (0..100).for_each(|n| model.learn(&page(&format!("http://h/a/{}", letters(n)), 2), &seen));
        per_day(&model, unseen)
    };
    let before = per_day(&FirstGuess::default(), unseen);
    assert!(after(RateSeen::Interval { days: 7.0, changed: false }) < before);
    assert!(after(RateSeen::Interval { days: 7.0, changed: true }) > before);
    let (lately, long_ago) = (after(RateSeen::ChangedAgo { days: 2.0 }), after(RateSeen::ChangedAgo { days: 400.0 }));
    assert!(lately > before && long_ago < before, "{lately} {before} {long_ago}");
}

#[test]
fn what_a_last_change_was_told_by_does_not_explain_it() {
    let mut model = FirstGuess::default();
    let signs = Signs { modified: Some(NOW), ..page("http://h/a/x", 2) };
    let told = |model: &FirstGuess| per_day(model, signs) / per_day(model, page("http://h/a/x", 2));
    let before = told(&model);
    (0..50).for_each(|_| model.learn(&signs, &RateSeen::ChangedAgo { days: 0.0 }));
    assert!((told(&model) / before - 1.0).abs() < 1e-3);
}

#[test]
fn memory_is_what_it_is_said_to_be() {
    assert_eq!(FirstGuess::BYTES, 256 << 10);
}

#[test]
fn models_of_different_hosts_merge_to_about_what_one_would_have_learned() {
    let (here, there) = (learned("here", 0..80, |n| n % 4), learned("there", 0..80, |_| 18));
    let mut merged = here.clone();
    merged.merge(&there);
    let mut both = here.clone();
    for n in 0..80 {
        both.learn(&page(&format!("http://there/a/{}", letters(n)), 2), &record(18));
    }
    for url in ["http://here/a/new", "http://there/a/new", "http://here/b/", "http://elsewhere/a/new"] {
        let (merged, both) = (merged.guess(&page(url, 2)), both.guess(&page(url, 2)));
        let ratio = f64::from(merged.per_day / both.per_day);
        assert!(ratio.ln().abs() < 0.35 && (merged.shape / both.shape).ln().abs() < 0.5, "{url}: {merged:?} {both:?}");
    }
}

#[test]
fn merging_is_the_same_in_any_order_and_nothing_adds_nothing() {
    let models = [learned("a", 0..20, |_| 3), learned("b", 0..20, |n| n), learned("a", 20..40, |_| 0)];
    let merged = |order: [usize; 3]| {
        let mut model = FirstGuess::default();
        order.iter().for_each(|at| model.merge(&models[*at]));
        model
    };
    for url in ["http://a/a/x", "http://b/a/x", "http://c/a/x"] {
        let rates = [[0, 1, 2], [2, 1, 0], [1, 2, 0]].map(|order| per_day(&merged(order), page(url, 2)));
        assert!(rates.iter().all(|rate| (rate / rates[0] - 1.0).abs() < 1e-3), "{rates:?}");
    }
    let mut alone = models[0].clone();
    alone.merge(&FirstGuess::default());
    assert_eq!(alone, models[0]);
}

#[test]
fn a_model_survives_being_kept_and_another_version_is_refused() {
    let model = learned("h", 0..50, |n| n % 7);
    let text = serde_json::to_string(&model).unwrap();
    assert_eq!(serde_json::from_str::<FirstGuess>(&text).unwrap(), model);
    assert!(serde_json::to_string(&FirstGuess::default()).unwrap().len() < 100, "what was not learned is not kept");
    for (what, with) in [(r#""version":1"#, r#""version":2"#), (r#""weights":[["#, r#""weights":[[99999999,[0,0]],["#)]
    {
        assert!(text.contains(what));
        assert!(serde_json::from_str::<FirstGuess>(&text.replace(what, with)).is_err(), "{with}");
    }
    let scatter = r#"{"version":1,"weights":[],"scatter":[[0,-1],[0,0],[0,0]]}"#;
    assert!(serde_json::from_str::<FirstGuess>(scatter).is_err());
}

#[test]
fn experience_never_stops_counting() {
    let mut model = learned("h", 0..4000, |_| 13);
    assert!(per_day(&model, page("http://h/a/x", 2)) > 0.08);
    (0..100).for_each(|n| model.learn(&page(&format!("http://h/a/{}", letters(n)), 2), &record(0)));
    let after = per_day(&model, page("http://h/a/x", 2));
    assert!(after < 0.02, "a hundred pages that rest against four thousand that did not long ago: {after}");
}

#[test]
fn a_surprise_is_believed_but_not_beyond_what_was_seen() {
    let mut model = FirstGuess::default();
    let picture = Signs::new("http://h/a/b/c/d/e.png", LinkKind::Embed, 9, NOW);
    let hourly = Past { comparisons: 240, changes: 150, observed: Span::from_days(10) };
    let before = per_day(&model, picture);
    model.learn(&picture, &RateSeen::Record(hourly));
    let after = per_day(&model, picture);
    assert!(before < 0.001 && after > 0.5 && after < 25.0, "{before} {after}");
}

fn any_seen() -> impl Strategy<Value = RateSeen> {
    prop_oneof![
        (any::<f64>(), any::<bool>()).prop_map(|(days, changed)| RateSeen::Interval { days, changed }),
        any::<f64>().prop_map(|days| RateSeen::ChangedAgo { days }),
        (any::<u64>(), any::<u64>(), any::<i64>()).prop_map(|(comparisons, changes, millis)| {
            RateSeen::Record(Past { comparisons, changes, observed: Span::from_millis(millis) })
        }),
        (0u64..50, 0u64..50, 0i64..1 << 40).prop_map(|(comparisons, changes, millis)| {
            RateSeen::Record(Past { comparisons, changes, observed: Span::from_millis(millis) })
        }),
    ]
}

/// Any text, and texts that resemble a URL.
fn any_url() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "(https?://)?[a-z.]{0,9}(/[0-9]{4}[-/_]?[0-9]{0,3}|/[é%.a-z-]{0,9}){0,12}([?#&=].{0,9}){0,3}"
    ]
}

type Odds = (Option<i64>, Option<i64>, Option<String>, i64);

fn odd<'a>(url: &'a str, depth: u16, (modified, span, media_type, now): &'a Odds) -> Signs<'a> {
    let (time, span) = (modified.map(Time::from_millis), span.map(Span::from_millis));
    let kinds = [LinkKind::Anchor, LinkKind::Embed, LinkKind::Feed, LinkKind::Listed];
    Signs {
        listed_modified: time,
        listed_every: span,
        in_feed: depth % 2 == 1,
        media_type: media_type.as_deref(),
        modified: time,
        max_age: span,
        ..Signs::new(url, kinds[usize::from(depth % 4)], depth, Time::from_millis(*now))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_is_learned_guesses_are_rates_and_the_same_again(
        lessons in prop::collection::vec((any_url(), any::<u16>(), any::<Odds>(), any_seen()), 0..20),
        url in any_url(), depth in any::<u16>(), odds in any::<Odds>(),
    ) {
        let learn = || {
            let mut model = FirstGuess::default();
            for (url, depth, odds, seen) in &lessons {
                model.learn(&odd(url, *depth, odds), seen);
            }
            model
        };
        let model = learn();
        let guess = model.guess(&odd(&url, depth, &odds));
        prop_assert!((1e-7..400.0).contains(&guess.per_day) && (0.01..1e4).contains(&guess.shape), "{:?}", guess);
        prop_assert!(learn() == model);
        let kept = serde_json::to_string(&model).unwrap();
        prop_assert!(serde_json::from_str::<FirstGuess>(&kept).unwrap() == model);
    }
}
