//! A policy let loose on a history: the line of a page with a clock that jumps from one visit to the next.
//!
//! The scheduler is the one of the live crawler. The site announces its pages as a sitemap would, or lets them be found
//! by their links; what it held at the beginning is held by the archive too. Every answer is what the site gave at that
//! moment: body or absence, Last-Modified, and the links if the bodies are known.

use crate::{Contents, History, Kind, Unreadable, reader::Reader};
use hashbrown::HashMap;
use tintype_plan::{Mode, Scheduler, SeedError, Settings, Step};
use tintype_quality::Seen;
use tintype_vocab::{Change, Observation, Outcome, PageId, Purpose, Request, SiteId, Span, Time, Validators};

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
    #[error("nothing is there at the beginning, so there is nothing to start from")]
    Empty,
}

/// A history with everything that does not depend on the policy worked out once.
#[derive(Debug)]
pub struct Stage<'a> {
    history: &'a History,
    origin: String,
    reader: Reader<'a>,
    /// Changes per day of every page, as they really were in the window.
    true_rates: Vec<f64>,
    game: Game,
}

impl<'a> Stage<'a> {
    pub fn new(history: &'a History, contents: Option<&'a mut dyn Contents>, origin: &str, game: Game) -> Stage<'a> {
        let true_rates = (0..history.pages() as u32).map(|page| true_rate(history, page, &game)).collect();
        let reader = Reader::new(history, contents, origin);
        Stage { history, origin: origin.trim_end_matches('/').to_owned(), reader, true_rates, game }
    }

    /// Another game on the same history. The window stays as it was.
    pub(crate) fn set(&mut self, game: Game) {
        assert_eq!((self.game.from, self.game.to), (game.from, game.to), "true rates belong to a window");
        self.game = game;
    }

    /// Lets a registered policy play.
    pub fn play(&mut self, policy: &str) -> Result<Played, Spoiled> {
        let slots = self.game.slots();
        let mut run = Run::begin(self, policy)?;
        run.open_doors()?;
        for slot in slots {
            run.announce(slot);
            run.visit(slot)?;
        }
        Ok(run.played)
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

struct Run<'s, 'a> {
    stage: &'s mut Stage<'a>,
    scheduler: Scheduler,
    /// The history's page behind a page of the scheduler.
    pages: HashMap<PageId, Option<u32>>,
    /// The row of the version held of each page.
    held: Vec<Option<u32>>,
    /// The next event that may be an announcement.
    next_event: usize,
    played: Played,
}

impl<'s, 'a> Run<'s, 'a> {
    fn begin(stage: &'s mut Stage<'a>, policy: &str) -> Result<Run<'s, 'a>, Spoiled> {
        let from = stage.game.from;
        let there = |page: u32| stage.history.alive(page, from).is_some();
        // The shortest path is the entrance, or nearly.
        let entrance = (0..stage.history.pages() as u32).filter(|page| there(*page));
        let entrance = entrance.min_by_key(|page| stage.history.path(*page).len()).ok_or(Spoiled::Empty)?;
        let seed = format!("{}{}", stage.origin, stage.history.path(entrance));
        let mut settings = Settings::new(SiteId(0), vec![seed]);
        settings.policy = policy.to_owned();
        // Nobody is disturbed in a simulation: the budget alone sets the pace.
        settings.delay = Some(Span::ZERO);
        settings.mode = Mode::Continual { every: Span::ZERO };
        settings.run_seed = stage.game.run_seed;
        let scheduler = Scheduler::new(settings)?;
        let held = vec![None; stage.history.pages()];
        let next_event = stage.history.events().partition_point(|event| event.at <= from);
        Ok(Run { stage, scheduler, pages: HashMap::new(), held, next_event, played: Played::default() })
    }

    /// What is there at the beginning is held: as if every page had just been visited.
    fn open_doors(&mut self) -> Result<(), Spoiled> {
        let from = self.stage.game.from;
        for page in 0..self.stage.history.pages() as u32 {
            let Some(row) = self.stage.history.alive(page, from) else { continue };
            let Some(id) = self.known(page, from) else { continue };
            let request = Request {
                site: SiteId(0),
                page: id,
                url: self.scheduler.pages().url(id).to_owned(),
                purpose: Purpose::Visit,
                attempt: 0,
            };
            let observation = self.answer(&request, Some(page), Some(row), from)?;
            self.scheduler.settle(&observation);
        }
        Ok(())
    }

    /// Makes a page of the history known to the scheduler.
    fn known(&mut self, page: u32, now: Time) -> Option<PageId> {
        let url = format!("{}{}", self.stage.origin, self.stage.history.path(page));
        let id = self.scheduler.announce(&url, now)?;
        self.scheduler.reveal_rate(id, self.stage.true_rates[page as usize]);
        self.pages.entry(id).or_insert(Some(page));
        Some(id)
    }

    /// Tells of the pages born since the last slot.
    fn announce(&mut self, now: Time) {
        if self.stage.game.discovery == Discovery::Links {
            return;
        }
        while let Some(event) = self.stage.history.events().get(self.next_event).filter(|event| event.at <= now) {
            self.next_event += 1;
            if event.kind == Kind::Added {
                self.known(event.page, event.at);
            }
        }
    }

    /// Spends one slot, if the policy wants to.
    fn visit(&mut self, now: Time) -> Result<(), Spoiled> {
        loop {
            let Step::Fetch(request) = self.scheduler.next(now) else { return Ok(()) };
            if request.purpose == Purpose::Robots {
                let nothing = Observation::of(&request, now, now, Outcome::Gone { status: 404 });
                self.scheduler.settle(&nothing);
                continue;
            }
            let page = self.page(&request);
            let row = page.and_then(|page| self.stage.history.alive(page, now));
            let observation = self.answer(&request, page, row, now)?;
            let ended = match observation.change {
                Change::First | Change::New { .. } => Ended::New,
                Change::Same => Ended::Same,
                Change::Unknown => Ended::Gone,
            };
            let path = request.url.strip_prefix(&self.stage.origin).unwrap_or(&request.url).to_owned();
            self.played.bytes += observation.bytes;
            self.played.visits.push(Visited { at: now, page, path, ended });
            self.scheduler.settle(&observation);
            return Ok(());
        }
    }

    fn page(&mut self, request: &Request) -> Option<u32> {
        let Stage { history, origin, true_rates, .. } = &*self.stage;
        let scheduler = &mut self.scheduler;
        *self.pages.entry(request.page).or_insert_with(|| {
            let page = history.find(request.url.strip_prefix(origin.as_str())?)?;
            scheduler.reveal_rate(request.page, true_rates[page as usize]);
            Some(page)
        })
    }

    /// What a visit teaches: the version alive, against the one held.
    fn answer(
        &mut self,
        request: &Request,
        page: Option<u32>,
        row: Option<u32>,
        now: Time,
    ) -> Result<Observation, Spoiled> {
        let mut observation = Observation::of(request, now, now, Outcome::Gone { status: 404 });
        let (Some(page), Some(row)) = (page, row) else { return Ok(observation) };
        let event = self.stage.history.events()[row as usize];
        observation.outcome = Outcome::Body { status: 200 };
        observation.change = match self.held[page as usize].replace(row) {
            None => Change::First,
            Some(held) if held == row => Change::Same,
            Some(_) => Change::New { importance: 1.0 },
        };
        observation.media_type = Some(self.stage.history.media_type(&event).to_owned());
        observation.validators = Validators { etag: None, last_modified: Some(event.at.to_mail_date()) };
        if observation.change != Change::Same {
            observation.bytes = u64::from(event.size);
            observation.links = self.stage.reader.links(row, now, self.stage.game.discovery)?;
        }
        Ok(observation)
    }
}
