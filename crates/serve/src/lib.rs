//! Listening sockets.
//!
//! Read [`site`] first: any function from a request to a reply, served on loopback.

pub mod site;
