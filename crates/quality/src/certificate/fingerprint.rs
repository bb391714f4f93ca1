//! All visits of a capture in one number.

use sha2::{Digest as _, Sha256};
use tintype_vocab::{Observation, Outcome, Purpose};

/// The visits so far, in no order.
///
/// Every visit is a line of text, hashed with SHA-256; the fingerprint is the SHA-256 over these hashes in ascending order.
/// The line is `URL purpose asked answered outcome digest last-modified rate shape`, separated by tabs: times in
/// milliseconds since 1970, the digest as in WARC headers, `-` for what is not there.
#[derive(Debug, Default)]
pub(super) struct Fingerprint {
    visits: Vec<[u8; 32]>,
}

impl Fingerprint {
    pub(super) fn add(&mut self, visit: &Observation) {
        self.visits.push(Sha256::digest(line(visit)).into());
    }

    /// `sha256:` and 64 hexadecimal digits.
    pub(super) fn finish(mut self) -> String {
        self.visits.sort_unstable();
        let mut hash = Sha256::new();
        self.visits.iter().for_each(|visit| hash.update(visit));
        let digits: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("sha256:{digits}")
    }
}

fn line(visit: &Observation) -> String {
    let purpose = match visit.purpose {
        Purpose::Robots => "robots",
        Purpose::Probe => "probe",
        Purpose::Visit => "visit",
        Purpose::Revisit => "revisit",
    };
    let digest = visit.digest.map_or("-".to_owned(), |digest| digest.to_string());
    let modified = visit.validators.last_modified.as_deref().unwrap_or("-");
    let (asked, answered) = (visit.asked.as_millis(), visit.answered.as_millis());
    let (rate, shape) = (visit.rate.per_day, visit.rate.shape);
    let (url, outcome) = (&visit.url, outcome(&visit.outcome));
    format!("{url}\t{purpose}\t{asked}\t{answered}\t{outcome}\t{digest}\t{modified}\t{rate}\t{shape}")
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Body { status } => format!("body {status}"),
        Outcome::NotModified => "not modified".to_owned(),
        Outcome::Redirected { status, to } => format!("redirected {status} {to}"),
        Outcome::Gone { status } => format!("gone {status}"),
        Outcome::Refused { status, .. } => format!("refused {status}"),
        Outcome::Failed { cause } => format!("failed {cause}"),
    }
}
