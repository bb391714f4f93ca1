//! What a model that has learned says of URLs it has not seen.

use super::{
    extension::named,
    labelled::{Labelled, Names},
    models::{Learner, learn},
};
use std::collections::{BTreeMap, HashMap, HashSet};
use tintype_learn::media::Parts;
use tintype_quality::MediaScore;

/// Sources that are told apart; more are counted together.
const SOURCES_MAX: usize = 64;
const OTHERS: &str = "others";

/// How well it did.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    pub(super) all: MediaScore,
    /// The extension is missing, says nothing, or names another content type.
    pub(super) hard: MediaScore,
    pub(super) sources: BTreeMap<String, MediaScore>,
}

impl Judgement {
    pub(super) fn of(model: &dyn Learner, rows: &[Labelled<'_>], names: Names) -> Judgement {
        let mut judgement = Judgement::default();
        for row in rows {
            let chances = model.chances(row.url, names);
            judgement.all.add(&chances, row.class);
            if is_hard(row) {
                judgement.hard.add(&chances, row.class);
            }
            judgement.source(row.source).add(&chances, row.class);
        }
        judgement
    }

    fn source(&mut self, name: &str) -> &mut MediaScore {
        let is_known = self.sources.contains_key(name) || self.sources.len() < SOURCES_MAX;
        let name = if is_known && !name.is_empty() { name } else { OTHERS };
        self.sources.entry(name.to_owned()).or_default()
    }
}

fn is_hard(row: &Labelled<'_>) -> bool {
    named(row.url) != Some(row.canon)
}

/// How many domains there are among these rows, and how many of them were also learned from.
pub(super) fn domains(test: &[Labelled<'_>], train: &[Labelled<'_>]) -> (usize, usize) {
    let all = |rows: &[Labelled<'_>]| -> HashSet<String> {
        rows.iter().map(|row| Parts::of(row.url).domain().to_ascii_lowercase()).collect()
    };
    let (test, train) = (all(test), all(train));
    (test.len(), test.intersection(&train).count())
}

/// What a model says of the rest of a domain before and after it was told the first answers of it.
#[derive(Debug, Default)]
pub(super) struct Online {
    pub(super) domains: usize,
    pub(super) before: MediaScore,
    pub(super) after: MediaScore,
}

impl Online {
    /// Domain by domain, each beginning with what the model knew before any of them; only those with more than `first`.
    pub(super) fn of(model: &dyn Learner, rows: &[Labelled<'_>], names: Names, first: usize) -> Online {
        let mut by_domain: HashMap<&str, Vec<Labelled<'_>>> = HashMap::new();
        rows.iter().for_each(|row| by_domain.entry(Parts::of(row.url).domain()).or_default().push(*row));
        let mut online = Online::default();
        for rows in by_domain.values().filter(|rows| rows.len() > first) {
            let (told, rest) = rows.split_at(first);
            let mut taught = model.again();
            learn(&mut *taught, told);
            online.domains += 1;
            for row in rest {
                online.before.add(&model.chances(row.url, names), row.class);
                online.after.add(&taught.chances(row.url, names), row.class);
            }
        }
        online
    }
}

#[cfg(test)]
mod tests {
    use super::super::models::ModelName;
    use super::*;
    use tintype_vocab::ContentType;

    fn row(url: &'static str, class: ContentType) -> Labelled<'static> {
        Labelled { url, sent: "text/html", media_type: "text/html", class, canon: class, source: "" }
    }

    #[test]
    fn hard_is_what_an_extension_does_not_tell() {
        assert!(!is_hard(&row("http://a.com/x.png", ContentType::Image)));
        for hard in ["http://a.com/x.jpg", "http://a.com/x", "http://a.com/x.php"] {
            assert!(is_hard(&row(hard, ContentType::Text)), "{hard}");
        }
    }

    #[test]
    fn the_first_answers_of_a_domain_are_told_and_the_rest_is_judged() {
        let rows = ["http://a.com/1.png", "http://a.com/2.png", "http://a.com/3.png", "http://b.com/1.png"];
        let rows: Vec<_> = rows.into_iter().map(|url| row(url, ContentType::Image)).collect();
        let model = ModelName::Extension.blank();
        let online = Online::of(&*model, &rows, Names::Folded, 1);
        assert_eq!((online.domains, online.after.count(), online.after.accuracy()), (1, 2, Some(1.0)));
        assert_eq!(domains(&rows, &rows[..1]), (2, 1));
    }

    #[test]
    fn too_many_sources_are_counted_together() {
        let mut judgement = Judgement::default();
        for source in 0..2 * SOURCES_MAX {
            judgement.source(&source.to_string());
        }
        assert_eq!(judgement.sources.len(), SOURCES_MAX + 1);
    }
}
