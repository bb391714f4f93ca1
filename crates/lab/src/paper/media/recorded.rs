//! Figure 6 once more on recorded sites, as they stood in the end.

use super::figure_6::Compared;
use crate::{open::SiteSource, paper::part::Part};
use std::path::Path;
use tintype_plan::{MediaRule, MediaRules};
use tintype_vocab::{ContentType, MediaRange};
use tintype_world::media::{MediaCrawlConfig, STRATEGIES, StrategyRow, play, recorded};

/// What the paper's crawler looks for.
const WANTED: [ContentType; 3] = [ContentType::Audio, ContentType::Image, ContentType::Video];
/// Fewer files say nothing about strategies.
const FILES_MIN: usize = 20;

pub(super) fn part(directory: &Path) -> anyhow::Result<Part> {
    let mut site = SiteSource::recorded(directory, None).open("http://history.invalid")?;
    let nothing = |why: &str| Part {
        name: format!("figure-6-{}", site.name),
        title: format!("Figure 6: the recorded site {}", site.name),
        text: format!("Skipped: {why}."),
        table: None,
        picture: None,
        claims: Vec::new(),
    };
    let Some(contents) = site.contents.as_deref_mut() else { return Ok(nothing("its bodies are not known")) };
    let Some(web) = recorded(&site.history, contents, &site.origin, site.to, wanted())? else {
        return Ok(nothing("nothing was there in the end"));
    };
    let files = web.wanted_files();
    if files < FILES_MIN {
        return Ok(nothing(&format!(
            "of {} pages that links lead to {files} are images, audio or video",
            web.pages().len()
        )));
    }
    let row = |strategy| StrategyRow { strategy, curves: vec![play(&web, strategy, &MediaCrawlConfig::default())] };
    let summary = "recorded; images, audio and video are wanted, as in the paper".to_owned();
    let compared = Compared { name: site.name.clone(), summary, rows: STRATEGIES.iter().map(row).collect() };
    Ok(compared.part())
}

fn wanted() -> MediaRules {
    WANTED.map(|class| MediaRule { range: MediaRange::All(class), min_probability: 0.5 }).into_iter().collect()
}
