//! Many small domains that link each other: bands with songs, and many more people with none.

use super::{
    Web, WebConfig,
    draft::{Draft, Host, Number},
};
use tintype_vocab::Tag;

pub(super) const SUMMARY: &str =
    "two dozen domains that link each other: six bands with songs, blogs and shops without";

const BANDS: usize = 6;
const OTHERS: usize = 18;
const PER_RECORD: usize = 10;

pub(super) fn make(wish: &WebConfig) -> Web {
    let mut draft = Draft::new(wish.seed);
    let each = (wish.pages / (BANDS + OTHERS)).max(12);
    let mut entrances = Vec::new();
    for nth in 0..BANDS + OTHERS {
        let word = draft.word();
        let is_band = nth % 4 == 3;
        let sections: &[&str] = if is_band { &["music", "tour", "diary"] } else { &["posts", "goods"] };
        let host = draft.host(&format!("http://{word}{nth}.example"), sections);
        if is_band {
            band(&mut draft, host, each)
        } else {
            plain(&mut draft, host, each)
        }
        entrances.push(draft.page(host, "/"));
    }
    acquaint(&mut draft, &entrances);
    draft.finish(&entrances[..2], &["audio"])
}

/// Everybody recommends a few others.
fn acquaint(draft: &mut Draft, entrances: &[Number]) {
    for (nth, entrance) in entrances.iter().enumerate() {
        let friends = [draft.pick(entrances), draft.pick(entrances), entrances[(nth + 1) % entrances.len()]];
        for friend in friends.into_iter().filter(|friend| friend != entrance) {
            draft.anchor(*entrance, friend, "friends");
        }
    }
}

fn band(draft: &mut Draft, host: Host, pages: usize) {
    let records: Vec<Number> = (0..pages / (3 * PER_RECORD) + 1).map(|nth| record(draft, host, nth)).collect();
    draft.list(host, "/music/", &records, 10);
    let dates = draft.numbered(host, pages / 4, |nth| format!("/tour/{nth}"));
    draft.list(host, "/tour/", &dates, 20);
    let diary = draft.numbered(host, pages / 4, |nth| format!("/diary/{nth}"));
    draft.list(host, "/diary/", &diary, 10);
}

/// A record: a page with its songs, each of which has a page of words too.
fn record(draft: &mut Draft, host: Host, nth: usize) -> Number {
    let name = draft.slug(nth);
    let page = draft.page(host, &format!("/music/{name}"));
    for song in 1..=PER_RECORD {
        let path = format!("/music/{name}/{song}");
        let file = draft.file(host, &format!("{path}/hear"), "audio/ogg");
        draft.embed(page, file, Tag::Audio);
        let words = draft.page(host, &path);
        draft.anchor(page, words, "words");
    }
    page
}

fn plain(draft: &mut Draft, host: Host, pages: usize) {
    let posts = draft.numbered(host, pages * 2 / 3, |nth| format!("/posts/{nth}"));
    draft.list(host, "/posts/", &posts, 10);
    let goods = draft.numbered(host, pages / 3, |nth| format!("/goods/{nth}.html"));
    draft.list(host, "/goods/", &goods, 20);
}
