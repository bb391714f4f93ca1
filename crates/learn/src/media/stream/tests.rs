use super::*;
use proptest::prelude::*;
use rapidhash::v3::rapidhash_v3;
use std::collections::HashMap;

/// The same stream in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        rapidhash_v3(&self.0.to_le_bytes())
    }

    /// Small numbers far more often than large ones.
    fn skewed(&mut self, end: u64) -> u64 {
        let share = (self.roll() >> 11) as f64 / (1u64 << 53) as f64;
        (share.powi(4) * end as f64) as u64
    }
}

const TYPES: [&str; 9] = [
    "text/html",
    "image/jpeg",
    "image/png",
    "application/pdf",
    "audio/mpeg",
    "video/mp4",
    "text/css",
    "application/javascript",
    "font/woff2",
];

/// A skewed stream that drifts: other domains, other directories and other habits as time passes.
fn uri(dice: &mut Dice, now: u64) -> (String, &'static str) {
    let age = now / 1_000;
    let domain = dice.skewed(400) + 7 * age;
    let directory = dice.skewed(60) + age;
    let honest = dice.skewed(TYPES.len() as u64);
    let media_type = if dice.roll().is_multiple_of(10) { dice.roll() % TYPES.len() as u64 } else { (honest + age) % 9 };
    let extension = ["html", "jpg", "png", "pdf", "mp3", "mp4", "css", "js", "woff2"][honest as usize];
    let number = dice.roll() % 100_000;
    let uri = format!("http://www.d{domain}.example/t{directory}/x{}/{number:x}.{extension}", directory % 5);
    (uri, TYPES[media_type as usize])
}

/// Every pattern counted exactly, fading as the miner's do.
#[derive(Default)]
struct Truth(HashMap<u64, (f64, HashMap<&'static str, f64>)>);

impl Truth {
    fn see(&mut self, uri: &str, media_type: &'static str) {
        for pattern in Patterns::of(uri).iter() {
            let (count, types) = self.0.entry(pattern.key).or_default();
            *count += 1.0;
            *types.entry(media_type).or_default() += 1.0;
        }
    }

    fn halve(&mut self) {
        for (count, types) in self.0.values_mut() {
            *count /= 2.0;
            types.values_mut().for_each(|with| *with /= 2.0);
        }
    }
}

struct Run {
    stream: Stream,
    truth: Truth,
    dice: Dice,
}

impl Run {
    fn new(budget: usize, half_life: u64, seed: u64) -> Run {
        Run { stream: Stream::new(budget).halving_every(half_life), truth: Truth::default(), dice: Dice(seed) }
    }

    fn pass(&mut self, uris: u64) {
        for _ in 0..uris {
            let (uri, media_type) = uri(&mut self.dice, self.stream.seen);
            self.stream.learn(&Sight::of(&uri), &MediaAnswer::of(media_type));
            self.truth.see(&uri, media_type);
            if self.stream.seen.is_multiple_of(self.stream.half_life) {
                self.truth.halve();
            }
        }
    }

    fn assert_memory(&self) {
        let share = self.stream.bytes() as f64 / self.stream.budget() as f64;
        assert!((0.95..=1.05).contains(&share), "{share} of {}", self.stream.budget());
    }
}

/// Whether every pattern is within its bounds; gives how many are held.
fn held_within_bounds(stream: &Stream, truth: &Truth) -> usize {
    let guaranteed = f64::from(stream.guarantee().occurrences);
    let mut held = 0;
    for (key, (count, types)) in &truth.0 {
        let Some(cell) = stream.cell(*key) else {
            assert!(
                *count <= f64::from(stream.whole.floor(*key)) && *count <= guaranteed,
                "a pattern seen {count} times is missing"
            );
            continue;
        };
        held += 1;
        assert!(f64::from(cell.surely()) <= *count && *count <= f64::from(cell.count()), "{cell:?} {count}");
        for (id, name) in stream.names.iter() {
            let with = types.get(name).copied().unwrap_or(0.0);
            let bounds = [cell.surely_with(id), cell.at_most_with(id)].map(f64::from);
            assert!(bounds[0] <= with && with <= bounds[1], "{name}: {with} {bounds:?}");
            let [low, high] = cell.confidence(id).map(f64::from);
            let share = with / count;
            assert!(low <= share + 1e-6 && share <= high + 1e-6, "{name}: {share} {low}..{high}");
        }
    }
    held
}

#[test]
fn no_count_is_outside_its_bounds_on_a_stream_that_drifts() {
    let mut run = Run::new(BUDGET_MIN, 4_096, 1);
    for _ in 0..4 {
        run.pass(5_000);
        let held = held_within_bounds(&run.stream, &run.truth);
        assert!(held * 5 < run.truth.0.len(), "it is too easy to hold {held} of {}", run.truth.0.len());
        run.assert_memory();
    }
    let guarantee = run.stream.guarantee();
    assert!(guarantee.occurrences > 0 && guarantee.mean_occurrences > 0.0, "{guarantee:?}");
    let uris = f64::from(guarantee.uris);
    assert!(f64::from(guarantee.occurrences) < uris / 8.0, "{guarantee:?}");
}

#[test]
fn memory_can_be_taken_and_given_while_running() {
    let mut run = Run::new(8 << 20, 1 << 20, 2);
    run.pass(3_000);
    run.assert_memory();
    let rich = held_within_bounds(&run.stream, &run.truth);
    assert_eq!((rich, run.stream.guarantee().occurrences), (run.truth.0.len(), 0), "all of it fits");
    run.stream.set_budget(BUDGET_MIN + 12_345);
    run.assert_memory();
    let poor = held_within_bounds(&run.stream, &run.truth);
    assert!(poor < rich / 2, "{poor} of {rich}");
    run.pass(2_000);
    held_within_bounds(&run.stream, &run.truth);
    run.stream.set_budget(2 << 20);
    run.assert_memory();
    run.pass(2_000);
    assert!(held_within_bounds(&run.stream, &run.truth) > poor);
    run.stream.set_budget(0);
    assert_eq!(run.stream.budget(), BUDGET_MIN);
}

#[test]
fn merged_miners_keep_their_bounds() {
    let mut one = Run::new(300 << 10, 1 << 20, 3);
    let mut other = Run::new(BUDGET_MIN, 1 << 20, 4);
    // The other one meets the types in another order.
    other.stream.learn(&Sight::of(""), &MediaAnswer::of("made/up"));
    other.truth.see("", "made/up");
    one.pass(3_000);
    other.pass(4_000);
    one.stream.merge(&other.stream);
    for (key, (count, types)) in other.truth.0 {
        let (sum, all) = one.truth.0.entry(key).or_default();
        *sum += count;
        types.into_iter().for_each(|(name, with)| *all.entry(name).or_default() += with);
    }
    assert!(held_within_bounds(&one.stream, &one.truth) > 1_000);
    assert_eq!(one.stream.seen(), 7_001);
    one.assert_memory();
}

#[test]
fn a_miner_is_the_same_after_it_was_saved() {
    let mut run = Run::new(BUDGET_MIN, 2_048, 5);
    run.pass(3_000);
    run.stream.fold();
    let text = serde_json::to_string(&run.stream).unwrap();
    let mut restored: Stream = serde_json::from_str(&text).unwrap();
    assert_eq!(held_within_bounds(&restored, &run.truth), held_within_bounds(&run.stream, &run.truth));
    assert_eq!(restored.frequent(None, 50), run.stream.frequent(None, 50));
    assert_eq!(restored.stretches().count(), 1);
    let sight = Sight::of("http://d1.example/t3/x3/1.jpg");
    restored.learn(&sight, &MediaAnswer::of("image/jpeg"));
    for (from, to) in [
        ("\"version\":1", "\"version\":2"),
        (&format!("\"budget\":{BUDGET_MIN}"), "\"budget\":99999999999999"),
        ("\"floors\":[", "\"floors\":[0,"),
        ("\"text/html\"", "\"text html\""),
        ("\"half_life\":2048", "\"half_life\":0"),
        ("\"cells\":[[", "\"cells\":[[1,1,2,3,[]],["),
        ("\"cells\":[[", "\"cells\":[[1,1,0,0,[[600,1]]],["),
    ] {
        assert!(text.contains(from) && serde_json::from_str::<Stream>(&text.replace(from, to)).is_err(), "{from}");
    }
}

#[test]
fn patterns_can_be_asked_for_by_domain_and_by_stretch() {
    let mut stream = Stream::new(1 << 20);
    let pass = |stream: &mut Stream, count: u64, uri: &str, media_type: &str| {
        for number in 0..count {
            let uri = uri.replace("{n}", &number.to_string());
            stream.learn(&Sight::of(&uri), &MediaAnswer::of(media_type));
        }
    };
    pass(&mut stream, 20_000, "http://old.example/view/{n}", "image/gif");
    pass(&mut stream, 20_000, "http://new.example/view/{n}", "image/avif");
    let of_domain = stream.frequent(Some("OLD.example"), 99);
    let template = of_domain.iter().find(|found| found.text == "old.example/view/{n}").unwrap();
    assert_eq!((template.kind, template.media_type.as_str()), (PatternKind::DomainTemplate, "image/gif"));
    assert_eq!((template.occurrences, template.confidence), ([20_000; 2], [1.0; 2]));
    assert!(of_domain.iter().all(|found| found.text.starts_with("old.example")), "{of_domain:#?}");
    let stretches: Vec<_> = stream.stretches().collect();
    let share = |uris: Range<u64>| {
        let found = stream.frequent_between(uris, None, 99);
        found.into_iter().find(|found| found.text == "*/view/*").map(|found| (found.media_type, found.confidence))
    };
    let is_sure = |share: Option<(String, [f32; 2])>, name: &str| {
        share.is_some_and(|(media_type, [low, high])| media_type == name && low > 0.999 && high == 1.0)
    };
    assert!(is_sure(share(0..1_000), "image/gif"), "{stretches:?}");
    let last = stretches.last().unwrap().clone();
    assert!(is_sure(share(last.clone()), "image/avif"), "{stretches:?}");
    assert_eq!(share(last.end..u64::MAX), None);
    assert!(share(0..u64::MAX).is_some_and(|(_, [low, high])| low > 0.45 && high < 0.6));
    let said = stream.explain("http://www.new.example/view/7", 3);
    assert!(said.iter().all(|said| said.media_type == "image/avif") && said.len() == 3, "{said:#?}");
}

#[test]
fn new_types_need_no_training_and_old_habits_fade() {
    let mut stream = Stream::new(BUDGET_MIN).halving_every(1_024);
    let sight = Sight::of("http://a.example/clips/1.xyz");
    (0..4_000).for_each(|_| stream.learn(&sight, &MediaAnswer::of("video/old")));
    assert!(stream.chance(&sight, &"video/old".parse().unwrap()) > 0.99);
    (0..20).for_each(|_| stream.learn(&Sight::of("http://b.example/pods/one.pod"), &MediaAnswer::of("audio/x-pod")));
    assert!(stream.chance(&Sight::of("http://c.example/two.pod"), &"audio/x-pod".parse().unwrap()) > 0.9);
    (0..8_000).for_each(|_| stream.learn(&sight, &MediaAnswer::of("image/new")));
    assert!(stream.chance(&sight, &"image/new".parse().unwrap()) > 0.95);
    let chances = stream.content_types(&sight);
    assert!(chances[ContentType::Image as usize] > 0.95 && chances.iter().sum::<f32>() <= 1.0 + 1e-5, "{chances:?}");
}

#[test]
fn nothing_is_known_at_first() {
    let stream = Stream::new(BUDGET_MIN);
    assert_eq!(stream.content_types(&Sight::of("http://a.example/x.jpg")), [0.0; 6]);
    assert!(stream.frequent(None, 9).is_empty() && stream.explain("http://a.example/", 9).is_empty());
    assert_eq!(stream.guarantee(), Guarantee { uris: 0, occurrences: 0, mean_occurrences: 0.0 });
}

#[test]
fn hostile_urls_and_types_cost_no_memory() {
    let mut stream = Stream::new(BUDGET_MIN);
    let before = stream.bytes();
    for odd in [
        "a/".repeat(1 << 19),
        format!("http://h/{}", "%".repeat(1 << 20)),
        format!("http://h/?{}", "a&".repeat(1 << 19)),
        "\0\u{202e}\u{5d0}".repeat(1 << 17),
        "http://xn--\u{0}.xn--/\u{0}".to_owned(),
    ] {
        (0..4).for_each(|_| stream.learn(&Sight::of(&odd), &MediaAnswer::of(&odd)));
        assert!(stream.content_types(&Sight::of(&odd)).iter().all(|chance| (0.0..=1.0).contains(chance)));
    }
    (0..5_000).for_each(|number| stream.learn(&Sight::of("http://h/"), &MediaAnswer::of(&format!("made/up-{number}"))));
    assert_eq!(stream.bytes(), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn bounds_hold_whatever_happens(seed in any::<u64>(), steps in prop::collection::vec((1u64..700, 0usize..3), 1..5)) {
        let mut run = Run::new(BUDGET_MIN, 1_024, seed);
        for (uris, then) in steps {
            run.pass(uris);
            match then {
                0 => run.stream.set_budget(BUDGET_MIN + (seed % (1 << 20)) as usize),
                1 => run.stream.set_budget(BUDGET_MIN),
                _ => run.stream.fold(),
            }
            held_within_bounds(&run.stream, &run.truth);
            run.assert_memory();
        }
    }
}
