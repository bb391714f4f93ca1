//! `tintype lab importance`: how well change importance tells what matters, on deltas that people labelled.

mod auc;
mod labels;
mod measures;
mod results;

use super::{folder::Folder, folder::command, open::Source};
use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use labels::Label;
use measures::{Pair, Scored};
use results::Results;
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};
use tintype_observe::page::{Habits, Segmented};
use tintype_vocab::Time;

/// How well importance separates changes that matter from those that do not
///
/// Reads labelled pairs of consecutive versions (columns history,path,before,after,label,matters,reason) and the
/// histories they are from, scores every pair with every measure, and reports the area under the ROC curve: the chance
/// that a change that matters scores higher than one that does not. 95 % intervals by drawing the pairs anew.
///
/// held out: how many pairs a threshold sorts rightly that was chosen on the other histories.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab importance --labels docs/labels/deltas.csv --histories ../shared/histories\n  tintype lab importance --out importance"
)]
pub(crate) struct Options {
    /// The labelled pairs
    #[arg(long, value_name = "FILE", default_value = "docs/labels/deltas.csv")]
    labels: PathBuf,
    /// The directory that holds the histories the labels name
    #[arg(long, value_name = "DIR", default_value = "../shared/histories")]
    histories: PathBuf,
    /// Draws the ROC curves (SVG and PNG) and writes tables (CSV and Markdown) into DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines instead of a table for people
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let text = fs::read_to_string(&options.labels);
    let text = text.with_context(|| format!("cannot read the labels {}", options.labels.display()))?;
    let labels = labels::read(&text).with_context(|| options.labels.display().to_string())?;
    let mut by_history: BTreeMap<&str, Vec<&Label>> = BTreeMap::new();
    labels.iter().for_each(|label| by_history.entry(&label.history).or_default().push(label));
    by_history.retain(|name, _| options.histories.join(name).is_dir());
    if by_history.is_empty() {
        let line = format!("skipped: no histories at {}", options.histories.display());
        if options.json {
            println!("{}", serde_json::json!({ "skipped": line }))
        } else {
            println!("{line}")
        }
        return Ok(ExitCode::SUCCESS);
    }
    let bar = progress(by_history.len() as u64);
    let mut scored = Vec::new();
    for (name, labels) in by_history {
        bar.set_message(name.to_owned());
        scored.extend(score(&options.histories.join(name), &labels)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let results = Results::of(scored, labels.len());
    if options.json {
        println!("{}", results.json())
    } else {
        print!("{}", results.text())
    }
    if let Some(directory) = &options.out {
        let mut folder = Folder::make(directory)?;
        results.write(&mut folder, &command())?;
        if options.json { eprintln!("{}", folder.line()) } else { println!("\n{}", folder.line()) }
    }
    Ok(ExitCode::SUCCESS)
}

fn progress(histories: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {pos} of {len} histories, now {msg}, {elapsed}");
    let bar = ProgressBar::new(histories).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}

/// Walks one history: every version teaches the site's habits, then the labelled pairs are scored.
fn score(directory: &Path, labels: &[&Label]) -> anyhow::Result<Vec<Scored>> {
    let mut site = Source::of_history(directory.to_owned(), None).open("")?;
    let mut contents = site.contents.take().with_context(|| format!("{} has no bodies", directory.display()))?;
    let mut habits = Habits::default();
    let mut last: HashMap<u32, (Time, Segmented)> = HashMap::new();
    let wanted = |page: u32, at: Time| {
        let path = site.history.path(page);
        labels.iter().any(|label| label.path == path && [label.before, label.after].contains(&at.as_secs()))
    };
    let mut kept: HashMap<(u32, i64), measures::Body> = HashMap::new();
    for (row, event) in site.history.events().iter().enumerate() {
        let Some(document) = contents.document(row as u32)? else { continue };
        let url = format!("{}{}", site.origin, site.history.path(event.page));
        let body = measures::Body::of(url, document);
        if let Some(page) = &body.page {
            match last.get(&event.page) {
                Some((at, before)) => habits.learn(&body.url, before, page, event.at - *at),
                None => habits.see(&body.url, page),
            }
            last.insert(event.page, (event.at, page.clone()));
        }
        if wanted(event.page, event.at) {
            kept.insert((event.page, event.at.as_secs()), body);
        }
    }
    let score = |label: &&Label| -> anyhow::Result<Scored> {
        let page = site.history.find(&label.path);
        let version = |at: i64| page.and_then(|page| kept.get(&(page, at)));
        let (Some(old), Some(new)) = (version(label.before), version(label.after)) else {
            anyhow::bail!("{}: no versions of {} at {} and {}", site.name, label.path, label.before, label.after);
        };
        Ok(Scored { label: (*label).clone(), scores: Pair { old, new, habits: &habits }.scores() })
    };
    labels.iter().map(score).collect()
}
