//! Which wanted files a capture brought, once it has ended.

use super::plan::Plan;
use crate::{failure::sentence, media::collected::Collected, memory::media::Lessons, outlook::Outlook};
use std::rc::Rc;
use tintype_archive::{CaptureId, Collection};
use tintype_plan::MediaRules;

/// What it takes to say which wanted files a capture brought.
pub(super) struct Brought {
    rules: MediaRules,
    lessons: Rc<Lessons>,
}

impl Brought {
    pub(super) fn of(plan: &Plan) -> Brought {
        Brought { rules: plan.site.scheduler.settings().media.clone(), lessons: plan.lessons.clone() }
    }

    /// Nothing if everything was wanted. It is not worth a capture: what cannot be told is not.
    pub(super) fn tell(&self, collection: &Collection, outlook: &Outlook) -> Option<Collected> {
        let capture = CaptureId::from_text(&outlook.capture);
        let told = || {
            let history = collection.history(&outlook.site)?;
            Collected::of(&collection.reading(), &capture, &history, &self.rules, &self.lessons)
        };
        let told = (!self.rules.is_empty()).then(told)?;
        told.inspect_err(|error| eprintln!("what was wanted cannot be counted: {}", sentence(error))).ok()
    }
}
