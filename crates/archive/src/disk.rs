//! The door to the disk: everything that changes ground truth goes through [`Disk`], which is so small that a
//! test can write one that fails, fills up or loses power at any operation. Reading needs no door.

use crate::{DiskRoom, door};
use std::{
    fmt,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// The changes an archive makes to a file system.
pub(crate) trait Disk: fmt::Debug + Send + Sync {
    /// Makes a directory and its parents, for good; it may be there already.
    fn create_dir(&self, path: &Path) -> io::Result<()>;
    /// Opens a file for writing at its end, creating it if need be.
    fn append(&self, path: &Path) -> io::Result<Box<dyn Append>>;
    /// Cuts a file to `len` bytes, for good.
    fn truncate(&self, path: &Path, len: u64) -> io::Result<()>;
    /// Writes the bytes of a file from `from` on once more, as they are, and makes them survive a power cut. After a sync
    /// that failed they may be on no disk, though they can be read, and no later sync would write them.
    fn write_again(&self, path: &Path, from: u64) -> io::Result<()>;
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes creations, renames and removals in a directory survive a power cut.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
    /// How much room there is for what lies at a path.
    fn room(&self, path: &Path) -> io::Result<DiskRoom>;
}

/// A file that only grows.
pub(crate) trait Append: fmt::Debug + Send {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Returns once everything appended so far survives a power cut.
    fn sync(&mut self) -> io::Result<()>;
    /// Whether this is still the file of that name: what is appended to one that was removed is lost.
    fn is_still(&self, path: &Path) -> io::Result<bool>;
}

/// The file system of this machine.
#[derive(Debug, Default)]
pub(crate) struct FileSystem;

impl Disk for FileSystem {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        let grown = growing(path);
        fs::create_dir_all(path)?;
        grown.iter().try_for_each(|directory| self.sync_dir(directory))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn Append>> {
        Ok(Box::new(door::append(path)?))
    }

    fn truncate(&self, path: &Path, len: u64) -> io::Result<()> {
        let file = door::rewrite(path)?;
        file.set_len(len)?;
        file.sync_all()
    }

    fn write_again(&self, path: &Path, from: u64) -> io::Result<()> {
        let mut file = door::rewrite(path)?;
        let mut buffer = vec![0; 1 << 20];
        let mut at = from;
        loop {
            file.seek(SeekFrom::Start(at))?;
            let count = file.read(&mut buffer)?;
            if count == 0 {
                return file.sync_all();
            }
            file.seek(SeekFrom::Start(at))?;
            file.write_all(&buffer[..count])?;
            at += count as u64;
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn room(&self, path: &Path) -> io::Result<DiskRoom> {
        DiskRoom::at(path)
    }
}

impl Append for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn is_still(&self, path: &Path) -> io::Result<bool> {
        door::is_same(self, path)
    }
}

/// Directories that get a new entry when `path` is made.
fn growing(path: &Path) -> Vec<PathBuf> {
    let missing = path.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
    let here = |parent: &Path| if parent.as_os_str().is_empty() { PathBuf::from(".") } else { parent.to_owned() };
    missing.filter_map(|path| path.parent().map(here)).collect()
}

/// Makes a directory and its parents for good; it may be there already.
pub fn make_directory(path: &Path) -> io::Result<()> {
    FileSystem.create_dir(path)
}

/// Puts a whole file in place for good: after a power cut there is the old one or the new one, never a part.
pub fn put_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    publish(&FileSystem, path, bytes)
}

/// Puts a whole file in place: readers see the old one or the new one, never a part.
pub(crate) fn publish(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    publish_with(disk, path, |file| file.append(bytes))
}

/// The same for a file that is written piece by piece.
pub(crate) fn publish_with(
    disk: &dyn Disk,
    path: &Path,
    write: impl FnOnce(&mut dyn Append) -> io::Result<()>,
) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    let temporary = Path::new(&name);
    if door::is_taken(temporary) {
        disk.remove(temporary)?;
    }
    let mut file = disk.append(temporary)?;
    write(file.as_mut())?;
    file.sync()?;
    drop(file);
    disk.rename(temporary, path)?;
    match path.parent() {
        // A name alone is in the directory one is in.
        Some(directory) if directory.as_os_str().is_empty() => disk.sync_dir(Path::new(".")),
        Some(directory) => disk.sync_dir(directory),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_directory_that_gets_a_new_one_is_synced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a/b");
        assert_eq!(growing(&path), [directory.path().join("a"), directory.path().to_owned()]);
        FileSystem.create_dir(&path).unwrap();
        assert_eq!(growing(&path), Vec::<PathBuf>::new());
        assert_eq!(growing(Path::new("no-such-directory")), [PathBuf::from(".")]);
    }
}
