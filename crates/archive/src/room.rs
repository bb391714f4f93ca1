//! Room on the disk of a collection, and how much of it is left to others.

use std::{fmt, io, path::Path};
use tintype_vocab::amount::bytes;

/// Left free unless somebody says otherwise; of a small disk a share.
const FREE_MIN: u64 = 1 << 30;
const FREE_SHARE: u64 = 50;
/// What is committed at once must fit into what is left free, several times over; of a tiny disk a quarter is left.
const FREE_LEAST: u64 = 32 << 20;
const TINY_SHARE: u64 = 4;

/// What a disk has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskRoom {
    /// Bytes that whoever asks may write.
    pub free: u64,
    pub total: u64,
}

impl DiskRoom {
    #[cfg(unix)]
    pub(crate) fn at(path: &Path) -> io::Result<DiskRoom> {
        let disk = rustix::fs::statvfs(path)?;
        let in_bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize);
        Ok(DiskRoom { free: in_bytes(disk.f_bavail), total: in_bytes(disk.f_blocks) })
    }

    /// Where nobody can tell there is room: a write that fails says otherwise.
    #[cfg(not(unix))]
    pub(crate) fn at(_: &Path) -> io::Result<DiskRoom> {
        Ok(DiskRoom { free: u64::MAX, total: u64::MAX })
    }

    /// What is left free unless somebody says otherwise: 1 GiB, or a fiftieth of a disk that is smaller than 50 GiB, but
    /// 32 MiB of any that has them to spare.
    pub fn usually_kept(self) -> u64 {
        let least = FREE_LEAST.min(self.total / TINY_SHARE);
        FREE_MIN.min(self.total / FREE_SHARE).max(least)
    }
}

/// A disk has less room than is to be left free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortage {
    pub free: u64,
    pub wanted: u64,
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} are free on the disk of the collection, and {} are to stay so",
            bytes(self.free),
            bytes(self.wanted)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_disk_keeps_a_share_and_a_large_one_a_gibibyte() {
        let kept = |total| DiskRoom { free: 0, total }.usually_kept();
        assert_eq!((kept(10 << 30), kept(4 << 40)), ((10 << 30) / 50, 1 << 30));
        assert_eq!((kept(1 << 30), kept(6 << 20)), (32 << 20, (6 << 20) / 4), "a commit must fit into it");
        let here = DiskRoom::at(&std::env::temp_dir()).unwrap();
        assert!(here.free <= here.total && here.total > 0, "{here:?}");
    }
}
