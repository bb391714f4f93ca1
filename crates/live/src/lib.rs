//! The real web: sockets, names, the wall clock.
//!
//! [`crawl`] drives sessions against it; `client` asks one server for one page and records what crossed the wire.
//! Neither decides what to ask or what an answer is worth. Read [`crawl`] first, then [`Client`].

mod archivist;
mod checkpoints;
pub mod client;
pub mod clock;
mod crawl;
pub mod deliver;
mod hosts;
pub mod render;
pub mod stamping;

pub use client::{Answer, Ask, Client, ClientError, ClientSettings, Credentials, CredentialsError, Jar, Proxy};
pub use crawl::{Agenda, Begin, CrawlEvent, Ended, Next, crawl};
pub use hosts::Hosts;
