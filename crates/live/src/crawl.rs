//! The line of a page in reality: next, fetch, ingest, settle, against the wall clock.

use crate::{
    archivist::{self, Desk, Reply},
    client::{Answer, Ask, Client, Jar},
    clock,
};
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
/// Timers tell whole milliseconds.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

/// Something a person may want to see. Visits are told only once they are on disk.
#[derive(Debug)]
pub enum News<'a> {
    Reported { observation: &'a Observation, progress: Progress },
    Waiting { until: Time, why: Wait, progress: Progress },
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

/// Crawls sites side by side until all are done or `stop` turns true.
pub async fn crawl(
    sites: Vec<(Session, Capture)>,
    client: &Client,
    stop: watch::Receiver<bool>,
    news: impl Fn(usize, News<'_>),
) -> Vec<Ended> {
    let (sessions, captures): (Vec<Session>, Vec<Capture>) = sites.into_iter().unzip();
    let (desks, thread) = archivist::start(captures);
    let crawls = sessions.into_iter().zip(desks).enumerate().map(|(number, (session, desk))| {
        let site = SiteCrawl::new(session, desk, client.clone(), stop.clone());
        let news = &news;
        site.run(move |item: News<'_>| news(number, item))
    });
    let ended = futures_util::future::join_all(crawls).await;
    // All desks are gone, so the thread has nothing left to wait for.
    thread.join().expect("the archivist reports failures instead of panicking");
    ended
}

struct SiteCrawl {
    session: Session,
    desk: Desk,
    client: Client,
    stop: watch::Receiver<bool>,
    jar: Jar,
    /// Hosts a person named: they may lie in private space.
    named_hosts: HashSet<String>,
    fetches: JoinSet<(Request, Answer)>,
    /// Observed but not yet on disk.
    unreported: VecDeque<Observation>,
    reported: u64,
}

impl SiteCrawl {
    fn new(session: Session, desk: Desk, client: Client, stop: watch::Receiver<bool>) -> SiteCrawl {
        let named_hosts = session.settings().seeds.iter().filter_map(|seed| host_of(seed)).collect();
        SiteCrawl {
            session,
            desk,
            client,
            stop,
            jar: Jar::default(),
            named_hosts,
            fetches: JoinSet::new(),
            unreported: VecDeque::new(),
            reported: 0,
        }
    }

    async fn run(mut self, news: impl Fn(News<'_>)) -> Ended {
        match self.go(&news).await {
            Err(error) => Ended { session: self.session, ending: None, error: Some(error) },
            Ok(ending) => {
                // A site that stopped answering may answer tomorrow: its capture stays open.
                let over = ending.filter(|ending| *ending != Ending::Unreachable);
                let line = over.map(|ending| self.session.end(ending));
                let error = self.close(line, &news).await.err();
                Ended { session: self.session, ending, error }
            }
        }
    }

    /// The loop. `None`: a person stopped it.
    async fn go(&mut self, news: &impl Fn(News<'_>)) -> Result<Option<Ending>, Error> {
        loop {
            let stopping = *self.stop.borrow();
            let pause = match self.issue_all(stopping)? {
                Step::Done => return Ok(Some(self.session.ending())),
                _ if stopping && self.fetches.is_empty() && self.all_settled() => return Ok(None),
                Step::WaitUntil(until) if !stopping => {
                    let progress = self.session.progress();
                    news(News::Waiting { until, why: self.session.waiting_for(), progress });
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
            match self.session.next(clock::now()) {
                Step::Fetch(request) => {
                    let decision = self.session.last_decision().expect("a fetch was decided").clone();
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
        ask.validators = self.session.validators(&request)?;
        ask.body_bytes_max = (request.purpose == Purpose::Robots).then_some(ROBOTS_BYTES_MAX).or(ask.body_bytes_max);
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
                self.session.settle(&observation);
                self.unreported.push_back(Observation { links: Default::default(), ..*observation });
            }
            Reply::Committed(visits) => {
                let progress = self.session.progress();
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
        self.session.progress().in_flight == 0
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
