//! The links of recorded documents, read once for all policies that play.

use crate::{Contents, Discovery, Document, History, Unreadable};
use hashbrown::HashMap;
use tintype_observe::{Described, look};
use tintype_vocab::{LinkKind, Links, Time};

/// Links that are kept in memory over all documents; beyond that they are read again when wanted.
const KEPT_MAX: usize = 20_000_000;

/// Reads documents when somebody asks for their links.
pub(crate) struct Reader<'a> {
    history: &'a History,
    contents: Option<&'a mut dyn Contents>,
    origin: String,
    kept: HashMap<u32, Vec<Mention>>,
    mentions_kept: usize,
}

/// A link as a document has it.
struct Mention {
    page: Option<u32>,
    /// Empty where the page is known.
    path: Box<str>,
    kind: LinkKind,
    context: u32,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the links of {} documents of {}", self.kept.len(), self.origin)
    }
}

impl<'a> Reader<'a> {
    pub(crate) fn new(history: &'a History, contents: Option<&'a mut dyn Contents>, origin: &str) -> Reader<'a> {
        let origin = origin.trim_end_matches('/').to_owned();
        Reader { history, contents, origin, kept: HashMap::new(), mentions_kept: 0 }
    }

    /// The links within the site of the document in a row. A site that announces its pages has told of those that
    /// were born by `now`; links to others are no news, and dead ones are not followed.
    pub(crate) fn links(&mut self, row: u32, now: Time, discovery: Discovery) -> Result<Links, Unreadable> {
        let mut links = Links::new();
        let (history, origin) = (self.history, self.origin.clone());
        let announced = |page: Option<u32>| page.is_some_and(|page| history.at(page, now).is_some());
        self.mentions(row, |mention| {
            if discovery == Discovery::Links || announced(mention.page) {
                let path = mention.page.map_or(&*mention.path, |page| history.path(page));
                links.push(&format!("{origin}{path}"), mention.kind);
                links.set_context(links.len() - 1, mention.context);
            }
        })?;
        Ok(links)
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
        let encoding = document.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-encoding"));
        let described = Described {
            url: &url,
            content_type: document.content_type.as_deref(),
            content_encoding: encoding.map(|(_, value)| value.as_str()),
            link_headers: &[],
        };
        let seen = look(&described, &document.body);
        let inside = seen.links.iter().filter_map(|link| Some((link.url.strip_prefix(&self.origin)?, link)));
        let inside = inside.filter(|(path, _)| path.is_empty() || path.starts_with('/'));
        let mentions = inside.map(|(path, link)| {
            let page = self.find(path);
            let path = if page.is_some() { "" } else { path };
            Mention { page, path: path.into(), kind: link.kind, context: link.context }
        });
        mentions.collect()
    }

    /// The page a path stands for; servers do not mind a slash more or less at the end.
    fn find(&self, path: &str) -> Option<u32> {
        let without = path.trim_end_matches('/');
        let spellings = [path, without].into_iter().find_map(|path| self.history.find(path));
        spellings.or_else(|| self.history.find(&format!("{without}/")))
    }
}
