//! The documents of a history and their links, the latter read once for all policies that play.

use crate::{
    Contents, Discovery, Document, History, Unreadable,
    machine::{MachineRequest, ROBOTS, served},
};
use hashbrown::HashMap;
use tintype_observe::look;
use tintype_vocab::{LinkKind, Links, Time};

/// Links that are kept in memory over all documents; beyond that they are read again when wanted.
const KEPT_MAX: usize = 20_000_000;

/// Reads documents when somebody asks for their links.
pub(crate) struct Reader<'a> {
    history: &'a History,
    contents: Option<&'a mut dyn Contents>,
    origin: String,
    /// The same host under the other scheme, which a moved site answers as well.
    sister: String,
    kept: HashMap<u32, Vec<Mention>>,
    mentions_kept: usize,
}

/// A link as a document has it.
struct Mention {
    page: Option<u32>,
    /// Empty where it is spelled as the page is.
    path: Box<str>,
    kind: LinkKind,
    context: u32,
    /// Under the scheme that is not the site's.
    is_sister: bool,
}

impl Mention {
    fn tell(&self, history: &History, origin: &str, now: Time, discovery: Discovery, links: &mut Links) {
        let announced = self.page.is_some_and(|page| history.at(page, now).is_some()) && !self.is_sister;
        if discovery == Discovery::Links || announced {
            // Who looks for pages by their links finds out that a server spells them otherwise.
            let as_written = Some(&*self.path).filter(|path| discovery == Discovery::Links && !path.is_empty());
            let path = as_written.or(self.page.map(|page| history.path(page))).unwrap_or(&self.path);
            links.push(&format!("{origin}{path}"), self.kind);
            links.set_context(links.len() - 1, self.context);
        }
    }
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the links of {} documents of {}", self.kept.len(), self.origin)
    }
}

impl<'a> Reader<'a> {
    pub(crate) fn new(history: &'a History, contents: Option<&'a mut dyn Contents>, origin: &str) -> Reader<'a> {
        let origin = origin.trim_end_matches('/').to_owned();
        let sister = sister(&origin);
        Reader { history, contents, origin, sister, kept: HashMap::new(), mentions_kept: 0 }
    }

    /// The links within the site of the document in a row, as far as they are news ([`Reader::news`]).
    pub(crate) fn links(&mut self, row: u32, now: Time, discovery: Discovery) -> Result<Links, Unreadable> {
        let mut links = Links::new();
        let (history, origin) = (self.history, self.origin.clone());
        self.mentions(row, |mention| mention.tell(history, &origin, now, discovery, &mut links))?;
        Ok(links)
    }

    /// The recorded robots.txt as it was then, if there is one.
    pub(crate) fn rules(&mut self, now: Time) -> Result<Option<String>, Unreadable> {
        let page = self.history.find(ROBOTS);
        let row = page.and_then(|page| self.history.alive(page, now));
        let (Some(row), Some(contents)) = (row, self.contents.as_deref_mut()) else { return Ok(None) };
        let document = contents.document(row)?;
        Ok(document.map(|document| String::from_utf8_lossy(&document.body).into_owned()))
    }

    /// Of links that somebody read in a document, those within the site. A site that announces its pages has told of
    /// those that were born by `now`; links to others are no news, and dead ones are not followed.
    pub(crate) fn news(&self, read: &Links, now: Time, discovery: Discovery) -> Links {
        let mut links = Links::new();
        self.inside(read).for_each(|mention| mention.tell(self.history, &self.origin, now, discovery, &mut links));
        links
    }

    /// The answer from the event in that row on, to somebody who holds the version of this entity tag.
    pub(crate) fn served(&mut self, row: u32, held: Option<&str>) -> Result<Document, Unreadable> {
        let ask = MachineRequest { target: "", origin: &self.origin, if_none_match: held, if_modified_since: None };
        // Not `as_deref_mut`, which would borrow for as long as the contents live.
        let contents = self.contents.as_mut().map(|contents| &mut **contents as &mut dyn Contents);
        served(self.history, contents, row, &ask)
    }

    fn mentions(&mut self, row: u32, mut each: impl FnMut(&Mention)) -> Result<(), Unreadable> {
        if let Some(kept) = self.kept.get(&row) {
            kept.iter().for_each(each);
            return Ok(());
        }
        let Some(contents) = self.contents.as_deref_mut() else { return Ok(()) };
        let Some(document) = contents.document(row)? else { return Ok(()) };
        let mentions = self.read(row, &document);
        mentions.iter().for_each(&mut each);
        if self.mentions_kept < KEPT_MAX {
            self.mentions_kept += mentions.len();
            self.kept.insert(row, mentions);
        }
        Ok(())
    }

    fn read(&self, row: u32, document: &Document) -> Vec<Mention> {
        let event = &self.history.events()[row as usize];
        let url = format!("{}{}", self.origin, self.history.path(event.page));
        let seen = look(&document.described(&url), &document.body);
        self.inside(&seen.links).collect()
    }

    fn inside(&self, links: &Links) -> impl Iterator<Item = Mention> {
        let path = |url: &'_ str, origin: &str| {
            let path = url.strip_prefix(origin)?;
            (path.is_empty() || path.starts_with('/')).then(|| path.to_owned())
        };
        let inside = links.iter().filter_map(move |link| {
            let own = path(link.url, &self.origin).map(|path| (path, false));
            let (path, is_sister) = own.or_else(|| Some((path(link.url, &self.sister)?, true)))?;
            Some((path, is_sister, link))
        });
        inside.map(|(path, is_sister, link)| {
            let path = path.as_str();
            let page = self.history.find_spelled(path);
            let is_spelled_so = page.is_some_and(|page| self.history.path(page) == path);
            let path = if is_spelled_so { "" } else { path };
            Mention { page, path: path.into(), kind: link.kind, context: link.context, is_sister }
        })
    }
}

fn sister(origin: &str) -> String {
    match origin.split_once("://") {
        Some(("http", host)) => format!("https://{host}"),
        Some((_, host)) => format!("http://{host}"),
        None => origin.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventKind, Recorder};

    struct Same(&'static str);

    impl Contents for Same {
        fn document(&mut self, _: u32) -> Result<Option<Document>, Unreadable> {
            let content_type = Some("text/html".to_owned());
            Ok(Some(Document { status: 200, content_type, body: self.0.into(), ..Document::default() }))
        }
    }

    /// A site that moved to another scheme answers at both, and a crawler that follows links asks at both.
    #[test]
    fn a_recorded_robots_txt_is_what_it_was_at_the_time() {
        let mut recorder = Recorder::default();
        for (at, kind) in [(5, EventKind::Added), (9, EventKind::Deleted)] {
            recorder.record(Time::from_secs(at), "/robots.txt", kind, 1, 1, "text/plain").unwrap();
        }
        let history = recorder.finish();
        let mut contents = Same("User-agent: *\nDisallow: /cgi-bin/\n");
        let mut reader = Reader::new(&history, Some(&mut contents), "https://e.com/");
        let mut rules = |at: i64| reader.rules(Time::from_secs(at)).unwrap();
        assert_eq!((rules(4), rules(9)), (None, None));
        assert!(rules(5).unwrap().ends_with("Disallow: /cgi-bin/\n"));
    }

    #[test]
    fn links_to_the_same_host_under_the_other_scheme_are_followed_as_live() {
        let mut recorder = Recorder::default();
        for page in ["/", "/a", "/b"] {
            recorder.record(Time::from_secs(0), page, EventKind::Added, 1, 1, "text/html").unwrap();
        }
        let history = recorder.finish();
        let mut contents = Same("<a href=/a>a</a> <a href=http://e.com/b>b</a> <a href=http://e.community/>c</a>");
        let mut reader = Reader::new(&history, Some(&mut contents), "https://e.com/");
        let mut urls = |discovery| {
            let links = reader.links(0, Time::from_secs(1), discovery).unwrap();
            links.iter().map(|link| link.url.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(urls(Discovery::Links), ["https://e.com/a", "https://e.com/b"]);
        assert_eq!(urls(Discovery::Announced), ["https://e.com/a"]);
    }
}
