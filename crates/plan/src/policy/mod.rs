//! Policies: what to ask for next, if it were up to them alone.
//!
//! A policy sees the known pages, beliefs, the budget left and dice. It cannot fetch, sleep or overspend. To add
//! one: one file here and one line in [`REGISTRY`]; the suite in `tests/every_policy.rs` then checks it unasked.

mod age_price;
mod best_first;
mod breadth_first;
mod by_due;
mod by_frequency;
mod by_index;
mod by_list;
mod by_rate;
mod by_urgency;
mod change_chance;
mod cho_freshness;
mod coherence;
mod depth_first;
mod focused;
mod heritrix;
mod importance;
mod importance_pattern;
mod ladder;
mod lambda_crawl;
mod live_value;
mod newcomers;
mod nutch;
mod olston_pandey;
mod pattern;
mod periods;
mod planned;
mod proportional;
mod random;
mod relevance;
mod ripening;
mod rounds;
mod second_pass;
mod sharc_online;
mod sharp;
mod skip;
mod stormcrawler;
mod timing;
mod tintype;
mod two_tier;
mod uniform;
mod warm;
mod watch;

use crate::{Budget, Dice, Outlook, Pages, Skipped, schedule};
use by_frequency::{ByFrequency, Rhythm};
use by_list::ByList;
use by_urgency::{ByUrgency, Strategy};
pub use focused::queue::Bounds;
use focused::{Focused, Surplus};
use planned::Planned;
use rounds::Rounds;
use sharp::{Looks, Sharp};
pub use skip::{Grain, Price};
use tintype_learn::{
    directory::{Memory, Thresholds},
    media::{Model, Statistical},
    pattern::{Calendar, PERIODS_DEFAULT},
};
use tintype_vocab::{Observation, PageId, Span, Time};
use two_tier::TwoTier;
use watch::Rates;

/// The policy of a capture when nobody names one.
pub const DEFAULT: &str = "sharp";

/// The policy of a capture that wants some media types only, when nobody names one.
pub const FOCUSED_DEFAULT: &str = "focused";

/// The policy of a run that goes on, when nobody names one: our best.
pub const CONTINUAL_DEFAULT: &str = "tintype";

/// The paper does not say; this reproduces its table.
pub const HOPELESS_ABOVE: f64 = 0.7;

/// One registered policy.
#[derive(Clone, Copy, Debug)]
pub struct Registered {
    pub name: &'static str,
    pub summary: &'static str,
    /// What it is for, so that a tournament knows whom to invite.
    pub kind: Kind,
    /// Whether the dice have a say, so that two runs differ.
    pub rolls_dice: bool,
    make: fn() -> Box<dyn Policy>,
}

/// What a policy is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One pass over a site.
    Capture,
    /// The same by a plan of the whole site, at its best when every page is known beforehand.
    Planned,
    /// Visiting pages again and again.
    Continual,
    /// The same, told the true change rates by somebody who knows: what learning could gain at best.
    Informed,
}

/// Every policy there is.
pub const REGISTRY: &[Registered] = &[
    Registered {
        name: "breadth-first",
        summary: "in order of discovery, the entrance first",
        kind: Kind::Capture,
        rolls_dice: false,
        make: || Box::<breadth_first::BreadthFirst>::default(),
    },
    Registered {
        name: "depth-first",
        summary: "newest discovery first",
        kind: Kind::Capture,
        rolls_dice: false,
        make: || Box::<depth_first::DepthFirst>::default(),
    },
    Registered {
        name: "hottest-first",
        summary: "most often changing first",
        kind: Kind::Capture,
        rolls_dice: false,
        make: || Box::new(by_rate::ByRate::hottest_first()),
    },
    Registered {
        name: "coldest-first",
        summary: "least often changing first",
        kind: Kind::Capture,
        rolls_dice: false,
        make: || Box::new(by_rate::ByRate::coldest_first()),
    },
    Registered {
        name: "sharp",
        summary: "ours: hot pages in the middle of the capture, once more if need be; with --revisit around one moment",
        kind: Kind::Capture,
        rolls_dice: false,
        make: || Box::new(Sharp::new(Looks::AgainInTheMiddle)),
    },
    Registered {
        name: "explore-first",
        summary: "the same with every page visited once",
        kind: Kind::Capture,
        rolls_dice: false,
        make: || Box::new(Sharp::new(Looks::Once)),
    },
    Registered {
        name: "focused",
        summary: "ours with --media: what is likely to be wanted first, then what was found to lead there",
        kind: Kind::Capture,
        rolls_dice: false,
        make: || Box::new(Focused::new(focused::ROOM, Surplus::Waits)),
    },
    Registered {
        name: "best-first",
        summary: "likeliest to be wanted first by the classifier of 2009, then HTML, then the rest",
        kind: Kind::Capture,
        rolls_dice: false,
        make: || best_first(Box::new(Statistical::new(best_first::TAKEN_FOR)), None),
    },
    Registered {
        name: "skip",
        summary: "ours for a site captured before: skips what is not expected to have changed, losing one change in \
                  twenty; skip:NAME puts the rest in the order of another policy than sharp",
        kind: Kind::Capture,
        rolls_dice: false,
        make: || skip(Price::Learned, Grain::Pages),
    },
    Registered {
        name: "warm",
        summary: "WARM: skips directories by rules mined from earlier captures; warm:NAME likewise",
        kind: Kind::Capture,
        rolls_dice: false,
        make: || warm(Thresholds::default()),
    },
    Registered {
        name: "sharc-online",
        summary: "SHARC: organ pipes in three phases while the site is discovered",
        kind: Kind::Capture,
        rolls_dice: false,
        make: || Box::<sharc_online::SharcOnline>::default(),
    },
    Registered {
        name: "sharc-offline",
        summary: "SHARC: organ pipes, the hottest in the middle",
        kind: Kind::Planned,
        rolls_dice: false,
        make: || Box::new(Planned::new(false, |site, _| schedule::organ_pipes(site))),
    },
    Registered {
        name: "sharc-revisits",
        summary: "SHARC: organ pipes twice in the same order",
        kind: Kind::Planned,
        rolls_dice: false,
        make: || Box::new(Planned::new(true, |site, _| schedule::organ_pipes(site).repeat(2))),
    },
    Registered {
        name: "sharc-threshold",
        summary: "SHARC: visits and revisits around the middle, pages likelier than 0.7 to change given up",
        kind: Kind::Planned,
        rolls_dice: false,
        make: || sharc_threshold(HOPELESS_ABOVE),
    },
    Registered {
        name: "better-pairs",
        summary: "visits and revisits with the least blur: the better of SHARC's pairs and greedy ones, polished",
        kind: Kind::Planned,
        rolls_dice: false,
        make: || Box::new(Planned::new(true, |site, _| schedule::better_pairs(site))),
    },
    Registered {
        name: "pyramid",
        summary: "visits and revisits with the most sharp pages to be expected",
        kind: Kind::Planned,
        rolls_dice: false,
        make: || Box::new(Planned::new(true, |site, _| schedule::pyramid(site, &schedule::by_expected_value(site)))),
    },
    Registered {
        name: "both-goals",
        summary: "the most sharp pages, and the least blur of those that cannot be, with one request in a hundred more",
        kind: Kind::Planned,
        rolls_dice: false,
        make: || Box::new(Planned::new(true, |site, _| schedule::both_goals(site, site.len() / 50))),
    },
    Registered {
        name: "square-root",
        summary: "the least blur with two requests per page, or the budget: visits by the square root of the rate",
        kind: Kind::Planned,
        rolls_dice: false,
        make: || Box::new(Planned::new(true, |site, view| schedule::square_root(site, view.visits(site.len())))),
    },
    Registered {
        name: "uniform",
        summary: "every page in turn, as cron does",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::new(by_due::ByDue::new(uniform::INTERVALS)),
    },
    Registered {
        name: "random",
        summary: "any page, by the dice",
        kind: Kind::Continual,
        rolls_dice: true,
        make: || Box::<random::Random>::default(),
    },
    Registered {
        name: "heritrix",
        summary: "Heritrix 1: interval x1.5 after no change, /1.5 after one",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::new(by_due::ByDue::new(heritrix::INTERVALS)),
    },
    Registered {
        name: "nutch",
        summary: "Nutch: interval x1.4 after no change, x0.8 after one",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::new(by_due::ByDue::new(nutch::INTERVALS)),
    },
    Registered {
        name: "stormcrawler",
        summary: "StormCrawler: interval x1.5 after no change, halfway to 1 h after one",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::new(by_due::ByDue::new(stormcrawler::INTERVALS)),
    },
    Registered {
        name: "proportional",
        summary: "visits in proportion to the change rate",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Learned, proportional::worth)),
    },
    Registered {
        name: "proportional-true",
        summary: "visits in proportion to the change rate, true rates known",
        kind: Kind::Informed,
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Given, proportional::worth)),
    },
    Registered {
        name: "change-chance",
        summary: "most likely changed first",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Learned, change_chance::worth)),
    },
    Registered {
        name: "change-chance-true",
        summary: "most likely changed first, true rates known",
        kind: Kind::Informed,
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Given, change_chance::worth)),
    },
    Registered {
        name: "olston-pandey",
        summary: "by the freshness index, letting go of what changes too fast",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Learned, olston_pandey::worth)),
    },
    Registered {
        name: "olston-pandey-true",
        summary: "by the freshness index, letting go of what changes too fast, true rates known",
        kind: Kind::Informed,
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Given, olston_pandey::worth)),
    },
    Registered {
        name: "cho-freshness",
        summary: "Cho and Garcia-Molina's freshest frequencies",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::new(ByFrequency::new(Rates::Learned, cho_freshness::allocate, Rhythm::Periodic)),
    },
    Registered {
        name: "cho-freshness-true",
        summary: "Cho and Garcia-Molina's freshest frequencies, true rates known",
        kind: Kind::Informed,
        rolls_dice: false,
        make: || Box::new(ByFrequency::new(Rates::Given, cho_freshness::allocate, Rhythm::Periodic)),
    },
    Registered {
        name: "lambda-crawl",
        summary: "LambdaCrawl's frequencies, at random moments",
        kind: Kind::Continual,
        rolls_dice: true,
        make: || Box::new(ByFrequency::new(Rates::Learned, lambda_crawl::allocate, Rhythm::Random)),
    },
    Registered {
        name: "lambda-crawl-true",
        summary: "LambdaCrawl's frequencies, at random moments, true rates known",
        kind: Kind::Informed,
        rolls_dice: true,
        make: || Box::new(ByFrequency::new(Rates::Given, lambda_crawl::allocate, Rhythm::Random)),
    },
    Registered {
        name: "importance-pattern",
        summary: "by page weight, importance of changes in this hour, and time since the latest visit",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || importance_pattern(PERIODS_DEFAULT),
    },
    Registered {
        name: "importance-pattern-even",
        summary: "the same with all pages weighing the same, linked or not",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || by_urgency(importance_pattern::EVEN, PERIODS_DEFAULT),
    },
    Registered {
        name: "importance",
        summary: "by page weight, mean importance of changes, and time since the latest visit",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || by_urgency(importance::STRATEGY, PERIODS_DEFAULT),
    },
    Registered {
        name: "pattern",
        summary: "by page weight, number of changes in this hour, and time since the latest visit",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || by_urgency(pattern::STRATEGY, PERIODS_DEFAULT),
    },
    Registered {
        name: "live-value",
        summary: "the version alive that is worth most, by rate, hour and importance",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || live_value(PERIODS_DEFAULT),
    },
    Registered {
        name: "relevance",
        summary: "every page in turn, in the order of PageRank",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::new(ByList::new(relevance::Relevance::default())),
    },
    Registered {
        name: "coherence",
        summary: "every page in turn, the least likely to change first",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::new(ByList::new(Rounds::new(coherence::plan))),
    },
    Registered {
        name: "sharc",
        summary: "every page in turn, the hottest in the middle of each round",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::new(ByList::new(Rounds::new(schedule::organ_pipes))),
    },
    Registered {
        name: "tintype",
        summary: "ours: the version most worth catching, by past, cohort and listings",
        kind: Kind::Continual,
        rolls_dice: false,
        make: || Box::<tintype::Tintype>::default(),
    },
];

/// Other names of policies: what papers call them.
pub const ALIASES: &[(&str, &str)] = &[("frequency", "cho-freshness")];

/// The policies that visit again and again, for those who want to see them side by side.
pub fn continual() -> impl Iterator<Item = &'static Registered> {
    REGISTRY.iter().filter(|entry| !matches!(entry.kind, Kind::Capture | Kind::Planned))
}

pub fn names() -> impl Iterator<Item = &'static str> {
    REGISTRY.iter().map(|entry| entry.name)
}

/// A policy by its name, or by what papers call it; of one that stands above another, the upper one.
pub fn find(name: &str) -> Option<&'static Registered> {
    let name = match name.split_once(':') {
        None => name,
        Some((above, below)) => above_of(above, below).map(|_| above)?,
    };
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    REGISTRY.iter().find(|entry| entry.name == name)
}

/// A fresh policy by name: `sharp`, or one that chooses directories above one that orders pages, `skip:breadth-first`.
pub fn make(name: &str) -> Option<Box<dyn Policy>> {
    match name.split_once(':') {
        None => find(name).map(|entry| (entry.make)()),
        Some((above, below)) => {
            let (above, below) = above_of(above, below)?;
            Some(above((below.make)()))
        }
    }
}

type Above = fn(Box<dyn Policy>) -> Box<dyn Policy>;

/// Those that choose directories, and the policy that shall order the pages below them.
const ABOVE: &[(&str, Above)] = &[
    ("skip", |below| Box::new(TwoTier::new(skip::Skip::new(Price::Learned, Grain::Pages), below))),
    ("warm", |below| Box::new(TwoTier::new(warm::Warm::new(Thresholds::default()), below))),
];

fn above_of(above: &str, below: &str) -> Option<(Above, &'static Registered)> {
    let (_, make) = ABOVE.iter().find(|(name, _)| *name == above)?;
    let below = REGISTRY.iter().find(|entry| entry.name == below && entry.kind == Kind::Capture)?;
    ABOVE.iter().all(|(name, _)| *name != below.name).then_some((*make, below))
}

/// Whether a policy chooses by what earlier captures taught of the site's directories ([`crate::Scheduler::remember`]).
pub fn needs_memory(name: &str) -> bool {
    let above = name.split(':').next().unwrap_or_default();
    ABOVE.iter().any(|(name, _)| *name == above)
}

/// Ours above the pages, at a price and a grain of one's own.
pub fn skip(price: Price, grain: Grain) -> Box<dyn Policy> {
    Box::new(TwoTier::new(skip::Skip::new(price, grain), default_below()))
}

/// WARM with thresholds of one's own.
pub fn warm(thresholds: Thresholds) -> Box<dyn Policy> {
    Box::new(TwoTier::new(warm::Warm::new(thresholds), default_below()))
}

fn default_below() -> Box<dyn Policy> {
    Box::new(Sharp::new(Looks::AgainInTheMiddle))
}

/// The paper's focused crawl by any classifier, with a queue of any length or a bounded one.
pub fn best_first(model: Box<dyn Model>, bounds: Option<Bounds>) -> Box<dyn Policy> {
    Box::new(best_first::BestFirst::new(model, bounds.unwrap_or(Bounds::NONE)))
}

/// Ours that keeps so many pages in mind, and gives up what there is no room for.
pub fn focused_bounded(room: usize) -> Box<dyn Policy> {
    Box::new(Focused::new(room, Surplus::LetGo))
}

/// Importance-Pattern with so many periods a day.
pub fn importance_pattern(periods: u16) -> Box<dyn Policy> {
    by_urgency(importance_pattern::STRATEGY, periods)
}

/// The live value with so many periods a day.
pub fn live_value(periods: u16) -> Box<dyn Policy> {
    Box::new(ByList::new(live_value::LiveValue::new(Calendar::new(periods, Span::ZERO))))
}

fn by_urgency(strategy: Strategy, periods: u16) -> Box<dyn Policy> {
    Box::new(ByList::new(ByUrgency::new(strategy, Calendar::new(periods, Span::ZERO))))
}

/// SHARC-threshold with a threshold of one's own.
pub fn sharc_threshold(hopeless_above: f64) -> Box<dyn Policy> {
    let plan =
        move |site: &schedule::Site, _: &View<'_>| schedule::pyramid(site, &schedule::threshold(site, hopeless_above));
    Box::new(Planned::new(true, plan))
}

/// The same for a run: a policy that knows nothing of revisits makes its pass a second time where they are wanted.
pub fn for_run(name: &str, revisit: bool) -> Option<Box<dyn Policy>> {
    match name.split_once(':').filter(|_| revisit) {
        // What the upper one leaves alone is not waited for, so it is the lower one that makes the second pass.
        Some((above, below)) => above_of(above, below).map(|(above, below)| above(with_revisits((below.make)()))),
        None => make(name).map(|policy| if revisit { with_revisits(policy) } else { policy }),
    }
}

/// A policy that looks at every page again: by itself if it knows how, otherwise in a second pass.
pub fn with_revisits(policy: Box<dyn Policy>) -> Box<dyn Policy> {
    if policy.looks_again(true) { policy } else { Box::new(second_pass::SecondPass::new(policy)) }
}

/// All a policy may see.
#[derive(Debug)]
pub struct View<'a> {
    /// The moment this is about: of the question, of the discovery, of the answer.
    pub now: Time,
    pub pages: &'a Pages,
    /// What earlier captures taught of the site's directories, where somebody remembered it.
    pub memory: Option<&'a Memory>,
    /// What is wanted, and what is known of where it is.
    pub media: Outlook<'a>,
    /// After a visit: the known pages it links, with the fingerprints of their wording ([`tintype_vocab::Link`]).
    pub linked: &'a [(PageId, u32)],
    pub budget: Budget,
    /// How long one request takes, pause included.
    pub slot: Span,
    /// Pages the last capture of the site knew; 0 for a first one.
    pub expected_pages: usize,
    /// Whether a person asked for proof: every page a second time.
    pub revisit: bool,
    /// Pages that were never answered and may still be: waiting, in flight, or to be tried again.
    pub unanswered: usize,
    pub dice: Dice,
}

/// Nobody wants anything in particular.
#[cfg(test)]
static NOBODY: std::sync::LazyLock<(crate::MediaRules, tintype_learn::media::Media)> =
    std::sync::LazyLock::new(Default::default);

#[cfg(test)]
impl<'a> View<'a> {
    /// Nothing but pages at a moment.
    fn of(pages: &'a Pages, now: Time) -> View<'a> {
        View {
            now,
            pages,
            memory: None,
            media: Outlook { rules: &NOBODY.0, model: &NOBODY.1 },
            linked: &[],
            budget: Budget::default(),
            slot: Span::ZERO,
            expected_pages: 0,
            revisit: false,
            unanswered: 0,
            dice: Dice::new(0, 0),
        }
    }
}

impl View<'_> {
    /// Visits for so many pages: two each, or what the budget leaves.
    fn visits(&self, pages: usize) -> usize {
        let left = self.budget.requests.map_or(usize::MAX, |left| left as usize);
        (2 * pages).min(left)
    }
}

/// All a policy may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A page that waits.
    Visit(PageId),
    /// A page that was answered, once more.
    Revisit(PageId),
    WaitUntil(Time),
    /// Nothing more to ask for with what is known now.
    Done,
}

/// Chooses the next request. The scheduler calls [`Policy::on_known`] for every page that joins the frontier and
/// [`Policy::on_observation`] for every settled visit, and skips a chosen page that needs no visit any more. A policy
/// that chose a page does not choose it again before it was observed; whether it may be asked for once more (its state
/// is `Waiting`) depends on the run, not on the policy. In a capture a policy that [`Policy::looks_again`] may revisit
/// pages.
pub trait Policy: std::fmt::Debug + Send {
    fn on_known(&mut self, page: PageId, view: &View<'_>);
    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice;
    /// Whether pages that were answered may be chosen again, given whether a person asked for that.
    fn looks_again(&self, _revisit: bool) -> bool {
        false
    }
    /// Of one that looks again, when no page waits: whether it wants none of them any more. Asked without regard to
    /// politeness, so that a run ends with its last answer and not with a pause.
    fn has_nothing_left(&self, _view: &View<'_>) -> bool {
        true
    }
    /// Of one that leaves known pages alone on purpose: what it has left alone so far.
    fn skipped(&self, _view: &View<'_>) -> Option<Skipped> {
        None
    }
    /// Of one that keeps no more than so many pages in mind: those it has given up since it was last asked.
    fn let_go(&mut self) -> Vec<PageId> {
        Vec::new()
    }
    /// `page` is this run's number of the page; the observation may carry an earlier run's.
    fn on_observation(&mut self, _page: PageId, _observation: &Observation, _view: &View<'_>) {}
}
