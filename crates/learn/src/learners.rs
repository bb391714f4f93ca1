//! Every learner there is.

use crate::{
    changes::{ChangeClock, Changes},
    first_guess::FirstGuess,
    forecast::Forecaster,
    hint::Hints,
    hours::Hours,
    lastmod::Lastmods,
    learner::Learner,
    media::Media,
    rates::Rates,
    rendering::RenderGains,
    worth::VersionWorth,
};
use std::fmt;

/// Why saved bytes are no learner. What was lost is learned again from the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// Saved by another version of the program.
    OtherVersion,
    /// Cut short, changed, or nothing of the kind.
    Damaged,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LoadError::OtherVersion => "what was learned was saved by another version",
            LoadError::Damaged => "what was learned is damaged",
        })
    }
}

impl std::error::Error for LoadError {}

/// How much memory a learner may take: so much for every page, and so much besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryBound {
    pub per_page: usize,
    pub in_all: usize,
}

/// One registered learner.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredLearner {
    pub name: &'static str,
    pub summary: &'static str,
    /// Any change to what saved bytes mean needs another number: who kept the older ones learns them anew.
    pub version: u32,
    pub bound: MemoryBound,
    /// How far beliefs of merged logs may be off those of a learner that read both, as a share: what the suite measures,
    /// rounded up. Who forgets by the visit (`hours`), or reads later pages in the light of earlier ones (`first-guess`), is
    /// off farthest.
    pub merge_tolerance: f64,
    make: fn() -> Box<dyn Learner>,
    load: fn(&[u8]) -> Option<Box<dyn Learner>>,
}

/// Every learner there is.
pub const LEARNERS: &[RegisteredLearner] = &[
    RegisteredLearner {
        name: "rates",
        summary: "how often each page changes by its own record, from capture to capture",
        version: 1,
        bound: MemoryBound { per_page: 96, in_all: 1 << 10 },
        merge_tolerance: 0.01,
        make: || Box::<Rates>::default(),
        load: |bytes| Rates::load(bytes).map(boxed),
    },
    RegisteredLearner {
        name: "changes",
        summary: "how often pages change and when: by past, cohort, the site's hours and spells",
        version: 2,
        bound: MemoryBound { per_page: 700, in_all: 1 << 20 },
        merge_tolerance: 0.25,
        make: || Box::new(Changes::new(ChangeClock::Site)),
        load: |bytes| Changes::load(bytes).map(boxed),
    },
    RegisteredLearner {
        name: "hints",
        summary: "which pages list others, and how far their wording can be believed",
        version: 1,
        bound: MemoryBound { per_page: 320, in_all: 64 << 20 },
        merge_tolerance: 0.2,
        make: || Box::<Hints>::default(),
        load: |bytes| Hints::load(bytes).map(boxed),
    },
    RegisteredLearner {
        name: "lastmods",
        summary: "what sitemaps say of when pages changed, and how far their dates can be believed",
        version: 1,
        bound: MemoryBound { per_page: 160, in_all: 4 << 20 },
        merge_tolerance: 0.2,
        make: || Box::<Lastmods>::default(),
        load: |bytes| Lastmods::load(bytes).map(boxed),
    },
    RegisteredLearner {
        name: "forecast",
        summary: "what pages and those around them did lately, and how far what other sites taught holds here",
        version: 3,
        bound: MemoryBound { per_page: 1600, in_all: 1 << 20 },
        merge_tolerance: 0.25,
        make: || Box::<Forecaster>::default(),
        load: |bytes| Forecaster::load(bytes).map(boxed),
    },
    RegisteredLearner {
        name: "hours",
        summary: "how important changes of a page are, by the hour",
        version: 1,
        bound: MemoryBound { per_page: 500, in_all: 1 << 10 },
        merge_tolerance: 0.5,
        make: || Box::<Hours>::default(),
        load: |bytes| Hours::load(bytes).map(boxed),
    },
    RegisteredLearner {
        name: "worth",
        summary: "when versions of a page come to be, and what they are worth by the hour",
        version: 1,
        bound: MemoryBound { per_page: 2400, in_all: 1 << 14 },
        merge_tolerance: 0.1,
        make: || Box::<VersionWorth>::default(),
        load: |bytes| VersionWorth::load(bytes).map(boxed),
    },
    RegisteredLearner {
        name: "rendering",
        summary: "what it brings to have a browser build pages, by their scripts and the places these fill",
        version: 1,
        bound: MemoryBound { per_page: 0, in_all: 2 << 20 },
        merge_tolerance: 0.1,
        make: || Box::<RenderGains>::default(),
        load: |bytes| RenderGains::load(bytes).map(boxed),
    },
    RegisteredLearner {
        name: "first-guess",
        summary: "how often pages change, guessed by their signs before they are asked for, on all sites",
        version: 1,
        bound: MemoryBound { per_page: 0, in_all: FirstGuess::BYTES + (1 << 10) },
        merge_tolerance: 0.5,
        make: || Box::<FirstGuess>::default(),
        load: |bytes| FirstGuess::load(bytes).map(boxed),
    },
    RegisteredLearner {
        name: "media",
        summary: "what is behind URLs before they are asked for, on all sites",
        version: 2,
        bound: MemoryBound { per_page: 0, in_all: 64 << 20 },
        merge_tolerance: 0.05,
        make: || Box::new(Media::blank()),
        load: |bytes| Media::from_bytes(bytes).ok().map(boxed),
    },
];

fn boxed<L: Learner>(learner: L) -> Box<dyn Learner> {
    Box::new(learner)
}

/// A learner by its name.
pub fn find(name: &str) -> Option<&'static RegisteredLearner> {
    LEARNERS.iter().find(|entry| entry.name == name)
}

impl RegisteredLearner {
    /// One that has seen nothing.
    pub fn make(&self) -> Box<dyn Learner> {
        (self.make)()
    }

    /// What a learner knows, with the version it was saved by and a sum to tell damage by.
    pub fn save(&self, learner: &dyn Learner) -> Vec<u8> {
        let body = learner.save();
        let mut bytes = self.version.to_le_bytes().to_vec();
        bytes.extend_from_slice(&sum(&body).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// A learner that knows what was saved.
    pub fn load(&self, bytes: &[u8]) -> Result<Box<dyn Learner>, LoadError> {
        let (version, rest) = bytes.split_first_chunk::<4>().ok_or(LoadError::Damaged)?;
        if u32::from_le_bytes(*version) != self.version {
            return Err(LoadError::OtherVersion);
        }
        let (stated, body) = rest.split_first_chunk::<8>().ok_or(LoadError::Damaged)?;
        if u64::from_le_bytes(*stated) != sum(body) {
            return Err(LoadError::Damaged);
        }
        self.read(body)
    }

    /// The same of bytes nothing vouches for: what a stranger put there may add up.
    pub fn read(&self, body: &[u8]) -> Result<Box<dyn Learner>, LoadError> {
        (self.load)(body).ok_or(LoadError::Damaged)
    }
}

fn sum(bytes: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3(bytes)
}
