//! What is said of a crawl: what came and went, whether it was believed, how good the copy was, and when the next one is.

use super::site::{KeptSite, Phase, Stretch};
use crate::out::{self, mention, say};
use crate::{
    amount::{bytes, counted},
    plain::printable,
    settings,
    summary::CaptureSummary,
};
use serde::Serialize;
use std::{cell::Cell, collections::BTreeMap};
use tintype_learn::{
    decay::{Forecast, Probe},
    ledger::CrawlVerdict,
};
use tintype_plan::{
    DayBudget, Ending, GAIN_MIN, Pause, Upheaval,
    deadline::{CrawlReason, NextCrawl},
};
use tintype_session::listing::{INTERVAL, ListingReport, Quality, SourceState};
use tintype_vocab::{Change, CopyMeasure, HeldBack, ObjectEvent, Observation, Outcome, Purpose, Time};

/// What was believed of the copy right before a crawl.
pub(super) struct Expected([Option<Forecast>; 2]);

impl Expected {
    pub(super) fn of(known: &SourceState, at: Time) -> Expected {
        Expected(CopyMeasure::ALL.map(|measure| known.decay.forecast(measure, at)))
    }
}

/// One crawl of one source.
pub(super) struct Crawled<'a> {
    pub(super) source: &'a str,
    pub(super) report: &'a ListingReport,
    pub(super) summary: &'a CaptureSummary,
    pub(super) expected: &'a Expected,
}

/// One line for machines.
#[derive(Serialize)]
struct Line<'a> {
    source: &'a str,
    capture: &'a str,
    pages: u32,
    unread: u32,
    objects: u32,
    inserted: usize,
    removed: usize,
    updated: usize,
    returned: usize,
    duplicates: u32,
    without_id: u32,
    ids_too_long: u32,
    over_limit: u32,
    /// Why nothing was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<Quality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recall: Option<Quality>,
    next: String,
    why: String,
}

impl Crawled<'_> {
    /// Tells a person or a machine. Whether something was learned.
    pub(super) fn tell(&self, json: bool, known: &SourceState, due: Time, now: Time) -> bool {
        let held = self.held(known);
        let why = match &held {
            Some(_) => "to see whether it is as before".to_owned(),
            None => known.next().map_or_else(String::new, |next| why(&next, known.ledger.size())),
        };
        let learned = held.is_none();
        if json {
            let line = self.line(known, held, due, why);
            out::json(&line);
            return learned;
        }
        match held {
            Some(held) => say!("{}  nothing learned: {held}", printable(self.source)),
            None => self.tell_changes(known),
        }
        self.notes().iter().for_each(|note| say!("  {note}"));
        match due > now {
            true => say!("  next crawl {due}, in {}: {why}", due - now),
            false => say!("  next crawl at once: {why}"),
        }
        learned
    }

    fn tell_changes(&self, known: &SourceState) {
        let [inserted, removed, updated, returned] = self.counts();
        let pages = counted(u64::from(self.report.pages), "page");
        say!("{}  {} on {pages}", printable(self.source), counted(u64::from(known.ledger.size()), "object"));
        let came = format!("{inserted} new, {removed} gone, {updated} changed");
        say!("  {came}{}", if returned > 0 { format!(", {returned} back again") } else { String::new() });
        for (name, quality) in ["copy precision", "copy recall"].into_iter().zip(self.qualities()) {
            let Some(Quality { realised, expected, interval }) = quality else { continue };
            let foretold = expected.zip(interval).map_or(String::new(), |(expected, (low, high))| {
                format!("; expected {expected:.3}, between {low:.3} and {high:.3}")
            });
            say!("  {name} was {realised:.3}{foretold}");
        }
    }

    fn line(&self, known: &SourceState, held: Option<String>, due: Time, why: String) -> Line<'_> {
        let [inserted, removed, updated, returned] = self.counts();
        let [precision, recall] = self.qualities();
        let report = self.report;
        Line {
            source: self.source,
            capture: &self.summary.capture,
            pages: report.pages,
            unread: report.unread,
            objects: known.ledger.size(),
            inserted,
            removed,
            updated,
            returned,
            duplicates: report.duplicates,
            without_id: report.without_id,
            ids_too_long: report.ids_too_long,
            over_limit: report.over_limit,
            held,
            precision,
            recall,
            next: due.to_rfc3339(),
            why,
        }
    }

    /// Why nothing was learned, if nothing was.
    fn held(&self, known: &SourceState) -> Option<String> {
        match &self.report.verdict {
            Some(CrawlVerdict::Taken(_)) => None,
            Some(CrawlVerdict::Held(why)) => Some(self.doubt(*why, known)),
            None => Some(self.why_not_over()),
        }
    }

    /// A doubt, for people.
    fn doubt(&self, why: HeldBack, known: &SourceState) -> String {
        let had = known.ledger.size();
        match why {
            HeldBack::Empty if known.ledger.crawls() == 0 => {
                "no object was found; do --objects and --id fit the page?".to_owned()
            }
            HeldBack::Empty => format!(
                "no object was found where there were {had}; the site may be down, ask for a login, or look different now. \
                 It is believed if it stays so for a day"
            ),
            HeldBack::Incomplete { unread } => self.why_unread(unread),
            HeldBack::Collapsed { was, is } => {
                format!("only {is} of {was} objects are listed; it is believed if a later crawl finds it so")
            }
            HeldBack::Replaced { was, kept } => format!(
                "of {was} objects only {kept} are left, far fewer than ever; they may have been named anew. It is believed if \
                 a later crawl finds it so"
            ),
            HeldBack::ClockBack { last } => {
                format!("by the clock this is before the last crawl, at {last}; is the clock right?")
            }
            HeldBack::ClockAhead { last } => format!(
                "by the clock the last crawl, at {last}, is far too long ago; is the clock right? It is believed if the next \
                 crawl is later still"
            ),
        }
    }

    /// Why pages of the listing could not be read.
    fn why_unread(&self, unread: u32) -> String {
        let (report, failures) = (self.report, &self.summary.tally.failures);
        let why = if !failures.is_empty() {
            failures.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
        } else if report.is_cut {
            format!("it has more than {} pages; tintype.toml may allow more", report.pages)
        } else if report.broken > 0 {
            "cut short, or not of the kind that --objects says".to_owned()
        } else {
            "the site does not want it to be asked for, or it holds too much".to_owned()
        };
        format!("{} of the listing could not be read: {why}", counted(u64::from(unread), "page"))
    }

    /// Why the crawl did not come to its end, or not even to its first page.
    fn why_not_over(&self) -> String {
        let failure = self.summary.tally.failures.keys().next();
        match (&self.summary.error, self.summary.ending, failure) {
            (Some(error), ..) => format!("error: {error}"),
            (None, None, _) => "the crawl was stopped".to_owned(),
            (None, Some(_), Some(failure)) => format!("the server does not answer ({failure})"),
            (None, Some(Ending::Unreachable), None) => "the server does not answer".to_owned(),
            (None, Some(_), None) => "its robots.txt does not allow the listing to be asked for".to_owned(),
        }
    }

    fn counts(&self) -> [usize; 4] {
        let Some(CrawlVerdict::Taken(events)) = &self.report.verdict else { return [0; 4] };
        let mut counts = [0; 4];
        for event in &events.events {
            let place = match event {
                ObjectEvent::Inserted(_) => 0,
                ObjectEvent::Removed(_) => 1,
                ObjectEvent::Updated { .. } => 2,
                ObjectEvent::Returned(_) => 3,
            };
            counts[place] += 1;
        }
        counts
    }

    /// Copy precision and copy recall right before the crawl.
    fn qualities(&self) -> [Option<Quality>; 2] {
        let Some(CrawlVerdict::Taken(events)) = &self.report.verdict else { return [None, None] };
        let of = |whole: u32, expected: &Option<Forecast>| {
            (events.was > 0 && whole > 0).then(|| Quality {
                realised: f64::from(events.kept) / f64::from(whole),
                expected: expected.map(|forecast| forecast.mean),
                interval: expected.map(|forecast| forecast.interval(INTERVAL)),
            })
        };
        [of(events.was, &self.expected.0[0]), of(events.is, &self.expected.0[1])]
    }

    /// What a person should look into.
    fn notes(&self) -> Vec<String> {
        let report = self.report;
        let twice = match 10 * report.duplicates > report.listed {
            true => "listed more than once; the first counts. Is the identifier the right one?",
            false => "listed more than once, as they moved from page to page while it was read",
        };
        let told = [
            (report.duplicates, "object", twice),
            (report.without_id, "object", "without an identifier left out"),
            (report.ids_too_long, "object", "with an identifier too long to be one left out"),
            (report.over_limit, "object", "beyond what is read of one page"),
        ];
        let told = told.iter().filter(|(count, ..)| *count > 0);
        let strangers = matches!(&report.verdict, Some(CrawlVerdict::Taken(crawl)) if crawl.was > 0 && crawl.kept == 0);
        let strangers =
            strangers.then(|| "no object is left of those before; do identifiers change at every look?".into());
        told.map(|(count, what, detail)| format!("{} {detail}", counted(u64::from(*count), what)))
            .chain(strangers)
            .collect()
    }
}

/// Why the next crawl of a source with so many objects is when it is.
pub(in crate::command) fn why(next: &NextCrawl, objects: u32) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    match next.why {
        CrawlReason::GettingToKnow => {
            "the source is not known well yet; crawls double their distance until it is".to_owned()
        }
        CrawlReason::Spent => format!(
            "waiting longer would break the promise for more than {} of the time; right before, the chance is {}",
            percent(next.allowed),
            percent(next.broken)
        ),
        CrawlReason::LongEnough => {
            let objects = counted(u64::from(objects), "object");
            format!("the promise about these {objects} holds for as long as anybody plans ahead")
        }
    }
}

/// Some objects were asked for instead of a crawl.
pub(super) fn probed(json: bool, source: &str, it: &Probed) {
    let Probe { asked, kept, .. } = it.probe;
    let later = it.due - it.was_due;
    if json {
        let line = serde_json::json!({
            "source": source, "drawn": it.drawn, "asked": asked, "kept": kept, "objects": it.objects,
            "next": it.due.to_rfc3339(), "later_seconds": later.as_secs_f64()
        });
        return out::json(&line);
    }
    let silent = match it.drawn as u32 - asked {
        0 => String::new(),
        silent => format!(", of {silent} nothing could be learned"),
    };
    let of = counted(u64::from(it.objects), "object");
    say!(
        "{}  asked for {} of {of} instead of a crawl: {kept} still there, {} gone{silent}",
        printable(source),
        it.drawn,
        asked - kept
    );
    say!("  next crawl {}, {later} later than without", it.due);
}

/// What a probe showed.
pub(super) struct Probed {
    pub(super) probe: Probe,
    /// Objects that were drawn; of some no answer said anything.
    pub(super) drawn: usize,
    pub(super) objects: u32,
    pub(super) due: Time,
    /// When the crawl would have been.
    pub(super) was_due: Time,
}

/// Requests that are left, where more are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shortfall {
    pub(super) left: u64,
    pub(super) needed: u32,
    /// When there will be enough.
    pub(super) at: Time,
}

/// Who is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listener {
    Person,
    /// Lines of JSON.
    Machine,
    Nobody,
}

/// Tells a person or a machine how keeping goes.
pub(super) struct Told {
    listener: Listener,
    /// Said once, until something else is.
    nothing_worth: Cell<bool>,
}

impl Told {
    pub(super) fn new(listener: Listener) -> Told {
        Told { listener, nothing_worth: Cell::new(false) }
    }

    fn is_person(&self) -> bool {
        self.listener == Listener::Person
    }

    /// A line for a machine, if one listens.
    fn line(&self, line: &serde_json::Value) {
        if self.listener == Listener::Machine {
            out::json(line);
        }
    }

    /// What is about to be done.
    pub(super) fn plan(&self, sites: usize, sources: usize, budget: Option<&DayBudget>, policy: &str) {
        if !self.is_person() {
            return;
        }
        let things = [(sites, "site"), (sources, "source")].into_iter().filter(|(count, _)| *count > 0);
        let things: Vec<String> = things.map(|(count, what)| counted(count as u64, what)).collect();
        let budget = match budget.map(|budget| (budget.per_day(), budget.spent())) {
            None => "as fast as politeness allows, while a request is expected to bring something".to_owned(),
            Some((per_day, (requests, moved))) => {
                let requests_left = per_day
                    .requests
                    .map(|all| format!("{all} requests a day, {} left today", all.saturating_sub(requests)));
                let bytes_left = per_day
                    .bytes
                    .map(|all| format!("{} a day, {} left today", bytes(all), bytes(all.saturating_sub(moved))));
                requests_left.into_iter().chain(bytes_left).collect::<Vec<_>>().join("; ")
            }
        };
        say!(
            "keeping {}: {budget} (policy {policy}); Ctrl-C ends it, tintype status says how it goes",
            things.join(" and ")
        );
    }

    /// By which settings sites are kept.
    pub(super) fn settings(&self, sites: &[KeptSite]) {
        match self.listener {
            Listener::Person => {
                let told = sites.iter().map(|site| (site.name(), site.section().told.as_slice()));
                settings::lines(told).iter().for_each(|line| mention!("{line}"));
            }
            Listener::Machine if sites.is_empty() => {}
            Listener::Machine => {
                let of = |site: &KeptSite| (site.name().to_owned(), settings::by_name(&site.section().told));
                let told: BTreeMap<_, _> = sites.iter().map(of).collect();
                self.line(&serde_json::json!({ "settings": told }));
            }
            Listener::Nobody => {}
        }
    }

    pub(super) fn begins(&self, site: &str, stretch: Stretch, watched: usize) {
        if !self.is_person() {
            let what = if stretch == Stretch::Capture { "capture" } else { "watch" };
            return self.line(&serde_json::json!({ "site": site, "begins": what, "pages": watched }));
        }
        let site = printable(site);
        match stretch {
            Stretch::Capture => say!("{site}  a whole capture begins"),
            Stretch::Watch => say!("{site}  is watched: {}", counted(watched as u64, "page")),
        }
    }

    /// One line for every visit for machines, for people one for every visit that brought something.
    pub(super) fn visit(&self, site: &str, seen: &Observation) {
        if seen.purpose == Purpose::Robots {
            return;
        }
        let what = match (&seen.outcome, seen.change) {
            (Outcome::Gone { .. }, _) => "gone",
            (Outcome::Failed { .. } | Outcome::Refused { .. }, _) => "failed",
            (Outcome::Redirected { .. }, _) => "moved",
            (_, Change::First) => "first",
            (_, Change::New { .. }) => "changed",
            (_, Change::Same | Change::Unknown) => "same",
        };
        if !self.is_person() {
            let importance = if let Change::New { importance } = seen.change { Some(importance) } else { None };
            let line = serde_json::json!({
                "site": site, "at": seen.asked.to_rfc3339(), "url": seen.url, "result": what, "importance": importance,
                "bytes": seen.bytes
            });
            return self.line(&line);
        }
        if what != "same" {
            self.nothing_worth.set(false);
            say!("{}  {what:<8} {}", seen.asked.to_rfc3339_secs(), printable(&seen.url));
        }
    }

    /// A site is in the file from now on; without what was typed for this run, if that is so.
    pub(super) fn remembered(&self, site: &str, without_typed: bool) {
        if without_typed && self.is_person() {
            let site = printable(site);
            say!("{site}  is in tintype.toml now, without what was typed for this run; --save writes that, too");
        }
    }

    /// A site is no longer the one it was, or is again.
    pub(super) fn upheaval(&self, site: &str, upheaval: Option<&Upheaval>) {
        if !self.is_person() {
            return self.line(&serde_json::json!({ "site": site, "upheaval": upheaval }));
        }
        match upheaval {
            Some(upheaval) => say!("{}  {}", printable(site), upheaval_text(upheaval)),
            None => say!("{}  is as it was again: its pages are there", printable(site)),
        }
    }

    pub(super) fn paused(&self, until: Time, why: Pause) {
        if why != Pause::NothingWorth || self.nothing_worth.replace(true) || !self.is_person() {
            return;
        }
        say!(
            "nothing is worth a request now: each is expected to bring less than {GAIN_MIN} changes; the next look is {until}"
        );
    }

    /// A stretch of a site is over.
    pub(super) fn stretch_over(&self, summary: &CaptureSummary, stretch: Stretch, phase: &Phase, ending: bool) {
        let site = printable(&summary.site);
        if !self.is_person() {
            return self.line(&serde_json::json!({ "site": summary.site, "ended": summary }));
        }
        if let Some(error) = &summary.error {
            say!("{site}  error: {error}");
            match (again_at(phase), &summary.next) {
                (Some(at), _) => say!("  next: mend that; it is tried again {at}, and what was reported is safe"),
                (None, Some(next)) => say!("  next: {next}"),
                (None, None) => {}
            }
            return;
        }
        let tally = &summary.tally;
        let found = format!(
            "{}: {} first seen, {} changed, {} unchanged, {}",
            counted(tally.visits, "request"),
            tally.first,
            tally.changed,
            tally.unchanged,
            bytes(tally.bytes)
        );
        match (stretch, summary.ending) {
            (Stretch::Capture, Some(_)) if tally.pages == 0 => {
                let why = tally.failures.keys().next().map_or("nothing of it may be asked for", String::as_str);
                say!("{site}  could not be captured: {why}");
                tell_again(phase);
            }
            (_, Some(Ending::DiskLow)) => {
                say!("{site}  paused, {}; {found}", summary.shortage.as_deref().unwrap_or("the disk is nearly full"));
                tell_again(phase);
            }
            (Stretch::Capture, Some(Ending::Complete | Ending::BudgetSpent | Ending::PageLimit)) => {
                say!("{site}  captured whole; {found}")
            }
            (_, Some(Ending::Unreachable)) => {
                say!("{site}  stopped answering; {found}");
                tell_again(phase);
            }
            (Stretch::Watch, Some(_)) => {
                say!("{site}  nothing is left to watch; {found}");
                tell_again(phase);
            }
            (_, None) if ending => say!("{site}  {found}"),
            (_, None) => say!("{site}  {found}; run the same command again to go on"),
        }
    }

    pub(super) fn failed(&self, name: &str, error: &str, phase: &Phase) {
        mention!("{}  error: {error}", printable(name));
        if self.is_person() {
            tell_again(phase);
        }
    }

    /// A source waits for requests that all share, because it lacks some or because another one comes first.
    pub(super) fn waits(&self, source: &str, short: &Shortfall, behind: Option<&str>) {
        let Shortfall { left, needed, at } = short;
        if !self.is_person() {
            let line = serde_json::json!({
                "source": source, "waits": "budget", "requests_left": left, "requests_needed": needed, "behind": behind,
                "next": at.to_rfc3339()
            });
            return self.line(&line);
        }
        let left = counted(*left, "request");
        let why = behind.map_or(format!("needs {needed}"), |first| format!("and {} comes first", printable(first)));
        say!("{}  waits for the budget: {left} left, {why}; goes on {at}", printable(source));
    }

    /// The end of keeping; `due` is the source that is next.
    pub(super) fn over(&self, due: Option<(Time, &str)>) {
        if let Some((due, source)) = due.filter(|_| self.is_person()) {
            say!("kept so far; {} is due {due}: tintype keep goes on", printable(source));
        }
    }
}

/// When what failed is tried again of itself.
fn again_at(phase: &Phase) -> Option<Time> {
    if let Phase::Due(at) = phase { Some(*at).filter(|at| *at < Time::MAX) } else { None }
}

fn tell_again(phase: &Phase) {
    if let Some(at) = again_at(phase) {
        say!("  it is tried again {at}");
    }
}

/// What became of a site, and what to do about it.
pub(crate) fn upheaval_text(upheaval: &Upheaval) -> String {
    printable(&upheaval.to_string())
}
