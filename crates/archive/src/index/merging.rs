//! Who merges indexes, and when: beside the writer, whenever there are enough that are in no merged index. The merged ones grow
//! geometrically, so a line is written again as often as the logarithm of their number, and there are never many of them.

use super::{
    files::put_blocks,
    merge::Merge,
    merged::{IndexFiles, Run},
};
use crate::{
    DiskRoom,
    disk::{Disk, FileSystem, publish},
    door,
    layout::Layout,
    writing::NAME_START,
};
use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::sync_channel,
    },
    thread::{self, JoinHandle},
};
use tintype_warc::zipnum::{BlockWriter, LINES_PER_BLOCK};

/// So many indexes are looked into one by one.
const FEW: usize = 8;
/// So many are merged at a time, each with a piece of it in memory.
const MANY: usize = 64;
/// A merged index takes in an older one that is at most so many times as large.
const RATIO: u64 = 2;
/// Merged anew again and again, and read seldom.
const LEVEL: u32 = 1;
/// Bytes of lines that are handed over from who merges to who compresses.
const PIECE: usize = 256 << 10;

/// What is merged into one.
#[derive(Debug)]
struct Plan {
    runs: Vec<Run>,
    others: Vec<(String, u64)>,
}

/// What to merge next; nothing if look-ups touch few files.
fn plan(files: &IndexFiles) -> Option<Plan> {
    let can_grow = growing(&files.others);
    let others = files.others.iter().filter(|(name, _)| Some(name) != can_grow.as_ref()).take(MANY);
    let mut plan = Plan { others: others.cloned().collect(), runs: Vec::new() };
    if plan.others.len() < FEW {
        return None;
    }
    let mut runs: Vec<&Run> = files.runs.iter().collect();
    runs.sort_by_key(|run| bytes(&run.of));
    let mut total = bytes(&plan.others);
    for run in runs {
        if bytes(&run.of) > RATIO * total {
            break;
        }
        total += bytes(&run.of);
        plan.runs.push(run.clone());
    }
    Some(plan)
}

fn bytes(of: &[(String, u64)]) -> u64 {
    of.iter().map(|(_, bytes)| bytes).sum()
}

/// The index of our latest segment: what is still small is gone on with.
fn growing(others: &[(String, u64)]) -> Option<String> {
    others.iter().map(|(name, _)| name).filter(|name| name.starts_with(NAME_START)).max().cloned()
}

/// Merges once, if there is something to merge; says of how many lines.
fn merge_once(layout: &Layout) -> io::Result<Option<u64>> {
    let files = IndexFiles::list(layout)?;
    for stem in &files.obsolete {
        remove(layout, stem)?;
    }
    let Some(plan) = plan(&files) else { return Ok(None) };
    let of: Vec<(String, u64)> = plan.runs.iter().flat_map(|run| &run.of).chain(&plan.others).cloned().collect();
    let room = DiskRoom::at(layout.root())?;
    if room.free < room.usually_kept().saturating_add(bytes(&of)) {
        return Ok(None);
    }
    let stem = stem_after(&files);
    let lines = write(layout, &stem, &plan, of)?;
    // What has no list is no index any more, whatever of it is still there.
    plan.runs.iter().try_for_each(|run| remove(layout, &run.stem))?;
    Ok(Some(lines))
}

/// A name behind all there are.
fn stem_after(files: &IndexFiles) -> String {
    let stems = files.runs.iter().map(|run| &run.stem).chain(&files.obsolete);
    let number = stems.filter_map(|stem| stem.parse::<u64>().ok()).max().unwrap_or(0);
    format!("{:012}", number.saturating_add(1))
}

fn write(layout: &Layout, stem: &str, plan: &Plan, of: Vec<(String, u64)>) -> io::Result<u64> {
    let runs = plan.runs.iter().map(|run| run.texts(layout));
    let others = plan.others.iter().map(|(name, _)| super::files::texts(layout, name));
    let mut merge = Merge::new(runs.chain(others).collect::<io::Result<_>>()?)?;
    FileSystem.create_dir(&layout.merged())?;
    let [data, location, list, of_path] = layout.merged_index(stem);
    let (sender, pieces) = sync_channel::<Vec<u8>>(4);
    let mut lines = 0;
    thread::scope(|scope| {
        let merging = scope.spawn(move || -> io::Result<()> {
            let mut piece = Vec::with_capacity(PIECE);
            while let Some(line) = merge.head() {
                piece.extend_from_slice(line);
                piece.push(b'\n');
                merge.advance()?;
                if piece.len() >= PIECE
                    && sender.send(std::mem::replace(&mut piece, Vec::with_capacity(PIECE))).is_err()
                {
                    return Ok(());
                }
            }
            // Who does not listen has failed, and says so.
            let _ = sender.send(piece);
            Ok(())
        });
        let blocks = BlockWriter::with_level(LINES_PER_BLOCK, LEVEL);
        put_blocks(&FileSystem, &[data, location, list], blocks, |each| {
            for piece in pieces {
                for line in piece.split_inclusive(|byte| *byte == b'\n') {
                    lines += 1;
                    each(line)?;
                }
            }
            merging.join().unwrap_or_else(|_| Err(io::Error::other("merging came to no end")))
        })
    })?;
    let run = Run { stem: stem.to_owned(), lines, of };
    publish(&FileSystem, &of_path, &serde_json::to_vec(&run)?)?;
    Ok(lines)
}

/// Removes a merged index, first what tells that it is one.
pub(crate) fn remove(layout: &Layout, stem: &str) -> io::Result<()> {
    let paths = layout.merged_index(stem);
    paths.iter().rev().filter(|path| door::is_taken(path)).try_for_each(|path| FileSystem.remove(path))
}

/// Removes what a merge left that did not come to its end.
fn clear(layout: &Layout) -> io::Result<()> {
    let files = IndexFiles::list(layout)?;
    let known: Vec<&str> = files.runs.iter().map(|run| run.stem.as_str()).collect();
    for name in crate::layout::names(&layout.merged(), "")? {
        if !known.contains(&name.split('.').next().unwrap_or_default()) {
            FileSystem.remove(&layout.merged().join(name))?;
        }
    }
    Ok(())
}

/// Merges until look-ups touch few files.
fn merge_all(layout: &Layout) -> io::Result<u64> {
    let mut lines = 0;
    while let Some(more) = merge_once(layout)? {
        lines += more;
    }
    Ok(lines)
}

/// Merges beside whoever writes the collection.
#[derive(Debug, Default)]
pub(crate) struct Merger {
    worker: Mutex<Option<JoinHandle<()>>>,
    /// There may be more to do.
    is_wanted: Arc<AtomicBool>,
}

impl Merger {
    /// Has indexes merged, if there are enough.
    pub(crate) fn wake(&self, layout: &Layout) {
        self.is_wanted.store(true, Ordering::SeqCst);
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        if worker.as_ref().is_some_and(|worker| !worker.is_finished()) {
            return;
        }
        let (layout, wanted) = (layout.clone(), self.is_wanted.clone());
        let work = move || {
            while wanted.swap(false, Ordering::SeqCst) {
                // Derived, and never needed: what fails is tried again when the next index is made.
                let _ = clear(&layout).and_then(|()| merge_all(&layout));
            }
        };
        *worker = thread::Builder::new().name("merge".to_owned()).spawn(work).ok();
    }

    /// Merges now, and says how many lines were written.
    pub(crate) fn finish(&self, layout: &Layout) -> io::Result<u64> {
        self.wait();
        clear(layout)?;
        merge_all(layout)
    }

    fn wait(&self) {
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        worker.map(JoinHandle::join);
    }
}

impl Drop for Merger {
    fn drop(&mut self) {
        self.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::{super::merged, *};
    use std::{collections::BTreeSet, fs};

    fn layout(directory: &tempfile::TempDir) -> Layout {
        let layout = Layout::new(directory.path());
        fs::create_dir(layout.index()).unwrap();
        layout
    }

    /// The index of the `n`th segment.
    fn add(layout: &Layout, n: usize, lines: usize) -> Vec<String> {
        let line = |m: usize| format!("com,example)/{} 2026{n:010} {{\"n\": \"{m}\"}}\n", m * 7919 % 10_007);
        let mut lines: Vec<String> = (0..lines).map(line).collect();
        lines.sort();
        super::super::write(&FileSystem, layout, &format!("tintype-{n:06}.warc.gz"), 9, &lines).unwrap();
        lines
    }

    fn all_lines(layout: &Layout) -> Vec<String> {
        let files = IndexFiles::list(layout).unwrap();
        let lists = files.lines_from(layout, "").unwrap();
        let mut lines: Vec<String> =
            lists.into_iter().flat_map(|(_, lines)| lines).map(|line| line.unwrap() + "\n").collect();
        lines.sort();
        lines
    }

    #[test]
    fn few_files_are_looked_into_and_they_say_what_all_indexes_say() {
        let directory = tempfile::tempdir().unwrap();
        let layout = layout(&directory);
        let (mut should, mut written, mut most) = (Vec::new(), 0, 0);
        for n in 0..400 {
            should.extend(add(&layout, n, 1 + n % 7));
            written += merge_all(&layout).unwrap();
            let files = IndexFiles::list(&layout).unwrap();
            most = most.max(files.runs.len() + files.others.len());
            assert_eq!((merged::twice(&files), files.obsolete.len()), (0, 0), "{n}");
        }
        should.sort();
        assert_eq!(all_lines(&layout), should);
        assert!(most <= FEW + 8, "{most}");
        assert!(written < 9 * should.len() as u64, "{written} lines were written for {}", should.len());
        assert!(merged::differing(&layout).unwrap().is_empty());
    }

    #[test]
    fn many_indexes_that_were_never_merged_are_merged_some_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let layout = layout(&directory);
        let mut should: Vec<String> =
            (0..300).flat_map(|n| add(&layout, n, if n % 50 == 0 { 3000 } else { 5 })).collect();
        should.sort();
        merge_all(&layout).unwrap();
        assert_eq!(all_lines(&layout), should);
        assert!(IndexFiles::list(&layout).unwrap().runs.len() < 6);
    }

    #[test]
    fn an_index_that_is_not_as_it_was_is_looked_into_by_itself_until_it_is_merged_again() {
        let directory = tempfile::tempdir().unwrap();
        let layout = layout(&directory);
        let mut should: Vec<Vec<String>> = (0..12).map(|n| add(&layout, n, 5)).collect();
        merge_all(&layout).unwrap();
        assert_eq!(IndexFiles::list(&layout).unwrap().runs.len(), 1);
        should[3] = add(&layout, 3, 6);
        should.push(add(&layout, 12, 5));
        let now: BTreeSet<String> = should.concat().into_iter().collect();
        assert!(IndexFiles::list(&layout).unwrap().runs.is_empty());
        assert_eq!(all_lines(&layout).into_iter().collect::<BTreeSet<_>>(), now);
        merge_all(&layout).unwrap();
        assert_eq!(IndexFiles::list(&layout).unwrap().runs.len(), 1);
        assert_eq!(all_lines(&layout).into_iter().collect::<BTreeSet<_>>(), now);
    }

    #[test]
    fn whatever_a_merge_leaves_behind_nothing_is_lost_or_twice() {
        let directory = tempfile::tempdir().unwrap();
        let layout = layout(&directory);
        let mut should: Vec<String> = (0..9).flat_map(|n| add(&layout, n, 5)).collect();
        merge_all(&layout).unwrap();
        let old: Vec<_> = crate::layout::names(&layout.merged(), "").unwrap();
        let keep = |names: &[String], to: &str| {
            fs::create_dir_all(directory.path().join(to)).unwrap();
            for name in names {
                fs::copy(layout.merged().join(name), directory.path().join(to).join(name)).unwrap();
            }
        };
        keep(&old, "old");
        should.extend((9..30).flat_map(|n| add(&layout, n, 5)));
        should.sort();
        merge_all(&layout).unwrap();
        let new: Vec<_> = crate::layout::names(&layout.merged(), "").unwrap();
        assert_eq!(new.len(), 4, "{new:?}");
        keep(&new, "new");
        // In the order in which they come and go.
        let order = |names: &[String]| {
            [".cdx.gz", ".loc", ".idx", ".of"]
                .map(|end| names.iter().find(|name| name.ends_with(end)).cloned().unwrap())
        };
        for step in 0..=8 {
            fs::remove_dir_all(layout.merged()).unwrap();
            fs::create_dir(layout.merged()).unwrap();
            let come = order(&new).into_iter().take(step).map(|name| ("new", name));
            let stay = order(&old).into_iter().rev().skip(step.saturating_sub(4)).map(|name| ("old", name));
            for (from, name) in come.chain(stay) {
                fs::copy(directory.path().join(from).join(&name), layout.merged().join(&name)).unwrap();
            }
            assert_eq!(all_lines(&layout), should, "{step}");
            Merger::default().finish(&layout).unwrap();
            assert_eq!(all_lines(&layout), should, "{step}");
            assert_eq!(crate::layout::names(&layout.merged(), "").unwrap().len(), 4, "{step}");
        }
    }

    #[test]
    fn a_merged_index_that_says_something_else_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let layout = layout(&directory);
        (0..12).for_each(|n| drop(add(&layout, n, 5)));
        merge_all(&layout).unwrap();
        let stem = IndexFiles::list(&layout).unwrap().runs[0].stem.clone();
        let [data, _, list, _] = layout.merged_index(&stem);
        let (mut blocks, member) = (Vec::new(), fs::read(&data).unwrap());
        let text = tintype_warc::zipnum::inflate_blocks(&member).unwrap();
        let lines: Vec<String> = text.lines().skip(2).map(str::to_owned).chain(["z)/ 2026 {}".to_owned()]).collect();
        let summary = tintype_warc::zipnum::write(lines.iter().map(String::as_str), "x", &mut blocks).unwrap();
        fs::write(&data, &blocks).unwrap();
        fs::write(&list, summary).unwrap();
        let found = merged::differing(&layout).unwrap();
        assert_eq!((found[0].missing, found[0].wrong), (2, 1));
        fs::write(&data, &blocks[..blocks.len() / 2]).unwrap();
        assert_eq!(merged::differing(&layout).unwrap().len(), 1, "one that is torn");
    }
}
