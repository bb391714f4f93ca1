//! `tintype verify`: reads every byte of a collection and says what is wrong.

use super::Common;
use crate::amount::counted;
use clap::Args;
use std::process::ExitCode;
use tintype_archive::Collection;

/// Check every record, digest, offset and log line of the collection
///
/// Finds what other validators let pass: torn tails, wrong digests, wrong offsets, unsorted or stale indexes, duplicate
/// records that point nowhere. Changes nothing. Exit code 1 if anything was found.
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let findings = Collection::read(&options.common.collection)?.verify()?;
    if options.common.json {
        let rows = findings.iter().map(|finding| {
            serde_json::json!({ "file": finding.file, "offset": finding.offset, "defect": finding.defect.to_string() })
        });
        println!("{}", serde_json::json!({ "findings": rows.collect::<Vec<_>>() }));
    } else if findings.is_empty() {
        println!("{}: everything is in order", options.common.collection.display());
    } else {
        findings.iter().for_each(|finding| println!("{finding}"));
        println!("{} found", counted(findings.len() as u64, "defect"));
        println!(
            "next: tintype repair -C {}        mends what can be mended and keeps the originals",
            options.common.collection.display()
        );
    }
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
