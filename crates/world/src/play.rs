//! A policy let loose on a history: the line of a page with a clock that jumps from one visit to the next.
//!
//! The scheduler is the one of the live crawler. The site announces its pages as a sitemap would, or lets them be found
//! by their links; what it held at the beginning is held by the archive too. Every answer is what the site gave at that
//! moment: body or absence, Last-Modified, and the links if the bodies are known.

use crate::{
    Contents, History, Kind, Unreadable,
    reader::Reader,
    rung::{Asked, Run, Rung},
};
use tintype_plan::SeedError;
use tintype_quality::Seen;
use tintype_vocab::{Change, Observation, Outcome, Span, Time, Validators};

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
pub struct Game {
    pub from: Time,
    pub to: Time,
    /// Visits a day, evenly spread.
    pub per_day: f64,
    pub discovery: Discovery,
    pub run_seed: u64,
}

impl Game {
    /// The moments at which a visit may be made: whole seconds, as the tables of events have them.
    pub fn slots(&self) -> impl Iterator<Item = Time> + use<> {
        let (from, to, gap) = (self.from, self.to, 86_400.0 / self.per_day);
        (0u64..).map(move |nth| from + Span::from_secs((nth as f64 * gap) as i64)).take_while(move |at| *at < to)
    }
}

/// How a visit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
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
    pub path: String,
    pub ended: Ended,
}

/// What a policy did.
#[derive(Clone, Debug, Default)]
pub struct Played {
    pub visits: Vec<Visited>,
    /// Bytes the visits would have moved.
    pub bytes: u64,
}

impl Played {
    /// The visits as the measures want them; those to pages that never existed see nothing and are counted apart.
    pub fn seen(&self) -> Vec<Seen> {
        self.visits.iter().filter_map(|visit| visit.page.map(|page| Seen { at: visit.at, page })).collect()
    }
}

/// A game that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum Spoiled {
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
pub struct Stage<'a> {
    pub(crate) history: &'a History,
    pub(crate) origin: String,
    pub(crate) reader: Reader<'a>,
    /// Changes per day of every page, as they really were in the window.
    pub(crate) true_rates: Vec<f64>,
    pub(crate) game: Game,
}

impl<'a> Stage<'a> {
    pub fn new(history: &'a History, contents: Option<&'a mut dyn Contents>, origin: &str, game: Game) -> Stage<'a> {
        let true_rates = (0..history.pages() as u32).map(|page| true_rate(history, page, &game)).collect();
        let reader = Reader::new(history, contents, origin);
        Stage { history, origin: origin.trim_end_matches('/').to_owned(), reader, true_rates, game }
    }

    /// Lets a registered policy play. Nothing but observations is made: the fastest rung.
    pub fn play(&mut self, policy: &str) -> Result<Played, Spoiled> {
        let held = vec![None; self.history.pages()];
        Run::begin(self, policy)?.play(&mut Sightings { held })
    }
}

/// What visits teach, made up from the events without printing or reading a page where that can be avoided.
struct Sightings {
    /// The digest of the version held of each page.
    held: Vec<Option<u64>>,
}

impl Rung for Sightings {
    fn answer(&mut self, stage: &mut Stage<'_>, asked: &Asked<'_>) -> Result<Observation, Spoiled> {
        let now = asked.now;
        let mut observation = Observation::of(asked.request, now, now, Outcome::Gone { status: 404 });
        let Some(row) = asked.row else { return Ok(observation) };
        let event = stage.history.events()[row as usize];
        observation.outcome = Outcome::Body { status: 200 };
        // A version that came back is the one held: an archive compares bytes.
        observation.change = match self.held[event.page as usize].replace(event.digest) {
            None => Change::First,
            Some(held) if held == event.digest => Change::Same,
            Some(_) => Change::New { importance: 1.0 },
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
fn true_rate(history: &History, page: u32, game: &Game) -> f64 {
    let rows = history.rows(page);
    let (mut changes, mut alive) = (0, Span::ZERO);
    for (nth, &row) in rows.iter().enumerate() {
        let event = &history.events()[row as usize];
        let until = rows.get(nth + 1).map_or(game.to, |&next| history.events()[next as usize].at).min(game.to);
        if event.kind != Kind::Deleted && until > event.at.max(game.from) {
            alive = alive + (until - event.at.max(game.from));
        }
        changes += u32::from(event.kind == Kind::Modified && (game.from..game.to).contains(&event.at));
    }
    f64::from(changes) / alive.as_days_f64().max(1e-3)
}
