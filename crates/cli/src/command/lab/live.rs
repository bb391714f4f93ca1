//! The real crawler, for experiments that capture a site on loopback.

use crate::command::capture;
use anyhow::{Context, bail};
use clap::Parser;
use tintype_archive::{CaptureId, Reading};
use tintype_lab::{CaptureOrder, Crawler};
use tintype_live::clock;
use tintype_plan::Ending;
use tintype_quality::certificate::Certificate;
use tintype_session::certify;
use tintype_vocab::Time;

#[derive(Debug, Parser)]
struct CaptureLine {
    #[command(flatten)]
    options: capture::Options,
}

/// Captures as `tintype capture` does.
pub(crate) struct Live;

impl Crawler for Live {
    fn capture(&self, order: &CaptureOrder<'_>) -> anyhow::Result<Option<CaptureId>> {
        let line = command_line(order)?;
        let summary = capture::capture_quietly(&line.options)?.pop().context("there is one site")?;
        if let Some(error) = summary.error {
            bail!(error);
        }
        let has_ended = matches!(summary.ending, Some(Ending::Complete | Ending::BudgetSpent));
        Ok(has_ended.then(|| CaptureId::from_text(&summary.capture)))
    }

    fn turn_to(&self, now: Time) {
        clock::run(now, 1.0);
    }

    fn certify(&self, reading: &Reading, id: &CaptureId) -> anyhow::Result<Certificate> {
        let info = reading.captures()?.into_iter().find(|info| info.id == *id).context("the capture has a log")?;
        Ok(certify(reading, &info)?)
    }
}

fn command_line(order: &CaptureOrder<'_>) -> anyhow::Result<CaptureLine> {
    let collection = order.collection.to_str().context("the directory's name is not text")?;
    let delay = (order.delay.as_millis() as f64 / 1000.0).to_string();
    let mut words = vec!["capture", order.seed, "-C", collection, "--fresh", "--delay", &delay];
    if order.revisit {
        words.push("--revisit");
    }
    let budget = order.budget.map(|requests| requests.to_string());
    if let Some(budget) = &budget {
        words.extend(["--budget", budget]);
    }
    Ok(CaptureLine::parse_from(words))
}
