//! What earlier captures say of how lively a site is as a whole, and where a capture writes down what it was told.
//!
//! It stands at the head of the capture, which is in its log and in every segment: whoever has the WARC files has all that
//! the certificate was made from. Each capture hands on what it was told and adds what it saw itself.

use crate::{Error, certify};
use tintype_archive::{CaptureHead, CaptureKind, Collection};
use tintype_quality::certificate::{Activity, Experience, REMEMBERED};

/// The field of the head.
const FIELD: &str = "tintype-experience";

/// The field that says what earlier captures saw, in order of time.
pub fn field(seen: &[Experience]) -> (&'static str, String) {
    (FIELD, serde_json::to_string(seen).expect("experience is plain data"))
}

/// What was believed of the site when a capture began; what is believed of any site if it was told nothing.
pub fn believed(head: &CaptureHead) -> Activity {
    Activity::after(&told(head))
}

fn told(head: &CaptureHead) -> Vec<Experience> {
    let field = head.describe.iter().find(|(name, _)| name == FIELD);
    field.and_then(|(_, text)| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// What is to be told to the next capture of a site: what the last one that came to an end was told, and what it saw.
pub fn experience(collection: &Collection, site: &str) -> Result<Vec<Experience>, Error> {
    // What was imported was never scheduled, so nothing was expected of it.
    let scheduled = CaptureKind::ALL.into_iter().filter(|kind| kind.is_scheduled());
    let ended = scheduled.map(|kind| collection.latest_ended(site, kind)).collect::<Result<Vec<_>, _>>()?;
    let Some(last) = ended.into_iter().flatten().max_by(|one, other| one.id.cmp(&other.id)) else {
        return Ok(Vec::new());
    };
    let mut seen = told(&last.head);
    // Only second looks show whether pages changed during a capture.
    if last.head.settings["revisit"] == true {
        seen.push(certify(&collection.reading(), &last)?.experience);
    }
    Ok(seen.split_off(seen.len().saturating_sub(REMEMBERED)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::Time;

    fn head(describe: Vec<(String, String)>) -> CaptureHead {
        let (site, settings) = ("example.com".to_owned(), serde_json::Value::Null);
        let (kind, seeds, started) = (CaptureKind::Capture, Vec::new(), Time::from_secs(0));
        CaptureHead { site, kind, seeds, settings, run_seed: 1, started, describe }
    }

    #[test]
    fn what_is_told_is_found_again_and_nonsense_is_not() {
        let seen = [1.0 / 3.0, 0.1 + 0.2].map(|expected| Experience { changed: 2, expected, per_factor: 0.25 });
        let (name, text) = field(&seen);
        let head_with = |text: &str| head(vec![(name.to_owned(), text.to_owned())]);
        assert_eq!(told(&head_with(&text)), seen);
        assert_eq!(believed(&head_with(&text)), Activity::after(&seen));
        for nonsense in ["", "{}", "[3]", r#"[{"changed":-1,"expected":1,"per_factor":1}]"#] {
            assert_eq!(believed(&head_with(nonsense)), Activity::default(), "{nonsense}");
        }
        assert_eq!(believed(&head(Vec::new())), Activity::default());
    }
}
