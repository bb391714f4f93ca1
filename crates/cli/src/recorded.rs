//! A recorded history that a person names.

use crate::failure::usage;
use anyhow::Context;
use std::path::Path;
use tintype_world::{History, recorded::read_events};

/// Names of the table of events, in the order they are looked for.
const EVENTS: [&str; 2] = ["events.csv.gz", "events.csv"];

/// A recorded history and what people call it.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// The last part of its path that has a name, `.` and `..` included.
    pub(crate) name: String,
    pub(crate) history: History,
}

impl Recorded {
    pub(crate) fn read(directory: &Path) -> anyhow::Result<Recorded> {
        let whole = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let name = whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned();
        let table = EVENTS.iter().map(|name| directory.join(name)).find(|path| path.exists());
        let Some(table) = table else {
            let problem = format!("{} holds no recorded history", directory.display());
            return Err(usage(
                problem,
                "name a directory with events.csv.gz in it, or leave --history out for a collection",
            ));
        };
        let file = tintype_archive::open_given(&table).with_context(|| format!("cannot read {}", table.display()))?;
        let malformed = |bad| usage(format!("{}: {bad}", table.display()), "correct that line, or make it again");
        Ok(Recorded { name, history: read_events(file).map_err(malformed)? })
    }
}
