//! Pages with a phrase, as a search shows them: words around it, a line of time, and every stretch of visits.

use super::{encoded, texts::PhraseFound};
use tintype_archive::{ExcerptPart, PhrasePage, PhraseQuery, Presence};
use tintype_session::{phrase_lines, phrase_verdict, phrase_word};
use tintype_vocab::{Span, Time};

/// Stretches of visits of a page that are listed; the JSON has all.
const LINES_SHOWN: usize = 60;

pub(super) struct PhraseRow {
    pub(super) url: String,
    pub(super) title: String,
    pub(super) excerpt: Vec<ExcerptPart>,
    pub(super) verdict: String,
    pub(super) is_seen: bool,
    pub(super) pieces: Vec<Piece>,
    pub(super) ends: [String; 2],
    pub(super) lines: Vec<Line>,
    pub(super) more: usize,
    /// Where every version of it is read again.
    pub(super) proof: Option<String>,
}

/// A stretch of visits on a line of time, in percent.
pub(super) struct Piece {
    pub(super) class: &'static str,
    pub(super) left: f64,
    pub(super) width: f64,
    pub(super) title: String,
}

pub(super) struct Line {
    pub(super) class: &'static str,
    pub(super) word: &'static str,
    pub(super) text: String,
    /// The version with the words marked.
    pub(super) link: Option<String>,
}

pub(super) fn rows(found: &PhraseFound, can_prove: bool) -> Vec<PhraseRow> {
    found.finding.pages.iter().map(|page| row(page, &found.query, can_prove)).collect()
}

fn row(page: &PhrasePage, query: &PhraseQuery, can_prove: bool) -> PhraseRow {
    let phrase = encoded(query.phrase.as_str());
    let all = phrase_lines(page, query);
    let more = all.len().saturating_sub(LINES_SHOWN);
    let link = |at: Time| format!("/version?url={}&at={}&q={phrase}", encoded(&page.url), at.to_timestamp14());
    let lines = all.into_iter().take(LINES_SHOWN).map(|line| Line {
        class: class(line.presence),
        word: phrase_word(line.presence),
        text: line.text,
        link: line.at.filter(|_| matches!(line.presence, Some(Presence::Present | Presence::Absent))).map(link),
    });
    let (first, last) = ends(page, query);
    let time = |name: &str, time: Option<Time>| {
        time.map_or(String::new(), |time| format!("&{name}={}", time.to_timestamp14()))
    };
    let proof =
        format!("/search?q={phrase}&url={}{}{}", encoded(&page.url), time("from", query.from), time("to", query.to));
    PhraseRow {
        url: page.url.clone(),
        title: page.title.clone(),
        excerpt: page.excerpt.clone(),
        verdict: phrase_verdict(page, query),
        is_seen: page.seen().is_some(),
        pieces: pieces(page, first, last),
        ends: [first, last].map(if last - first < Span::from_days(2) { super::seconds } else { super::minutes }),
        lines: lines.collect(),
        more,
        proof: can_prove.then_some(proof),
    }
}

fn class(presence: Option<Presence>) -> &'static str {
    match presence {
        Some(Presence::Present) => "seen",
        Some(Presence::Absent) => "absent",
        Some(_) => "other",
        None => "unknown",
    }
}

/// From when to when the line of time reaches.
fn ends(page: &PhrasePage, query: &PhraseQuery) -> (Time, Time) {
    let first = page.stretches.first().map(|stretch| stretch.first);
    let last = page.stretches.last().map(|stretch| stretch.last);
    let zero = Time::from_secs(0);
    (
        query.from.or(first).unwrap_or(zero),
        query.to.filter(|to| Some(*to) < last || query.from.is_some()).or(last).unwrap_or(zero),
    )
}

fn pieces(page: &PhrasePage, first: Time, last: Time) -> Vec<Piece> {
    let whole = (last - first).as_secs_f64().max(1.0);
    let at = |time: Time| (100.0 * (time - first).as_secs_f64() / whole).clamp(0.0, 100.0);
    let piece = |stretch: &tintype_archive::PhraseStretch| {
        // A single visit is drawn as well.
        let left = at(stretch.first).min(99.0);
        let visits = super::counted(stretch.visits, "visit");
        Piece {
            class: class(Some(stretch.presence)),
            left,
            width: (at(stretch.last) - left).max(1.0),
            title: format!("{}: {visits} from {}", phrase_word(Some(stretch.presence)), super::seconds(stretch.first)),
        }
    };
    page.stretches.iter().map(piece).collect()
}
