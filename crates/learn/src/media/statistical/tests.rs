use super::*;

fn told(model: &mut Statistical, times: u32, url: &str, media_type: &str) {
    for number in 0..times {
        model.learn(&Sight::of(&url.replace("{n}", &number.to_string())), &MediaAnswer::of(media_type));
    }
    model.update();
}

fn range(text: &str) -> MediaRange {
    text.parse().unwrap()
}

fn trained() -> Statistical {
    let mut model = Statistical::new(THRESHOLD);
    told(&mut model, 40, "http://a.example/pictures/{n}.jpg", "image/jpeg");
    told(&mut model, 20, "http://a.example/pages/{n}.html", "text/html");
    told(&mut model, 30, "http://b.example/songs/{n}.php", "audio/mpeg");
    told(&mut model, 60, "http://c.example/{n}/view.php", "text/html");
    told(&mut model, 12, "http://b.example/get/{n}", "application/pdf");
    told(&mut model, 12, "http://d.example/get/{n}", "text/html");
    model
}

#[test]
fn extensions_decide_before_tokens_and_tokens_before_pairs() {
    let model = trained();
    let decided = |url, wanted| model.decide(url, &range(wanted)).map(|(kind, _)| kind);
    assert_eq!(decided("http://new.example/songs/x.jpg", "image"), Some(FeatureKind::Extension));
    assert_eq!(decided("http://new.example/songs/x.php", "audio"), Some(FeatureKind::Token));
    assert_eq!(decided("http://b.example/get/x.php", "application/pdf"), Some(FeatureKind::DomainToken));
    assert_eq!(decided("http://e.example/get/x.php", "application/pdf"), None);
}

#[test]
fn a_type_is_decided_by_itself_and_the_most_likely_is_the_guess() {
    let model = trained();
    let sight = Sight::of("http://new.example/songs/7.php");
    assert!(model.decide(sight.url, &range("text")).is_some_and(|(kind, _)| kind == FeatureKind::Extension));
    let chances = model.content_types(&sight);
    assert!(chances[ContentType::Audio as usize] > chances[ContentType::Text as usize], "{chances:?}");
    assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{chances:?}");
}

#[test]
fn what_no_rule_decides_is_of_no_type_and_probably_what_most_are() {
    let mut model = trained();
    told(&mut model, 50, "http://b.example/{n}", "audio/mpeg");
    let sight = Sight::of("http://new.example/x.unknown");
    assert_eq!(model.chance(&sight, &range("text")), 0.0);
    let chances = model.content_types(&sight);
    assert!(chances.iter().all(|chance| *chance < DECIDES_ABOVE) && (chances.iter().sum::<f32>() - 0.5).abs() < 1e-6);
    assert_eq!(chances[ContentType::Text as usize], chances.into_iter().fold(0.0, f32::max));
}

#[test]
fn a_strict_classifier_has_fewer_rules() {
    let mut models = [THRESHOLD, STRICT_THRESHOLD].map(Statistical::new);
    for model in &mut models {
        told(model, 60, "http://a.example/mixed/{n}.x", "image/png");
        told(model, 40, "http://a.example/mixed/{n}.x", "text/html");
    }
    let decided = models.map(|model| model.decide("http://a.example/mixed/1.x", &range("image")).is_some());
    assert_eq!(decided, [true, false]);
}

#[test]
fn rounds_come_by_themselves_and_only_they_change_what_is_decided() {
    let mut model = Statistical::new(THRESHOLD);
    let (sight, answer) = (Sight::of("http://a.example/x.ogg"), MediaAnswer::of("audio/ogg"));
    (0..5).for_each(|_| model.learn(&sight, &answer));
    assert!(model.chance(&sight, &range("audio/ogg")) > 0.9);
    let other = Sight::of("http://a.example/x.flac");
    model = trained();
    model.learn(&other, &MediaAnswer::of("audio/flac"));
    assert_eq!(model.chance(&other, &range("audio/flac")), 0.0, "the round is not over");
    (0..40).for_each(|_| model.learn(&other, &MediaAnswer::of("audio/flac")));
    assert!(model.chance(&other, &range("audio/flac")) > 0.5);
}

#[test]
fn hostile_urls_cost_no_more_than_others() {
    let mut model = trained();
    let before = model.bytes();
    for odd in [
        "a/".repeat(1 << 19),
        format!("http://h/{}", "%".repeat(1 << 20)),
        format!("http://h/?{}", "a&".repeat(1 << 19)),
        "\0\u{202e}\u{5d0}".repeat(1 << 17),
    ] {
        let sight = Sight::of(&odd);
        model.learn(&sight, &MediaAnswer::of("\0not a type"));
        assert!(model.content_types(&sight).iter().all(|chance| (0.0..=1.0).contains(chance)));
    }
    assert!(model.bytes() < before + 4_096, "{} {before}", model.bytes());
}
