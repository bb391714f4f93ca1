//! How well change importance tells what matters, on deltas that people labelled.

pub(crate) mod auc;
mod labels;
mod measures;
mod results;
mod spread;

pub use results::ImportanceResults;

use crate::{LabProgress, SiteSource};
use anyhow::Context;
use labels::Label;
use measures::{Pair, Scored};
use spread::Spread;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};
use tintype_observe::page::{Habits, Hooks, Segmented};
use tintype_vocab::Time;

/// What is scored.
#[derive(Clone, Debug)]
pub struct ImportanceConfig {
    /// A table of labelled pairs.
    pub labels: PathBuf,
    /// The directory of the histories they name.
    pub histories: PathBuf,
}

/// Scores all labelled pairs; nothing if none of their histories is there.
pub fn run(config: &ImportanceConfig, progress: &dyn LabProgress) -> anyhow::Result<Option<ImportanceResults>> {
    let text = fs::read_to_string(&config.labels);
    let text = text.with_context(|| format!("cannot read the labels {}", config.labels.display()))?;
    let labels = labels::read(&text).with_context(|| config.labels.display().to_string())?;
    let mut by_history: BTreeMap<&str, Vec<&Label>> = BTreeMap::new();
    labels.iter().for_each(|label| by_history.entry(&label.history).or_default().push(label));
    by_history.retain(|name, _| config.histories.join(name).is_dir());
    if by_history.is_empty() {
        return Ok(None);
    }
    progress.begin(by_history.len() as u64);
    let (mut scored, mut spreads) = (Vec::new(), Vec::new());
    for (name, labels) in by_history {
        progress.now(name);
        let mut spread = Spread::of(name);
        scored.extend(score(&config.histories.join(name), &labels, &mut spread)?);
        spreads.push(spread);
        progress.advance(1);
    }
    Ok(Some(ImportanceResults::of(scored, spreads, labels.len())))
}

/// Walks one history as an archive does: every version is judged when it comes in, by what the site taught until then.
fn score(directory: &Path, labels: &[&Label], spread: &mut Spread) -> anyhow::Result<Vec<Scored>> {
    let mut site = SiteSource::recorded(directory, None).open("")?;
    let mut contents = site.contents.take().with_context(|| format!("{} has no bodies", directory.display()))?;
    let mut habits = Habits::default();
    let mut last: HashMap<u32, (Time, Segmented)> = HashMap::new();
    let mut wanted: HashSet<(&str, i64)> = HashSet::new();
    labels.iter().for_each(|label| wanted.extend([(label.path.as_str(), label.before), (&label.path, label.after)]));
    let mut kept: HashMap<(u32, i64), (measures::Body, Option<f64>)> = HashMap::new();
    for (row, event) in site.history.events().iter().enumerate() {
        let Some(document) = contents.document(row as u32)? else { continue };
        let path = site.history.path(event.page);
        let body = measures::Body::of(format!("{}{path}", site.origin), document);
        let mut importance = None;
        if let Some(page) = &body.page {
            match last.get(&event.page) {
                Some((at, before)) => {
                    let hooks = Hooks::default();
                    let judged = habits.judge(before, page, &body.url, event.at - *at, &hooks).importance;
                    spread.add(before, page, judged);
                    importance = Some(judged);
                }
                None => habits.see(&body.url, page),
            }
            last.insert(event.page, (event.at, page.clone()));
        }
        if wanted.contains(&(path, event.at.as_secs())) {
            kept.insert((event.page, event.at.as_secs()), (body, importance));
        }
    }
    let score = |label: &&Label| -> anyhow::Result<Scored> {
        let page = site.history.find(&label.path);
        let version = |at: i64| page.and_then(|page| kept.get(&(page, at)));
        let (Some((old, _)), Some((new, importance))) = (version(label.before), version(label.after)) else {
            anyhow::bail!("{}: no versions of {} at {} and {}", site.name, label.path, label.before, label.after);
        };
        Ok(Scored { label: (*label).clone(), scores: Pair { old, new, importance: *importance }.scores() })
    };
    labels.iter().map(score).collect()
}
