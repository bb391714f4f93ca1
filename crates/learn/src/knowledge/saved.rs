//! A knowledge as one blob: every learner's part with its name and version, so that one that cannot be read costs no other.

use super::{Knowledge, SharedKnowledge, pages::SavedPages};
use crate::{
    directory::Memory,
    learner::Learner,
    learners,
    rates::Rates,
    rendering::RenderGains,
    stored::{self, Bytes},
};
use serde::{Deserialize, Serialize};
use std::{any::Any, sync::Arc};

/// Any change to how parts lie side by side needs another.
const MAGIC: &[u8; 8] = b"ttknow\x00\x02";
/// The parts that are no learner's of pages.
const PAGES: &str = "pages";
const DIRECTORIES: &str = "directories";
const RENDERING: &str = "rendering";
const DIRECTORIES_VERSION: u32 = 2;

/// A name, and bytes that somebody else understands.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Part {
    name: String,
    bytes: Bytes,
}

impl Part {
    pub(super) fn save(learner: &dyn Learner) -> Part {
        let entry = learners::find(learner.name()).expect("every learner is registered");
        Part { name: entry.name.to_owned(), bytes: Bytes(entry.save(learner)) }
    }

    fn new<T: Serialize>(name: &str, value: &T) -> Part {
        Part { name: name.to_owned(), bytes: Bytes(stored::to_bytes(value)) }
    }

    fn load(&self) -> Option<Box<dyn Learner>> {
        learners::find(&self.name)?.load(&self.bytes.0).ok()
    }
}

#[derive(Debug, Default)]
pub(super) struct Parts(pub(super) Vec<Part>);

impl Parts {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        [MAGIC, &stored::to_bytes(&self.0)[..]].concat()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Parts> {
        stored::from_bytes(bytes.strip_prefix(MAGIC)?).map(Parts)
    }

    fn find(&self, name: &str) -> Option<&Part> {
        self.0.iter().find(|part| part.name == name)
    }

    /// A learner of a type that is known beforehand.
    pub(super) fn learner<L: Learner>(&self, name: &str) -> Option<Arc<L>> {
        let learner: Box<dyn Any> = self.find(name)?.load()?;
        learner.downcast().ok().map(Arc::from)
    }

    fn value<'a, T: Deserialize<'a>>(&'a self, name: &str) -> Option<T> {
        stored::from_bytes(&self.find(name)?.bytes.0)
    }
}

/// A knowledge read back.
#[derive(Debug)]
pub struct Loaded {
    pub knowledge: Knowledge,
    /// Learners whose part could not be read. They begin blank, and are to be taught again from the log.
    pub relearn: Vec<&'static str>,
}

impl Knowledge {
    /// All that is believed of the site. What is known across sites is saved once for all of them
    /// ([`SharedKnowledge::save`]).
    pub fn save(&self) -> Vec<u8> {
        let mut parts =
            vec![Part::new(PAGES, &(self.pages.save(), self.pages_expected as u64)), Part::save(&self.rates)];
        parts.extend((!self.rendering.is_blank()).then(|| Part::save(&self.rendering)));
        parts.extend(self.learners.iter().map(|learner| Part::save(&**learner)));
        if let Some(directories) = self.directories() {
            parts.push(Part::new(DIRECTORIES, &(DIRECTORIES_VERSION, directories)));
        }
        Parts(parts).to_bytes()
    }

    /// What a blob holds.
    pub fn load(bytes: &[u8], shared: SharedKnowledge) -> Loaded {
        let (mut knowledge, mut relearn) = (Knowledge::new(shared), Vec::new());
        let parts = Parts::from_bytes(bytes).unwrap_or_default();
        match parts.learner::<Rates>("rates").and_then(Arc::into_inner) {
            Some(rates) => knowledge.rates = rates,
            None => relearn.push("rates"),
        }
        if parts.find(RENDERING).is_some() {
            match parts.learner::<RenderGains>(RENDERING).and_then(Arc::into_inner) {
                Some(gains) => knowledge.rendering = gains,
                None => relearn.push(RENDERING),
            }
        }
        if parts.find(DIRECTORIES).is_some() {
            let directories: Option<(u32, Memory)> = parts.value(DIRECTORIES);
            match directories.filter(|(version, _)| *version == DIRECTORIES_VERSION) {
                Some((_, directories)) => knowledge.remember_directories(directories),
                None => relearn.push(DIRECTORIES),
            }
        }
        let pages: Option<(SavedPages, u64)> = parts.value(PAGES);
        let pages = pages.and_then(|(pages, expected)| Some((pages.restore()?, expected)));
        let named = pages.is_some();
        if let Some((pages, expected)) = pages {
            (knowledge.pages, knowledge.pages_expected) = (pages, expected as usize);
        }
        let of_pages = parts.0.iter().filter_map(|part| learners::find(&part.name));
        let of_pages = of_pages.filter(|entry| !matches!(entry.name, "rates" | RENDERING));
        for entry in of_pages {
            // Without names nobody knows which page a belief is about.
            let learner = parts.find(entry.name).and_then(Part::load).filter(|_| named);
            relearn.extend(learner.is_none().then_some(entry.name));
            knowledge.learners.push(learner.unwrap_or_else(|| entry.make()));
        }
        Loaded { knowledge, relearn }
    }

    /// Adds what another worker learned of the same site.
    pub fn merge(&mut self, other: &Knowledge) {
        let slots = self.pages.merge(&other.pages);
        self.rates.merge(&other.rates, &slots);
        self.rendering.merge(&other.rendering, &slots);
        for theirs in &other.learners {
            match self.learners.iter_mut().find(|mine| mine.fits(&**theirs)) {
                Some(mine) => mine.merge(&**theirs, &slots),
                None => {
                    let mut blank = theirs.blank();
                    blank.merge(&**theirs, &slots);
                    self.learners.push(blank);
                }
            }
        }
        self.shared.merge(&other.shared);
        self.pages_expected = self.pages_expected.max(other.pages_expected);
    }
}
