//! What a robots.txt allows us (RFC 9309), and which of its lines says so.
//!
//! Only what concerns our product token is kept. Nothing here is an error: a line that means nothing is skipped, as the
//! RFC asks. Where the RFC leaves a choice, we follow the most careful of the large crawlers, with one exception: a
//! `Crawl-delay` ends a run of `User-agent` lines as `Disallow` does. Sites write `User-agent: *`, `Crawl-delay: 10`,
//! `User-agent: badbot`, `Disallow: /` and mean to forbid badbot, not everyone.

mod line;
mod pattern;
#[cfg(test)]
mod tests;

use line::{Field, fields};
use pattern::{Pattern, normal_path};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use tintype_vocab::Span;

/// What is read of a robots.txt; the RFC asks for at least this much.
const MOST_BYTES: usize = 500 * 1024;
/// Rules kept for us; each costs one look at the path of every URL.
const MOST_RULES: usize = 10_000;
const MOST_SITEMAPS: usize = 1_000;
/// A site that asks for more than a day between requests gets a day.
const LONGEST_DELAY: Span = Span::from_days(1);

/// The part of one robots.txt that speaks to us.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Robots {
    /// The rule that wins comes first.
    rules: Vec<Rule>,
    /// What holds where no rule matches.
    otherwise: bool,
    crawl_delay: Option<Span>,
    sitemaps: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Rule {
    pattern: Pattern,
    allow: bool,
    line: u32,
    /// As it stands in the file, for reports.
    text: String,
}

/// Whether a path may be asked for, and the line that decided it; no line decides what no rule mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RobotsVerdict<'a> {
    pub allowed: bool,
    /// Counted from 1.
    pub line: Option<u32>,
    /// The deciding rule, such as `Disallow: /private`.
    pub rule: Option<&'a str>,
}

impl Robots {
    /// Everything is allowed: what a 4xx answer to the request for robots.txt means.
    pub fn allow_all() -> Robots {
        Robots { rules: Vec::new(), otherwise: true, crawl_delay: None, sitemaps: Vec::new() }
    }

    /// Nothing is allowed: what a 5xx answer, or none, means.
    pub fn disallow_all() -> Robots {
        Robots { otherwise: false, ..Robots::allow_all() }
    }

    /// Reads the groups for `agent`, or those for `*` if there is none. Of `foobot/1.2` only `foobot` counts, here and
    /// in the file.
    pub fn parse(text: &[u8], agent: &str) -> Robots {
        let text = within_limit(text);
        let ours = product_token(agent.as_bytes());
        let named = fields(text)
            .any(|(_, field)| matches!(field, Field::Agent(name) if product_token(name).eq_ignore_ascii_case(ours)));
        let agent = if named { ours } else { b"*" };
        let mut robots = Robots::allow_all();
        let mut among_agents = false;
        let mut for_us = false;
        for (line, field) in fields(text) {
            match field {
                Field::Agent(name) => {
                    for_us = (among_agents && for_us) || product_token(name).eq_ignore_ascii_case(agent);
                    among_agents = true;
                    continue;
                }
                Field::Sitemap(url) => {
                    robots.add_sitemap(url);
                    continue;
                }
                Field::Rule { allow, pattern } if for_us => robots.add_rule(line, allow, pattern),
                Field::Delay(value) if for_us => robots.crawl_delay = robots.crawl_delay.max(delay(value)),
                Field::Rule { .. } | Field::Delay(_) => {}
            }
            among_agents = false;
        }
        robots.rules.sort_by_key(|rule| Reverse((rule.pattern.octets(), rule.allow)));
        robots
    }

    fn add_rule(&mut self, line: u32, allow: bool, pattern: &[u8]) {
        if self.rules.len() == MOST_RULES {
            return;
        }
        if let Some(parsed) = Pattern::parse(pattern) {
            let name = if allow { "Allow" } else { "Disallow" };
            let text = format!("{name}: {}", String::from_utf8_lossy(pattern));
            self.rules.push(Rule { pattern: parsed, allow, line, text });
        }
    }

    fn add_sitemap(&mut self, url: &[u8]) {
        if !url.is_empty() && self.sitemaps.len() < MOST_SITEMAPS {
            self.sitemaps.push(String::from_utf8_lossy(url).into_owned());
        }
    }

    /// Whether the path and query of a URL may be asked for. The longest matching rule decides, `Allow` in a tie.
    pub fn verdict(&self, path_and_query: &str) -> RobotsVerdict<'_> {
        let path = normal_path(path_and_query);
        if path == "/robots.txt" {
            return RobotsVerdict { allowed: true, line: None, rule: None };
        }
        match self.rules.iter().find(|rule| rule.pattern.matches(&path)) {
            Some(rule) => RobotsVerdict { allowed: rule.allow, line: Some(rule.line), rule: Some(&rule.text) },
            None => RobotsVerdict { allowed: self.otherwise, line: None, rule: None },
        }
    }

    /// The rules that speak to us as they stand in the file, with their lines, in the order in which they are tried.
    pub fn rules(&self) -> impl Iterator<Item = (u32, &str)> {
        self.rules.iter().map(|rule| (rule.line, rule.text.as_str()))
    }

    /// The time asked for between two requests; the longest, if our groups disagree.
    pub fn crawl_delay(&self) -> Option<Span> {
        self.crawl_delay
    }

    /// The sitemaps named, for whichever agent; as written, so they may be relative or no URLs at all.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }
}

/// The first 500 KiB, without a line that the limit cuts in two: half a rule would forbid or allow too much.
fn within_limit(text: &[u8]) -> &[u8] {
    if text.len() <= MOST_BYTES {
        return text;
    }
    let end = text[..=MOST_BYTES].iter().rposition(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(0);
    &text[..end]
}

/// The name of a crawler without version and comment. Laxer than the RFC's letters, `-` and `_`, because real names
/// have dots and digits.
fn product_token(agent: &[u8]) -> &[u8] {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'(' | b',' | b';');
    agent.split(ends).next().unwrap_or_default()
}

/// Seconds with or without a fraction. Signs, exponents and words are no delay.
fn delay(value: &[u8]) -> Option<Span> {
    let number = value.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let seconds: f64 = std::str::from_utf8(value).ok().filter(|_| number)?.parse().ok()?;
    Some(Span::from_millis((seconds * 1000.0).ceil() as i64).min(LONGEST_DELAY))
}
