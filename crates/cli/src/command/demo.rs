//! `tintype demo`: the whole line of a page, offline, in a few seconds.

use super::capture;
use anyhow::Context;
use clap::{Args, Parser};
use std::{
    path::PathBuf,
    process::ExitCode,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicI64, Ordering},
    },
};
use tintype_serve::site::{Server, reply};
use tintype_vocab::{Span, Time};
use tintype_world::{Site, newsroom};

/// The newsroom's first edition, and how long until the second.
const START: Time = Time::from_secs(1_790_000_000);
const INTERVAL: Span = Span::from_secs(6 * 3600);

/// Watch it work, offline: a small newsroom is captured, changes, and is captured again
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Where to put the demo's collection
    #[arg(long, default_value = "tintype-demo", value_name = "DIR")]
    out: PathBuf,
}

#[derive(Debug, Parser)]
struct CaptureLine {
    #[command(flatten)]
    options: capture::Options,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let clock = Arc::new(AtomicI64::new(START.as_millis()));
    let server = serve(clock.clone())?;
    println!("A newsroom of some thirty pages is now at {}.", server.origin());
    println!("\nFirst capture, without a pause because the server is ours:");
    let first = capture_once(options, &server)?;
    println!(
        "\nSix hours pass there: the front page and one section move, a story is corrected, one is withdrawn, one is new."
    );
    clock.store((START + INTERVAL).as_millis(), Ordering::SeqCst);
    println!("\nSecond capture, asking only whether pages have changed:");
    let second = capture_once(options, &server)?;
    let saved = 100.0 * (1.0 - second.bytes as f64 / first.bytes.max(1) as f64);
    println!(
        "\nThe second capture noticed {} changed and {} new of {} pages with {saved:.0} % fewer bytes.",
        second.changed, second.first, second.pages
    );
    println!("\nEverything is in {} as WARC and CDXJ that any web-archive tool reads.", options.out.display());
    println!("next: tintype verify -C {}        check every byte of it", options.out.display());
    println!("      tintype capture https://example.com/        capture a site of your own");
    Ok(ExitCode::SUCCESS)
}

fn capture_once(options: &Options, server: &Server) -> anyhow::Result<tintype_quality::Tally> {
    let out = options.out.to_str().context("the directory's name is not text")?;
    let seed = format!("{}/", server.origin());
    let line = CaptureLine::parse_from(["capture", &seed, "-C", out, "--delay", "0", "--fresh"]);
    let outlooks = capture::capture_quietly(&line.options)?;
    for outlook in &outlooks {
        print!("{}", outlook.text(std::time::Duration::from_secs_f64(outlook.seconds)));
    }
    Ok(outlooks.into_iter().next().context("the demo has one site")?.tally)
}

/// Serves the newsroom as it stands at the clock's time.
fn serve(clock: Arc<AtomicI64>) -> anyhow::Result<Server> {
    // The site writes its own address into its sitemap, so the address must be known before the site is.
    let built = Arc::new(OnceLock::<Site>::new());
    let site = built.clone();
    let server = Server::start(([127, 0, 0, 1], 0).into(), move |question| {
        let now = Time::from_millis(clock.load(Ordering::SeqCst));
        let Some(site) = site.get() else { return reply(503, &[], Vec::new()) };
        let answer = site.respond(&question.target, question.if_none_match.as_deref(), now);
        reply(answer.status, &answer.headers, answer.body)
    })
    .context("cannot listen on 127.0.0.1")?;
    built.get_or_init(|| newsroom(&server.origin(), START, INTERVAL));
    Ok(server)
}
