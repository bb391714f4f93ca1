//! Pages drawn by a real browser, where there is one.

#![cfg(feature = "render")]

use std::time::Duration;
use tintype_live::render::{Browser, RenderError, RenderResponse, RenderSettings};
use tintype_observe::page::{Boxes, Element, Role, Segmented, What, vips};

const PAGE: &str = "http://site.invalid/page";

/// A browser, if one is installed; a test without one says so and proves nothing.
fn browser(settings: RenderSettings) -> Option<Browser> {
    if !Browser::is_installed(&settings) {
        eprintln!("skipped, no chromium");
        return None;
    }
    Some(Browser::start(settings).unwrap())
}

fn html(body: &str) -> RenderResponse {
    let headers = vec![("content-type".to_owned(), "text/html; charset=utf-8".to_owned())];
    RenderResponse { status: 200, headers, body: body.as_bytes().to_vec() }
}

fn boxes(browser: &mut Browser, page: &str) -> Result<Boxes, RenderError> {
    browser.boxes(PAGE, &mut |url| (url == PAGE).then(|| html(page)))
}

/// Role and text of each block that has any.
fn told(page: &Segmented) -> Vec<(Role, String)> {
    let shown = page.layout.blocks().filter(|block| !block.is_bare());
    shown.map(|block| (block.shape().role, block.of(Element::Text).to_owned())).collect()
}

#[test]
fn a_page_is_drawn_and_divided() {
    let Some(mut browser) = browser(RenderSettings::default()) else { return };
    let boxes = boxes(
        &mut browser,
        "<title>T</title><style>.x{display:none}nav{float:left;width:200px}main{margin-left:300px}</style>
         <nav><a href=/1>One</a> <a href=/2>Two</a></nav><main><h1>Heading</h1><p>Some text.<p class=x>Not shown.
         <pre>first\nline\n\nsecond</pre></main>",
    )
    .unwrap();
    assert_eq!((boxes.title.as_str(), boxes.width), ("T", 1280.0));
    let place = |tag: &str| {
        let found =
            boxes.nodes.iter().find(|node| matches!(&node.what, What::Element { tag: known, .. } if known == tag));
        found.unwrap().place
    };
    assert!(place("nav").width == 200.0 && place("main").x >= 300.0 && place("h1").height > 20.0);
    let page = vips(&boxes);
    let expected = [
        (Role::Title, "T"),
        (Role::Navigation, "One Two"),
        (Role::Heading, "Heading"),
        (Role::Text, "Some text."),
        (Role::Text, "first line"),
        (Role::Text, "second"),
    ];
    assert_eq!(told(&page), expected.map(|(role, text)| (role, text.to_owned())));
}

#[test]
fn nothing_is_asked_of_anybody_else() {
    let Some(mut browser) = browser(RenderSettings::default()) else { return };
    let page = "<img src=/image.png><img src=http://127.0.0.1:1/x.png><link rel=stylesheet href=style.css><p>Text.";
    let mut asked = Vec::new();
    let mut answers = |url: &str| {
        asked.push(url.to_owned());
        match url {
            PAGE => Some(html(page)),
            "http://site.invalid/style.css" => {
                let headers = vec![("content-type".to_owned(), "text/css".to_owned())];
                Some(RenderResponse { status: 200, headers, body: b"p{font-size:40px}".to_vec() })
            }
            _ => None,
        }
    };
    let rendered = browser.render(PAGE, &mut answers, true).unwrap();
    // Browsers like to have an icon; when they ask for it is up to them.
    asked.retain(|url| !url.ends_with("/favicon.ico"));
    asked.sort();
    let site = |path: &str| format!("http://site.invalid/{path}");
    assert_eq!(asked, ["http://127.0.0.1:1/x.png".to_owned(), site("image.png"), site("page"), site("style.css")]);
    assert!(rendered.boxes.nodes.iter().any(|node| node.look.font_size == 40.0));
    assert!(rendered.picture.unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_page_that_is_not_there_is_said_to_be_missing() {
    let Some(mut browser) = browser(RenderSettings::default()) else { return };
    let missing = browser.boxes(PAGE, &mut |_| None);
    assert!(matches!(missing, Err(RenderError::NoPage(_))), "{missing:?}");
    assert_eq!(told(&vips(&boxes(&mut browser, "<p>Next.").unwrap())), [(Role::Text, "Next.".to_owned())]);
}

#[test]
fn a_page_that_never_ends_costs_its_time_and_no_more() {
    let settings = RenderSettings { time_max: Duration::from_secs(4), ..RenderSettings::default() };
    let Some(mut browser) = browser(settings) else { return };
    let stuck = boxes(&mut browser, "<p>Text.<script>for(;;);</script>");
    assert!(matches!(stuck, Err(RenderError::TooSlow)), "{stuck:?}");
    let asks = "<p>Text.<script>alert(1);confirm(2)</script>";
    assert_eq!(told(&vips(&boxes(&mut browser, asks).unwrap())), [(Role::Text, "Text.".to_owned())]);
}

#[test]
fn more_than_is_allowed_is_not_drawn() {
    let settings = RenderSettings { answer_bytes_max: 1000, ..RenderSettings::default() };
    let Some(mut browser) = browser(settings) else { return };
    let large = "<p>Text. ".repeat(1000);
    let refused = boxes(&mut browser, &large);
    assert!(matches!(refused, Err(RenderError::NoPage(_))), "{refused:?}");
}
