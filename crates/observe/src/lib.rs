//! Bytes to links and media types: what discovery wants to know about the answer to a request; and, of two versions of a
//! page, what changed and whether it matters ([`page`]).
//!
//! [`look`] undoes content codings on a copy, finds out what the body is, also where the server is wrong, and lists where
//! it points and how each link is written. It fetches nothing, keeps nothing and never fails: odd bytes are a [`Look`] with
//! [`LookFindings`], and every size is bounded by a constant.
//! It does not run scripts, judge scope or follow anything.
//! Read [`Look`] first.

pub mod ads;
mod charset;
mod clicked;
mod collect;
mod css;
mod dash;
mod date;
mod decode;
mod distance;
mod entity;
mod facts;
mod feed;
mod gist;
mod header;
mod html;
mod join;
mod json_feed;
mod json_ld;
pub mod listing;
mod look;
mod manifest;
mod media;
pub mod page;
mod playlist;
mod rel;
mod robots;
mod script;
mod script_template;
pub mod simhash;
mod sitemap;
mod sniff;
mod srcset;
mod wording;
mod xml;

pub use clicked::clicked_words;
pub use collect::{LINK_TEXT_MAX, LINKS_MAX, URL_MAX};
pub use decode::{CODINGS_MAX, DECODED_MAX, DECODED_RATIO_MAX, plain};
pub use distance::{DISTANCE_MIN, WORDS_MAX, Words};
pub use facts::{PageFacts, StandIn};
pub use look::{Described, Look, LookFindings, look};
pub use media::ContentTypeHeader;
pub use script::{
    is_address as is_module_address,
    module_loads::{ModuleLoad, module_loads},
};
pub use script_template::script_template;
pub use sitemap::ENTRIES_MAX;
