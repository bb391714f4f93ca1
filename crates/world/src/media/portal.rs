//! A large portal of which only a few directories have what is wanted.

use super::{
    Web, WebConfig,
    draft::{Draft, Host, Number},
};
use tintype_vocab::Tag;

pub(super) const SUMMARY: &str =
    "a portal of news, forum, shop and handbook; only under magazine/pictures and sport/watch there is anything to see";

/// Sections without media, how their pages are called, and their share of all pages in hundredths.
const PLAIN: [(&str, &str, usize); 4] =
    [("news", "article.php?id=", 30), ("forum", "t", 25), ("shop", "item-", 15), ("handbook", "page_", 10)];
/// Films, and series of pictures, by share likewise.
const FILMS: usize = 4;
const SERIES: usize = 1;
const PER_SERIES: usize = 8;

pub(super) fn make(wish: &WebConfig) -> Web {
    let mut draft = Draft::new(wish.seed);
    let host = draft.host("http://portal.example", &["news", "forum", "shop", "handbook", "magazine", "sport"]);
    for (section, name, share) in PLAIN {
        let pages = draft.numbered(host, wish.pages * share / 100, |nth| format!("/{section}/{name}{nth}"));
        for pair in pages.windows(2) {
            draft.anchor(pair[1], pair[0], "previous");
        }
        draft.list(host, &format!("/{section}/"), &pages, 30);
    }
    let series: Vec<Number> =
        (0..(wish.pages * SERIES / 100).max(2)).map(|nth| pictures(&mut draft, host, nth)).collect();
    section(&mut draft, host, "/magazine/", "pictures/", &series);
    let films: Vec<Number> = (0..(wish.pages * FILMS / 100).max(4)).map(|nth| film(&mut draft, host, nth)).collect();
    section(&mut draft, host, "/sport/", "watch/", &films);
    let entrance = draft.page(host, "/");
    draft.finish(&[entrance], &["image", "video"])
}

/// A section of columns, one of which is worth a visit.
fn section(draft: &mut Draft, host: Host, path: &str, inner: &str, worth: &[Number]) {
    let list = draft.list(host, &format!("{path}{inner}"), worth, 20)[0];
    let mut columns = vec![list];
    for nth in 0..5 {
        let column = format!("{path}column-{nth}/");
        let pages = draft.numbered(host, worth.len() / 4 + 1, |nth| format!("{column}{nth}.html"));
        columns.push(draft.list(host, &column, &pages, 20)[0]);
    }
    draft.list(host, path, &columns, 20);
}

fn pictures(draft: &mut Draft, host: Host, nth: usize) -> Number {
    let name = draft.slug(nth);
    let page = draft.page(host, &format!("/magazine/pictures/{name}/"));
    for picture in 0..PER_SERIES {
        let file = draft.file(host, &format!("/magazine/pictures/{name}/{picture}"), "image/webp");
        draft.embed(page, file, if picture == 0 { Tag::ImageSet } else { Tag::Image });
    }
    page
}

fn film(draft: &mut Draft, host: Host, nth: usize) -> Number {
    let page = draft.page(host, &format!("/sport/watch/{nth}"));
    let token = draft.token();
    let file = draft.file(host, &format!("/play?key={token}"), "video/webm");
    draft.embed(page, file, Tag::Video);
    page
}
