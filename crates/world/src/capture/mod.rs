//! One capture of a site in simulation: the crawler's own scheduler, one request per slot, and what came of it.
//!
//! Read [`take`] first. [`SharcTree`] is the site of the SHARC experiments, [`Past`] a window of a recorded history. What a
//! capture is worth is measured by `tintype_quality::capture` from the visits of [`Taken`] and the subject's truth.

mod listed;
mod olston_pandey;
mod past;
mod tree;
mod without_middle;

pub use listed::Listed;
pub use olston_pandey::OlstonPandey;
pub use past::RecordedCapture;
pub use tree::SharcTree;
pub use without_middle::WithoutMiddle;

use crate::simulate::{Answers, simulate_surely};
use std::convert::Infallible;
use tintype_learn::knowledge::Knowledge;
use tintype_plan::{Budget, Policy, Scheduler, ScopeRule, SeedError, Settings};
use tintype_quality::{Seen, Truth, capture};
use tintype_vocab::{Change, ChangeRate, Links, Observation, Outcome, PageId, Purpose, Request, SiteId, Span, Time};

/// A site to be captured.
pub trait CaptureSubject {
    /// Pages that can be captured are numbered from 0.
    fn pages(&self) -> usize;
    fn url(&self, page: u32) -> String;
    fn page_of(&self, url: &str) -> Option<u32>;
    /// Where to begin.
    fn entrance(&self) -> u32;
    /// What is believed of a page before the capture.
    fn believed(&self, page: u32) -> ChangeRate;
    fn links(&mut self, page: u32, at: Time) -> Links;
    fn truth(&self) -> &Truth;
}

/// How a capture is made.
pub struct Manner {
    pub policy: Box<dyn Policy>,
    pub start: Time,
    /// One request per slot.
    pub slot: Span,
    /// Every page a second time, for proof.
    pub revisit: bool,
    /// Pages the site is thought to have; 0 if nobody knows.
    pub size: usize,
    /// Whether all pages are known at the start, as by a sitemap; otherwise they are found through links.
    pub told: bool,
    pub requests_max: Option<u64>,
}

impl std::fmt::Debug for Manner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a capture from {} on, a request every {:?}", self.start, self.slot)
    }
}

/// A capture.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// In order of time; those that found nothing too.
    pub visits: Vec<Seen>,
}

/// What a capture is worth, by the rates its pages really have or by what really happened.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worth {
    pub visits: usize,
    pub blur: f64,
    pub sharp: f64,
}

/// Captures a site. Rules cost no slot that counts: times begin with the first page.
pub fn take(subject: &mut dyn CaptureSubject, manner: Manner) -> Result<Taken, SeedError> {
    let entrance = subject.url(subject.entrance());
    let mut settings = Settings::new(SiteId(0), vec![entrance]);
    settings.delay = Some(manner.slot);
    settings.revisit = manner.revisit;
    // Nobody offers a sitemap here, and asking for one would cost a slot.
    settings.scope = ScopeRule::Prefix;
    settings.budget = Budget { requests: manner.requests_max, bytes: None };
    let mut knowledge = Knowledge::default();
    knowledge.expect_pages(manner.size);
    for page in 0..subject.pages() as u32 {
        knowledge.recall_rate(&subject.url(page), subject.believed(page));
    }
    let mut scheduler = Scheduler::assemble(settings, manner.policy, knowledge)?;
    if manner.told {
        for page in 0..subject.pages() as u32 {
            scheduler.announce(&subject.url(page), manner.start);
        }
    }
    let held = vec![None; subject.pages()];
    let mut answers = SubjectAnswers { subject, held, numbers: Vec::new(), taken: Taken::default() };
    // The rules are asked for first.
    simulate_surely(&mut scheduler, &mut answers, manner.start - manner.slot);
    Ok(answers.taken)
}

/// A subject that answers by its truth, and the visits so far.
struct SubjectAnswers<'s> {
    subject: &'s mut dyn CaptureSubject,
    /// The version held of each page.
    held: Vec<Option<usize>>,
    /// The subject's page behind each of the scheduler's.
    numbers: Vec<Option<u32>>,
    taken: Taken,
}

impl Answers for SubjectAnswers<'_> {
    type Error = Infallible;

    fn answer(&mut self, _: &mut Scheduler, request: &Request, now: Time) -> Result<Observation, Infallible> {
        let page = self.number(request).filter(|_| request.purpose != Purpose::Robots);
        self.taken.visits.extend(page.map(|page| Seen { at: now, page }));
        let mut observation = Observation::of(request, now, now, Outcome::Gone { status: 404 });
        if let Some(page) = page {
            self.observe(page, &mut observation);
        }
        Ok(observation)
    }
}

impl SubjectAnswers<'_> {
    fn number(&mut self, request: &Request) -> Option<u32> {
        let PageId(id) = request.page;
        if self.numbers.len() <= id as usize {
            self.numbers.resize(id as usize + 1, None);
        }
        let number = &mut self.numbers[id as usize];
        *number = number.or_else(|| self.subject.page_of(&request.url));
        *number
    }

    fn observe(&mut self, page: u32, observation: &mut Observation) {
        let Some(version) = self.subject.truth().alive(page as usize, observation.asked) else { return };
        observation.outcome = Outcome::Body { status: 200 };
        observation.change = match self.held[page as usize].replace(version) {
            None => Change::First,
            Some(before) if before == version => Change::Same,
            Some(_) => Change::New { importance: 1.0 },
        };
        if observation.change != Change::Same {
            observation.links = self.subject.links(page, observation.asked);
        }
    }
}

impl Taken {
    pub fn from(&self) -> Option<Time> {
        self.visits.first().map(|visit| visit.at)
    }

    pub fn to(&self) -> Option<Time> {
        self.visits.last().map(|visit| visit.at)
    }

    /// The visits of every page, in order of time.
    pub fn by_page(&self, pages: usize) -> Vec<Vec<Time>> {
        let mut by_page = vec![Vec::new(); pages];
        self.visits.iter().for_each(|visit| by_page[visit.page as usize].push(visit.at));
        by_page
    }

    /// Expected blur over the capture (or a query interval of another length around the same middle), and expected sharp
    /// pages, when the rates are known: the stochastic measures of sections 4 and 7.
    pub fn expected(&self, rates_per_day: &[f64], stretch: f64) -> Worth {
        let (Some(first), Some(last)) = (self.from(), self.to()) else { return Worth::default() };
        let day = |time: Time| (time - first).as_days_f64();
        let (middle, half) = (day(last) / 2.0, day(last) / 2.0 * stretch);
        let pages = self.by_page(rates_per_day.len());
        let days = |visits: &Vec<Time>| visits.iter().map(|at| day(*at)).collect::<Vec<f64>>();
        let seen = pages.iter().zip(rates_per_day).filter(|(visits, _)| !visits.is_empty());
        let blur = capture::expected_blur(
            seen.clone().map(|(visits, rate)| (*rate, days(visits))),
            middle - half,
            middle + half,
        );
        let brackets = seen.filter_map(|(visits, rate)| {
            let (visit, revisit) = capture::bracket(&days(visits), middle)?;
            Some((*rate, visit, revisit))
        });
        Worth { visits: self.visits.len(), blur, sharp: capture::expected_sharp(brackets) }
    }

    /// Exact blur and the number of pages that were sharp, against what really happened.
    pub fn realised(&self, truth: &Truth) -> Worth {
        let (Some(from), Some(to)) = (self.from(), self.to()) else { return Worth::default() };
        let middle = from + (to - from) / 2;
        let blur = capture::exact_blur(truth, from, to, &self.visits);
        let sharp = |(page, visits): (usize, &Vec<Time>)| {
            let (visit, revisit) = capture::bracket(visits, middle)?;
            let version = truth.alive(page, visit)?;
            (truth.alive(page, revisit) == Some(version)).then_some(())
        };
        let sharp = self.by_page(truth.pages()).iter().enumerate().filter_map(sharp).count();
        Worth { visits: self.visits.len(), blur, sharp: sharp as f64 }
    }
}
