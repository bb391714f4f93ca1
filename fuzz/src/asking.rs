//! Everything that can be asked of a collection, within limits.

use std::{ops::ControlFlow, path::Path};
use tintype_archive::{
    Collection, OpenOptions,
    holdings::{Holdings, KeyRange},
};
use tintype_session::{certify, replay};
use tintype_vocab::Time;

const MANY: usize = 1000;

/// Asks all of it of the collection, then opens it for writing, which repairs it.
pub fn ask_collection(path: &Path) {
    if let Ok(reading) = Collection::read(path) {
        for capture in reading.captures().unwrap_or_default().iter().take(4) {
            if let Ok(entries) = reading.entries(&capture.id) {
                entries.take(MANY).for_each(drop);
            }
            let _ = certify(&reading, capture);
            let _ = replay(&reading, capture);
            let _ = reading.history(&capture.head.site);
        }
        let _ = reading.changes(Time::from_secs(0)).map(|changes| changes.take(MANY).for_each(drop));
        let _ = reading.verify();
        ask_holdings(&Holdings::of_collection(reading));
    }
    let options =
        OpenOptions { create: false, command: "fuzz".into(), now: Time::from_secs(1_800_000_000) };
    let _ = Collection::open(path, options).map(drop);
}

/// Looks at every line and what it leads to.
pub fn ask_holdings(holdings: &Holdings) {
    let mut found = Vec::new();
    let _ = holdings.scan(&KeyRange::all(), |memento| {
        found.push(memento);
        if found.len() < 50 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    for memento in found {
        let _ = holdings.mementos(memento.url());
        let Ok(Some(opened)) = holdings.open(&memento) else { continue };
        opened.fields();
        let mut left = 1_usize << 22;
        let _ = holdings.pour(&opened.body, &mut |bytes| left = left.saturating_sub(bytes.len()));
    }
}
