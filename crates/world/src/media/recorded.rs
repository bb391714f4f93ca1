//! A recorded site as a web of media: what was there at one moment, and how its pages linked each other.

use super::{Web, WebPage};
use crate::{Contents, History, Unreadable};
use hashbrown::HashMap;
use std::collections::VecDeque;
use tintype_observe::look;
use tintype_plan::MediaRules;
use tintype_vocab::{Mention, Time};

/// The host it moves to: nobody has learned anything of the domain.
const HOST: &str = "http://recorded.example";
/// Where a capture begins if it is there; at the page with the shortest path otherwise.
const ENTRANCE: &str = "/";

/// What can be reached from the entrance of a site as it stood at `at`; nothing if nothing was there. What links lead to elsewhere, or to
/// nothing, is left out, and so is what no page links.
pub fn recorded(
    history: &History,
    contents: &mut dyn Contents,
    origin: &str,
    at: Time,
    wanted: MediaRules,
) -> Result<Option<Web>, Unreadable> {
    let there = |path: &str| history.find(path).filter(|page| history.alive(*page, at).is_some());
    let all = (0..history.pages() as u32).filter(|page| history.alive(*page, at).is_some());
    let shortest = all.min_by_key(|page| history.path(*page).len());
    let Some(entrance) = there(ENTRANCE).or(shortest) else { return Ok(None) };
    let host = host_of(origin);
    let mut numbers: HashMap<u32, u32> = HashMap::from([(entrance, 0)]);
    let (mut open, mut pages) = (VecDeque::from([entrance]), Vec::new());
    while let Some(page) = open.pop_front() {
        let row = history.alive(page, at).expect("only what is there is reached");
        let document = contents.document(row)?.unwrap_or_default();
        let url = format!("{origin}{}", history.path(page));
        let seen = look(&document.described(&url), &document.body);
        let mut links: Vec<(u32, Mention)> = Vec::new();
        for link in seen.links.iter() {
            let Some(to) = path_on(host, link.url).and_then(there) else { continue };
            let next = numbers.len() as u32;
            let number = *numbers.entry(to).or_insert_with(|| {
                open.push_back(to);
                next
            });
            links.push((number, link.mention));
        }
        let listed = history.media_type(&history.events()[row as usize]);
        let media_type = seen.sniffed.or(seen.media_type).unwrap_or_else(|| listed.to_owned());
        let bytes = document.body.len() as u64;
        pages.push(WebPage { url: format!("{HOST}{}", history.path(page)), media_type, bytes, links });
    }
    Ok(Some(Web::new(vec![pages[0].url.clone()], wanted, pages)))
}

/// Without scheme and `www`, which sites change over time.
fn host_of(url: &str) -> &str {
    let after = url.split_once("://").map_or(url, |(_, after)| after);
    let after = after.strip_prefix("www.").unwrap_or(after);
    after.split('/').next().unwrap_or_default()
}

/// The path of a URL of this host.
fn path_on<'u>(host: &str, url: &'u str) -> Option<&'u str> {
    let path = url.find("://").and_then(|scheme| url[scheme + 3..].find('/').map(|slash| scheme + 3 + slash))?;
    (host_of(url) == host).then(|| &url[path..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Recorder};
    use tintype_vocab::Tag;

    struct Bodies;

    impl Contents for Bodies {
        fn document(&mut self, row: u32) -> Result<Option<Document>, Unreadable> {
            let (content_type, body) = [
                ("text/html", r#"<a href="/b">b</a><img src="http://www.a.com/c"><a href="http://b.com/d">d</a>"#),
                ("text/html", r#"<a href="/">back</a><a href="/gone">gone</a>"#),
                ("text/plain", "GIF89a\x01\0\x01\0\0\0\0;"),
                ("text/html", "nobody links it"),
            ][row as usize];
            let content_type = Some(content_type.to_owned());
            Ok(Some(Document { status: 200, content_type, body: body.into(), ..Document::default() }))
        }
    }

    #[test]
    fn what_can_be_reached_is_there_under_another_name() {
        let mut recorder = Recorder::default();
        for path in ["/", "/b", "/c", "/alone"] {
            recorder.record(Time::from_secs(0), path, crate::EventKind::Added, 10, 0, "text/html").unwrap();
        }
        let history = recorder.finish();
        let wanted: MediaRules = ["image".parse().unwrap()].into_iter().collect();
        let web = recorded(&history, &mut Bodies, "https://a.com", Time::from_secs(1), wanted).unwrap().unwrap();
        let urls: Vec<&str> = web.pages().iter().map(|page| page.url.as_str()).collect();
        assert_eq!(urls, ["http://recorded.example/", "http://recorded.example/b", "http://recorded.example/c"]);
        assert_eq!((web.wanted_files(), web.pages()[0].links[1].1.tag), (1, Tag::Image), "{web:?}");
        let early = recorded(&history, &mut Bodies, "https://a.com", Time::from_secs(-1), MediaRules::default());
        assert!(early.unwrap().is_none());
    }
}
