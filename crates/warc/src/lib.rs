//! WARC, CDXJ and WACZ: bytes to records and back.
//!
//! Knows nothing of crawling, files or clocks: readers take `std::io::Read` or slices, writers append to buffers,
//! times and record ids are arguments. Foreign oddities are a value plus [`RecordFinding`]s, never a panic.
//! Read [`Reader`] and [`Record`] first for reading, [`Encoder`] and [`Composer`] for writing.

pub mod cdx;
pub mod cdxj;
pub mod chunked;
mod codec;
mod compose;
mod cursor;
pub mod digest;
mod finding;
mod flow;
mod header;
pub mod http;
pub mod index;
mod inflate;
mod members;
mod read;
mod record;
mod resync;
mod source;
pub mod verify;
pub mod wacz;
mod write;
pub mod zip;
pub mod zipnum;

pub use compose::{Composer, Failed, OriginalRecord, RecordId, ResponseHead};
pub use finding::{Problem, RecordFinding, RecordFindings};
pub use header::{Header, RecordType};
pub use read::{Limits, Reader};
pub use record::{Extent, Record};
pub use write::{DEFAULT_LEVEL, Encoder};
