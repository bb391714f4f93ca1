//! An institution's papers: files under `/bitstream/handle/` that have names but lie about little else, far below lists of
//! lists, beside statistics, exports and search results.

use super::{
    Web, WebConfig,
    draft::{Draft, Host, Number},
};
use crate::synthetic::chance::happens;
use tintype_vocab::Tag;

pub(super) const SUMMARY: &str = "an institution's papers below lists of lists: files under /bitstream/handle/, statistics, exports, and searches that lead round and round";

/// Pages and files per paper, papers per collection, collections per community.
const PER_PAPER: usize = 9;
const PER_COLLECTION: usize = 60;
const PER_COMMUNITY: usize = 4;

pub(super) fn make(wish: &WebConfig) -> Web {
    let mut draft = Draft::new(wish.seed);
    let host = draft.host("http://papers.example", &["community-list", "discover", "help"]);
    let papers = (wish.pages / PER_PAPER).max(8);
    let searches = draft.numbered(host, papers * 2, |nth| format!("/discover?filter=subject&value={nth}"));
    searches.windows(2).for_each(|pair| draft.anchor(pair[0], pair[1], "next"));
    let items: Vec<Number> = (0..papers).map(|id| paper(&mut draft, host, id, &searches)).collect();
    let collections: Vec<Number> = items
        .chunks(PER_COLLECTION)
        .enumerate()
        .map(|(nth, of)| {
            let front = draft.page(host, &format!("/handle/10900/{}", 50_000 + nth));
            let list = draft.list(host, &format!("/handle/10900/{}/browse", 50_000 + nth), of, 20)[0];
            draft.anchor(front, list, "browse");
            front
        })
        .collect();
    let communities: Vec<Number> = collections
        .chunks(PER_COMMUNITY)
        .enumerate()
        .map(|(nth, of)| draft.list(host, &format!("/handle/10900/{}", 90_000 + nth), of, PER_COMMUNITY)[0])
        .collect();
    draft.list(host, "/community-list/", &communities, 40);
    draft.list(host, "/discover/", &searches[..searches.len().min(10)], 10);
    let entrance = draft.page(host, "/");
    draft.finish(&[entrance], &["application/pdf"])
}

/// The page of a paper, its files, and what else is offered of it.
fn paper(draft: &mut Draft, host: Host, id: usize, searches: &[Number]) -> Number {
    let handle = format!("/handle/10900/{}", 1000 + id);
    let page = draft.page(host, &handle);
    let below = format!("/bitstream{handle}");
    let name = draft.slug(id);
    let scanned = happens(&mut draft.dice, 0.3);
    let file = draft.file(
        host,
        &format!("{below}/{}", if scanned { "1".to_owned() } else { format!("{name}.pdf") }),
        "application/pdf",
    );
    draft.anchor(page, file, "view open");
    let cover = draft.file(host, &format!("{below}/{name}.pdf.jpg"), "image/jpeg");
    draft.embed(page, cover, Tag::Image);
    let terms = draft.file(host, &format!("{below}/license.txt"), "text/plain");
    draft.anchor(page, terms, "license");
    draft.about(host, page, &handle, &["statistics", "export"]);
    for _ in 0..2 {
        let search = draft.pick(searches);
        draft.anchor(page, search, "subject");
        draft.anchor(search, page, "paper");
    }
    page
}
