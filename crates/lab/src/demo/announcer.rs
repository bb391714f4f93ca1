//! Which page speaks of the others' changes: a listing that names a page for the first time, in other words, or with
//! another date than last time.

use super::week::Sighting;
use serde::Serialize;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};
use tintype_vocab::{Change, LinkKind, Observation, Outcome, Time};

/// The page that announced most.
#[derive(Debug, Serialize)]
pub(super) struct Announcer {
    pub(super) path: String,
    /// Pages that announced others, this one included.
    pub(super) listings: usize,
    /// New and changed pages that recaptures found, listings left out.
    pub(super) news: usize,
    /// How many of them it announced.
    pub(super) announced: usize,
    /// How many pages it spoke of in all.
    pub(super) spoken: usize,
}

/// A page in one of the captures.
type Mention<'a> = (usize, &'a str);

/// How a listing speaks of each page it names.
type Wording<'a> = HashMap<&'a str, (u32, Option<Time>)>;

#[derive(Default)]
struct Lister<'a> {
    wording: Wording<'a>,
    spoken: Vec<Mention<'a>>,
}

pub(super) fn best(origin: &str, sightings: &[Sighting]) -> Option<Announcer> {
    let (mut listers, mut news) = (BTreeMap::<&str, Lister<'_>>::new(), HashSet::<Mention<'_>>::new());
    for (nth, Sighting { observations, .. }) in sightings.iter().enumerate() {
        news.extend(observations.iter().filter(|seen| nth > 0 && is_news(seen)).map(|seen| (nth, &*seen.url)));
        for seen in observations.iter().filter(|seen| matches!(seen.outcome, Outcome::Body { .. })) {
            listers.entry(&seen.url).or_default().read(nth, seen);
        }
    }
    listers.retain(|_, lister| lister.announced(&news) > 0);
    news.retain(|(_, url)| !listers.contains_key(url));
    let (url, lister) =
        listers.iter().max_by_key(|(_, lister)| (lister.announced(&news), Reverse(lister.spoken.len())))?;
    Some(Announcer {
        path: url.strip_prefix(origin).unwrap_or(url).to_owned(),
        listings: listers.len(),
        news: news.len(),
        announced: lister.announced(&news),
        spoken: lister.spoken.len(),
    })
}

fn is_news(seen: &Observation) -> bool {
    matches!(seen.change, Change::First | Change::New { .. })
}

impl<'a> Lister<'a> {
    fn read(&mut self, nth: usize, seen: &'a Observation) {
        let named = seen.links.iter().filter(|link| link.kind != LinkKind::Embed && link.url != seen.url);
        let wording: Wording<'a> = named.map(|link| (link.url, (link.context, link.modified))).collect();
        // Whoever is read for the first time names everything for the first time.
        if !self.wording.is_empty() {
            let anew = wording.iter().filter(|(url, words)| self.wording.get(*url) != Some(words));
            self.spoken.extend(anew.map(|(url, _)| (nth, *url)));
        }
        self.wording = wording;
    }

    fn announced(&self, news: &HashSet<Mention<'_>>) -> usize {
        self.spoken.iter().filter(|mention| news.contains(*mention)).count()
    }
}
