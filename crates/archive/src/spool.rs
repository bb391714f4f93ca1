//! A body of unknown size: in memory while small, in an unnamed file when not.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// Bodies up to this size never touch the disk before they are archived.
const MEMORY_MAX: usize = 1 << 20;

/// Grows by [`Spool::push`]; read back whole or as a stream.
#[derive(Debug)]
pub struct Spool {
    directory: PathBuf,
    memory: Vec<u8>,
    file: Option<File>,
    len: u64,
}

impl Spool {
    /// A spool that overflows into an unnamed file of `directory`.
    pub fn new(directory: &Path) -> Spool {
        Spool { directory: directory.to_owned(), memory: Vec::new(), file: None, len: 0 }
    }

    /// A spool that holds `bytes` in memory, whatever their number.
    pub fn from_bytes(bytes: Vec<u8>) -> Spool {
        Spool { directory: PathBuf::new(), len: bytes.len() as u64, memory: bytes, file: None }
    }

    /// Makes room for `bytes` more in memory, when the sender announced its size; bounded by what stays in memory.
    pub fn reserve(&mut self, bytes: u64) {
        self.memory.reserve_exact((bytes.min(MEMORY_MAX as u64)) as usize);
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.len += bytes.len() as u64;
        match &mut self.file {
            Some(file) => file.write_all(bytes),
            None if self.memory.len() + bytes.len() <= MEMORY_MAX => {
                self.memory.extend_from_slice(bytes);
                Ok(())
            }
            None => {
                let mut file = unnamed_file(&self.directory)?;
                file.write_all(&self.memory)?;
                file.write_all(bytes)?;
                self.memory = Vec::new();
                self.file = Some(file);
                Ok(())
            }
        }
    }

    /// The whole body, when it is in memory.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        self.file.is_none().then_some(&self.memory)
    }

    /// The first `limit` bytes.
    pub fn prefix(&mut self, limit: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.reader()?.take(limit as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads from the start; may be called again.
    pub fn reader(&mut self) -> io::Result<Box<dyn Read + '_>> {
        match &mut self.file {
            None => Ok(Box::new(&self.memory[..])),
            Some(file) => {
                file.seek(SeekFrom::Start(0))?;
                Ok(Box::new(io::BufReader::with_capacity(64 << 10, file)))
            }
        }
    }
}

/// A file that vanishes with its handle, also after a crash, because its name is removed at once.
pub(crate) fn unnamed_file(directory: &Path) -> io::Result<File> {
    use std::sync::atomic::{AtomicU64, Ordering};
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    std::fs::create_dir_all(directory)?;
    let path = directory.join(format!("spool-{}-{serial}", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_reads_back_the_same_on_either_side_of_the_limit() {
        let directory = tempfile::tempdir().unwrap();
        for size in [0, 10, MEMORY_MAX, MEMORY_MAX + 1, 3 * MEMORY_MAX] {
            let body: Vec<u8> = (0..size).map(|i| (i % 251) as u8).collect();
            let mut spool = Spool::new(directory.path());
            for piece in body.chunks(100_003) {
                spool.push(piece).unwrap();
            }
            assert_eq!(spool.len(), size as u64);
            assert_eq!(spool.as_bytes().is_some(), size <= MEMORY_MAX);
            for _ in 0..2 {
                let mut back = Vec::new();
                spool.reader().unwrap().read_to_end(&mut back).unwrap();
                assert!(back == body);
            }
            assert_eq!(spool.prefix(5).unwrap(), body[..size.min(5)]);
        }
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
