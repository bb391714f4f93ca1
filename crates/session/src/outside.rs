//! What waits outside memory, in a file of the collection.

use tintype_archive::{Capture, Outside};
use tintype_plan::{Depot, MemoryDepot, Settings};

#[derive(Debug)]
struct FileDepot(Outside);

impl Depot for FileDepot {
    fn put(&mut self, block: &[u8]) -> Option<u64> {
        self.0.put(block)
    }

    fn get(&mut self, place: u64) -> Option<Vec<u8>> {
        self.0.get(place)
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn cut(&mut self, len: u64) -> bool {
        self.0.cut(len)
    }
}

/// Where a capture that goes wherever links lead keeps what memory has no room for; nothing where all is known anyway.
pub(crate) fn depot(capture: &Capture, settings: &Settings) -> Result<Box<dyn Depot>, tintype_archive::Error> {
    match settings.goes_anywhere() {
        true => Ok(Box::new(FileDepot(capture.outside()?))),
        false => Ok(Box::<MemoryDepot>::default()),
    }
}
