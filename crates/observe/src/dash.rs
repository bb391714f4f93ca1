//! DASH manifests: the files of a stream, named one by one or by a template.
//!
//! Templates are written out as far as the manifest itself says how many segments there are. A broadcast that goes on is
//! counted from a clock; of that only what its timeline lists.

mod template;

use crate::{
    collect::Collector,
    xml::{self, Name, Tag, Visitor},
};
use std::borrow::Cow;
use template::{Segments, Template};
use tintype_vocab::{self as vocab, LinkKind};
use url::Url;

/// Segments that are written out of one manifest.
const SEGMENTS_MAX: usize = 10_000;
/// Elements that may be open inside each other.
const DEPTH_MAX: usize = 64;

/// Adds what a manifest names.
pub(crate) fn links(text: &str, collector: &mut Collector) {
    let Some(base) = collector.base_url().cloned() else { return };
    let level = Level {
        name: String::new(),
        base,
        has_base: false,
        template: Template::default(),
        seconds: None,
        listed: true,
    };
    let mut manifest = Manifest { levels: vec![level], goes_on: false, left: SEGMENTS_MAX, collector };
    if !xml::walk(text, &mut manifest) {
        manifest.collector.findings.markup_broken = true;
    }
}

/// What holds for an element and those inside: manifest, period, adaptation set, representation.
struct Level {
    name: String,
    base: Url,
    /// Whether it names a base itself.
    has_base: bool,
    template: Template,
    seconds: Option<f64>,
    /// Whether its segments were named by something else than its base.
    listed: bool,
}

struct Manifest<'c> {
    levels: Vec<Level>,
    goes_on: bool,
    left: usize,
    collector: &'c mut Collector,
}

impl Manifest<'_> {
    fn level(&mut self) -> &mut Level {
        self.levels.last_mut().expect("the first level is never closed")
    }

    fn enter(&mut self, name: &str, tag: &Tag<'_>) {
        let around = self.level();
        let mut template = around.template.clone();
        if name == "Representation" {
            template.represent(tag.attribute("id").as_deref(), tag.attribute("bandwidth").as_deref());
        }
        let duration = tag.attribute("mediaPresentationDuration").or_else(|| tag.attribute("duration"));
        let seconds = duration.and_then(|text| template::seconds(&text)).or(around.seconds);
        let (base, listed) = (around.base.clone(), around.listed && name != "Representation");
        self.levels.push(Level { name: name.to_owned(), base, has_base: false, template, seconds, listed });
    }

    /// A representation is over: its segments are known.
    fn leave(&mut self) {
        // What was nested too deeply to be entered is closed all the same.
        if self.levels.len() == 1 {
            return;
        }
        let Some(level) = self.levels.pop() else { return };
        if level.name != "Representation" {
            return;
        }
        let segments = Segments { seconds: level.seconds.filter(|_| !self.goes_on), max: self.left };
        let mut named = 0;
        level.template.write_out(&segments, |address| {
            named += 1;
            self.collector.add_part(&level.base, address);
        });
        // One that names nothing costs something too.
        self.left -= named.max(1).min(self.left);
        if named == 0 && level.has_base && !level.listed {
            self.collector.add(level.base.as_str(), LinkKind::Embed, vocab::Tag::Video);
        }
    }

    fn name_file(&mut self, address: Option<Cow<'_, str>>) {
        let Some(address) = address.filter(|_| self.left > 0) else { return };
        self.left -= 1;
        let level = self.levels.last_mut().expect("the first level is never closed");
        level.listed = true;
        self.collector.add_part(&level.base, &address);
    }
}

impl Visitor for Manifest<'_> {
    fn open(&mut self, name: Name<'_>, tag: &Tag<'_>) {
        match name.local {
            "MPD" => {
                self.goes_on = tag.attribute("type").as_deref() == Some("dynamic");
                self.enter(name.local, tag);
            }
            "Period" | "AdaptationSet" | "Representation" if self.levels.len() < DEPTH_MAX => {
                self.enter(name.local, tag)
            }
            "SegmentTemplate" => self.level().template.read(|key| tag.attribute(key)),
            "S" => self.level().template.add_to_timeline(|key| tag.attribute(key), SEGMENTS_MAX),
            "SegmentURL" => self.name_file(tag.attribute("media")),
            "Initialization" => {
                // The beginning of the file itself, where it has no address.
                let listed = self.level().listed;
                self.name_file(tag.attribute("sourceURL"));
                self.level().listed = listed;
            }
            _ => {}
        }
    }

    fn close(&mut self, name: Name<'_>, text: &str) {
        if name.local == "BaseURL" {
            let level = self.level();
            // Those after the first are the same elsewhere.
            if let Some(base) = level.base.join(text).ok().filter(|_| !level.has_base && !text.is_empty()) {
                (level.base, level.has_base) = (base, true);
            }
        } else if self.level().name == name.local {
            self.leave();
        }
    }

    fn is_done(&self) -> bool {
        self.left == 0
    }
}

#[cfg(test)]
mod tests;
