//! One change with everything there is to say about it.

use super::importance::word;
use crate::amount;
use serde::Serialize;
use tintype_archive::{Bodies, Changed, Payload};
use tintype_observe::page::{self, Difference};
use tintype_vocab::Time;

/// What became of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum What {
    Changed,
    /// It was there, and is not.
    Gone,
}

/// A page that changed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Item {
    pub(super) url: String,
    pub(super) what: What,
    pub(super) site: String,
    pub(super) capture: String,
    /// When a visit found it so.
    pub(super) found: String,
    /// The page was still as before when it was last looked at, then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) last_seen_before: Option<String>,
    pub(super) importance: f64,
    pub(super) word: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) media_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) before: Option<Version>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<Version>,
    /// The most important blocks that changed, the most important first.
    pub(super) blocks: Vec<page::ChangedPart>,
    /// Why there is nothing to say about blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    #[serde(skip)]
    pub(super) at: Time,
}

/// A version in the archive.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Version {
    /// When it was archived: what a replay tool finds it by.
    pub(super) archived: String,
    /// Bytes of its body as served; nothing if it is not held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<u64>,
}

/// Whether the log says 1 only because nobody has compared the versions.
pub(super) fn is_a_guess(changed: &Changed) -> bool {
    changed.importance >= 1.0
}

impl Item {
    /// As important as the log says, unless that is a guess or versions were compared `anew`, in another way.
    pub(super) fn of(changed: &Changed, bodies: &Bodies, difference: Option<Difference>, anew: bool) -> Item {
        let logged = f64::from(changed.importance);
        let importance = match &difference {
            Some(difference) if anew || is_a_guess(changed) => difference.importance,
            _ => logged,
        };
        let seen = &changed.observation;
        let what = if changed.is_gone() { What::Gone } else { What::Changed };
        let before = changed.before.as_ref();
        let version = |archived: Time, body: Option<&Payload>| Version {
            archived: archived.to_rfc3339_secs(),
            bytes: body.map(|body| body.body.len() as u64),
        };
        let original = |of: Option<&tintype_archive::Original>, body| of.map(|of| version(of.date, body));
        Item {
            url: seen.url.clone(),
            what,
            site: changed.site.clone(),
            capture: changed.capture.to_string(),
            found: seen.asked.to_rfc3339_secs(),
            last_seen_before: before.map(|before| before.until.to_rfc3339_secs()),
            importance,
            word: word(importance),
            media_type: seen.media_type.clone(),
            before: original(before.and_then(|before| before.original.as_ref()), bodies.before.as_ref()),
            after: original(changed.after.as_ref(), bodies.after.as_ref()),
            note: note(what, bodies, difference.as_ref()),
            blocks: difference.map(|difference| difference.changed).unwrap_or_default(),
            at: seen.asked,
        }
    }
}

fn note(what: What, bodies: &Bodies, difference: Option<&Difference>) -> Option<String> {
    let size = |of: &Payload| amount::bytes(of.body.len() as u64);
    match (&bodies.before, &bodies.after, difference) {
        _ if what == What::Gone => Some("the page is gone".to_owned()),
        (None, None, _) => Some("neither version is held; only that it changed is known".to_owned()),
        (None, _, _) => Some("the version before is not held".to_owned()),
        (_, None, _) => Some("the new version is not held".to_owned()),
        (Some(before), Some(after), None) if before.is_cut || after.is_cut => {
            Some("too long to be compared".to_owned())
        }
        (Some(before), Some(after), None) => {
            Some(format!("not text that can be compared: {} before, {} after", size(before), size(after)))
        }
        (_, _, Some(difference)) if difference.changed.is_empty() => {
            Some("nothing a reader would see: only markup, dates or counters".to_owned())
        }
        _ => None,
    }
}
