//! What is written inside a page in another language, or is another page.

use super::{
    elements::{Elements, Syntax},
    page::Page,
};
use crate::{
    charset::Charset,
    json_ld,
    script::{self, ImportMap, Named, settings},
};
use encoding_rs::UTF_8;
use tintype_vocab::{LinkKind, Tag};

/// Pages that are written inside each other.
const DEPTH_MAX: u8 = 3;

/// What a `script` holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Language {
    Script,
    ImportMap,
    JsonLd,
    /// Data for the page's own scripts.
    Settings,
    /// Templates: nobody runs it.
    Other,
}

impl<'b> Page<'_, 'b> {
    /// Adds what a script that is written out on the page loads.
    pub(super) fn script(&mut self, source: &'b [u8]) {
        match self.language() {
            Language::Script if script::may_name(source) => {
                let source = self.charset.decode(source);
                script::names(&source, |address, named| self.named(address, named));
            }
            Language::ImportMap => {
                let (json, mut imports) = (self.charset.decode(source), std::mem::take(&mut self.imports));
                imports.read(&json, |address| self.add(address, LinkKind::Embed, Tag::Script));
                self.imports = imports;
            }
            Language::JsonLd => {
                let block = self.charset.decode(source);
                json_ld::references(&block, |url, kind, tag| self.add(url, kind, tag));
            }
            Language::Settings => {
                let json = self.charset.decode(source);
                settings::scripts(&json, |address| self.add(address, LinkKind::Embed, Tag::Script));
            }
            _ => {}
        }
    }

    fn language(&self) -> Language {
        let Some(written) = self.elements.tags.attribute("type") else { return Language::Script };
        let essence = written.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        let is = |known: &str| essence.eq_ignore_ascii_case(known.as_bytes());
        match () {
            () if essence.is_empty() || is("module") || is("text/javascript") => Language::Script,
            () if is("application/javascript") || is("application/x-javascript") => Language::Script,
            () if is("importmap") => Language::ImportMap,
            () if is("application/ld+json") => Language::JsonLd,
            () if is("application/json") => Language::Settings,
            () => Language::Other,
        }
    }

    fn named(&mut self, address: &str, named: Named) {
        if named != Named::Module {
            return self.add(address, LinkKind::Embed, named.tag());
        }
        if let Some(address) = self.imports.resolve(address) {
            self.add(&address, LinkKind::Embed, named.tag());
        }
    }

    /// Adds what the page in `srcdoc` links and is made of.
    pub(super) fn inner_page(&mut self) {
        if self.depth >= DEPTH_MAX {
            return;
        }
        let Some(markup) = self.value("srcdoc") else { return };
        let charset = Charset::new(&[], Some(UTF_8.name()), "", |_| None);
        let depth = self.depth + 1;
        self.collector.within(|collector| {
            let (elements, imports) = (Elements::new(markup.as_bytes(), Syntax::Html), ImportMap::default());
            Page { elements, charset: &charset, collector, imports, depth }.read();
        });
    }
}
