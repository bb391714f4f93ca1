//! Whether a collection keeps what it promised.

use super::rig;
use crate::{
    Defect, Place,
    index::of_segment,
    layout::{Layout, SEGMENT_SUFFIX, names},
    log::reader::Observations,
    tag::Tag,
};
use std::{collections::BTreeSet, path::Path};
use tintype_vocab::{Digest, PageUrl, Time};
use tintype_warc::Reader;

/// A visit somebody was told is on disk.
pub(super) type Reported = (String, Time, Option<Digest>);

/// Opens the collection twice (the second time there is nothing left to mend) and returns every visit it has, after
/// checking that its record is where the log says and holds what it should.
pub(super) fn audit(root: &Path) -> BTreeSet<Reported> {
    audit_but(root, |_| false)
}

/// The same for a collection with defects that nobody can mend.
pub(super) fn audit_but(root: &Path, allowed: fn(&Defect) -> bool) -> BTreeSet<Reported> {
    drop(rig::open(root));
    let collection = rig::open(root);
    assert_eq!(collection.repairs(), [], "opening again finds nothing to mend");
    let mut findings = collection.reading().verify().unwrap().findings;
    findings.retain(|finding| !allowed(&finding.defect));
    assert_eq!(findings, []);
    let layout = Layout::new(root);
    assert_eq!(names(&layout.warc(), ".open").unwrap(), [""; 0]);
    for name in names(&layout.warc(), SEGMENT_SUFFIX).unwrap() {
        let made = of_segment(&layout.segment(&name), &name).unwrap();
        assert_eq!(made.lines.concat(), std::fs::read_to_string(layout.index_of(&name)).unwrap());
    }
    let mut visits = BTreeSet::new();
    for info in collection.captures().unwrap() {
        let mut lines = Observations::open(&info.log, 0).unwrap();
        while let Some((_, observed)) = lines.next().unwrap() {
            let Some(observed) = observed else { continue };
            let seen = &observed.observation;
            let visit = (seen.url.clone(), seen.asked, seen.digest);
            assert_eq!(record(&layout, &observed.place.unwrap()), visit);
            assert!(visits.insert(visit), "no visit is logged twice");
        }
    }
    let key = PageUrl::new("http://example.com/0");
    let known = collection.history(rig::SITE).unwrap().page(&key).unwrap().map_or(0, |page| page.visits);
    assert_eq!(known, visits.iter().filter(|(url, ..)| url == "http://example.com/0").count() as u64);
    visits
}

fn record(layout: &Layout, place: &Place) -> Reported {
    let mut reader = Reader::new(crate::held::stored(layout, place).unwrap());
    let record = reader.next().unwrap().expect("a record where the log says");
    let noted = Tag::of_record(record.header).and_then(|tag| tag.noted);
    let digest = record.header.payload_digest().map(|text| text.parse().unwrap()).or(noted);
    (record.header.target_uri().unwrap().into_owned(), record.header.date().unwrap(), digest)
}
