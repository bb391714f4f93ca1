//! Which URLs are wanted, how much is told, and whether the file is to remember it.

use crate::{
    failure::usage,
    settings::{Typed, list},
};
use anyhow::Context;
use clap::Args;
use std::io::Read;
use tintype_plan::UrlMask;

/// More URLs than anybody lists in a file.
const URL_FILE_MAX: u64 = 64 << 20;
/// No server takes a longer one.
const URL_LINE_MAX: usize = 64 << 10;

/// What captures and keeping have in common.
#[derive(Debug, Args)]
pub(crate) struct Choice {
    /// Only pages whose URL matches, and what they are made of: '/news/*' (path and query), 'example.com/a/*', '*.html', or
    /// re: and a regular expression. Where you start from is always taken; may be given several times
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    include: Vec<String>,
    /// Nothing whose URL matches ('/calendar/*', '*?print=*', 're:/page/[0-9]{3,}'); may be given several times
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    exclude: Vec<String>,
    /// Start from the URLs in this file, one on a line; - reads them from standard input
    #[arg(long = "urls", value_name = "FILE")]
    url_file: Option<String>,
    /// Ask this host for what its robots.txt forbids, because you may; its pauses are kept. The WARC files say so
    #[arg(long, value_name = "HOST")]
    ignore_robots: Vec<String>,
    /// Write what was typed to tintype.toml, for all runs to come; without it the command line speaks for this run alone
    #[arg(long)]
    pub(crate) save: bool,
    /// Say nothing unless something fails
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// A pattern as it was typed, if it is one.
fn pattern(text: &str) -> Result<String, String> {
    text.parse::<UrlMask>().map(|_| text.to_owned()).map_err(|error| error.to_string())
}

impl Choice {
    pub(crate) fn typed(&self) -> Typed {
        let lists = [("include", &self.include), ("exclude", &self.exclude), ("ignore-robots", &self.ignore_robots)];
        lists.into_iter().filter_map(|(key, values)| list(key, values)).collect()
    }

    /// Whether a file names URLs.
    pub(crate) fn has_urls(&self) -> bool {
        self.url_file.is_some()
    }

    /// Where to start: what was typed, and what the file of URLs has.
    pub(crate) fn urls(&self, typed: &[String]) -> anyhow::Result<Vec<String>> {
        let Some(name) = &self.url_file else { return Ok(typed.to_vec()) };
        let mut text = String::new();
        match name.as_str() {
            "-" => std::io::stdin().take(URL_FILE_MAX).read_to_string(&mut text),
            path => std::fs::File::open(path).and_then(|file| file.take(URL_FILE_MAX).read_to_string(&mut text)),
        }
        .with_context(|| format!("cannot read URLs from {name}"))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        if let Some((nth, _)) = text.lines().enumerate().find(|(_, line)| line.len() > URL_LINE_MAX) {
            return Err(usage(
                format!("line {} of {name} is too long for a URL", nth + 1),
                "write one URL on a line, such as https://example.com/",
            ));
        }
        let urls: Vec<String> = typed.iter().cloned().chain(lines.map(str::to_owned)).collect();
        match urls.is_empty() {
            true => Err(usage(
                format!("there is no URL in {name}"),
                "write one URL on a line, such as https://example.com/",
            )),
            false => Ok(urls),
        }
    }
}
