//! Versions compared as a browser draws them, each with what the archive holds from its time.

use super::{Compare, judge::Judge};
use crate::failure::usage;
use anyhow::Context;
use tintype_archive::{Bodies, Changed, Original, Payload, Reading};
use tintype_live::render::{Browser, RenderError, RenderResponse, RenderSettings};
use tintype_observe::{
    page::{Segmented, vips},
    plain,
};
use tintype_vocab::Time;

/// Compares by looks, and by markup what cannot be drawn.
pub(super) fn comparison<'r>(reading: &'r Reading, mut judge: Judge<'r>) -> anyhow::Result<Compare<'r>> {
    let mut drawn = Drawn::from(reading)?;
    Ok(Box::new(move |changed, bodies| match drawn.versions(changed, bodies)? {
        Some((old, new)) => Ok(Some(judge.difference(changed, &old, &new))),
        None => Ok(judge.by_markup(changed, bodies)),
    }))
}

/// A browser that sees nothing but an archive.
struct Drawn<'r> {
    reading: &'r Reading,
    browser: Browser,
}

impl<'r> Drawn<'r> {
    fn from(reading: &'r Reading) -> anyhow::Result<Drawn<'r>> {
        let browser = Browser::start(RenderSettings::default()).map_err(|trouble| match trouble {
            RenderError::NoBrowser => usage(trouble, "install Chromium, such as apt install chromium"),
            other => other.into(),
        })?;
        Ok(Drawn { reading, browser })
    }

    /// Both versions by their looks; nothing if one is no page, is not held, or cannot be drawn.
    fn versions(&mut self, changed: &Changed, bodies: &Bodies) -> anyhow::Result<Option<(Segmented, Segmented)>> {
        let before = changed.before.as_ref().and_then(|before| before.original.as_ref());
        let Some(old) = self.blocks(bodies.before.as_ref(), before)? else { return Ok(None) };
        let Some(new) = self.blocks(bodies.after.as_ref(), changed.after.as_ref())? else { return Ok(None) };
        Ok(Some((old, new)))
    }

    fn blocks(&mut self, payload: Option<&Payload>, original: Option<&Original>) -> anyhow::Result<Option<Segmented>> {
        let is_page = |payload: &&Payload| payload.content_type.as_deref().is_some_and(|of| of.contains("html"));
        let Some((payload, original)) = payload.filter(is_page).zip(original) else { return Ok(None) };
        let reading = self.reading;
        let mut answers = |url: &str| match url == payload.url {
            true => Some(response(payload)),
            false => held(reading, url, original.date).map(|payload| response(&payload)),
        };
        match self.browser.boxes(&payload.url, &mut answers) {
            Ok(boxes) => Ok(Some(vips(&boxes))),
            Err(trouble @ (RenderError::NoBrowser | RenderError::Start(_))) => {
                Err(trouble).context("cannot draw pages")
            }
            Err(_) => Ok(None),
        }
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
