//! A file in place of another, which stays beside it.

use crate::{Error, collection::Shared, door};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Where to write what will replace `path`.
pub(super) fn draft(shared: &Shared, path: &Path) -> Result<PathBuf, Error> {
    let draft = PathBuf::from(format!("{}.tmp", path.display()));
    if door::is_taken(&draft) {
        shared.disk.remove(&draft).map_err(Error::io("remove", &draft))?;
    }
    Ok(draft)
}

/// Gives a written and synced draft the name of the file it replaces, whose bytes keep a second name.
pub(super) fn put_in_place(shared: &Shared, draft: &Path, path: &Path) -> Result<(), Error> {
    if door::is_taken(path) {
        keep(path).map_err(Error::io("keep", path))?;
    }
    shared.disk.rename(draft, path).map_err(Error::io("replace", path))?;
    shared.disk.sync_dir(path.parent().unwrap_or(path)).map_err(Error::io("replace", path))
}

/// A second name for the same bytes, or a copy where there are no second names; never over an earlier original.
fn keep(path: &Path) -> io::Result<()> {
    let aside = aside(path);
    fs::hard_link(path, &aside).or_else(|_| fs::copy(path, &aside).map(drop))
}

/// A name beside `path` that is free.
pub(crate) fn aside(path: &Path) -> PathBuf {
    let name = |n: u32| match n {
        0 => format!("{}.before-repair", path.display()),
        n => format!("{}.before-repair-{n}", path.display()),
    };
    (0..).map(|n| PathBuf::from(name(n))).find(|path| !door::is_taken(path)).expect("some number is free")
}
