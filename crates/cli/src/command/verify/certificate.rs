//! Certificates made anew by somebody who has the records and nothing else.

use super::Options;
use crate::{
    amount::counted,
    failure::usage,
    out::{self, say},
    plain::printable,
};
use anyhow::Context;
use serde::Deserialize;
use std::{io::BufReader, path::Path, path::PathBuf, process::ExitCode};
use tintype_archive::{CaptureId, Collection, Evidence, evidence, open_given};
use tintype_quality::certificate::{Activity, Certificate, CertificateDifference, Certifier, FORMAT};

/// Findings that are told; more of them say nothing new.
const TOLD: usize = 20;

pub(super) fn run(options: &Options, path: &Path) -> anyhow::Result<ExitCode> {
    let claimed = read(path)?;
    let files = match options.files.is_empty() {
        true => Collection::read(&options.common.collection)?.segments()?,
        false => options.files.clone(),
    };
    let checked = claimed.iter().map(|claimed| check(claimed, &files)).collect::<anyhow::Result<Vec<Checked>>>()?;
    match options.common.json {
        true => {
            out::json(&serde_json::json!({ "certificates": checked.iter().map(Checked::json).collect::<Vec<_>>() }))
        }
        false => checked.iter().for_each(Checked::print),
    }
    Ok(if checked.iter().all(Checked::agrees) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The certificates in a file, one after the other.
fn read(path: &Path) -> anyhow::Result<Vec<Certificate>> {
    let next = "write one with tintype report --json > FILE";
    let refuse = |why: String| usage(format!("{} is not a certificate: {why}", path.display()), next);
    let file = open_given(path).with_context(|| format!("cannot read {}", path.display()))?;
    let told = serde_json::Deserializer::from_reader(BufReader::new(file)).into_iter::<Told>();
    let told: Vec<Told> = told.collect::<Result<_, _>>().map_err(|error| refuse(error.to_string()))?;
    let certificates: Vec<Certificate> = told.into_iter().flat_map(Told::certificates).collect();
    match certificates.iter().find(|certificate| certificate.format != FORMAT) {
        _ if certificates.is_empty() => Err(refuse("it is empty".to_owned())),
        Some(other) => {
            let problem = format!("{} has format {}, this version knows {FORMAT}", path.display(), other.format);
            Err(usage(
                problem,
                "make the certificate anew with this version, or check it with the version that made it",
            ))
        }
        None => Ok(certificates),
    }
}

/// What a report told: the certificates of several captures, or one by itself as older versions wrote it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Told {
    Several { captures: Vec<Certificate> },
    One(Box<Certificate>),
}

impl Told {
    fn certificates(self) -> Vec<Certificate> {
        match self {
            Told::Several { captures } => captures,
            Told::One(certificate) => vec![*certificate],
        }
    }
}

/// What came of one certificate.
struct Checked {
    claimed: Claimed,
    differences: Vec<CertificateDifference>,
    evidence: Evidence,
}

/// What is told of the certificate itself.
struct Claimed {
    site: String,
    capture: String,
    captured: u64,
}

fn check(claimed: &Certificate, files: &[PathBuf]) -> anyhow::Result<Checked> {
    let mut certifier = Certifier::new();
    let evidence = evidence(files, &CaptureId::from_text(&claimed.capture), &mut |visit| certifier.add(visit))?;
    if evidence.segments == 0 {
        return Err(nothing_of(claimed, &evidence));
    }
    // A file of another tool does not say how somebody called the site.
    let site = evidence.head.as_ref().map_or(&claimed.site, |head| &head.site);
    let activity = evidence.head.as_ref().map_or_else(Activity::default, tintype_session::activity::believed);
    let as_of = evidence.head.as_ref().and_then(tintype_session::as_of);
    let found = certifier.finish(site, &claimed.capture, activity, as_of, None);
    let told = Claimed { site: claimed.site.clone(), capture: claimed.capture.clone(), captured: claimed.captured };
    Ok(Checked { claimed: told, differences: claimed.differences(&found), evidence })
}

fn nothing_of(claimed: &Certificate, evidence: &Evidence) -> anyhow::Error {
    let others: Vec<&str> = evidence.others.iter().take(3).map(CaptureId::as_str).collect();
    let others = if others.is_empty() { String::new() } else { format!("; they are of {}", others.join(", ")) };
    let problem = format!("none of the WARC files belongs to capture {}{others}", claimed.capture);
    usage(problem, "give the WARC files of that capture, or its collection with -C DIR")
}

impl Checked {
    fn agrees(&self) -> bool {
        self.differences.is_empty() && self.evidence.findings.is_empty()
    }

    fn json(&self) -> serde_json::Value {
        let differences = self.differences.iter().map(|difference| {
            let CertificateDifference { field, claimed, found } = difference;
            serde_json::json!({ "field": field, "claimed": claimed, "found": found })
        });
        serde_json::json!({
            "site": self.claimed.site,
            "capture": self.claimed.capture,
            "agrees": self.agrees(),
            "differences": differences.collect::<Vec<_>>(),
            "findings": self.evidence.findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "segments": self.evidence.segments,
            "visits": self.evidence.visits,
            "originals_elsewhere": self.evidence.elsewhere,
        })
    }

    fn print(&self) {
        let Claimed { site, capture, captured } = &self.claimed;
        let (site, capture) = (printable(site), printable(capture));
        let (visits, files) =
            (counted(self.evidence.visits, "visit"), counted(self.evidence.segments as u64, "WARC file"));
        let pages = counted(*captured, "page");
        let word = if self.agrees() { "agrees" } else { "DIFFERS" };
        say!("{site}  {capture}: {word}; {pages}, {visits} in {files} recomputed");
        self.evidence.findings.iter().take(TOLD).for_each(|finding| say!("  {}", printable(&finding.to_string())));
        self.differences.iter().for_each(|difference| say!("  {}", printable(&difference.to_string())));
        if self.evidence.elsewhere > 0 {
            let duplicates = counted(self.evidence.elsewhere, "visit");
            say!("  {duplicates} saw what is stored in none of these files; its digest is as stated");
            say!("  next: give the files of the earlier captures too");
        }
    }
}
