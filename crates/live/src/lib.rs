//! The real web: sockets, names, the wall clock.
//!
//! `client` asks one server for one page and records what crossed the wire. It decides nothing about what to ask, when,
//! or what an answer is worth. Read [`Client`] first.

pub mod client;
pub mod clock;

pub use client::{Answer, Ask, Client, ClientError, Jar, Proxy, Settings};
