//! `tintype repair`: mends what can be mended.

use super::{Common, open};
use crate::config::Which;
use clap::Args;
use std::process::ExitCode;

/// Mend torn files, wrong digests and stale indexes; originals are kept beside the mended files
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
    let mut repairs = collection.repairs().to_vec();
    repairs.extend(collection.repair()?);
    if options.index == Some(Which::All) {
        repairs.extend(collection.index_everything()?);
    }
    let left = collection.reading().verify()?.findings;
    if options.common.json {
        let words = |items: Vec<String>| serde_json::Value::from(items);
        let repairs = words(repairs.iter().map(ToString::to_string).collect());
        let left = words(left.iter().map(ToString::to_string).collect());
        println!("{}", serde_json::json!({ "repairs": repairs, "left": left }));
    } else {
        repairs.iter().for_each(|repair| println!("repaired: {repair}"));
        left.iter().for_each(|finding| println!("cannot be repaired: {finding}"));
        if repairs.is_empty() && left.is_empty() {
            println!("{}: nothing to repair", options.common.collection.display());
        }
    }
    Ok(if left.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
