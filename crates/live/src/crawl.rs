//! The line of a page in reality: next, fetch, ingest, settle, against the wall clock.

use crate::{
    archivist::{self, Desk, Reply},
    client::{Answer, Ask, Client, Jar},
    clock,
};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    time::Duration,
};
use tintype_archive::{Capture, Error, History};
use tintype_plan::{Ending, Progress, Scheduler, Step, Wait};
use tintype_vocab::{Observation, PageUrl, Purpose, Request, Time, Validators, Visit};
use tokio::{sync::watch, task::JoinSet, time::sleep};

/// robots.txt beyond its limit is not read, so it need not be fetched.
const ROBOTS_BYTES_MAX: u64 = 1 << 20;
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
pub enum News<'a> {
    Reported { observation: &'a Observation, progress: Progress },
    Waiting { until: Time, why: Wait, progress: Progress },
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

/// Crawls sites side by side until all are done or `stop` turns true. `end` makes the closing entry of a capture's log.
pub async fn crawl(
    sites: Vec<Site>,
    client: &Client,
    stop: watch::Receiver<bool>,
    end: impl Fn(&Scheduler, Ending) -> serde_json::Value,
    news: impl Fn(usize, News<'_>),
) -> Vec<Ended> {
    let (mut captures, mut rest) = (Vec::new(), Vec::new());
    for site in sites {
        captures.push(site.capture);
        rest.push((site.scheduler, site.history, site.offered));
    }
    let (desks, thread) = archivist::start(captures);
    let crawls = rest.into_iter().zip(desks).enumerate().map(|(number, ((scheduler, history, offered), desk))| {
        let site = SiteCrawl::new(scheduler, history, offered, desk, client.clone(), stop.clone());
        let (end, news) = (&end, &news);
        site.run(end, move |item: News<'_>| news(number, item))
    });
    let ended = futures_util::future::join_all(crawls).await;
    // All desks are gone, so the thread has nothing left to wait for.
    thread.join().expect("the archivist reports failures instead of panicking");
    ended
}

struct SiteCrawl {
    scheduler: Scheduler,
    history: History,
    desk: Desk,
    client: Client,
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

impl SiteCrawl {
    fn new(
        scheduler: Scheduler,
        history: History,
        offered: Offered,
        desk: Desk,
        client: Client,
        stop: watch::Receiver<bool>,
    ) -> SiteCrawl {
        let named_hosts = scheduler.settings().seeds.iter().filter_map(|seed| host_of(seed)).collect();
        SiteCrawl {
            scheduler,
            history,
            desk,
            client,
            stop,
            jar: Jar::default(),
            named_hosts,
            fetches: JoinSet::new(),
            offered,
            unreported: VecDeque::new(),
            reported: 0,
        }
    }

    async fn run(mut self, end: &impl Fn(&Scheduler, Ending) -> serde_json::Value, news: impl Fn(News<'_>)) -> Ended {
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
    async fn go(&mut self, news: &impl Fn(News<'_>)) -> Result<Option<Ending>, Error> {
        loop {
            let stopping = *self.stop.borrow();
            let pause = match self.issue_all(stopping)? {
                Step::Done => return Ok(Some(self.scheduler.ending())),
                _ if stopping && self.fetches.is_empty() && self.all_settled() => return Ok(None),
                Step::WaitUntil(until) if !stopping => {
                    let progress = self.scheduler.progress();
                    news(News::Waiting { until, why: self.scheduler.waiting_for(), progress });
                    Some(until)
                }
                _ => None,
            };
            tokio::select! {
                Some(fetched) = self.fetches.join_next() => self.take(fetched.expect("a fetch never panics")),
                reply = self.desk.replies.recv() => self.settle(reply.expect("the archivist outlives the crawl"), news)?,
                () = wait_until(pause) => {}
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
            match self.scheduler.next(clock::now()) {
                Step::Fetch(request) => {
                    let decision = self.scheduler.last_decision().expect("a fetch was decided").clone();
                    self.desk.decide(decision);
                    self.send(request)?;
                }
                step => return Ok(step),
            }
        }
    }

    fn send(&mut self, request: Request) -> Result<(), Error> {
        let mut ask = Ask::new(request.url.clone());
        ask.private_allowed = host_of(&request.url).is_some_and(|host| self.named_hosts.contains(&host));
        ask.jar = Some(self.jar.clone());
        match request.purpose {
            Purpose::Robots => ask.body_bytes_max = Some(ROBOTS_BYTES_MAX),
            Purpose::Revisit => ask.validators = self.offered.take(&request.url),
            Purpose::Visit | Purpose::Probe => {
                ask.validators = self.history.validators(&PageUrl::new(&request.url))?.unwrap_or_default();
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

    fn settle(&mut self, reply: Reply, news: &impl Fn(News<'_>)) -> Result<(), Error> {
        match reply {
            Reply::Observed(observation) => {
                if self.scheduler.settings().revisit {
                    self.offered.keep(&observation);
                }
                self.scheduler.settle(&observation);
                self.unreported.push_back(Observation { links: Default::default(), ..*observation });
            }
            Reply::Committed(visits) => {
                let progress = self.scheduler.progress();
                while self.reported < visits {
                    self.reported += 1;
                    if let Some(observation) = self.unreported.pop_front() {
                        news(News::Reported { observation: &observation, progress });
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

    async fn close(&mut self, end: Option<serde_json::Value>, news: &impl Fn(News<'_>)) -> Result<(), Error> {
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
