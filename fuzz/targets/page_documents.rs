//! Any two byte strings as versions of a document that is not HTML: the delta leads from either to the other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_observe::{
    Described,
    page::{ATOMS_MAX, DEPTH_MAX, Hooks, difference, segment},
};

const TYPES: [&str; 10] = [
    "application/json",
    "application/feed+json",
    "application/xml",
    "application/rss+xml",
    "image/svg+xml",
    "text/plain",
    "text/csv",
    "text/css",
    "text/javascript",
    "application/pdf",
];

fuzz_target!(|data: &[u8]| {
    let [kind, share, bodies @ ..] = data else { return };
    let described = Described {
        url: "http://h.example/a",
        content_type: Some(TYPES[usize::from(*kind) % TYPES.len()]),
        ..Described::default()
    };
    let (old, new) = bodies.split_at(bodies.len() * usize::from(*share) / 255);
    let [old, new] = [old, new].map(|body| segment(&described, body));
    let (Some(old), Some(new)) = (old, new) else { return };
    for page in [&old, &new] {
        assert!(page.layout.len() <= 3 * ATOMS_MAX);
        // A page in a string may be as deep again.
        assert!(page.layout.blocks().all(|block| usize::from(block.shape().depth) <= 2 * DEPTH_MAX + 4));
    }
    let found = difference(&old, &new, described.url, &Hooks::default());
    assert!((0.0..=1.0 + 1e-6).contains(&found.importance), "{}", found.importance);
    assert_eq!(found.delta.apply(&old.layout).as_ref(), Ok(&new.layout));
    assert_eq!(found.delta.apply_back(&new.layout).as_ref(), Ok(&old.layout));
});
