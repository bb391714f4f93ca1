//! The real crawler against a past site on loopback, judged as a policy in a tournament is, and beside it the same policy in
//! the tournament.
//!
//! Serving and crawling are for the caller: this knows neither sockets nor clocks. [`LivePlay::hold`] archives what was there
//! at the beginning, [`LiveVisits::note`] is told every request the site answered, [`LivePlay::results`] judges them.

use crate::{
    Results, Silent,
    open::{OpenedSite, SiteSource},
    tournament::{
        self, TournamentConfig, truth,
        visits::{self, VisitRow},
    },
    usage,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};
use tintype_archive::{CaptureHead, CaptureKind, Collection, OpenOptions};
use tintype_quality::{Score, Seen, judge};
use tintype_vocab::Time;
use tintype_world::{
    Contents, Discovery, MovedContents, VisitEnd,
    machine::{Machine, Sitemap},
    tournament::pages_in_window,
};

/// What is played.
#[derive(Clone, Debug)]
pub struct LiveConfig {
    pub source: SiteSource,
    pub policy: String,
    pub per_day: u64,
    pub from: Option<Time>,
    pub to: Option<Time>,
    pub sitemap: Option<Sitemap>,
    /// Where to write every request the site answered.
    pub visits: Option<PathBuf>,
}

/// A request that the site answered.
#[derive(Clone, Debug)]
struct Answered {
    at: Time,
    /// The page of the history; nothing for sitemaps and what never existed.
    page: Option<u32>,
    target: String,
    status: u16,
}

impl Answered {
    fn row(&self) -> VisitRow<'_> {
        let ended = match self.status {
            200..=299 => VisitEnd::New,
            304 => VisitEnd::Same,
            _ => VisitEnd::Gone,
        };
        VisitRow { at: self.at, path: &self.target, ended }
    }
}

/// A live run under way.
#[derive(Debug)]
pub struct LivePlay {
    config: LiveConfig,
    site: OpenedSite,
    pub from: Time,
    pub to: Time,
    visits: LiveVisits,
}

/// What a site answered, for the server that answers.
#[derive(Clone, Debug, Default)]
pub struct LiveVisits(Arc<Mutex<Vec<Answered>>>);

impl LiveVisits {
    /// The site answered a request.
    pub fn note(&self, at: Time, page: Option<u32>, target: &str, status: u16) {
        let answered = Answered { at, page, target: target.to_owned(), status };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(answered);
    }
}

/// What came of it.
#[derive(Debug)]
pub struct LiveResults {
    config: LiveConfig,
    name: String,
    window: (Time, Time),
    pages: usize,
    score: Score,
    best: f64,
    /// All of them, and those for sitemaps and listings that are no page of the history.
    requests: u64,
    signal_requests: u64,
    over_budget_days: usize,
    lab_completeness: Option<f64>,
}

impl LivePlay {
    pub fn new(config: LiveConfig) -> anyhow::Result<LivePlay> {
        let site = config.source.open(tournament::ORIGIN)?;
        if config.sitemap.is_none() && site.contents.is_none() {
            return Err(usage(
                "no page could be found: only the events of this history are known, and no sitemap tells of its pages",
                "let it have one with --sitemap honest",
            ));
        }
        let (from, to) = (config.from.unwrap_or(site.from), config.to.unwrap_or(site.to));
        if from >= to {
            return Err(usage("the window ends before it begins", "choose other --from and --to"));
        }
        Ok(LivePlay { config, site, from, to, visits: LiveVisits::default() })
    }

    /// The site at another origin, ready to answer.
    pub fn machine(&self, origin: &str) -> anyhow::Result<Machine> {
        let OpenedSite { history, contents, origin: old, .. } = self.config.source.open(tournament::ORIGIN)?;
        Ok(Machine::new(history, moved(contents, &old, origin), self.config.sitemap))
    }

    /// Archives what was there at the beginning, as another tool might have.
    pub fn hold(&self, directory: &Path, name: &str, origin: &str) -> anyhow::Result<()> {
        let site = self.config.source.open(tournament::ORIGIN)?;
        let mut contents = moved(site.contents, &site.origin, origin);
        let now = self.from;
        let options = OpenOptions { create: true, command: "tintype lab live".to_owned(), now };
        let collection = Collection::open(directory, options)?;
        let mut capture = collection.begin(CaptureHead {
            site: name.to_owned(),
            kind: CaptureKind::Import,
            seeds: Vec::new(),
            settings: Value::Null,
            run_seed: 0,
            started: now,
            describe: Vec::new(),
        })?;
        let contents = contents.as_mut().map(|contents| contents.as_mut() as &mut dyn Contents);
        tintype_world::hold_all(&site.history, contents, origin, now, &mut capture)?;
        Ok(capture.finish(&json!({ "ending": "complete" }))?)
    }

    /// Where every request is noted that the site answers.
    pub fn visits(&self) -> LiveVisits {
        self.visits.clone()
    }

    /// Judges the visits, and lets the same policy play the tournament.
    pub fn results(mut self) -> anyhow::Result<LiveResults> {
        let mut answered = std::mem::take(&mut *self.visits.0.lock().unwrap_or_else(PoisonError::into_inner));
        answered.retain(|one| (self.from..self.to).contains(&one.at) && one.target != "/robots.txt");
        answered.sort_by_key(|one| one.at);
        if let Some(directory) = &self.config.visits {
            visits::write(directory, &self.config.policy, answered.iter().map(Answered::row))?;
        }
        let seen: Vec<Seen> = answered.iter().filter_map(|one| Some(Seen { at: one.at, page: one.page? })).collect();
        let truth = truth(&self.site.history, self.site.contents.as_deref_mut(), &self.site.origin)?;
        let mut score = judge(&truth, self.from, self.to, &seen);
        score.visits = answered.len() as u64;
        score.useful *= seen.len() as f64 / (answered.len() as f64).max(1.0);
        let (best, lab_completeness) = self.in_the_lab()?;
        Ok(LiveResults {
            name: self.site.name.clone(),
            window: (self.from, self.to),
            pages: pages_in_window(&self.site.history, self.from, self.to),
            score,
            best,
            requests: answered.len() as u64,
            signal_requests: answered.iter().filter(|one| one.page.is_none()).count() as u64,
            over_budget_days: over_budget(&answered, self.config.per_day),
            lab_completeness,
            config: self.config,
        })
    }

    /// The best that was possible, and the same policy in the tournament with the same sitemap.
    fn in_the_lab(&self) -> anyhow::Result<(f64, Option<f64>)> {
        let config = TournamentConfig {
            source: self.config.source.clone(),
            policies: vec![self.config.policy.clone()],
            budget_per_day: Some(self.config.per_day as f64),
            from: Some(self.from),
            to: Some(self.to),
            discovery: Discovery::Links,
            sitemap: self.config.sitemap,
            run_seed: 1,
            seeds: 1,
            visits: None,
            leave_out: false,
            rows: None,
            with_pictures: false,
        };
        let played: Value = serde_json::from_str(&tournament::run(&config, &Silent)?.json())?;
        let best = played["oracle_completeness"].as_f64().unwrap_or(0.0);
        Ok((best, played["results"][0]["completeness"].as_f64()))
    }
}

fn moved(contents: Option<Box<dyn Contents + Send>>, old: &str, new: &str) -> Option<Box<dyn Contents + Send>> {
    contents.map(|contents| Box::new(MovedContents::new(contents, old, new)) as Box<dyn Contents + Send>)
}

/// Days of UTC with more requests than they may have.
fn over_budget(answered: &[Answered], per_day: u64) -> usize {
    let mut days: BTreeMap<i64, u64> = BTreeMap::new();
    for one in answered {
        *days.entry(one.at.as_secs().div_euclid(86_400)).or_default() += 1;
    }
    days.values().filter(|requests| **requests > per_day).count()
}

impl Results for LiveResults {
    fn json(&self) -> String {
        let Score { completeness, weighted_completeness, freshness, mean_age_hours, useful, visits, versions, .. } =
            self.score;
        json!({
            "history": self.name, "from": self.window.0.as_secs(), "to": self.window.1.as_secs(),
            "budget_per_day": self.config.per_day, "pages": self.pages, "versions": versions,
            "oracle_completeness": self.best, "policy": self.config.policy, "visits": visits,
            "completeness": completeness, "weighted_completeness": weighted_completeness, "freshness": freshness,
            "mean_age_hours": mean_age_hours, "useful": useful, "requests": self.requests,
            "signal_requests": self.signal_requests, "over_budget_days": self.over_budget_days,
            "lab_completeness": self.lab_completeness,
        })
        .to_string()
    }

    fn text(&self) -> String {
        let score = &self.score;
        let lab = self.lab_completeness.map_or_else(
            || "nothing appeared there".to_owned(),
            |lab| format!("{lab:.3}, so live is {:+.3}", score.completeness - lab),
        );
        format!(
            "{}  {} by {} at {} a day, live over loopback\n  completeness  {:.3} of {} versions; the best possible {:.3}\n  in the lab    \
             {lab}\n  freshness     {:.3}, copies {:.1} h old on average\n  requests      {}, {} of them for signals; {} days over budget\n",
            self.name,
            self.pages,
            self.config.policy,
            self.config.per_day,
            score.completeness,
            score.versions,
            self.best,
            score.freshness,
            score.mean_age_hours,
            self.requests,
            self.signal_requests,
            self.over_budget_days
        )
    }
}
