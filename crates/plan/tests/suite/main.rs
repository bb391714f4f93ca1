//! The scheduler and every policy from outside, on a toy web.

mod anywhere;
mod endless;
mod every_policy;
mod focusing;
mod following;
mod going_on;
mod golden_sharc;
mod hosts;
mod moment;
mod recalling;
mod scheduling;
mod skipping;
mod spelling;
mod toy;
