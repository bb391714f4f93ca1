//! One page of a capture: all its visits, and what they show together.

use super::{PageProof, PageVerdict, Period, Reason};
use crate::capture::{Moments, Proven, blur_moments, bracket};
use tintype_vocab::{ChangeRate, Digest, Observation, Outcome, Span, Time};

/// Last-Modified tells whole seconds.
const SECOND: Span = Span::from_secs(1);

/// What a visit saw in place of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Saw {
    Version(Digest),
    /// A version that was confirmed, but is not held.
    NotHeld,
    /// The beginning of a version.
    Part,
    Gone,
    Elsewhere,
}

/// One visit that showed what the page was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) asked: Time,
    pub(super) answered: Time,
    pub(super) saw: Saw,
    /// As the server says.
    pub(super) modified: Option<Time>,
}

impl Look {
    fn of(visit: &Observation) -> Option<Look> {
        let saw = match (&visit.outcome, visit.digest) {
            (Outcome::NotModified, None | Some(Digest::EMPTY)) => Saw::NotHeld,
            (Outcome::Body { .. } | Outcome::NotModified, Some(digest)) => Saw::Version(digest),
            (Outcome::Body { .. }, None) if visit.truncated.is_some() => Saw::Part,
            (Outcome::Body { .. }, None) => Saw::NotHeld,
            (Outcome::Gone { .. }, _) => Saw::Gone,
            (Outcome::Redirected { .. }, _) => Saw::Elsewhere,
            (Outcome::Refused { .. } | Outcome::Failed { .. }, _) => return None,
        };
        let modified = visit.modified().filter(|_| matches!(saw, Saw::Version(_)));
        // Whoever wrote the file may have made it up: an answer does not come before its question.
        Some(Look { asked: visit.asked, answered: visit.answered.max(visit.asked), saw, modified })
    }

    pub(super) fn version(&self) -> Option<Digest> {
        match self.saw {
            Saw::Version(digest) => Some(digest),
            _ => None,
        }
    }
}

/// A page that was asked for.
#[derive(Debug)]
pub(super) struct Page {
    url: String,
    first: Time,
    rate: ChangeRate,
    visits: u32,
    /// In order of time once [`Page::settle`] has been called.
    pub(super) looks: Vec<Look>,
    /// The latest visit without a usable answer, or that found nothing.
    failure: Option<(Time, Reason)>,
    /// The server's dates were proved wrong.
    pub(super) contradicted: bool,
}

impl Page {
    pub(super) fn new(visit: &Observation) -> Page {
        let (url, first, rate) = (visit.url.clone(), visit.asked, visit.rate);
        Page { url, first, rate, visits: 0, looks: Vec::new(), failure: None, contradicted: false }
    }

    pub(super) fn add(&mut self, visit: &Observation) {
        self.visits += 1;
        if (visit.asked, &visit.url) < (self.first, &self.url) {
            (self.url, self.first, self.rate) = (visit.url.clone(), visit.asked, visit.rate);
        }
        if let Some(look) = Look::of(visit) {
            self.make_room();
            self.looks.push(look);
        }
        if let Some(reason) = Reason::of_failure(&visit.outcome)
            && self.failure.is_none_or(|(at, _)| at <= visit.asked)
        {
            self.failure = Some((visit.asked, reason));
        }
    }

    /// Nearly all pages are looked at once or twice, and a vector left to itself makes room for four.
    fn make_room(&mut self) {
        if self.looks.len() == self.looks.capacity() && self.looks.len() < 4 {
            self.looks.reserve_exact(1);
        }
    }

    /// Brings visits into order, and drops dates that they contradict: a change that the server says was earlier.
    pub(super) fn settle(&mut self) {
        self.looks.sort_by_key(|look| (look.asked, look.answered, look.saw));
        self.contradicted = self.looks.windows(2).any(|pair| {
            let changed = pair[0].version().is_some() && pair[0].saw != pair[1].saw;
            changed && pair[1].modified.is_some_and(|modified| modified + SECOND <= pair[0].asked)
        });
        if self.contradicted {
            self.looks.iter_mut().for_each(|look| look.modified = None);
        }
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn visits(&self) -> u64 {
        self.visits.into()
    }

    /// Visits after the first one that saw the page.
    pub(super) fn revisits(&self) -> u64 {
        let seen = self.looks.iter().position(|look| look.version().is_some());
        seen.map_or(0, |first| (self.looks.len() - first - 1) as u64)
    }

    /// Whether the capture holds a version of it.
    pub(super) fn is_captured(&self) -> bool {
        self.looks.iter().any(|look| look.version().is_some())
    }

    /// Whether it only ever pointed elsewhere.
    pub(super) fn is_redirect(&self) -> bool {
        !self.looks.is_empty() && self.looks.iter().all(|look| look.saw == Saw::Elsewhere)
    }

    fn times(&self) -> Vec<Time> {
        self.looks.iter().map(|look| look.asked).collect()
    }

    /// From the first answer to the last question, whatever they saw.
    pub(super) fn watched(&self) -> Option<Proven> {
        let (first, last) = (self.looks.first()?, self.looks.last()?);
        Some(Proven { first: first.answered.min(last.asked), last: last.asked })
    }

    /// The rate as believed, times the site's activity.
    fn rate(&self, factor: f64) -> ChangeRate {
        ChangeRate { per_day: (f64::from(self.rate.per_day) * factor) as f32, ..self.rate }
    }

    /// The blur to be expected of it, and the chance that nothing changes.
    pub(super) fn expected_blur(&self, query: Period, factor: f64) -> (Moments, f64) {
        let rate = self.rate(factor);
        (blur_moments(rate, &self.times(), query.from, query.to), rate.still_chance(query.to - query.from))
    }

    /// Which two looks have to agree: those on both sides of the moment, or the two nearest to it.
    fn pair(&self, moment: Time) -> Option<(&Look, &Look)> {
        let times = self.times();
        let second = match bracket(&times, moment) {
            Some(_) => times.partition_point(|&time| time <= moment),
            None if moment < *times.first()? => 1,
            None => times.len().checked_sub(1)?,
        };
        Some((self.looks.get(second.checked_sub(1)?)?, self.looks.get(second)?))
    }

    /// How long it has to stay the same for its looks to agree, if it was looked at twice.
    pub(super) fn gap(&self, moment: Time) -> Option<Span> {
        self.pair(moment).map(|(one, two)| two.asked - one.asked)
    }

    /// Whether it will be sharp if its looks agree.
    pub(super) fn may_be_sharp(&self, moment: Time) -> bool {
        self.pair(moment).is_some_and(|(one, two)| one.answered <= moment && moment <= two.asked)
    }

    /// The chance that it changes within that time.
    pub(super) fn change_chance(&self, gap: Span, factor: f64) -> f64 {
        1.0 - self.rate(factor).still_chance(gap)
    }

    /// By how much that grows with a factor of one.
    pub(super) fn change_chance_per_factor(&self, gap: Span) -> f64 {
        let changes = f64::from(self.rate.per_day) * gap.as_days_f64();
        self.rate.still_chance(gap) * changes / (1.0 + changes / f64::from(self.rate.shape))
    }

    /// Looks next to each other that saw the same version.
    fn runs(&self) -> impl Iterator<Item = &[Look]> {
        let same = |one: &Look, two: &Look| one.version().is_some() && one.version() == two.version();
        self.looks.chunk_by(same).filter(|run| run[0].version().is_some())
    }

    /// What is proved of the page: every version it was seen with from the first answer to the last question, or at the
    /// moment of the only look.
    pub(super) fn proven(&self) -> Vec<Proven> {
        self.runs().map(proof).collect()
    }

    /// The same, begun when the server says.
    pub(super) fn proven_by_server(&self) -> Vec<Proven> {
        let mut proofs: Vec<Proven> = Vec::new();
        for run in self.runs() {
            let before = proofs.last().map_or(Time::MIN, |before| before.last);
            let modified = run.iter().filter_map(|look| look.modified).filter(|modified| *modified > before).min();
            let proof = proof(run);
            proofs.push(Proven { first: modified.map_or(proof.first, |modified| modified.min(proof.first)), ..proof });
        }
        proofs
    }

    /// When the captured version came to be, in the server's words.
    pub(super) fn unchanged_since(&self) -> Option<Time> {
        self.looks.iter().rev().find(|look| look.version().is_some())?.modified
    }

    pub(super) fn verdict(&self, moment: Time) -> PageVerdict {
        if !self.is_captured() {
            return PageVerdict::Missing(self.failure.map_or(self.not_whole(), |(_, reason)| reason));
        }
        let Some((one, two)) = self.pair(moment) else {
            return PageVerdict::NotSharp(self.failure.map_or(Reason::VisitedOnce, |(_, reason)| reason.once()));
        };
        match (one.saw, two.saw) {
            (Saw::Version(digest), Saw::Version(same)) if digest == same && one.answered <= two.asked => {
                match one.answered <= moment && moment <= two.asked {
                    true => PageVerdict::Sharp { period: Period { from: one.answered, to: two.asked }, digest },
                    false => PageVerdict::NotSharp(Reason::NotThen),
                }
            }
            (one, two) => PageVerdict::NotSharp(difference(one, two)),
        }
    }

    /// Why a page that answered is not held.
    fn not_whole(&self) -> Reason {
        if self.looks.iter().any(|look| look.saw == Saw::Part) { Reason::Truncated } else { Reason::NotHeld }
    }

    pub(super) fn into_proof(self, moment: Time) -> PageProof {
        let (unchanged_since, verdict) = (self.unchanged_since(), self.verdict(moment));
        PageProof { url: self.url, first: self.first, visits: self.visits, rate: self.rate, unchanged_since, verdict }
    }

    /// The blur by what the looks showed: nothing between two that saw the same, at least one change between two that saw
    /// different things, a change at the date the server gives, and what is to be expected of a site as active as it
    /// turned out to be where there was no look.
    pub(super) fn realised_blur(&self, query: Period, factor: f64) -> f64 {
        let length = (query.to - query.from).as_days_f64();
        let (Some(first), Some(last)) = (self.looks.first(), self.looks.last()) else { return 0.0 };
        if length <= 0.0 {
            return 0.0;
        }
        let believed = self.rate(factor);
        let rate = f64::from(believed.per_day);
        let days = |from: Time, to: Time| (to - from).as_days_f64().max(0.0);
        let before = match first.modified {
            // One change when the server says, and before it what may have been.
            Some(modified) => {
                let away = days(query.from, modified);
                if away > 0.0 { away + rate * away * away / 2.0 } else { 0.0 }
            }
            None => rate * days(query.from, first.asked).powi(2) / 2.0,
        };
        let after = rate * days(last.asked, query.to).powi(2) / 2.0;
        let between: f64 = self.looks.windows(2).map(|pair| missed_between(&pair[0], &pair[1], believed)).sum();
        (before + between + after) / length
    }
}

/// Days of missed changes between two looks next to each other.
fn missed_between(one: &Look, two: &Look, believed: ChangeRate) -> f64 {
    let gap = (two.asked - one.asked).as_days_f64();
    let tells_nothing = |look: &Look| matches!(look.saw, Saw::NotHeld | Saw::Part);
    if gap <= 0.0 || (one.saw == two.saw && !tells_nothing(one)) {
        return 0.0;
    }
    let rate = f64::from(believed.per_day);
    if tells_nothing(one) || tells_nothing(two) {
        return rate * gap * gap / 4.0;
    }
    if let Some(modified) = two.modified.filter(|modified| *modified + SECOND > one.asked) {
        let at = (modified - one.asked).as_days_f64().clamp(0.0, gap);
        return (at - gap / 2.0).abs() + rate * distance_to_middle(at, gap);
    }
    // Given that there was a change there are more of them than usual; each is missed for a quarter of the gap.
    let changed = 1.0 - believed.still_chance_days(gap);
    let changes = if changed > 1e-12 { (rate * gap / changed).max(1.0) } else { 1.0 };
    changes * gap / 4.0
}

/// What looks that saw the same version prove.
fn proof(run: &[Look]) -> Proven {
    let (first, last) = (run[0], run[run.len() - 1].asked);
    match first.answered <= last {
        true => Proven { first: first.answered, last },
        false => Proven { first: first.asked, last: first.asked },
    }
}

/// The integral from 0 to `at` of the distance to the middle of the gap.
fn distance_to_middle(at: f64, gap: f64) -> f64 {
    let half = gap / 2.0;
    let (before, after) = (at.min(half), (at - half).max(0.0));
    before * (half - before / 2.0) + after * after / 2.0
}

fn difference(one: Saw, two: Saw) -> Reason {
    match (one, two) {
        (Saw::Elsewhere, _) | (_, Saw::Elsewhere) => Reason::Redirected,
        (Saw::NotHeld, _) | (_, Saw::NotHeld) => Reason::NotHeld,
        (Saw::Part, _) | (_, Saw::Part) => Reason::Truncated,
        (_, Saw::Gone) => Reason::GoneLater,
        (Saw::Gone, _) => Reason::Appeared,
        (Saw::Version(one), Saw::Version(two)) if one == two => Reason::AtOnce,
        _ => Reason::Changed,
    }
}
