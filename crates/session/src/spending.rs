//! What was asked of sites since a moment, by what their logs say.

use crate::Error;
use tintype_archive::{CaptureInfo, Reading};
use tintype_vocab::{Entry, Purpose, Time};

/// Requests and bytes, those for rules left aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    pub requests: u64,
    pub bytes: u64,
    /// Whether anything was asked before that moment.
    pub earlier: bool,
}

/// What was asked of some sites since a moment.
pub fn spent_since(reading: &Reading, sites: &[String], since: Time) -> Result<Spending, Error> {
    let mut spent = Spending::default();
    for site in sites {
        for capture in reading.captures_reaching(site, since)? {
            add(reading, &capture, since, &mut spent)?;
        }
    }
    Ok(spent)
}

fn add(reading: &Reading, capture: &CaptureInfo, since: Time, spent: &mut Spending) -> Result<(), Error> {
    for entry in reading.entries(&capture.id)? {
        let Entry::Observation(seen) = entry? else { continue };
        if seen.purpose == Purpose::Robots {
            continue;
        }
        if seen.asked < since {
            spent.earlier = true;
        } else {
            spent.requests += 1;
            spent.bytes += seen.bytes;
        }
    }
    Ok(())
}
