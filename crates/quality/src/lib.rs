//! The measures of an archive, and the best any schedule could have reached by them.
//!
//! Pure folds over observations and truths; nothing is fetched, stored or believed here. Read [`Score`] first: what a
//! list of visits is worth against a [`Truth`] ([`judge`]). [`oracle`] bounds each measure, [`measure::REGISTRY`] names
//! them for tables, [`Tally`] counts what one capture brought home when no truth is known, [`mod@capture`] says how sharp
//! it is, and [`certificate`] what of that can be proved.

mod bypass;
pub mod capture;
pub mod certificate;
mod copy;
mod copy_age;
mod course;
mod forecast_record;
mod interval;
mod judge;
mod kept;
mod life;
pub mod measure;
mod media_score;
mod mislabelled;
pub mod oracle;
mod skip_audit;
mod tally;
#[cfg(test)]
mod trial;
mod truth;
mod weighted;
mod window;

pub use bypass::{Bypass, Fate, MeanBypass, WeighedChanges};
pub use copy::{CopyScore, copy_score, coverage, fewest_crawls, share_saved, squared_error, steps_above};
pub use copy_age::mean_copy_age_hours;
pub use course::freshness_over_time;
pub use forecast_record::{ForecastRecord, ForecastTenth};
pub use interval::{Estimate, estimate};
pub use judge::{Score, Seen, judge};
pub use kept::{
    BelievedRange, KeptFound, KeptPage, KeptQuality, KeptSite, KeptVisit, completeness_at, completeness_with,
};
pub use media_score::{CONTENT_TYPES, Calibration, MediaClassScore, MediaScore, Reliability, likeliest};
pub use mislabelled::{Mislabelled, MislabelledPair, MislabelledTally};
pub use skip_audit::{PartlySkipped, RealisedBypass, SkipAudit, SkipAuditResult, VisitedWhen};
pub use tally::{FirstFailure, RenderTally, Tally};
pub use truth::{Truth, Version};
pub use weighted::{archive_completeness, page_completeness};
