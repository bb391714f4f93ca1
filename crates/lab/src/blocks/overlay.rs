//! A picture of a page with blocks drawn over it, made by the browser that made the page's.

use std::fmt::Write;
use tintype_live::render::{Browser, RenderError, RenderResponse, Rendered};
use tintype_observe::page::{Element, Rect, Role, Segmented, What};

/// A place that only this picture is at.
const URL: &str = "http://picture.invalid/";
/// The page's own picture, which the picture is drawn over.
const BELOW: &str = "http://picture.invalid/page.png";

/// A picture, and the page it is drawn over.
pub(super) struct Overlay {
    html: String,
    below: Vec<u8>,
}

/// The page twice, side by side, with each division drawn over one of them.
pub(super) fn page(rendered: &Rendered, divisions: [(&str, &Segmented); 2]) -> Overlay {
    let (width, height) = (rendered.boxes.width, rendered.boxes.height);
    let mut html = format!(
        "<!doctype html><meta charset=utf-8><style>body{{margin:0;width:{}px;height:{}px}}div{{position:absolute}}\
         div div{{box-sizing:border-box;border:1px solid}}h1{{margin:4px;font:bold 20px sans-serif}}</style>",
        2.0 * width + 20.0,
        height + 32.0,
    );
    for (nth, (name, division)) in divisions.into_iter().enumerate() {
        let left = nth as f32 * (width + 20.0);
        let _ = write!(
            html,
            "<div style='left:{left}px;top:0'><h1>Blocks {name}</h1><img src='{BELOW}' style='display:block'>"
        );
        outlines(&mut html, rendered, division);
        html.push_str("</div>");
    }
    Overlay { html, below: rendered.picture.clone().unwrap_or_default() }
}

/// A frame around each block, coloured by its importance per area: the darker the red, the more.
fn outlines(html: &mut String, rendered: &Rendered, division: &Segmented) {
    let places = places(rendered, division);
    let importance = division.importance(&|_| false);
    let most = importance.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    for (place, importance) in places.iter().zip(&importance).filter(|(place, _)| !place.is_empty()) {
        let share = (importance / most).sqrt();
        let Rect { x, y, width, height } = *place;
        let _ = write!(
            html,
            "<div style='left:{x}px;top:{}px;width:{width}px;height:{height}px;border-color:blue;background:rgba(255,0,0,{:.2})'></div>",
            y + 32.0,
            share * 0.5,
        );
    }
}

/// Where the words of each block stand: both divisions have the page's words, in nearly the same order.
fn places(rendered: &Rendered, division: &Segmented) -> Vec<Rect> {
    let mut texts = rendered.boxes.nodes.iter().filter_map(|node| match &node.what {
        What::Text(text) => Some((node.place, text.split_whitespace().collect::<Vec<_>>())),
        What::Element { .. } => None,
    });
    let mut shown: Vec<(&str, Rect)> = Vec::new();
    texts.by_ref().for_each(|(place, words)| shown.extend(words.into_iter().map(|word| (word, place))));
    let mut at = 0;
    let place = |block: tintype_observe::page::Block<'_>| {
        let words = block.of(Element::Text).split(' ').filter(|word| !word.is_empty());
        let mut all = Rect::default();
        for word in words.filter(|_| block.shape().role != Role::Title) {
            // A word that runs over several texts begins with the first.
            let ahead =
                shown[at..].iter().take(40).position(|(known, _)| word.starts_with(known) || known.starts_with(word));
            if let Some(ahead) = ahead {
                at += ahead + 1;
                all = all.and(shown[at - 1].1);
            }
        }
        all
    };
    division.layout.blocks().map(place).collect()
}

/// What the browser makes of it, as PNG.
pub(super) fn draw(browser: &mut Browser, overlay: Overlay) -> Result<Option<Vec<u8>>, RenderError> {
    let answer = |media_type: &str, body: &[u8]| RenderResponse {
        status: 200,
        headers: vec![("content-type".to_owned(), media_type.to_owned())],
        body: body.to_vec(),
    };
    let mut answers = |url: &str| match url {
        URL => Some(answer("text/html", overlay.html.as_bytes())),
        BELOW => Some(answer("image/png", &overlay.below)),
        _ => None,
    };
    Ok(browser.render(URL, &mut answers, true)?.picture)
}
