//! What a capture must not do by accident: go on for ever, fill a disk, press every button of a site.

use crate::amount::parse_bytes;
use clap::{Args, ValueEnum};
use tintype_archive::Collection;
use tintype_plan::{NoFollow, Settings};

/// What all commands that capture take.
#[derive(Debug, Args)]
pub(crate) struct Limits {
    /// Pages after which a capture ends, however many wait; 0 lifts it
    #[arg(long, default_value_t = 100_000, value_name = "N", help_heading = "Limits")]
    max_pages: u64,
    /// Stop while so much is free on the disk, and go on when there is room: 5GB; by default 1 GiB, or 2 % of a small
    /// disk; 0 lifts it
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, help_heading = "Limits")]
    min_free: Option<u64>,
    /// Links marked nofollow, and pages to log in, edit or compare: last (after all others, at most one for every two of
    /// those), obey (not at all) or ignore (as all others)
    #[arg(long, value_enum, default_value_t = Follow::Last, value_name = "HOW", hide_possible_values = true, help_heading = "Limits")]
    nofollow: Follow,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Follow {
    Obey,
    Last,
    Ignore,
}

impl Limits {
    /// Tells the scheduler of a site.
    pub(crate) fn apply(&self, settings: &mut Settings) {
        settings.pages_max = Some(self.max_pages).filter(|max| *max > 0);
        settings.nofollow = match self.nofollow {
            Follow::Obey => NoFollow::Obey,
            Follow::Last => NoFollow::Last,
            Follow::Ignore => NoFollow::Ignore,
        };
    }

    /// Tells the collection.
    pub(crate) fn keep_free(&self, collection: &Collection) {
        if let Some(bytes) = self.min_free {
            collection.keep_free(bytes);
        }
    }
}
