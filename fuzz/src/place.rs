//! Where files lie that are made for one input: in memory where there is such a place.

use std::path::PathBuf;

/// A path of this process' own; nothing is made there.
pub fn place(name: &str) -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let root = if memory.is_dir() { memory } else { std::env::temp_dir() };
    root.join(format!("tintype-fuzz-{}-{name}", std::process::id()))
}
