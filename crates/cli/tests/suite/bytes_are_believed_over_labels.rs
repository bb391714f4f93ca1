//! What a server says of its files is held against their bytes, and where it is wrong `tintype report` says so.

use crate::{
    bench::{capture, run},
    host::{Asked, Host, Reply, answer, html, not_there},
};
use serde_json::Value;
use std::{fs, path::Path};

/// A site whose picture is gone, as a page in its place says, and whose brochure is said to be bytes.
fn careless(asked: &Asked) -> Reply {
    match asked.target.as_str() {
        "/" => {
            html("<img src=/picture.jpg alt='A picture'><a href=/brochure>Brochure (PDF)</a><a href=/notes>Notes</a>")
        }
        "/picture.jpg" => {
            answer(200, &[("Content-Type", "image/jpeg")], b"<!doctype html><title>No such picture</title>")
        }
        "/brochure" => answer(200, &[("Content-Type", "application/octet-stream")], b"%PDF-1.4\n%\x80\x81\n"),
        "/notes" => answer(200, &[("Content-Type", "text/plain")], b"<html> is how pages begin\n"),
        _ => not_there(),
    }
}

/// A gallery that calls the pages around its pictures pictures.
fn mistaken(asked: &Asked) -> Reply {
    match asked.target.as_str() {
        "/" => html("<a href=/view.jpg>The picture</a>"),
        "/view.jpg" => answer(200, &[("Content-Type", "image/jpeg")], b"<!doctype html><img src=/full><a href=/next>"),
        _ => not_there(),
    }
}

#[test]
fn links_of_a_page_that_is_called_a_picture_are_followed() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(mistaken));
    capture(directory.path(), &host.seed(), &[]);
    let hits = host.take_hits();
    assert!(hits.contains_key("/full") && hits.contains_key("/next"), "{hits:?}");
}

fn report(directory: &Path, more: &[&str]) -> String {
    let output = run(directory, &[&["report"], more].concat());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_report_names_what_is_something_else() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(careless));
    let here = directory.path();
    capture(here, &host.seed(), &[]);
    let said: Value = serde_json::from_str(&report(here, &["--json"])).unwrap();
    let said = &said["captures"][0];
    let wrong = &said["mislabelled"];
    assert_eq!((&wrong["pages"], &wrong["of"]), (&2.into(), &4.into()), "{wrong}");
    let pairs = wrong["pairs"].as_array().unwrap();
    let pair = |served: &str| pairs.iter().find(|pair| pair["served"] == served).unwrap_or_else(|| panic!("{wrong}"));
    assert_eq!(pair("image/jpeg")["found"], "text/html");
    assert_eq!(pair("application/octet-stream")["found"], "application/pdf");
    assert_eq!(pair("image/jpeg")["examples"][0], format!("{}picture.jpg", host.seed()));
    let sentence = "2 of 4 pages are something else than the server said";
    assert!(report(here, &[]).contains(sentence));
    let page = here.join("report.html");
    report(here, &["--html", page.to_str().unwrap()]);
    assert!(fs::read_to_string(page).unwrap().contains(sentence));
}
