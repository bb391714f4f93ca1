//! What can go wrong on our side of the line. The web's failures are outcomes and never come here.

use crate::{Shortage, lock::Holder};
use std::{
    io,
    path::{Path, PathBuf},
};

/// We failed: the disk, the database, or somebody else holds the collection.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot {doing} {}: {source}", path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("{} is in use by {holder}", path.display())]
    Locked { path: PathBuf, holder: Holder },
    #[error("{} was written by a newer version (format {found}, this version knows up to {known})", path.display())]
    Newer { path: PathBuf, found: u32, known: u32 },
    #[error("there is no collection at {}", path.display())]
    NotACollection { path: PathBuf },
    #[error("there is no capture {0}")]
    NoSuchCapture(String),
    #[error("capture {0} is already finished")]
    Finished(String),
    #[error("state {}: {source}", path.display())]
    State { path: PathBuf, source: crate::store::StoreError },
    /// An earlier write failed, so what is on disk is unknown until the collection is opened again.
    #[error("capture {0} stopped at an earlier write error; open the collection again to continue")]
    Stopped(String),
    /// What was appended since is lost with it.
    #[error("{} was removed or replaced while it was being written", .0.display())]
    Removed(PathBuf),
    /// Nothing more should be written.
    #[error("{0}")]
    NoRoom(Shortage),
    #[error("{}: {reason}", path.display())]
    Unusable { path: PathBuf, reason: String },
}

impl Error {
    /// For `map_err`: adds what was being done, and to which file.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
        let path = path.to_owned();
        move |source| Error::Io { doing, path, source }
    }

    pub(crate) fn state(path: &Path) -> impl FnOnce(crate::store::StoreError) -> Error + use<> {
        let path = path.to_owned();
        move |source| Error::State { path, source }
    }
}
