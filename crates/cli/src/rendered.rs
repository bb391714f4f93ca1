//! What browsers cost and brought, in words.

use crate::amount::counted;
use tintype_quality::RenderTally;

/// `8 pages built`, and what that means.
pub(crate) fn row(tally: &RenderTally) -> (String, String) {
    let seconds = tally.took as f64 / 1000.0;
    let mut detail = vec![format!("by a browser that was busy for {seconds:.1} s")];
    let brought = [
        (tally.found, "request no page had named", "requests no page had named"),
        (tally.links, "link", "links"),
        (tally.words, "word", "words"),
    ];
    let brought: Vec<String> = brought
        .iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many }))
        .collect();
    detail.push(match brought.is_empty() {
        true => "it found nothing that was not served".to_owned(),
        false => format!("it found {} on {}", brought.join(", "), counted(tally.gained, "page")),
    });
    if tally.refused > 0 {
        detail.push(format!("{} of its {} refused", tally.refused, counted(tally.asked, "request")));
    }
    if tally.failed > 0 {
        detail.push(format!("{} kept as served, for it failed", counted(tally.failed, "page")));
    }
    (format!("{} built", counted(tally.pages, "page")), detail.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_brought_is_said_and_that_it_brought_nothing() {
        let nothing = RenderTally { pages: 1, took: 1500, ..RenderTally::default() };
        let (label, detail) = row(&nothing);
        assert_eq!(label, "1 page built");
        assert_eq!(detail, "by a browser that was busy for 1.5 s; it found nothing that was not served");
        let some = RenderTally { pages: 2, gained: 1, asked: 9, found: 1, words: 3, refused: 2, failed: 1, ..nothing };
        assert_eq!(
            row(&some).1,
            "by a browser that was busy for 1.5 s; it found 1 request no page had named, 3 words on 1 page; 2 of its 9 \
             requests refused; 1 page kept as served, for it failed"
        );
    }
}
