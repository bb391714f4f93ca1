//! A scripted site captured in simulation.

use crate::{
    Site, SiteAnswer,
    simulate::{Answers, simulate_surely},
    weights::importance,
};
use std::{collections::HashMap, convert::Infallible};
use tintype_observe::{Described, look};
use tintype_plan::Scheduler;
use tintype_vocab::{Change, Decision, Observation, Outcome, Purpose, Request, Span, Time};

/// What happened.
#[derive(Clone, Debug, Default)]
pub struct Run {
    pub decisions: Vec<Decision>,
    pub observations: Vec<Observation>,
    /// The clock at the end.
    pub ended: Time,
}

/// Lets a scheduler loose on a site from `start` until it is done. Every answer takes `latency`.
pub fn drive(scheduler: &mut Scheduler, site: &Site, start: Time, latency: Span) -> Run {
    let mut answers = ScriptedAnswers { site, latency, held: HashMap::new(), run: Run::default() };
    let ended = simulate_surely(scheduler, &mut answers, start);
    Run { ended, ..answers.run }
}

/// A scripted site that answers with bytes, and what happened so far.
struct ScriptedAnswers<'s> {
    site: &'s Site,
    latency: Span,
    held: HashMap<String, Vec<u8>>,
    run: Run,
}

impl Answers for ScriptedAnswers<'_> {
    type Error = Infallible;

    fn answer(&mut self, scheduler: &mut Scheduler, request: &Request, now: Time) -> Result<Observation, Infallible> {
        self.run.decisions.extend(scheduler.last_decision().cloned());
        Ok(answer(self.site, request, now, now + self.latency, &mut self.held))
    }

    fn settled(&mut self, _: &mut Scheduler, _: &Request, observation: Observation) {
        self.run.observations.push(observation);
    }
}

/// What a visit to the site teaches, compared with the version held from an earlier visit.
fn answer(
    site: &Site,
    request: &Request,
    asked: Time,
    answered: Time,
    held: &mut HashMap<String, Vec<u8>>,
) -> Observation {
    let mut observation = Observation::of(request, asked, answered, Outcome::Gone { status: 404 });
    let path = request.url.strip_prefix(site.origin()).unwrap_or_default();
    match site.at(path, asked) {
        None | Some((_, SiteAnswer::Gone)) => {}
        Some((_, SiteAnswer::Redirect { to })) => {
            observation.outcome = Outcome::Redirected { status: 302, to: site.url(to) };
        }
        Some((_, SiteAnswer::Body { content_type, bytes })) => {
            observation.outcome = Outcome::Body { status: 200 };
            observation.bytes = bytes.len() as u64;
            let last = held.insert(request.url.clone(), bytes.clone());
            let described = Described { url: &request.url, content_type: Some(content_type), ..Described::default() };
            observation.change = match last {
                None => Change::First,
                Some(last) if last == *bytes => Change::Same,
                Some(last) => Change::New { importance: importance(&described, &last, bytes) },
            };
            if request.purpose == Purpose::Robots {
                observation.robots = Some(String::from_utf8_lossy(bytes).into_owned());
            } else {
                let seen = look(&described, bytes);
                (observation.media_type, observation.sniffed) = (seen.media_type, seen.sniffed);
                (observation.links, observation.gist) = (seen.links, seen.gist);
            }
        }
    }
    observation
}
