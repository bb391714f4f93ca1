//! URLs nobody in their right mind would send, to every model of media types: they cost what others cost.

use tintype_learn::media::{Media, MediaAnswer, Model, Parts, Sight, Statistical, Stream};
use tintype_vocab::{ContentType, MediaRange};

const MEGABYTE: usize = 1 << 20;

/// Long ones are a megabyte, so that a model that reads all of one takes minutes for what follows.
fn hostile() -> Vec<String> {
    let long = |piece: &str| piece.repeat(MEGABYTE / piece.len());
    let mut urls: Vec<String> = [
        "",
        ":",
        "://",
        "//",
        "?",
        "#",
        "@",
        "http:",
        "http://",
        "http:///",
        "http://?",
        "http://:80",
        "http://@:@:/",
        "http://e.com:99999999999/",
        "http://[::1]:80/a.png",
        "http://[",
        "http://.../...",
        "http://e.com/.png",
        "http://e.com/a.",
        "http://e.com/a..png",
        "http://e.com/\0.png\0",
        "http://e.com/%00%2e%2Epng",
        "http://xn--bcher-kva.example/xn--.xn--",
        "http://\u{202e}moc.e\u{202c}/gnp.\u{202e}",
        "http://عربي.example/صورة.png?مفتاح=قيمة",
        "http://e.com/ΑΣ/İ/ﬃ.ΠΝΓ",
    ]
    .map(str::to_owned)
    .to_vec();
    for piece in
        ["%", "/", ".", "?", "&", "=", ":", "@", "#", "\0", "A", "aB", "0", "/a", ".png", "\u{202e}", "\u{1f980}"]
    {
        urls.extend([long(piece), format!("http://{}", long(piece)), format!("http://e.com/{}", long(piece))]);
        urls.extend([format!("http://e.com/x?{}", long(piece)), format!("http://e.com/{}.png", long(piece))]);
    }
    urls.extend([
        format!("http://e.com/?{}", long("a=b&")),
        format!("http://e.com/?{}", long("&;")),
        format!("http://{}com/", long("xn--a.")),
        format!("http://{}@e.com/", long("me:")),
        format!("{}://e.com/", long("http")),
    ]);
    urls
}

#[test]
fn hostile_urls_are_told_something_of_by_every_model_in_the_memory_it_has() {
    let models: [Box<dyn Model>; 3] =
        [Box::new(Media::default()), Box::new(Statistical::new(0.5)), Box::new(Stream::new(256 << 10))];
    let (urls, ranges) = (hostile(), ["image", "application/pdf"].map(|range| range.parse::<MediaRange>().unwrap()));
    for mut model in models {
        let before = model.bytes();
        for (nth, url) in urls.iter().cycle().take(4 * urls.len()).enumerate() {
            let (sight, answer) = (Sight::of(url), MediaAnswer::of(["image/png", "text/html", "made/up"][nth % 3]));
            let chances = model.content_types(&sight);
            assert!(chances.iter().all(|chance| (0.0..=1.0001).contains(chance)), "{chances:?}");
            assert!(chances.iter().sum::<f32>() < 1.001, "{chances:?}");
            for range in &ranges {
                assert!((0.0..=1.0001).contains(&model.chance(&sight, range)));
            }
            model.learn(&sight, &answer);
        }
        // Rules and counts of some hundred URLs, however long these are.
        assert!(model.bytes() < before + (1 << 20), "{} of {before} bytes more", model.bytes() - before);
    }
}

#[test]
fn hostile_urls_are_explained_and_kept() {
    let (mut media, mut stream) = (Media::blank(), Stream::new(256 << 10));
    for url in &hostile() {
        for _ in 0..4 {
            media.learn(
                &Sight::of(url),
                &MediaAnswer { media_type: "image/png", bytes: Some(u64::MAX), links: Some(true) },
            );
            Model::learn(&mut stream, &Sight::of(url), &MediaAnswer::of("image/png"));
        }
        let reasons = media.explain(&Sight::of(url));
        assert!(reasons.iter().all(|reason| reason.feature.len() < 4096), "{reasons:?}");
        assert!(stream.explain(url, 100).iter().all(|said| said.text.len() < 4096));
        let guess = media.guess(&Sight::of(url));
        assert!(
            guess.bytes().is_finite() && (0.0..=1.0).contains(&guess.links()),
            "{} {}",
            guess.bytes(),
            guess.links()
        );
        assert!(Parts::of(url).tokens().count() < 16);
    }
    let again = Media::from_bytes(&media.to_bytes()).unwrap();
    assert!(again.to_bytes() == media.to_bytes());
    let text = serde_json::to_string(&stream).unwrap();
    let again: Stream = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
    assert!(stream.frequent(None, 1000).iter().all(|said| said.text.len() <= 116));
}

/// A server that makes up a name for every answer fills the table of names, and nothing else.
#[test]
fn made_up_media_types_take_no_more_room_than_there_is() {
    let models: [Box<dyn Model>; 3] =
        [Box::new(Media::blank()), Box::new(Statistical::new(0.5)), Box::new(Stream::new(256 << 10))];
    for mut model in models {
        let before = model.bytes();
        for nth in 0..3_000 {
            let name = format!("image/{nth}{}", "x".repeat(nth % 200));
            model.learn(&Sight::of("http://e.com/a.png"), &MediaAnswer::of(&name));
        }
        for odd in ["", "/", "image/", "/png", "image/\0", &"image/".repeat(MEGABYTE)] {
            model.learn(&Sight::of("http://e.com/a.png"), &MediaAnswer::of(odd));
        }
        assert!(model.bytes() < before + (1 << 19), "{} of {before} bytes more", model.bytes() - before);
        let chances = model.content_types(&Sight::of("http://e.com/a.png"));
        let image = chances[ContentType::Image as usize];
        // What has no name counts for none: nobody is led to believe anything else.
        assert!(chances.iter().all(|chance| (0.0..=image).contains(chance)) && image <= 1.001, "{chances:?}");
    }
}
