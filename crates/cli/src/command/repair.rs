//! `tintype repair`: mends what can be mended.

use super::{Common, open};
use clap::Args;
use std::process::ExitCode;

/// Mend torn files, wrong digests and stale indexes; originals are kept beside the mended files
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let collection = open(&options.common, false)?;
    let mut repairs = collection.repairs().to_vec();
    repairs.extend(collection.repair()?);
    let left = collection.reading().verify()?;
    if options.common.json {
        let words = |items: Vec<String>| serde_json::Value::from(items);
        let repairs = words(repairs.iter().map(ToString::to_string).collect());
        let left = words(left.iter().map(ToString::to_string).collect());
        println!("{}", serde_json::json!({ "repairs": repairs, "left": left }));
    } else {
        repairs.iter().for_each(|repair| println!("mended: {repair}"));
        left.iter().for_each(|finding| println!("cannot be mended: {finding}"));
        if repairs.is_empty() && left.is_empty() {
            println!("{}: nothing to mend", options.common.collection.display());
        }
    }
    Ok(if left.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
