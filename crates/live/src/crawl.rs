//! The line of a page in reality: next, fetch, ingest, settle, against the wall clock.

use crate::{
    archivist::{self, Reply, WriterHandle},
    client::{Answer, Ask, Client, Jar},
    clock,
    hosts::Hosts,
};
use futures_util::{StreamExt, stream::FuturesUnordered};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    time::Duration,
};
use tintype_archive::{Capture, Error, History};
use tintype_plan::{Ending, Progress, Scheduler, Step, Wait};
use tintype_vocab::{Observation, Purpose, Request, Time, UrlKey, Validators, Visit};
use tokio::{sync::watch, task::JoinSet, time::sleep};

/// robots.txt beyond its limit is not read, so it need not be fetched.
const ROBOTS_BYTES_MAX: u64 = 1 << 20;
/// Sites crawled side by side; when one ends, the next begins.
const SITES_AT_ONCE: usize = 64;
/// Timers tell whole milliseconds.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

/// One site about to be crawled.
#[derive(Debug)]
pub struct Site {
    pub scheduler: Scheduler,
    pub capture: Capture,
    pub history: History,
    /// From the part of the capture that is being resumed.
    pub offered: Offered,
}

/// What to ask with whether a page changed since its last visit in this capture, by URL. Only kept where all pages are
/// revisited: a second look at a few asks for the whole page.
#[derive(Debug, Default)]
pub struct Offered(HashMap<String, Validators>);

impl Offered {
    /// Takes note of an answer: what it offers, or that it no longer offers anything.
    pub fn keep(&mut self, observation: &Observation) {
        if !observation.outcome.saw_page() || observation.purpose == Purpose::Robots {
            return;
        }
        if observation.validators.is_empty() {
            self.0.remove(&observation.url);
        } else {
            self.0.insert(observation.url.clone(), observation.validators.clone());
        }
    }

    /// A 304 need not repeat them, so they are taken out: the answer says what holds from then on.
    fn take(&mut self, url: &str) -> Validators {
        self.0.remove(url).unwrap_or_default()
    }
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
}

/// How the crawl of one site ended.
#[derive(Debug)]
pub struct Ended {
    pub scheduler: Scheduler,
    /// `None`: a person stopped it, and it can be resumed.
    pub ending: Option<Ending>,
    /// We failed, not the web.
    pub error: Option<Error>,
}

/// Crawls sites until all are done or `stop` turns true: some side by side, and whenever one ends the next one is taken
/// from `sites`. `end` makes the closing entry of a capture's log; `events` and `ended` are told the number of the site.
pub async fn crawl(
    mut sites: impl Iterator<Item = Site>,
    client: &Client,
    hosts: &Hosts,
    stop: watch::Receiver<bool>,
    end: impl Fn(&Scheduler, Ending) -> serde_json::Value,
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
        let (end, events) = (&end, &events);
        let site = SiteCrawl::new(site, &mut writer, client.clone(), hosts, stop.clone());
        running.push(async move {
            let over = site.run(end, move |event: CrawlEvent<'_>| events(number, event)).await;
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
    scheduler: Scheduler,
    history: History,
    desk: WriterHandle,
    client: Client,
    hosts: &'a Hosts,
    resolutions: watch::Receiver<u64>,
    stop: watch::Receiver<bool>,
    jar: Jar,
    /// Hosts a person named: they may lie in private space.
    named_hosts: HashSet<String>,
    fetches: JoinSet<(Request, Answer)>,
    offered: Offered,
    /// Observed but not yet on disk.
    unreported: VecDeque<Observation>,
    reported: u64,
}

impl<'a> SiteCrawl<'a> {
    fn new(
        site: Site,
        writer: &mut archivist::Writer,
        client: Client,
        hosts: &'a Hosts,
        stop: watch::Receiver<bool>,
    ) -> SiteCrawl<'a> {
        let Site { mut scheduler, capture, history, offered } = site;
        let named_hosts = scheduler.settings().all_seeds().filter_map(|seed| host_of(seed)).collect();
        scheduler.share_hosts(hosts.shared(), clock::steady());
        SiteCrawl {
            scheduler,
            history,
            desk: writer.open(capture),
            client,
            hosts,
            resolutions: hosts.resolutions(),
            stop,
            jar: Jar::default(),
            named_hosts,
            fetches: JoinSet::new(),
            offered,
            unreported: VecDeque::new(),
            reported: 0,
        }
    }

    async fn run(
        mut self,
        end: &impl Fn(&Scheduler, Ending) -> serde_json::Value,
        news: impl Fn(CrawlEvent<'_>),
    ) -> Ended {
        match self.go(&news).await {
            Err(error) => Ended { scheduler: self.scheduler, ending: None, error: Some(error) },
            Ok(ending) => {
                // A site that stopped answering may answer tomorrow: its capture stays open.
                let over = ending.filter(|ending| *ending != Ending::Unreachable);
                let line = over.map(|ending| end(&self.scheduler, ending));
                let error = self.close(line, &news).await.err();
                Ended { scheduler: self.scheduler, ending, error }
            }
        }
    }

    /// The loop. `None`: a person stopped it.
    async fn go(&mut self, news: &impl Fn(CrawlEvent<'_>)) -> Result<Option<Ending>, Error> {
        loop {
            let stopping = *self.stop.borrow();
            let pause = match self.issue_all(stopping)? {
                Step::Done => return Ok(Some(self.scheduler.ending())),
                _ if stopping && self.fetches.is_empty() && self.all_settled() => return Ok(None),
                Step::WaitUntil(until) if !stopping => {
                    let (progress, host) = (self.scheduler.progress(), self.scheduler.waiting_host());
                    news(CrawlEvent::Waiting { until, why: self.scheduler.waiting_for(), host, progress });
                    Some(until)
                }
                _ => None,
            };
            tokio::select! {
                Some(fetched) = self.fetches.join_next() => self.take(fetched.expect("a fetch never panics")),
                reply = self.desk.replies.recv() => self.settle(reply.expect("the archivist outlives the crawl"), news)?,
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
            let step = self.scheduler.next(now);
            self.hosts.resolve(&self.client);
            self.hosts.keep()?;
            match step {
                Step::Fetch(request) => {
                    let decision = self.scheduler.last_decision().expect("a fetch was decided").clone();
                    self.desk.decide(decision);
                    self.send(request)?;
                }
                step => return Ok(step),
            }
        }
    }

    /// The clock on the wall, after telling the scheduler how far it is from the steady one.
    fn read_clocks(&mut self) -> Time {
        let clock::Reading { now, ahead } = clock::reading();
        self.scheduler.clock_was_set(ahead);
        now
    }

    fn send(&mut self, request: Request) -> Result<(), Error> {
        let mut ask = Ask::new(request.url.clone());
        ask.private_allowed = host_of(&request.url).is_some_and(|host| self.named_hosts.contains(&host));
        ask.jar = Some(self.jar.clone());
        match request.purpose {
            Purpose::Robots => ask.body_bytes_max = Some(ROBOTS_BYTES_MAX),
            Purpose::Revisit => ask.validators = self.offered.take(&request.url),
            Purpose::Visit | Purpose::Probe => {
                ask.validators = self.history.validators(&UrlKey::of(&request.url))?.unwrap_or_default();
            }
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
        self.desk.ingest(Visit { request, asked, answered, outcome }, exchange, note);
    }

    fn settle(&mut self, reply: Reply, news: &impl Fn(CrawlEvent<'_>)) -> Result<(), Error> {
        match reply {
            Reply::Observed(observation) => {
                if self.scheduler.settings().revisit {
                    self.offered.keep(&observation);
                }
                self.read_clocks();
                self.scheduler.settle(&observation);
                self.hosts.keep()?;
                self.unreported.push_back(Observation { links: Default::default(), ..*observation });
            }
            Reply::Committed(visits) => {
                let progress = self.scheduler.progress();
                while self.reported < visits {
                    self.reported += 1;
                    if let Some(observation) = self.unreported.pop_front() {
                        news(CrawlEvent::Reported { observation: &observation, progress });
                    }
                }
            }
            Reply::Closed => {}
            Reply::Failed(error) => return Err(error),
        }
        Ok(())
    }

    fn all_settled(&self) -> bool {
        self.scheduler.progress().in_flight == 0
    }

    async fn close(&mut self, end: Option<serde_json::Value>, news: &impl Fn(CrawlEvent<'_>)) -> Result<(), Error> {
        self.desk.close(end);
        while let Some(reply) = self.desk.replies.recv().await {
            if matches!(reply, Reply::Closed) {
                break;
            }
            self.settle(reply, news)?;
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
