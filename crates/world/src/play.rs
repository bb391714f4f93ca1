//! A policy let loose on a history: the line of a page with a clock that jumps from one visit to the next.
//!
//! The scheduler is the one of the live crawler. The site announces its pages as a sitemap would, or lets them be found
//! by their links; what it held at the beginning is held by the archive too. Every answer is what the site gave at that
//! moment: body or absence, Last-Modified, and the links if the bodies are known.

use crate::{
    Contents, EventKind, History, Unreadable,
    fidelity::{Asked, Fidelity, Run, There},
    machine::Sitemap,
    reader::Reader,
    signals::{self, HeldFiles},
};
use std::collections::BTreeMap;
use tintype_plan::{
    SeedError,
    policy::{self, Policy, PolicyKind},
};
use tintype_quality::{Seen, Truth};
use tintype_vocab::{Change, Observation, Outcome, Span, TestedDay, Time, Validators};

/// How pages become known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discovery {
    /// Every page at its birth, as by a sitemap.
    Announced,
    /// When a visited page links it.
    Links,
}

/// What a policy is to play.
#[derive(Clone, Debug)]
pub struct SimulationConfig {
    pub from: Time,
    pub to: Time,
    /// Visits a day, evenly spread.
    pub per_day: f64,
    pub discovery: Discovery,
    pub run_seed: u64,
    /// What the site says of itself; reading it costs a visit.
    pub sitemap: Option<Sitemap>,
}

impl SimulationConfig {
    /// The moments at which a visit may be made: whole seconds, as the tables of events have them.
    pub fn slots(&self) -> impl Iterator<Item = Time> + use<> {
        let (from, to, gap) = (self.from, self.to, 86_400.0 / self.per_day);
        (0u64..).map(move |nth| from + Span::from_secs((nth as f64 * gap) as i64)).take_while(move |at| *at < to)
    }
}

/// How a visit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitEnd {
    /// The page was there, as it was last time.
    Same,
    /// The page was there in a version not held.
    New,
    /// The page was not there.
    Gone,
}

/// One visit of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited {
    pub at: Time,
    /// Number of the page in the history; `None` for a URL that never existed there.
    pub page: Option<u32>,
    /// The sitemap, or a part of it: no page of the history.
    pub is_signal: bool,
    pub path: String,
    pub ended: VisitEnd,
}

/// What a policy did.
#[derive(Clone, Debug, Default)]
pub struct Played {
    pub visits: Vec<Visited>,
    /// Bytes the visits would have moved.
    pub bytes: u64,
    /// What was watched at the moments that were asked for.
    pub watched: Vec<WatchedPages>,
}

/// The pages that a scheduler watched at a moment.
#[derive(Clone, Debug, Default)]
pub struct WatchedPages {
    pub at: Time,
    /// By the number of a page in the history.
    pub pages: BTreeMap<u32, WatchedPage>,
    /// What forecasts came to until then.
    pub tested: Vec<TestedDay>,
}

/// What is believed of a page that is watched.
#[derive(Clone, Copy, Debug)]
pub struct WatchedPage {
    /// The share of its changes that listings tell of.
    pub heard_of: f64,
    /// The chance that it has a version nobody has seen, where that is foretold.
    pub foretold: Option<f64>,
}

impl Played {
    /// The visits as the measures want them; those to pages that never existed see nothing and are counted apart.
    pub fn seen(&self) -> Vec<Seen> {
        self.visits.iter().filter_map(|visit| visit.page.map(|page| Seen { at: visit.at, page })).collect()
    }
}

/// A game that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    #[error(transparent)]
    Settings(#[from] SeedError),
    #[error(transparent)]
    Contents(#[from] Unreadable),
    #[error(transparent)]
    Archive(#[from] tintype_archive::Error),
    #[error("nothing is there at the beginning, so there is nothing to start from")]
    Empty,
}

/// A history with everything that does not depend on the policy worked out once.
#[derive(Debug)]
pub struct Simulation<'a> {
    pub(crate) history: &'a History,
    pub(crate) origin: String,
    pub(crate) reader: Reader<'a>,
    /// Changes per day of every page, as they really were in the window.
    pub(crate) true_rates: Vec<f64>,
    pub(crate) game: SimulationConfig,
    /// What versions weigh, if that is known.
    truth: Option<&'a Truth>,
    pub(crate) rehearsal: Option<WarmUp>,
    /// Whether requests are saved up for whole passes.
    pub(crate) in_passes: bool,
    /// Moments, in order, at which it is noted what is watched.
    pub(crate) moments: Vec<Time>,
}

/// A time before the game in which every page is visited for nothing, so that whoever learns has learned.
#[derive(Clone, Copy, Debug)]
pub struct WarmUp {
    pub since: Time,
    pub every: Span,
}

impl<'a> Simulation<'a> {
    pub fn new(
        history: &'a History,
        contents: Option<&'a mut dyn Contents>,
        origin: &str,
        game: SimulationConfig,
    ) -> Simulation<'a> {
        let true_rates = (0..history.pages() as u32).map(|page| true_rate(history, page, &game)).collect();
        let reader = Reader::new(history, contents, origin);
        let origin = origin.trim_end_matches('/').to_owned();
        let (rehearsal, moments) = (None, Vec::new());
        Simulation { history, origin, reader, true_rates, game, truth: None, rehearsal, in_passes: false, moments }
    }

    /// Observations tell how important a change was: what the versions since the one held weigh by `truth`, 1 at most.
    pub fn weighing(self, truth: &'a Truth) -> Simulation<'a> {
        Simulation { truth: Some(truth), ..self }
    }

    /// Lets a registered policy play. Nothing but observations is made: the lowest fidelity, and the fastest.
    pub fn play(&mut self, policy: &str) -> Result<Played, SimulationError> {
        self.in_passes = policy::find(policy).is_some_and(|entry| entry.kind == PolicyKind::Passes);
        let played = self.play_with(registered(policy)?);
        self.in_passes = false;
        played
    }

    /// The same with a policy that is not registered, for experiments.
    pub fn play_with(&mut self, policy: Box<dyn Policy>) -> Result<Played, SimulationError> {
        let held = vec![None; self.history.pages()];
        Run::play(self, policy, &mut Sightings { held, signals: HeldFiles::default() })
    }

    fn importance(&self, page: u32, held: Time, seen: Time) -> f32 {
        let Some(truth) = self.truth else { return 1.0 };
        let versions = truth.page(page as usize);
        let after = |time: Time| versions.partition_point(|version| version.from <= time);
        let weights = versions[after(held)..after(seen)].iter().map(|version| version.weight);
        weights.sum::<f32>().min(1.0)
    }
}

/// A fresh policy by name.
pub(crate) fn registered(name: &str) -> Result<Box<dyn Policy>, SeedError> {
    policy::make(name).ok_or_else(|| SeedError::UnknownPolicy { name: name.to_owned() })
}

/// What visits teach, made up from the events without printing or reading a page where that can be avoided.
struct Sightings {
    /// The version held of each page: its digest and when it came to be.
    held: Vec<Option<(u64, Time)>>,
    signals: HeldFiles,
}

impl Fidelity for Sightings {
    fn answer(&mut self, stage: &mut Simulation<'_>, asked: &Asked<'_>) -> Result<Observation, SimulationError> {
        let now = asked.now;
        let mut observation = Observation::of(asked.request, now, now, Outcome::Gone { status: 404 });
        let row = match &asked.there {
            There::Nothing => return Ok(observation),
            There::Elsewhere(to) => {
                observation.outcome = Outcome::Redirected { status: 301, to: to.clone() };
                return Ok(observation);
            }
            There::Rules(text) => {
                (observation.outcome, observation.robots) = (Outcome::Body { status: 200 }, Some(text.clone()));
                return Ok(observation);
            }
            There::Sitemap(file) => {
                observation.outcome = Outcome::Body { status: 200 };
                observation.change = self.signals.compare(asked.request.page, file);
                if observation.change != Change::Same {
                    observation.links = signals::links(stage.history, &stage.origin, file);
                }
                return Ok(observation);
            }
            There::Row(row) => *row,
        };
        let event = stage.history.events()[row as usize];
        observation.outcome = Outcome::Body { status: 200 };
        // A version that came back is the one held: an archive compares bytes.
        observation.change = match self.held[event.page as usize].replace((event.digest, event.at)) {
            None => Change::First,
            Some((held, _)) if held == event.digest => Change::Same,
            Some((_, since)) => Change::New { importance: stage.importance(event.page, since, event.at) },
        };
        observation.media_type = Some(stage.history.media_type(&event).to_owned());
        observation.validators = Validators { etag: None, last_modified: Some(event.at.to_mail_date()) };
        if observation.change != Change::Same {
            observation.bytes = u64::from(event.size);
            observation.links = stage.reader.links(row, now, stage.game.discovery)?;
        }
        Ok(observation)
    }
}

/// Mean changes per day while alive in the window.
fn true_rate(history: &History, page: u32, game: &SimulationConfig) -> f64 {
    let rows = history.rows(page);
    let (mut changes, mut alive) = (0, Span::ZERO);
    for (nth, &row) in rows.iter().enumerate() {
        let event = &history.events()[row as usize];
        let until = rows.get(nth + 1).map_or(game.to, |&next| history.events()[next as usize].at).min(game.to);
        if event.kind != EventKind::Deleted && until > event.at.max(game.from) {
            alive = alive + (until - event.at.max(game.from));
        }
        changes += u32::from(event.kind == EventKind::Modified && (game.from..game.to).contains(&event.at));
    }
    f64::from(changes) / alive.as_days_f64().max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Recorder};
    use std::sync::{Arc, Mutex};
    use tintype_plan::policy::{Choice, View};
    use tintype_vocab::PageId;

    /// Visits the only page whenever it may, and remembers what it was told.
    #[derive(Debug, Default)]
    struct Witness(Arc<Mutex<Vec<(i64, Change)>>>);

    impl Policy for Witness {
        fn on_known(&mut self, _: PageId, _: &View<'_>) {}

        fn choose(&mut self, _: Time, _: &View<'_>) -> Choice {
            Choice::Visit(PageId(0))
        }

        fn on_observation(&mut self, _: PageId, observation: &Observation, _: &View<'_>) {
            if observation.outcome == (Outcome::Body { status: 200 }) {
                self.0.lock().unwrap().push((observation.asked.as_secs(), observation.change));
            }
        }
    }

    /// Nobody announces that a page came back: it is asked for again, as by one that keeps a site.
    #[test]
    fn who_looks_by_links_asks_again_for_pages_that_went() {
        let (mut recorder, hour) = (Recorder::default(), |hour: i64| Time::from_secs(3600 * hour));
        for (at, page, kind) in [
            (0, "/", EventKind::Added),
            (0, "/a", EventKind::Added),
            (30, "/a", EventKind::Deleted),
            (60, "/a", EventKind::Added),
        ] {
            recorder.record(hour(at), page, kind, 1, 1, "").unwrap();
        }
        let history = recorder.finish();
        let game = SimulationConfig {
            from: hour(1),
            to: hour(144),
            per_day: 24.0,
            discovery: Discovery::Links,
            run_seed: 1,
            sitemap: None,
        };
        let played = Simulation::new(&history, None, "http://a.invalid", game).play("uniform").unwrap();
        let asked = played.visits.iter().filter(|visit| visit.path == "/a");
        let (gone, there): (Vec<_>, Vec<_>) =
            asked.filter(|visit| visit.at >= hour(30)).partition(|visit| visit.ended == VisitEnd::Gone);
        assert_eq!(gone.len(), 2, "at once and a day later");
        assert!(there.len() > 15, "two days after that it is back: {}", there.len());
    }

    struct Bodies([&'static str; 3]);

    impl Contents for Bodies {
        fn document(&mut self, row: u32) -> Result<Option<Document>, Unreadable> {
            let body = self.0[row as usize].into();
            Ok(Some(Document { status: 200, content_type: Some("text/html".to_owned()), body, ..Document::default() }))
        }
    }

    /// As live: what a recorded robots.txt forbids is not asked for, whatever links lead there.
    #[test]
    fn who_looks_by_links_obeys_the_recorded_robots_txt() {
        let asked_for = |rules: &'static str| {
            let mut recorder = Recorder::default();
            for page in ["/", "/robots.txt", "/cgi-bin/a"] {
                recorder.record(Time::from_secs(0), page, EventKind::Added, 1, 1, "").unwrap();
            }
            let history = recorder.finish();
            let mut contents = Bodies(["<a href=/cgi-bin/gone>gone</a>", rules, "a"]);
            let game = SimulationConfig {
                from: Time::from_secs(3600),
                to: Time::from_secs(86_400 * 4),
                per_day: 24.0,
                discovery: Discovery::Links,
                run_seed: 1,
                sitemap: None,
            };
            let mut stage = Simulation::new(&history, Some(&mut contents), "http://a.invalid", game);
            let played = stage.play("uniform").unwrap();
            played.visits.iter().filter(|visit| visit.path.starts_with("/cgi-bin/")).count()
        };
        assert!(asked_for("User-agent: *\nAllow: /\n") > 20);
        assert_eq!(asked_for("User-agent: *\nDisallow: /cgi-bin/\n"), 0);
    }

    #[test]
    fn a_change_is_as_important_as_all_versions_since_the_one_held() {
        let mut recorder = Recorder::default();
        recorder.record(Time::from_secs(0), "/", EventKind::Added, 1, 1, "").unwrap();
        for (at, digest) in [(10, 2), (20, 3), (30, 4), (50, 5), (60, 6)] {
            recorder.record(Time::from_secs(at), "/", EventKind::Modified, 1, digest, "").unwrap();
        }
        let history = recorder.finish();
        let truth = history.truth(|row| [1.0, 0.125, 0.25, 0.125, 0.75, 0.5][row as usize]);
        let (from, to) = (Time::from_secs(20), Time::from_secs(80));
        let game = SimulationConfig {
            from,
            to,
            per_day: 86_400.0 / 40.0,
            discovery: Discovery::Announced,
            run_seed: 1,
            sitemap: None,
        };
        let mut stage = Simulation::new(&history, None, "http://a.invalid", game).weighing(&truth);
        stage.rehearsal = Some(WarmUp { since: Time::from_secs(5), every: Span::from_secs(10) });
        let witness = Witness::default();
        let told = witness.0.clone();
        stage.play_with(Box::new(witness)).unwrap();
        let new = |importance| Change::New { importance };
        let expected = [(5, Change::First), (15, new(0.125)), (20, new(0.25)), (20, Change::Same), (60, new(1.0))];
        assert_eq!(*told.lock().unwrap(), expected);
    }
}
