//! A disk that dies at a chosen operation, and what is left of it afterwards.

use crate::{
    DiskRoom,
    disk::{Append, Disk, FileSystem},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

/// What happens at the chosen operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fate {
    /// The process dies in the middle of the operation; what it wrote stays.
    Kill,
    /// The machine dies: bytes and names that were not synced are gone, or the bytes are zeros.
    PowerCut { zeros: bool },
    /// The disk is full from then on: half of what is appended fits, then nothing.
    Full,
    /// One sync fails: what it should have saved can be read until the machine dies, and no later sync saves it.
    SyncFails,
}

#[derive(Debug)]
struct Story {
    fate: Fate,
    at: usize,
    operations: usize,
    /// The next sync fails, whatever the number of its operation.
    fails_next: bool,
    synced: BTreeMap<PathBuf, u64>,
    /// Bytes that a failed sync left on no disk.
    unsaved: BTreeMap<PathBuf, (u64, u64)>,
    /// Files and renames whose directory was not synced yet.
    created: BTreeSet<PathBuf>,
    renamed: Vec<(PathBuf, PathBuf, Option<Vec<u8>>)>,
}

#[derive(Clone, Debug)]
pub(super) struct CrashingDisk(Arc<Mutex<Story>>);

#[derive(Debug)]
struct CrashingFile {
    path: PathBuf,
    file: Box<dyn Append>,
    story: Arc<Mutex<Story>>,
}

impl Story {
    /// Counts an operation. An error if it is the chosen one or one after it.
    fn step(&mut self) -> io::Result<()> {
        self.operations += 1;
        match self.fate {
            _ if self.operations <= self.at => Ok(()),
            Fate::SyncFails => Ok(()),
            Fate::Full => Err(io::ErrorKind::StorageFull.into()),
            _ => Err(io::Error::other("crashed")),
        }
    }

    /// What lies behind a byte of a file was written and saved, or is gone.
    fn save(&mut self, path: &Path, from: u64) {
        if let Some((_, to)) = self.unsaved.get_mut(path) {
            *to = (*to).min(from);
        }
    }

    fn is_first_failure(&self) -> bool {
        self.operations == self.at + 1
    }
}

impl CrashingDisk {
    /// Works for `at` operations.
    pub(super) fn new(fate: Fate, at: usize) -> CrashingDisk {
        CrashingDisk(Arc::new(Mutex::new(Story {
            fate,
            at,
            operations: 0,
            fails_next: false,
            synced: BTreeMap::new(),
            unsaved: BTreeMap::new(),
            created: BTreeSet::new(),
            renamed: Vec::new(),
        })))
    }

    /// The next sync fails.
    pub(super) fn fail_next_sync(&self) {
        self.0.lock().unwrap().fails_next = true;
    }

    /// From now on everything works.
    pub(super) fn make_space(&self) {
        self.0.lock().unwrap().at = usize::MAX;
    }

    pub(super) fn crashed(&self) -> bool {
        let story = self.0.lock().unwrap();
        story.operations > story.at
    }

    /// Takes away what a power cut takes away.
    pub(super) fn settle(&self) {
        let story = self.0.lock().unwrap();
        for (path, (from, to)) in &story.unsaved {
            let Ok(mut bytes) = fs::read(path) else { continue };
            let to = (*to as usize).min(bytes.len());
            bytes[(*from as usize).min(to)..to].fill(0);
            fs::write(path, bytes).unwrap();
        }
        let Fate::PowerCut { zeros } = story.fate else { return };
        for (path, synced) in &story.synced {
            let Ok(mut bytes) = fs::read(path) else { continue };
            let keep = (*synced as usize).min(bytes.len());
            if zeros {
                bytes[keep..].fill(0);
            } else {
                bytes.truncate(keep);
            }
            fs::write(path, bytes).unwrap();
        }
        for (from, to, before) in story.renamed.iter().rev() {
            fs::rename(to, from).unwrap();
            if let Some(before) = before {
                fs::write(to, before).unwrap();
            }
        }
        for path in &story.created {
            let _ = fs::remove_file(path);
        }
    }
}

impl Disk for CrashingDisk {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        self.0.lock().unwrap().step()?;
        FileSystem.create_dir(path)
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn Append>> {
        let mut story = self.0.lock().unwrap();
        story.step()?;
        if !path.exists() {
            story.created.insert(path.to_owned());
        }
        let len = fs::metadata(path).map_or(0, |file| file.len());
        story.synced.insert(path.to_owned(), len);
        let file = FileSystem.append(path)?;
        Ok(Box::new(CrashingFile { path: path.to_owned(), file, story: self.0.clone() }))
    }

    fn truncate(&self, path: &Path, len: u64) -> io::Result<()> {
        let mut story = self.0.lock().unwrap();
        story.step()?;
        story.synced.insert(path.to_owned(), len);
        story.save(path, len);
        FileSystem.truncate(path, len)
    }

    fn write_again(&self, path: &Path, from: u64) -> io::Result<()> {
        let mut story = self.0.lock().unwrap();
        story.step()?;
        FileSystem.write_again(path, from)?;
        story.synced.insert(path.to_owned(), fs::metadata(path)?.len());
        story.save(path, from);
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut story = self.0.lock().unwrap();
        story.step()?;
        let before = fs::read(to).ok();
        FileSystem.rename(from, to)?;
        if let Some(synced) = story.synced.remove(from) {
            story.synced.insert(to.to_owned(), synced);
        }
        if let Some(unsaved) = story.unsaved.remove(from) {
            story.unsaved.insert(to.to_owned(), unsaved);
        }
        story.created.remove(from);
        story.renamed.push((from.to_owned(), to.to_owned(), before));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut story = self.0.lock().unwrap();
        story.step()?;
        story.synced.remove(path);
        story.unsaved.remove(path);
        story.created.remove(path);
        FileSystem.remove(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let mut story = self.0.lock().unwrap();
        story.step()?;
        story.created.retain(|file| file.parent() != Some(path));
        story.renamed.retain(|(_, to, _)| to.parent() != Some(path));
        Ok(())
    }

    fn room(&self, path: &Path) -> io::Result<DiskRoom> {
        FileSystem.room(path)
    }
}

impl Append for CrashingFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut story = self.story.lock().unwrap();
        let step = story.step();
        match step {
            Ok(()) => self.file.append(bytes),
            Err(error) => {
                if story.is_first_failure() {
                    self.file.append(&bytes[..bytes.len() / 2])?;
                }
                Err(error)
            }
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut story = self.story.lock().unwrap();
        story.step()?;
        let story = &mut *story;
        let len = fs::metadata(&self.path)?.len();
        if story.fate == Fate::SyncFails && (story.is_first_failure() || std::mem::take(&mut story.fails_next)) {
            let from = story.synced.get(&self.path).copied().unwrap_or_default();
            story.unsaved.insert(self.path.clone(), (from, len));
            return Err(io::Error::other("a sync failed"));
        }
        story.synced.insert(self.path.clone(), len);
        Ok(())
    }

    fn is_still(&self, path: &Path) -> io::Result<bool> {
        self.file.is_still(path)
    }
}
