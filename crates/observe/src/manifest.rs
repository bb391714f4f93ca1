//! Web app manifests: the icons, screenshots and shortcuts a site is installed with.

use crate::collect::Collector;
use memchr::memmem;
use serde_json::Value;
use tintype_vocab::{LinkKind, Tag};

/// How much of a manifest is read; larger ones are something else.
const MANIFEST_MAX: usize = 1 << 20;
/// Entries of one list that are read.
const LIST_MAX: usize = 256;

/// Whether a JSON document of that address is a manifest: its name says so, or what it has.
pub(crate) fn is_one(url: &str, body: &[u8]) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let has = |key: &str| memmem::find(&body[..body.len().min(MANIFEST_MAX)], key.as_bytes()).is_some();
    name.ends_with(".webmanifest")
        || name == "manifest.json"
        || has("\"icons\"") && ["\"start_url\"", "\"display\"", "\"short_name\""].into_iter().any(has)
}

/// Adds what a manifest names.
pub(crate) fn links(text: &str, collector: &mut Collector) {
    let manifest = (text.len() <= MANIFEST_MAX).then(|| serde_json::from_str::<Value>(text));
    let Some(Ok(manifest)) = manifest else {
        collector.findings.markup_broken = true;
        return;
    };
    pictures(&manifest, "icons", Tag::Icon, collector);
    pictures(&manifest, "screenshots", Tag::Image, collector);
    add(&manifest, "start_url", LinkKind::Anchor, Tag::Link, collector);
    for shortcut in list(&manifest, "shortcuts") {
        add(shortcut, "url", LinkKind::Anchor, Tag::Link, collector);
        pictures(shortcut, "icons", Tag::Icon, collector);
    }
    if let Some(worker) = manifest.get("serviceworker") {
        add(worker, "src", LinkKind::Embed, Tag::Script, collector);
    }
}

fn pictures(of: &Value, key: &str, tag: Tag, collector: &mut Collector) {
    list(of, key).for_each(|picture| add(picture, "src", LinkKind::Embed, tag, collector));
}

fn list<'v>(of: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    of.get(key).and_then(Value::as_array).into_iter().flatten().take(LIST_MAX)
}

fn add(of: &Value, key: &str, kind: LinkKind, tag: Tag, collector: &mut Collector) {
    if let Some(url) = of.get(key).and_then(Value::as_str) {
        collector.add(url, kind, tag);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> (Vec<(String, LinkKind)>, bool) {
        let mut collector = Collector::new("http://h/app/site.webmanifest");
        links(text, &mut collector);
        let (links, findings) = collector.finish();
        let path = |url: &str| url.trim_start_matches("http://h").to_owned();
        (links.iter().map(|link| (path(link.url), link.kind)).collect(), findings.markup_broken)
    }

    #[test]
    fn icons_screenshots_and_shortcuts_are_read() {
        use LinkKind::{Anchor, Embed};
        let text = r#"{"name":"x","start_url":"/?pwa","icons":[{"src":"i.png","sizes":"1x1"},{"src":5},7],"theme_color":"/no",
            "screenshots":[{"src":"/s.png"}],"shortcuts":[{"name":"y","url":"./y","icons":[{"src":"y.png"}]}],
            "serviceworker":{"src":"sw.js"}}"#;
        let expected = [
            ("/app/i.png", Embed),
            ("/s.png", Embed),
            ("/?pwa", Anchor),
            ("/app/y", Anchor),
            ("/app/y.png", Embed),
            ("/app/sw.js", Embed),
        ];
        assert_eq!(seen(text), (expected.map(|(path, kind)| (path.to_owned(), kind)).to_vec(), false));
    }

    #[test]
    fn what_is_no_manifest_names_nothing() {
        assert_eq!(
            seen(r#"{"icons":{"16":"i.png"},"shortcuts":"x"}"#),
            (vec![], false),
            "that of a browser's extension"
        );
        assert_eq!(seen("[[["), (vec![], true));
        assert_eq!(seen(&"[".repeat(100_000)), (vec![], true));
        let many =
            format!("{{\"icons\":[{}]}}", (0..1000).map(|n| format!("{{\"src\":\"{n}\"}},")).collect::<String>());
        assert_eq!(seen(&many.replace(",]", "]")).0.len(), LIST_MAX);
        assert_eq!(seen(&format!("{{\"icons\":[{{\"src\":\"{}\"}}]}}", "x".repeat(MANIFEST_MAX))), (vec![], true));
    }

    #[test]
    fn a_manifest_is_told_by_its_name_or_by_what_it_has() {
        for (url, body, expected) in [
            ("http://h/site.webmanifest?v=2", "{}", true),
            ("http://h/a/manifest.json", "{}", true),
            ("http://h/app.json", r#"{"short_name":"x","icons":[]}"#, true),
            ("http://h/app.json", r#"{"icons":[]}"#, false),
            ("http://h/data.json", r#"{"display":1}"#, false),
        ] {
            assert_eq!(is_one(url, body.as_bytes()), expected, "{url} {body}");
        }
    }
}
