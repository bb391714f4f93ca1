//! One site under way: its session, the hand to the archivist, and what of it is not on disk yet.

use super::{CrawlEvent, Ended};
use crate::{
    archivist::WriterHandle,
    checkpoints::Checkpoints,
    client::{Answer, Ask, Jar},
};
use std::{
    collections::{HashSet, VecDeque},
    path::PathBuf,
};
use tintype_archive::{Error, Rendering, Shortage};
use tintype_plan::Ending;
use tintype_session::Session;
use tintype_vocab::{Observation, Purpose, Request, Time, Visit, Why};

/// robots.txt beyond its limit is not read, so it need not be fetched.
const ROBOTS_BYTES_MAX: u64 = 1 << 20;

pub(super) struct SiteCrawl {
    /// By which the agenda knows it.
    pub(super) number: usize,
    pub(super) session: Session,
    pub(super) writer: WriterHandle,
    jar: Jar,
    /// Hosts a person named: they may lie in private space.
    named_hosts: HashSet<String>,
    /// The same with their ports: what scripts ask of private space is asked of nothing else.
    named_servers: HashSet<String>,
    checkpoints: Checkpoints,
    /// Handed to the archivist and not yet observed.
    unsettled: usize,
    /// Answers that wait for a checkpoint.
    held: Vec<(Request, Answer, Option<Rendering>)>,
    /// Observed but not yet on disk.
    unreported: VecDeque<Observation>,
    reported: u64,
    /// The site was said to be no longer the one it was.
    is_in_upheaval: bool,
    /// Because there is hardly any room on the disk.
    pub(super) shortage: Option<Shortage>,
    /// How it ends, once nothing more is asked for.
    closing: Option<Option<Ending>>,
}

impl SiteCrawl {
    pub(super) fn new(number: usize, session: Session, writer: WriterHandle, spool: PathBuf) -> SiteCrawl {
        let named_hosts = session.settings().all_seeds().filter_map(|seed| host_of(seed)).collect();
        let named_servers = session.settings().all_seeds().filter_map(|seed| server_of(seed)).collect();
        SiteCrawl {
            is_in_upheaval: session.scheduler().upheaval().is_some(),
            checkpoints: Checkpoints::new(&session, spool),
            unsettled: 0,
            held: Vec::new(),
            number,
            session,
            writer,
            jar: Jar::default(),
            named_hosts,
            named_servers,
            unreported: VecDeque::new(),
            reported: 0,
            shortage: None,
            closing: None,
        }
    }

    /// What is sent for the request that was let out last.
    pub(super) fn ask(&mut self, request: &Request) -> Result<Ask, Error> {
        let decision = self.session.last_decision().expect("a fetch was decided").clone();
        let is_scripts = decision.why == Why::Rendered;
        self.writer.decide(decision);
        let mut ask = Ask::new(request.url.clone());
        ask.private_allowed = match is_scripts {
            true => server_of(&request.url).is_some_and(|server| self.named_servers.contains(&server)),
            false => host_of(&request.url).is_some_and(|host| self.named_hosts.contains(&host)),
        };
        ask.jar = Some(self.jar.clone());
        ask.validators = self.session.validators(request)?;
        if request.purpose == Purpose::Robots {
            ask.body_bytes_max = Some(ROBOTS_BYTES_MAX);
        }
        Ok(ask)
    }

    /// While a checkpoint is due nothing is taken in, so that there is a moment at which log and session know the same.
    pub(super) fn ingest(&mut self, request: Request, answer: Answer, rendering: Option<Rendering>) {
        match self.checkpoints.is_due() {
            true => self.held.push((request, answer, rendering)),
            false => self.hand_over(request, answer, rendering),
        }
    }

    fn hand_over(&mut self, request: Request, answer: Answer, rendering: Option<Rendering>) {
        self.unsettled += 1;
        let Answer { outcome, exchange, asked, answered, note } = answer;
        self.writer.ingest(Visit { request, asked, answered, outcome }, exchange, note, rendering);
    }

    /// Whether the version held of a page is one that a browser can build.
    pub(super) fn is_known_html(&self, url: &str) -> bool {
        self.session.is_known_html(url)
    }

    pub(super) fn is_settled(&self) -> bool {
        self.unsettled == 0 && self.held.is_empty() && !self.is_closing()
    }

    pub(super) fn observed(&mut self, observation: Observation) {
        self.unsettled -= 1;
        self.session.settle(&observation);
        self.unreported.push_back(Observation { links: Default::default(), ..observation });
        self.keep_checkpoint(false);
    }

    /// That the site ceased to be the one it was, or is again, if that is news.
    pub(super) fn upheaval(&mut self) -> Option<CrawlEvent<'_>> {
        let upheaval = self.session.scheduler().upheaval();
        let before = std::mem::replace(&mut self.is_in_upheaval, upheaval.is_some());
        (before != self.is_in_upheaval).then_some(CrawlEvent::Upheaval(upheaval))
    }

    /// Keeps what a later run goes on from, now or as soon as everything handed over is settled. Everything decided was
    /// handed over.
    pub(super) fn keep_checkpoint(&mut self, is_due: bool) {
        self.checkpoints.hear(is_due);
        if self.checkpoints.is_due() && self.unsettled == 0 {
            self.checkpoints
                .gather(&self.session)
                .into_iter()
                .for_each(|checkpoint| self.writer.checkpoint(checkpoint));
            let held = std::mem::take(&mut self.held);
            held.into_iter().for_each(|(request, answer, rendering)| self.hand_over(request, answer, rendering));
        }
    }

    /// So many visits are on disk: those not reported yet are.
    pub(super) fn committed(&mut self, visits: u64, mut report: impl FnMut(CrawlEvent<'_>)) {
        let progress = self.session.progress();
        while self.reported < visits {
            self.reported += 1;
            if let Some(observation) = self.unreported.pop_front() {
                report(CrawlEvent::Reported { observation: &observation, progress });
            }
        }
    }

    pub(super) fn waiting(&self, until: Time) -> CrawlEvent<'_> {
        let (session, why) = (&self.session, self.session.waiting_for());
        CrawlEvent::Waiting { until, why, host: session.waiting_host(), progress: session.progress() }
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.is_some()
    }

    /// Ends the log as the session sees it fit.
    pub(super) fn close(&mut self, ending: Option<Ending>) {
        self.closing = Some(ending);
        let entry = self.session.closing_entry(ending);
        self.keep_checkpoint(entry.is_none());
        self.writer.close(entry);
    }

    /// How it went, for the agenda; with its number.
    pub(super) fn end(self, error: Option<Error>) -> (usize, Ended) {
        let ending = self.closing.flatten().filter(|_| error.is_none());
        (self.number, Ended { session: self.session, ending, shortage: self.shortage, error })
    }
}

fn host_of(url: &str) -> Option<String> {
    url::Url::parse(url).ok()?.host_str().map(str::to_owned)
}

/// Host and port.
fn server_of(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok()?;
    Some(format!("{}:{}", url.host_str()?, url.port_or_known_default()?))
}
