//! What is crawled when, and who is told of it.

use tintype_archive::{Capture, Error, Shortage};
use tintype_plan::{Ending, Pause, Progress, SiteTerms, Upheaval, Wait};
use tintype_session::Session;
use tintype_vocab::{Observation, Time};

/// A site that begins now.
#[derive(Debug)]
pub struct Begin {
    /// By which the agenda knows it.
    pub number: usize,
    pub session: Session,
    pub capture: Capture,
    pub terms: SiteTerms,
}

/// What an agenda has.
#[derive(Debug)]
pub enum Next {
    Begin(Box<Begin>),
    /// The site of this number asks for nothing more, and ends when what it asked for is stored.
    End(usize),
    /// Nothing before this moment.
    At(Time),
    /// Nothing before a site under way has ended. If none is, the crawl is over.
    WhenOneEnds,
}

/// Says which sites begin, and hears of how they go.
pub trait Agenda {
    /// The next site to begin, if one is due while so many are under way.
    fn next(&mut self, now: Time, under_way: usize) -> Next;

    fn event(&mut self, number: usize, event: CrawlEvent<'_>);

    /// No site may ask before a moment. Whether that makes it want something else than it said.
    fn paused(&mut self, _until: Time, _why: Pause) -> bool {
        false
    }

    fn ended(&mut self, number: usize, ended: Ended);
}

/// Something a person may want to see. Visits are told only once they are on disk.
#[derive(Debug)]
pub enum CrawlEvent<'a> {
    Reported {
        observation: &'a Observation,
        progress: Progress,
    },
    /// `host` is the one that has to be left in peace meanwhile, if it is a host.
    Waiting {
        until: Time,
        why: Wait,
        host: Option<&'a str>,
        progress: Progress,
    },
    /// The site is no longer the one it was, or is again.
    Upheaval(Option<&'a Upheaval>),
}

/// How the crawl of one site ended.
#[derive(Debug)]
pub struct Ended {
    pub session: Session,
    /// `None`: a person stopped it, and it can be resumed.
    pub ending: Option<Ending>,
    /// What stopped it, if it is [`Ending::DiskLow`].
    pub shortage: Option<Shortage>,
    /// We failed, not the web.
    pub error: Option<Error>,
}
