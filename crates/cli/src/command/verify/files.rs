//! WARC and WACZ files that somebody was handed.

use super::{Options, exit};
use crate::{
    amount::counted,
    out::{self, say},
    plain::printable,
};
use std::process::ExitCode;
use tintype_archive::{CheckedFile, Signer, TimeStamp};

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let (mut rows, mut found) = (Vec::new(), Vec::new());
    for path in &options.files {
        let CheckedFile { segments, records, index_lines, signed, findings } = CheckedFile::read(path)?;
        if options.common.json {
            let defects: Vec<_> = findings
                .iter()
                .map(|finding| serde_json::json!({ "file": finding.file, "offset": finding.offset, "defect": finding.defect.to_string() }))
                .collect();
            rows.push(serde_json::json!({
                "file": path, "segments": segments, "records": records, "index_lines": index_lines, "findings": defects,
                "signed": signed.as_ref().map(signed_json),
            }));
        } else {
            findings.iter().for_each(|finding| say!("{finding}"));
            let (records, lines) = (counted(records, "record"), counted(index_lines, "index line"));
            let verdict = match findings.len() as u64 {
                0 => "everything is in order".to_owned(),
                defects => format!("{} found", counted(defects, "defect")),
            };
            say!("{}: {records}, {lines}: {verdict}", path.display());
            if let Some((signer, stamp)) = &signed {
                say!("  {}", printable(&signed_text(signer, stamp.as_ref())));
            }
        }
        found.extend(findings);
    }
    if options.common.json {
        out::json(&serde_json::json!({ "files": rows }));
    }
    Ok(exit(found.is_empty()))
}

/// Who signed, in a sentence. Whether that name is to be trusted is for the reader to say.
fn signed_text(signer: &Signer, stamp: Option<&TimeStamp>) -> String {
    let who = match signer {
        Signer::Key(fingerprint) => format!("signed with the key whose SHA-256 is {fingerprint}"),
        Signer::Domain(name) => format!("signed by the certificate of {name}"),
    };
    match stamp {
        Some(stamp) => format!("{who}; time-stamped {} by {}", stamp.time, stamp.by),
        None => who,
    }
}

fn signed_json((signer, stamp): &(Signer, Option<TimeStamp>)) -> serde_json::Value {
    let (key, domain) = match signer {
        Signer::Key(fingerprint) => (Some(fingerprint), None),
        Signer::Domain(name) => (None, Some(name)),
    };
    serde_json::json!({
        "key_sha256": key, "domain": domain, "time": stamp.as_ref().map(|stamp| stamp.time.to_rfc3339_secs()),
        "stamped_by": stamp.as_ref().map(|stamp| &stamp.by),
    })
}
