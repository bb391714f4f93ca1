//! How a host was asked: what its robots.txt said when it was read, and the pauses that were kept in fact.

use tintype_vocab::{Observation, Outcome, Purpose, Span, Time};

/// Pauses that are remembered, the latest.
const PAUSES_MAX: usize = 512;

/// How one host was asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostAsked {
    /// Requests for robots.txt among them.
    pub requests: u64,
    pub robots: Option<RobotsSeen>,
    /// From one request to the next of the same capture.
    pauses: Vec<Span>,
    last: Option<Time>,
}

/// What came of the latest request for robots.txt.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotsSeen {
    pub at: Time,
    pub outcome: Outcome,
    /// As it was read then, or before if it had not changed.
    pub text: Option<String>,
}

impl HostAsked {
    pub(crate) fn add(&mut self, seen: &Observation) {
        self.requests += 1;
        if let Some(pause) = self.last.map(|last| seen.asked - last).filter(|pause| *pause >= Span::ZERO) {
            if self.pauses.len() >= 2 * PAUSES_MAX {
                self.pauses.drain(..PAUSES_MAX);
            }
            self.pauses.push(pause);
        }
        self.last = self.last.max(Some(seen.asked));
        if seen.purpose == Purpose::Robots {
            let before = self.robots.take().and_then(|robots| robots.text);
            let text = seen.robots.clone().or(before.filter(|_| seen.outcome == Outcome::NotModified));
            self.robots = Some(RobotsSeen { at: seen.asked, outcome: seen.outcome.clone(), text });
        }
    }

    /// A capture ended: what lies between it and the next one is no pause.
    pub(crate) fn rest(&mut self) {
        self.last = None;
    }

    /// The shortest and the middle pause, if there were two requests.
    pub fn pauses(&self) -> Option<(Span, Span)> {
        let mut pauses = self.pauses.clone();
        pauses.sort_unstable();
        Some((*pauses.first()?, pauses[pauses.len() / 2]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::{ChangeRate, PageId, Request, SiteId};

    fn visit(at: i64, purpose: Purpose, outcome: Outcome) -> Observation {
        let url = "https://a.example/".to_owned();
        let request =
            Request { site: SiteId(0), page: PageId(0), url, purpose, attempt: 0, rate: ChangeRate::default() };
        let at = Time::from_secs(at);
        Observation::of(&request, at, at, outcome)
    }

    #[test]
    fn pauses_are_those_within_a_capture_and_robots_txt_stays_what_it_was_until_it_changes() {
        let mut host = HostAsked::default();
        let read = Observation {
            robots: Some("Disallow: /x".to_owned()),
            ..visit(0, Purpose::Robots, Outcome::Body { status: 200 })
        };
        host.add(&read);
        for at in [2, 5, 9] {
            host.add(&visit(at, Purpose::Visit, Outcome::Body { status: 200 }));
        }
        host.rest();
        host.add(&visit(5000, Purpose::Robots, Outcome::NotModified));
        assert_eq!(host.pauses(), Some((Span::from_secs(2), Span::from_secs(3))));
        assert_eq!(host.requests, 5);
        let robots = host.robots.clone().unwrap();
        assert_eq!((robots.at, robots.text.as_deref()), (Time::from_secs(5000), Some("Disallow: /x")));
        host.add(&visit(9000, Purpose::Robots, Outcome::Gone { status: 404 }));
        assert_eq!(host.robots.unwrap().text, None);
    }
}
