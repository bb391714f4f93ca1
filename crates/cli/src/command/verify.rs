//! `tintype verify`: reads every byte of a collection and says what is wrong.

mod certificate;

use super::Common;
use crate::amount::counted;
use clap::Args;
use std::{path::PathBuf, process::ExitCode};
use tintype_archive::{Collection, Verified};

/// Check every record, digest, offset and log line of the collection; or a certificate against the records
///
/// Finds what other validators let pass: torn tails, wrong digests, wrong offsets, unsorted or stale indexes, duplicate
/// records that point nowhere. Changes nothing. Exit code 1 if anything was found.
///
/// With --certificate it makes the certificates of a file written by tintype report --json anew, from the WARC files alone:
/// no log, no index, every payload digest computed from its bytes. Exit code 1 if anything differs. What no record holds,
/// how the capture ended and what was left out, is not compared.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype verify\n  tintype verify --certificate certificate.json\n  tintype verify --certificate certificate.json *.warc.gz   (anywhere, without the collection)"
)]
pub(crate) struct Options {
    #[command(flatten)]
    common: Common,
    /// Compare these certificates with what the records say
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// The WARC files to make the certificates from; by default all of the collection
    #[arg(value_name = "WARC", requires = "certificate")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if let Some(path) = &options.certificate {
        return certificate::run(options, path);
    }
    let Verified { findings, unindexed, noted } = Collection::read(&options.common.collection)?.verify()?;
    if options.common.json {
        let rows = findings.iter().map(|finding| {
            serde_json::json!({ "file": finding.file, "offset": finding.offset, "defect": finding.defect.to_string() })
        });
        let findings = rows.collect::<Vec<_>>();
        println!("{}", serde_json::json!({ "findings": findings, "unindexed": unindexed, "noted": noted }));
        return Ok(exit(&findings));
    }
    if unindexed > 0 {
        let records = counted(unindexed, "record");
        println!(
            "{records} of lesser importance in no index, as asked for; tintype repair --index all finds them again"
        );
    }
    if noted > 0 {
        println!("{} of lesser importance seen and not stored, as asked for", counted(noted, "version"));
    }
    if findings.is_empty() {
        println!("{}: everything is in order", options.common.collection.display());
    } else {
        findings.iter().for_each(|finding| println!("{finding}"));
        println!("{} found", counted(findings.len() as u64, "defect"));
        println!(
            "next: tintype repair -C {}        repairs what can be repaired and keeps the originals",
            options.common.collection.display()
        );
    }
    Ok(exit(&findings))
}

fn exit<T>(findings: &[T]) -> ExitCode {
    if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
