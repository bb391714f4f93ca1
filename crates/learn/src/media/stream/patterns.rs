//! The patterns of a URI: single features, pairs of them, and templates of its path.

use super::template::Template;
use crate::media::parts::{Parts, TOKENS_MAX, hashed, joined};

/// What a pattern is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum PatternKind {
    /// Every URI has it.
    Any,
    /// Also to have none.
    Extension,
    /// The name of the file, numbers as in templates.
    File,
    Domain,
    DomainExtension,
    /// The path with numbers as `{n}` and long hexadecimal numbers as `{h}`, and the keys of the query.
    Template,
    /// The same of its directories, and the extension.
    Directory,
    DomainTemplate,
    DomainDirectory,
    Token,
    DomainToken,
    TokenExtension,
    /// A token and how deep it stands.
    PositionToken,
}

impl PatternKind {
    pub const ALL: [PatternKind; 13] = [
        PatternKind::Any,
        PatternKind::Extension,
        PatternKind::File,
        PatternKind::Domain,
        PatternKind::DomainExtension,
        PatternKind::Template,
        PatternKind::Directory,
        PatternKind::DomainTemplate,
        PatternKind::DomainDirectory,
        PatternKind::Token,
        PatternKind::DomainToken,
        PatternKind::TokenExtension,
        PatternKind::PositionToken,
    ];

    /// Whether it holds on one domain only.
    pub fn is_of_domain(self) -> bool {
        use PatternKind::{Domain, DomainDirectory, DomainExtension, DomainTemplate, DomainToken};
        matches!(self, Domain | DomainExtension | DomainTemplate | DomainDirectory | DomainToken)
    }
}

/// Patterns that a URI has at most: four kinds for each token, the others once.
pub(super) const PATTERNS_MAX: usize = PatternKind::ALL.len() - 4 + 4 * TOKENS_MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    /// Never 0.
    pub(super) key: u64,
    pub(super) kind: PatternKind,
    /// Which token it is about, if it is about one.
    token: u8,
}

/// All patterns of one URI.
#[derive(Debug)]
pub(super) struct Patterns<'a> {
    parts: Parts<'a>,
    list: [Pattern; PATTERNS_MAX],
    len: usize,
}

impl<'a> Patterns<'a> {
    pub(super) fn of(uri: &'a str) -> Patterns<'a> {
        let parts = Parts::of(uri);
        let none = Pattern { key: 1, kind: PatternKind::Any, token: 0 };
        let mut patterns = Patterns { parts, list: [none; PATTERNS_MAX], len: 0 };
        let extension = hashed(parts.extension().unwrap_or_default());
        let domain = hashed(parts.domain());
        let [directory, template] = Template::hashes(&parts);
        for (kind, hash) in [
            (PatternKind::Any, 0),
            (PatternKind::Extension, extension),
            (PatternKind::File, Template::of_file(&parts).hashed()),
            (PatternKind::Domain, domain),
            (PatternKind::DomainExtension, joined(domain, extension)),
            (PatternKind::Template, template),
            (PatternKind::Directory, directory),
            (PatternKind::DomainTemplate, joined(domain, template)),
            (PatternKind::DomainDirectory, joined(domain, directory)),
        ] {
            patterns.push(kind, 0, hash);
        }
        patterns.push_tokens(&parts, domain, extension);
        patterns
    }

    fn push_tokens(&mut self, parts: &Parts<'_>, domain: u64, extension: u64) {
        let mut met = [0; TOKENS_MAX];
        for (at, token) in parts.tokens().map(hashed).enumerate() {
            self.push(PatternKind::PositionToken, at, joined(token, at as u64));
            // A URI that has a token twice has it once.
            if !met[..at].contains(&token) {
                self.push(PatternKind::Token, at, token);
                self.push(PatternKind::DomainToken, at, joined(domain, token));
                self.push(PatternKind::TokenExtension, at, joined(token, extension));
            }
            met[at] = token;
        }
    }

    fn push(&mut self, kind: PatternKind, token: usize, hash: u64) {
        let key = joined(hash, (kind as u64 + 1).wrapping_mul(0xa076_1d64_78bd_642f)).max(1);
        self.list[self.len] = Pattern { key, kind, token: token as u8 };
        self.len += 1;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Pattern> {
        self.list[..self.len].iter().copied()
    }

    pub(super) fn domain(&self) -> &'a str {
        self.parts.domain()
    }

    /// A pattern for people to read. Those of a domain begin with it.
    pub(super) fn text(&self, pattern: Pattern) -> String {
        let parts = &self.parts;
        let extension = match parts.extension() {
            Some(extension) => format!(".{extension}"),
            None => " without extension".to_owned(),
        };
        let token = parts.tokens().nth(usize::from(pattern.token)).unwrap_or_default();
        let domain = parts.domain();
        let text = match pattern.kind {
            PatternKind::Any => "anything".to_owned(),
            PatternKind::Extension => format!("*{extension}"),
            PatternKind::File => format!("{}.*", Template::of_file(parts).text()),
            PatternKind::Domain => domain.to_owned(),
            PatternKind::DomainExtension => format!("{domain}/*{extension}"),
            PatternKind::Template => Template::of_page(parts).text().to_owned(),
            PatternKind::Directory => Template::of_directory(parts).text().to_owned(),
            PatternKind::DomainTemplate => format!("{domain}{}", Template::of_page(parts).text()),
            PatternKind::DomainDirectory => format!("{domain}{}", Template::of_directory(parts).text()),
            PatternKind::Token => format!("*/{token}/*"),
            PatternKind::DomainToken => format!("{domain}/*/{token}/*"),
            PatternKind::TokenExtension => format!("*/{token}/*{extension}"),
            PatternKind::PositionToken => format!("{}/{token}/*", "/*".repeat(usize::from(pattern.token))),
        };
        text.to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_readable_and_each_is_another() {
        let patterns = Patterns::of("http://www.W3.org/2007/08/video/video/12ab34cd56ef/Angio7.avi?q=1&r");
        let texts: Vec<String> = patterns.iter().map(|pattern| patterns.text(pattern)).collect();
        for text in [
            "anything",
            "*.avi",
            "angio{n}.*",
            "w3.org",
            "w3.org/*.avi",
            "/{n}/{n}/video/video/{h}/angio{n}.avi?q&r",
            "/{n}/{n}/video/video/{h}/*.avi",
            "w3.org/{n}/{n}/video/video/{h}/*.avi",
            "*/video/*",
            "w3.org/*/video/*",
            "*/video/*.avi",
            "/*/*/video/*",
            "/*/*/*/video/*",
        ] {
            assert_eq!(texts.iter().filter(|held| *held == text).count(), 1, "{text} {texts:#?}");
        }
        let mut keys: Vec<u64> = patterns.iter().map(|pattern| pattern.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), texts.len());
        assert!(
            patterns.iter().all(|pattern| !pattern.kind.is_of_domain() || patterns.text(pattern).starts_with("w3.org"))
        );
    }

    #[test]
    fn what_differs_in_numbers_only_has_one_template() {
        let key = |uri: &str, kind| Patterns::of(uri).iter().find(|pattern| pattern.kind == kind).unwrap().key;
        for kind in
            [PatternKind::Template, PatternKind::Directory, PatternKind::DomainTemplate, PatternKind::DomainDirectory]
        {
            assert_eq!(
                key("http://a.example/x/12/p34.jpg", kind),
                key("http://b.a.example/X/7/p0.JPG?", kind),
                "{kind:?}"
            );
            assert_ne!(
                key("http://a.example/x/12/p34.jpg", kind),
                key("http://a.example/x/y/p34.jpg", kind),
                "{kind:?}"
            );
        }
    }

    #[test]
    fn no_uri_has_too_many_patterns() {
        for odd in [
            "",
            "http://",
            &"/a1".repeat(1 << 19),
            &"%".repeat(1 << 20),
            &format!("http://h/?{}", "a&".repeat(1 << 19)),
        ] {
            let patterns = Patterns::of(odd);
            assert!(patterns.iter().all(|pattern| pattern.key != 0 && patterns.text(pattern).len() < 4_096));
        }
    }
}
