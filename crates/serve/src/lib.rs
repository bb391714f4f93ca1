//! Listening sockets.
//!
//! Read [`site`] first: any function from a request to a reply, served on loopback; then [`past`]: collections and other
//! tools' files looked at in a browser, and asked by the clients of the field.

mod certificate;
pub mod past;
pub mod site;

pub use certificate::organ_pipes;
