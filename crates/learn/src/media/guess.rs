//! What a model makes of a sight.

use super::{features::LOCAL_MAX, kind::Kind, ours::Media, shares::Keys};
use tintype_vocab::{ContentType, MediaRange};

/// What is behind a URL, as far as can be told.
#[derive(Clone, Copy, Debug)]
pub struct Guess<'a> {
    pub(super) media: &'a Media,
    pub(super) chances: [f32; Kind::COUNT],
    pub(super) local: [u32; LOCAL_MAX],
    pub(super) locals: usize,
    pub(super) keys: Keys,
}

impl Guess<'_> {
    /// The chance of a kind.
    pub fn kind(&self, kind: Kind) -> f32 {
        self.chances[kind as usize]
    }

    /// The chance of every content type as it is sent, in the order of [`ContentType::ALL`].
    pub fn content_types(&self) -> [f32; ContentType::ALL.len()] {
        self.summed(Kind::content_type)
    }

    /// The same with the names folded that mean the same.
    pub fn folded_content_types(&self) -> [f32; ContentType::ALL.len()] {
        self.summed(Kind::folded_content_type)
    }

    fn summed(&self, content_type: fn(Kind) -> ContentType) -> [f32; ContentType::ALL.len()] {
        let mut sums = [0.0; ContentType::ALL.len()];
        for (kind, chance) in Kind::ALL.into_iter().zip(self.chances) {
            sums[content_type(kind) as usize] += chance;
        }
        sums
    }

    /// The chance that it is what somebody wants.
    pub fn chance(&self, wanted: &MediaRange) -> f32 {
        let all = Kind::ALL.into_iter().zip(self.chances);
        match wanted {
            MediaRange::All(wanted) => {
                let meets = |kind: Kind| kind.content_type() == *wanted || kind.folded_content_type() == *wanted;
                all.filter(|(kind, _)| meets(*kind)).map(|(_, chance)| chance).sum()
            }
            MediaRange::One(_) => {
                // Only kinds that have such a name are worth the search for its share.
                let shares = all.filter(|(_, chance)| *chance > 1e-3).map(|(kind, chance)| {
                    if self.media.shares.may_have(kind, wanted) {
                        chance * self.media.shares.share(self.keys, kind, |name| wanted.contains(name))
                    } else {
                        0.0
                    }
                });
                shares.sum()
            }
        }
    }

    /// The chance that it carries links to other pages.
    pub fn links(&self) -> f32 {
        self.media.aside.guess(&self.chances, &self.local[..self.locals]).0
    }

    /// How many bytes are typical of it.
    pub fn bytes(&self) -> f32 {
        let (_, log_bytes) = self.media.aside.guess(&self.chances, &self.local[..self.locals]);
        log_bytes.clamp(0.0, 30.0).exp()
    }

    /// The likeliest media types by name, with their chances; the likeliest first.
    pub fn names(&self, most: usize) -> Vec<(String, f32)> {
        self.media.shares.likeliest(self.keys, &self.chances, most)
    }
}
