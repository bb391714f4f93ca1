//! `tintype import`: archives and indexes made by other tools, and objects that others watched.

mod objects;

use super::{Common, open};
use crate::{
    amount::counted,
    out::{self, say},
    plain::printable,
};
use anyhow::Context;
use clap::Args;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};
use tintype_archive::{ImportOptions, Imported};
use tintype_live::clock;

/// Take in archives made by other tools: WARC (.gz, .zst, plain), WACZ, CDX, CDXJ; or life spans of objects
///
/// Records are stored again as our own (one gzip member each, digests computed anew, chunk framing removed), and their
/// history is learned. CDX and CDXJ files bring history without bytes. A file that came in before, under whatever name, is
/// not taken in again; what is no page of the web is passed over. With --objects the life spans of the objects of a
/// source come in, as if it had been crawled then: see tintype keep.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype import crawl.warc.gz site.wacz\n  tintype import --objects cars/objects.csv.gz --snapshots cars/snapshots.csv.gz --source cars\n  tintype import --objects cars      (both tables of that directory)"
)]
pub(crate) struct Options {
    /// Files to import
    #[arg(required_unless_present = "objects", value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
    /// The site the history belongs to; by default the host of the first page in each file
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
    /// A table of objects instead: object_id,first_seen,last_seen,left_censored,right_censored,updates and attributes;
    /// or the directory of objects.csv.gz and snapshots.csv.gz
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "site"])]
    objects: Option<PathBuf>,
    /// A table of the times at which somebody looked, if that is known
    #[arg(long, value_name = "FILE", requires = "objects")]
    snapshots: Option<PathBuf>,
    /// What to call the source of the objects; by default the directory they are in
    #[arg(long, value_name = "NAME", requires = "objects")]
    source: Option<String>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if let Some(objects) = &options.objects {
        return objects::run(options, objects);
    }
    for file in &options.files {
        std::fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?;
    }
    let collection = open(&options.common, true)?;
    let mut rows = Vec::new();
    for file in &options.files {
        let describe = vec![("software".to_owned(), format!("tintype/{}", env!("CARGO_PKG_VERSION")))];
        let how = ImportOptions { site: options.site.clone(), now: clock::now(), describe };
        let imported = collection.import(file, how)?;
        if options.common.json {
            rows.push(serde_json::json!({
                "file": file, "capture": imported.capture.to_string(), "visits": imported.visits, "history": imported.history,
                "known": imported.known, "already": imported.already, "passed_over": imported.passed_over,
                "findings": imported.findings,
            }));
            continue;
        }
        tell(file, &imported);
    }
    if options.common.json {
        out::json(&serde_json::json!({ "files": rows }));
    }
    Ok(ExitCode::SUCCESS)
}

fn tell(file: &Path, imported: &Imported) {
    let name = printable(&file.display().to_string());
    let Imported { capture, visits, history, known, passed_over, findings, already } = imported;
    if *already {
        return say!("{name}  is in the collection already, as {capture}: nothing to do");
    }
    let (visits, history) = (counted(*visits, "visit"), counted(*history, "visit"));
    say!("{name}  {visits} with bytes, {history} from an index only");
    if *known > 0 {
        say!("  {} had come in before it was cut short", counted(*known, "visit"));
    }
    if *passed_over > 0 {
        say!("  {passed_over} records or lines passed over, which are no visits to pages");
    }
    findings.iter().for_each(|finding| say!("  warning: {}", printable(finding)));
}
