//! The paper's focused crawl (Umbrich, Karnstedt, Harth 2009): first what the classifier takes for wanted, likeliest first,
//! then what it takes for HTML, then the rest; nothing is left out. What it thought when a page became known stands.

use super::{
    focused::queue::{Bounds, Queue, Worth},
    view::{Choice, Policy, View},
};
use crate::PageState;
use tintype_learn::media::{MediaAnswer, Model, Sight};
use tintype_vocab::{MediaRange, Observation, Outcome, PageId, Time};

/// A page is taken for what it is more likely than not.
pub(super) const TAKEN_FOR: f32 = 0.5;

#[derive(Debug)]
pub(super) struct BestFirst {
    model: Box<dyn Model>,
    queue: Queue,
    let_go: Vec<PageId>,
    html: MediaRange,
}

impl BestFirst {
    pub(super) fn new(model: Box<dyn Model>, bounds: Bounds) -> BestFirst {
        let html = MediaRange::One("text/html".to_owned());
        BestFirst { model, queue: Queue::new(bounds), let_go: Vec::new(), html }
    }

    fn worth(&self, page: PageId, view: &View<'_>) -> f32 {
        let sight = Sight { url: view.pages.url(page), mention: view.pages.get(page).mention };
        let wanted = view.media.rules.chance(|range| self.model.chance(&sight, range));
        if wanted >= TAKEN_FOR {
            return 2.0 + wanted;
        }
        let html = self.model.chance(&sight, &self.html);
        if html >= TAKEN_FOR { 1.0 + html } else { 0.0 }
    }
}

impl Policy for BestFirst {
    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        let worth = Worth::oldest_first(self.worth(page, view), page);
        self.let_go.extend(self.queue.push(page, worth, view.pages.url(page)));
    }

    fn choose(&mut self, _now: Time, _view: &View<'_>) -> Choice {
        let Some(page) = self.queue.best() else { return Choice::Done };
        self.queue.remove(page);
        Choice::Visit(page)
    }

    fn let_go(&mut self) -> Vec<PageId> {
        std::mem::take(&mut self.let_go)
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        self.queue.remove(page);
        let was_there = matches!(observation.outcome, Outcome::Body { .. });
        if let Some(media_type) = observation.real_media_type()
            && was_there
            && view.pages.get(page).state == PageState::Visited
        {
            let sight = Sight { url: &observation.url, mention: view.pages.get(page).mention };
            self.model.learn(&sight, &MediaAnswer::of(media_type));
        }
    }
}
