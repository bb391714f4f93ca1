//! The words of all versions: taken into their index beside the requests, and looked for by a search.

use super::Past;
use crate::past::prepared::{NotReady, Prepared};
use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
};
use tintype_archive::{MarkedVersion, Phrase, PhraseFinding, PhrasePage, PhraseQuery, TextIndex};
use tintype_vocab::Time;

/// Pages with a phrase that are told of.
const PAGES_TOLD: usize = 20;
/// Pages with the words in their address.
const ADDRESSES_TOLD: usize = 10;

/// The indexes of the collections, and what was found in them.
#[derive(Debug, Default)]
pub(in crate::past) struct Texts {
    indexes: Mutex<HashMap<usize, Arc<Mutex<TextIndex>>>>,
    /// How many versions were read, of collections all of which was.
    read: Prepared<usize, u64>,
    /// The same of those that are being read.
    so_far: Mutex<HashMap<usize, u64>>,
    found: Prepared<(usize, Question), PhraseFound>,
}

/// What somebody looks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::past) struct Question {
    pub(in crate::past) phrase: String,
    pub(in crate::past) site: Option<String>,
    /// Only this page, all of whose versions are read again.
    pub(in crate::past) url: Option<String>,
    pub(in crate::past) from: Option<Time>,
    pub(in crate::past) to: Option<Time>,
}

/// What was found in a collection.
#[derive(Debug)]
pub(in crate::past) struct PhraseFound {
    pub(in crate::past) query: PhraseQuery,
    pub(in crate::past) finding: PhraseFinding,
    pub(in crate::past) addresses: Vec<String>,
}

/// What can be said of a collection now.
pub(in crate::past) struct Searched {
    pub(in crate::past) collection: usize,
    pub(in crate::past) found: Option<Arc<PhraseFound>>,
    /// Versions read so far, where there are more to read.
    pub(in crate::past) reading: Option<u64>,
}

impl Question {
    pub(in crate::past) fn query(&self) -> Option<PhraseQuery> {
        let phrase = Phrase::parse(&self.phrase)?;
        Some(PhraseQuery { phrase, site: self.site.clone(), from: self.from, to: self.to, limit: PAGES_TOLD })
    }
}

/// Asks every collection.
pub(in crate::past) fn search(past: &Arc<Past>, question: &Question) -> Result<Vec<Searched>, NotReady> {
    let numbers: Vec<usize> = past.holdings.collections().map(|(number, _)| number).collect();
    numbers.into_iter().map(|number| searched(past, number, question)).collect()
}

fn searched(past: &Arc<Past>, collection: usize, question: &Question) -> Result<Searched, NotReady> {
    let reading = match read(past, collection) {
        Ok(_) => None,
        Err(NotReady::Yet) => Some(lock(&past.interface.texts.so_far).get(&collection).copied().unwrap_or(0)),
        Err(failed) => return Err(failed),
    };
    // What is read into memory cannot be asked meanwhile; a page that is to be proved asks no index.
    let shared = index(past, collection)?;
    if reading.is_some() && question.url.is_none() && lock(&shared).is_in_memory() {
        return Ok(Searched { collection, found: None, reading });
    }
    let asked = question.clone();
    let key = (collection, question.clone());
    let found =
        Prepared::get(past, |past| &past.interface.texts.found, key, move |past| find(past, collection, &asked))?;
    Ok(Searched { collection, found: Some(found), reading })
}

fn find(past: &Past, collection: usize, question: &Question) -> Result<PhraseFound, NotReady> {
    let query = question.query().ok_or("there is no word in this")?;
    let index = index(past, collection)?;
    let index = lock(&index);
    if let Some(url) = &question.url {
        let pages: Vec<PhrasePage> = index.prove(url, &query)?.into_iter().collect();
        let finding = PhraseFinding { pages_in_all: pages.len() as u64, pages, is_cut: false, scope: None };
        return Ok(PhraseFound { query, finding, addresses: Vec::new() });
    }
    let addresses = index.addresses(&PhraseQuery { limit: ADDRESSES_TOLD, ..query.clone() })?;
    Ok(PhraseFound { finding: index.find(&query)?, query, addresses })
}

/// One version with the phrase marked, from the first collection that holds it.
pub(super) fn marked(past: &Past, url: &str, at: Time, phrase: &Phrase) -> Result<Option<MarkedVersion>, NotReady> {
    for (number, _) in past.holdings.collections() {
        let index = index(past, number)?;
        let marked = lock(&index).marked(url, at, phrase)?;
        if marked.is_some() {
            return Ok(marked);
        }
    }
    Ok(None)
}

/// Takes in what is new; how many versions there are then.
fn read(past: &Arc<Past>, collection: usize) -> Result<Arc<u64>, NotReady> {
    Prepared::get(
        past,
        |past| &past.interface.texts.read,
        collection,
        move |past| {
            let shared = index(past, collection)?;
            let texts = &past.interface.texts;
            let mut each = |count| {
                lock(&texts.so_far).insert(collection, count);
                if past.is_over.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            // Whoever searches need not wait where the index is in a file.
            let is_in_memory = lock(&shared).is_in_memory();
            let is_done = match is_in_memory {
                true => lock(&shared).grow(&mut each)?,
                false => TextIndex::open(past.collection(collection)?)?.grow(&mut each)?,
            };
            lock(&texts.so_far).remove(&collection);
            let versions = lock(&shared).versions()?;
            if is_done { Ok(versions) } else { Err(NotReady::Yet) }
        },
    )
}

fn index(past: &Past, collection: usize) -> Result<Arc<Mutex<TextIndex>>, NotReady> {
    let mut indexes = lock(&past.interface.texts.indexes);
    if let Some(index) = indexes.get(&collection) {
        return Ok(index.clone());
    }
    let index = Arc::new(Mutex::new(TextIndex::open(past.collection(collection)?)?));
    indexes.insert(collection, index.clone());
    Ok(index)
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
