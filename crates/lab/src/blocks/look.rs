//! Draws pages, and divides them in both ways.

use super::{
    BlocksConfig,
    agree::Agreement,
    facts::{Facts, Page},
    overlay,
    site::{Site, Version},
};
use crate::{Folder, LabProgress, usage};
use tintype_live::render::{Browser, RenderError, RenderSettings, Rendered};
use tintype_observe::page::{Hooks, Segmented, difference, vips};

pub(super) fn facts(config: &BlocksConfig, progress: &dyn LabProgress) -> anyhow::Result<Facts> {
    let site = Site::open(&config.history, config.site.as_deref())?;
    let browser = Browser::start(RenderSettings::default()).map_err(|trouble| match trouble {
        RenderError::NoBrowser => usage(trouble, "install Chromium, such as apt install chromium"),
        other => other.into(),
    })?;
    let versions = site.sample(config.sample, config.run_seed);
    let mut looker = Looker { site, browser, failed: 0 };
    let mut pages = Vec::new();
    for (nth, version) in versions.iter().enumerate() {
        if nth % 20 == 0 {
            progress.note(&format!("{nth} of {} pages drawn", versions.len()));
        }
        pages.extend(looker.page(*version)?);
    }
    let facts = Facts::new(looker.site.name(), looker.failed, pages);
    if let Some(out) = &config.out {
        looker.write(&facts, Folder::make(out)?)?;
    }
    Ok(facts)
}

struct Looker {
    site: Site,
    browser: Browser,
    /// Pages the browser could not draw.
    failed: usize,
}

/// One version, divided in both ways.
struct Divided {
    markup: Segmented,
    looks: Segmented,
    rendered: Rendered,
}

impl Looker {
    /// The table, and pictures of the pages that tell most.
    fn write(&mut self, facts: &Facts, mut folder: Folder) -> anyhow::Result<()> {
        folder.table("blocks", "Blocks by markup and by looks", &facts.table())?;
        for (name, version) in facts.shown() {
            if let Some(picture) = self.picture(version)? {
                folder.put(&format!("{name}.png"), &picture)?;
            }
        }
        Ok(())
    }

    fn page(&mut self, version: Version) -> anyhow::Result<Option<Page>> {
        let Some(new) = self.divided(version, version.row, false)? else { return Ok(None) };
        let old = match version.before {
            Some(before) => self.divided(version, before, false)?,
            None => None,
        };
        let url = self.site.url(version);
        let change = old.map(|old| {
            let importance = |old, new| difference(old, new, &url, &Hooks::default()).importance;
            [importance(&old.markup, &new.markup), importance(&old.looks, &new.looks)]
        });
        let agreement = Agreement::between(&new.markup, &new.looks);
        let blocks =
            [&new.markup, &new.looks].map(|page| page.layout.blocks().filter(|block| !block.is_bare()).count());
        Ok(Some(Page { path: self.site.path(version).to_owned(), version, blocks, agreement, change }))
    }

    /// A version by markup and by looks; nothing if it cannot be read or drawn.
    fn divided(&mut self, version: Version, row: u32, picture: bool) -> anyhow::Result<Option<Divided>> {
        let url = self.site.url(version);
        let Some(markup) = self.site.blocks(&url, row) else { return Ok(None) };
        let site = &mut self.site;
        match self.browser.render(&url, &mut |url| site.answer(url, row), picture) {
            Ok(rendered) => Ok(Some(Divided { markup, looks: vips(&rendered.boxes), rendered })),
            Err(trouble @ (RenderError::NoBrowser | RenderError::Start(_))) => Err(trouble.into()),
            Err(_) => {
                self.failed += 1;
                Ok(None)
            }
        }
    }

    /// A picture of a page with both divisions drawn over it.
    fn picture(&mut self, version: Version) -> anyhow::Result<Option<Vec<u8>>> {
        let Some(page) = self.divided(version, version.row, true)? else { return Ok(None) };
        let html = overlay::page(&page.rendered, [("by markup", &page.markup), ("by looks", &page.looks)]);
        Ok(overlay::draw(&mut self.browser, html)?)
    }
}
