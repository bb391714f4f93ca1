//! What a page says beside what it shows: its description, what robots may do, its canonical address, its language, and the
//! texts in data that its scripts show.

use crate::{entity, html::Tags};
use hashbrown::HashSet;
use rapidhash::v3::rapidhash_v3;
use serde_json::Value;

/// Data of more bytes is left to the scripts that read it.
const DATA_MAX: usize = 1 << 20;
/// Values looked at, and texts kept, of one page.
const VALUES_MAX: usize = 20_000;
const TEXTS_MAX: usize = 512;
/// Words of a value that is a text whatever it is called.
const TEXT_WORDS: usize = 3;
/// Members that say something however short they are.
const TELLING: [&str; 14] = [
    "headline",
    "title",
    "name",
    "description",
    "text",
    "body",
    "summary",
    "price",
    "lowprice",
    "highprice",
    "amount",
    "availability",
    "status",
    "startdate",
];

/// Metadata as it is kept: `name: value`.
pub(super) fn meta(tags: &Tags<'_>) -> Option<String> {
    let text = |name| tags.attribute(name).and_then(|value| std::str::from_utf8(value).ok());
    let name = text("name").or_else(|| text("property"))?.trim().to_ascii_lowercase();
    let name = match name.as_str() {
        "description" | "og:description" => "description",
        "robots" | "googlebot" => "robots",
        "keywords" => "keywords",
        _ => return None,
    };
    named(name, text("content")?)
}

/// The address a page wants to be known by.
pub(super) fn link(tags: &Tags<'_>) -> Option<String> {
    let text = |name| tags.attribute(name).and_then(|value| std::str::from_utf8(value).ok());
    let is_canonical = text("rel")?.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case("canonical"));
    if is_canonical { named("canonical", text("href")?) } else { None }
}

/// The language a page says it is in.
pub(super) fn language(tags: &Tags<'_>) -> Option<String> {
    named("language", std::str::from_utf8(tags.attribute("lang")?).ok()?)
}

fn named(name: &str, value: &str) -> Option<String> {
    let value = entity::unescape(value);
    let words: Vec<&str> = value.split_whitespace().collect();
    (!words.is_empty()).then(|| format!("{name}: {}", words.join(" ")))
}

/// Whether a script is data: JSON-LD, or the state of a page.
pub(super) fn is_data(tags: &Tags<'_>) -> bool {
    let is = |kind: &[u8]| {
        let kind = kind.trim_ascii();
        kind.eq_ignore_ascii_case(b"application/json") || kind.eq_ignore_ascii_case(b"application/ld+json")
    };
    tags.attribute("type").is_some_and(is)
}

/// The texts of data that a page shows, each once, without those in `shown`.
pub(super) fn texts(data: &str, shown: &HashSet<u64>) -> Vec<String> {
    if data.len() > DATA_MAX {
        return Vec::new();
    }
    let Ok(data) = serde_json::from_str::<Value>(data) else { return Vec::new() };
    let mut found = Vec::new();
    let mut seen: HashSet<u64> = HashSet::new();
    // Last in, first out: members are pushed backwards to be read in their order.
    let mut waiting: Vec<(&str, &Value)> = vec![("", &data)];
    for _ in 0..VALUES_MAX {
        let Some((name, value)) = waiting.pop() else { break };
        match value {
            Value::Object(members) => waiting.extend(members.iter().rev().map(|(name, value)| (name.as_str(), value))),
            Value::Array(items) => waiting.extend(items.iter().rev().map(|item| (name, item))),
            _ => {
                let text = said(name, value).filter(|text| {
                    let print = rapidhash_v3(text.as_bytes());
                    !shown.contains(&print) && seen.insert(print)
                });
                found.extend(text.filter(|_| found.len() < TEXTS_MAX));
            }
        }
    }
    found
}

/// What a value says to people, if anything.
fn said(name: &str, value: &Value) -> Option<String> {
    let telling = TELLING.iter().any(|known| known.eq_ignore_ascii_case(name));
    let text = match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Number(number) if telling => format!("{name} {number}"),
        _ => return None,
    };
    let is_address = text.starts_with("http") || text.starts_with('/');
    let is_text = text.split(' ').count() >= TEXT_WORDS || telling;
    (is_text && !text.is_empty() && !is_address && !name.starts_with('@')).then_some(text)
}
