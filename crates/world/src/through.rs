//! The level of fidelity on which the world hands out bytes: every answer goes through the real archive.
//!
//! The site answers as over HTTP, with validators and 304; the archive writes records, compares with the version it
//! holds, finds the links, and what it observed is what the policy learns from. Only the time between question and
//! answer is missing. [`Simulation::play`] takes the same decisions without any of this, as far as they do not depend on how
//! important a change was: that the archive sees by itself.

use crate::{
    Contents, Document, History, Played, Simulation, SimulationError,
    fidelity::{Asked, Fidelity, Run, There},
    machine::{MachineRequest, served, sitemap, text},
    play::registered,
};
use hashbrown::HashMap;
use std::fmt::Write;
use tintype_archive::{Capture, Exchange, Spool};
use tintype_vocab::{
    ChangeRate, Digest, Observation, Outcome, PageId, PageUrl, Purpose, Request, SiteId, Time, Truncated, Visit,
};

/// Bytes of records after which everything so far is made to last.
const COMMIT_BYTES: u64 = 8 << 20;

impl Simulation<'_> {
    /// Lets a registered policy play with bytes that are archived in `capture`, which stays open for its owner to end.
    pub fn play_through(&mut self, policy: &str, capture: &mut Capture) -> Result<Played, SimulationError> {
        let mut keeping = Keeping { capture, held: HashMap::new() };
        let played = Run::play(self, registered(policy)?, &mut keeping)?;
        capture.commit()?;
        Ok(played)
    }
}

/// Archives every page alive at a moment, as if each had been visited then.
pub fn hold_all(
    history: &History,
    mut contents: Option<&mut dyn Contents>,
    origin: &str,
    now: Time,
    capture: &mut Capture,
) -> Result<usize, SimulationError> {
    let mut held = 0;
    for page in 0..history.pages() as u32 {
        let Some(row) = history.alive(page, now) else { continue };
        let url = PageUrl::new(&format!("{origin}{}", history.path(page))).to_string();
        let ask = MachineRequest { target: "", origin, if_none_match: None, if_modified_since: None };
        // Not `as_deref_mut`, which would borrow for as long as the contents live.
        let contents = contents.as_mut().map(|contents| &mut **contents as &mut dyn Contents);
        let document = served(history, contents, row, &ask)?;
        let (id, rate) = (PageId(held as u32), ChangeRate::default());
        let request = Request { site: SiteId(0), page: id, url, purpose: Purpose::Visit, attempt: 0, rate };
        let outcome = Outcome::of_status(document.status, location(&document, origin).as_deref(), None);
        let exchange = exchange(&request.url, None, document);
        capture.ingest(&Visit { request, asked: now, answered: now, outcome }, Some(exchange), None)?;
        held += 1;
    }
    capture.commit()?;
    Ok(held)
}

struct Keeping<'c> {
    capture: &'c mut Capture,
    /// The entity tag of the version held of each page.
    held: HashMap<PageId, String>,
}

impl Fidelity for Keeping<'_> {
    fn answer(&mut self, stage: &mut Simulation<'_>, asked: &Asked<'_>) -> Result<Observation, SimulationError> {
        let held = self.held.get(&asked.request.page).map(String::as_str);
        let document = match &asked.there {
            There::Nothing => Document::gone(),
            There::Elsewhere(to) => Document::moved(to.clone()),
            There::Row(row) => stage.reader.served(*row, held)?,
            There::Rules(rules) => text("text/plain", rules.clone()),
            There::Sitemap(file) => text("application/xml", sitemap::printed(stage.history, &stage.origin, file)),
        };
        let request = asked.request.clone();
        let outcome = Outcome::of_status(document.status, location(&document, &stage.origin).as_deref(), None);
        let exchange = exchange(&request.url, held, document);
        let visit = Visit { request, asked: asked.now, answered: asked.now, outcome };
        if let Some(decision) = asked.decision {
            self.capture.decide(decision)?;
        }
        let mut observation = self.capture.ingest(&visit, Some(exchange), None)?;
        if matches!(asked.there, There::Row(_)) {
            observation.links = stage.reader.news(&observation.links, asked.now, stage.game.discovery);
        }
        self.remember(&observation);
        if self.capture.pending_bytes() > COMMIT_BYTES {
            self.capture.commit()?;
        }
        Ok(observation)
    }
}

impl Keeping<'_> {
    /// An empty version is not asked about: nobody could say later which record a confirmation speaks of.
    fn remember(&mut self, observation: &Observation) {
        if let (Outcome::Body { .. }, Some(tag)) = (&observation.outcome, &observation.validators.etag)
            && observation.digest != Some(Digest::EMPTY)
        {
            self.held.insert(observation.page, tag.clone());
        }
    }
}

/// Where the answer points instead of answering.
pub(crate) fn location(document: &Document, origin: &str) -> Option<String> {
    let target = document.field("location")?;
    Some(if target.starts_with('/') { format!("{origin}{target}") } else { target.to_owned() })
}

/// Question and answer as they would have crossed the wire.
pub(crate) fn exchange(url: &str, held: Option<&str>, document: Document) -> Exchange {
    let (host, path) =
        url.split_once("://").map_or((url, ""), |(_, rest)| rest.split_at(rest.find('/').unwrap_or(rest.len())));
    let mut request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n");
    if let Some(tag) = held {
        write!(request, "If-None-Match: {tag}\r\n").expect("strings grow");
    }
    Exchange {
        request_head: (request + "\r\n").into_bytes(),
        response_head: response_head(&document).into_bytes(),
        truncated: document.truncated.then_some(Truncated::Length),
        body: Spool::from_bytes(document.body),
        peer: None,
        protocols: Vec::new(),
        cipher_suite: None,
    }
}

fn response_head(document: &Document) -> String {
    let reason = match document.status {
        200 => "OK",
        304 => "Not Modified",
        404 => "Not Found",
        _ => "",
    };
    let mut head = format!("HTTP/1.1 {} {reason}\r\n", document.status);
    let content_type = document.content_type.as_deref().map(|value| ("Content-Type", value));
    let own = document.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in content_type.into_iter().chain(own) {
        write!(head, "{name}: {value}\r\n").expect("strings grow");
    }
    if document.status != 304 {
        write!(head, "Content-Length: {}\r\n", document.body.len()).expect("strings grow");
    }
    head + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Discovery, SimulationConfig, VisitEnd,
        machine::Sitemap,
        synthetic::{Made, SyntheticConfig, named},
    };
    use tintype_archive::{CaptureHead, CaptureKind, Collection, OpenOptions};
    use tintype_plan::policy::{PolicyKind, REGISTRY};
    use tintype_vocab::{Change, Span};

    /// Does not say how important a change was.
    struct Blind<'c>(Keeping<'c>);

    impl Fidelity for Blind<'_> {
        fn answer(&mut self, stage: &mut Simulation<'_>, asked: &Asked<'_>) -> Result<Observation, SimulationError> {
            let mut observation = self.0.answer(stage, asked)?;
            if let Change::New { importance } = &mut observation.change {
                *importance = 1.0;
            }
            Ok(observation)
        }
    }

    /// Each policy on both rungs of a small newspaper, its captures in one collection, each as a site of its own.
    fn both<'p>(
        policies: impl IntoIterator<Item = &'p str>,
        discovery: Discovery,
        sitemap: Option<Sitemap>,
        seed: u64,
    ) -> Vec<(&'p str, Played, Played)> {
        let wish = SyntheticConfig { pages: 40, days: 6.0, seed, ..SyntheticConfig::default() };
        let Made { history, mut contents, .. } = (named("news").unwrap().make)(&wish);
        let (from, to) = (wish.from + Span::from_days(2), wish.from + Span::from_days(6));
        let game = SimulationConfig { from, to, per_day: 40.0, discovery, run_seed: 3, sitemap };
        let mut stage = Simulation::new(&history, Some(&mut contents), &wish.origin, game);
        let root = tempfile::tempdir().unwrap();
        let options = OpenOptions { create: true, command: "test".to_owned(), now: from };
        let collection = Collection::open(root.path(), options).unwrap();
        let mut rungs = |policy| {
            let mut capture = collection.begin(head(policy, from)).unwrap();
            let seen = stage.play(policy).unwrap();
            let mut blind = Blind(Keeping { capture: &mut capture, held: HashMap::new() });
            let kept = Run::play(&mut stage, registered(policy).unwrap(), &mut blind).unwrap();
            let played = (policy, seen, kept);
            capture.commit().unwrap();
            capture.finish(&serde_json::json!({"ending": "complete"})).unwrap();
            played
        };
        let played = policies.into_iter().map(&mut rungs).collect();
        assert_eq!(collection.reading().verify().unwrap().findings, []);
        played
    }

    fn head(site: &str, started: Time) -> CaptureHead {
        CaptureHead {
            site: site.to_owned(),
            kind: CaptureKind::Capture,
            seeds: Vec::new(),
            settings: serde_json::Value::Null,
            run_seed: 3,
            started,
            describe: Vec::new(),
        }
    }

    #[test]
    fn every_policy_decides_the_same_by_observations_alone_and_through_the_archive() {
        let continual = REGISTRY.iter().filter(|policy| policy.kind == PolicyKind::Continual).map(|policy| policy.name);
        for (policy, seen, kept) in both(continual, Discovery::Announced, None, 4) {
            assert!(seen.visits.len() > 100, "{policy} made {} visits", seen.visits.len());
            let differs = seen.visits.iter().zip(&kept.visits).find(|(one, two)| one != two);
            assert_eq!(differs, None, "{policy}");
            assert_eq!(seen.visits.len(), kept.visits.len(), "{policy}");
        }
    }

    #[test]
    fn a_sitemap_tells_the_same_whether_or_not_it_is_printed() {
        for sitemap in [Sitemap::Honest, Sitemap::Lagging, Sitemap::Lying] {
            for discovery in [Discovery::Announced, Discovery::Links] {
                for (policy, seen, kept) in both(["tintype"], discovery, Some(sitemap), 6) {
                    let readings = seen.visits.iter().filter(|visit| visit.is_signal).count();
                    // One that lies is soon left alone.
                    assert!(readings > if sitemap == Sitemap::Lying { 0 } else { 2 }, "{sitemap:?}: {readings}");
                    let differs = seen.visits.iter().zip(&kept.visits).find(|(one, two)| one != two);
                    assert_eq!(differs, None, "{policy} {sitemap:?} {discovery:?}");
                }
            }
        }
    }

    #[test]
    fn pages_found_by_their_links_are_found_alike() {
        for (policy, seen, kept) in both(["tintype", "uniform"], Discovery::Links, None, 5) {
            assert!(seen.visits == kept.visits, "{policy}");
            for end in [VisitEnd::New, VisitEnd::Same] {
                assert!(seen.visits.iter().any(|visit| visit.ended == end), "{policy}: never {end:?}");
            }
        }
    }
}
