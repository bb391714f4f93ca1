//! `tintype demo`: the whole product on a made-up newspaper, offline, within a minute.

use super::lab::{Live, reply};
use crate::out;
use anyhow::Context;
use clap::Args;
use std::{io::IsTerminal, path::PathBuf, process::ExitCode, time::Instant};
use tintype_lab::demo::{self, Newspaper};
use tintype_live::clock;
use tintype_serve::site::Bound;
use tintype_vocab::Span;

/// Watch it work, offline, within a minute: a made-up newspaper is captured for a week, and what that taught is put to use
///
/// Serves the newspaper on this machine, captures it for a week of its own time, compares what was learned
/// with what really happened there, and plays the weeks after with the same number of visits spent in different ways.
/// Needs no network, changes nothing but the directory it writes its collection to.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Where to put the demo's collection
    #[arg(long, default_value = "tintype-demo", value_name = "DIR")]
    out: PathBuf,
    /// Print one JSON object for machines instead of text for people
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let bound = Bound::to(([127, 0, 0, 1], 0).into()).context("cannot listen on 127.0.0.1")?;
    let (began, now) = (Instant::now(), clock::now());
    let (mut newspaper, past) = Newspaper::open(&bound.origin(), now);
    let site_clock = newspaper.clock();
    let server = bound.serve(move |question| reply(&past, question, |ask| past.answer(ask, site_clock())));
    let server = server.context("cannot serve")?;
    let tell = |text: String| {
        if !options.json {
            // A reader that went away is no reason to stop.
            let _ = out::bytes(text.as_bytes());
        }
    };
    let facts = demo::run(&mut newspaper, &Live, &options.out, &tell)?;
    if options.json {
        out::json(&facts);
    } else if std::io::stdout().is_terminal() {
        drop(server);
        // The week is over.
        clock::run(now + Span::from_millis(began.elapsed().as_millis() as i64), 1.0);
        super::serve::look_at(&options.out)?;
    } else {
        out::line(&format!("\n   # and look at it in a browser\n   tintype serve -C {}", options.out.display()));
    }
    Ok(if facts.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
