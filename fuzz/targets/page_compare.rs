//! Any two byte strings as versions of a page: the delta leads from either to the other, whatever they are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_observe::{
    Described,
    page::{Hooks, compare, difference, segment},
};

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
    // A delta of other versions is refused or leads somewhere; it does no harm.
    let _ = delta.apply(&new.layout);
});
