//! Link headers (RFC 8288).

use crate::{collect::Collector, rel};

/// Adds the targets of one Link header, which may hold several separated by commas.
pub(crate) fn links(header: &str, collector: &mut Collector) {
    each(header, |target, relations, media_type| {
        if let Some(kind) = relations.and_then(|relations| rel::kind(relations, media_type)) {
            collector.add(target, kind);
        }
    });
}

/// The targets of one Link header that have this relation.
pub(crate) fn named<'h>(header: &'h str, relation: &str) -> Vec<&'h str> {
    let mut targets = Vec::new();
    each(header, |target, relations, _| {
        let mut relations = relations.unwrap_or_default().split_ascii_whitespace();
        targets.extend(relations.any(|named| named.eq_ignore_ascii_case(relation)).then_some(target));
    });
    targets
}

/// Hands over every target with its relations and its media type.
fn each<'h>(header: &'h str, mut each: impl FnMut(&'h str, Option<&str>, Option<&str>)) {
    let mut rest = header;
    while let Some((target, after)) = rest.split_once('<').and_then(|(_, open)| open.split_once('>')) {
        let (relations, media_type, tail) = parameters(after);
        each(target, relations.as_deref(), media_type.as_deref());
        rest = tail;
    }
}

/// The rel and type parameters (the first of each counts) and what stands after this link.
fn parameters(mut rest: &str) -> (Option<String>, Option<String>, &str) {
    let (mut relations, mut media_type) = (None, None);
    loop {
        rest = rest.trim_start();
        let Some(parameter) = rest.strip_prefix(';') else { return (relations, media_type, rest) };
        let end = parameter.find(['=', ';', ',']).unwrap_or(parameter.len());
        let (name, tail) = parameter.split_at(end);
        let (value, tail) = match tail.strip_prefix('=') {
            Some(value) => value_of(value.trim_start()),
            None => (String::new(), tail),
        };
        match name.trim() {
            name if name.eq_ignore_ascii_case("rel") => relations = relations.or(Some(value)),
            name if name.eq_ignore_ascii_case("type") => media_type = media_type.or(Some(value)),
            _ => {}
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
