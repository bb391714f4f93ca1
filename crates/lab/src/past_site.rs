//! The time machine: a past site as a web server that is told the time. Listening on a socket is left to the caller.

mod faults;

pub use faults::Faults;

use crate::open::OpenedSite;
use serde_json::json;
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tintype_vocab::{Span, Time, amount::counted};
use tintype_world::machine::{Machine, MachineRequest, site_clock};

/// An answer in HTTP's terms.
#[derive(Clone, Debug, Default)]
pub struct PastAnswer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Why what was recorded could not be read, if so.
    pub unreadable: Option<String>,
}

/// A past site that answers as it did at any time.
#[derive(Debug)]
pub struct PastSite {
    machine: Mutex<Machine>,
    origin: String,
}

impl PastSite {
    pub fn new(machine: Machine, origin: String) -> PastSite {
        PastSite { machine: Mutex::new(machine), origin }
    }

    /// The page of the history that a request asks for.
    pub fn page_of(&self, target: &str) -> Option<u32> {
        locked(&self.machine).page_of(target)
    }

    /// Scheme and host of its URLs, where a request names no host.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub fn answer(&self, ask: &MachineRequest<'_>, now: Time) -> PastAnswer {
        let mut headers = clock_headers(now);
        match locked(&self.machine).respond(ask, now) {
            Ok(document) => {
                headers.extend(document.content_type.map(|value| ("Content-Type".to_owned(), value)));
                headers.extend(document.headers);
                PastAnswer { status: document.status, headers, body: document.body, unreadable: None }
            }
            Err(unreadable) => {
                let body = format!("{unreadable}\n").into_bytes();
                PastAnswer { status: 500, headers, body, unreadable: Some(unreadable.to_string()) }
            }
        }
    }
}

/// The site's clock, and what goes wrong on purpose.
#[derive(Debug)]
pub struct FastSite {
    pub site: PastSite,
    from: Time,
    speed: f64,
    faults: Mutex<Faults>,
}

impl FastSite {
    /// A site whose clock begins at `from` and runs `speed` times as fast as ours.
    pub fn new(site: PastSite, from: Time, speed: f64, faults: Faults) -> FastSite {
        FastSite { site, from, speed, faults: Mutex::new(faults) }
    }

    /// The answer so long after the server began.
    pub fn answer(&self, ask: &MachineRequest<'_>, elapsed: Duration) -> PastAnswer {
        let now = at(self.from, self.speed, elapsed);
        let Some(fault) = locked(&self.faults).strikes(elapsed) else { return self.site.answer(ask, now) };
        let mut headers = clock_headers(now);
        headers.extend(fault.retry_after().map(|seconds| ("Retry-After".to_owned(), seconds.to_owned())));
        PastAnswer { status: fault.status(), headers, ..PastAnswer::default() }
    }
}

fn at(from: Time, speed: f64, elapsed: Duration) -> Time {
    from + Span::from_millis((elapsed.as_secs_f64() * 1000.0 * speed) as i64)
}

fn clock_headers(now: Time) -> Vec<(String, String)> {
    site_clock(now).into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What a panic left behind is still a machine: every request begins anew.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is told of a site before it is served.
#[derive(Clone, Debug)]
pub struct PastSiteFacts {
    name: String,
    pages: usize,
    events: usize,
    /// The recorded window.
    from: Time,
    to: Time,
    site_time: Time,
    has_bodies: bool,
}

impl PastSiteFacts {
    pub fn new(opened: &OpenedSite, site_time: Time) -> PastSiteFacts {
        PastSiteFacts {
            name: opened.name.clone(),
            pages: opened.history.pages(),
            events: opened.history.events().len(),
            from: opened.from,
            to: opened.to,
            site_time,
            has_bodies: opened.contents.is_some(),
        }
    }

    pub fn json(&self, url: &str, speed: f64) -> String {
        let PastSiteFacts { name, pages, events, from, to, site_time, has_bodies } = self;
        let facts = json!({
            "url": url, "history": name, "pages": pages, "events": events, "bodies": has_bodies,
            "from": from.to_rfc3339_secs(), "to": to.to_rfc3339_secs(),
            "site_time": site_time.to_rfc3339(), "speed": speed,
        });
        facts.to_string()
    }

    pub fn text(&self, url: &str, speed: f64) -> String {
        let PastSiteFacts { name, pages, events, site_time, has_bodies, .. } = self;
        let size = format!("{}, {}", counted(*pages as u64, "page"), counted(*events as u64, "event"));
        let mut text = format!("{url}  {name} ({size}) at {site_time}, {}\n", pace(speed));
        if !has_bodies {
            text += "  the bodies were not recorded: every version is a sentence of its own\n";
        }
        text + &format!("next: tintype capture {url} --delay 0        Ctrl-C stops the site\n")
    }
}

fn pace(speed: f64) -> String {
    match speed {
        0.0 => "its clock stopped".to_owned(),
        1.0 => "as fast as our time".to_owned(),
        _ => format!("{speed} times as fast as our time"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_runs_as_fast_as_it_is_told() {
        let from = Time::from_secs(1000);
        let after = |speed| at(from, speed, Duration::from_millis(1500)).as_millis();
        assert_eq!([0.0, 1.0, 0.5, 10_000.0].map(after), [1_000_000, 1_001_500, 1_000_750, 16_000_000]);
        assert!(at(from, 1e9, Duration::MAX) > from);
    }
}
