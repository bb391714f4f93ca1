//! What each version of a page weighs: how much of its text was new when it came.

use crate::{Contents, History, Kind, Unreadable};
use tintype_observe::{WORDS_MAX, Words};

/// Words remembered over all pages, in four bytes each.
const WORDS_HELD_MAX: usize = 100_000_000;
/// However many pages there are, so many words of each are remembered.
const WORDS_HELD_MIN: usize = 100;

/// The weight of every row of a history, for [`History::truth`]: a birth weighs 1, a deletion nothing, a new version as
/// much as its distance from the version before, or 1 where one of the two is not known. Documents are read in the order
/// of the rows, each once, and only if there is something to compare them with.
pub fn weights(history: &History, contents: &mut dyn Contents) -> Result<Vec<f32>, Unreadable> {
    let succeeded = succeeded(history);
    let words_max = (WORDS_HELD_MAX / history.pages().max(1)).clamp(WORDS_HELD_MIN, WORDS_MAX);
    let mut held: Vec<Option<Words>> = vec![None; history.pages()];
    let mut weights = Vec::with_capacity(history.events().len());
    for (row, event) in history.events().iter().enumerate() {
        let before = held[event.page as usize].take();
        let wanted = succeeded[row] || event.kind == Kind::Modified && before.is_some();
        let mut now = if wanted { words(history, contents, row as u32)? } else { None };
        weights.push(match event.kind {
            Kind::Added => 1.0,
            Kind::Deleted => 0.0,
            Kind::Modified => before.zip(now.as_ref()).map_or(1.0, |(before, now)| before.distance(now)),
        });
        if succeeded[row] {
            now.iter_mut().for_each(|words| words.thin(words_max));
            held[event.page as usize] = now;
        }
    }
    Ok(weights)
}

/// Which rows have a version after them that is compared with theirs.
fn succeeded(history: &History) -> Vec<bool> {
    let mut succeeded = vec![false; history.events().len()];
    for page in 0..history.pages() as u32 {
        for pair in history.rows(page).windows(2) {
            succeeded[pair[0] as usize] = history.events()[pair[1] as usize].kind == Kind::Modified;
        }
    }
    succeeded
}

fn words(history: &History, contents: &mut dyn Contents, row: u32) -> Result<Option<Words>, Unreadable> {
    let document = contents.document(row)?;
    let path = history.path(history.events()[row as usize].page);
    Ok(document.map(|document| Words::of(&document.described(path), &document.body)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Document, Recorder,
        synthetic::{Made, Wish, named},
    };
    use tintype_observe::DISTANCE_MIN;
    use tintype_vocab::Time;

    /// What each row says, and which were asked for.
    struct Said(Vec<Option<&'static str>>, Vec<u32>);

    impl Contents for Said {
        fn document(&mut self, row: u32) -> Result<Option<Document>, Unreadable> {
            self.1.push(row);
            let document = |text: &str| Document {
                status: 200,
                content_type: Some("text/html".to_owned()),
                body: text.into(),
                ..Document::default()
            };
            Ok(self.0[row as usize].map(document))
        }
    }

    #[test]
    fn versions_weigh_what_is_new_in_them_and_only_the_compared_are_read() {
        use Kind::{Added, Deleted, Modified};
        let rows = [
            ("/a", Added, Some("one two")),
            ("/b", Added, Some("never read")),
            ("/a", Modified, Some("one two three four")),
            ("/a", Modified, Some("<p>one two three four")),
            ("/c", Added, None),
            ("/c", Modified, Some("not comparable")),
            ("/c", Modified, Some("no match")),
            ("/a", Deleted, Some("not found")),
            ("/a", Added, Some("back again")),
        ];
        let mut recorder = Recorder::default();
        for (at, (path, kind, _)) in rows.iter().enumerate() {
            recorder.record(Time::from_secs(at as i64), path, *kind, 1, at as u64 + 1, "text/html").unwrap();
        }
        let mut said = Said(rows.iter().map(|row| row.2).collect(), Vec::new());
        let weights = weights(&recorder.finish(), &mut said).unwrap();
        assert_eq!(weights, [1.0, 1.0, 0.5, DISTANCE_MIN, 1.0, 1.0, 1.0, 0.0, 1.0]);
        assert_eq!(said.1, [0, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn the_versions_of_a_made_up_site_differ_a_little_or_much() {
        let wish = Wish { pages: 80, days: 5.0, ..Wish::default() };
        let Made { history, mut contents, .. } = (named("news").unwrap().make)(&wish);
        let weights = weights(&history, &mut contents).unwrap();
        assert_eq!(weights.len(), history.events().len());
        assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
        let truth = history.truth(|row| weights[row as usize]);
        assert_eq!(truth.pages(), history.pages());
        let small = weights.iter().filter(|weight| (DISTANCE_MIN..0.5).contains(*weight)).count();
        assert!(small > 10, "{small} of {}", weights.len());
    }
}
