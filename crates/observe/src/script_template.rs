//! Which pages are built alike by their scripts: by the scripts that run on them, the empty places that are filled, and their
//! directory.
//!
//! What changes from page to page and from build to build is left out: numbers, hashes in the names of files, data.

use crate::html::{Element, Name, Tags};
use rapidhash::v3::rapidhash_v3;
use std::collections::BTreeSet;
use tintype_vocab::ScriptTemplate;
use url::Url;

/// Scripts and places of one page that are looked at.
const PARTS_MAX: usize = 1000;
/// Bytes of a name, or of the beginning of a script, that count.
const NAME_MAX: usize = 40;
/// Directories of a path that count.
const DIRECTORIES_MAX: usize = 3;
/// Digits that make a part of a name a hash, with letters among them.
const HASH_MIN: usize = 6;

/// What pages have in common that scripts build as they build this one; nothing if no script runs on it.
pub fn script_template(url: &str, page: &[u8]) -> Option<ScriptTemplate> {
    let (mut scripts, mut places) = (BTreeSet::new(), BTreeSet::new());
    let mut tags = Tags::new(page);
    // The tag that was opened last, if nothing has come since.
    let mut empty: Option<u64> = None;
    let mut has_text = false;
    while let Some(tag) = tags.next_after(|text| has_text |= !text.trim_ascii().is_empty()) {
        if std::mem::take(&mut has_text) {
            empty = None;
        }
        if scripts.len() + places.len() >= PARTS_MAX {
            break;
        }
        if tag.closes {
            places.extend(empty.take());
            continue;
        }
        empty = is_filled(tags.name).then(|| place_of(&tags));
        if tags.name.contains(&b'-') {
            places.insert(hash(b"<", tags.name));
        }
        if Element::of(&Name::new(tags.name)) == Element::Script {
            let (runs, source) = (runs(tags.attribute("type")), tags.attribute("src").map(name_of_file));
            let written = tags.raw_text();
            if runs {
                scripts.insert(source.unwrap_or_else(|| beginning(written)));
            }
        }
    }
    if scripts.is_empty() {
        return None;
    }
    Some(ScriptTemplate { scripts: together(&scripts), place: together(&places) ^ directory(url) })
}

/// Whether a script of this type is run at all.
fn runs(written: Option<&[u8]>) -> bool {
    let essence = written.unwrap_or_default().split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let is = |known: &str| essence.eq_ignore_ascii_case(known.as_bytes());
    essence.is_empty() || is("module") || essence.to_ascii_lowercase().ends_with(b"javascript")
}

/// Elements that scripts fill where they are empty.
fn is_filled(name: &[u8]) -> bool {
    let known: [&[u8]; 9] = [b"div", b"main", b"section", b"article", b"ul", b"ol", b"tbody", b"canvas", b"video"];
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn place_of(tags: &Tags<'_>) -> u64 {
    let named = tags.attribute("id").or_else(|| tags.attribute("class")).unwrap_or_default();
    hash(tags.name, &named[..named.len().min(NAME_MAX)])
}

/// The last part of its path, without what is another for every build, and its host if it is named.
fn name_of_file(source: &[u8]) -> u64 {
    let path = source.split(|byte| matches!(byte, b'?' | b'#')).next().unwrap_or_default();
    let (host, path) = match path.windows(2).position(|two| two == b"//") {
        Some(at) => path[at + 2..].split_at(path[at + 2..].iter().position(|byte| *byte == b'/').unwrap_or(0)),
        None => (&path[..0], path),
    };
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let is_break = |byte: &u8| !byte.is_ascii_alphanumeric();
    let lasting = name.split(is_break).filter(|part| !is_hash(part)).collect::<Vec<_>>().join(&b'.');
    hash(host, &lasting[..lasting.len().min(NAME_MAX)])
}

/// Whether a part of a name stands for the bytes of the file.
fn is_hash(part: &[u8]) -> bool {
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    let capitals = part.iter().skip(1).filter(|byte| byte.is_ascii_uppercase()).count();
    part.len() >= HASH_MIN && (digits > 0 || capitals > 1)
}

/// The letters a script begins with, up to the first text: what follows may be about this page.
fn beginning(script: &[u8]) -> u64 {
    let code = script.split(|byte| matches!(byte, b'"' | b'\'' | b'`')).next().unwrap_or_default();
    let letters: Vec<u8> = code.iter().filter(|byte| byte.is_ascii_alphabetic()).take(NAME_MAX).copied().collect();
    hash(b"", &letters)
}

fn directory(url: &str) -> u64 {
    let Ok(url) = Url::parse(url) else { return 0 };
    let parts: Vec<&str> = url.path().split('/').filter(|part| !part.is_empty()).collect();
    let above = &parts[..parts.len().saturating_sub(1).min(DIRECTORIES_MAX)];
    let keys: Vec<_> = url.query_pairs().map(|(key, _)| key.into_owned()).take(DIRECTORIES_MAX).collect();
    hash(above.join("/").as_bytes(), keys.join("&").as_bytes())
}

/// Numbers do not count.
fn hash(one: &[u8], other: &[u8]) -> u64 {
    let plain = |text: &[u8]| text.iter().filter(|byte| !byte.is_ascii_digit()).copied().collect::<Vec<u8>>();
    rapidhash_v3(&[plain(one), plain(other)].join(&b'\n'))
}

fn together(parts: &BTreeSet<u64>) -> u64 {
    parts.iter().fold(0, |sum: u64, part| sum.rotate_left(7) ^ part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(url: &str, page: &str) -> ScriptTemplate {
        script_template(url, page.as_bytes()).unwrap()
    }

    #[test]
    fn pages_without_scripts_are_built_by_nothing() {
        for page in
            ["<p>Hello", "<script type='application/ld+json'>{}</script>", "<!-- <script src=a.js></script> -->"]
        {
            assert_eq!(script_template("http://e.com/", page.as_bytes()), None, "{page}");
        }
    }

    #[test]
    fn numbers_hashes_and_data_make_no_other_template() {
        let page = |n: u32, hash: &str| {
            format!(
                "<div id=app{n}></div><h1>Page {n}</h1><script src='/assets/index-{hash}.js?v={n}'></script>
                 <script>window.STATE = \"page {n}\"</script>"
            )
        };
        let (one, other) = (of("http://e.com/a/1", &page(1, "B3f9K2lq")), of("http://e.com/a/2", &page(2, "Zq81mNw0")));
        assert_eq!(one, other);
        assert_ne!(one, of("http://e.com/b/1", &page(1, "B3f9K2lq")), "another directory is another place");
        assert_eq!(one.scripts, of("http://e.com/b/1", &page(1, "B3f9K2lq")).scripts);
    }

    #[test]
    fn other_scripts_and_places_to_fill_make_another() {
        let plain = of("http://e.com/1", "<script src=site.js></script><div>Text</div>");
        let map = of("http://e.com/1", "<script src=site.js></script><div id=map> </div>");
        let more = of("http://e.com/1", "<script src=site.js></script><script src=chart.js></script><div>Text</div>");
        assert!(plain.scripts == map.scripts && plain.place != map.place);
        assert_ne!(plain.scripts, more.scripts);
    }
}
