//! Models of media types that were kept by whomever: what is read predicts chances, and is kept as it was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_learn::media::{Media, Sight};

const URLS: [&str; 3] = ["http://e.example/img/7.jpg", "http://e.example/page/3?id=4", "http://e.example/"];

fuzz_target!(|data: &[u8]| {
    let Ok(media) = Media::from_bytes(data) else { return };
    for url in URLS {
        let guess = media.guess(&Sight::of(url));
        assert!(guess.content_types().iter().all(|chance| (0.0..=1.0 + 1e-3).contains(chance)));
    }
    let kept = media.to_bytes();
    let again = Media::from_bytes(&kept).expect("what was kept can be read");
    assert_eq!(again.to_bytes(), kept);
});
