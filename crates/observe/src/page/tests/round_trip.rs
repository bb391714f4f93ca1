//! Deltas lead from either version to the other.

use crate::{
    html::Syntax,
    page::{Delta, Difference, Hooks, Normalisation, Segmented, difference},
};
use proptest::prelude::*;

pub(super) fn delta(old: &Segmented, new: &Segmented) -> Delta {
    difference(old, new, "", &Hooks::default()).delta
}

/// Pages of few words, so that versions have much in common.
fn page() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<p>",
        "<div>",
        "</div>",
        "<h1>",
        "</h1>",
        "<h2>",
        "</h2>",
        "<ul>",
        "<li>",
        "</ul>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<main>",
        "</main>",
        "<nav>",
        "</nav>",
        "<hr>",
        "<br>",
        "<br>",
        "<pre>",
        "</pre>",
        "one ",
        "two ",
        "three",
        "four, ",
        "five. ",
        "&amp;",
        "&nbsp;",
        "é ",
        "\n\n",
        "<a href=x>",
        "<a href=y>",
        "</a>",
        "<img src=i>",
        "<img src=j>",
        "<b>",
        "</b>",
        "<div hidden>",
        "<title>",
        "</title>",
        "<section>",
        "</section>",
    ]);
    let run = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
    prop::collection::vec(run, 0..10).prop_map(|runs| runs.concat())
}

/// A page and the same with a few stretches of it gone, doubled or elsewhere.
fn versions() -> impl Strategy<Value = (String, String)> {
    let stretch = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3u8);
    (page(), prop::collection::vec(stretch, 0..4)).prop_map(|(old, edits)| {
        let mut new: Vec<char> = old.chars().collect();
        for (from, to, edit) in edits.into_iter().filter(|_| !old.is_empty()) {
            let (from, to) = (from.index(new.len() + 1), to.index(new.len() + 1));
            let part: Vec<char> = match edit {
                0 => new.drain(from.min(to)..from.max(to)).collect(),
                _ => new[from.min(to)..from.max(to)].to_vec(),
            };
            if edit > 0 {
                let at = from.min(new.len());
                new.splice(at..at, part);
            }
        }
        (old, new.into_iter().collect())
    })
}

fn check(old: &str, new: &str) -> Result<(), TestCaseError> {
    let [old, new] = [old, new].map(|html| Segmented::of(html, Syntax::Html));
    for normalisation in [Normalisation::Sum, Normalisation::Formula, Normalisation::PerOperation] {
        let found = difference(&old, &new, "http://h.example/", &Hooks { normalisation, ..Hooks::default() });
        prop_assert!((0.0..=1.0 + 1e-6).contains(&found.importance), "{}", found.importance);
        prop_assert!(found.importance == 0.0 || !found.changed.is_empty());
        prop_assert_eq!(found.delta.is_empty(), old.layout == new.layout);
        prop_assert_eq!(found.delta.apply(&old.layout), Ok(new.layout.clone()));
        prop_assert_eq!(found.delta.apply_back(&new.layout), Ok(old.layout.clone()));
        prop_assert_eq!(&found.delta.inverse().inverse(), &found.delta);
        let written = serde_json::to_string(&found).unwrap();
        let read: Difference = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(read.delta, found.delta);
    }
    let importance: f32 = new.importance(&|_| false).iter().sum();
    prop_assert!(new.layout.is_empty() || (importance - 1.0).abs() < 1e-4, "{}", importance);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn edited_pages_follow_from_each_other((old, new) in versions()) {
        check(&old, &new)?;
    }

    #[test]
    fn any_two_pages_follow_from_each_other(old in page(), new in page()) {
        check(&old, &new)?;
    }
}
