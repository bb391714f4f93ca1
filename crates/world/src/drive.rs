//! The line of a page in simulation: next, fetch, settle, with a clock that jumps to the next event.

use crate::{Answer, Site, weights::importance};
use std::collections::HashMap;
use tintype_observe::{Described, look};
use tintype_plan::{Scheduler, Step};
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
    let (mut now, mut run) = (start, Run::default());
    let mut held: HashMap<String, Vec<u8>> = HashMap::new();
    loop {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                run.decisions.extend(scheduler.last_decision().cloned());
                let observation = answer(site, &request, now, now + latency, &mut held);
                now += latency;
                scheduler.settle(&observation);
                run.observations.push(observation);
            }
            Step::WaitUntil(until) => now = until.max(now + Span::from_millis(1)),
            Step::Idle | Step::Done => break,
        }
    }
    run.ended = now;
    run
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
        None | Some((_, Answer::Gone)) => {}
        Some((_, Answer::Redirect { to })) => {
            observation.outcome = Outcome::Redirected { status: 302, to: site.url(to) };
        }
        Some((_, Answer::Body { content_type, bytes })) => {
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
                observation.links = seen.links;
            }
        }
    }
    observation
}
