//! Policies with parameters of one's own, for experiments and for the registry.

use super::{
    best_first::BestFirst,
    by_list::ByList,
    by_urgency::{ByUrgency, Strategy},
    focused::{Focused, Surplus, queue::Bounds},
    importance_pattern::STRATEGY as IMPORTANCE_PATTERN,
    live_value::LiveValue,
    planned::Planned,
    sharp::{Looks, Sharp},
    skip::{Grain, Price, Skip},
    tintype::Tintype,
    two_tier::TwoTier,
    view::{Policy, View},
    warm::Warm,
};
use crate::schedule;
use std::sync::Arc;
use tintype_learn::{directory::Thresholds, forecast::Forest, media::Model, pattern::Calendar};
use tintype_vocab::Span;

/// The paper does not say; this reproduces its table.
pub const HOPELESS_ABOVE: f64 = 0.7;

/// Ours above the pages, at a price and a grain of one's own.
pub fn skip(price: Price, grain: Grain) -> Box<dyn Policy> {
    Box::new(TwoTier::new(Skip::new(price, grain), default_below()))
}

/// WARM as the settings of the run say.
pub(super) fn warm_as_set() -> Box<dyn Policy> {
    Box::new(TwoTier::new(Warm::new(None), default_below()))
}

/// WARM with thresholds of one's own, whatever the settings of the run say.
pub fn warm(thresholds: Thresholds) -> Box<dyn Policy> {
    Box::new(TwoTier::new(Warm::new(Some(thresholds)), default_below()))
}

fn default_below() -> Box<dyn Policy> {
    Box::new(Sharp::new(Looks::AgainInTheMiddle))
}

/// The paper's focused crawl by any classifier, with a queue of any length or a bounded one.
pub fn best_first(model: Box<dyn Model>, bounds: Option<Bounds>) -> Box<dyn Policy> {
    Box::new(BestFirst::new(model, bounds.unwrap_or(Bounds::NONE)))
}

/// Ours that keeps so many pages in mind, and gives up what there is no room for.
pub fn focused_bounded(room: usize) -> Box<dyn Policy> {
    Box::new(Focused::new(room, Surplus::LetGo))
}

/// Importance-Pattern with so many periods a day.
pub fn importance_pattern(periods: u16) -> Box<dyn Policy> {
    by_urgency(IMPORTANCE_PATTERN, periods)
}

/// The live value with so many periods a day.
pub fn live_value(periods: u16) -> Box<dyn Policy> {
    Box::new(ByList::new(LiveValue::new(Calendar::new(periods, Span::ZERO))))
}

pub(super) fn by_urgency(strategy: Strategy, periods: u16) -> Box<dyn Policy> {
    Box::new(ByList::new(ByUrgency::new(strategy, Calendar::new(periods, Span::ZERO))))
}

/// Ours, taught by other sites than what ships.
pub fn taught(forest: Arc<Forest>) -> Box<dyn Policy> {
    Box::new(Tintype::taught_by(forest))
}

/// SHARC-threshold with a threshold of one's own, where a capture brings none.
pub fn sharc_threshold(hopeless_above: f64) -> Box<dyn Policy> {
    let plan = move |site: &schedule::RatedSite, view: &View<'_>| {
        schedule::pyramid(site, &schedule::threshold(site, view.hopeless_above.unwrap_or(hopeless_above)))
    };
    Box::new(Planned::new(true, plan))
}
