//! The summary after a capture: what a person can act on.

use crate::{
    amount::{bytes, counted},
    command::AcrossResult,
    failure,
    first_failure::{self, Trouble},
    media_text, rendered,
    settings::KnownSetting,
    skipped,
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write, time::Duration};
use tintype_plan::{Ending, Exclusions, Skipped};
use tintype_quality::Tally;
use tintype_session::MediaResult;

/// One site's result.
#[derive(Debug, Serialize)]
pub(crate) struct CaptureSummary {
    pub(crate) site: String,
    pub(crate) capture: String,
    pub(crate) resumed: bool,
    /// `complete`, `budget-spent`, `page-limit`, `unreachable`, `disk-low`, or nothing when it was stopped.
    pub(crate) ending: Option<Ending>,
    pub(crate) seconds: f64,
    /// Pages known but not asked for.
    pub(crate) waiting: usize,
    #[serde(flatten)]
    pub(crate) tally: Tally,
    /// Pages that had the bytes of another page of this capture.
    pub(crate) same_bytes: u64,
    pub(crate) excluded: Exclusions,
    /// What was skipped, by a policy that does that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skipped: Option<Skipped>,
    /// Why such a policy left nothing alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nothing_skipped: Option<String>,
    /// What was brought home of the media types somebody wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) media: Option<MediaResult>,
    /// How many hosts it went to, and what was wanted on the way, where it went wherever links lead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) across: Option<AcrossResult>,
    /// The time it was given was up; it can be gone on with.
    pub(crate) time_is_up: bool,
    /// Why there is no page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trouble: Option<Trouble>,
    /// What it went by, and who said so.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) settings: BTreeMap<&'static str, KnownSetting>,
    /// How little room there is on the disk, where that stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shortage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// What to do about the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<String>,
}

impl CaptureSummary {
    /// A site whose capture could not even begin.
    pub(crate) fn not_begun(site: &str, error: &anyhow::Error) -> CaptureSummary {
        CaptureSummary {
            site: site.to_owned(),
            capture: String::new(),
            resumed: false,
            ending: None,
            seconds: 0.0,
            waiting: 0,
            tally: Tally::default(),
            same_bytes: 0,
            excluded: Exclusions::default(),
            skipped: None,
            nothing_skipped: None,
            media: None,
            across: None,
            time_is_up: false,
            trouble: None,
            settings: BTreeMap::new(),
            shortage: None,
            error: Some(failure::sentence(error)),
            next: None,
        }
    }

    pub(crate) fn text(&self, took: Duration) -> String {
        let tally = &self.tally;
        let mut text = format!("{}  {}\n", self.site, self.headline());
        let mut row = |label: String, detail: String| {
            let label = label + "  ";
            writeln!(text, "  {label:<17}{detail}").expect("strings grow");
        };
        let compared = tally.first + tally.changed + tally.unchanged;
        let pages = [
            (tally.first, "first seen"),
            (tally.changed, "changed"),
            (tally.unchanged, "unchanged"),
            (tally.pages.saturating_sub(compared), "not whole"),
        ];
        let pages = pages.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        row(counted(tally.pages, "page"), pages.collect::<Vec<_>>().join(", "));
        if tally.revisits > 0 {
            let still = tally.revisits - tally.changed_meanwhile;
            let meanwhile = format!("{still} the same, {} changed meanwhile", tally.changed_meanwhile);
            row(counted(tally.revisits, "revisit"), meanwhile);
        }
        if tally.redirects > 0 {
            row(counted(tally.redirects, "redirect"), String::new());
        }
        if self.same_bytes > 0 {
            let what = "with the bytes of another page, which are kept once";
            row(counted(self.same_bytes, "duplicate"), what.to_owned());
        }
        if tally.truncated > 0 {
            let what = "cut short at a limit or by the other side; kept as far as they came".to_owned();
            row(format!("{} truncated", tally.truncated), what);
        }
        row(bytes(tally.bytes), format!("in {:.1} s over {}", took.as_secs_f64(), counted(tally.visits, "request")));
        if let Some(rendered) = &tally.rendered {
            let (label, detail) = rendered::row(rendered);
            row(label, detail);
        }
        if let Some(collected) = &self.media {
            row(format!("{} wanted", counted(collected.wanted, "file")), media_text::cost(collected));
            let known = || "no URL was new: what is behind each was known from earlier captures".to_owned();
            row("how sure".to_owned(), media_text::sureness(collected).unwrap_or_else(known));
        }
        if let Some(across) = &self.across {
            media_text::across(across, self.media.is_some()).into_iter().for_each(|(label, detail)| row(label, detail));
        }
        if let Some(skipped) = self.skipped.as_ref().filter(|skipped| skipped.pages > 0) {
            row("skipped".to_owned(), skipped::what(skipped, tally.pages));
            row("expected loss".to_owned(), skipped::expected_loss(skipped));
        }
        if let Some(why) = &self.nothing_skipped {
            row("skipped nothing".to_owned(), why.clone());
        }
        for (cause, count) in &tally.failures {
            row(counted(*count, "failure"), cause.clone());
        }
        if let Some(first) = tally.first_failure.as_ref().filter(|_| self.trouble.is_none()) {
            row("first failure".to_owned(), first_failure::text(first));
        }
        for (rule, excluded) in self.excluded.iter() {
            let sample = excluded.samples.first().map_or(String::new(), |url| format!(", such as {url}"));
            let detail = excluded.detail.as_ref().map_or(String::new(), |detail| format!(": {detail}"));
            row(format!("{} left out", counted(excluded.links, "link")), format!("{}{detail}{sample}", rule.explain()));
        }
        text
    }

    fn headline(&self) -> String {
        if let (0, Some(Trouble { url, why, next })) = (self.tally.pages, &self.trouble) {
            return format!(
                "not captured, no page answered\n  first failure    {url}: {why}\n  next             {next}"
            );
        }
        match self.ending {
            Some(Ending::BudgetSpent) if self.tally.pages == 0 => {
                "not captured: the budget was spent before a page answered; --budget allows more".to_owned()
            }
            Some(_) if self.tally.pages == 0 => "not captured, no page answered".to_owned(),
            None if self.time_is_up => format!(
                "captured until its time was up; {} left, the same command goes on",
                counted(self.waiting as u64, "page")
            ),
            Some(Ending::Complete) => "captured".to_owned(),
            Some(Ending::BudgetSpent) => format!(
                "captured as far as the budget went; {} known and not asked for{}",
                counted(self.waiting as u64, "page"),
                if self.skipped.as_ref().is_some_and(|skipped| skipped.pages > 0) {
                    " besides those skipped"
                } else {
                    ""
                }
            ),
            Some(Ending::Unreachable) => format!(
                "stopped answering; {} left, run the same command later to go on",
                counted(self.waiting as u64, "page")
            ),
            Some(Ending::PageLimit) => format!(
                "captured up to the ceiling of pages; {} known and not asked for (--max-pages N raises it)",
                counted(self.waiting as u64, "page")
            ),
            Some(Ending::DiskLow) => format!(
                "stopped: {}; make room and run the same command again to go on with {}, or allow less with --min-free",
                self.shortage.as_deref().unwrap_or("the disk is nearly full"),
                counted(self.waiting as u64, "page")
            ),
            None => {
                format!("stopped; {} left, run the same command again to go on", counted(self.waiting as u64, "page"))
            }
        }
    }
}
