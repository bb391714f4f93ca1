//! Versions compared as a browser draws them, each with what the archive holds from its time.

use crate::failure::usage;
use tintype_archive::{Original, Payload, Reading};
use tintype_live::render::{Browser, RenderError, RenderResponse, RenderSettings};
use tintype_observe::{
    page::{Segmented, segment_both, vips},
    plain,
};
use tintype_session::feed::BothVersions;
use tintype_vocab::Time;

/// A browser that sees nothing but an archive.
pub(super) struct Drawn<'r> {
    reading: &'r Reading,
    browser: Browser,
}

impl<'r> Drawn<'r> {
    pub(super) fn from(reading: &'r Reading) -> anyhow::Result<Drawn<'r>> {
        let browser = Browser::start(RenderSettings::default()).map_err(|trouble| match trouble {
            RenderError::NoBrowser => usage(trouble, "install Chromium, such as apt install chromium"),
            other => other.into(),
        })?;
        Ok(Drawn { reading, browser })
    }

    /// A version by its looks; nothing if it is no page, or cannot be drawn.
    fn blocks(&mut self, payload: &Payload, original: &Original) -> Option<Segmented> {
        if !payload.content_type.as_deref().is_some_and(|of| of.contains("html")) {
            return None;
        }
        let reading = self.reading;
        let mut answers = |url: &str| match url == payload.url {
            true => Some(response(payload)),
            false => held(reading, url, original.date).map(|payload| response(&payload)),
        };
        self.browser.boxes(&payload.url, &mut answers).ok().map(|boxes| vips(&boxes))
    }
}

/// By looks, and by markup what cannot be drawn.
impl BothVersions for Drawn<'_> {
    fn read(&mut self, before: (&Original, &Payload), after: (&Original, &Payload)) -> Option<[Segmented; 2]> {
        if let (Some(old), Some(new)) = (self.blocks(before.1, before.0), self.blocks(after.1, after.0)) {
            return Some([old, new]);
        }
        let (old, new) = (before.1, after.1);
        segment_both((&old.described(), &old.body), (&new.described(), &new.body))
    }
}

/// What the archive holds of a URL from nearest to a time.
fn held(reading: &Reading, url: &str, time: Time) -> Option<Payload> {
    let versions = reading.versions(url).ok()?.into_iter().filter(|version| !version.is_duplicate());
    let nearest = versions.min_by_key(|version| version.time.as_millis().abs_diff(time.as_millis()))?;
    let original = Original { url: nearest.url, date: nearest.time, place: Some(nearest.place) };
    reading.payload(&original).ok().flatten().filter(|payload| !payload.is_cut)
}

fn response(payload: &Payload) -> RenderResponse {
    let content_type = payload.content_type.iter().map(|value| ("content-type".to_owned(), value.clone()));
    let body = plain(payload.content_encoding.as_deref(), &payload.body).into_owned();
    RenderResponse { status: 200, headers: content_type.collect(), body }
}
