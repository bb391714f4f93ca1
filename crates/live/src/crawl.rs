//! The line of a page in reality: next, fetch, ingest, settle, against the wall clock.
//!
//! One loop for all sites of a process. An [`Agenda`] says which sites begin when, a [`Keeper`] which of them may ask next,
//! their sessions what for.

mod agenda;
mod building;
mod site;

pub use agenda::{Agenda, Begin, CrawlEvent, Ended, Next};
pub(crate) use building::RecallFor;

use crate::{
    archivist::{self, Replies, Reply, Writer},
    client::{Answer, Client},
    clock,
    hosts::Hosts,
    render::RenderEvent,
};
use building::{Building, DonePage};
use site::SiteCrawl;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};
use tintype_archive::Error;
use tintype_plan::{Bid, Ending, Keeper, KeptSites, Step, Turn};
use tintype_vocab::{Purpose, Request, Span, Time, Why};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{Instant, sleep, sleep_until},
};

/// Timers tell whole milliseconds.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);
/// Machines sleep and clocks are set: no wait is longer without a look at the clock.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Who stops waits no longer than this for what is under way: it is asked for again when the capture goes on.
const GRACE: Duration = Duration::from_secs(3);

/// A clock that is off by less was not set, but follows a time server.
const CLOCK_SET_BY: Span = Span::from_millis(100);

/// Crawls the sites of an agenda until it is over or `stop` turns true.
pub async fn crawl(
    agenda: &mut impl Agenda,
    keeper: Keeper,
    client: &Client,
    hosts: &Hosts,
    stop: watch::Receiver<bool>,
) {
    let (writer, replies, thread) = archivist::start();
    let crawl = Crawl {
        agenda,
        keeper,
        client,
        hosts,
        stop,
        writer,
        replies,
        fetches: JoinSet::new(),
        running: Running { sites: BTreeMap::new(), stopping: BTreeSet::new(), events: Vec::new(), ahead: Span::ZERO },
        by_capture: BTreeMap::new(),
        building: Building::default(),
    };
    crawl.run().await;
    // All handles are gone, so the thread has nothing left to wait for.
    thread.join().expect("the archivist reports failures instead of panicking");
}

struct Crawl<'a, A> {
    agenda: &'a mut A,
    keeper: Keeper,
    client: &'a Client,
    hosts: &'a Hosts,
    stop: watch::Receiver<bool>,
    writer: Writer,
    replies: Replies,
    /// The site's capture, the request and its answer.
    fetches: JoinSet<(usize, Request, Answer)>,
    running: Running,
    /// The site of every capture the archivist knows of.
    by_capture: BTreeMap<usize, usize>,
    building: Building,
}

/// The sites under way, by the keeper's numbers.
struct Running {
    sites: BTreeMap<usize, SiteCrawl>,
    /// Those that ask for nothing more.
    stopping: BTreeSet<usize>,
    /// Sites that were told to wait since the agenda was last told.
    events: Vec<(usize, Time)>,
    /// By how much the clock on the wall is ahead of the steady one.
    ahead: Span,
}

impl Running {
    fn stop(&mut self, number: usize) {
        let sites = self.sites.iter().filter(|(_, crawl)| crawl.number == number);
        self.stopping.extend(sites.map(|(site, _)| *site));
    }

    fn stop_all(&mut self) {
        self.stopping.extend(self.sites.keys());
    }

    /// Everything that was answered is observed.
    fn is_settled(&self) -> bool {
        self.sites.values().all(SiteCrawl::is_settled)
    }

    /// Sites that are stopped end as soon as what they asked for has been stored.
    fn close_settled(&mut self, is_abandoned: bool) {
        for site in &self.stopping {
            let Some(crawl) = self.sites.get_mut(site) else { continue };
            if (is_abandoned || crawl.session.progress().in_flight == 0) && !crawl.is_closing() {
                crawl.close(crawl.shortage.map(|_| Ending::DiskLow));
            }
        }
    }
}

impl KeptSites for Running {
    fn ask(&mut self, site: usize, now: Time) -> Step {
        let crawl = self.sites.get_mut(&site).expect("a kept site is under way");
        crawl.session.clock_was_set(self.ahead);
        let is_ending = self.stopping.contains(&site) || crawl.is_closing();
        let step = if is_ending { Step::Idle } else { crawl.session.next(now) };
        if let Step::WaitUntil(until) = step {
            self.events.push((site, until));
        }
        step
    }

    fn bid(&self, site: usize, now: Time) -> Bid {
        self.sites[&site].session.bid(now)
    }
}

/// What ends a pause.
enum Woken {
    Fetched(Box<(usize, Request, Answer)>),
    Replied(usize, Reply),
    Rendered(RenderEvent),
    Resolved,
    Time,
    Stopped,
}

impl<A: Agenda> Crawl<'_, A> {
    async fn run(mut self) {
        let mut resolutions = self.hosts.resolutions();
        let mut give_up_at: Option<Instant> = None;
        loop {
            let stopping = *self.stop.borrow();
            let mut until = None;
            let mut is_abandoned = false;
            if stopping {
                self.running.stop_all();
                is_abandoned = Instant::now() >= *give_up_at.get_or_insert_with(|| Instant::now() + GRACE);
                if is_abandoned {
                    self.fetches.abort_all();
                }
            } else {
                until = self.begin_due();
            }
            self.let_browsers_end();
            self.hand_out();
            self.running.close_settled(is_abandoned);
            if self.running.sites.is_empty() && until.is_none() {
                return;
            }
            match if stopping { Some(Turn::Idle) } else { self.issue_all() } {
                Some(Turn::WaitUntil(at, pause)) => {
                    if self.agenda.paused(at, pause) {
                        continue;
                    }
                    until = Some(until.map_or(at, |until: Time| until.min(at)));
                }
                Some(_) => {}
                // A site has failed: the agenda may have something else.
                None => continue,
            }
            // Only a clock that goes in steps waits for that.
            let is_busy = clock::goes_in_steps() && !(self.fetches.is_empty() && self.running.is_settled());
            let woken = tokio::select! {
                Some(fetched) = self.fetches.join_next() => match fetched {
                    Ok(fetched) => Woken::Fetched(Box::new(fetched)),
                    Err(error) => {
                        assert!(error.is_cancelled(), "a fetch never panics");
                        Woken::Time
                    }
                },
                Some((capture, reply)) = self.replies.recv() => Woken::Replied(capture, reply),
                event = self.building.next_event() => Woken::Rendered(event),
                () = wait_until(until, is_busy) => Woken::Time,
                // A name that some site waited for leads somewhere now.
                _ = resolutions.changed() => Woken::Resolved,
                () = sleep_until(give_up_at.unwrap_or_else(Instant::now)), if stopping && !is_abandoned => Woken::Time,
                _ = self.stop.changed(), if !stopping => Woken::Stopped,
            };
            match woken {
                Woken::Fetched(fetched) => self.take(*fetched),
                Woken::Replied(capture, reply) => self.settle(capture, reply),
                Woken::Rendered(event) => self.hear(event),
                Woken::Resolved => self.keeper.touch_all(),
                Woken::Time | Woken::Stopped => {}
            }
        }
    }

    /// Begins what the agenda has now. When it wants to be asked again, if it says so.
    fn begin_due(&mut self) -> Option<Time> {
        loop {
            match self.agenda.next(clock::now(), self.running.sites.len()) {
                Next::Begin(begin) => self.begin(*begin),
                Next::End(number) => self.running.stop(number),
                Next::At(at) => return Some(at),
                Next::WhenOneEnds => return None,
            }
        }
    }

    fn begin(&mut self, begin: Begin) {
        let Begin { number, mut session, capture, terms } = begin;
        session.share_hosts(self.hosts.shared(), clock::steady());
        let spool = capture.spool_directory();
        let writer = self.writer.open(capture);
        let site = self.keeper.add(terms);
        self.by_capture.insert(writer.number(), site);
        self.running.sites.insert(site, SiteCrawl::new(number, session, writer, spool));
    }

    /// Sends every request that may be sent now; what to do after the last. Nothing if a site is no longer under way.
    fn issue_all(&mut self) -> Option<Turn> {
        loop {
            let now = self.read_clocks();
            let turn = self.keeper.next(now, &mut self.running);
            self.hosts.resolve(self.client);
            self.tell_waits();
            self.tell_refused();
            match turn {
                Turn::Fetch(site, request) => {
                    if let Err(error) = self.hosts.keep().and_then(|()| self.send(site, request)) {
                        self.fail(site, error);
                        return None;
                    }
                }
                Turn::Over(site) => {
                    let ending = self.running.sites[&site].session.ending();
                    self.close(site, Some(ending));
                }
                turn => return Some(turn),
            }
        }
    }

    /// The clock on the wall. When it was set, moments that sites wait for are other ones.
    fn read_clocks(&mut self) -> Time {
        let clock::ClockReading { now, ahead } = clock::reading();
        let before = std::mem::replace(&mut self.running.ahead, ahead);
        if (ahead.as_millis() - before.as_millis()).abs() > CLOCK_SET_BY.as_millis() {
            self.keeper.touch_all();
        }
        now
    }

    fn send(&mut self, site: usize, request: Request) -> Result<(), Error> {
        let crawl = self.running.sites.get_mut(&site).expect("a site that asks is under way");
        let mut ask = crawl.ask(&request)?;
        let is_new = crawl.session.last_wish_is_new();
        if crawl.session.last_decision().is_some_and(|decision| decision.why == Why::Rendered) {
            ask.headers = self.building.sent(crawl.writer.number(), &request.url, is_new);
        }
        let (client, capture) = (self.client.clone(), crawl.writer.number());
        self.fetches.spawn(async move {
            let answer = client.fetch(ask).await;
            (capture, request, answer)
        });
        Ok(())
    }

    fn tell_waits(&mut self) {
        for (site, until) in std::mem::take(&mut self.running.events) {
            if let Some(crawl) = self.running.sites.get(&site) {
                self.agenda.event(crawl.number, crawl.waiting(until));
            }
        }
    }

    /// An answer goes to the archivist; of a site that has failed meanwhile it is lost, and asked for again by a later run.
    fn take(&mut self, (capture, request, mut answer): (usize, Request, Answer)) {
        let Some(&site) = self.by_capture.get(&capture) else { return };
        let is_ending = self.running.stopping.contains(&site);
        let Some(crawl) = self.running.sites.get_mut(&site) else { return };
        self.building.answered(crawl, &request, &mut answer);
        if !is_ending && self.building.wants(crawl, &request, &mut answer) {
            self.building.begin(crawl, request, answer);
            self.keeper.touch(site);
        } else {
            crawl.ingest(request, answer, None);
        }
    }

    /// What a browser says.
    fn hear(&mut self, event: RenderEvent) {
        match event {
            RenderEvent::Asked { slot, order, token, request } => {
                let site = self.building.capture_of(order).and_then(|capture| self.by_capture.get(&capture).copied());
                let site = site.filter(|site| !self.running.stopping.contains(site));
                let crawl = site.and_then(|site| self.running.sites.get_mut(&site)).filter(|crawl| !crawl.is_closing());
                self.building.asked(crawl, (slot, order, token), request);
                site.into_iter().for_each(|site| self.keeper.touch(site));
            }
            RenderEvent::Done { slot, order, built } => {
                let site = self.building.capture_of(order).and_then(|capture| self.by_capture.get(&capture).copied());
                let (done, forgotten) = self.building.is_done(slot, order, *built);
                if let Some(crawl) = site.and_then(|site| self.running.sites.get_mut(&site)) {
                    forgotten.iter().for_each(|url| crawl.session.forget_wanted(url));
                }
                self.take_built(done);
            }
        }
    }

    fn take_built(&mut self, done: Option<DonePage>) {
        let Some(DonePage { capture, request, answer, rendering }) = done else { return };
        if let Some(crawl) = self.by_capture.get(&capture).and_then(|site| self.running.sites.get_mut(site)) {
            crawl.ingest(request, answer, rendering);
        }
    }

    /// Browsers that have nothing to do take pages that wait; those that need no browser after all are taken in.
    fn hand_out(&mut self) {
        if !self.building.is_under_way() {
            return;
        }
        let (by_capture, sites) = (&self.by_capture, &mut self.running.sites);
        let kept = self.building.hand_out(by_capture, sites);
        kept.into_iter().for_each(|page| self.take_built(Some(page)));
    }

    /// Browsers hear of what is not asked for after all.
    fn tell_refused(&mut self) {
        if !self.building.is_under_way() {
            return;
        }
        for crawl in self.running.sites.values_mut() {
            for (url, _) in crawl.session.take_refused() {
                self.building.refused(crawl.writer.number(), &url);
            }
        }
    }

    /// Sites that ask for nothing more answer no browser any more.
    fn let_browsers_end(&mut self) {
        for site in &self.running.stopping {
            if let Some(crawl) = self.running.sites.get(site) {
                self.building.give_up(crawl.writer.number());
            }
        }
    }

    fn settle(&mut self, capture: usize, reply: Reply) {
        let Some(&site) = self.by_capture.get(&capture) else { return };
        let crawl = self.running.sites.get_mut(&site).expect("a capture's site is under way");
        match reply {
            Reply::Observed(observation) => {
                crawl.session.clock_was_set(clock::reading().ahead);
                if observation.purpose != Purpose::Robots {
                    self.keeper.spend_bytes(site, observation.bytes, clock::now());
                }
                crawl.observed(*observation);
                let number = crawl.number;
                if let Some(event) = crawl.upheaval() {
                    self.agenda.event(number, event);
                }
                self.keeper.touch(site);
                if let Err(error) = self.hosts.keep() {
                    self.fail(site, error);
                }
            }
            Reply::Committed { visits, wants_checkpoint } => {
                let (number, agenda) = (crawl.number, &mut *self.agenda);
                crawl.committed(visits, |event| agenda.event(number, event));
                crawl.keep_checkpoint(wants_checkpoint);
            }
            Reply::Recalled(what, held) => {
                let done = self.building.recalled(what, held.map(|held| *held));
                self.take_built(done);
            }
            Reply::DiskLow(shortage) => {
                crawl.shortage = Some(shortage);
                self.running.stopping.insert(site);
            }
            Reply::Closed => self.end(site, None),
            Reply::Failed(error) => self.fail(site, error),
        }
    }

    /// The site has come to its end, or is left open for a later run to resume.
    fn close(&mut self, site: usize, ending: Option<Ending>) {
        let crawl = self.running.sites.get_mut(&site).expect("a site that ends is under way");
        crawl.close(ending);
    }

    fn fail(&mut self, site: usize, error: Error) {
        self.end(site, Some(error));
    }

    fn end(&mut self, site: usize, error: Option<Error>) {
        let Some(crawl) = self.running.sites.remove(&site) else { return };
        self.running.stopping.remove(&site);
        self.keeper.remove(site);
        self.by_capture.remove(&crawl.writer.number());
        self.building.forget(crawl.writer.number());
        let (number, ended) = crawl.end(error);
        self.agenda.ended(number, ended);
    }
}

/// Sleeps until a moment, or for ever. A clock that goes in steps waits for what is under way.
async fn wait_until(until: Option<Time>, is_busy: bool) {
    match until {
        None => std::future::pending().await,
        Some(_) if is_busy => std::future::pending().await,
        Some(until) if clock::goes_in_steps() => {
            sleep(clock::wall(until - clock::now()).min(LONGEST_WAIT)).await;
            clock::pass(until);
        }
        Some(until) => {
            let wait = clock::wall(until - clock::now());
            sleep(wait.clamp(SHORTEST_WAIT, LONGEST_WAIT)).await;
        }
    }
}
