//! Many sites kept under one keeper while the clock jumps: the sessions, the archive and the keeper are those that `live` drives.
//!
//! Answers take their time, so several requests are under way at once; watching begins anew at midnight. Only sockets and
//! waiting are missing.

use crate::{
    Document,
    through::{exchange, location},
};
use std::collections::{BTreeMap, BTreeSet};
use tintype_archive::{Capture, CaptureKind, Collection};
use tintype_plan::{Bid, Ending, Keeper, KeptSites, Mode, SharedHosts, SiteTerms, Step, Turn, policy};
use tintype_session::{CollectionKnowledge, Error, Opened, Session, SiteSpec};
use tintype_vocab::{Failure, Observation, Outcome, Request, Span, Time, Visit};

/// What comes in within so much time is made to last together, as by `live`.
const GROUP: Span = Span::from_millis(200);
/// How soon a site is tried again that stopped answering.
const RETRY: Span = Span::from_secs(3600);

/// The sites that are kept, and who sees what happens.
pub trait KeptWeb {
    /// What the site answers now to who holds the version of this tag, if it can be reached, and how long that takes.
    fn answer(&mut self, site: usize, request: &Request, held: Option<&str>, now: Time) -> (Option<Document>, Span);

    /// A request leaves.
    fn asked(&mut self, _site: usize, _request: &Request, _now: Time) {}

    /// A visit is on disk.
    fn reported(&mut self, _site: usize, _seen: &Observation) {}
}

/// An answer on its way.
struct Answer {
    site: usize,
    request: Request,
    asked: Time,
    held: Option<String>,
    document: Option<Document>,
}

/// A site under way.
struct Stretch {
    /// Its number among all that are kept.
    nth: usize,
    session: Session,
    capture: Capture,
    unreported: Vec<Observation>,
}

/// Sites under way by the keeper's numbers.
#[derive(Default)]
struct UnderWay(BTreeMap<usize, Stretch>);

impl KeptSites for UnderWay {
    fn ask(&mut self, site: usize, now: Time) -> Step {
        self.0.get_mut(&site).expect("a kept site is under way").session.next(now)
    }

    fn bid(&self, site: usize, now: Time) -> Bid {
        self.0[&site].session.bid(now)
    }
}

/// Keeps sites of a collection in a made-up web.
pub struct Keeping<'c, W> {
    collection: &'c Collection,
    shared: CollectionKnowledge,
    sites: Vec<(SiteSpec, SiteTerms)>,
    keeper: Keeper,
    hosts: SharedHosts,
    pub web: W,
    under_way: UnderWay,
    /// Answers on their way, by when they come.
    answers: BTreeMap<(Time, u64), Answer>,
    /// Sites that stopped answering or have nothing left to watch, by when they are tried again.
    later: BTreeSet<(Time, usize)>,
    sent: u64,
    unsynced: BTreeSet<usize>,
    pub now: Time,
}

impl<W> std::fmt::Debug for Keeping<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeping").field("sites", &self.sites.len()).field("now", &self.now).finish_non_exhaustive()
    }
}

impl<'c, W: KeptWeb> Keeping<'c, W> {
    /// Opens every site at `now`: a whole capture of one that is new or was cut short in one, or else watching.
    pub fn begin(
        collection: &'c Collection,
        sites: Vec<(SiteSpec, SiteTerms)>,
        keeper: Keeper,
        web: W,
        now: Time,
    ) -> Result<Keeping<'c, W>, Error> {
        let shared = CollectionKnowledge::of(collection, false, &mut Vec::new())?;
        let count = sites.len();
        let mut keeping = Keeping {
            collection,
            shared,
            sites,
            keeper,
            hosts: SharedHosts::default(),
            web,
            under_way: UnderWay::default(),
            answers: BTreeMap::new(),
            later: BTreeSet::new(),
            sent: 0,
            unsynced: BTreeSet::new(),
            now,
        };
        (0..count).try_for_each(|nth| keeping.open(nth))?;
        Ok(keeping)
    }

    /// Goes on until a moment.
    pub fn run(&mut self, until: Time) -> Result<(), Error> {
        while self.now < until {
            self.take_answers()?;
            match self.keeper.next(self.now, &mut self.under_way) {
                Turn::Fetch(site, request) => self.send(site, request)?,
                Turn::Over(site) => self.end(site)?,
                Turn::WaitUntil(at, _) => self.pass(at.min(until))?,
                Turn::Idle => self.pass(until)?,
            }
        }
        Ok(())
    }

    /// Ends everything in order, when what is under way has come.
    pub fn finish(mut self) -> Result<W, Error> {
        self.wait_for_answers()?;
        let all: Vec<usize> = self.under_way.0.keys().copied().collect();
        all.into_iter().try_for_each(|site| self.close(site, false).map(drop))?;
        CollectionKnowledge::relearn(self.collection)?;
        Ok(self.web)
    }

    fn open(&mut self, nth: usize) -> Result<(), Error> {
        let (mut spec, mut terms) = self.sites[nth].clone();
        let marks = self.collection.marks_of(&spec.name)?;
        let is_whole = marks.iter().any(|mark| mark.has_ended || mark.kind == CaptureKind::Keep);
        if is_whole {
            spec.kind = CaptureKind::Keep;
            (spec.settings.mode, terms.endless) = (Mode::Kept, true);
            if policy::offered(policy::Use::Keep).all(|entry| entry.name != spec.settings.policy) {
                policy::CONTINUAL_DEFAULT.clone_into(&mut spec.settings.policy);
            }
        }
        let Opened { mut session, capture, .. } = Session::open(self.collection, &spec, &self.shared, self.now)?;
        session.share_hosts(self.hosts.clone(), self.now);
        let site = self.keeper.add(terms);
        self.under_way.0.insert(site, Stretch { nth, session, capture, unreported: Vec::new() });
        Ok(())
    }

    fn send(&mut self, site: usize, request: Request) -> Result<(), Error> {
        let stretch = self.under_way.0.get_mut(&site).expect("a site that asks is under way");
        stretch.capture.decide(stretch.session.last_decision().expect("a fetch was decided"))?;
        let held = stretch.session.validators(&request)?.etag;
        self.web.asked(stretch.nth, &request, self.now);
        let (document, took) = self.web.answer(stretch.nth, &request, held.as_deref(), self.now);
        self.answers.insert((self.now + took, self.sent), Answer { site, request, asked: self.now, held, document });
        self.sent += 1;
        Ok(())
    }

    fn take_answers(&mut self) -> Result<(), Error> {
        while let Some(first) = self.answers.first_entry().filter(|first| first.key().0 <= self.now) {
            let ((answered, _), Answer { site, request, asked, held, document }) = first.remove_entry();
            let stretch = self.under_way.0.get_mut(&site).expect("a site waits for its answers");
            let outcome = match &document {
                Some(document) => Outcome::of_status(document.status, location(document, "").as_deref(), None),
                None => Outcome::Failed { cause: Failure::Unreachable },
            };
            let exchange = document.map(|document| exchange(&request.url, held.as_deref(), document));
            let seen = stretch.capture.ingest(&Visit { request, asked, answered, outcome }, exchange, None)?;
            self.keeper.spend_bytes(site, seen.bytes, self.now);
            stretch.session.settle(&seen);
            stretch.unreported.push(seen);
            self.unsynced.insert(site);
            self.keeper.touch(site);
        }
        Ok(())
    }

    /// Nothing happens before `at` but what is under way and the end of the day.
    fn pass(&mut self, at: Time) -> Result<(), Error> {
        let midnight = self.now.midnight() + Span::from_days(1);
        let answer = self.answers.first_key_value().map_or(Time::MAX, |((at, _), _)| *at);
        let later = self.later.first().map_or(Time::MAX, |(at, _)| *at);
        let next = at.min(answer).min(midnight).min(later).max(self.now + Span::from_millis(1));
        if next - self.now >= GROUP {
            self.commit()?;
        }
        self.now = next;
        while let Some((_, nth)) = self.later.first().copied().filter(|(at, _)| *at <= next) {
            self.later.pop_first();
            self.open(nth)?;
        }
        if next == midnight { self.begin_day() } else { Ok(()) }
    }

    fn commit(&mut self) -> Result<(), Error> {
        for site in std::mem::take(&mut self.unsynced) {
            let stretch = self.under_way.0.get_mut(&site).expect("a site that wrote is under way");
            stretch.capture.commit()?;
            for seen in stretch.unreported.drain(..) {
                self.web.reported(stretch.nth, &seen);
            }
        }
        Ok(())
    }

    fn wait_for_answers(&mut self) -> Result<(), Error> {
        if let Some(((last, _), _)) = self.answers.last_key_value() {
            self.now = self.now.max(*last);
        }
        self.take_answers()?;
        self.commit()
    }

    /// Watching begins anew, so that whoever opens a site next reads the log of a day at most.
    fn begin_day(&mut self) -> Result<(), Error> {
        self.wait_for_answers()?;
        let is_watched = |stretch: &Stretch| stretch.session.settings().mode == Mode::Kept;
        let watched = self.under_way.0.iter().filter(|(_, stretch)| is_watched(stretch));
        let watched: Vec<usize> = watched.map(|(site, _)| *site).collect();
        for site in watched {
            let nth = self.close(site, false)?;
            self.open(nth)?;
        }
        Ok(())
    }

    /// A site has nothing left to ask for: it is captured, and watched from now on; or it stopped answering.
    fn end(&mut self, site: usize) -> Result<(), Error> {
        self.commit()?;
        let session = &self.under_way.0[&site].session;
        let is_captured = session.ending() != Ending::Unreachable && session.settings().mode == Mode::Once;
        let nth = self.close(site, true)?;
        if is_captured {
            return self.open(nth);
        }
        self.later.insert((self.now + RETRY, nth));
        Ok(())
    }

    fn close(&mut self, site: usize, by_itself: bool) -> Result<usize, Error> {
        let Stretch { nth, session, capture, .. } =
            self.under_way.0.remove(&site).expect("a site that ends is under way");
        self.keeper.remove(site);
        match session.closing_entry(by_itself.then(|| session.ending())) {
            Some(end) => capture.finish(&end)?,
            None => capture.suspend()?,
        }
        Ok(nth)
    }
}
