//! The summary after a capture: what a person can act on.

use crate::{
    amount::{bytes, counted},
    failure, media_text, skipped,
};
use serde::Serialize;
use std::{fmt::Write, time::Duration};
use tintype_plan::{Ending, Exclusions, Skipped};
use tintype_quality::Tally;
use tintype_session::MediaResult;

/// One site's result.
#[derive(Debug, Serialize)]
pub(crate) struct CaptureSummary {
    pub(crate) site: String,
    pub(crate) capture: String,
    pub(crate) resumed: bool,
    /// `complete`, `budget-spent`, `unreachable`, or nothing when it was stopped.
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
        let pages = [(tally.first, "first seen"), (tally.changed, "changed"), (tally.unchanged, "unchanged")];
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
        row(bytes(tally.bytes), format!("in {:.1} s over {}", took.as_secs_f64(), counted(tally.visits, "request")));
        if let Some(collected) = &self.media {
            row(format!("{} wanted", counted(collected.wanted, "file")), media_text::cost(collected));
            let known = || "no URL was new: what is behind each was known from earlier captures".to_owned();
            row("how sure".to_owned(), media_text::sureness(collected).unwrap_or_else(known));
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
        for (rule, excluded) in self.excluded.iter() {
            let sample = excluded.samples.first().map_or(String::new(), |url| format!(", such as {url}"));
            let detail = excluded.detail.as_ref().map_or(String::new(), |detail| format!(": {detail}"));
            row(format!("{} left out", counted(excluded.links, "link")), format!("{}{detail}{sample}", rule.explain()));
        }
        text
    }

    fn headline(&self) -> String {
        match self.ending {
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
            None => {
                format!("stopped; {} left, run the same command again to go on", counted(self.waiting as u64, "page"))
            }
        }
    }
}
