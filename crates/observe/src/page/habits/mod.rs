//! What a site teaches about its pages: blocks that many of them have, and words that never stay the same.
//!
//! Template blocks are counted over pages ([`Habits::see`]); volatile words over versions of one page
//! ([`Habits::learn`]), by field: the words that stand before them and their own shape. What is known of every site
//! (dates, clocks, revision stamps) needs no learning. Memory is bounded, and the habits of two captures can be merged.

mod fields;
mod templates;

use super::{
    compare::{self, Difference},
    hooks::Hooks,
    matching::{self, Matching},
    read::Segmented,
};
use fields::Fields;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use templates::Templates;
use tintype_vocab::Span;

/// What a site taught so far. Some 200 KiB at most.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Habits {
    templates: Templates,
    fields: Fields,
}

impl Habits {
    /// A page was seen: the blocks it shares with other pages are the site's template. Seeing it again changes nothing.
    pub fn see(&mut self, url: &str, page: &Segmented) {
        self.templates.see(url, &page.layout);
    }

    /// Two versions of one page were seen so far apart: a word that is another one in fetches back to back is
    /// volatile. The longer they are apart the less a difference tells, and sameness all the more.
    pub fn learn(&mut self, _url: &str, old: &Segmented, new: &Segmented, apart: Span) {
        self.fields.learn(&old.layout, &new.layout, &matching::identities(&old.layout, &new.layout), apart);
    }

    /// What changed between two versions seen so far apart, by what was known before; then sees the new one and learns
    /// from both. Cheaper than one after the other.
    pub fn judge(&mut self, old: &Segmented, new: &Segmented, url: &str, apart: Span, hooks: &Hooks<'_>) -> Difference {
        let matching = matching::matching(&old.layout, &new.layout);
        let difference = self.weighed(old, new, &matching, url, hooks);
        self.see(url, new);
        self.fields.learn(&old.layout, &new.layout, &matching.olds, apart);
        difference
    }

    /// What changed between two versions of the page at `url`, and whether it matters on this site.
    pub fn difference(&self, old: &Segmented, new: &Segmented, url: &str) -> Difference {
        self.difference_with(old, new, url, &Hooks::default())
    }

    /// The same where others know something as well: what is an advertisement, say.
    pub fn difference_with(&self, old: &Segmented, new: &Segmented, url: &str, hooks: &Hooks<'_>) -> Difference {
        self.weighed(old, new, &matching::matching(&old.layout, &new.layout), url, hooks)
    }

    fn weighed(
        &self,
        old: &Segmented,
        new: &Segmented,
        matching: &Matching,
        url: &str,
        hooks: &Hooks<'_>,
    ) -> Difference {
        let is_template = |print: u64| (hooks.is_template)(print) || self.is_template(print);
        let is_volatile =
            |field: &super::Field<'_>| (hooks.is_volatile)(field) || self.fields.is_volatile(fields::key(field));
        let hooks = Hooks { is_template: &is_template, is_volatile: &is_volatile, ..*hooks };
        compare::weighed(old, new, matching, url, &hooks)
    }

    /// Whether a block with this [fingerprint](super::Block::fingerprint) is part of the site's template.
    pub fn is_template(&self, print: u64) -> bool {
        self.templates.has(print)
    }

    /// Adds what others taught.
    pub fn merge(&mut self, other: &Habits) {
        self.templates.merge(&other.templates);
        self.fields.merge(&other.fields);
    }
}

/// Keeps so many entries, those that count most; of as many, the first.
fn keep_most<V>(map: &mut BTreeMap<u64, V>, len: usize, count: impl Fn(&V) -> u32) {
    let mut counts: Vec<u32> = map.values().map(&count).collect();
    counts.sort_unstable_by(|one, two| two.cmp(one));
    let Some(least) = counts.get(len).copied() else { return };
    let mut as_few = len - counts.partition_point(|count| *count > least);
    map.retain(|_, value| {
        let count = count(value);
        let kept = count > least || count == least && as_few > 0;
        as_few -= usize::from(kept && count == least);
        kept
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::Syntax;

    const URL: &str = "http://site.example/a";

    fn page(html: &str) -> Segmented {
        Segmented::of(html, Syntax::Html)
    }

    /// A page with a counter and a price.
    fn priced(counter: u32, price: u32) -> Segmented {
        page(&format!("<h1>Shop</h1><p>Your basket no. {counter} is empty.<p>Today it costs {price} crowns, as ever."))
    }

    fn importance(habits: &Habits, old: &Segmented, new: &Segmented) -> f64 {
        habits.difference(old, new, URL).importance
    }

    #[test]
    fn what_differs_between_fetches_back_to_back_is_volatile() {
        let mut habits = Habits::default();
        let [first, second] = [priced(11, 5), priced(12, 5)];
        assert!(importance(&habits, &first, &second) > 0.05);
        for counter in 1..4 {
            habits.learn(URL, &priced(counter, 5), &priced(counter + 1, 5), Span::from_secs(2));
        }
        let learned = importance(&habits, &first, &second);
        assert!(0.0 < learned && learned < 0.001, "{learned}");
        assert!(importance(&habits, &first, &priced(12, 6)) > 0.05);
    }

    #[test]
    fn what_differs_after_days_may_be_news() {
        let mut habits = Habits::default();
        for price in 1..20 {
            habits.learn(URL, &priced(1, price), &priced(1, price + 1), Span::from_days(1));
        }
        assert!(importance(&habits, &priced(1, 30), &priced(1, 31)) > 0.05);
    }

    #[test]
    fn what_stays_for_once_is_not_volatile() {
        let mut habits = Habits::default();
        for price in 1..5 {
            habits.learn(URL, &priced(1, price), &priced(1, price + 1), Span::from_secs(2));
            habits.learn(URL, &priced(1, price + 1), &priced(1, price + 1), Span::from_days(1));
        }
        assert!(importance(&habits, &priced(1, 30), &priced(1, 31)) > 0.05);
    }

    #[test]
    fn session_ids_in_links_are_learned() {
        let session = |id: &str, path: &str| page(&format!("<p>Go on <a href='{path}?sid={id}&x=1'>here</a>"));
        let mut habits = Habits::default();
        for id in ["q8", "k2", "z9", "b4"] {
            habits.learn(URL, &session(id, "/next"), &session("m1", "/next"), Span::from_secs(1));
        }
        assert_eq!(importance(&habits, &session("a7", "/next"), &session("c3", "/next")), 0.0);
        assert!(importance(&habits, &session("a7", "/next"), &session("c3", "/other")) > 0.0);
    }

    #[test]
    fn blocks_of_many_pages_are_the_template() {
        let article = |n: u32, note: &str| {
            page(&format!("<p>Article {n} tells its own story.<p>All rights are with the club, {note}."))
        };
        let mut habits = Habits::default();
        let print = article(1, "as ever").layout.block(1).fingerprint();
        for n in 0..4 {
            assert_eq!(habits.is_template(print), n >= 3, "{n}");
            (0..9).for_each(|_| habits.see(&format!("http://site.example/{n}"), &article(n, "as ever")));
        }
        let [old, new] = ["as ever", "mostly"].map(|note| article(1, note));
        let [taught, untaught] = [&habits, &Habits::default()].map(|habits| importance(habits, &old, &new));
        assert!(taught < untaught / 5.0, "{taught} {untaught}");
    }

    #[test]
    fn habits_merge_and_are_kept_as_text() {
        let [mut one, mut two, mut both] = [Habits::default(), Habits::default(), Habits::default()];
        let mut teach = |habits: &mut Habits, counter: u32| {
            let [old, new] = [priced(counter, 5), priced(counter + 1, 5)];
            for habits in [habits, &mut both] {
                habits.see(&format!("http://site.example/{counter}"), &old);
                habits.learn(URL, &old, &new, Span::from_secs(2));
            }
        };
        (0..2).for_each(|counter| teach(&mut one, counter));
        (5..7).for_each(|counter| teach(&mut two, counter));
        one.merge(&two);
        assert_eq!(one, both);
        let text = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<Habits>(&text).unwrap(), one);
    }

    #[test]
    fn memory_is_bounded() {
        let mut habits = Habits::default();
        for round in 0..40 {
            let text = |add: u32| (0..400).map(|n| format!("<p>w{round}x{n} y{n} {}", n + add)).collect::<String>();
            let [old, new] = [page(&text(0)), page(&text(1))];
            habits.see(&format!("http://site.example/{round}"), &old);
            habits.learn(URL, &old, &new, Span::from_secs(1));
        }
        let bytes = serde_json::to_string(&habits).unwrap().len();
        assert!(bytes < 400_000, "{bytes}");
    }

    #[test]
    fn of_too_many_counters_some_are_learned() {
        let name =
            |n: u32| -> String { [n / 676, n / 26 % 26, n % 26].map(|n| char::from(b'a' + n as u8)).iter().collect() };
        let counters =
            |from: u32| page(&(0..3_000).map(|n| format!("<p>{} {}", name(n), n + from)).collect::<String>());
        let mut habits = Habits::default();
        for round in 0..3 {
            habits.learn(URL, &counters(round), &counters(round + 1), Span::from_secs(1));
        }
        let volatile =
            |n| habits.fields.is_volatile(fields::key(&super::super::Field { before: ["", &name(n)], word: "7" }));
        let learned = (0..3_000).filter(|n| volatile(*n)).count();
        assert!((1_000..=2_048).contains(&learned), "{learned}");
    }

    #[test]
    fn judging_is_comparing_and_then_learning() {
        let [mut one, mut two] = [Habits::default(), Habits::default()];
        for counter in 1..5 {
            let [old, new] = [priced(counter, 5), priced(counter + 1, 5 + counter / 3)];
            let said = one.difference(&old, &new, URL);
            one.see(URL, &new);
            one.learn(URL, &old, &new, Span::from_secs(2));
            assert_eq!(two.judge(&old, &new, URL, Span::from_secs(2), &Hooks::default()), said);
        }
        assert_eq!(one, two);
    }
}
