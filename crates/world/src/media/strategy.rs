//! Strategies that look for wanted files, and a capture of a web by one of them.

use super::{Web, YieldCurve, oracle};
use crate::simulate::{Answers, simulate_surely};
use std::convert::Infallible;
use tintype_learn::{
    knowledge::{Knowledge, SharedKnowledge},
    media::{Media, Statistical, statistical::THRESHOLD},
};
use tintype_plan::{
    Budget, MediaRule, MediaRules, Objection, Scheduler, ScopeRule, Settings,
    policy::{self, Bounds, Policy},
};
use tintype_vocab::{Change, Observation, Outcome, Purpose, Request, SiteId, Span, Time};

/// A way to look for wanted files.
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    pub name: &'static str,
    pub summary: &'static str,
    how: How,
}

#[derive(Clone, Copy, Debug)]
enum How {
    /// Everything is asked for, in the order of a policy.
    All(fn() -> Box<dyn Policy>),
    /// What is unlikely to be wanted, and to lead on, is not asked for.
    Chosen(fn() -> Box<dyn Policy>, fn() -> Media),
    Told,
}

/// The room that ours has to do with in the comparison: less than a tenth of the web.
pub const ROOM: usize = 1000;

/// Every strategy.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "breadth-first",
        summary: "everything in order of discovery",
        how: How::All(|| registered("breadth-first")),
    },
    Strategy {
        name: "best-first",
        summary: "the paper: likeliest to be wanted first by its classifier, then HTML, then the rest",
        how: How::All(|| policy::best_first(Box::new(Statistical::new(THRESHOLD)), None)),
    },
    Strategy {
        name: "best-first-bounded",
        summary: "the same with a queue of 10,000 and ten of each domain in it",
        how: How::All(|| policy::best_first(Box::new(Statistical::new(THRESHOLD)), Some(Bounds::PAPER))),
    },
    Strategy {
        name: "focused",
        summary: "ours: likely files first, then what was found to lead to files",
        how: How::Chosen(|| registered("focused"), Media::default),
    },
    Strategy {
        name: "focused-untaught",
        summary: "ours, knowing nothing of media types to begin with",
        how: How::Chosen(|| registered("focused"), Media::blank),
    },
    Strategy {
        name: "focused-bounded",
        summary: "ours with a queue of 1,000 and no memory of what was left out",
        how: How::Chosen(|| policy::focused_bounded(ROOM), Media::default),
    },
    Strategy { name: "oracle", summary: "told every link and every type", how: How::Told },
];

fn registered(name: &str) -> Box<dyn Policy> {
    policy::make(name).expect("it is registered")
}

/// One capture.
#[derive(Clone, Copy, Debug, Default)]
pub struct MediaCrawlConfig {
    pub run_seed: u64,
    /// Requests, robots.txt left aside; as many as it takes where nothing is said.
    pub budget: Option<u64>,
}

/// Lets a strategy loose on a web.
pub fn play(web: &Web, strategy: &Strategy, game: &MediaCrawlConfig) -> YieldCurve {
    match strategy.how {
        How::Told => oracle::curve(web),
        How::All(policy) => play_policy(web, policy(), any(&web.wanted), Media::blank(), game),
        How::Chosen(policy, knows) => play_policy(web, policy(), web.wanted.clone(), knows(), game),
    }
}

/// The same wishes of somebody who asks for everything that may be.
fn any(wanted: &MediaRules) -> MediaRules {
    wanted.allow.iter().map(|rule| MediaRule { min_probability: 0.0, ..rule.clone() }).collect()
}

/// The same for any policy, set of rules, and knowledge to begin with.
pub fn play_policy(
    web: &Web,
    policy: Box<dyn Policy>,
    rules: MediaRules,
    knows: Media,
    game: &MediaCrawlConfig,
) -> YieldCurve {
    let mut settings = Settings::new(SiteId(0), web.seeds.clone());
    settings.scope = ScopeRule::Surt("example,".to_owned());
    settings.media = rules;
    settings.delay = Some(Span::ZERO);
    settings.run_seed = game.run_seed;
    settings.budget = Budget { requests: game.budget, bytes: None };
    let shared = SharedKnowledge { media: knows.into(), ..SharedKnowledge::default() };
    let knowledge = Knowledge::new(shared);
    let mut scheduler = Scheduler::assemble(settings, policy, knowledge).expect("made-up seeds are URLs");
    let curve = YieldCurve { wanted: web.wanted_files(), ..YieldCurve::default() };
    let mut answers = WebAnswers { web, curve };
    simulate_surely(&mut scheduler, &mut answers, Time::from_secs(1_767_571_200));
    let no_room = scheduler.exclusions().iter().filter(|(objection, _)| *objection == Objection::NoRoom);
    let forgotten = no_room.map(|(_, excluded)| excluded.links).sum();
    YieldCurve { forgotten, ..answers.curve }
}

/// A web that answers, and what was found so far.
struct WebAnswers<'w> {
    web: &'w Web,
    curve: YieldCurve,
}

impl Answers for WebAnswers<'_> {
    type Error = Infallible;

    fn answer(&mut self, _: &mut Scheduler, request: &Request, now: Time) -> Result<Observation, Infallible> {
        let number = self.web.find(&request.url);
        let observation = answer(self.web, number, request, now);
        if request.purpose != Purpose::Robots {
            self.curve.ask(number.is_some_and(|number| self.web.is_wanted(number)), observation.bytes);
        }
        Ok(observation)
    }
}

/// What a visit teaches.
fn answer(web: &Web, number: Option<u32>, request: &Request, now: Time) -> Observation {
    let Some(number) = number else { return Observation::of(request, now, now, Outcome::Gone { status: 404 }) };
    let page = &web.pages()[number as usize];
    Observation {
        change: Change::First,
        media_type: Some(page.media_type.clone()),
        bytes: page.bytes,
        links: web.links(number),
        ..Observation::of(request, now, now, Outcome::Body { status: 200 })
    }
}
