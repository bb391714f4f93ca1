//! What earlier captures say of how lively a site is as a whole, and where a capture writes down that it was told.
//!
//! It stands at the head of the capture, which is in its log and in every segment: whoever has the WARC files has all that
//! the certificate was made from.

use crate::command::report::certify;
use tintype_archive::{CaptureHead, Collection};
use tintype_quality::certificate::{Activity, Experience, REMEMBERED};

/// The field of the head.
const FIELD: &str = "tintype-activity";

/// The field that says it.
pub(crate) fn field(activity: &Activity) -> (&'static str, String) {
    (FIELD, serde_json::to_string(activity).expect("an activity is plain data"))
}

/// What a capture was told; what is believed of any site if it was told nothing.
pub(crate) fn told(head: &CaptureHead) -> Activity {
    let field = head.describe.iter().find(|(name, _)| name == FIELD);
    let activity = field.and_then(|(_, text)| serde_json::from_str::<Activity>(text).ok());
    let is_sound = |told: &Activity| told.factor.is_finite() && told.factor > 0.0 && told.spread.is_finite();
    activity.filter(|told| is_sound(told) && told.spread > 0.0).unwrap_or_default()
}

/// What to believe of a site about to be captured, from the captures of it that came to an end.
pub(crate) fn learned(collection: &Collection, site: &str) -> anyhow::Result<Activity> {
    let reading = collection.reading();
    let mut captures = reading.captures()?;
    captures.retain(|capture| capture.head.site == site && capture.end.is_some());
    // Of what has faded only the number counts.
    let faded = captures.len().saturating_sub(REMEMBERED);
    let mut seen = vec![Experience::default(); faded];
    for capture in &captures[faded..] {
        seen.push(certify(&reading, capture)?.experience);
    }
    Ok(Activity::after(&seen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::Time;

    fn head(describe: Vec<(String, String)>) -> CaptureHead {
        let (site, settings) = ("example.com".to_owned(), serde_json::Value::Null);
        CaptureHead { site, seeds: Vec::new(), settings, run_seed: 1, started: Time::from_secs(0), describe }
    }

    #[test]
    fn what_is_told_is_found_again_and_nonsense_is_not() {
        let activity = Activity { factor: 1.0 / 3.0, spread: 0.1 + 0.2, captures: 7 };
        let (name, text) = field(&activity);
        assert_eq!(told(&head(vec![(name.to_owned(), text)])), activity);
        for nonsense in
            ["", "{}", r#"{"factor":-1,"spread":1,"captures":1}"#, r#"{"factor":1,"spread":0,"captures":1}"#]
        {
            assert_eq!(told(&head(vec![(FIELD.to_owned(), nonsense.to_owned())])), Activity::default(), "{nonsense}");
        }
        assert_eq!(told(&head(Vec::new())), Activity::default());
    }
}
