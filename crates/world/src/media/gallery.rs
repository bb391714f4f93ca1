//! Photographs: pages that are called `.jpg`, pictures behind `view.php?id=`, thumbnails without an extension.

use super::{
    Web, WebConfig,
    draft::{Draft, Host, Number},
};
use crate::synthetic::chance::below;
use tintype_vocab::Tag;

pub(super) const SUMMARY: &str =
    "albums of photographs: pages called .jpg, pictures behind view.php?id=, and around each what nobody came for";

/// Pages and files per photograph.
const PER_PHOTO: usize = 9;
const PER_ALBUM: usize = 48;
const PER_LIST: usize = 24;

pub(super) fn make(wish: &WebConfig) -> Web {
    let mut draft = Draft::new(wish.seed);
    let host = draft.host("http://photos.example", &["albums", "members", "forum", "help"]);
    let photos = (wish.pages / PER_PHOTO).max(8);
    let members = draft.numbered(host, photos / 12 + 1, |nth| format!("/members/{nth}"));
    let pages: Vec<Number> = (0..photos).map(|id| photo(&mut draft, host, id, &members)).collect();
    let albums: Vec<Number> =
        pages.chunks(PER_ALBUM).enumerate().map(|(nth, of)| album(&mut draft, host, nth, of)).collect();
    draft.list(host, "/albums/", &albums, 10);
    draft.list(host, "/members/", &members, 50);
    let threads = draft.roughly(photos * 3 / 2);
    let threads = draft.numbered(host, threads, |nth| format!("/forum/thread.php?t={nth}"));
    draft.list(host, "/forum/", &threads, 40);
    let help = draft.numbered(host, 20, |nth| format!("/help/{nth}.html"));
    draft.list(host, "/help/", &help, 20);
    let entrance = draft.page(host, "/");
    draft.finish(&[entrance], &["image"])
}

/// An album that shows its photographs small.
fn album(draft: &mut Draft, host: Host, nth: usize, photos: &[Number]) -> Number {
    let name = draft.slug(nth);
    let lists = draft.list(host, &format!("/albums/{name}/"), photos, PER_LIST);
    for (place, list) in (0..photos.len()).map(|place| (place, lists[place / PER_LIST])) {
        let thumbnail = draft.file(host, &format!("/t/{}", nth * PER_ALBUM + place), "image/jpeg");
        draft.embed(list, thumbnail, Tag::Image);
    }
    lists[0]
}

/// The page of a photograph; who made it, what is said of it, and what else can be done with it.
fn photo(draft: &mut Draft, host: Host, id: usize, members: &[Number]) -> Number {
    let page = draft.page(host, &format!("/photo/{id}.jpg"));
    let picture = draft.file(host, &format!("/view.php?id={id}"), "image/jpeg");
    draft.embed(page, picture, Tag::Image);
    draft.about(host, page, &format!("/photo/{id}"), &["comments", "camera", "card", "map"]);
    let member = draft.pick(members);
    draft.anchor(page, member, "more");
    draft.anchor(member, page, "photo");
    if id > 0 {
        let other = below(&mut draft.dice, id);
        let other = draft.page(host, &format!("/photo/{other}.jpg"));
        draft.anchor(page, other, "similar");
    }
    page
}
