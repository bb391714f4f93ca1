//! How the objects of a source are found, as a person declares it.

use super::template::Template;
use std::{error::Error, fmt};

/// The way in which objects, their attributes and further pages are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub(super) objects: Objects,
    /// Nothing: what the kind of listing uses itself.
    pub(super) id: Option<Field>,
    pub(super) attributes: Vec<(String, Field)>,
    pub(super) next: Next,
}

/// The words of a declaration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Declared<'a> {
    /// `links:TEMPLATE`, `css:SELECTOR`, `json:/POINTER/*`, `feed` or `sitemap`.
    pub objects: &'a str,
    pub id: Option<&'a str>,
    /// Names, and where their values are.
    pub attributes: &'a [(String, String)],
    /// `links:TEMPLATE`, `css:SELECTOR` or `json:/POINTER`.
    pub next: Option<&'a str>,
}

/// Where the objects are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Objects {
    /// Links of the page.
    Links(Template),
    /// Elements of the page.
    Select(String),
    /// Values of a JSON document.
    Json(Pointer),
    /// Entries of RSS, Atom or JSON Feed.
    Feed,
    /// Entries of a sitemap.
    Sitemap,
}

/// Where one value of an object is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// A named part of its URL.
    Part(String),
    /// The URL of the object, or of the first link in it.
    Link,
    /// All its words.
    Text,
    /// In an element inside of it: an attribute of that, or its words.
    Inside { selector: String, attribute: Option<String> },
    /// An attribute of its own element.
    Attribute(String),
    /// In a JSON value, by an RFC 6901 pointer from there.
    Pointer(String),
    /// In a child element of an entry: an attribute of that, or its words.
    Element { name: String, attribute: Option<String> },
}

/// Where further pages are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Where the page itself says so: rel=next, the next_url of a JSON feed, the sitemaps of a sitemap index.
    Said,
    /// All links of this form.
    Links(Template),
    /// The links in these elements.
    Select(String),
    /// The URLs at this place of a JSON document.
    Json(Pointer),
}

/// An RFC 6901 pointer in which `*` stands for every member of a list or an object.
pub(super) type Pointer = Vec<String>;

/// A declaration that means nothing, and what would.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadWay(pub(super) String);

impl fmt::Display for BadWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for BadWay {}

impl Way {
    pub fn parse(declared: &Declared<'_>) -> Result<Way, BadWay> {
        let objects = Objects::parse(declared.objects)?;
        let id = declared.id.map(|id| objects.field(id)).transpose()?;
        let attributes = declared.attributes.iter();
        let attributes =
            attributes.map(|(name, at)| Ok((name.clone(), objects.field(at)?))).collect::<Result<_, _>>()?;
        Ok(Way { next: Next::parse(declared.next)?, objects, id, attributes })
    }

    /// Whether the identifiers of objects are the URLs at which they can be asked for.
    pub fn identifies_by_url(&self) -> bool {
        match (&self.objects, &self.id) {
            (Objects::Links(_) | Objects::Select(_), Some(id)) => *id == Field::Link,
            (Objects::Links(template), None) => !template.names("id"),
            (Objects::Sitemap, Some(Field::Element { name, attribute: None })) => name == "loc",
            (Objects::Select(_) | Objects::Sitemap, None) => true,
            _ => false,
        }
    }

    /// The names of the attributes, in the order in which objects have them.
    pub fn attribute_names(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(|(name, _)| name.as_str())
    }
}

impl Objects {
    fn parse(text: &str) -> Result<Objects, BadWay> {
        match text.split_once(':') {
            Some(("links", template)) => Template::parse(template).map(Objects::Links),
            Some(("css", selector)) => checked(selector).map(Objects::Select),
            Some(("json", pointer)) => pointer_of(pointer).map(Objects::Json),
            None if text == "feed" => Ok(Objects::Feed),
            None if text == "sitemap" => Ok(Objects::Sitemap),
            _ => Err(BadWay(format!(
                "{text} does not say where objects are: write links:/cars/{{id}}, css:li.car, json:/items/*, feed or sitemap"
            ))),
        }
    }

    /// Where a value of such an object is.
    fn field(&self, text: &str) -> Result<Field, BadWay> {
        match self {
            Objects::Links(template) => part(text, template),
            Objects::Select(_) => inside(text),
            Objects::Json(_) if text.is_empty() || text.starts_with('/') => Ok(Field::Pointer(text.to_owned())),
            Objects::Json(_) => Err(BadWay(format!("{text} is no JSON pointer: write /id or /car/make"))),
            Objects::Feed | Objects::Sitemap => {
                let (name, attribute) = attribute_of(text);
                Ok(Field::Element { name: name.to_owned(), attribute })
            }
        }
    }
}

impl Next {
    fn parse(text: Option<&str>) -> Result<Next, BadWay> {
        match text.map(|text| text.split_once(':')) {
            None => Ok(Next::Said),
            Some(Some(("links", template))) => Template::parse(template).map(Next::Links),
            Some(Some(("css", selector))) => checked(selector).map(Next::Select),
            Some(Some(("json", pointer))) => pointer_of(pointer).map(Next::Json),
            Some(_) => Err(BadWay(format!(
                "{} does not say where further pages are: write links:/cars?page=*, css:a.next or json:/next",
                text.unwrap_or_default()
            ))),
        }
    }
}

fn part(text: &str, template: &Template) -> Result<Field, BadWay> {
    let name = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    match name {
        None if text == "link" => Ok(Field::Link),
        Some(name) if template.names(name) => Ok(Field::Part(name.to_owned())),
        _ => Err(BadWay(format!("{text} is no part of the link: write link, or the name of a part in braces"))),
    }
}

fn inside(text: &str) -> Result<Field, BadWay> {
    match attribute_of(text) {
        ("link", None) => Ok(Field::Link),
        ("text", None) => Ok(Field::Text),
        ("", Some(attribute)) => Ok(Field::Attribute(attribute)),
        (selector, attribute) => Ok(Field::Inside { selector: checked(selector)?, attribute }),
    }
}

/// `what@attribute`.
fn attribute_of(text: &str) -> (&str, Option<String>) {
    match text.rsplit_once('@') {
        Some((what, attribute)) if !attribute.contains([']', '"', '\'']) => {
            (what.trim(), Some(attribute.to_ascii_lowercase()))
        }
        _ => (text.trim(), None),
    }
}

fn checked(selector: &str) -> Result<String, BadWay> {
    let bad =
        |error: &dyn fmt::Display| BadWay(format!("{selector} is no CSS selector that can be used here: {error}"));
    match selector.parse::<lol_html::Selector>() {
        Ok(_) => Ok(selector.to_owned()),
        Err(error) => Err(bad(&error)),
    }
}

fn pointer_of(text: &str) -> Result<Pointer, BadWay> {
    let steps = match text.strip_prefix('/') {
        Some(rest) => rest.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect(),
        None if text.is_empty() => Vec::new(),
        None => return Err(BadWay(format!("{text} is no JSON pointer: write /items/*, with * for every member"))),
    };
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(objects: &str, id: Option<&str>, next: Option<&str>) -> Result<Way, BadWay> {
        Way::parse(&Declared { objects, id, next, attributes: &[] })
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_an_example() {
        for (objects, id, next, word) in [
            ("cars", None, None, "css:li.car"),
            ("css:li >", None, None, "CSS selector"),
            ("css:li", Some("a +"), None, "CSS selector"),
            ("json:items", None, None, "/items/*"),
            ("json:/items/*", Some("id"), None, "/id"),
            ("links:/cars/{id}", Some("{make}"), None, "in braces"),
            ("feed", None, Some("a.next"), "css:a.next"),
        ] {
            let error = parse(objects, id, next).unwrap_err().to_string();
            assert!(error.contains(word), "{objects} {id:?} {next:?}: {error}");
        }
    }

    #[test]
    fn only_links_can_be_asked_for() {
        let by_url = |objects, id| parse(objects, id, None).unwrap().identifies_by_url();
        let can =
            [("links:/cars/*", None), ("links:/cars/{id}", Some("link")), ("css:li", None), ("css:li", Some("link"))];
        assert!(can.into_iter().chain([("sitemap", None), ("sitemap", Some("loc"))]).all(|(way, id)| by_url(way, id)));
        let cannot = [("links:/cars/{id}", None), ("css:li", Some("@id")), ("json:/*", None), ("feed", Some("guid"))];
        assert!(
            cannot.into_iter().chain([("feed", None), ("sitemap", Some("lastmod"))]).all(|(way, id)| !by_url(way, id))
        );
    }

    #[test]
    fn values_are_in_elements_attributes_and_words() {
        let inside = |selector: &str, attribute: Option<&str>| Field::Inside {
            selector: selector.into(),
            attribute: attribute.map(str::to_owned),
        };
        for (text, field) in [
            ("a.title", inside("a.title", None)),
            ("a@href", inside("a", Some("href"))),
            ("@data-ID", Field::Attribute("data-id".into())),
            ("a[title='x@y']", inside("a[title='x@y']", None)),
            ("text", Field::Text),
            ("link", Field::Link),
        ] {
            assert_eq!(parse("css:li", Some(text), None).unwrap().id, Some(field), "{text}");
        }
    }
}
