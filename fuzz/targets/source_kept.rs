//! What is kept of a listing, put there by whomever: what is read plans crawls, learns on, and is kept as it was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use tintype_session::listing::{SourceState, Terms};
use tintype_vocab::{Span, Time};

const NOW: Time = Time::from_secs(1_800_000_000);

/// Terms of a collection's own file: those that are kept must be the same, or everything is learned again.
fn on_our_terms(bytes: &[u8]) -> Option<SourceState> {
    let mut kept: Value = serde_json::from_slice(bytes).ok()?;
    let terms = serde_json::to_value(Terms::default()).expect("terms can be told");
    kept.as_object_mut()?.insert("terms".to_owned(), terms);
    serde_json::from_value(kept).ok()
}

fuzz_target!(|data: &[u8]| {
    let Some(mut source) = on_our_terms(data) else { return };
    let told = serde_json::to_vec(&source).expect("what is known can be told");
    on_our_terms(&told).expect("what was told can be read");
    source.next();
    source.due(NOW);
    source.due_again(NOW);
    source.sample(NOW, 40);
    source.ledger.lives().for_each(drop);
    tintype_session::listing::draw(&source.ledger, 8, 1);
    if let Some(crawl) = source.ledger.crawl() {
        source.deadline.settle(&source.decay, &crawl, Span::from_secs(900));
        let _ = source.decay.see(&crawl);
        source.due(NOW);
    }
});
