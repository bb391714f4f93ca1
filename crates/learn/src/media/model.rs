//! What a learner of media types sees, is told afterwards, and can be asked.

use tintype_vocab::{Change, ContentType, MediaRange, Mention, Observation, Outcome, Purpose};

/// What is known of a page before it is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight<'a> {
    pub url: &'a str,
    /// How it was linked.
    pub mention: Mention,
}

impl<'a> Sight<'a> {
    /// A URL of which nothing else is known.
    pub fn of(url: &'a str) -> Sight<'a> {
        Sight { url, mention: Mention::default() }
    }
}

/// What was there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MediaAnswer<'a> {
    /// `type/subtype`, lower case: as sniffed where the server is known to be wrong or silent, as served otherwise.
    pub media_type: &'a str,
    /// How long it was, where somebody knows.
    pub bytes: Option<u64>,
    /// Whether it carried links to other pages, where somebody looked.
    pub links: Option<bool>,
}

impl<'a> MediaAnswer<'a> {
    /// A media type and nothing more.
    pub fn of(media_type: &'a str) -> MediaAnswer<'a> {
        MediaAnswer { media_type, bytes: None, links: None }
    }

    /// What a visit teaches of what is behind its URL. Errors and redirects are pages of the server, not of the URL, and a
    /// page that was seen before teaches nothing twice.
    pub fn told_by(seen: &'a Observation) -> Option<MediaAnswer<'a>> {
        let is_visit = matches!(seen.purpose, Purpose::Visit | Purpose::Probe);
        let is_news = is_visit && matches!(seen.outcome, Outcome::Body { .. }) && seen.change != Change::Same;
        let media_type = seen.real_media_type().filter(|_| is_news)?;
        Some(MediaAnswer { media_type, bytes: Some(seen.bytes), links: Some(!seen.links.is_empty()) })
    }
}

/// A learner of media types.
pub trait Model: std::fmt::Debug + Send {
    /// Folds in what was behind a URL.
    fn learn(&mut self, sight: &Sight<'_>, answer: &MediaAnswer<'_>);

    /// The chance of every content type, in the order of [`ContentType::ALL`]. They sum to 1, or to less where a model
    /// holds some of it possible that it is none of them.
    fn content_types(&self, sight: &Sight<'_>) -> [f32; ContentType::ALL.len()];

    /// The chance that it is what somebody wants.
    fn chance(&self, sight: &Sight<'_>, wanted: &MediaRange) -> f32;

    /// Bytes of memory it takes.
    fn bytes(&self) -> usize;
}
