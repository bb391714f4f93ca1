//! An archived page, changed only where it would lead out of the archive. What was not read is passed on byte for byte.

use super::{addresses::Addresses, css, script};
use encoding_rs::Encoding;
use lol_html::{
    AsciiCompatibleEncoding, HtmlRewriter, MemorySettings, Settings, element,
    html_content::{ContentType, Element},
    text,
};
use std::cell::{Cell, RefCell};

/// What the reader of one page may hold; a page that needs more is not shown rewritten.
const MEMORY_MAX: usize = 32 << 20;

/// Attributes that name a resource.
const RESOURCES: [&str; 5] = ["src", "poster", "background", "data", "xlink:href"];
/// Attributes that would reach out, or forbid what replay changes.
const DROPPED: [&str; 4] = ["integrity", "ping", "attributionsrc", "nonce"];
/// Relations that only prepare for a live web.
const IDLE: [&str; 5] = ["preconnect", "dns-prefetch", "prefetch", "prerender", "manifest"];

/// All attributes that are looked at.
const INTERESTING: [&str; 19] = [
    "src",
    "poster",
    "background",
    "data",
    "xlink:href",
    "integrity",
    "ping",
    "attributionsrc",
    "nonce",
    "href",
    "action",
    "formaction",
    "srcset",
    "imagesrcset",
    "style",
    "http-equiv",
    "name",
    "type",
    "rel",
];

/// What is put into the page.
#[derive(Clone, Debug, Default)]
pub(super) struct Added {
    /// Before everything else.
    pub(super) first: String,
    /// Behind everything else.
    pub(super) last: String,
    /// Before the script of a worker.
    pub(super) worker: String,
}

/// The page with its addresses leading into the archive; nothing if it is more than may be held.
pub(super) fn rewritten(html: &[u8], charset: Option<&str>, addresses: &Addresses, added: &Added) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(html.len() + html.len() / 8);
    let (is_begun, style, current) = (Cell::new(false), RefCell::new(String::new()), RefCell::new(addresses.clone()));
    let (kind, source) = (RefCell::new(String::new()), RefCell::new(String::new()));
    let encoding = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    let memory = MemorySettings::new().with_max_allowed_memory_usage(MEMORY_MAX);
    let settings = Settings::new()
        .with_encoding(encoding.and_then(AsciiCompatibleEncoding::new).unwrap_or_else(AsciiCompatibleEncoding::utf_8))
        .with_adjust_charset_on_meta_tag(encoding.is_none())
        .with_strict(false)
        .with_memory_settings(memory)
        .append_element_content_handler(element!("*", |element| {
            if !is_begun.get() && element.tag_name() != "html" {
                is_begun.set(true);
                match element.tag_name() == "head" {
                    true => element.prepend(&added.first, ContentType::Html),
                    false => element.before(&added.first, ContentType::Html),
                }
            }
            if element.tag_name() == "base" {
                rebase(element, &current)?;
                return Ok(());
            }
            change(element, &current.borrow())?;
            Ok(())
        }))
        .append_element_content_handler(text!("style", |chunk| {
            style.borrow_mut().push_str(chunk.as_str());
            match chunk.last_in_text_node() {
                true => {
                    let written = std::mem::take(&mut *style.borrow_mut());
                    let changed = css::rewritten(written.as_bytes(), &|url| current.borrow().resource(url));
                    chunk.replace(&String::from_utf8_lossy(&changed), ContentType::Html);
                }
                false => chunk.remove(),
            }
            Ok(())
        }))
        .append_element_content_handler(element!("script", |element| {
            *kind.borrow_mut() = element.get_attribute("type").unwrap_or_default();
            Ok(())
        }))
        .append_element_content_handler(text!("script", |chunk| {
            let mut gathered = source.borrow_mut();
            gathered.push_str(chunk.as_str());
            match chunk.last_in_text_node() {
                true => {
                    let written = std::mem::take(&mut *gathered);
                    let changed = self::script(&kind.borrow(), &written, &current.borrow());
                    chunk.replace(&changed.unwrap_or(written), ContentType::Html);
                }
                false => chunk.remove(),
            }
            Ok(())
        }))
        .append_document_content_handler(lol_html::end!(|end| {
            end.append(&added.last, ContentType::Html);
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |piece: &[u8]| out.extend_from_slice(piece));
    let whole = rewriter.write(html).and_then(|()| rewriter.end());
    whole.is_ok().then_some(out)
}

type Changed = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// A page that names another base: its addresses are read from there, in the archive.
fn rebase(element: &mut Element<'_, '_>, addresses: &RefCell<Addresses>) -> Changed {
    let Some(href) = element.get_attribute("href") else { return Ok(()) };
    let base = addresses.borrow().base.join(unescaped(&href).trim());
    if let Ok(base) = base {
        let led = addresses.borrow().resource(base.as_str());
        addresses.borrow_mut().base = base;
        match led {
            Some(led) => element.set_attribute("href", &led)?,
            None => element.remove_attribute("href"),
        }
    }
    Ok(())
}

/// What a script says is changed once it is complete.
fn script(kind: &str, source: &str, to: &Addresses) -> Option<String> {
    match kind.trim().to_ascii_lowercase().as_str() {
        "importmap" => script::import_map(source, to),
        "" | "module" => script::rewritten(source, to),
        kind if kind.ends_with("javascript") || kind.ends_with("ecmascript") => script::rewritten(source, to),
        _ => None,
    }
}

/// Whether an element may have to be changed: most on a page only dress its text.
fn is_of_interest(element: &Element<'_, '_>) -> bool {
    element.attributes().iter().any(|attribute| INTERESTING.contains(&attribute.name().as_str()))
}

fn change(element: &mut Element<'_, '_>, to: &Addresses) -> Changed {
    if !is_of_interest(element) {
        return Ok(());
    }
    let tag = element.tag_name();
    for name in DROPPED {
        element.remove_attribute(name);
    }
    match tag.as_str() {
        "meta" => return meta(element, to),
        "link" if is_idle(element) => element.set_attribute("rel", "x-archived")?,
        "link" => set(element, "href", |href| to.resource(href))?,
        "script" if element.get_attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("speculationrules")) => {
            element.remove();
            return Ok(());
        }
        "a" | "area" => set(element, "href", |href| to.page(href))?,
        "form" => set(element, "action", |action| to.page(action))?,
        "iframe" | "frame" => return set(element, "src", |src| to.page(src)),
        "use" | "image" => set(element, "href", |href| to.resource(href))?,
        _ => {}
    }
    set(element, "formaction", |action| to.page(action))?;
    for name in RESOURCES {
        set(element, name, |src| to.resource(src))?;
    }
    for name in ["srcset", "imagesrcset"] {
        set(element, name, |list| Some(to.srcset(list)))?;
    }
    set(element, "style", |style| {
        if !style.contains(['(', '@']) {
            return None;
        }
        let changed = css::rewritten(style.as_bytes(), &|url| to.resource(url));
        String::from_utf8(changed).ok()
    })
}

fn set(element: &mut Element<'_, '_>, name: &str, change: impl Fn(&str) -> Option<String>) -> Changed {
    if let Some(written) = element.get_attribute(name)
        && let Some(changed) = change(&unescaped(&written))
    {
        element.set_attribute(name, &changed.replace('&', "&amp;").replace('"', "&quot;"))?;
    }
    Ok(())
}

/// Attribute values are handed over as they are written.
fn unescaped(written: &str) -> String {
    if !written.contains('&') {
        return written.to_owned();
    }
    [
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&#38;", "&"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(written.to_owned(), |text, (from, to)| text.replace(from, to))
}

fn is_idle(element: &Element<'_, '_>) -> bool {
    let rel = element.get_attribute("rel").unwrap_or_default().to_ascii_lowercase();
    rel.split_ascii_whitespace().any(|relation| IDLE.contains(&relation))
}

/// Policies of the past end here; a page that goes on to another goes on in the archive.
fn meta(element: &mut Element<'_, '_>, to: &Addresses) -> Changed {
    let name = |attribute: &str| element.get_attribute(attribute).unwrap_or_default().to_ascii_lowercase();
    let (equivalent, named) = (name("http-equiv"), name("name"));
    if matches!(equivalent.as_str(), "content-security-policy" | "x-dns-prefetch-control") || named == "referrer" {
        element.remove();
    } else if equivalent == "refresh" {
        set(element, "content", |content| refresh(content, to))?;
    }
    Ok(())
}

/// `5; url=/next`, also as a header.
pub(super) fn refresh(content: &str, to: &Addresses) -> Option<String> {
    let (seconds, rest) = content.split_once([';', ','])?;
    let rest = rest.trim();
    let url = rest.get(..4).filter(|start| start.eq_ignore_ascii_case("url=")).map_or(rest, |_| &rest[4..]);
    Some(format!("{seconds}; url={}", to.page(url.trim().trim_matches(['"', '\'']))?))
}

#[cfg(test)]
mod tests {
    use super::super::{addresses::Spelling, name::ReplayName};
    use super::*;
    use url::Url;

    fn shown(html: &str) -> String {
        let base = Url::parse("http://e.com/a/").unwrap();
        let here = ReplayName::of(&base, "20261118000000").unwrap();
        let addresses = Addresses { base, spelling: Spelling::Origins { here, suffix: "localhost".into() } };
        let added = Added { first: "<i>first</i>".into(), last: "<i>last</i>".into(), worker: String::new() };
        String::from_utf8(rewritten(html.as_bytes(), None, &addresses, &added).unwrap()).unwrap()
    }

    #[test]
    fn what_leads_out_of_the_archive_leads_into_it() {
        let said = shown(
            "<!doctype html><html><head><meta http-equiv=Content-Security-Policy content=x><base href='/b/'>\
             <link rel=preconnect href=http://live/><link rel=stylesheet href=c.css integrity=sha1-x>\
             <style>p{background:url(//cdn.com/d.png)}</style></head><body background=e.png>\
             <a href=\"f?x=1&amp;y=2\">f</a><a href='#g'>g</a><img src=h.png srcset='h.png 1x, /i.png 2x'>\
             <form action=http://other.com/j><input formaction=k></form><iframe src=l></iframe>\
             <meta http-equiv=refresh content='3; URL=m'><p style='background:url(n.png)' onclick=x()>o</p></body></html>",
        );
        for part in [
            "<head><i>first</i>",
            "rel=\"x-archived\"",
            "href=c.css",
            "url(/__tt/f/http://cdn.com/d.png)",
            "background=e.png",
            "href=\"f?x=1&amp;y=2\"",
            "href='#g'",
            "srcset=\"h.png 1x, /i.png 2x\"",
            "action=\"http://20261118000000.h-other--com.localhost/j\"",
            "formaction=k",
            "<iframe src=l>",
            "content='3; URL=m'",
            "background:url(n.png)",
            "<i>last</i>",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert!(said.contains("<base href=\"/b/\">"), "{said}");
        for gone in ["Content-Security-Policy", "integrity"] {
            assert!(!said.contains(gone), "{gone}: {said}");
        }
        assert!(shown("just text").ends_with("just text<i>last</i>"));
        assert!(shown("<p>x").starts_with("<i>first</i><p>"));
    }
}
