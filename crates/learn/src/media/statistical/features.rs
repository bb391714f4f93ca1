//! What rules can be about.

use crate::media::parts::{Parts, TOKENS_MAX, hashed, joined};

/// The kinds of feature, in the order in which they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureKind {
    /// E.
    Extension,
    /// T.
    Token,
    /// D and T, D being what somebody registered.
    DomainToken,
    /// D and T, D being the top-level domain.
    TopLevelToken,
}

impl FeatureKind {
    pub const ALL: [FeatureKind; 4] =
        [FeatureKind::Extension, FeatureKind::Token, FeatureKind::DomainToken, FeatureKind::TopLevelToken];
}

/// The features of one URI, hashed. The file name is none of them: the paper extracts it and never asks for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    extension: Option<u64>,
    domain: u64,
    top_level: u64,
    tokens: [u64; TOKENS_MAX],
    len: usize,
}

impl Features {
    pub(super) fn of(parts: &Parts<'_>) -> Features {
        let mut features = Features {
            extension: parts.extension().map(hashed),
            domain: hashed(parts.domain()),
            top_level: hashed(parts.top_level()),
            tokens: [0; TOKENS_MAX],
            len: 0,
        };
        for token in parts.tokens().map(hashed) {
            // A URI that has a token twice is still one URI.
            if !features.tokens[..features.len].contains(&token) {
                features.tokens[features.len] = token;
                features.len += 1;
            }
        }
        features
    }

    pub(super) fn get(&self, kind: FeatureKind) -> impl Iterator<Item = u64> {
        let of_tokens = if kind == FeatureKind::Extension { &[] } else { &self.tokens[..self.len] };
        let extension = self.extension.filter(|_| kind == FeatureKind::Extension);
        extension.into_iter().chain(of_tokens.iter().map(move |token| match kind {
            FeatureKind::DomainToken => joined(self.domain, *token),
            FeatureKind::TopLevelToken => joined(self.top_level, *token),
            FeatureKind::Token | FeatureKind::Extension => *token,
        }))
    }
}
