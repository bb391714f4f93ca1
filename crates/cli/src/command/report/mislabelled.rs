//! Pages that are something else than their server said, in words.

use crate::amount::counted;
use tintype_archive::{CaptureInfo, Reading};
use tintype_quality::{Mislabelled, MislabelledPair, MislabelledTally};
use tintype_vocab::Entry;

/// Those of a capture, if it has any.
pub(super) fn of(reading: &Reading, capture: &CaptureInfo) -> anyhow::Result<Option<Mislabelled>> {
    let mut tally = MislabelledTally::default();
    for entry in reading.entries(&capture.id)? {
        if let Entry::Observation(seen) = entry? {
            tally.observe(&seen);
        }
    }
    Ok(tally.finish())
}

/// In rows of a label and a sentence.
pub(super) fn rows(found: &Mislabelled) -> Vec<(&'static str, String)> {
    let what = format!("{} of {} are something else than the server said", found.pages, counted(found.of, "page"));
    let pairs = found.pairs.iter().map(|MislabelledPair { served, found, pages, examples }| {
        let examples = examples.join(" ");
        format!("{}: {served} was said, {found} is there, as at {examples}", counted(*pages, "page"))
    });
    let others = Some(found.of_other_pairs).filter(|pages| *pages > 0);
    let others = others.map(|pages| format!("{}: other pairs, too many to name", counted(pages, "page")));
    std::iter::once(what).chain(pairs).chain(others).map(|sentence| ("mislabelled", sentence)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_read_as_sentences() {
        let pair = |served: &str, found: &str, pages, example: &str| MislabelledPair {
            served: served.to_owned(),
            found: found.to_owned(),
            pages,
            examples: vec![example.to_owned()],
        };
        let pairs = vec![pair("text/plain", "image/png", 1, "http://h/4")];
        let rows = rows(&Mislabelled { pages: 5, of: 6, pairs, of_other_pairs: 4 });
        let rows: Vec<&str> = rows.iter().map(|(_, sentence)| sentence.as_str()).collect();
        assert_eq!(rows[0], "5 of 6 pages are something else than the server said");
        assert_eq!(rows[1], "1 page: text/plain was said, image/png is there, as at http://h/4");
        assert_eq!(rows[2], "4 pages: other pairs, too many to name");
    }
}
