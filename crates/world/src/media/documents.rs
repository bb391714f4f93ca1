//! Reports: behind `/download/123` mostly a PDF and sometimes a package, and pages that are called `.pdf`.

use super::{
    Web, WebConfig,
    draft::{Draft, Host, Number, mention},
};
use crate::synthetic::chance::{below, happens};
use tintype_vocab::{LinkPlace, Tag};

pub(super) const SUMMARY: &str =
    "reports by year: behind /download/123 mostly a PDF and sometimes a package, and pages called .pdf that show one";

/// Pages and files per report.
const PER_REPORT: usize = 8;
const YEARS: usize = 12;

pub(super) fn make(wish: &WebConfig) -> Web {
    let mut draft = Draft::new(wish.seed);
    let host = draft.host("http://reports.example", &["browse", "authors", "subjects", "news"]);
    let reports = (wish.pages / PER_REPORT).max(YEARS);
    let authors = draft.numbered(host, reports + 1, |nth| format!("/authors/{nth}"));
    let subjects = draft.numbered(host, reports / 20 + 2, |nth| format!("/subjects/{nth}"));
    let records: Vec<Number> = (0..reports).map(|id| report(&mut draft, host, id, [&authors, &subjects])).collect();
    let years: Vec<Number> = records
        .chunks(reports.div_ceil(YEARS))
        .enumerate()
        .map(|(year, of)| draft.list(host, &format!("/browse/{}/", 2014 + year), of, 25)[0])
        .collect();
    draft.list(host, "/browse/", &years, YEARS);
    draft.list(host, "/authors/", &authors, 50);
    draft.list(host, "/subjects/", &subjects, 50);
    let news = draft.numbered(host, reports, |nth| format!("/news/item-{nth}.html"));
    draft.list(host, "/news/", &news, 20);
    let entrance = draft.page(host, "/");
    draft.finish(&[entrance], &["application/pdf"])
}

/// The record of a report, and what can be downloaded.
fn report(draft: &mut Draft, host: Host, id: usize, [authors, subjects]: [&[Number]; 2]) -> Number {
    let record = draft.page(host, &format!("/record/{id}"));
    let packed = happens(&mut draft.dice, 0.12);
    let file = draft.file(host, &format!("/download/{id}"), if packed { "application/zip" } else { "application/pdf" });
    if happens(&mut draft.dice, 0.2) {
        // A page that shows the document, under its name.
        let reader = draft.page(host, &format!("/files/{id}.pdf"));
        draft.anchor(record, reader, "read online");
        draft.link(reader, file, mention(Tag::Frame, LinkPlace::Content, ""));
    } else {
        draft.anchor(record, file, if packed { "data set" } else { "full text" });
    }
    draft.about(host, record, &format!("/record/{id}"), &["cite", "references", "similar"]);
    for list in [authors, subjects] {
        let other = draft.pick(list);
        draft.anchor(record, other, "more");
        draft.anchor(other, record, "report");
    }
    if id > 0 {
        let other = below(&mut draft.dice, id);
        let other = draft.page(host, &format!("/record/{other}"));
        draft.anchor(record, other, "cited");
    }
    record
}
