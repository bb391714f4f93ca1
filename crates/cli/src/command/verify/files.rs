//! WARC and WACZ files that somebody was handed.

use super::{Options, exit};
use crate::{
    amount::counted,
    out::{self, say},
};
use std::process::ExitCode;
use tintype_archive::CheckedFile;

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let (mut rows, mut found) = (Vec::new(), Vec::new());
    for path in &options.files {
        let CheckedFile { segments, records, index_lines, findings } = CheckedFile::read(path)?;
        if options.common.json {
            let defects: Vec<_> = findings
                .iter()
                .map(|finding| serde_json::json!({ "file": finding.file, "offset": finding.offset, "defect": finding.defect.to_string() }))
                .collect();
            rows.push(serde_json::json!({
                "file": path, "segments": segments, "records": records, "index_lines": index_lines, "findings": defects,
            }));
        } else {
            findings.iter().for_each(|finding| say!("{finding}"));
            let (records, lines) = (counted(records, "record"), counted(index_lines, "index line"));
            let verdict = match findings.len() as u64 {
                0 => "everything is in order".to_owned(),
                defects => format!("{} found", counted(defects, "defect")),
            };
            say!("{}: {records}, {lines}: {verdict}", path.display());
        }
        found.extend(findings);
    }
    if options.common.json {
        out::json(&serde_json::json!({ "files": rows }));
    }
    Ok(exit(found.is_empty()))
}
