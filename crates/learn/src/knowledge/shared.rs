//! What is known across sites: first guesses and media types. Shared by all who begin with it until one of them learns,
//! because it is large.

use super::saved::{Part, Parts};
use crate::{
    first_guess::FirstGuess,
    learner::Learner,
    media::Media,
    stored::{self, Bytes},
};
use std::sync::{Arc, LazyLock};

/// What is known wherever nothing more was learned; one for all.
static SHIPPED: LazyLock<SharedKnowledge> =
    LazyLock::new(|| SharedKnowledge { first_guess: Arc::default(), media: Arc::default() });

/// What is known across sites.
#[derive(Clone, Debug)]
pub struct SharedKnowledge {
    pub first_guess: Arc<FirstGuess>,
    pub media: Arc<Media>,
}

impl Default for SharedKnowledge {
    fn default() -> SharedKnowledge {
        SHIPPED.clone()
    }
}

impl SharedKnowledge {
    /// Adds what another worker learned on other sites.
    pub fn merge(&mut self, other: &SharedKnowledge) {
        Arc::make_mut(&mut self.first_guess).merge(&other.first_guess);
        Arc::make_mut(&mut self.media).merge(&other.media);
    }

    /// All of it as one blob, to be kept once for all sites.
    pub fn save(&self) -> Vec<u8> {
        let learners: [&dyn Learner; 2] = [&*self.first_guess, &*self.media];
        Parts(learners.into_iter().map(Part::save).collect()).to_bytes()
    }

    /// The same for who goes on with the run that learned it: to the bit, and without what is as shipped.
    pub fn save_run(&self) -> Vec<u8> {
        let is_shipped = Arc::ptr_eq(&self.media, &SHIPPED.media);
        let media = (!is_shipped).then(|| Bytes(self.media.to_exact_bytes()));
        stored::to_bytes(&(&*self.first_guess, media))
    }

    /// Goes on with it; nothing if it cannot be read.
    pub fn load_run(bytes: &[u8]) -> Option<SharedKnowledge> {
        let (first_guess, media): (FirstGuess, Option<Bytes>) = stored::from_bytes(bytes)?;
        let media = match media {
            Some(Bytes(media)) => Arc::new(Media::from_exact_bytes(&media)?),
            None => SHIPPED.media.clone(),
        };
        Some(SharedKnowledge { first_guess: Arc::new(first_guess), media })
    }

    /// What a blob holds, and the names of what could not be read and is as shipped.
    pub fn load(bytes: &[u8]) -> (SharedKnowledge, Vec<&'static str>) {
        let (mut shared, mut lost) = (SharedKnowledge::default(), Vec::new());
        let parts = Parts::from_bytes(bytes).unwrap_or_default();
        match parts.learner("first-guess") {
            Some(guess) => shared.first_guess = guess,
            None => lost.push("first-guess"),
        }
        match parts.learner("media") {
            Some(media) => shared.media = media,
            None => lost.push("media"),
        }
        (shared, lost)
    }
}
