//! `tintype lab serve`: the time machine, a past site as a live one.

use super::{
    open::{Opened, Source},
    parse_time,
    trouble::Trouble,
};
use crate::amount::{counted, parse_span};
use anyhow::Context;
use clap::{Args, ValueEnum};
use std::{
    net::SocketAddr,
    process::ExitCode,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use tintype_serve::site::{Bound, Question, Reply, recorded};
use tintype_vocab::{Span, Time};
use tintype_world::machine::{Ask, Machine, Sitemap, site_clock};

/// Play a recorded or made-up site as a live web server whose clock runs as fast as you like
///
/// Every request is answered with the version that was alive at the site's time: right bodies, Last-Modified and ETag,
/// 304 for a copy that is still right, 404 before a page appeared and after it was deleted. Every answer says in
/// X-Site-Time which moment it shows. Bodies are served as recorded: links that name the recorded host lead there.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab serve --history openbsd --speed 10000\n  tintype lab serve --history openbsd --from 2024-03-01T00:00:00Z --speed 0 --bind 127.0.0.1:8080\n  tintype lab serve --world news --pages 300 --speed 3600 --sitemap honest --errors 0.02\n  tintype lab serve --history collection --site example.com        (a collection of your own)"
)]
pub(crate) struct Options {
    #[command(flatten)]
    source: Source,
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    bind: SocketAddr,
    /// The site's time to begin at, as unix seconds or RFC 3339; by default where the recording begins
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    from: Option<Time>,
    /// How many seconds pass at the site in one of ours; 0 stops its clock
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = parse_speed)]
    speed: f64,
    /// A sitemap of all pages at /sitemap.xml, in place of any the site had
    #[arg(long, value_name = "KIND", default_value = "none")]
    sitemap: Announced,
    /// Wait so many milliseconds before every answer
    #[arg(long, value_name = "MS", default_value_t = 0)]
    latency: u64,
    /// Share of requests that fail with 503, from 0 to 1; --seed decides which
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = parse_share)]
    errors: f64,
    /// Answer 429 with Retry-After to more requests than this in a second
    #[arg(long, value_name = "N")]
    rate_limit: Option<u32>,
    /// Stop after so long (30, 5min, 2h) instead of running until Ctrl-C
    #[arg(long = "for", value_name = "SPAN", value_parser = parse_span)]
    lasting: Option<Span>,
    /// Print one JSON object for machines instead of text for people
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Announced {
    /// Every page alive with the time of its last change
    Honest,
    /// What was true a day ago
    Lagging,
    /// Every page alive with a wrong time: changed ones say never, unchanged ones say now
    Lying,
    /// No sitemap but what the site itself had
    None,
}

impl Announced {
    fn sitemap(self) -> Option<Sitemap> {
        match self {
            Announced::Honest => Some(Sitemap::Honest),
            Announced::Lagging => Some(Sitemap::Lagging),
            Announced::Lying => Some(Sitemap::Lying),
            Announced::None => None,
        }
    }
}

fn parse_speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| (0.0..=1e9).contains(speed));
    speed.ok_or_else(|| "write a number from 0 to 1000000000, such as 10000".to_owned())
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share from 0 to 1, such as 0.05".to_owned())
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let bound = Bound::to(options.bind).with_context(|| format!("cannot listen on {}", options.bind))?;
    let bound = bound.with_latency(Duration::from_millis(options.latency));
    let origin = bound.origin();
    let opened = options.source.open(&origin)?;
    let from = options.from.unwrap_or(opened.from);
    let about = About::of(&opened, from);
    let machine = Machine::new(opened.history, opened.contents, options.sitemap.sitemap());
    let entrance = format!("{origin}{}", machine.entrance(from).unwrap_or("/"));
    let past = Past {
        clock: Clock { from, speed: options.speed, began: Instant::now() },
        site: Site::new(machine, origin),
        trouble: Mutex::new(Trouble::new(options.errors, options.rate_limit, options.source.seed)),
    };
    let server = bound.serve(move |question| past.answer(question)).context("cannot serve")?;
    about.print(options, &entrance);
    wait(options.lasting)?;
    drop(server);
    Ok(ExitCode::SUCCESS)
}

/// Until Ctrl-C, or so long.
fn wait(lasting: Option<Span>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    runtime.block_on(async {
        let over = async {
            match lasting {
                Some(span) => tokio::time::sleep(Duration::from_millis(span.as_millis().unsigned_abs())).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted.context("cannot wait for Ctrl-C"),
            () = over => Ok(()),
        }
    })
}

/// The site's clock.
#[derive(Clone, Copy, Debug)]
struct Clock {
    from: Time,
    speed: f64,
    began: Instant,
}

impl Clock {
    fn at(&self, elapsed: Duration) -> Time {
        self.from + Span::from_millis((elapsed.as_secs_f64() * 1000.0 * self.speed) as i64)
    }
}

/// What is being served.
struct Past {
    clock: Clock,
    site: Site,
    trouble: Mutex<Trouble>,
}

impl Past {
    fn answer(&self, question: &Question) -> Reply {
        let elapsed = self.clock.began.elapsed();
        let now = self.clock.at(elapsed);
        if let Some(failure) = locked(&self.trouble).strikes(elapsed) {
            let clock = site_clock(now);
            let clock = clock.iter().map(|(name, value)| (*name, value.as_str()));
            let retry = failure.retry_after().map(|seconds| ("Retry-After", seconds));
            return recorded(failure.status(), clock.chain(retry), Vec::new());
        }
        self.site.answer(question, now)
    }
}

/// A past site as a web server that is told the time.
pub(super) struct Site {
    machine: Mutex<Machine>,
    origin: String,
}

impl Site {
    pub(super) fn new(machine: Machine, origin: String) -> Site {
        Site { machine: Mutex::new(machine), origin }
    }

    pub(super) fn answer(&self, question: &Question, now: Time) -> Reply {
        let clock = site_clock(now);
        let clock = clock.iter().map(|(name, value)| (*name, value.as_str()));
        let origin = question.host.as_ref().map_or_else(|| self.origin.clone(), |host| format!("http://{host}"));
        let ask = Ask {
            target: &question.target,
            origin: &origin,
            if_none_match: question.if_none_match.as_deref(),
            if_modified_since: question.if_modified_since.as_deref(),
        };
        match locked(&self.machine).respond(&ask, now) {
            Ok(document) => {
                let content_type = document.content_type.as_deref().map(|value| ("Content-Type", value));
                let fields = document.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                recorded(document.status, clock.chain(content_type).chain(fields), document.body)
            }
            Err(unreadable) => {
                eprintln!("{}: {unreadable}", question.target);
                recorded(500, clock, format!("{unreadable}\n").into_bytes())
            }
        }
    }
}

/// What a panic left behind is still a machine: every request begins anew.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is told of the site before it is served.
struct About {
    name: String,
    pages: usize,
    events: usize,
    /// The recorded window.
    from: Time,
    to: Time,
    site_time: Time,
    has_bodies: bool,
}

impl About {
    fn of(opened: &Opened, site_time: Time) -> About {
        About {
            name: opened.name.clone(),
            pages: opened.history.pages(),
            events: opened.history.events().len(),
            from: opened.from,
            to: opened.to,
            site_time,
            has_bodies: opened.contents.is_some(),
        }
    }

    fn print(&self, options: &Options, url: &str) {
        let About { name, pages, events, from, to, site_time, has_bodies } = self;
        if options.json {
            let facts = serde_json::json!({
                "url": url, "history": name, "pages": pages, "events": events, "bodies": has_bodies,
                "from": from.to_rfc3339_secs(), "to": to.to_rfc3339_secs(),
                "site_time": site_time.to_rfc3339(), "speed": options.speed,
            });
            println!("{facts}");
            return;
        }
        let size = format!("{}, {}", counted(*pages as u64, "page"), counted(*events as u64, "event"));
        println!("{url}  {name} ({size}) at {site_time}, {}", pace(options.speed));
        if !has_bodies {
            println!("  the bodies were not recorded: every version is a sentence of its own");
        }
        println!("next: tintype capture {url} --delay 0        Ctrl-C stops the site");
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
        let clock = |speed| Clock { from: Time::from_secs(1000), speed, began: Instant::now() };
        let after = |speed| clock(speed).at(Duration::from_millis(1500)).as_millis();
        assert_eq!([0.0, 1.0, 0.5, 10_000.0].map(after), [1_000_000, 1_001_500, 1_000_750, 16_000_000]);
        assert!(clock(1e9).at(Duration::MAX) > Time::from_secs(1000));
    }
}
