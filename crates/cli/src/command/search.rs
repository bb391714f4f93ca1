//! `tintype search`: words in the texts of all versions, with the dates on which they were there or not.

use super::{Common, captures::parse_at};
use crate::{
    failure::usage,
    out::{self, mention},
    plain::printable,
};
use clap::Args;
use std::{io::IsTerminal, ops::ControlFlow, process::ExitCode};
use tintype_archive::{Collection, ExcerptPart, Phrase, PhraseFinding, PhrasePage, PhraseQuery, TextIndex};
use tintype_session::{phrase_json, phrase_lines, phrase_summary, phrase_verdict, phrase_word};
use tintype_vocab::PartialTime;

/// Find words in the titles and texts of all versions, and when they were there: seen, not there, and between which visits
/// nothing is known
///
/// Words stand one after the other; capitals, accents and punctuation do not count. Versions that came since the last search
/// are read first. Where no visit saw the words it is said how many visits to how many pages were read whole without them;
/// with --url every version of that page is read again from its record, and no index is asked.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype search 'we will never close'\n  tintype search 'we will never close' --site example.com --from 2026-11-01 --to 2026-11-15\n  tintype search 'we will never close' --url https://example.com/library     (the proof for one page)\n  tintype search bridge --json | jq '.pages[].verdict'"
)]
pub(crate) struct Options {
    /// The words
    #[arg(value_name = "PHRASE")]
    phrase: String,
    #[command(flatten)]
    common: Common,
    /// Only this site or host
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// Only this page, every version of which is read again
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Only visits from this time on: 2026, 202611, 2026-11-15T21:55:03Z
    #[arg(long, value_name = "TIME", value_parser = parse_at)]
    from: Option<PartialTime>,
    /// Only visits up to this time; of a part of a date all of it
    #[arg(long, value_name = "TIME", value_parser = parse_at)]
    to: Option<PartialTime>,
    /// Pages to tell of
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=500))]
    limit: u16,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let Some(phrase) = Phrase::parse(&options.phrase) else {
        return Err(usage(
            "there is no word in this, or it is longer than 500 characters",
            "name words as a page has them",
        ));
    };
    let query = PhraseQuery {
        phrase,
        site: options.site.clone(),
        from: options.from.map(|from| from.earliest),
        to: options.to.map(|to| to.latest),
        limit: usize::from(options.limit),
    };
    let mut index = TextIndex::open(&Collection::read(&options.common.collection)?)?;
    let finding = match &options.url {
        Some(url) => proved(&index, url, &query)?,
        None => {
            grow(&mut index)?;
            index.find(&query)?
        }
    };
    match options.common.json {
        true => out::json(&phrase_json(&finding, &query)),
        false => out::text(&text(&finding, &query, options.url.is_some())),
    }
    Ok(ExitCode::SUCCESS)
}

fn proved(index: &TextIndex, url: &str, query: &PhraseQuery) -> anyhow::Result<PhraseFinding> {
    let Some(page) = index.prove(url, query)? else {
        let problem = format!("no version of {} is held", printable(url));
        return Err(usage(problem, "tintype captures lists what there is"));
    };
    Ok(PhraseFinding { pages: vec![page], pages_in_all: 1, is_cut: false, scope: None })
}

/// The first search of a large collection takes a while, and says so.
fn grow(index: &mut TextIndex) -> anyhow::Result<()> {
    let is_watched = std::io::stderr().is_terminal();
    let mut told = 0;
    index.grow(&mut |read| {
        if is_watched && read >= told + 5000 {
            told = read;
            mention!("{read} versions read");
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}

fn text(finding: &PhraseFinding, query: &PhraseQuery, is_proof: bool) -> String {
    let mut text = String::new();
    for page in &finding.pages {
        text += &of_page(page, query);
    }
    match is_proof {
        true => text += "Every version was read again from its record.\n",
        false => text += &format!("{}\n", phrase_summary(finding, query)),
    }
    text
}

fn of_page(page: &PhrasePage, query: &PhraseQuery) -> String {
    let mut text = format!("{}\n", printable(&page.url));
    if !page.title.is_empty() {
        text += &format!("  {}\n", printable(&page.title));
    }
    let shown = |part: &ExcerptPart| if part.is_marked { format!("[{}]", part.text) } else { part.text.clone() };
    if !page.excerpt.is_empty() {
        text += &format!("  “{}”\n", printable(&page.excerpt.iter().map(shown).collect::<String>()));
    }
    text += &format!("  {}\n", phrase_verdict(page, query));
    for line in phrase_lines(page, query) {
        text += &format!("    {:<17} {}\n", phrase_word(line.presence), line.text);
    }
    text + "\n"
}
