//! Shows to hear and to watch: files on a host of their own under names that say nothing, feeds, and a large blog.

use super::{
    Web, WebConfig,
    draft::{Draft, Host, Number, mention},
};
use crate::synthetic::chance::happens;
use tintype_vocab::{LinkPlace, Tag};

pub(super) const SUMMARY: &str =
    "shows to hear and to watch: files under names that say nothing, feeds of the latest, transcripts and a large blog";

/// Pages and files per episode.
const PER_EPISODE: usize = 10;
const PER_SHOW: usize = 40;
const IN_FEED: usize = 10;

/// Where pages are, and where files are.
struct Hosts {
    pages: Host,
    files: Host,
}

pub(super) fn make(wish: &WebConfig) -> Web {
    let mut draft = Draft::new(wish.seed);
    let pages = draft.host("http://www.shows.example", &["shows", "blog", "guests"]);
    let hosts = Hosts { pages, files: draft.store("http://cdn.shows.example") };
    let episodes = (wish.pages / PER_EPISODE).max(8);
    let guests = draft.numbered(pages, episodes / 2 + 1, |nth| format!("/guests/{nth}"));
    let shows: Vec<Number> =
        (0..episodes.div_ceil(PER_SHOW)).map(|nth| show(&mut draft, &hosts, nth, &guests)).collect();
    draft.list(pages, "/shows/", &shows, 12);
    draft.list(pages, "/guests/", &guests, 60);
    let posts = draft.roughly(episodes * 4);
    blog(&mut draft, pages, posts);
    let entrance = draft.page(pages, "/");
    draft.finish(&[entrance], &["audio", "video"])
}

/// The pages of a show, and the feed of its latest episodes.
fn show(draft: &mut Draft, hosts: &Hosts, nth: usize, guests: &[Number]) -> Number {
    let path = format!("/shows/{}/", draft.slug(nth));
    let filmed = happens(&mut draft.dice, 0.3);
    let episodes: Vec<(Number, Number)> = (0..draft.roughly(PER_SHOW))
        .map(|nth| episode(draft, hosts, &format!("{path}{nth}"), filmed, guests))
        .collect();
    let pages: Vec<Number> = episodes.iter().map(|(page, _)| *page).collect();
    let first = draft.list(hosts.pages, &path, &pages, 20)[0];
    let feed = draft.file(hosts.pages, &format!("{path}feed"), "application/rss+xml");
    draft.link(first, feed, mention(Tag::Feed, LinkPlace::Head, ""));
    for (page, file) in episodes.iter().take(IN_FEED) {
        draft.link(feed, *page, mention(Tag::Entry, LinkPlace::Unknown, ""));
        draft.link(feed, *file, mention(Tag::Enclosure, LinkPlace::Unknown, ""));
    }
    first
}

/// The page of an episode, and its file.
fn episode(draft: &mut Draft, hosts: &Hosts, path: &str, filmed: bool, guests: &[Number]) -> (Number, Number) {
    let page = draft.page(hosts.pages, path);
    let (directory, media_type, tag) =
        if filmed { ("v", "video/mp4", Tag::Source) } else { ("stream", "audio/mpeg", Tag::Audio) };
    let name = draft.token();
    let file = draft.file(hosts.files, &format!("/{directory}/{name}"), media_type);
    draft.embed(page, file, tag);
    draft.about(hosts.pages, page, path, &["transcript", "comments", "notes"]);
    let guest = draft.pick(guests);
    draft.anchor(page, guest, "guest");
    draft.anchor(guest, page, "episode");
    (page, file)
}

fn blog(draft: &mut Draft, host: Host, posts: usize) {
    let mut all: Vec<Number> = Vec::new();
    for nth in 0..posts {
        let name = draft.slug(nth);
        let post = draft.page(host, &format!("/blog/{}/{:02}/{name}", 2015 + nth % 11, 1 + nth % 12));
        if let Some(other) = all.last().copied() {
            draft.anchor(post, other, "older post");
        }
        all.push(post);
    }
    draft.list(host, "/blog/", &all, 15);
}
