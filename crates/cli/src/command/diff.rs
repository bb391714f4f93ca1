//! `tintype diff`: the whole difference between two versions of a page.

use super::{
    Common,
    changes::{advertisements, archive_address},
};
use crate::{amount::parse_moment, config::Config, failure::usage, out, plain::printable};
use anyhow::Context;
use clap::Args;
use std::{io::IsTerminal, path::PathBuf, process::ExitCode};
use tintype_archive::{Collection, put_file};
use tintype_live::clock;
use tintype_session::{
    diff::{NoDiff, PageDiff, diff_html, diff_text},
    feed::EventJudge,
};
use tintype_vocab::Time;

/// Show all that differs between two versions of a page, word by word, with where both are archived
///
/// Without --from and --to the last two versions are compared; --to T is the version seen last at or before that time, --from T
/// the one to compare it with. What moved is marked as moved; what is the same is counted, and in HTML folded, never left out.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype diff https://example.com/prices\n  tintype diff https://example.com/prices --from 2026-11-01 --to 2026-11-15\n  tintype diff https://example.com/prices --html diff.html     (side by side and in one column; needs no script)\n  tintype diff https://example.com/prices --json | jq .delta   (applicable in both directions)"
)]
pub(crate) struct Options {
    /// The address of the page
    #[arg(value_name = "URL")]
    url: String,
    #[command(flatten)]
    common: Common,
    /// The version before: the one seen last then
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// The version after: the one seen last then
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    /// Write one HTML file
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<PathBuf>,
    /// Write text, which is what happens anyway
    #[arg(long, conflicts_with_all = ["json", "html"])]
    text: bool,
    /// Where tintype serve answers, for links to archived versions
    #[arg(long, value_name = "URL")]
    archive: Option<String>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let directory = &options.common.collection;
    let moment = |text: &Option<String>| {
        text.as_deref()
            .map(|text| parse_moment(text, clock::now()))
            .transpose()
            .map_err(|problem| usage(problem, "see tintype diff --help"))
    };
    let times = (moment(&options.from)?, moment(&options.to)?);
    let (config, reading) = (Config::read(directory)?, Collection::read(directory)?);
    let advertisements = advertisements(directory);
    let archive = archive_address(options.archive.as_deref(), &config);
    let mut judge = EventJudge::new(&reading, &advertisements);
    let diff = PageDiff::between(&reading, &mut judge, &options.url, times, &archive)?;
    let diff = diff.map_err(|none| explain(&options.url, &none))?;
    match &options.html {
        Some(path) => {
            put_file(path, diff_html(&diff).as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
            out::line(&format!("{} written", path.display()));
        }
        None if options.common.json => out::json(&diff),
        None => {
            let colours =
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
            out::text(&diff_text(&diff, &|sign, text| painted(colours, sign, text)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn painted(colours: bool, sign: char, text: &str) -> String {
    match (colours, sign) {
        (true, '-') => format!("\u{1b}[31m{text}\u{1b}[0m"),
        (true, '+') => format!("\u{1b}[32m{text}\u{1b}[0m"),
        _ => text.to_owned(),
    }
}

fn explain(url: &str, none: &NoDiff) -> anyhow::Error {
    let url = printable(url);
    let date = Time::to_rfc3339_secs;
    match none {
        NoDiff::NothingHeld => usage(format!("no version of {url} is held"), "tintype captures lists what there is"),
        NoDiff::OneVersion(first, last) => usage(
            format!("{url} was the same whenever it was seen, from {} to {}", date(*first), date(*last)),
            "name other times with --from and --to, or wait for another capture",
        ),
        NoDiff::NotSeenYet(time) => {
            usage(format!("no version of {url} was seen at or before {}", date(*time)), "name a later time")
        }
    }
}
