//! Merged indexes: the lines of the indexes of many segments in one, so that a look-up touches few files. Nothing is in them
//! that the indexes do not say. One that is missing, or of indexes that are not as they were, is made anew.

use super::{
    files::{Texts, bytes_of, names_of, packed_lines_from, packed_texts, texts},
    merge::Merge,
};
use crate::{
    door,
    index::{LinesFrom, lines_from},
    layout::{BLOCKS_SUFFIX, Layout, MERGED_SUFFIX, names},
};
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use std::{
    cmp::Ordering,
    io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime},
};

/// No list of merged indexes is longer.
const LIST_MAX: u64 = 256 << 20;
/// Files that are made this long after each other are of different moments to every file system.
const MOMENT: Duration = Duration::from_millis(100);

/// One merged index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Run {
    #[serde(skip)]
    pub(super) stem: String,
    pub(super) lines: u64,
    /// The indexes whose lines it has, and what they measured.
    pub(super) of: Vec<(String, u64)>,
}

impl Run {
    fn read(layout: &Layout, stem: &str) -> Option<Run> {
        let [.., of] = layout.merged_index(stem);
        let run: Run = serde_json::from_slice(&door::read(&of, LIST_MAX).ok()?).ok()?;
        Some(Run { stem: stem.to_owned(), ..run })
    }

    pub(super) fn texts(&self, layout: &Layout) -> io::Result<Texts> {
        let [data, _, list, _] = layout.merged_index(&self.stem);
        packed_texts(&list, &data)
    }
}

/// What a look-up looks into.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct IndexFiles {
    /// The latest first.
    pub(super) runs: Vec<Run>,
    /// The names of indexes that are in none of those, and what they measure.
    pub(super) others: Vec<(String, u64)>,
    /// Merged indexes that are of no use any more.
    pub(super) obsolete: Vec<String>,
}

impl IndexFiles {
    pub(crate) fn list(layout: &Layout) -> io::Result<IndexFiles> {
        // Those first that are merged: an index that is made meanwhile is then only looked into by itself.
        let mut stems = names(&layout.merged(), MERGED_SUFFIX)?;
        stems.sort_unstable_by(|a, b| b.cmp(a));
        let runs: Vec<(String, Option<Run>)> = stems
            .iter()
            .map(|name| name.trim_end_matches(MERGED_SUFFIX))
            .map(|stem| (stem.to_owned(), Run::read(layout, stem)))
            .collect();
        let sized = |name: String| bytes_of(layout, &name).map(|bytes| (name, bytes));
        let mut others: HashMap<String, u64> = names_of(layout)?.into_iter().filter_map(sized).collect();
        let mut files = IndexFiles::default();
        for (stem, run) in runs {
            match run.filter(|run| run.of.iter().all(|(name, bytes)| others.get(name) == Some(bytes))) {
                Some(run) => {
                    for (name, _) in &run.of {
                        others.remove(name);
                    }
                    files.runs.push(run);
                }
                None => files.obsolete.push(stem),
            }
        }
        files.others = others.into_iter().collect();
        files.others.sort_unstable();
        Ok(files)
    }

    /// The lines of each that are not smaller than `low`, and where they are.
    pub(crate) fn lines_from(&self, layout: &Layout, low: &str) -> io::Result<Vec<(PathBuf, LinesFrom)>> {
        let merged = self.runs.iter().map(|run| {
            let [data, _, list, _] = layout.merged_index(&run.stem);
            Ok((list.clone(), packed_lines_from(&list, &data, low)?))
        });
        let single =
            self.others.iter().map(|(name, _)| Ok((layout.index().join(name), lines_from(layout, name, low)?)));
        merged.chain(single).collect()
    }
}

/// Both directories as they were.
type Stamp = [Option<SystemTime>; 2];

/// The files of a collection that is looked into again and again. They are listed again when something came or went.
#[derive(Debug, Default)]
pub(crate) struct KnownFiles(Mutex<Option<Known>>);

#[derive(Debug)]
struct Known {
    stamp: Stamp,
    since: Instant,
    /// Listed when nothing could change any more without the stamp changing.
    is_settled: bool,
    files: Arc<IndexFiles>,
}

impl KnownFiles {
    pub(crate) fn of(&self, layout: &Layout) -> io::Result<Arc<IndexFiles>> {
        let modified = |path: PathBuf| std::fs::symlink_metadata(path).and_then(|found| found.modified()).ok();
        let stamp = [modified(layout.index()), modified(layout.merged())];
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.take().filter(|known| known.stamp == stamp);
        if let Some(settled) = same.as_ref().filter(|known| known.is_settled) {
            let files = settled.files.clone();
            *known = same;
            return Ok(files);
        }
        let since = same.map_or_else(Instant::now, |known| known.since);
        let is_settled = since.elapsed() > MOMENT;
        let files = Arc::new(IndexFiles::list(layout)?);
        *known = Some(Known { stamp, since, is_settled, files: files.clone() });
        Ok(files)
    }
}

/// A merged index that does not say what the indexes say.
#[derive(Debug)]
pub(crate) struct Differing {
    pub(crate) stem: String,
    /// Below the directory of indexes.
    pub(crate) file: String,
    pub(crate) missing: usize,
    pub(crate) wrong: usize,
}

/// Holds every merged index that is in use against the indexes it is of.
pub(crate) fn differing(layout: &Layout) -> io::Result<Vec<Differing>> {
    let mut all = Vec::new();
    for run in IndexFiles::list(layout)?.runs {
        let of = run.of.iter().map(|(name, _)| texts(layout, name)).collect::<io::Result<Vec<_>>>()?;
        let (missing, wrong) = match run.texts(layout) {
            Ok(is) => difference(Merge::new(of)?, is)?,
            Err(_) => (run.lines as usize, 0),
        };
        if missing + wrong > 0 {
            let file = format!("merged/{}{BLOCKS_SUFFIX}", run.stem);
            all.push(Differing { stem: run.stem, file, missing, wrong });
        }
    }
    Ok(all)
}

/// How many lines are missing from what there is, and how many should not be there.
fn difference(mut should: Merge, is: Texts) -> io::Result<(usize, usize)> {
    let (mut missing, mut wrong) = (0, 0);
    // What is damaged is the end of it.
    let mut is = Merge::new(vec![Box::new(is.map_while(|text| text.ok().map(Ok)))])?;
    loop {
        let order = match (should.head(), is.head()) {
            (None, None) => return Ok((missing, wrong)),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(should), Some(is)) => should.cmp(is),
        };
        missing += usize::from(order == Ordering::Less);
        wrong += usize::from(order == Ordering::Greater);
        if order != Ordering::Greater {
            should.advance()?;
        }
        if order != Ordering::Less {
            is.advance()?;
        }
    }
}

/// Names that two merged indexes have, for the tests of merging.
#[cfg(test)]
pub(super) fn twice(files: &IndexFiles) -> usize {
    let mut seen = hashbrown::HashSet::new();
    let of = files.runs.iter().flat_map(|run| &run.of).chain(&files.others);
    of.filter(|(name, _)| !seen.insert(name.as_str())).count()
}
