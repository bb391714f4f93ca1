//! Pages with a phrase, and how far its absence is proved.

use super::{
    Phrase, PhrasePage, Presence, TextIndex,
    grow::{ReadState, is_read},
    presence::{by_status, stretches},
    words::ExcerptPart,
};
use crate::{
    Error,
    holdings::{KeyRange, MatchType, Memento, is_of_site},
};
use hashbrown::{HashMap, HashSet};
use rusqlite::{Row, params};
use std::ops::ControlFlow;
use tintype_vocab::Time;

/// Index lines that are looked through for an absence.
const LINES_MAX: u64 = 300_000;
/// Versions of a page that are read again for a proof.
const VERSIONS_MAX: usize = 2000;
/// Pages with a phrase of which it is looked up when they had it.
const LOOKED_AT_MAX: usize = 500;
/// So many versions with a phrase are weighed against each other; of more the latest are told of, unweighed.
const WEIGHED_MAX: i64 = 20_000;

/// What is asked.
#[derive(Clone, Debug)]
pub struct PhraseQuery {
    pub phrase: Phrase,
    /// Only of this site or host.
    pub site: Option<String>,
    pub from: Option<Time>,
    pub to: Option<Time>,
    /// Pages that are told of.
    pub limit: usize,
}

impl PhraseQuery {
    fn covers(&self, time: Time) -> bool {
        self.from.is_none_or(|from| time >= from) && self.to.is_none_or(|to| time <= to)
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct PhraseFinding {
    /// The best first.
    pub pages: Vec<PhrasePage>,
    /// How many have it in some version.
    pub pages_in_all: u64,
    /// There are more, of which only the latest were looked at.
    pub is_cut: bool,
    /// How much was looked at where no visit saw it.
    pub scope: Option<PhraseScope>,
}

/// A version as a reader reads it, with every place marked at which a phrase stands.
#[derive(Clone, Debug)]
pub struct MarkedVersion {
    pub url: String,
    pub time: Time,
    pub title: Vec<ExcerptPart>,
    pub lines: Vec<Vec<ExcerptPart>>,
    /// All of it could be read.
    pub is_whole: bool,
}

/// What an absence rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhraseScope {
    pub pages: u64,
    /// Visits to pages that have text, and those of them whose text was read.
    pub visits: u64,
    pub visits_read: u64,
    /// There is more than was looked through.
    pub is_cut: bool,
}

impl TextIndex {
    /// Every page with the phrase in its text or title.
    pub fn find(&self, query: &PhraseQuery) -> Result<PhraseFinding, Error> {
        let (urls, is_cut) = self.pages_with("title text", query)?;
        let mut pages = Vec::new();
        for url in urls.iter().take(LOOKED_AT_MAX) {
            pages.extend(self.page(url, query)?);
        }
        let is_absent = pages.iter().all(|(page, _)| page.seen().is_none()) && urls.len() <= LOOKED_AT_MAX && !is_cut;
        // Who had it at other times only comes behind who had it then.
        pages.sort_by_key(|(page, _)| page.seen().is_none());
        pages.truncate(query.limit);
        let shown =
            pages.into_iter().map(|(page, latest)| Ok(PhrasePage { excerpt: self.excerpt(&latest, query)?, ..page }));
        let pages: Vec<PhrasePage> = shown.collect::<Result<_, Error>>()?;
        let scope = if is_absent { Some(self.scope(query)?) } else { None };
        Ok(PhraseFinding { pages, pages_in_all: urls.len() as u64, is_cut, scope })
    }

    /// Pages with the phrase in their address.
    pub fn addresses(&self, query: &PhraseQuery) -> Result<Vec<String>, Error> {
        let (mut urls, _) = self.pages_with("address", query)?;
        urls.truncate(query.limit);
        Ok(urls)
    }

    /// One page, every version of which is read again from its record: what is said does not rest on the index.
    pub fn prove(&self, url: &str, query: &PhraseQuery) -> Result<Option<PhrasePage>, Error> {
        let mut read: HashMap<String, Presence> = HashMap::new();
        let mut excerpt = Vec::new();
        let mementos = self.holdings.mementos(url)?;
        let judge = |memento: &Memento, digest: &str| {
            if let Some(presence) = read.get(digest) {
                return *presence;
            }
            if read.len() >= VERSIONS_MAX {
                return Presence::Unread;
            }
            let found = self.text_of(memento);
            let at = self.matcher.excerpt(&query.phrase, &found.title, &found.text);
            let presence = at.as_ref().map_or(Presence::Unread, |at| presence(at.is_some(), found.state));
            if let Ok(Some(at)) = at {
                excerpt = at;
            }
            read.insert(digest.to_owned(), presence);
            presence
        };
        let visits = judged(&mementos, query, judge);
        let page =
            PhrasePage { url: url.to_owned(), title: String::new(), excerpt, stretches: stretches(visits.into_iter()) };
        Ok((!mementos.is_empty()).then_some(page))
    }

    /// One version, the one nearest to a time, line by line with every place marked; its title is the first line.
    pub fn marked(&self, url: &str, at: Time, phrase: &Phrase) -> Result<Option<MarkedVersion>, Error> {
        let mut mementos = self.holdings.mementos(url)?;
        mementos.retain(|memento| by_status(memento).is_none());
        let Some(shown) = mementos.iter().min_by_key(|of| of.time.as_millis().abs_diff(at.as_millis())) else {
            return Ok(None);
        };
        let read = self.text_of(shown);
        let mut lines = self.matcher.marked(phrase, &read.title, &read.text).map_err(self.failed())?;
        let title = lines.remove(0);
        let is_whole = read.state == ReadState::Whole;
        Ok(Some(MarkedVersion { url: shown.url().to_owned(), time: shown.time, title, lines, is_whole }))
    }

    /// The pages of all versions with the phrase, the best first, and whether there are more of them.
    fn pages_with(&self, columns: &str, query: &PhraseQuery) -> Result<(Vec<String>, bool), Error> {
        let matching = format!("{{{columns}}} : {}", query.phrase.query());
        let many = "SELECT COUNT(*) FROM (SELECT rowid FROM words WHERE words MATCH ?1 LIMIT ?2)";
        let many: i64 = self
            .connection
            .query_row(many, params![matching, WEIGHED_MAX + 1], |row| row.get(0))
            .map_err(self.failed())?;
        // To weigh them all takes a second for every hundred thousand.
        let (is_cut, order) = match many > WEIGHED_MAX {
            true => (true, "words.rowid DESC"),
            false => (false, "words.rank"),
        };
        let find = format!(
            "SELECT version.url FROM words JOIN version ON version.id = words.rowid WHERE words MATCH ?1 ORDER BY {order} LIMIT ?2"
        );
        let (mut urls, mut known) = (Vec::new(), HashSet::new());
        let mut find = self.connection.prepare_cached(&find).map_err(self.failed())?;
        let mut rows = find.query(params![matching, WEIGHED_MAX]).map_err(self.failed())?;
        while let Some(row) = rows.next().map_err(self.failed())? {
            let url: String = row.get(0).map_err(self.failed())?;
            if query.site.as_ref().is_none_or(|site| is_of_site(&url, site)) && known.insert(url.clone()) {
                urls.push(url);
            }
        }
        Ok((urls, is_cut))
    }

    /// When the phrase was on a page, by what the index says of its versions, and the latest visit that saw it; nothing if no
    /// visit is held any more.
    fn page(&self, url: &str, query: &PhraseQuery) -> Result<Option<(PhrasePage, Memento)>, Error> {
        let versions = self.versions_with(url, query).map_err(self.failed())?;
        let mementos = self.holdings.mementos(url)?;
        let visits = judged(&mementos, query, |_, digest| {
            versions.get(digest).map_or(Presence::Unread, |(presence, _)| *presence)
        });
        let latest = |memento: &&Memento| {
            let digest = memento.line.digest.as_deref().unwrap_or_default();
            versions.get(digest).is_some_and(|(presence, _)| *presence == Presence::Present)
        };
        let Some(latest) = mementos.iter().rfind(latest) else { return Ok(None) };
        let title = versions.get(latest.line.digest.as_deref().unwrap_or_default());
        let title = title.map_or(String::new(), |(_, title)| title.clone());
        let stretches = stretches(visits.into_iter());
        Ok(Some((PhrasePage { url: url.to_owned(), title, excerpt: Vec::new(), stretches }, latest.clone())))
    }

    fn excerpt(&self, memento: &Memento, query: &PhraseQuery) -> Result<Vec<ExcerptPart>, Error> {
        let found = self.text_of(memento);
        let at = self.matcher.excerpt(&query.phrase, &found.title, &found.text).map_err(self.failed())?;
        Ok(at.unwrap_or_default())
    }

    /// By digest, what every version of a page says, and its title.
    fn versions_with(&self, url: &str, query: &PhraseQuery) -> rusqlite::Result<HashMap<String, (Presence, String)>> {
        let mut list = self.connection.prepare_cached(
            "SELECT digest, state, title, EXISTS (SELECT 1 FROM words WHERE words MATCH ?2 AND words.rowid = version.id)
             FROM version WHERE url = ?1",
        )?;
        let matching = format!("{{title text}} : {}", query.phrase.query());
        let read = |row: &Row<'_>| {
            let presence = presence(row.get(3)?, ReadState::from_number(row.get(1)?));
            Ok((row.get(0)?, (presence, row.get(2)?)))
        };
        list.query_map(params![url, matching], read)?.collect()
    }

    /// Everything that was looked at and would have shown the phrase.
    fn scope(&self, query: &PhraseQuery) -> Result<PhraseScope, Error> {
        let range = match &query.site {
            Some(site) => KeyRange::of_query(&format!("http://{site}"), Some(MatchType::Domain)),
            None => KeyRange::all(),
        };
        let (mut scope, mut lines, mut last) = (PhraseScope::default(), 0, String::new());
        let mut failed = None;
        self.holdings.scan(&range, |memento| {
            lines += 1;
            scope.is_cut = lines > LINES_MAX;
            let of_site = query.site.as_ref().is_none_or(|site| is_of_site(memento.url(), site));
            let mime = memento.line.mime.as_deref().unwrap_or("text/html");
            let is_text = memento.line.is_duplicate() || is_read(mime);
            if of_site && is_text && query.covers(memento.time) && by_status(&memento).is_none() {
                match self.state_of(&memento) {
                    // A duplicate of what is no text.
                    Ok(None) if memento.line.is_duplicate() => {}
                    Ok(state) => {
                        scope.visits += 1;
                        scope.visits_read += u64::from(state == Some(ReadState::Whole));
                        scope.pages += u64::from(last != memento.url());
                        memento.url().clone_into(&mut last);
                    }
                    Err(error) => failed = Some(error),
                }
            }
            if scope.is_cut || failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        failed.map_or(Ok(scope), Err)
    }

    fn state_of(&self, memento: &Memento) -> Result<Option<ReadState>, Error> {
        let find = "SELECT state FROM version WHERE url = ?1 AND digest = ?2";
        let mut find = self.connection.prepare_cached(find).map_err(self.failed())?;
        let mut rows = find.query(params![memento.url(), memento.line.digest]).map_err(self.failed())?;
        let row = rows.next().map_err(self.failed())?;
        row.map(|row| row.get(0).map(ReadState::from_number)).transpose().map_err(self.failed())
    }
}

/// Of a version that was not read to its end only what was found is said.
fn presence(is_found: bool, state: ReadState) -> Presence {
    match (is_found, state) {
        (true, _) => Presence::Present,
        (false, ReadState::Whole) => Presence::Absent,
        (false, _) => Presence::Unread,
    }
}

/// What each visit within the times that were asked about says.
fn judged(
    mementos: &[Memento],
    query: &PhraseQuery,
    mut judge: impl FnMut(&Memento, &str) -> Presence,
) -> Vec<(Time, Presence)> {
    let mut visits: Vec<(Time, Presence)> = Vec::new();
    let mut before = Presence::Unread;
    for memento in mementos {
        let presence = match (by_status(memento), memento.line.digest.as_deref()) {
            (Some(presence), _) => presence,
            (None, Some(digest)) => judge(memento, digest),
            // "Not modified", by a tool that does not say since what: what the visit before saw.
            (None, None) if memento.status() == Some(304) => before,
            (None, None) => Presence::Unread,
        };
        before = presence;
        if query.covers(memento.time) {
            visits.push((memento.time, presence));
        }
    }
    visits
}

impl PhraseScope {
    /// Whether every visit that was looked at could be read.
    pub fn is_whole(&self) -> bool {
        !self.is_cut && self.visits_read == self.visits
    }
}
