//! `tintype verify`: reads every byte of a collection and says what is wrong.

mod certificate;
mod files;

use super::Common;
use crate::{
    amount::counted,
    out::{self, say},
    plain::printable,
};
use clap::Args;
use std::{path::PathBuf, process::ExitCode};
use tintype_archive::{Collection, Verified};

/// Check every record, digest, offset and log line of the collection, or of WARC and WACZ files of any tool
///
/// Finds what other validators let pass: torn tails, wrong digests, wrong offsets, unsorted or stale indexes, duplicate
/// records that point nowhere. Names pages that a repair could not restore, for ever. Changes nothing. Exit code 1 if
/// anything was found.
///
/// Of a file that is named it checks the records, and of a package also the digests of all members, what it lists, and every
/// index line against its record.
///
/// With --certificate it makes the certificates of a file written by tintype report --json anew, from the WARC files alone:
/// no log, no index, every payload digest computed from its bytes. Exit code 1 if anything differs. What no record holds,
/// how the capture ended and what was left out, is not compared.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype verify\n  tintype verify site.wacz other.warc.gz       (files of any tool)\n  tintype verify --certificate certificate.json\n  tintype verify --certificate certificate.json *.warc.gz   (anywhere, without the collection)"
)]
pub(crate) struct Options {
    #[command(flatten)]
    common: Common,
    /// Compare these certificates with what the records say
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// WARC or WACZ files to check instead of the collection; with --certificate the WARC files to make it from
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if let Some(path) = &options.certificate {
        return certificate::run(options, path);
    }
    if !options.files.is_empty() {
        return files::run(options);
    }
    let Verified { findings, missing, unindexed, noted, writer } =
        Collection::read(&options.common.collection)?.verify()?;
    if options.common.json {
        let rows = findings.iter().map(|finding| {
            serde_json::json!({ "file": finding.file, "offset": finding.offset, "defect": finding.defect.to_string() })
        });
        let findings = rows.collect::<Vec<_>>();
        let is_well = findings.is_empty() && missing.is_empty();
        out::json(&serde_json::json!({
            "findings": findings, "missing": missing, "unindexed": unindexed, "noted": noted,
            "being_written": writer.is_some(),
        }));
        return Ok(exit(is_well));
    }
    if unindexed > 0 {
        let records = counted(unindexed, "record");
        say!("{records} of lesser importance in no index, as asked for; tintype repair --index all finds them again");
    }
    if noted > 0 {
        say!("{} of lesser importance seen and not stored, as asked for", counted(noted, "version"));
    }
    if let Some(writer) = &writer {
        say!("what {} is writing was not judged", printable(&writer.to_string()));
    }
    let collection = options.common.collection.display();
    if !missing.is_empty() {
        missing.iter().for_each(|missing| say!("lost: {}", printable(&missing.to_string())));
        say!("{} whose records were damaged or lost and could not be restored", counted(missing.len() as u64, "visit"));
    }
    if !findings.is_empty() {
        findings.iter().for_each(|finding| say!("{}", printable(&finding.to_string())));
        say!("{} found", counted(findings.len() as u64, "defect"));
        say!("next: tintype repair -C {collection}        repairs what can be repaired and keeps the originals");
    }
    let is_well = findings.is_empty() && missing.is_empty();
    match (is_well, findings.is_empty()) {
        (true, _) => say!("{collection}: everything is in order"),
        (false, true) => say!("{collection}: everything else is in order"),
        (false, false) => {}
    }
    Ok(exit(is_well))
}

pub(super) fn exit(is_well: bool) -> ExitCode {
    if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
