//! Links that lead elsewhere.

use super::figure;

/// A link that came or went with its words.
const WITH_WORDS: f64 = 0.01;
/// The same words lead to the same thing by another way: another scheme, a trailing slash, another query.
const SAME_PAGE: f64 = 0.01;
/// To what is called the same, or nearly so, elsewhere: a page that moved, an address that was put right.
const SAME_NAME: f64 = 0.05;
/// To something else on the same host.
const OTHER_PAGE: f64 = 0.3;
/// To another host.
const OTHER_HOST: f64 = 0.6;
/// To another number: an edition, a year, a version.
const OTHER_NUMBER: f64 = 1.0;
/// To another address to write to or to call.
const OTHER_RECEIVER: f64 = 2.0;
/// More links of a block are taken in their order, not by which is likest which.
const PAIRED_MAX: usize = 32;

/// What the links of a block that came (true) and went (false) weigh; `says_the_same` if its words are as before.
pub(super) fn amount<'l>(links: impl Iterator<Item = (bool, &'l str)>, says_the_same: bool) -> f64 {
    let (came, went): (Vec<_>, Vec<_>) = links.partition(|(came, _)| *came);
    if !says_the_same {
        return WITH_WORDS * (came.len() + went.len()) as f64;
    }
    let mut came: Vec<&str> = came.into_iter().map(|(_, link)| link).collect();
    let (mut sum, mut alone) = (0.0, 0);
    let are_few = came.len().max(went.len()) <= PAIRED_MAX;
    for (_, from) in went {
        let passages = came.iter().map(|to| passage(from, to)).enumerate();
        let nearest =
            if are_few { passages.min_by(|one, two| one.1.total_cmp(&two.1)) } else { passages.take(1).next() };
        match nearest {
            Some((at, passage)) => {
                came.swap_remove(at);
                sum += passage;
            }
            None => alone += 1,
        }
    }
    sum + OTHER_PAGE * (alone + came.len()) as f64
}

/// What it weighs that a link leads from one address to another.
fn passage(from: &str, to: &str) -> f64 {
    let [one, two] = [from, to].map(Parts::of);
    if [from, to].iter().any(|url| url.starts_with("mailto:") || url.starts_with("tel:")) {
        return if one.path == two.path { SAME_PAGE } else { OTHER_RECEIVER };
    }
    let same_host = one.host == two.host || one.host.is_empty() || two.host.is_empty();
    let [name, other] = [one.name(), two.name()];
    if same_host && letters(one.path) == letters(two.path) {
        SAME_PAGE
    } else if !one.numbers().eq(two.numbers()) && one.is_numbered() && two.is_numbered() {
        OTHER_NUMBER
    } else if !name.is_empty() && is_nearly(&letters(name), &letters(other)) {
        SAME_NAME
    } else if same_host {
        OTHER_PAGE
    } else {
        OTHER_HOST
    }
}

/// The letters and digits of an address, small.
fn letters(path: &str) -> String {
    path.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn is_nearly(one: &str, two: &str) -> bool {
    one == two || figure::typo(one, two).is_some()
}

struct Parts<'u> {
    host: &'u str,
    path: &'u str,
}

impl<'u> Parts<'u> {
    fn of(url: &'u str) -> Parts<'u> {
        let address = url.split(['?', '#']).next().unwrap_or_default();
        let whole = address.split_once(":/").map(|(_, rest)| rest.trim_start_matches('/'));
        let whole = whole.or_else(|| address.strip_prefix("//"));
        let (host, path) = match whole {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", address),
        };
        let path = path.trim_end_matches(['"', '\'']).trim_end_matches('/');
        Parts { host: host.trim_start_matches("www."), path: path.trim_start_matches("../").trim_start_matches("./") }
    }

    fn name(&self) -> &'u str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    fn numbers(&self) -> impl Iterator<Item = &'u str> {
        self.path.split(|char: char| !char.is_ascii_digit()).filter(|number| !number.is_empty())
    }

    fn is_numbered(&self) -> bool {
        self.path.bytes().any(|byte| byte.is_ascii_digit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(from: &str, to: &str) -> f64 {
        amount([(false, from), (true, to)].into_iter(), true)
    }

    #[test]
    fn the_further_a_link_leads_the_more_it_weighs() {
        let weights = [
            "https://www.a.example/x/form.pdf?v=2",
            "http://a.example/y/form.pdf",
            "http://a.example/x/other.pdf",
            "http://b.example/x/other.pdf",
        ]
        .map(|to| moved("http://a.example/x/form.pdf", to));
        assert!(weights.windows(2).all(|pair| pair[0] < pair[1]), "{weights:?}");
        assert!(moved("/bulletins/2006-02.html", "/bulletins/2010-02.html") > weights[3]);
        assert!(moved("mailto:desk@a.example", "mailto:press@a.example") > weights[3]);
    }

    #[test]
    fn an_address_that_was_put_right_weighs_as_little_as_one_that_moved() {
        for (from, to) in [
            ("/debug-running-pods/", "/debug-running-pod/"),
            ("http://a.example/2017/release-1.6-notes", "http://a.example/2017/release-1-6-notes/"),
            ("../images/shirt-14.jpg\"", "../images/shirt-14.jpg"),
            ("faq.html", "../faq.html"),
        ] {
            assert!(moved(from, to) <= SAME_NAME, "{from} {to}");
        }
    }

    #[test]
    fn links_that_come_with_words_are_not_counted_beside_them() {
        assert!(amount([(true, "/new")].into_iter(), false) < amount([(true, "/new")].into_iter(), true));
    }

    #[test]
    fn which_link_became_which_does_not_hang_on_their_order() {
        let links = [(false, "/a/one"), (false, "/a/two"), (true, "/b/two"), (true, "/b/one")];
        assert!(amount(links.into_iter(), true) <= 2.0 * SAME_NAME + 1e-9);
    }
}
