//! The line of a page in reality: next, fetch, ingest, settle, against the wall clock.

use crate::{
    archivist::{self, Reply, WriterHandle},
    client::{Answer, Ask, Client, Jar},
    clock,
    hosts::Hosts,
    keeper::Keeper,
};
use futures_util::{StreamExt, stream::FuturesUnordered};
use std::{
    collections::{HashSet, VecDeque},
    time::Duration,
};
use tintype_archive::{Capture, Error};
use tintype_plan::{Ending, Progress, Step, Wait};
use tintype_session::Session;
use tintype_vocab::{Observation, Purpose, Request, Time, Visit};
use tokio::{sync::watch, task::JoinSet, time::sleep};

/// robots.txt beyond its limit is not read, so it need not be fetched.
const ROBOTS_BYTES_MAX: u64 = 1 << 20;
/// Sites crawled side by side; when one ends, the next begins.
const SITES_AT_ONCE: usize = 64;
/// Timers tell whole milliseconds.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

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
}

/// How the crawl of one site ended.
#[derive(Debug)]
pub struct Ended {
    pub session: Session,
    /// `None`: a person stopped it, and it can be resumed.
    pub ending: Option<Ending>,
    /// We failed, not the web.
    pub error: Option<Error>,
}

/// Crawls sites until all are done or `stop` turns true: some side by side, and whenever one ends the next one is taken
/// from `sites`. `events` and `ended` are told the number of the site.
pub async fn crawl(
    mut sites: impl Iterator<Item = (Session, Capture)>,
    client: &Client,
    hosts: &Hosts,
    stop: watch::Receiver<bool>,
    events: impl Fn(usize, CrawlEvent<'_>),
    mut ended: impl FnMut(usize, Ended),
) {
    let (mut writer, thread) = archivist::start();
    let mut running = FuturesUnordered::new();
    for number in 0.. {
        if running.len() >= SITES_AT_ONCE
            && let Some((number, over)) = running.next().await
        {
            ended(number, over);
        }
        let Some(site) = (!*stop.borrow()).then(|| sites.next()).flatten() else { break };
        let events = &events;
        let site = SiteCrawl::new(site, &mut writer, client.clone(), hosts, stop.clone());
        running.push(async move {
            let over = site.run(move |event: CrawlEvent<'_>| events(number, event)).await;
            (number, over)
        });
    }
    while let Some((number, over)) = running.next().await {
        ended(number, over);
    }
    // All handles are gone, so the thread has nothing left to wait for.
    drop(writer);
    thread.join().expect("the archivist reports failures instead of panicking");
}

struct SiteCrawl<'a> {
    session: Session,
    writer: WriterHandle,
    client: Client,
    hosts: &'a Hosts,
    resolutions: watch::Receiver<u64>,
    stop: watch::Receiver<bool>,
    jar: Jar,
    /// Hosts a person named: they may lie in private space.
    named_hosts: HashSet<String>,
    fetches: JoinSet<(Request, Answer)>,
    /// Handed to the archivist and not yet observed.
    unsettled: usize,
    keeper: Keeper,
    /// Observed but not yet on disk.
    unreported: VecDeque<Observation>,
    reported: u64,
}

impl<'a> SiteCrawl<'a> {
    fn new(
        (mut session, capture): (Session, Capture),
        writer: &mut archivist::Writer,
        client: Client,
        hosts: &'a Hosts,
        stop: watch::Receiver<bool>,
    ) -> SiteCrawl<'a> {
        let named_hosts = session.settings().all_seeds().filter_map(|seed| host_of(seed)).collect();
        session.share_hosts(hosts.shared(), clock::steady());
        let keeper = Keeper::new(&capture);
        SiteCrawl {
            session,
            writer: writer.open(capture),
            client,
            hosts,
            resolutions: hosts.resolutions(),
            stop,
            jar: Jar::default(),
            named_hosts,
            fetches: JoinSet::new(),
            unsettled: 0,
            keeper,
            unreported: VecDeque::new(),
            reported: 0,
        }
    }

    async fn run(mut self, events: impl Fn(CrawlEvent<'_>)) -> Ended {
        match self.go(&events).await {
            Err(error) => Ended { session: self.session, ending: None, error: Some(error) },
            Ok(ending) => {
                // A site that stopped answering may answer tomorrow: its capture stays open.
                let over = ending.filter(|ending| *ending != Ending::Unreachable);
                let line = over.map(|ending| self.session.end(ending));
                if line.is_none()
                    && let Err(error) = self.checkpoint()
                {
                    return Ended { session: self.session, ending, error: Some(error) };
                }
                let error = self.close(line, &events).await.err();
                Ended { session: self.session, ending, error }
            }
        }
    }

    /// The loop. `None`: a person stopped it.
    async fn go(&mut self, events: &impl Fn(CrawlEvent<'_>)) -> Result<Option<Ending>, Error> {
        loop {
            let stopping = *self.stop.borrow();
            if self.keeper.is_due() && self.unsettled == 0 {
                self.checkpoint()?;
            }
            let pause = match self.issue_all(stopping)? {
                Step::Done => return Ok(Some(self.session.ending())),
                _ if stopping && self.fetches.is_empty() && self.all_settled() => return Ok(None),
                Step::WaitUntil(until) if !stopping => {
                    let (progress, host) = (self.session.progress(), self.session.waiting_host());
                    events(CrawlEvent::Waiting { until, why: self.session.waiting_for(), host, progress });
                    Some(until)
                }
                _ => None,
            };
            // What comes in meanwhile waits, so that there is a moment at which log and session know the same.
            let may_take = !self.keeper.is_due() || self.unsettled == 0;
            tokio::select! {
                Some(fetched) = self.fetches.join_next(), if may_take => self.take(fetched.expect("a fetch never panics")),
                reply = self.writer.replies.recv() => self.settle(reply.expect("the archivist outlives the crawl"), events)?,
                () = wait_until(pause) => {}
                // A name that some site waited for leads somewhere now.
                _ = self.resolutions.changed() => {}
                _ = self.stop.changed(), if !stopping => {}
            }
        }
    }

    /// Sends every request that may be sent now; what to do after the last.
    fn issue_all(&mut self, stopping: bool) -> Result<Step, Error> {
        if stopping {
            return Ok(Step::Idle);
        }
        loop {
            let now = self.read_clocks();
            let step = self.session.next(now);
            self.hosts.resolve(&self.client);
            self.hosts.keep()?;
            match step {
                Step::Fetch(request) => {
                    let decision = self.session.last_decision().expect("a fetch was decided").clone();
                    self.writer.decide(decision);
                    self.send(request)?;
                }
                step => return Ok(step),
            }
        }
    }

    /// The clock on the wall, after telling the scheduler how far it is from the steady one.
    fn read_clocks(&mut self) -> Time {
        let clock::ClockReading { now, ahead } = clock::reading();
        self.session.clock_was_set(ahead);
        now
    }

    fn send(&mut self, request: Request) -> Result<(), Error> {
        let mut ask = Ask::new(request.url.clone());
        ask.private_allowed = host_of(&request.url).is_some_and(|host| self.named_hosts.contains(&host));
        ask.jar = Some(self.jar.clone());
        ask.validators = self.session.validators(&request)?;
        if request.purpose == Purpose::Robots {
            ask.body_bytes_max = Some(ROBOTS_BYTES_MAX);
        }
        let client = self.client.clone();
        self.fetches.spawn(async move {
            let answer = client.fetch(ask).await;
            (request, answer)
        });
        Ok(())
    }

    fn take(&mut self, (request, answer): (Request, Answer)) {
        let Answer { outcome, exchange, asked, answered, note } = answer;
        self.unsettled += 1;
        self.writer.ingest(Visit { request, asked, answered, outcome }, exchange, note);
    }

    fn settle(&mut self, reply: Reply, events: &impl Fn(CrawlEvent<'_>)) -> Result<(), Error> {
        match reply {
            Reply::Observed(observation) => {
                self.unsettled -= 1;
                self.read_clocks();
                self.session.settle(&observation);
                self.hosts.keep()?;
                self.unreported.push_back(Observation { links: Default::default(), ..*observation });
            }
            Reply::Committed { visits, wants_checkpoint } => {
                self.keeper.hear(wants_checkpoint);
                let progress = self.session.progress();
                while self.reported < visits {
                    self.reported += 1;
                    if let Some(observation) = self.unreported.pop_front() {
                        events(CrawlEvent::Reported { observation: &observation, progress });
                    }
                }
            }
            Reply::Closed => {}
            Reply::Failed(error) => return Err(error),
        }
        Ok(())
    }

    /// Keeps what a later run goes on from. Log and session know the same: everything decided was handed over, and
    /// everything handed over was settled.
    fn checkpoint(&mut self) -> Result<(), Error> {
        if let Some(checkpoint) = self.keeper.gather(&self.session)? {
            self.writer.checkpoint(checkpoint);
        }
        Ok(())
    }

    fn all_settled(&self) -> bool {
        self.session.progress().in_flight == 0
    }

    async fn close(&mut self, end: Option<serde_json::Value>, events: &impl Fn(CrawlEvent<'_>)) -> Result<(), Error> {
        self.writer.close(end);
        while let Some(reply) = self.writer.replies.recv().await {
            if matches!(reply, Reply::Closed) {
                break;
            }
            self.settle(reply, events)?;
        }
        Ok(())
    }
}

/// Sleeps until a moment, or for ever.
async fn wait_until(until: Option<Time>) {
    match until {
        None => std::future::pending().await,
        Some(until) => {
            let wait = clock::wall(until - clock::now());
            sleep(wait.max(SHORTEST_WAIT)).await;
        }
    }
}

fn host_of(url: &str) -> Option<String> {
    url::Url::parse(url).ok()?.host_str().map(str::to_owned)
}
