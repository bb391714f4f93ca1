//! Objects that are entries of a feed or a sitemap.

use super::{
    gather::Gatherer,
    way::{Field, Way},
};
use crate::xml::{self, Name, Tag, Visitor};

/// What sort of document has the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Feed,
    Sitemap,
}

impl Kind {
    fn is_root(self, name: &str) -> bool {
        match self {
            Kind::Feed => matches!(name, "rss" | "RDF" | "feed"),
            Kind::Sitemap => matches!(name, "urlset" | "sitemapindex"),
        }
    }

    fn is_entry(self, name: Name<'_>) -> bool {
        match self {
            Kind::Feed => matches!(name.local, "item" | "entry"),
            Kind::Sitemap => name.prefix.is_empty() && name.local == "url",
        }
    }

    /// What identifies an entry, the best first.
    fn naming(self) -> Vec<Field> {
        let element = |name: &str, attribute: Option<&str>| Field::Element {
            name: name.to_owned(),
            attribute: attribute.map(str::to_owned),
        };
        match self {
            Kind::Feed => {
                vec![element("guid", None), element("id", None), element("link", None), element("link", Some("href"))]
            }
            Kind::Sitemap => vec![element("loc", None)],
        }
    }
}

/// Every entry of the document.
pub(super) fn objects(text: &str, kind: Kind, way: &Way, gatherer: &mut Gatherer<'_>) {
    if !xml::root(text).is_some_and(|root| kind.is_root(root)) {
        gatherer.findings.broken = true;
        return;
    }
    let naming = way.id.clone().map_or_else(|| kind.naming(), |id| vec![id]);
    let names = naming.len();
    let wanted: Vec<Field> = naming.into_iter().chain(way.attributes.iter().map(|(_, field)| field.clone())).collect();
    let mut entries = Entries { kind, names, wanted, entry: None, gatherer };
    let whole = xml::walk(text, &mut entries);
    entries.settle();
    gatherer.findings.broken |= !whole;
}

struct Entries<'g, 'w> {
    kind: Kind,
    /// How many of the wanted values are names of the entry, of which the first counts.
    names: usize,
    wanted: Vec<Field>,
    /// The values of the entry being read.
    entry: Option<Vec<Option<String>>>,
    gatherer: &'g mut Gatherer<'w>,
}

impl Entries<'_, '_> {
    fn settle(&mut self) {
        let Some(mut values) = self.entry.take() else { return };
        let attributes = values.split_off(self.names);
        let id = values.into_iter().flatten().find(|value| !value.is_empty());
        self.gatherer.add(id.as_deref(), attributes.into_iter());
    }

    /// Sets what is wanted of an element and not yet known.
    fn set(&mut self, element: Name<'_>, value: impl Fn(Option<&str>) -> Option<String>) {
        let Some(values) = &mut self.entry else { return };
        for (place, field) in values.iter_mut().zip(&self.wanted) {
            if let Field::Element { name, attribute } = field
                && place.is_none()
                && is_called(element, name)
            {
                *place = value(attribute.as_deref());
            }
        }
    }
}

/// `title` means the one of the document's own namespace, `dc:title` the other one.
fn is_called(element: Name<'_>, name: &str) -> bool {
    match name.split_once(':') {
        Some((prefix, local)) => element.prefix == prefix && element.local == local,
        None => element.prefix.is_empty() && element.local == name,
    }
}

impl Visitor for Entries<'_, '_> {
    fn open(&mut self, name: Name<'_>, tag: &Tag<'_>) {
        if self.kind.is_entry(name) {
            self.settle();
            self.entry = Some(vec![None; self.wanted.len()]);
        }
        self.set(name, |attribute| tag.attribute(attribute?).map(|value| value.into_owned()));
    }

    fn close(&mut self, name: Name<'_>, text: &str) {
        if self.kind.is_entry(name) {
            return self.settle();
        }
        self.set(name, |attribute| (attribute.is_none() && !text.is_empty()).then(|| text.to_owned()));
    }

    fn is_done(&self) -> bool {
        self.gatherer.is_full() && self.gatherer.findings.over_limit > 0
    }
}
