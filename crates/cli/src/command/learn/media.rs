//! `tintype learn media`: what is thought to be behind a URL, and why.

mod said;
mod text;

use crate::out::{self, mention};
use crate::{
    amount::parse_share,
    command::Common,
    failure::{no_capture_yet, usage},
    plain::printable,
    sites::{self, registered_domain},
};
use clap::Args;
use said::{Foretold, Said};
use std::{
    collections::{BTreeSet, HashMap},
    process::ExitCode,
};
use tintype_archive::{Collection, Reading};
use tintype_learn::media::{ExplainedUrl, Media, MediaAnswer, Model, Sight, Stream, UrlPattern};
use tintype_session::media::{CachedMedia, Mentions};
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
    after_help = "Examples:\n  tintype learn media https://example.com/download/123     (what is it, and why)\n  tintype learn media                                      (the strongest patterns of this collection)\n  tintype learn media --domain example.com --top 30\n  tintype learn media --rules --top 200 > rules.txt         (for tintype capture --rules rules.txt, and for you to edit)\n  tintype capture example.com --media image                (asks only for what is likely one, and pages that lead there)"
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
    /// Write the surest patterns as rules that capture --rules takes, each with what it rests on: at least so much of a share
    /// is of the type, whatever was not counted (0.9 if nothing is said)
    #[arg(long, value_name = "SHARE", num_args = 0..=1, default_missing_value = "0.9", conflicts_with = "urls", value_parser = parse_share)]
    rules: Option<f64>,
    /// How many patterns, or reasons for a URL, are shown
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=1000))]
    top: u16,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let urls = options.urls.iter().map(|text| url(text)).collect::<anyhow::Result<Vec<_>>>()?;
    let said = said(options, &urls)?;
    if let (Some(share), false) = (options.rules, options.common.json) {
        let rules = rules(&said, share as f32);
        if rules.is_empty() {
            mention!("no pattern is that sure: a lower share, as in --rules 0.7, or more captures give some");
        }
        out::text(&rules);
        return Ok(ExitCode::SUCCESS);
    }
    match options.common.json {
        true => out::json(&said),
        false => out::text(&text::of(&said)),
    }
    Ok(ExitCode::SUCCESS)
}

/// A URL as people type it, as a capture would ask for it.
fn url(text: &str) -> anyhow::Result<String> {
    let mut url = sites::parse(text)?;
    url.set_fragment(None);
    Ok(url.into())
}

fn said(options: &Options, urls: &[String]) -> anyhow::Result<Said> {
    let source = options.common.collection.display().to_string();
    let reading = match Collection::read(&options.common.collection) {
        Ok(reading) => reading,
        Err(_) if !urls.is_empty() && !options.common.collection.exists() => {
            return Ok(as_shipped(urls, usize::from(options.top)));
        }
        Err(error) => return Err(error.into()),
    };
    let CachedMedia { model, captures, .. } = CachedMedia::of(&reading, Time::MAX)?;
    if captures.is_empty() && urls.is_empty() {
        return Err(no_capture_yet(&options.common.collection));
    }
    let seen = Seen::of(&reading, urls)?;
    let top = usize::from(options.top);
    let explain = |url: &String| ExplainedUrl {
        was: seen.was.get(url.as_str()).cloned().flatten(),
        here: UrlPattern::distinct(seen.patterns.explain(url, top)),
        ..ExplainedUrl::of(&model.media, &Sight { url, mention: seen.mentions.of(url) }, top)
    };
    let patterns = match urls.is_empty() {
        true => frequent(&seen.patterns, &reading, options)?,
        false => Vec::new(),
    };
    let urls = urls.iter().map(explain).collect();
    let (foretold, trained_on) = (Foretold::of(&model), model.media.trained_on().to_owned());
    Ok(Said { source, captures: captures.len(), trained_on, foretold, urls, patterns })
}

/// URLs that a pattern was surely seen with before it makes a rule.
const RULE_URLS_MIN: u32 = 5;

/// Patterns as rules, the strongest first.
fn rules(said: &Said, share: f32) -> String {
    let is_sure = |pattern: &&UrlPattern| pattern.share[0] >= share && pattern.urls[0] >= RULE_URLS_MIN;
    let percent = |share: f32| (100.0 * share).floor();
    let rule = |pattern: &UrlPattern| {
        let UrlPattern { pattern, media_type, urls: [_, urls], share: [least, most] } = pattern;
        let (pattern, media_type) = (printable(pattern), printable(media_type));
        let least = percent(*least);
        format!("ALLOW {media_type} {pattern}  # {least} to {} % of {urls} URLs\n", percent(*most))
    };
    // A rule is a line of words: what has a blank in it, or is everything, makes none.
    let is_word =
        |pattern: &&UrlPattern| !pattern.pattern.contains(char::is_whitespace) && pattern.pattern != "anything";
    said.patterns.iter().filter(is_sure).filter(is_word).map(rule).collect()
}

/// Patterns that are read for each one that is shown: most say the same as another.
const READ_FOR_ONE: usize = 16;

/// The strongest patterns, of one domain if one was named.
fn frequent(patterns: &Stream, reading: &Reading, options: &Options) -> anyhow::Result<Vec<UrlPattern>> {
    let (domain, top) = (options.domain.as_deref().map(registered_domain).transpose()?, usize::from(options.top));
    let frequent = patterns.frequent(domain.as_deref(), top * READ_FOR_ONE);
    if let Some(domain) = domain.filter(|_| frequent.is_empty()) {
        let next = format!("name a domain that was captured: {}", domains(reading)?.join(", "));
        return Err(usage(format!("nothing was seen here of {domain}"), next));
    }
    let mut frequent = UrlPattern::distinct(frequent);
    frequent.truncate(top);
    Ok(frequent)
}

/// Domains that are named to who asked for none of them.
const NAMED: usize = 5;

fn domains(reading: &Reading) -> anyhow::Result<Vec<String>> {
    let seeds = reading.captures()?.into_iter().flat_map(|capture| capture.head.seeds);
    let domains: BTreeSet<String> = seeds.filter_map(|seed| registered_domain(&seed).ok()).collect();
    Ok(domains.into_iter().take(NAMED).collect())
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
        if let Some(answer) = MediaAnswer::told_by(observation) {
            let sight = Sight { url: &observation.url, mention: self.mentions.of(&observation.url) };
            self.patterns.learn(&sight, &answer);
            if let Some(was) = self.was.get_mut(observation.url.as_str()) {
                *was = Some(answer.media_type.to_owned());
            }
        }
        self.mentions.observe(observation);
    }
}

/// What is known without a collection.
fn as_shipped(urls: &[String], top: usize) -> Said {
    let media = Media::default();
    let urls = urls.iter().map(|url| ExplainedUrl::of(&media, &Sight::of(url), top)).collect();
    let (source, trained_on) = ("what comes with tintype".to_owned(), media.trained_on().to_owned());
    Said { source, captures: 0, trained_on, foretold: None, urls, patterns: Vec::new() }
}
