//! `tintype learn media`: what is thought to be behind a URL, and why.

mod said;
mod text;

use crate::{
    command::Common,
    failure::{no_capture_yet, usage},
    memory::media::{Mentions, Remembered, answer},
};
use anyhow::Context;
use clap::Args;
use said::{Explained, Foretold, Pattern, Said};
use std::{collections::HashMap, process::ExitCode};
use tintype_archive::{Collection, Reading};
use tintype_learn::media::{Media, Model, Sight, Stream};
use tintype_vocab::{Entry, Observation, Time};

/// Bytes of memory for the patterns of a collection.
const PATTERNS_BYTES: usize = 8 << 20;

/// Show what is thought to be behind URLs before asking, why, and which patterns were learned
///
/// For each URL: the chance of every content type, the likeliest media types, whether it carries links, how long it is, and
/// the signs that speak for it with their weights. The model comes with knowledge of other sites and learns from every
/// answer of this collection; where there is no collection it is shown as it comes.
///
/// Without a URL: the patterns that say most about media types here, of one domain if asked, and how well guesses made
/// before asking came true.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype learn media https://example.com/download/123     (what is it, and why)\n  tintype learn media                                      (the strongest patterns of this collection)\n  tintype learn media --domain example.com --top 30\n  tintype capture example.com --media image                (asks only for what is likely one, and pages that lead there)"
)]
pub(crate) struct Options {
    /// What to explain; by default the strongest patterns are listed
    #[arg(value_name = "URL")]
    urls: Vec<String>,
    #[command(flatten)]
    common: Common,
    /// Only patterns of this domain
    #[arg(long, value_name = "DOMAIN", conflicts_with = "urls")]
    domain: Option<String>,
    /// How many patterns, or reasons for a URL, are shown
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=1000))]
    top: u16,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let said = said(options)?;
    match options.common.json {
        true => println!("{}", serde_json::to_string(&said).context("what was learned is plain data")?),
        false => print!("{}", text::of(&said)),
    }
    Ok(ExitCode::SUCCESS)
}

fn said(options: &Options) -> anyhow::Result<Said> {
    let source = options.common.collection.display().to_string();
    let reading = match Collection::read(&options.common.collection) {
        Ok(reading) => reading,
        Err(_) if !options.urls.is_empty() && !options.common.collection.exists() => {
            return Ok(as_shipped(options));
        }
        Err(error) => return Err(error.into()),
    };
    let Remembered { lessons, captures, .. } = Remembered::of(&options.common.collection, &reading, Time::MAX)?;
    if captures.is_empty() && options.urls.is_empty() {
        return Err(no_capture_yet(&options.common.collection));
    }
    let seen = Seen::of(&reading, &options.urls)?;
    let top = usize::from(options.top);
    let explain = |url: &String| Explained {
        was: seen.was.get(url.as_str()).cloned().flatten(),
        here: Pattern::distinct(seen.patterns.explain(url, top)),
        ..Explained::of(&lessons.media, &Sight { url, mention: seen.mentions.of(url) }, top)
    };
    let patterns = match options.urls.is_empty() {
        true => frequent(&seen.patterns, options)?,
        false => Vec::new(),
    };
    let urls = options.urls.iter().map(explain).collect();
    let (foretold, trained_on) = (Foretold::of(&lessons), lessons.media.trained_on().to_owned());
    Ok(Said { source, captures: captures.len(), trained_on, foretold, urls, patterns })
}

/// The strongest patterns, of one domain if one was named.
fn frequent(patterns: &Stream, options: &Options) -> anyhow::Result<Vec<Pattern>> {
    let frequent = patterns.frequent(options.domain.as_deref(), usize::from(options.top));
    if let Some(domain) = options.domain.as_deref().filter(|_| frequent.is_empty()) {
        let next = "name a registered domain that was captured, such as example.com";
        return Err(usage(format!("nothing was seen here of {domain}"), next));
    }
    Ok(Pattern::distinct(frequent))
}

/// What the logs of a collection tell of media types.
struct Seen<'a> {
    patterns: Stream,
    mentions: Mentions,
    /// What was behind the URLs somebody asks about when they were last asked for.
    was: HashMap<&'a str, Option<String>>,
}

impl<'a> Seen<'a> {
    fn of(reading: &Reading, urls: &'a [String]) -> anyhow::Result<Seen<'a>> {
        let was = urls.iter().map(|url| (url.as_str(), None)).collect();
        let mut seen = Seen { patterns: Stream::new(PATTERNS_BYTES), mentions: Mentions::default(), was };
        for capture in reading.captures()? {
            for entry in reading.entries(&capture.id)? {
                if let Entry::Observation(observation) = entry? {
                    seen.hear(&observation);
                }
            }
        }
        Ok(seen)
    }

    fn hear(&mut self, observation: &Observation) {
        if let Some(answer) = answer(observation) {
            let sight = Sight { url: &observation.url, mention: self.mentions.of(&observation.url) };
            self.patterns.learn(&sight, &answer);
            if let Some(was) = self.was.get_mut(observation.url.as_str()) {
                *was = Some(answer.media_type.to_owned());
            }
        }
        self.mentions.hear(observation);
    }
}

/// What is known without a collection.
fn as_shipped(options: &Options) -> Said {
    let (media, top) = (Media::default(), usize::from(options.top));
    let urls = options.urls.iter().map(|url| Explained::of(&media, &Sight::of(url), top)).collect();
    let (source, trained_on) = ("what comes with tintype".to_owned(), media.trained_on().to_owned());
    Said { source, captures: 0, trained_on, foretold: None, urls, patterns: Vec::new() }
}
