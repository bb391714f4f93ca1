//! What is behind any URL: chances are chances, reasons are finite, and it stays so whatever is learned of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tintype_learn::media::{MediaAnswer, Media, Model, Parts, Sight, Statistical, Stream};
use tintype_vocab::{Mention, LinkPlace, Tag};

static SHIPPED: LazyLock<Media> = LazyLock::new(Media::default);
/// The smallest that it is worth counting patterns in.
const BUDGET: usize = 1 << 20;

// The first line is the media type that was there, the rest the URL.
fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (media_type, url) = text.split_once('\n').unwrap_or(("text/html", &text));
    let mention = Mention { tag: Tag::Image, place: LinkPlace::Content, ..Mention::default() };
    let sights = [Sight::of(url), Sight { url, mention }];
    let parts = Parts::of(url);
    assert!(parts.domain().len() <= url.len() && parts.extension().is_none_or(|extension| url.contains(extension)));
    for sight in &sights {
        let guess = SHIPPED.guess(sight);
        let others = [guess.links(), guess.chance(&"image/png".parse().expect("a media type"))];
        guess.content_types().into_iter().chain(others).for_each(is_chance);
        let sum: f32 = guess.content_types().iter().sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        assert!(guess.bytes().is_finite() && guess.bytes() >= 0.0);
        assert!(SHIPPED.explain(sight).iter().all(|reason| reason.weight.is_finite()));
    }
    let answer = MediaAnswer { media_type, bytes: Some(data.len() as u64), links: Some(data.len().is_multiple_of(2)) };
    let models: [Box<dyn Model>; 3] =
        [Box::new(Media::blank()), Box::new(Statistical::new(0.5)), Box::new(Stream::new(BUDGET))];
    for mut model in models {
        for sight in &sights {
            model.learn(sight, &answer);
            model.content_types(sight).into_iter().for_each(is_chance);
        }
    }
});

fn is_chance(chance: f32) {
    assert!((0.0..=1.0 + 1e-3).contains(&chance), "{chance}");
}
