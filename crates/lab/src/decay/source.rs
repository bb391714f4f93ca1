//! Which source: one that was watched, or one that is made up.

use crate::{open::name_of, usage};
use anyhow::Context;
use std::path::{Path, PathBuf};
use tintype_world::source::{
    Refused, Source, Subset,
    made_up::{MadeUpConfig, named},
};

/// Where the objects of a source come from.
#[derive(Clone, Debug)]
pub enum ObjectSource {
    /// A directory with objects.csv.gz and snapshots.csv.gz.
    Recorded(PathBuf),
    MadeUp {
        /// One of [`tintype_world::source::made_up::REGISTRY`].
        world: String,
        /// Objects at a time.
        size: usize,
        days: u32,
        seed: u64,
    },
}

/// A source whose every object is known.
#[derive(Debug)]
pub struct OpenedSource {
    pub name: String,
    pub source: Source,
}

impl ObjectSource {
    /// The source, or the part of it that was asked for.
    pub fn open(&self, subset: Option<&Subset>) -> anyhow::Result<OpenedSource> {
        let whole = match self {
            ObjectSource::Recorded(directory) => OpenedSource::read(directory)?,
            ObjectSource::MadeUp { world, size, days, seed } => {
                let make = named(world).context("a source by that name")?.make;
                let source = make(&MadeUpConfig { seed: *seed, size: *size, days: *days, ..MadeUpConfig::default() });
                OpenedSource { name: world.clone(), source }
            }
        };
        match subset {
            Some(subset) => whole.part(subset),
            None => Ok(whole),
        }
    }
}

impl OpenedSource {
    /// The source in a directory, by the name of the directory.
    pub fn read(directory: &Path) -> anyhow::Result<OpenedSource> {
        let source = Source::read(directory).map_err(|refused| match refused {
            Refused::Unreadable { .. } => usage(refused, "name a directory that holds objects.csv.gz"),
            Refused::Malformed { .. } | Refused::Unsound { .. } => {
                usage(refused, "correct the table; nothing was learned from it")
            }
        })?;
        Ok(OpenedSource { name: name_of(directory), source })
    }

    fn part(&self, subset: &Subset) -> anyhow::Result<OpenedSource> {
        let source = self.source.subset(subset).map_err(|error| usage(error, "name an attribute of these objects"))?;
        if source.lives().is_empty() {
            return Err(usage(format!("no object is {subset}"), "choose another --subset"));
        }
        Ok(OpenedSource { name: format!("{} {subset}", self.name), source })
    }
}
