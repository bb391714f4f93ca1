//! Link headers (RFC 8288).

use crate::{collect::Collector, rel};
use tintype_vocab::{Link, LinkPlace, Mention};

/// Adds the targets of one Link header, which may hold several separated by commas.
pub(crate) fn links(header: &str, collector: &mut Collector) {
    each(header, |target, parameters| {
        let Parameters { rel, media_type, loaded_as } = parameters;
        let relations = rel.as_deref();
        let meaning = |relations| rel::meaning(relations, media_type.as_deref(), loaded_as.as_deref());
        if let Some(relation) = relations.and_then(meaning) {
            let mention = Mention { tag: relation.tag, place: LinkPlace::Head, words: [0; 4] };
            collector.place(Link { mention, ..Link::new(target, relation.kind) });
        }
    });
}

/// The targets of one Link header that have this relation.
pub(crate) fn named<'h>(header: &'h str, relation: &str) -> Vec<&'h str> {
    let mut targets = Vec::new();
    each(header, |target, parameters| {
        let mut relations = parameters.rel.as_deref().unwrap_or_default().split_ascii_whitespace();
        targets.extend(relations.any(|named| named.eq_ignore_ascii_case(relation)).then_some(target));
    });
    targets
}

/// What a Link header says of a target; the first of each counts.
#[derive(Debug, Default)]
struct Parameters {
    rel: Option<String>,
    media_type: Option<String>,
    loaded_as: Option<String>,
}

impl Parameters {
    fn named(&mut self, name: &str) -> Option<&mut Option<String>> {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        match () {
            () if is("rel") => Some(&mut self.rel),
            () if is("type") => Some(&mut self.media_type),
            () if is("as") => Some(&mut self.loaded_as),
            () => None,
        }
    }
}

/// Hands over every target with what is said of it.
fn each<'h>(header: &'h str, mut each: impl FnMut(&'h str, Parameters)) {
    let mut rest = header;
    while let Some((target, after)) = rest.split_once('<').and_then(|(_, open)| open.split_once('>')) {
        let (parameters, tail) = parameters(after);
        each(target, parameters);
        rest = tail;
    }
}

/// The parameters of a target and what stands after them.
fn parameters(mut rest: &str) -> (Parameters, &str) {
    let mut parameters = Parameters::default();
    loop {
        rest = rest.trim_start();
        let Some(parameter) = rest.strip_prefix(';') else { return (parameters, rest) };
        let end = parameter.find(['=', ';', ',']).unwrap_or(parameter.len());
        let (name, tail) = parameter.split_at(end);
        let (value, tail) = match tail.strip_prefix('=') {
            Some(value) => value_of(value.trim_start()),
            None => (String::new(), tail),
        };
        if let Some(place) = parameters.named(name.trim()) {
            place.get_or_insert(value);
        }
        rest = tail;
    }
}

/// A token or quoted string, and what follows it.
fn value_of(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ',']).unwrap_or(text.len());
        return (text[..end].trim().to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
            _ => value.push(char),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::LinkKind::{self, Anchor, Embed, Feed};

    fn seen(header: &str) -> Vec<(String, LinkKind)> {
        let mut collector = Collector::new("http://h/");
        links(header, &mut collector);
        collector
            .finish()
            .0
            .iter()
            .map(|link| (link.url.trim_start_matches("http://h/").to_owned(), link.kind))
            .collect()
    }

    #[test]
    fn targets_and_relations_are_read() {
        for (header, expected) in [
            ("<a>; rel=next", &[("a", Anchor)][..]),
            ("<a,b;c>; rel=\"preload\"; as=style, <d>; rel=canonical", &[("a,b;c", Embed), ("d", Anchor)]),
            ("<a>; title=\"x, <z>; rel=next\"; rel=\"icon\"", &[("a", Embed)]),
            ("<a> ; type=\"application/rss+xml\" ; REL = alternate", &[("a", Feed)]),
            ("<a>; rel=preconnect", &[]),
            ("<a>", &[]),
            ("<a>; crossorigin; rel=icon; rel=next", &[("a", Embed)]),
            ("garbage, <a", &[]),
            ("<a>; rel=\"ne\\xt", &[("a", Anchor)]),
            ("<a>;", &[]),
        ] {
            let expected: Vec<_> = expected.iter().map(|(url, kind)| (url.to_string(), *kind)).collect();
            assert_eq!(seen(header), expected, "{header}");
        }
    }
}
