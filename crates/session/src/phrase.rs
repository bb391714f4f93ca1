//! What can be said of a phrase: when visits saw it, when they did not, and between which visits nothing is known.
//!
//! [`phrase_verdict`] speaks of one page, [`phrase_summary`] of all that were looked through; nobody is told that a phrase was absent where nobody looked.

use serde_json::{Value, json};
use tintype_archive::{PhraseFinding, PhrasePage, PhraseQuery, PhraseScope, PhraseStretch, Presence};
use tintype_vocab::{Time, amount::counted};

/// A line of what is said of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhraseLine {
    /// What visits said; nothing for a time in which there was none.
    pub presence: Option<Presence>,
    pub text: String,
    /// The first visit of it, where there is something to see.
    pub at: Option<Time>,
}

/// A page's visits and the times between them, in the order of time.
pub fn phrase_lines(page: &PhrasePage, query: &PhraseQuery) -> Vec<PhraseLine> {
    let mut lines = Vec::new();
    let unknown = |text: String| PhraseLine { presence: None, text, at: None };
    let mut before: Option<&PhraseStretch> = None;
    for stretch in &page.stretches {
        match (before, query.from) {
            (Some(before), _) => {
                lines.push(unknown(format!("between {} and {}", when(before.last), when(stretch.first))))
            }
            (None, Some(from)) if from < stretch.first => {
                lines.push(unknown(format!("from {} until {}", when(from), when(stretch.first))));
            }
            (None, _) => {}
        }
        lines.push(line(stretch));
        before = Some(stretch);
    }
    match (before, query.to) {
        (Some(before), Some(to)) if to > before.last => {
            lines.push(unknown(format!("from {} until {}", when(before.last), when(to))));
        }
        _ => {}
    }
    lines
}

fn line(stretch: &PhraseStretch) -> PhraseLine {
    let (first, last) = (when(stretch.first), when(stretch.last));
    let visits = match stretch.visits {
        1 => format!("at the visit of {first}"),
        visits => format!("at {visits} visits from {first} to {last}, at most {} apart", stretch.longest_gap),
    };
    PhraseLine { presence: Some(stretch.presence), text: visits, at: Some(stretch.first) }
}

fn when(time: Time) -> String {
    let text = time.to_rfc3339_secs();
    format!("{} {}", &text[..10], &text[11..19])
}

/// What a line is about, in words.
pub fn phrase_word(presence: Option<Presence>) -> &'static str {
    match presence {
        Some(Presence::Present) => "seen",
        Some(Presence::Absent) => "not there",
        Some(Presence::NotThere) => "no page there",
        Some(Presence::Elsewhere) => "led elsewhere",
        Some(Presence::Unread) => "could not be read",
        None => "nothing known",
    }
}

/// A page in a sentence.
pub fn phrase_verdict(page: &PhrasePage, query: &PhraseQuery) -> String {
    let [present, absent, unread] = [Presence::Present, Presence::Absent, Presence::Unread].map(|of| page.visits(of));
    let within = within(query);
    let gone = match page.visits(Presence::NotThere) + page.visits(Presence::Elsewhere) {
        0 => String::new(),
        gone => format!(" At {} there was no page of that address.", counted(gone, "visit")),
    };
    let unread = match unread {
        0 => gone,
        unread => format!("{gone} {} could not be read and say nothing.", counted(unread, "visit")),
    };
    match page.seen() {
        Some((first, last)) if absent == 0 => {
            format!("Seen at {}{within}: {}.{unread}", every(present, &unread), span(first, last))
        }
        Some((first, last)) => format!(
            "Seen at {} of {}{within}: {}. Not there at the other {absent}.{unread}",
            present,
            counted(present + absent, "visit"),
            span(first, last)
        ),
        None if absent > 0 => {
            let gap = page.stretches.iter().map(|of| of.longest_gap).max().unwrap_or_default();
            let gap = if absent > 1 {
                format!("; between two visits, at most {gap} apart, nothing is known")
            } else {
                String::new()
            };
            format!("Not there at {}{within}{gap}.{unread}", every(absent, &unread))
        }
        None if page.stretches.is_empty() => format!("Nobody looked{within}: nothing is known."),
        None => format!("No visit{within} could tell.{unread}"),
    }
}

/// Of the visits that could tell; "all" only if there were no others.
fn every(visits: u64, others: &str) -> String {
    match (visits, others.is_empty()) {
        (1, true) => "the one visit".to_owned(),
        (_, true) => format!("all {visits} visits"),
        _ => format!("{} that could tell", counted(visits, "visit")),
    }
}

fn span(first: Time, last: Time) -> String {
    if first == last { when(first) } else { format!("first {}, last {}", when(first), when(last)) }
}

fn within(query: &PhraseQuery) -> String {
    match (query.from, query.to) {
        (Some(from), Some(to)) => format!(" between {} and {}", when(from), when(to)),
        (Some(from), None) => format!(" since {}", when(from)),
        (None, Some(to)) => format!(" until {}", when(to)),
        (None, None) => String::new(),
    }
}

/// A finding in a sentence.
pub fn phrase_summary(finding: &PhraseFinding, query: &PhraseQuery) -> String {
    let seen = finding.pages.iter().filter(|page| page.seen().is_some()).count();
    let within = within(query);
    match &finding.scope {
        Some(scope) => absent(scope, query),
        None if finding.is_cut => {
            format!("On very many pages; the latest are told of{within}. Name a site, or a phrase that is rarer.")
        }
        None if finding.pages_in_all == 0 => format!("Nothing is held of it{within}."),
        None if finding.pages.len() as u64 == finding.pages_in_all => {
            format!("Seen on {}{within}.", counted(seen as u64, "page"))
        }
        None if seen == 0 => {
            format!("No page that is told of had it{within}, and there are more: name a site or a page.")
        }
        None => format!(
            "{} of {} that ever had it are told of, those that had it{within} first.",
            finding.pages.len(),
            counted(finding.pages_in_all, "page")
        ),
    }
}

fn absent(scope: &PhraseScope, query: &PhraseQuery) -> String {
    let (pages, visits) = (counted(scope.pages, "page"), counted(scope.visits, "visit"));
    let within = within(query);
    match scope {
        PhraseScope { visits: 0, .. } => format!("Nothing that could be read was visited{within}: nothing is known."),
        PhraseScope { is_cut: true, .. } => {
            format!(
                "Not seen, but only the first {visits} to {pages}{within} were looked through: name a site or a page."
            )
        }
        _ if scope.is_whole() => format!(
            "No visit saw it: {visits} to {pages}{within}, every one of them read whole. Between two visits of a page nothing is known."
        ),
        _ => format!(
            "No visit saw it: {visits} to {pages}{within}, of which {} could not be read whole and prove nothing. Between two visits \
             of a page nothing is known.",
            scope.visits - scope.visits_read
        ),
    }
}

/// A finding for programs.
pub fn phrase_json(finding: &PhraseFinding, query: &PhraseQuery) -> Value {
    json!({
        "phrase": query.phrase.as_str(), "site": query.site, "from": query.from.map(Time::to_rfc3339_secs),
        "to": query.to.map(Time::to_rfc3339_secs), "summary": phrase_summary(finding, query),
        "pages": finding.pages.iter().map(|page| page_json(page, query)).collect::<Vec<_>>(),
        "pages_in_all": finding.pages_in_all, "more": finding.is_cut,
        "absent": finding.scope.map(|scope| json!({
            "proved": scope.is_whole() && scope.visits > 0, "pages": scope.pages, "visits": scope.visits,
            "visits_read": scope.visits_read, "all_looked_through": !scope.is_cut,
        })),
    })
}

fn page_json(page: &PhrasePage, query: &PhraseQuery) -> Value {
    let stretches = page.stretches.iter().map(|of| {
        json!({
            "presence": of.presence.as_str(), "first": of.first.to_rfc3339_secs(), "last": of.last.to_rfc3339_secs(),
            "visits": of.visits, "longest_gap_seconds": of.longest_gap.as_millis() / 1000,
        })
    });
    let excerpt = page.excerpt.iter().map(|part| json!({ "text": part.text, "marked": part.is_marked }));
    json!({
        "url": page.url, "title": page.title, "verdict": phrase_verdict(page, query), "seen": page.seen().is_some(),
        "excerpt": excerpt.collect::<Vec<_>>(), "stretches": stretches.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_archive::Phrase;
    use tintype_vocab::Span;

    fn day(nth: i64) -> Time {
        Time::from_secs(1_790_000_000) + Span::from_days(nth)
    }

    fn stretch(presence: Presence, first: i64, last: i64) -> PhraseStretch {
        let visits = (last - first + 1) as u64;
        PhraseStretch { presence, first: day(first), last: day(last), visits, longest_gap: Span::from_days(1) }
    }

    fn page(stretches: Vec<PhraseStretch>) -> PhrasePage {
        PhrasePage { url: "http://e.com/".into(), title: String::new(), excerpt: Vec::new(), stretches }
    }

    fn query(from: Option<Time>, to: Option<Time>) -> PhraseQuery {
        PhraseQuery { phrase: Phrase::parse("never close").unwrap(), site: None, from, to, limit: 10 }
    }

    #[test]
    fn between_two_visits_nothing_is_claimed() {
        let page = page(vec![stretch(Presence::Present, 0, 2), stretch(Presence::Absent, 5, 5)]);
        let asked = query(Some(day(-1)), Some(day(9)));
        let told: Vec<(&str, String)> =
            phrase_lines(&page, &asked).into_iter().map(|line| (phrase_word(line.presence), line.text)).collect();
        assert_eq!(
            told.iter().map(|(word, _)| *word).collect::<Vec<_>>(),
            ["nothing known", "seen", "nothing known", "not there", "nothing known"]
        );
        assert!(told[2].1.starts_with("between 2026-09-23") && told[2].1.ends_with("2026-09-26 14:13:20"), "{told:?}");
        assert!(phrase_verdict(&page, &asked).contains("3 of 4 visits between"), "{}", phrase_verdict(&page, &asked));
    }

    #[test]
    fn an_absence_is_said_with_what_it_rests_on() {
        let asked = query(None, None);
        let verdict = |stretches| phrase_verdict(&page(stretches), &asked);
        let absent = verdict(vec![stretch(Presence::Absent, 0, 3)]);
        assert_eq!(absent, "Not there at all 4 visits; between two visits, at most 1 d 0 h apart, nothing is known.");
        let unread = verdict(vec![stretch(Presence::Absent, 0, 0), stretch(Presence::Unread, 1, 2)]);
        assert_eq!(unread, "Not there at 1 visit that could tell. 2 visits could not be read and say nothing.");
        let gone = verdict(vec![stretch(Presence::Present, 0, 1), stretch(Presence::NotThere, 2, 2)]);
        assert!(gone.starts_with("Seen at 2 visits that could tell: first "), "{gone}");
        assert!(gone.ends_with(" At 1 visit there was no page of that address."), "{gone}");
        assert_eq!(verdict(Vec::new()), "Nobody looked: nothing is known.");
        assert!(verdict(vec![stretch(Presence::NotThere, 0, 0)]).starts_with("No visit could tell."));
        let of =
            |scope| phrase_json(&PhraseFinding { pages: Vec::new(), pages_in_all: 0, is_cut: false, scope }, &asked);
        let whole = PhraseScope { pages: 2, visits: 6, visits_read: 6, is_cut: false };
        for (scope, proved) in [
            (whole, true),
            (PhraseScope { visits_read: 5, ..whole }, false),
            (PhraseScope { is_cut: true, ..whole }, false),
            (PhraseScope::default(), false),
        ] {
            let told = of(Some(scope));
            assert_eq!(told["absent"]["proved"], proved, "{told}");
            assert_eq!(told["summary"].as_str().unwrap().contains("every one of them read whole"), proved, "{told}");
        }
        assert!(of(None)["absent"].is_null());
    }
}
