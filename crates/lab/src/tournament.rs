//! Every policy on the same history with the same visits to spend.

mod capture;
mod games;
mod out;
mod results;
mod table;
pub(crate) mod visits;

use crate::{Folder, LabProgress, ResultFiles, Results, SiteSource, forecast, open::OpenedSite, usage};
use capture::Capture;
use games::Games;
use results::TournamentResults;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
use tintype_learn::forecast::Forest;
use tintype_plan::policy;
use tintype_quality::Truth;
use tintype_vocab::Time;
use tintype_world::{Contents, Discovery, History, SimulationConfig, machine::Sitemap, tournament::pages_in_window};

/// What is played.
#[derive(Clone, Debug)]
pub struct TournamentConfig {
    pub source: SiteSource,
    /// Names of policies; all if there are none.
    pub policies: Vec<String>,
    /// Visits a day; a tenth of the pages if nothing is said.
    pub budget_per_day: Option<f64>,
    /// The window that is judged; all that is known if nothing is said.
    pub from: Option<Time>,
    pub to: Option<Time>,
    pub discovery: Discovery,
    /// What the site says of when its pages changed; reading it costs a visit.
    pub sitemap: Option<Sitemap>,
    pub run_seed: u64,
    /// Runs of a policy that rolls dice; sites to play on, if they are made up.
    pub seeds: u64,
    /// A directory for every visit of every policy.
    pub visits: Option<PathBuf>,
    /// Whether ours plays with what the histories beside this one have taught, and not this one.
    pub leave_out: bool,
    /// A folder for what histories teach, so that it need not be found out again.
    pub rows: Option<PathBuf>,
    /// Whether to play what pictures need: four more budgets, and one capture.
    pub with_pictures: bool,
}

/// Host of the URLs of a made-up site.
pub(crate) const ORIGIN: &str = "http://world.invalid";

/// A tournament that was played.
#[derive(Debug)]
pub struct TournamentReport {
    results: TournamentResults,
    site: OpenedSite,
}

/// Plays every policy that was named.
pub fn run(config: &TournamentConfig, progress: &dyn LabProgress) -> anyhow::Result<TournamentReport> {
    let players = players(&config.policies)?;
    let mut site = config.source.open(ORIGIN)?;
    let game = game(config, &site)?;
    let pages = pages_in_window(&site.history, game.from, game.to);
    let truth_of_site = truth(&site.history, site.contents.as_deref_mut(), &site.origin)?;
    let taught = taught(config, progress)?;
    let trained_on = taught.as_ref().map(|(_, names)| names.clone());
    let mut games = Games::new(config, &players, &game, progress).taught_by(taught.map(|(forest, _)| forest));
    games.play_on(&mut site, &truth_of_site, 0)?;
    for nth in 1..games.sites() {
        // A made-up site is itself thrown with dice: the same tournament on its sisters.
        let mut sister = config.source.sister(nth, ORIGIN)?;
        let truth = truth(&sister.history, sister.contents.as_deref_mut(), &sister.origin)?;
        games.play_on(&mut sister, &truth, nth)?;
    }
    let (asked, others) = games.finish();
    let results = TournamentResults { name: site.name.clone(), game, pages, trained_on, asked, others };
    Ok(TournamentReport { results, site })
}

impl Results for TournamentReport {
    fn json(&self) -> String {
        self.results.json().to_string()
    }

    fn text(&self) -> String {
        table::text(&self.results)
    }
}

impl ResultFiles for TournamentReport {
    fn fill(&self, folder: &mut Folder, command: &str) -> anyhow::Result<()> {
        out::fill(folder, &self.results, &self.capture()?, command)
    }

    fn write(&self, directory: &Path, command: &str) -> anyhow::Result<String> {
        let mut folder = Folder::make(directory)?;
        self.fill(&mut folder, command)?;
        Ok(out::line(&folder))
    }
}

impl TournamentReport {
    /// One capture of the site, page by page.
    fn capture(&self) -> anyhow::Result<Capture> {
        capture::take(&self.site, &self.results.game)
    }
}

/// What the histories beside the one that is played teach, where it is to be left out, and their names.
fn taught(config: &TournamentConfig, progress: &dyn LabProgress) -> anyhow::Result<Option<(Arc<Forest>, Vec<String>)>> {
    match &config.source {
        _ if !config.leave_out => Ok(None),
        SiteSource::Recorded { directory, .. } => {
            let (forest, names) = forecast::taught_without(directory, config.rows.as_deref(), progress)?;
            Ok(Some((Arc::new(forest), names)))
        }
        SiteSource::MadeUp { .. } => {
            Err(usage("a made-up site is none that anybody learned from", "leave --leave-out away, or name --history"))
        }
    }
}

/// What is played, if it can be.
pub(crate) fn game(config: &TournamentConfig, site: &OpenedSite) -> anyhow::Result<SimulationConfig> {
    let (from, to) = (config.from.unwrap_or(site.from), config.to.unwrap_or(site.to));
    if from >= to {
        return Err(usage(
            format!("the window ends before it begins: {} to {}", from.to_rfc3339_secs(), to.to_rfc3339_secs()),
            format!("choose --from and --to between {} and {}", site.from.to_rfc3339_secs(), site.to.to_rfc3339_secs()),
        ));
    }
    let discovery = config.discovery;
    if discovery == Discovery::Links && site.contents.is_none() && config.sitemap.is_none() {
        return Err(usage(
            "links cannot be followed: only the events of this history are known, not its bodies",
            "put history.warc.gz beside events.csv.gz, leave --discovery links out, or let a sitemap tell of them with --sitemap",
        ));
    }
    let a_tenth = || (pages_in_window(&site.history, from, to) as f64 / 10.0).max(1.0);
    let per_day = config.budget_per_day.unwrap_or_else(a_tenth);
    let game = SimulationConfig { from, to, per_day, discovery, run_seed: config.run_seed, sitemap: config.sitemap };
    if Games::too_long(&game) {
        let problem = "that is more than a hundred million visits";
        return Err(usage(problem, "choose a smaller --budget or a shorter window"));
    }
    Ok(game)
}

/// What happened, every version weighing as much as its change is important, or 1 where only events are known.
pub(crate) fn truth(
    history: &History,
    contents: Option<&mut (dyn Contents + Send + 'static)>,
    origin: &str,
) -> anyhow::Result<Truth> {
    match contents {
        Some(contents) => {
            let weights = tintype_world::weights(history, contents, origin)?;
            Ok(history.truth(|row| weights[row as usize]))
        }
        None => Ok(history.truth(|_| 1.0)),
    }
}

pub(crate) fn players(names: &[String]) -> anyhow::Result<Vec<&'static policy::RegisteredPolicy>> {
    if names.is_empty() {
        return Ok(policy::continual().collect());
    }
    let find = |name: &String| {
        policy::find(name.trim()).ok_or_else(|| {
            let known = policy::continual().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
            usage(format!("no policy is called {name}"), format!("choose among {known}"))
        })
    };
    names.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn pictures_and_tables_are_written_for_every_budget() {
        let directory = tempfile::tempdir().unwrap();
        let source = SiteSource::MadeUp { world: "poisson".to_owned(), pages: 12, days: 4.0, seed: 1 };
        let config = TournamentConfig {
            source,
            policies: ["uniform", "tintype"].map(str::to_owned).to_vec(),
            budget_per_day: Some(8.0),
            from: None,
            to: None,
            discovery: Discovery::Announced,
            sitemap: None,
            run_seed: 1,
            seeds: 2,
            visits: None,
            leave_out: false,
            rows: None,
            with_pictures: true,
        };
        run(&config, &Silent).unwrap().write(directory.path(), "tintype lab tournament").unwrap();
        for name in ["completeness-by-budget", "freshness-over-time", "policies", "capture-sharp"] {
            for kind in ["svg", "png"] {
                assert!(
                    directory.path().join(format!("{name}.{kind}")).metadata().unwrap().len() > 1000,
                    "{name}.{kind}"
                );
            }
        }
        let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
        let (results, budgets, document) = (read("results.csv"), read("budgets.csv"), read("results.md"));
        assert_eq!((results.lines().count(), budgets.lines().count()), (1 + 2, 1 + 5 * 3));
        for table in [&results, &budgets] {
            let fields = |line: &str| line.split(',').count();
            assert!(table.lines().all(|line| fields(line) == fields(table.lines().next().unwrap())), "{table}");
        }
        assert!(document.contains("\n| tintype |") && document.contains("Made by `tintype "), "{document}");
    }

    #[test]
    fn everybody_plays_unless_somebody_is_named() {
        assert!(players(&[]).unwrap().iter().any(|player| player.name == "tintype"));
        assert_eq!(players(&["uniform".to_owned()]).unwrap()[0].name, "uniform");
        assert_eq!(players(&["frequency".to_owned()]).unwrap()[0].name, "cho-freshness");
        assert!(players(&["nobody".to_owned()]).is_err());
    }
}
