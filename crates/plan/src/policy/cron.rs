//! Captures by cron, the usual way to keep a site: all pages again and again, one whole pass at a time, its pages in turn. When
//! a pass begins is for whoever gives out the requests: as soon as enough are saved up ([`super::PolicyKind::Passes`]).

pub(super) use super::uniform::INTERVALS;
