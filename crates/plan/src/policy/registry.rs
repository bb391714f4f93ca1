//! Every policy there is, by name.

use super::{
    believed::Rates,
    best_first::TAKEN_FOR,
    breadth_first, by_due,
    by_frequency::{ByFrequency, Rhythm},
    by_index,
    by_list::ByList,
    by_rate, change_chance, cho_freshness, coherence, cron, custom, depth_first,
    focused::{self, Focused, Surplus},
    heritrix, importance, importance_pattern, lambda_crawl, nutch, olston_pandey, pattern,
    planned::Planned,
    posterior, proportional, random, relevance,
    rounds::Rounds,
    sharc_online,
    sharp::{Looks, Sharp},
    skip::{Grain, Price},
    stormcrawler, tintype, uniform,
    view::Policy,
};
use crate::schedule;
use tintype_learn::{media::Statistical, pattern::PERIODS_DEFAULT};

/// The policy of a capture when nobody names one.
pub const DEFAULT: &str = "sharp";

/// The policy of a capture that wants some media types only, when nobody names one.
pub const FOCUSED_DEFAULT: &str = "focused";

/// The policy of a run that goes on, when nobody names one: our best.
pub const CONTINUAL_DEFAULT: &str = "tintype";

/// One registered policy.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredPolicy {
    pub name: &'static str,
    pub summary: &'static str,
    /// What it is for, so that a tournament knows whom to invite.
    pub kind: PolicyKind,
    /// Where people may choose it besides the lab, which has them all.
    pub offered: &'static [Use],
    /// Whether the dice have a say, so that two runs differ.
    pub rolls_dice: bool,
    pub(super) make: fn() -> Box<dyn Policy>,
}

/// What a policy is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyKind {
    /// One pass over a site.
    Capture,
    /// The same by a plan of the whole site, at its best when every page is known beforehand.
    Planned,
    /// Visiting pages again and again.
    Continual,
    /// The same in whole passes, each begun when enough requests are saved up for one.
    Passes,
    /// Visiting pages again and again, told the true change rates by somebody who knows: what learning could gain at best.
    Informed,
}

/// Where a policy may be chosen by people. Those that need rates nobody has, and orders that only serve to be compared with,
/// are for the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A capture of a live site.
    Capture,
    /// Keeping live sites, again and again.
    Keep,
}

/// Every policy there is.
pub const REGISTRY: &[RegisteredPolicy] = &[
    RegisteredPolicy {
        name: "breadth-first",
        summary: "in order of discovery, the entrance first",
        kind: PolicyKind::Capture,
        offered: &[Use::Capture],
        rolls_dice: false,
        make: || Box::<breadth_first::BreadthFirst>::default(),
    },
    RegisteredPolicy {
        name: "depth-first",
        summary: "newest discovery first",
        kind: PolicyKind::Capture,
        offered: &[],
        rolls_dice: false,
        make: || Box::<depth_first::DepthFirst>::default(),
    },
    RegisteredPolicy {
        name: "hottest-first",
        summary: "most often changing first",
        kind: PolicyKind::Capture,
        offered: &[],
        rolls_dice: false,
        make: || Box::new(by_rate::ByRate::hottest_first()),
    },
    RegisteredPolicy {
        name: "coldest-first",
        summary: "least often changing first",
        kind: PolicyKind::Capture,
        offered: &[],
        rolls_dice: false,
        make: || Box::new(by_rate::ByRate::coldest_first()),
    },
    RegisteredPolicy {
        name: "sharp",
        summary: "ours: hot pages in the middle of the capture, once more if need be; with --revisit around one moment",
        kind: PolicyKind::Capture,
        offered: &[Use::Capture],
        rolls_dice: false,
        make: || Box::new(Sharp::new(Looks::AgainInTheMiddle)),
    },
    RegisteredPolicy {
        name: "explore-first",
        summary: "the same with every page visited once",
        kind: PolicyKind::Capture,
        offered: &[],
        rolls_dice: false,
        make: || Box::new(Sharp::new(Looks::Once)),
    },
    RegisteredPolicy {
        name: "focused",
        summary: "ours with --media: what is likely to be wanted first, then what was found to lead there",
        kind: PolicyKind::Capture,
        offered: &[Use::Capture],
        rolls_dice: false,
        make: || Box::new(Focused::new(focused::ROOM, Surplus::Waits)),
    },
    RegisteredPolicy {
        name: "best-first",
        summary: "likeliest to be wanted first by the classifier of 2009, then HTML, then the rest",
        kind: PolicyKind::Capture,
        offered: &[Use::Capture],
        rolls_dice: false,
        make: || custom::best_first(Box::new(Statistical::new(TAKEN_FOR)), None),
    },
    RegisteredPolicy {
        name: "skip",
        summary: "ours for a site captured before: skips what is not expected to have changed, losing no more of the \
                  changes than --loss; skip:NAME puts the rest in the order of another policy than sharp",
        kind: PolicyKind::Capture,
        offered: &[Use::Capture],
        rolls_dice: true,
        make: || custom::skip(Price::Learned, Grain::Pages),
    },
    RegisteredPolicy {
        name: "warm",
        summary: "WARM: skips directories by rules mined from earlier captures; warm:NAME likewise",
        kind: PolicyKind::Capture,
        offered: &[Use::Capture],
        rolls_dice: false,
        make: custom::warm_as_set,
    },
    RegisteredPolicy {
        name: "sharc-online",
        summary: "SHARC: organ pipes in three phases while the site is discovered",
        kind: PolicyKind::Capture,
        offered: &[Use::Capture],
        rolls_dice: false,
        make: || Box::<sharc_online::SharcOnline>::default(),
    },
    RegisteredPolicy {
        name: "sharc-offline",
        summary: "SHARC: organ pipes, the hottest in the middle",
        kind: PolicyKind::Planned,
        offered: &[Use::Capture],
        rolls_dice: false,
        make: || Box::new(Planned::new(false, |site, _| schedule::organ_pipes(site))),
    },
    RegisteredPolicy {
        name: "sharc-revisits",
        summary: "SHARC: organ pipes twice in the same order",
        kind: PolicyKind::Planned,
        offered: &[Use::Capture],
        rolls_dice: false,
        make: || Box::new(Planned::new(true, |site, _| schedule::organ_pipes(site).repeat(2))),
    },
    RegisteredPolicy {
        name: "sharc-threshold",
        summary: "SHARC: visits and revisits around the middle, pages likelier than 0.7 to change given up",
        kind: PolicyKind::Planned,
        offered: &[Use::Capture],
        rolls_dice: false,
        make: || custom::sharc_threshold(custom::HOPELESS_ABOVE),
    },
    RegisteredPolicy {
        name: "better-pairs",
        summary: "visits and revisits with the least blur: the better of SHARC's pairs and greedy ones, polished",
        kind: PolicyKind::Planned,
        offered: &[],
        rolls_dice: false,
        make: || Box::new(Planned::new(true, |site, _| schedule::better_pairs(site))),
    },
    RegisteredPolicy {
        name: "pyramid",
        summary: "visits and revisits with the most sharp pages to be expected",
        kind: PolicyKind::Planned,
        offered: &[],
        rolls_dice: false,
        make: || Box::new(Planned::new(true, |site, _| schedule::pyramid(site, &schedule::by_expected_value(site)))),
    },
    RegisteredPolicy {
        name: "both-goals",
        summary: "the most sharp pages, and the least blur of those that cannot be, with one request in a hundred more",
        kind: PolicyKind::Planned,
        offered: &[Use::Capture],
        rolls_dice: false,
        make: || {
            Box::new(Planned::new(true, |site, view| schedule::both_goals(site, site.len() / 50, view.hopeless_above)))
        },
    },
    RegisteredPolicy {
        name: "square-root",
        summary: "the least blur with two requests per page, or the budget: visits by the square root of the rate",
        kind: PolicyKind::Planned,
        offered: &[],
        rolls_dice: false,
        make: || Box::new(Planned::new(true, |site, view| schedule::square_root(site, view.visits(site.len())))),
    },
    RegisteredPolicy {
        name: "cron",
        summary: "all pages at once whenever enough requests are saved up for that, as captures by cron are",
        kind: PolicyKind::Passes,
        offered: &[],
        rolls_dice: false,
        make: || Box::new(by_due::ByDue::new(cron::INTERVALS)),
    },
    RegisteredPolicy {
        name: "uniform",
        summary: "every page in turn",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::new(by_due::ByDue::new(uniform::INTERVALS)),
    },
    RegisteredPolicy {
        name: "random",
        summary: "any page, by the dice",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: true,
        make: || Box::<random::Random>::default(),
    },
    RegisteredPolicy {
        name: "heritrix",
        summary: "Heritrix 1: interval x1.5 after no change, /1.5 after one",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::new(by_due::ByDue::new(heritrix::INTERVALS)),
    },
    RegisteredPolicy {
        name: "nutch",
        summary: "Nutch: interval x1.4 after no change, x0.8 after one",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::new(by_due::ByDue::new(nutch::INTERVALS)),
    },
    RegisteredPolicy {
        name: "stormcrawler",
        summary: "StormCrawler: interval x1.5 after no change, halfway to 1 h after one",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::new(by_due::ByDue::new(stormcrawler::INTERVALS)),
    },
    RegisteredPolicy {
        name: "proportional",
        summary: "visits in proportion to the change rate",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Learned, proportional::worth)),
    },
    RegisteredPolicy {
        name: "proportional-true",
        summary: "visits in proportion to the change rate, true rates known",
        kind: PolicyKind::Informed,
        offered: &[],
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Given, proportional::worth)),
    },
    RegisteredPolicy {
        name: "change-chance",
        summary: "most likely changed first",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Learned, change_chance::worth)),
    },
    RegisteredPolicy {
        name: "change-chance-true",
        summary: "most likely changed first, true rates known",
        kind: PolicyKind::Informed,
        offered: &[],
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Given, change_chance::worth)),
    },
    RegisteredPolicy {
        name: "olston-pandey",
        summary: "by the freshness index, letting go of what changes too fast",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Learned, olston_pandey::worth)),
    },
    RegisteredPolicy {
        name: "olston-pandey-true",
        summary: "by the freshness index, letting go of what changes too fast, true rates known",
        kind: PolicyKind::Informed,
        offered: &[],
        rolls_dice: false,
        make: || Box::new(by_index::ByIndex::new(Rates::Given, olston_pandey::worth)),
    },
    RegisteredPolicy {
        name: "cho-freshness",
        summary: "Cho and Garcia-Molina's freshest frequencies",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::new(ByFrequency::new(Rates::Learned, cho_freshness::allocate, Rhythm::Periodic)),
    },
    RegisteredPolicy {
        name: "cho-freshness-true",
        summary: "Cho and Garcia-Molina's freshest frequencies, true rates known",
        kind: PolicyKind::Informed,
        offered: &[],
        rolls_dice: false,
        make: || Box::new(ByFrequency::new(Rates::Given, cho_freshness::allocate, Rhythm::Periodic)),
    },
    RegisteredPolicy {
        name: "lambda-crawl",
        summary: "LambdaCrawl's frequencies, at random moments",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: true,
        make: || Box::new(ByFrequency::new(Rates::Learned, lambda_crawl::allocate, Rhythm::Random)),
    },
    RegisteredPolicy {
        name: "lambda-crawl-true",
        summary: "LambdaCrawl's frequencies, at random moments, true rates known",
        kind: PolicyKind::Informed,
        offered: &[],
        rolls_dice: true,
        make: || Box::new(ByFrequency::new(Rates::Given, lambda_crawl::allocate, Rhythm::Random)),
    },
    RegisteredPolicy {
        name: "importance-pattern",
        summary: "by page weight, importance of changes in this hour, and time since the latest visit",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || custom::importance_pattern(PERIODS_DEFAULT),
    },
    RegisteredPolicy {
        name: "importance-pattern-even",
        summary: "the same with all pages weighing the same, linked or not",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || custom::by_urgency(importance_pattern::EVEN, PERIODS_DEFAULT),
    },
    RegisteredPolicy {
        name: "importance",
        summary: "by page weight, mean importance of changes, and time since the latest visit",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || custom::by_urgency(importance::STRATEGY, PERIODS_DEFAULT),
    },
    RegisteredPolicy {
        name: "pattern",
        summary: "by page weight, number of changes in this hour, and time since the latest visit",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || custom::by_urgency(pattern::STRATEGY, PERIODS_DEFAULT),
    },
    RegisteredPolicy {
        name: "live-value",
        summary: "the version alive that is worth most, by rate, hour and importance",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || custom::live_value(PERIODS_DEFAULT),
    },
    RegisteredPolicy {
        name: "relevance",
        summary: "every page in turn, in the order of PageRank",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::new(ByList::new(relevance::Relevance::default())),
    },
    RegisteredPolicy {
        name: "coherence",
        summary: "every page in turn, the least likely to change first",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::new(ByList::new(Rounds::new(coherence::plan))),
    },
    RegisteredPolicy {
        name: "sharc",
        summary: "every page in turn, the hottest in the middle of each round",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::new(ByList::new(Rounds::new(schedule::organ_pipes))),
    },
    RegisteredPolicy {
        name: "posterior",
        summary: "by the changes to be expected from past, cohort and listings, in a closed form",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::<posterior::Posterior>::default(),
    },
    RegisteredPolicy {
        name: "tintype",
        summary: "ours: the version most worth catching, foretold from past, listings and what other sites taught",
        kind: PolicyKind::Continual,
        offered: &[Use::Keep],
        rolls_dice: false,
        make: || Box::<tintype::Tintype>::default(),
    },
];
