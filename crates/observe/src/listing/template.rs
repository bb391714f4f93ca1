//! Templates of URLs: `https://example.com/cars/{make}/{id}` with named parts, `*` for anything, or just a beginning.

use super::way::BadWay;
use url::Url;

/// How often a URL is cut in another place before it counts as not fitting: ten times what any honest one takes.
const STEPS_MAX: usize = 50_000;

/// What a person wrote, in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template {
    pieces: Vec<Piece>,
    /// Without parts it is how URLs begin, and with parts it is all of them.
    is_beginning: bool,
    /// Without scheme and host it speaks of the path on, wherever.
    is_path: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// Up to the next `/`, `?`, `&` or `#`, and never nothing.
    Part(String),
    Anything,
}

impl Template {
    pub(super) fn parse(text: &str) -> Result<Template, BadWay> {
        let bad = || BadWay(format!("{text} is no template of URLs: write /cars/{{id}} or https://example.com/cars/"));
        let is_path = text.starts_with('/');
        if !is_path && !text.starts_with("http://") && !text.starts_with("https://") {
            return Err(bad());
        }
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '*']) {
            if at > 0 {
                pieces.push(Piece::Text(rest[..at].to_owned()));
            }
            if let Some(named) = rest[at..].strip_prefix('{') {
                let (name, after) = named.split_once('}').ok_or_else(bad)?;
                pieces.push(Piece::Part(name.to_owned()));
                rest = after;
            } else {
                pieces.push(Piece::Anything);
                rest = &rest[at + 1..];
            }
        }
        let is_beginning = pieces.is_empty();
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Ok(Template { pieces, is_beginning, is_path })
    }

    pub(super) fn names(&self, part: &str) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Part(name) if name == part))
    }

    /// The named parts of a URL, in order; nothing if it is not of this form.
    pub(super) fn parts<'u>(&self, url: &'u str) -> Option<Vec<(&str, &'u str)>> {
        let rest = if self.is_path { path_of(url)? } else { url };
        let mut attempt = Attempt { is_beginning: self.is_beginning, parts: Vec::new(), steps: 0 };
        attempt.fits(&self.pieces, rest).then_some(attempt.parts)
    }
}

/// A URL held against a template.
struct Attempt<'t, 'u> {
    is_beginning: bool,
    parts: Vec<(&'t str, &'u str)>,
    /// How often something was tried.
    steps: usize,
}

impl<'t, 'u> Attempt<'t, 'u> {
    fn fits(&mut self, pieces: &'t [Piece], rest: &'u str) -> bool {
        let Some((piece, later)) = pieces.split_first() else { return rest.is_empty() || self.is_beginning };
        match piece {
            Piece::Text(text) => rest.strip_prefix(text.as_str()).is_some_and(|rest| self.fits(later, rest)),
            Piece::Part(name) => {
                let most = rest.find(['/', '?', '&', '#']).unwrap_or(rest.len());
                self.first_end((1..=most).rev(), later, rest, Some(name))
            }
            Piece::Anything if later.is_empty() => true,
            Piece::Anything => self.first_end(0..=rest.len(), later, rest, None),
        }
    }

    /// Goes back where a piece swallowed too much, but not for ever.
    fn first_end(
        &mut self,
        mut ends: impl Iterator<Item = usize>,
        later: &'t [Piece],
        rest: &'u str,
        name: Option<&'t str>,
    ) -> bool {
        let before = self.parts.len();
        ends.any(|end| {
            self.steps += 1;
            if self.steps > STEPS_MAX || !rest.is_char_boundary(end) {
                return false;
            }
            self.parts.truncate(before);
            self.parts.extend(name.map(|name| (name, &rest[..end])));
            self.fits(later, &rest[end..])
        })
    }
}

/// Path and query.
fn path_of(url: &str) -> Option<&str> {
    let after = url.split_once("://")?.1;
    after.find('/').map(|at| &after[at..])
}

/// The absolute URL of a reference.
pub(super) fn resolve(base: Option<&Url>, reference: &str) -> Option<String> {
    let reference = reference.trim();
    if reference.is_empty() || reference.starts_with('#') || reference.len() > crate::URL_MAX {
        return None;
    }
    let mut url = Url::options().base_url(base).parse(reference).ok()?;
    url.set_fragment(None);
    (matches!(url.scheme(), "http" | "https") && url.as_str().len() <= crate::URL_MAX).then(|| url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(template: &str, url: &str) -> Option<String> {
        let template = Template::parse(template).unwrap();
        let parts = template.parts(url)?;
        Some(parts.iter().map(|(name, part)| format!("{name}={part}")).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn urls_come_apart_as_they_were_put_together() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(parts("/cars/{make}/{id}", "http://h/cars/bmw/17"), some("make=bmw id=17"));
        assert_eq!(parts("/cars/{id}.html", "http://h/cars/a.b.html"), some("id=a.b"));
        assert_eq!(parts("/cars/{id}", "http://h/cars/17/photos"), None);
        assert_eq!(parts("/cars/{id}", "http://h/cars/"), None);
        assert_eq!(parts("/cars?id={id}&*", "http://h/cars?id=5&sort=up"), some("id=5"));
        assert_eq!(parts("/*/item-{id}", "http://h/a/b/item-x/item-9"), some("id=9"));
        assert_eq!(parts("https://h/cars/", "https://h/cars/17/photos"), some(""));
        assert_eq!(parts("https://h/cars/", "https://h/boats/17"), None);
        assert_eq!(parts("/{id}-{id}", "http://h/a-b-c"), some("id=a-b id=c"));
    }

    #[test]
    fn a_url_made_to_be_tried_in_many_ways_is_given_up() {
        let url = format!("http://h/{}", "a".repeat(4000));
        assert_eq!(parts("/*a*a*a*a*a*b", &url), None);
        assert_eq!(parts("/{a}a{b}a{c}a{d}a{e}b", &url), None);
    }

    #[test]
    fn what_is_no_template_is_refused() {
        for bad in ["cars/{id}", "/cars/{id", "", "ftp://h/{id}"] {
            assert!(Template::parse(bad).is_err(), "{bad}");
        }
    }
}
