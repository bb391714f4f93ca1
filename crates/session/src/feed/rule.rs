//! Who is told of what.

use super::{event::PageEventKind, query::FeedQuery};
use regex::Regex;
use tintype_vocab::{Change, Span, Time};

/// How often somebody is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DigestPeriod {
    /// As soon as it is known, item by item.
    #[default]
    Immediate,
    Hourly,
    Daily,
    Weekly,
}

impl DigestPeriod {
    pub fn parse(text: &str) -> Result<DigestPeriod, String> {
        match text {
            "immediate" => Ok(DigestPeriod::Immediate),
            "hourly" => Ok(DigestPeriod::Hourly),
            "daily" => Ok(DigestPeriod::Daily),
            "weekly" => Ok(DigestPeriod::Weekly),
            _ => Err(format!("{text} is no digest: write immediate, hourly, daily or weekly")),
        }
    }

    fn span(self) -> Span {
        match self {
            DigestPeriod::Immediate => Span::ZERO,
            DigestPeriod::Hourly => Span::from_secs(3600),
            DigestPeriod::Daily => Span::from_days(1),
            DigestPeriod::Weekly => Span::from_days(7),
        }
    }

    /// Whether it is time again.
    pub fn is_due(self, last: Option<Time>, now: Time) -> bool {
        last.is_none_or(|last| now - last >= self.span())
    }
}

/// One rule of the file: what is told, and how often.
#[derive(Clone, Debug)]
pub struct NotifyRule {
    /// What was told by it is remembered under this name.
    pub name: String,
    pub terms: Vec<Regex>,
    pub kinds: Vec<PageEventKind>,
    pub site: Option<String>,
    pub min_importance: f64,
    pub digest: DigestPeriod,
}

impl NotifyRule {
    /// What it wants to know, beside what somebody else decides.
    pub fn query(&self, more: FeedQuery) -> FeedQuery {
        let min_importance = self.min_importance.max(f64::from(Change::IMPORTANCE_MIN));
        FeedQuery {
            terms: self.terms.clone(),
            kinds: self.kinds.clone(),
            site: self.site.clone(),
            min_importance,
            ..more
        }
    }
}
