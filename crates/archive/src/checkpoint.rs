//! What a scheduler needs to go on from a point of its capture's log, or of all logs of a site: blocks in a file of their own.
//!
//! Derived: one that is missing, torn or of another log than there is costs time, because all of the log is read then.

use crate::{
    CaptureId, Collection, Error, Reading, Spool,
    disk::{Disk, publish_with},
    door,
    layout::Layout,
    log::range::LogRange,
};
use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

const MAGIC: &[u8; 8] = b"ttgoon\x00\x01";
const SITE_MAGIC: &[u8; 8] = b"ttsite\x00\x01";
/// So many bytes of the log before the point must be what they were.
const WITNESS: u64 = 4096;
/// Bytes that are copied at a time.
const COPY: usize = 1 << 20;
/// The log may grow by this much before another checkpoint is worth its while, or by half of what the last one measured.
const GROWTH_MIN: u64 = 32 << 20;

/// Blocks that are to be kept, gathered outside of memory.
#[derive(Debug)]
pub struct Checkpoint {
    directory: PathBuf,
    blocks: Spool,
}

impl Checkpoint {
    pub fn new(spool_directory: &Path) -> Checkpoint {
        Checkpoint { directory: spool_directory.to_owned(), blocks: Spool::new(spool_directory) }
    }

    pub fn push(&mut self, block: &[u8]) -> Result<(), Error> {
        let (len, sum) = ((block.len() as u64).to_le_bytes(), crc32fast::hash(block).to_le_bytes());
        let mut parts = [&len[..], &sum, block].into_iter();
        parts.try_for_each(|part| self.blocks.push(part)).map_err(Error::io("write", &self.directory))
    }
}

/// How far a log may grow before the next checkpoint, when the last one measured so much.
pub(crate) fn growth(last: u64) -> u64 {
    GROWTH_MIN.max(last / 2)
}

/// Keeps a checkpoint in the place of an earlier one; so many bytes of the log must be on disk. Returns what it measures.
pub(crate) fn keep(
    disk: &dyn Disk,
    layout: &Layout,
    (id, log): (&CaptureId, &LogRange),
    log_bytes: u64,
    checkpoint: Checkpoint,
) -> Result<u64, Error> {
    let path = layout.checkpoint_of(id);
    let witness = witness(log, log_bytes).map_err(Error::io("read", &log.path))?;
    let head = [&MAGIC[..], &log_bytes.to_le_bytes(), &witness.to_le_bytes()].concat();
    publish_blocks(disk, &path, &head, checkpoint)
}

/// Puts blocks in place behind a head. Returns what they measure.
fn publish_blocks(disk: &dyn Disk, path: &Path, head: &[u8], checkpoint: Checkpoint) -> Result<u64, Error> {
    let Checkpoint { mut blocks, .. } = checkpoint;
    let mut work = || -> io::Result<u64> {
        let mut from = blocks.reader()?;
        publish_with(disk, path, |file| {
            file.append(head)?;
            let mut piece = Vec::with_capacity(COPY);
            while { &mut from }.take(COPY as u64).read_to_end(&mut piece)? > 0 {
                file.append(&piece)?;
                piece.clear();
            }
            Ok(())
        })?;
        drop(from);
        Ok(blocks.len())
    };
    work().map_err(Error::io("write", path))
}

impl Collection {
    /// Keeps what a site is known to be as blocks of somebody's, in the place of those kept before; [`Reading::saved_site`]
    /// gives them back. Derived: what logs they contain is for the blocks to say.
    pub fn save_site(&self, site: &str, blocks: Checkpoint) -> Result<(), Error> {
        publish_blocks(self.disk(), &self.layout().saved_site(site), SITE_MAGIC, blocks).map(drop)
    }
}

impl Reading {
    /// The blocks that [`Collection::save_site`] kept last; nothing where there are none.
    pub fn saved_site(&self, site: &str) -> Option<KeptBlocks> {
        let (blocks, head) = KeptBlocks::open::<8>(&self.layout().saved_site(site))?;
        (head == *SITE_MAGIC).then_some(blocks)
    }
}

/// Forgets the checkpoint of a capture, if there is one, and what it kept outside memory.
pub(crate) fn forget(disk: &dyn Disk, layout: &Layout, id: &CaptureId) -> Result<(), Error> {
    let forget = |path: &Path| {
        if door::is_taken(path) { disk.remove(path).map_err(Error::io("remove", path)) } else { Ok(()) }
    };
    forget(&layout.checkpoint_of(id))?;
    forget(&layout.outside_of(id))
}

/// Blocks being read back.
#[derive(Debug)]
pub struct KeptBlocks {
    file: BufReader<File>,
    left: u64,
}

impl KeptBlocks {
    /// Those of a file behind a head of so many bytes, which is given back.
    fn open<const HEAD: usize>(path: &Path) -> Option<(KeptBlocks, [u8; HEAD])> {
        let file = door::open_file(path).ok()?;
        let len = file.metadata().ok()?.len();
        let mut file = BufReader::with_capacity(256 << 10, file);
        let mut head = [0; HEAD];
        file.read_exact(&mut head).ok()?;
        Some((KeptBlocks { file, left: len - HEAD as u64 }, head))
    }

    /// The next block; nothing after the last one or where the file is damaged.
    pub fn next_block(&mut self) -> Option<Vec<u8>> {
        let mut head = [0; 12];
        self.file.read_exact(&mut head).ok()?;
        let len = u64::from_le_bytes(head[..8].try_into().ok()?);
        self.left = self.left.checked_sub(head.len() as u64)?.checked_sub(len)?;
        let mut block = vec![0; usize::try_from(len).ok()?];
        self.file.read_exact(&mut block).ok()?;
        let sound = crc32fast::hash(&block).to_le_bytes() == head[8..];
        sound.then_some(block)
    }
}

/// A checkpoint being read.
#[derive(Debug)]
pub struct KeptCheckpoint {
    blocks: KeptBlocks,
    /// How much of the log it contains, and what it measures.
    pub(crate) log_bytes: u64,
    pub(crate) len: u64,
}

impl KeptCheckpoint {
    /// The one of a capture; nothing if the log does not bear it out.
    pub(crate) fn open(layout: &Layout, (id, log): (&CaptureId, &LogRange)) -> Option<KeptCheckpoint> {
        let (blocks, head) = KeptBlocks::open::<20>(&layout.checkpoint_of(id))?;
        let len = blocks.left + head.len() as u64;
        let log_bytes = u64::from_le_bytes(head[8..16].try_into().ok()?);
        let told = u32::from_le_bytes(head[16..].try_into().ok()?);
        let borne_out = head.starts_with(MAGIC) && witness(log, log_bytes).ok()? == told;
        borne_out.then_some(KeptCheckpoint { blocks, log_bytes, len })
    }

    /// The next block; nothing after the last one or where the file is damaged.
    pub fn next_block(&mut self) -> Option<Vec<u8>> {
        self.blocks.next_block()
    }
}

/// A sum of the log's last bytes before a point.
fn witness(log: &LogRange, at: u64) -> io::Result<u32> {
    let mut file = door::open_file(&log.path)?;
    let from = at.saturating_sub(WITNESS);
    file.seek(SeekFrom::Start(log.from.saturating_add(from)))?;
    let mut bytes = vec![0; (at - from) as usize];
    file.read_exact(&mut bytes)?;
    Ok(crc32fast::hash(&bytes))
}
