//! What differs on every fetch though nothing has changed: session ids, the time of day, the advertisement.

use super::chance::{Purpose, below, dice};
use memchr::memmem;
use tintype_vocab::Time;

/// Where a live server would put an id of the session, documents have as many zeros.
pub(super) const SESSION: &str = "0000000000000000";

/// What stands before the time a page was generated.
pub(super) const GENERATED: &str = "Generated at ";
pub(super) const GENERATED_NEVER: &str = "0000-00-00T00:00:00Z";

/// What stands before the line of an advertisement.
pub(super) const TAGLINE: &str = "<p class=\"tagline\">";

/// All equally long, so that noise moves no other byte.
pub(super) const TAGLINES: [&str; 8] = [
    "Lamps that outlive their owners.",
    "Umbrellas, now with more canopy.",
    "The slowest watch money can buy.",
    "Insure your piano before Sunday.",
    "Tea for people who dislike rain.",
    "One bicycle, two happy families.",
    "Boots tested by three mountains.",
    "Bread delivered by quiet drones.",
];

/// The same document as another fetch would have it: new session ids, the time of the fetch, other advertisements. Its
/// length stays as it is, and so does everything a reader came for.
pub fn noise(body: &mut [u8], fetch: u64, at: Time) {
    let mut throws = dice(fetch, Purpose::Figures, 0);
    overwrite(body, SESSION, 0, || format!("{:016x}", throws.next_u64()));
    overwrite(body, &format!("{GENERATED}{GENERATED_NEVER}"), GENERATED.len(), || at.to_rfc3339_secs());
    overwrite(body, TAGLINE, TAGLINE.len(), || TAGLINES[below(&mut throws, TAGLINES.len())].to_owned());
}

/// Writes something over the text `skip` bytes after the start of every `mark`.
fn overwrite(body: &mut [u8], mark: &str, skip: usize, mut text: impl FnMut() -> String) {
    let mut from = 0;
    while let Some(found) = memmem::find(&body[from..], mark.as_bytes()) {
        let start = from + found + skip;
        let new = text();
        if let Some(old) = body.get_mut(start..start + new.len()) {
            old.copy_from_slice(new.as_bytes());
        }
        from += found + mark.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_differs_by_fetch_and_leaves_the_rest_alone() {
        assert!(TAGLINES.iter().all(|line| line.len() == TAGLINES[0].len()));
        let still = format!("<b>news</b>{TAGLINE}{}</p>sid={SESSION} {GENERATED}{GENERATED_NEVER}!", TAGLINES[0]);
        let fetched = |fetch| {
            let mut body = still.clone().into_bytes();
            noise(&mut body, fetch, Time::from_secs(1_794_779_703));
            String::from_utf8(body).unwrap()
        };
        let (one, two) = (fetched(1), fetched(2));
        assert_ne!(one, two);
        assert_eq!(one, fetched(1));
        assert_eq!(one.len(), still.len());
        assert!(
            one.starts_with("<b>news</b><p class=\"tagline\">") && one.ends_with(" Generated at 2026-11-15T21:55:03Z!")
        );
        assert!(!one.contains(SESSION));
    }

    #[test]
    fn a_mark_at_the_very_end_is_left_alone() {
        let mut body = TAGLINE.as_bytes().to_vec();
        noise(&mut body, 1, Time::from_secs(0));
        assert_eq!(body, TAGLINE.as_bytes());
    }
}
