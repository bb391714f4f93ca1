//! What was asked of sites in a day, by what their logs say.

use crate::Error;
use tintype_archive::{CaptureInfo, Reading};
use tintype_vocab::{Entry, Purpose, Span, Time};

/// Requests and bytes, those for rules left aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    pub requests: u64,
    pub bytes: u64,
    /// Whether anything was asked before that day.
    pub earlier: bool,
}

/// What was asked of some sites in the day that begins at a midnight. Where a clock was set back, later days are in the logs
/// already: what was asked in those is no part of it.
pub fn spent_on(reading: &Reading, sites: &[String], day: Time) -> Result<Spending, Error> {
    let mut spent = Spending::default();
    for site in sites {
        for capture in reading.captures_reaching(site, day)? {
            add(reading, &capture, day, &mut spent)?;
        }
    }
    Ok(spent)
}

fn add(reading: &Reading, capture: &CaptureInfo, day: Time, spent: &mut Spending) -> Result<(), Error> {
    for entry in reading.bare_entries(&capture.id)? {
        let Entry::Observation(seen) = entry? else { continue };
        if seen.purpose == Purpose::Robots {
            continue;
        }
        if seen.asked < day {
            spent.earlier = true;
        } else if seen.asked < day + Span::from_days(1) {
            spent.requests += 1;
            spent.bytes += seen.bytes;
        }
    }
    Ok(())
}
