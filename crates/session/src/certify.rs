//! The certificate of a capture, from its log.

use crate::{Error, activity};
use tintype_archive::{CaptureHead, CaptureInfo, MissingRecord, Reading};
use tintype_quality::certificate::{Certificate, Certifier, FromLog, LostVisit};
use tintype_vocab::{Entry, Time};

/// The moment a capture was meant for, if a person named one.
pub fn as_of(head: &CaptureHead) -> Option<Time> {
    serde_json::from_value(head.settings.get("as_of")?.clone()).ok()
}

/// The certificate of a capture by its log.
pub fn certify(reading: &Reading, capture: &CaptureInfo) -> Result<Certificate, Error> {
    let mut certifier = Certifier::new();
    for entry in reading.entries(&capture.id)? {
        if let Entry::Observation(observation) = entry? {
            certifier.add(&observation);
        }
    }
    // Whoever ended the capture may have had other things to say.
    let from_log = capture.end.clone().map(|end| serde_json::from_value::<FromLog>(end).unwrap_or_default());
    let activity = activity::believed(&capture.head);
    let (site, as_of) = (&capture.head.site, as_of(&capture.head));
    let mut certificate = certifier.finish(site, capture.id.as_str(), activity, as_of, from_log);
    let visit = |missing| {
        let MissingRecord { url, asked, digest, only_request, .. } = missing;
        LostVisit { url, asked, digest, only_request }
    };
    let lost = reading.missing(&capture.id)?.into_iter();
    certificate.lost = lost.map(visit).collect();
    Ok(certificate)
}
