//! `tintype explain`: what is believed of a page, and every visit to it.

use super::Common;
use crate::out;
use crate::{amount::counted, failure::usage, plain::printable, sites};
use clap::Args;
use std::process::ExitCode;
use tintype_archive::{Collection, Reading};
use tintype_learn::knowledge::LearnerBeliefs;
use tintype_live::clock;
use tintype_plan::ScopeRule;
use tintype_session::{PageStatus, PageVisit, explained_json};
use tintype_vocab::PageUrl;

/// Visits that a person is told of, besides the first.
const VISITS_TOLD: usize = 20;

/// Say what is believed of a page, what every visit to it found, when it is asked for next and why not sooner
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype explain https://example.com/news/\n  tintype explain https://example.com/ --json"
)]
pub(crate) struct Options {
    /// The page
    #[arg(value_name = "URL")]
    url: String,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let reading = Collection::read(&options.common.collection)?;
    let url = PageUrl::new(sites::parse(&options.url)?.as_str()).to_string();
    let now = clock::now();
    for site in candidates(&reading, &url)? {
        if let Some(page) = PageStatus::of(&reading, &site, &url, now)? {
            match options.common.json {
                true => out::json(&explained_json(&site, &page)),
                false => out::text(&text(&site, &page)),
            }
            return Ok(ExitCode::SUCCESS);
        }
    }
    Err(usage(
        format!("nothing is known of {url}"),
        "see that it is spelled as a link spells it; tintype status lists the sites of the collection",
    ))
}

/// Sites that may know the page: its host's own first.
fn candidates(reading: &Reading, url: &str) -> anyhow::Result<Vec<String>> {
    let group = sites::group(&[url.to_owned()], &ScopeRule::Host)?;
    let own = group.into_iter().map(|group| group.name);
    let mut all: Vec<String> = reading.captures()?.into_iter().map(|info| info.head.site).collect();
    all.sort_unstable();
    all.dedup();
    let own: Vec<String> = own.filter(|name| all.contains(name)).collect();
    Ok(own.iter().cloned().chain(all.into_iter().filter(|name| !own.contains(name))).collect())
}

fn text(site: &str, page: &PageStatus) -> String {
    let media_type = page.media_type.as_deref().map_or(String::new(), |kind| format!(", {}", printable(kind)));
    let mut text = format!("{}  of {}{media_type}\n", printable(&page.url), printable(site));
    text += &format!("  {}\n", whence(page));
    for LearnerBeliefs { learner, says } in page.beliefs.iter().filter(|beliefs| !beliefs.says.is_empty()) {
        text += &format!("  believed by {learner}\n");
        says.iter().for_each(|(what, value)| text += &format!("    {value:>9.4}  {what}\n"));
    }
    text += if page.visits.is_empty() { "" } else { "  visits\n" };
    let latest = page.visits.len().saturating_sub(VISITS_TOLD).max(1).min(page.visits.len());
    page.visits[..latest].iter().take(1).for_each(|visit| text += &visit_text(visit));
    if latest > 1 {
        text += &format!("    and {} between these; --json lists all\n", latest - 1);
    }
    page.visits[latest..].iter().for_each(|visit| text += &visit_text(visit));
    text + &format!("  {}\n", why_not_sooner(page))
}

fn visit_text(visit: &PageVisit) -> String {
    let importance = visit.importance.map_or(String::new(), |importance| format!(" (importance {importance:.2})"));
    format!("    {}  {}{importance}, {}\n", visit.at.to_rfc3339_secs(), visit.found, visit.kind.as_str())
}

/// Where the belief comes from.
fn whence(page: &PageStatus) -> String {
    let found = |what: &str| page.visits.iter().filter(|visit| visit.found == what).count() as u64;
    let visits = counted(page.visits.len() as u64, "visit");
    match found("changed") {
        _ if page.visits.is_empty() => "never visited: by what pages like it do".to_owned(),
        0 => format!("from {visits} that found no change, and what pages like it do"),
        changes => format!("from {visits} that found {}, and what pages like it do", counted(changes, "change")),
    }
}

/// When the page is asked for, and why not before.
fn why_not_sooner(page: &PageStatus) -> String {
    let due =
        page.due.map_or_else(|| "not within two months".to_owned(), |due| format!("about {}", due.to_rfc3339_secs()));
    match (page.is_watched, page.is_next, page.worth, page.price) {
        (_, true, ..) => "it is what would be asked for next".to_owned(),
        (true, false, Some(worth), Some(price)) => format!(
            "a visit now is worth {worth:.3} (changes it may bring, and more where the copy grew old), the next request of the site {price:.3}; its turn comes {due}"
        ),
        (true, false, ..) => "it is watched; other pages come first now".to_owned(),
        (false, ..) if page.due.is_some() => format!("it went or could not be had, and is asked for again {due}"),
        (false, ..) => {
            "it is not watched: it never answered, or the rules of its site do not let it be asked for".to_owned()
        }
    }
}
