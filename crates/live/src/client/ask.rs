//! What a client is asked and what it answers.

use super::{cookies::Jar, fetch_error::FetchError};
use tintype_archive::Exchange;
use tintype_vocab::{Outcome, Time, Validators};

/// One page to ask for.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    pub url: String,
    /// What is known of the copy we hold; makes the request conditional.
    pub validators: Validators,
    /// A person named this host, so it may be in loopback or private space.
    pub private_allowed: bool,
    /// The cookies of the capture this request belongs to.
    pub jar: Option<Jar>,
    /// A smaller body limit than the client's, for robots.txt and the like.
    pub body_bytes_max: Option<u64>,
    /// What is said besides, in the place of what is usually said: names in lower case.
    pub headers: Vec<(String, String)>,
}

impl Ask {
    pub fn new(url: impl Into<String>) -> Ask {
        Ask { url: url.into(), ..Ask::default() }
    }
}

/// How it went. Whatever the web does, this is a value.
#[derive(Debug)]
pub struct Answer {
    pub outcome: Outcome,
    /// The bytes, whenever a complete head arrived and at least the beginning of the body it announced.
    pub exchange: Option<Exchange>,
    /// When the request had its turn at the host.
    pub asked: Time,
    /// When the answer was complete, or given up.
    pub answered: Time,
    /// What a person would want to know besides: why it failed, what was odd.
    pub note: Option<String>,
}

impl Answer {
    pub(super) fn failed(asked: Time, answered: Time, fetch_error: FetchError) -> Answer {
        let outcome = Outcome::Failed { cause: fetch_error.cause };
        Answer { outcome, exchange: None, asked, answered, note: Some(fetch_error.note) }
    }
}
