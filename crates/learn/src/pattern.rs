//! When a page changes: by the hour of weekdays and weekends, by the day of the week and of the month.
//!
//! A [`HourTally`] folds visits into changes found and changes expected per bin; a [`Shape`] is what is believed of it,
//! shrunk to what the site does ([`Rhythm`]) and pages alike do ([`Profiles`]). Shapes have a mean of one and know no rate: they turn days into
//! *effective days*, in which the page changes at a constant rate, so everything learned about rates stays true.
//! Read [`Shape`] first.

mod breaks;
mod calendar;
mod clock;
mod importance;
mod periods;
mod profiles;
mod rhythm;
mod shape;
mod tally;
#[cfg(test)]
mod tests;
mod zone;

pub use breaks::{Break, Breaks};
pub use calendar::{Calendar, PERIODS_DEFAULT, PERIODS_MAX};
pub use clock::Clock;
pub use importance::{ImportancePattern, live_value, urgency};
pub use periods::Periods;
pub use profiles::{PROFILES_MAX, Profiles};
pub use rhythm::Rhythm;
pub use shape::Shape;
pub use tally::{HourSeen, HourTally};
pub use zone::{Zone, infer_zone};
