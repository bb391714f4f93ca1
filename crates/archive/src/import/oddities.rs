//! What was odd about a file, one sentence for each kind: a writer that does something odd does it in every record.

use std::collections::BTreeMap;

/// More kinds are counted as one.
const KINDS_MAX: usize = 50;

/// Kinds of oddities with how often and where first.
#[derive(Debug, Default)]
pub(super) struct Oddities(BTreeMap<String, Oddity>);

#[derive(Debug)]
struct Oddity {
    count: u64,
    /// What was odd the first time, and where.
    first: String,
    place: String,
}

impl Oddities {
    pub(super) fn note(&mut self, kind: &str, what: &str, place: impl FnOnce() -> String) {
        let kind = if self.0.len() < KINDS_MAX || self.0.contains_key(kind) { kind } else { "other" };
        match self.0.get_mut(kind) {
            Some(oddity) => oddity.count += 1,
            None => drop(self.0.insert(kind.to_owned(), Oddity { count: 1, first: what.to_owned(), place: place() })),
        }
    }

    pub(super) fn sentences(&self) -> Vec<String> {
        let sentence = |oddity: &Oddity| {
            let Oddity { count, first, place } = oddity;
            match count {
                1 => format!("{place}: {first}"),
                _ => format!("{count} times, first {place}: {first}"),
            }
        };
        self.0.values().map(sentence).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_told_once_with_its_count() {
        let mut oddities = Oddities::default();
        oddities.note("torn", "it ends early", || "at byte 9".to_owned());
        for n in 0..300 {
            oddities.note("brackets", "the URL is in brackets", || format!("at byte {n}"));
        }
        let told = ["300 times, first at byte 0: the URL is in brackets", "at byte 9: it ends early"];
        assert_eq!(oddities.sentences(), told);
        (0..1000).for_each(|n| oddities.note(&n.to_string(), "odd", String::new));
        assert_eq!(oddities.sentences().len(), KINDS_MAX + 1);
    }
}
