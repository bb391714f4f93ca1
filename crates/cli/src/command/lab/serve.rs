//! `tintype lab serve`: the time machine, a past site as a live one.

use super::site::SiteArgs;
use crate::amount::{parse_share, parse_span, parse_time};
use crate::out::{self, mention, say};
use anyhow::Context;
use clap::{Args, ValueEnum};
use std::{
    net::SocketAddr,
    process::ExitCode,
    time::{Duration, Instant},
};
use tintype_lab::{FastSite, Faults, PastAnswer, PastSite, PastSiteFacts};
use tintype_serve::site::{Bound, Question, Reply, recorded};
use tintype_vocab::{Span, Time};
use tintype_world::machine::{Machine, MachineRequest, Sitemap};

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
    site: SiteArgs,
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
    /// PastAnswer 429 with Retry-After to more requests than this in a second
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
pub(super) enum Announced {
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
    pub(super) fn sitemap(self) -> Option<Sitemap> {
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

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let bound = Bound::to(options.bind).with_context(|| format!("cannot listen on {}", options.bind))?;
    let bound = bound.with_latency(Duration::from_millis(options.latency));
    let origin = bound.origin();
    let opened = options.site.source().open(&origin)?;
    let from = options.from.unwrap_or(opened.from);
    let facts = PastSiteFacts::new(&opened, from);
    let machine = Machine::new(opened.history, opened.contents, options.sitemap.sitemap());
    let entrance = format!("{origin}{}", machine.entrance(from).unwrap_or("/"));
    let faults = Faults::new(options.errors, options.rate_limit, options.site.seed);
    let past = FastSite::new(PastSite::new(machine, origin), from, options.speed, faults);
    let began = Instant::now();
    let answer = move |question: &Question| reply(&past.site, question, |ask| past.answer(ask, began.elapsed()));
    let server = bound.serve(answer).context("cannot serve")?;
    match options.json {
        true => say!("{}", facts.json(&entrance, options.speed)),
        false => out::text(&facts.text(&entrance, options.speed)),
    }
    wait(options.lasting)?;
    drop(server);
    Ok(ExitCode::SUCCESS)
}

/// The reply of a past site to a question that came over a socket.
pub(crate) fn reply(site: &PastSite, question: &Question, answer: impl Fn(&MachineRequest<'_>) -> PastAnswer) -> Reply {
    let origin = question.host.as_ref().map_or_else(|| site.origin().to_owned(), |host| format!("http://{host}"));
    let PastAnswer { status, headers, body, unreadable } = answer(&MachineRequest {
        target: &question.target,
        origin: &origin,
        if_none_match: question.if_none_match.as_deref(),
        if_modified_since: question.if_modified_since.as_deref(),
    });
    if let Some(unreadable) = unreadable {
        mention!("{}: {unreadable}", question.target);
    }
    recorded(status, headers.iter().map(|(name, value)| (name.as_str(), value.as_str())), body)
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
