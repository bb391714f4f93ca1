//! Any two byte strings as versions of a page: the delta leads from either to the other, whatever they are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_observe::{
    Described,
    page::{Habits, Hooks, PartWeighing, compare, difference, segment},
    simhash::SimHash,
};
use tintype_vocab::Span;

const TYPES: [&str; 5] = [
    "text/html",
    "text/html; charset=utf-8",
    "text/html; charset=utf-16le",
    "text/html; charset=shift_jis",
    "application/xhtml+xml",
];

fuzz_target!(|data: &[u8]| {
    let [kind, share, bodies @ ..] = data else { return };
    let described = Described {
        url: "http://h.example/a/",
        content_type: Some(TYPES[usize::from(*kind) % TYPES.len()]),
        ..Described::default()
    };
    let (old, new) = bodies.split_at(bodies.len() * usize::from(*share) / 255);
    let hooks = Hooks { is_volatile: &|field| field.word.len() % 5 == 0, ..Hooks::default() };
    let said = compare((&described, old), (&described, new), &hooks).expect("both are pages");
    assert!((0.0..=1.0 + 1e-6).contains(&said.importance), "{}", said.importance);
    let [old, new] = [old, new].map(|body| segment(&described, body).expect("both are pages"));
    let delta = difference(&old, &new, described.url, &hooks).delta;
    assert_eq!(delta.apply(&old.layout).as_ref(), Ok(&new.layout));
    assert_eq!(delta.apply_back(&new.layout).as_ref(), Ok(&old.layout));
    let shares = Hooks { weighing: PartWeighing::Shares, ..hooks };
    assert!((0.0..=1.0 + 1e-6).contains(&difference(&old, &new, described.url, &shares).importance));
    // Habits learned from these very versions, back to back and a day apart.
    let mut habits = Habits::default();
    habits.see(described.url, &old);
    for apart in [1, 1, 86_400] {
        habits.learn(described.url, &old, &new, Span::from_secs(apart));
    }
    let learned = habits.difference(&old, &new, described.url);
    assert_eq!(learned.delta, delta);
    assert!((0.0..=1.0 + 1e-6).contains(&learned.importance), "{}", learned.importance);
    let mut merged = habits.clone();
    merged.merge(&habits);
    let near = SimHash::of(&old).distance(SimHash::of(&new));
    assert!(near == 0 || !delta.is_empty());
    // A delta of other versions is refused or leads somewhere; it does no harm.
    let _ = delta.apply(&new.layout);
});
