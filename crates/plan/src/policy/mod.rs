//! Policies: what to ask for next, if it were up to them alone.
//!
//! A policy sees the known pages, what is believed of them, the budget left and dice. It cannot fetch, sleep or overspend,
//! and it keeps no beliefs of its own about how pages change: it says which learners it reads ([`Policy::learns`]). To add
//! one: one file here and one line in [`REGISTRY`]; the suite in `tests/every_policy.rs` then checks it unasked.

/// What a policy has in mind that its making does not say, as bytes and back.
macro_rules! saves {
    ($($field:ident),*) => {
        fn save(&self) -> Option<Vec<u8>> {
            Some(tintype_learn::stored::to_bytes(&($(&self.$field,)*)))
        }

        fn load(&mut self, bytes: &[u8]) -> bool {
            let Some(($($field,)*)) = tintype_learn::stored::from_bytes(bytes) else { return false };
            $(self.$field = $field;)*
            true
        }
    };
}
mod age_balance;
mod age_price;
mod believed;
mod best_first;
mod breadth_first;
mod by_due;
mod by_frequency;
mod by_index;
mod by_list;
mod by_name;
mod by_rate;
mod by_urgency;
mod change_chance;
mod cho_freshness;
mod coherence;
mod cron;
mod custom;
mod depth_first;
pub(crate) mod focused;
mod heritrix;
mod hub;
mod importance;
mod importance_pattern;
mod ladder;
mod lambda_crawl;
mod live_value;
mod newcomers;
mod nutch;
mod olston_pandey;
mod pattern;
mod planned;
mod posterior;
mod proportional;
mod random;
mod registry;
mod relevance;
mod ripening;
mod rounds;
mod second_pass;
mod sharc_online;
mod sharp;
mod skip;
mod stormcrawler;
mod tintype;
mod two_tier;
mod uniform;
mod view;
mod visit_pace;
mod warm;
mod watching;

pub use by_name::{ALIASES, continual, find, for_run, make, names, needs_memory, offered, with_revisits};
pub use custom::{
    HOPELESS_ABOVE, best_first, focused_bounded, importance_pattern, live_value, sharc_threshold, skip, taught, warm,
};
pub use focused::queue::Bounds;
pub use registry::{CONTINUAL_DEFAULT, DEFAULT, FOCUSED_DEFAULT, PolicyKind, REGISTRY, RegisteredPolicy, Use};
pub use skip::{Grain, Price};
pub use view::{Choice, Policy, View};
