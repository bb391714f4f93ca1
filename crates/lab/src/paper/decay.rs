//! Quality-aware repositories (probably Shirani-Mehr, Li, Liang and Shmueli-Scheuer, ICDE 2008).

mod calibration;
mod curves;
mod fewest;
mod lives;
mod partitions;
mod prediction;
mod subject;
mod table_1;
mod table_2;

use super::{PaperConfig, part::Part};
use crate::LabProgress;
use subject::Subjects;

pub(super) const TITLE: &str = "Quality-aware repositories: how fast a local copy goes stale (ICDE 2008), again";

pub(super) fn parts(config: &PaperConfig, progress: &dyn LabProgress) -> anyhow::Result<Vec<Part>> {
    let now = |what: &str| progress.now(what);
    now("reading the sources");
    let subjects = Subjects::open(config)?;
    let mut parts = vec![table_1::part(&subjects)];
    now("Figure 3");
    parts.extend(curves::parts(&subjects));
    now("Figure 5");
    parts.extend(lives::parts(&subjects));
    now("forecasts and policies");
    let judged = subjects.judge()?;
    parts.extend(prediction::parts(&subjects, &judged));
    parts.push(table_2::part(&judged));
    now("Tables 3 and 4");
    parts.extend(partitions::parts(&subjects));
    now("calibration");
    parts.push(calibration::part(&subjects)?);
    parts.extend(fewest::parts(&judged));
    Ok(parts)
}
