//! Links that lead elsewhere.

/// A link that came or went with its words.
const WITH_WORDS: f64 = 0.01;
/// The same words lead to the same thing by another way: another scheme, a trailing slash, another query.
const SAME_PAGE: f64 = 0.01;
/// To what is called the same, elsewhere.
const SAME_NAME: f64 = 0.05;
/// To something else on the same host.
const OTHER_PAGE: f64 = 0.3;
/// To another host.
const OTHER_HOST: f64 = 0.6;

/// What the links of a block that came (true) and went (false) weigh; `says_the_same` if its words are as before.
pub(super) fn amount<'l>(links: impl Iterator<Item = (bool, &'l str)>, says_the_same: bool) -> f64 {
    let (came, went): (Vec<_>, Vec<_>) = links.partition(|(came, _)| *came);
    if !says_the_same {
        return WITH_WORDS * (came.len() + went.len()) as f64;
    }
    let pairs = came.len().min(went.len());
    let alone = came[pairs..].iter().chain(&went[pairs..]);
    let retargeted: f64 = went.iter().zip(&came).map(|((_, from), (_, to))| passage(from, to)).sum();
    retargeted + OTHER_PAGE * alone.count() as f64
}

/// What it weighs that a link leads from one address to another.
fn passage(from: &str, to: &str) -> f64 {
    let [one, two] = [from, to].map(Parts::of);
    let same_host = one.host == two.host || one.host.is_empty() || two.host.is_empty();
    if same_host && one.path == two.path {
        SAME_PAGE
    } else if one.name() == two.name() && !one.name().is_empty() {
        SAME_NAME
    } else if same_host {
        OTHER_PAGE
    } else {
        OTHER_HOST
    }
}

struct Parts<'u> {
    host: &'u str,
    path: &'u str,
}

impl<'u> Parts<'u> {
    fn of(url: &'u str) -> Parts<'u> {
        let address = url.split(['?', '#']).next().unwrap_or_default();
        let whole = address.split_once("://").map(|(_, rest)| rest).or_else(|| address.strip_prefix("//"));
        let (host, path) = match whole {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", address),
        };
        Parts { host: host.trim_start_matches("www."), path: path.trim_end_matches('/') }
    }

    fn name(&self) -> &'u str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_further_a_link_leads_the_more_it_weighs() {
        let amount = |to: &str| amount([(false, "http://a.example/x/form.pdf"), (true, to)].into_iter(), true);
        let weights = [
            "https://www.a.example/x/form.pdf?v=2",
            "http://a.example/y/form.pdf",
            "http://a.example/x/other.pdf",
            "http://b.example/x/other.pdf",
        ]
        .map(amount);
        assert!(weights.windows(2).all(|pair| pair[0] < pair[1]), "{weights:?}");
    }

    #[test]
    fn links_that_come_with_words_are_not_counted_beside_them() {
        assert!(amount([(true, "/new")].into_iter(), false) < amount([(true, "/new")].into_iter(), true));
    }
}
