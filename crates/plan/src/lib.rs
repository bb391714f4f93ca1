//! Decides what is asked for next: policies choose, the scheduler makes sure no policy can be rude or overspend.
//!
//! Pure: time is an argument, dice are seeded, nothing is fetched or stored here. The same code runs against the
//! live web and against a simulated one. Read [`Scheduler`] first, then [`Policy`].

mod across;
mod action;
mod alike;
mod authority;
mod budget;
pub mod deadline;
mod dice;
mod entrance;
mod exclusion;
mod families;
mod host;
mod keeper;
mod media;
mod media_filter;
mod pace;
mod page_rank;
mod pages;
mod pattern_rule;
pub mod policy;
mod query_values;
mod replay;
pub mod robots;
pub mod schedule;
mod scheduler;
mod scope;
mod settings;
mod skipped;
mod trap;
mod url_rules;

pub use across::{Depot, Harvest, HarvestPoint, MemoryDepot};
pub use budget::Budget;
pub use dice::Dice;
pub use entrance::Entrance;
pub use exclusion::{Exclusions, Objection};
pub use host::{Access, Asker, HostId, HostPaces, KeptHost, SharedHosts, host_name};
pub use keeper::{
    Bid, DayBudget, DayHours, DaySpending, GAIN_MIN, Keeper, KeptSites, ParseDayHoursError, Pause, SiteTerms, Turn,
};
pub use media::{MediaRule, MediaRules, ParseMediaRuleError};
pub use media_filter::{MediaFilter, MediaGuess, Refusal};
pub use pace::{HostPace, Wait};
pub use pages::{PageInfo, PageState, Pages};
pub use pattern_rule::{ParsePatternRuleError, PatternRule};
pub use policy::{Choice, Policy, View};
pub use replay::{Divergence, replay, replay_with};
pub use scheduler::{Ending, HostCounts, PageLoss, Progress, Scheduler, Step, Upheaval, WishAnswer};
pub use scope::{Scope, ScopeRule};
pub use settings::{Mode, NoFollow, RenderMode, SeedError, Settings, WarmTerms};
pub use skipped::{Skipped, SkippedDirectory};
pub use url_rules::{ParseUrlMaskError, UrlMask, UrlRules};
