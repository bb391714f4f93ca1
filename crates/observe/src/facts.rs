//! What a page says about itself rather than to its readers: language, description, canonical address, rules for robots; and
//! whether it is a page at all or only stands in the place of one.

use crate::{
    Described,
    charset::Charset,
    decode, entity,
    html::{self, Tags},
    media::ContentTypeHeader,
};
use serde::{Deserialize, Serialize};

/// How much of a page is read for what it says of itself.
const HEAD_BYTES: usize = 256 << 10;
/// A log-in or consent page has few words of its own.
const WALL_WORDS_MAX: usize = 250;
/// How pages that are not there call themselves, in the languages of most of the web.
const NOT_FOUND: &[&str] = &[
    "not found",
    "404",
    "page doesn't exist",
    "page does not exist",
    "no longer available",
    "nicht gefunden",
    "introuvable",
    "non trouvée",
    "no encontrada",
    "não encontrada",
    "non trovata",
    "niet gevonden",
    "nie znaleziono",
    "не найдена",
    "未找到",
    "見つかりません",
];
/// What a wall asks for before it lets a reader through: a word for what, and a word for yes.
const CONSENT: [&[&str]; 2] = [
    &["cookie", "consent", "einwilligung", "consentement", "privacy", "datenschutz"],
    &["accept", "agree", "akzeptieren", "zustimmen", "accepter", "aceptar", "accetta", "continue"],
];

/// A page about itself. What it does not say is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageFacts {
    pub title: String,
    pub description: String,
    pub language: String,
    pub canonical: String,
    /// `noindex`, `nofollow`: in the page and in the head of the answer, sorted.
    pub robots: String,
    /// Something asks for a password.
    pub asks_password: bool,
}

/// What stands where a page should be, though the server says all is well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandIn {
    /// "Not found", as an answer of success.
    NotFound,
    LogIn,
    Consent,
}

impl PageFacts {
    /// What an HTML page says of itself; nothing of what is none.
    pub fn read(described: &Described<'_>, body: &[u8]) -> Option<PageFacts> {
        let served = described.content_type.and_then(ContentTypeHeader::parse);
        let is_html = |served: &ContentTypeHeader| served.essence.contains("html");
        let served = served.filter(is_html)?;
        let (plain, damage) = decode::undo(described.content_encoding, body);
        if damage.undecodable {
            return None;
        }
        let head = &plain[..plain.len().min(HEAD_BYTES)];
        let charset = Charset::new(head, served.charset.as_deref(), described.url, html::declared_encoding);
        let text = charset.text();
        let mut facts = PageFacts::of_markup(text.as_bytes());
        let mut rules: Vec<String> = described.robots_headers.iter().map(|rule| rule.to_string()).collect();
        rules.push(std::mem::take(&mut facts.robots));
        facts.robots = sorted_rules(&rules.join(","));
        Some(facts)
    }

    /// Of a page in UTF-8.
    fn of_markup(page: &[u8]) -> PageFacts {
        let (mut facts, mut tags, mut in_title) = (PageFacts::default(), Tags::new(page), false);
        let mut title: Vec<u8> = Vec::new();
        while let Some(tag) = tags.next_after(|text| {
            if in_title {
                title.extend_from_slice(text);
            }
        }) {
            let name = tags.name.to_ascii_lowercase();
            // Drawings have titles as well; the first is that of the page.
            in_title = name == b"title" && !tag.closes && title.is_empty();
            if !tag.closes {
                facts.take(&name, |attribute| value(&tags, attribute));
            }
        }
        facts.title = one_line(&String::from_utf8_lossy(&title));
        facts
    }

    fn take(&mut self, name: &[u8], value: impl Fn(&str) -> String) {
        let is = |attribute: &str, wanted: &str| value(attribute).eq_ignore_ascii_case(wanted);
        let fill = |field: &mut String, attribute: &str| {
            if field.is_empty() {
                *field = value(attribute);
            }
        };
        match name {
            b"html" => fill(&mut self.language, "lang"),
            b"meta" if is("name", "description") => fill(&mut self.description, "content"),
            b"meta" if is("name", "robots") => fill(&mut self.robots, "content"),
            b"link" if is("rel", "canonical") => fill(&mut self.canonical, "href"),
            b"input" if is("type", "password") => self.asks_password = true,
            _ => {}
        }
    }

    /// What this page, which shows that text, stands in for, if it is no page of its own.
    pub fn stands_in(&self, text: &str) -> Option<StandIn> {
        let words = text.split_whitespace().take(WALL_WORDS_MAX + 1).count();
        let title = self.title.to_lowercase();
        if NOT_FOUND.iter().any(|words| title.contains(words)) && words <= WALL_WORDS_MAX {
            return Some(StandIn::NotFound);
        }
        if words > WALL_WORDS_MAX {
            return None;
        }
        let text = text.to_lowercase();
        let is_consent = CONSENT.iter().all(|words| words.iter().any(|word| text.contains(word)));
        match (self.asks_password, is_consent) {
            (true, _) => Some(StandIn::LogIn),
            (_, true) => Some(StandIn::Consent),
            _ => None,
        }
    }
}

impl StandIn {
    pub fn as_str(self) -> &'static str {
        match self {
            StandIn::NotFound => "a page that says it is not found, sent as a success",
            StandIn::LogIn => "a log-in form",
            StandIn::Consent => "a consent page",
        }
    }
}

fn value(tags: &Tags<'_>, name: &str) -> String {
    tags.attribute(name).map_or(String::new(), |value| one_line(&String::from_utf8_lossy(value)))
}

/// Without references and with single spaces.
fn one_line(text: &str) -> String {
    entity::unescape(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rules in one order, because neither order nor capitals mean anything.
fn sorted_rules(rules: &str) -> String {
    let mut rules: Vec<String> =
        rules.split(',').map(|rule| rule.trim().to_lowercase()).filter(|rule| !rule.is_empty()).collect();
    rules.sort_unstable();
    rules.dedup();
    rules.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(page: &str, robots_headers: &[&str]) -> PageFacts {
        let described = Described { content_type: Some("text/html"), robots_headers, ..Described::default() };
        PageFacts::read(&described, page.as_bytes()).unwrap()
    }

    #[test]
    fn a_page_is_asked_about_itself() {
        let page = "<html lang=en><title>Fish &amp;\n chips</title><meta name=Description content='All about'>\
            <link rel=canonical href=/fish><meta name=robots content='NoIndex,follow'><svg><title>x</title></svg>";
        let facts = read(page, &["nosnippet"]);
        assert_eq!(
            (facts.title.as_str(), facts.description.as_str(), facts.language.as_str(), facts.canonical.as_str()),
            ("Fish & chips", "All about", "en", "/fish")
        );
        assert_eq!(facts.robots, "follow, noindex, nosnippet");
        assert_eq!(read("<p>nothing", &[]), PageFacts::default());
    }

    #[test]
    fn what_stands_in_for_a_page_is_told_from_one() {
        let stands_in = |page: &str, text: &str| read(page, &[]).stands_in(text);
        assert_eq!(stands_in("<title>Page not found | Shop</title>", "Sorry."), Some(StandIn::NotFound));
        assert_eq!(stands_in("<form><input type=password></form>", "Please log in"), Some(StandIn::LogIn));
        assert_eq!(stands_in("<p>", "We use cookies. Accept all"), Some(StandIn::Consent));
        let article = "not found ".repeat(200);
        assert_eq!(stands_in("<title>404 not found: a history</title>", &article), None);
        assert_eq!(stands_in("<title>Shop</title>", "Welcome"), None);
    }
}
