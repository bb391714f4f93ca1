//! Lessons kept in a folder, so that they need not be made by every experiment anew.

use super::survey;
use crate::{LabProgress, SiteSource};
use anyhow::Context;
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};
use tintype_learn::{
    forecast::{CLUES, Lessons, NAMES},
    stored,
};

/// To be raised whenever lessons are made otherwise from the same history.
const VERSION: u32 = 2;

/// Histories in a directory, by name.
pub(super) fn histories(directory: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let entries = fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_history = |path: &PathBuf| ["events.csv.gz", "events.csv"].iter().any(|name| path.join(name).exists());
    let mut found: Vec<_> = paths.filter(is_history).map(|path| (crate::open::name_of(&path), path)).collect();
    found.sort();
    Ok(found)
}

/// What a history teaches: read from the folder if it was kept there, made and kept otherwise.
pub(super) fn lessons(
    name: &str,
    history: &Path,
    folder: Option<&Path>,
    progress: &dyn LabProgress,
) -> anyhow::Result<Lessons> {
    let kept =
        folder.map(|folder| Ok::<_, anyhow::Error>(folder.join(format!("{name}-{:016x}", fingerprint(history)?))));
    let kept = kept.transpose()?;
    if let Some(lessons) = kept.as_ref().and_then(|path| read(&fs::read(path).ok()?)) {
        return Ok(lessons);
    }
    progress.now(name);
    let mut site = SiteSource::recorded(history, None).open("http://history.invalid")?;
    let lessons = survey::surveyed(&mut site, |site| site.lessons())?;
    if let (Some(path), Some(folder)) = (&kept, folder) {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        fs::write(path, written(&lessons)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(lessons)
}

/// Tells apart histories, and ways of making lessons of them.
fn fingerprint(history: &Path) -> anyhow::Result<u64> {
    let mut hasher = DefaultHasher::new();
    (VERSION, NAMES).hash(&mut hasher);
    for name in ["events.csv.gz", "events.csv"] {
        fs::read(history.join(name)).ok().hash(&mut hasher);
    }
    history.join("history.warc.gz").metadata().map(|bodies| bodies.len()).ok().hash(&mut hasher);
    Ok(hasher.finish())
}

fn written(lessons: &Lessons) -> Vec<u8> {
    let clues: Vec<f32> = lessons.clues.iter().flatten().copied().collect();
    stored::to_bytes(&(clues, &lessons.changed, &lessons.weights))
}

fn read(bytes: &[u8]) -> Option<Lessons> {
    let (clues, changed, weights): (Vec<f32>, Vec<bool>, Vec<f32>) = stored::from_bytes(bytes)?;
    let clues: Vec<_> = clues.chunks_exact(CLUES).map(|row| row.try_into().expect("rows are as long")).collect();
    (clues.len() == changed.len() && clues.len() == weights.len()).then_some(Lessons { clues, changed, weights })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_kept_to_the_bit() {
        let mut lessons = Lessons::default();
        lessons.push([0.25; CLUES], true, 1.0);
        lessons.push([-1.5; CLUES], false, 0.5);
        let again = read(&written(&lessons)).unwrap();
        assert_eq!((again.clues, again.changed, again.weights), (lessons.clues, lessons.changed, lessons.weights));
        assert!(read(b"nothing of the kind").is_none());
    }
}
