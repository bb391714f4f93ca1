//! Any bytes as a page of a listing, read in every declared way.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_observe::{
    Described,
    listing::{Declared, ID_MAX, VALUE_MAX, Way, list},
};

const WAYS: [(&str, &str, Option<&str>, Option<&str>); 5] = [
    ("text/html", "css:li.car, p > b", Some("a@href"), Some("css:a.next")),
    ("text/html", "links:/car/*/{id}", None, Some("links:/*page=*")),
    ("application/json", "json:/items/*", Some("/id"), Some("json:/next")),
    ("application/xml", "feed", None, None),
    ("application/xml", "sitemap", None, None),
];

fuzz_target!(|data: &[u8]| {
    let Some((kind, body)) = data.split_first() else { return };
    let (content_type, objects, id, next) = WAYS[usize::from(*kind) % WAYS.len()];
    let attributes = [("link".to_owned(), if objects.starts_with("json") { "/x" } else { "link" }.to_owned())];
    let way = Way::parse(&Declared { objects, id, attributes: &attributes, next }).unwrap();
    let url = "http://h.example/list";
    let described = Described { url, content_type: Some(content_type), ..Described::default() };
    let listing = list(&described, body, &way);
    for object in &listing.objects {
        assert!((1..=ID_MAX).contains(&object.id.len()));
        assert!(object.attributes.len() == 1 && object.attributes[0].len() <= VALUE_MAX);
    }
    assert!(listing.next.iter().all(|page| page.starts_with("http") && page != url));
});
