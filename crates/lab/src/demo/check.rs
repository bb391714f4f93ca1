//! Whether the collection is sound, as `tintype verify` would say, and what it consists of.

use anyhow::Context;
use serde::Serialize;
use std::{fs, path::Path};
use tintype_archive::Collection;

#[derive(Debug, Serialize)]
pub(super) struct Checked {
    /// What `tintype verify` finds wrong.
    pub(super) findings: usize,
    /// Files under `warc/`, and their bytes.
    pub(super) segments: usize,
    pub(super) bytes: u64,
    /// Lines of all indexes.
    pub(super) index_lines: usize,
}

pub(super) fn check(out: &Path) -> anyhow::Result<Checked> {
    let reading = Collection::read(out)?;
    let (findings, index_lines) = (reading.verify()?.findings.len(), reading.index_lines()?);
    let (mut segments, mut bytes) = (0, 0);
    for file in files(&out.join("warc"))? {
        segments += 1;
        bytes += file.metadata().context("cannot read the size of a segment")?.len();
    }
    Ok(Checked { findings, segments, bytes, index_lines })
}

fn files(directory: &Path) -> anyhow::Result<Vec<fs::DirEntry>> {
    let listed = fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    Ok(listed.collect::<Result<_, _>>()?)
}
