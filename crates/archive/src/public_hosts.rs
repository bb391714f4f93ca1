//! Names that were found in public space: `public-hosts`, one per line.
//!
//! Ground truth, not state: who deletes the state of a collection must not make a name that was public lead into private
//! space. A name is synced before the first request to it is sent.

use crate::{
    Collection, Error,
    disk::{Disk, FileSystem},
    door,
    layout::Layout,
};
use hashbrown::HashSet;
use std::path::PathBuf;

/// More than anybody names; what lies beyond is neither read nor written.
const BYTES_MAX: u64 = 4 << 20;
/// Longer names do not resolve.
const NAME_MAX: usize = 255;

/// The names, and the file they are kept in.
#[derive(Debug)]
pub struct PublicHosts {
    path: PathBuf,
    names: HashSet<String>,
    bytes: u64,
}

impl PublicHosts {
    /// Reads the names of a collection. What has the name of the file and is no plain file is an error.
    pub fn open(collection: &Collection) -> Result<PublicHosts, Error> {
        let path = Layout::new(collection.path()).public_hosts();
        let bytes = match door::read(&path, BYTES_MAX) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            other => other.map_err(Error::io("read", &path))?,
        };
        let text = String::from_utf8_lossy(&bytes);
        let names = text.lines().filter(|line| !line.is_empty() && line.len() <= NAME_MAX).map(str::to_owned).collect();
        Ok(PublicHosts { path, names, bytes: bytes.len() as u64 })
    }

    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Notes a name for good.
    pub fn add(&mut self, name: &str) -> Result<(), Error> {
        if self.contains(name) || name.len() > NAME_MAX || self.bytes > BYTES_MAX {
            return Ok(());
        }
        let line = format!("{name}\n");
        let written = FileSystem.append(&self.path).and_then(|mut file| {
            file.append(line.as_bytes())?;
            file.sync()?;
            FileSystem.sync_dir(self.path.parent().unwrap_or(&self.path))
        });
        written.map_err(Error::io("write", &self.path))?;
        self.bytes += line.len() as u64;
        self.names.insert(name.to_owned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OpenOptions;
    use tintype_vocab::Time;

    #[test]
    fn names_are_kept_between_runs_also_without_state_and_links_are_not_followed() {
        let directory = tempfile::tempdir().unwrap();
        let options = OpenOptions { create: true, command: "test".to_owned(), now: Time::from_secs(0) };
        let collection = Collection::open(directory.path(), options).unwrap();
        let mut hosts = PublicHosts::open(&collection).unwrap();
        hosts.add("site.example").unwrap();
        hosts.add("site.example").unwrap();
        std::fs::remove_dir_all(directory.path().join("state")).unwrap();
        let again = PublicHosts::open(&collection).unwrap();
        assert!(again.contains("site.example") && !again.contains("other.example"));
        let file = directory.path().join("public-hosts");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "site.example\n");
        #[cfg(unix)]
        {
            let victim = directory.path().join("victim");
            std::fs::rename(&file, &victim).unwrap();
            std::os::unix::fs::symlink(&victim, &file).unwrap();
            assert!(PublicHosts::open(&collection).is_err());
            assert!(hosts.add("new.example").is_err());
            assert_eq!(std::fs::read_to_string(victim).unwrap(), "site.example\n");
        }
    }
}
