//! `tintype repair`: mends what can be mended.

use super::{Common, open, verify::exit};
use crate::{
    config::{Config, Which},
    out::{self, say},
    plain::printable,
};
use clap::Args;
use std::process::ExitCode;
use tintype_archive::Verified;

/// Mend torn files, wrong digests and stale indexes; originals are kept beside the mended files
///
/// Pages whose records cannot be read any more are named, and stay named by tintype verify, tintype report and the
/// certificate of their capture. Exit code 1 if there is anything that could not be repaired.
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    common: Common,
    /// Index also what was stored but left out of the index: all. In files of their own, index/*.more.cdxj, that may be
    /// deleted
    #[arg(long, value_enum, value_name = "WHICH", hide_possible_values = true)]
    index: Option<Which>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let collection = open(&options.common, false)?;
    let file = Config::mend(&options.common.collection)?;
    let mut repairs = collection.repairs().to_vec();
    repairs.extend(collection.repair()?);
    if options.index == Some(Which::All) {
        repairs.extend(collection.index_everything()?);
    }
    let is_whole = repairs.is_empty() && file.is_none();
    let Verified { findings: left, missing, .. } = collection.reading().verify()?;
    let is_well = left.is_empty() && missing.is_empty();
    if options.common.json {
        let words = |items: Vec<String>| serde_json::Value::from(items);
        let repairs = words(repairs.iter().map(ToString::to_string).chain(file).collect());
        let left = words(left.iter().map(ToString::to_string).collect());
        out::json(&serde_json::json!({ "repairs": repairs, "left": left, "missing": missing }));
        return Ok(exit(is_well));
    }
    for repair in &repairs {
        say!("{}: {}", repair.label(), printable(&repair.to_string()));
    }
    file.iter().for_each(|file| say!("repaired: {file}"));
    left.iter().for_each(|finding| say!("cannot be repaired: {}", printable(&finding.to_string())));
    missing.iter().for_each(|missing| say!("cannot be restored: {}", printable(&missing.to_string())));
    if is_whole && is_well {
        say!("{}: nothing to repair", options.common.collection.display());
    }
    if !missing.is_empty() {
        say!("what cannot be restored stays listed by tintype verify and tintype report");
    }
    Ok(exit(is_well))
}
