use super::{Advertisements, NoEngine};
use crate::page::{Element, HookedPage};

fn seen(element: Element, url: &str) -> HookedPage<'_> {
    HookedPage { element, url, page: "https://news.example.com/story" }
}

fn links(advertisements: &Advertisements, url: &str) -> bool {
    advertisements.is_one(&seen(Element::Link, url))
}

fn images(advertisements: &Advertisements, url: &str) -> bool {
    advertisements.is_one(&seen(Element::Image, url))
}

#[test]
fn some_are_known_without_lists() {
    let known = Advertisements::default();
    for url in [
        "https://googleads.g.doubleclick.net/pagead/x",
        "https://doubleclick.net/",
        "https://ads.example.org/click?x",
        "https://news.example.com/ads/top.html",
        "https://news.example.com/adserver.php?zone=3",
        "https://h.example/advertisement.gif",
        "advertisement",
    ] {
        assert!(links(&known, url), "{url}");
    }
    for url in [
        "https://notdoubleclick.net/",
        "https://news.example.com/adding/shadow",
        "https://news.example.com/read",
        "/ads",
        "https://example.org/downloads/ad-hoc.html",
        "",
    ] {
        assert!(!links(&known, url), "{url}");
    }
}

#[test]
fn sizes_of_the_trade_are_told_on_pictures_from_elsewhere() {
    let known = Advertisements::default();
    assert!(images(&known, "https://cdn.other.example/b_728x90.gif"));
    assert!(!images(&known, "https://cdn.other.example/b_1728x90.gif"));
    assert!(!images(&known, "https://img.example.com/photo-300x250.jpg"));
    assert!(!links(&known, "https://cdn.other.example/b_728x90.gif"));
}

#[test]
fn no_lists_are_what_everybody_knows() {
    assert!(links(&Advertisements::from_lists(&[]).unwrap(), "https://doubleclick.net/"));
    assert!(NoEngine.to_string().contains("ads"));
}

#[cfg(not(feature = "ads"))]
#[test]
fn lists_need_their_engine() {
    assert_eq!(Advertisements::from_lists(&["||h.example^"]).err(), Some(NoEngine));
}

#[cfg(feature = "ads")]
mod engine {
    use super::*;

    const LIST: &str = "[Adblock Plus 2.0]
! ours
||banners.example^$third-party
/promo/*$image
@@||banners.example/charity/
##.teaser
nonsense $$ $image,nosuchoption
";

    #[test]
    fn lists_decide_alone() {
        let listed = Advertisements::from_lists(&[LIST, "||second.example^"]).unwrap();
        assert!(links(&listed, "https://www.banners.example/x"));
        assert!(links(&listed, "http://second.example/"));
        assert!(!links(&listed, "https://banners.example/charity/x"), "exceptions count");
        assert!(images(&listed, "https://news.example.com/promo/a.png"));
        assert!(!links(&listed, "https://news.example.com/promo/a.png"), "the rule is about images");
        assert!(!links(&listed, "https://doubleclick.net/"), "only what the lists say");
        assert!(!links(&listed, "/relative") && !links(&listed, ""));
    }

    #[test]
    fn they_can_be_asked_from_any_thread() {
        fn anywhere<T: Send + Sync>(_: &T) {}
        anywhere(&Advertisements::from_lists(&[LIST]).unwrap());
    }
}
