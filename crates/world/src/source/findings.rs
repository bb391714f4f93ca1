//! What is odd about a source and can still be used.

use tintype_vocab::Span;

/// Oddities of a source. None of them is hidden in the numbers: empty looks are left out, the rest is as it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFindings {
    /// Looks that found nothing between looks that found something: the site was down.
    pub empty_looks: usize,
    /// Absences that only empty looks tell of.
    pub bridged: usize,
    /// Objects that came back after they were gone: each time is a life of its own.
    pub returned: usize,
    /// Looks that are said to have found another number of objects than the lives say.
    pub miscounted: usize,
    /// Nobody said when looks were made: they are the times at which objects were seen.
    pub looks_unknown: bool,
    pub usual_gap: Span,
    pub longest_gap: Span,
}

/// Gaps that are so many times the usual one are told.
const LONG_GAP: i64 = 10;

impl SourceFindings {
    /// In sentences, for people.
    pub fn sentences(&self) -> Vec<String> {
        let counted = [
            (self.empty_looks, "look", "found nothing at all: left out, as the site will have been down"),
            (self.bridged, "absence", "of objects that no look tells of: left out"),
            (self.returned, "return", "of objects that had gone: each begins a life of its own"),
            (self.miscounted, "look", "found another number of objects, it is said, than the table of objects has"),
        ];
        let told = counted.iter().filter(|(count, ..)| *count > 0);
        let mut sentences: Vec<String> = told
            .map(|(count, noun, what)| format!("{count} {noun}{} {what}.", if *count == 1 { "" } else { "s" }))
            .collect();
        if self.looks_unknown {
            sentences.push("When looks were made is not known; taken are the times at which objects were seen.".into());
        }
        if self.longest_gap > self.usual_gap * LONG_GAP {
            let (longest, usual) = (self.longest_gap, self.usual_gap);
            sentences.push(format!("For {longest} nobody looked; the usual time between looks is {usual}."));
        }
        sentences
    }
}
