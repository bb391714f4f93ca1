//! What a tag means for the blocks of a page: by its name, its `role` attribute, and the words of its class and id.

use super::layout::Role;
use crate::html::{Name, Tags};

/// What begins with a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A box that holds other things until its end tag.
    Box(Sort),
    /// h1 to h6: all that follows, up to the next of its level, is about it.
    Heading(u8),
    /// Ends a run of text and begins another: paragraphs.
    Paragraph,
    Preformatted,
    /// A line across the page.
    Rule,
    /// The second of two in a row is as good as a paragraph.
    LineBreak,
    /// Words that are struck out.
    Struck,
    /// Says nothing about blocks.
    Inline,
}

/// Sorts of boxes that end each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Landmark(Role),
    List,
    Item,
    Table,
    Row,
    Cell,
    Plain,
    /// What a heading opened; no tag does.
    Under(u8),
}

impl Sort {
    pub(super) fn role(self) -> Role {
        match self {
            Sort::Landmark(role) => role,
            Sort::List => Role::List,
            Sort::Item => Role::Item,
            Sort::Table => Role::Table,
            Sort::Row => Role::Row,
            Sort::Under(_) => Role::Section,
            Sort::Cell | Sort::Plain => Role::Group,
        }
    }

    /// What an item's tags do not reach beyond.
    pub(super) fn scope(self) -> Option<Sort> {
        match self {
            Sort::Item => Some(Sort::List),
            Sort::Row | Sort::Cell => Some(Sort::Table),
            _ => None,
        }
    }
}

impl Meaning {
    pub(super) fn of(name: &Name<'_>) -> Meaning {
        use Sort::{Cell, Item, Landmark, List, Plain, Row, Table};
        match name.bytes() {
            b"div" | b"body" | b"center" | b"form" | b"fieldset" | b"details" | b"blockquote" | b"figure" => {
                Meaning::Box(Plain)
            }
            b"main" => Meaning::Box(Landmark(Role::Main)),
            b"article" => Meaning::Box(Landmark(Role::Article)),
            b"section" => Meaning::Box(Landmark(Role::Section)),
            b"nav" => Meaning::Box(Landmark(Role::Navigation)),
            b"aside" => Meaning::Box(Landmark(Role::Aside)),
            b"header" => Meaning::Box(Landmark(Role::Header)),
            b"footer" => Meaning::Box(Landmark(Role::Footer)),
            b"ul" | b"ol" | b"dl" | b"menu" => Meaning::Box(List),
            b"li" | b"dt" | b"dd" => Meaning::Box(Item),
            b"table" => Meaning::Box(Table),
            b"tr" => Meaning::Box(Row),
            b"td" | b"th" => Meaning::Box(Cell),
            [b'h', level @ b'1'..=b'6'] => Meaning::Heading(level - b'0'),
            b"p" | b"address" | b"figcaption" | b"caption" | b"summary" | b"legend" | b"tbody" | b"thead"
            | b"option" => Meaning::Paragraph,
            b"pre" => Meaning::Preformatted,
            b"hr" => Meaning::Rule,
            b"br" => Meaning::LineBreak,
            b"s" | b"del" | b"strike" => Meaning::Struck,
            _ => Meaning::Inline,
        }
    }
}

/// What the attributes of a box make of it.
pub(super) fn named<'t>(attribute: impl Fn(&str) -> Option<&'t [u8]>, sort: Sort) -> Sort {
    let by_role = attribute("role").and_then(landmark_of);
    let by_name = || match sort {
        Sort::Plain | Sort::List | Sort::Table | Sort::Cell => {
            ["id", "class"].iter().find_map(|name| attribute(name).and_then(landmark_in))
        }
        _ => None,
    };
    by_role.or_else(by_name).map_or(sort, Sort::Landmark)
}

/// The landmark roles of ARIA.
fn landmark_of(role: &[u8]) -> Option<Role> {
    let known: [(&str, Role); 7] = [
        ("main", Role::Main),
        ("navigation", Role::Navigation),
        ("complementary", Role::Aside),
        ("banner", Role::Header),
        ("contentinfo", Role::Footer),
        ("article", Role::Article),
        ("region", Role::Section),
    ];
    let role = role.trim_ascii();
    known.iter().find(|(name, _)| role.eq_ignore_ascii_case(name.as_bytes())).map(|(_, role)| *role)
}

/// Classes and ids longer than this are made by machines, for machines.
const NAMES_MAX: usize = 256;

/// The landmark that a class or id names: `site-footer`, `main_nav`.
fn landmark_in(names: &[u8]) -> Option<Role> {
    let names = &names[..names.len().min(NAMES_MAX)];
    names.split(|byte| !byte.is_ascii_alphabetic()).find_map(landmark_word)
}

fn landmark_word(word: &[u8]) -> Option<Role> {
    const WORDS: [(&str, Role); 17] = [
        ("nav", Role::Navigation),
        ("navbar", Role::Navigation),
        ("navigation", Role::Navigation),
        ("menu", Role::Navigation),
        ("breadcrumb", Role::Navigation),
        ("breadcrumbs", Role::Navigation),
        ("sidebar", Role::Aside),
        ("related", Role::Aside),
        ("cookie", Role::Aside),
        ("footer", Role::Footer),
        ("copyright", Role::Footer),
        ("masthead", Role::Header),
        ("ad", Role::Advertisement),
        ("ads", Role::Advertisement),
        ("advert", Role::Advertisement),
        ("advertisement", Role::Advertisement),
        ("sponsored", Role::Advertisement),
    ];
    WORDS.iter().find(|(known, _)| word.eq_ignore_ascii_case(known.as_bytes())).map(|(_, role)| *role)
}

/// Whether a box is kept from its readers.
pub(super) fn is_hidden(tags: &Tags<'_>) -> bool {
    let attribute = |name| tags.attribute(name);
    attribute("hidden").is_some() || attribute("style").is_some_and(hides)
}

/// Whether a style says `display: none`.
fn hides(style: &[u8]) -> bool {
    let mut declarations = style.split(|byte| *byte == b';').filter_map(|declaration| {
        let at = declaration.iter().position(|byte| *byte == b':')?;
        Some((declaration[..at].trim_ascii(), declaration[at + 1..].trim_ascii()))
    });
    declarations.any(|(name, value)| {
        name.eq_ignore_ascii_case(b"display") && value.len() >= 4 && value[..4].eq_ignore_ascii_case(b"none")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(html: &str) -> (Sort, bool) {
        let mut tags = Tags::new(html.as_bytes());
        tags.next().unwrap();
        let Meaning::Box(sort) = Meaning::of(&Name::new(tags.name)) else { panic!("{html} is no box") };
        (named(|name| tags.attribute(name), sort), is_hidden(&tags))
    }

    #[test]
    fn attributes_name_landmarks() {
        for (html, role) in [
            ("<div role=main>", Role::Main),
            ("<div role='Navigation' class=footer>", Role::Navigation),
            ("<div class='x site-footer'>", Role::Footer),
            ("<div id=AD class=nav>", Role::Advertisement),
            ("<ul class=main_nav>", Role::Navigation),
            ("<aside class=nav>", Role::Aside),
        ] {
            assert_eq!(first(html), (Sort::Landmark(role), false), "{html}");
        }
        assert_eq!(first("<div class='adding shadow load'>"), (Sort::Plain, false));
    }

    #[test]
    fn boxes_can_be_hidden() {
        for (html, hidden) in [
            ("<div hidden>", true),
            ("<div style='color: red; DISPLAY : none !important'>", true),
            ("<div style='display: block'>", false),
            ("<div style='display:no'>", false),
            ("<div style>", false),
        ] {
            assert_eq!(first(html).1, hidden, "{html}");
        }
    }
}
