//! Captures by the times they answer for.

use crate::{Error, certify};
use tintype_archive::{CaptureInfo, Reading};
use tintype_quality::certificate::Certificate;
use tintype_vocab::Time;

/// A capture or a stretch of keeping with what its visits prove.
#[derive(Clone, Debug)]
pub struct DatedCapture {
    pub info: CaptureInfo,
    pub certificate: Certificate,
}

impl DatedCapture {
    /// All captures of a site, or of all, oldest first.
    pub fn list(reading: &Reading, site: Option<&str>) -> Result<Vec<DatedCapture>, Error> {
        let captures = match site {
            Some(site) => reading.captures_of(site)?,
            None => reading.captures()?,
        };
        let dated = |info: CaptureInfo| Ok(DatedCapture { certificate: certify(reading, &info)?, info });
        captures.into_iter().map(dated).collect()
    }

    /// Whether it answers for a moment.
    pub fn covers(&self, at: Time) -> bool {
        self.certificate.query.is_some_and(|query| (query.from..=query.to).contains(&at))
    }

    /// How far a moment is from the times it answers for; nothing if it answers for none.
    fn distance(&self, at: Time) -> Option<u64> {
        let query = self.certificate.query?;
        let outside = (query.from.as_millis() - at.as_millis()).max(at.as_millis() - query.to.as_millis()).max(0);
        Some(outside.unsigned_abs())
    }
}

/// Of every site the captures that answer for a moment, or the nearest one if none does.
pub fn answering(captures: Vec<DatedCapture>, at: Time) -> Vec<DatedCapture> {
    let nearest = |site: &str| {
        let of_site = captures.iter().filter(|capture| capture.info.head.site == site);
        of_site.filter_map(|capture| Some((capture.distance(at)?, &capture.info.id))).min().map(|(_, id)| id.clone())
    };
    let chosen: Vec<bool> = captures
        .iter()
        .map(|capture| capture.covers(at) || nearest(&capture.info.head.site).as_ref() == Some(&capture.info.id))
        .collect();
    captures.into_iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(capture, _)| capture).collect()
}
