//! Which source: one that somebody watched, or one that is made up.

use crate::failure::usage;
use anyhow::Context;
use clap::Args;
use std::path::{Path, PathBuf};
use tintype_world::source::{
    Refused, Source, Subset,
    made_up::{REGISTRY, Wish, named},
};

/// Options that name a source.
#[derive(Debug, Args)]
pub(super) struct Wanted {
    /// A directory with objects.csv.gz and snapshots.csv.gz
    #[arg(long, value_name = "DIR", required_unless_present = "world", conflicts_with = "world")]
    objects: Option<PathBuf>,
    /// A made-up source instead
    #[arg(long, value_name = "NAME", value_parser = worlds())]
    world: Option<String>,
    /// Only objects with these attributes, such as 'make=bmw,year>2002'
    #[arg(long, value_name = "CONDITIONS")]
    subset: Option<Subset>,
    /// Objects at a time of a made-up source
    #[arg(long, value_name = "N", default_value_t = 1000, conflicts_with = "objects")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    size: u32,
    /// Days a made-up source is watched for
    #[arg(long, value_name = "N", default_value_t = 240, conflicts_with = "objects")]
    #[arg(value_parser = clap::value_parser!(u32).range(20..=3650))]
    days: u32,
    /// The number behind all dice: the same seed throws the same
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "objects")]
    seed: u64,
}

fn worlds() -> clap::builder::PossibleValuesParser {
    let worlds = REGISTRY.iter().map(|world| clap::builder::PossibleValue::new(world.name).help(world.summary));
    worlds.collect::<Vec<_>>().into()
}

/// A source whose every object is known.
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) source: Source,
}

impl Wanted {
    pub(super) fn open(&self) -> anyhow::Result<Opened> {
        let (name, source) = match (&self.objects, &self.world) {
            (Some(directory), _) => (name_of(directory), read(directory)?),
            (None, Some(name)) => (name.clone(), self.throw(name)?),
            (None, None) => unreachable!("one of them is required"),
        };
        let Some(subset) = &self.subset else { return Ok(Opened { name, source }) };
        let part = source.subset(subset).map_err(|error| usage(error, "name an attribute of these objects"))?;
        if part.lives().is_empty() {
            return Err(usage(format!("no object is {subset}"), "choose another --subset"));
        }
        Ok(Opened { name: format!("{name} {subset}"), source: part })
    }

    fn throw(&self, name: &str) -> anyhow::Result<Source> {
        let world = named(name).context("a source by that name")?;
        Ok((world.make)(&Wish { seed: self.seed, size: self.size as usize, days: self.days, ..Wish::default() }))
    }
}

/// The source in a directory.
pub(in crate::command) fn read(directory: &Path) -> anyhow::Result<Source> {
    Source::read(directory).map_err(|refused| match refused {
        Refused::Unreadable { .. } => usage(refused, "name a directory that holds objects.csv.gz"),
        Refused::Malformed { .. } | Refused::Unsound { .. } => {
            usage(refused, "mend the table; nothing was learned from it")
        }
    })
}

/// What people call what is in a directory.
pub(in crate::command) fn name_of(directory: &Path) -> String {
    let whole = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned()
}
