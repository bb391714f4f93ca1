//! The sources that are looked at: recorded ones, and made-up ones of which everything is known.

use crate::paper::PaperConfig;
use crate::{
    decay::{OpenedSource, experiment, too_short, usual_training},
    parallel::side_by_side,
    usage,
};
use anyhow::Context;
use std::path::Path;
use tintype_plan::deadline::BROKEN_SHARE_MAX;
use tintype_vocab::CopyMeasure;
use tintype_world::source::Copies;
use tintype_world::source::{
    CrawlExperiment, Foreseen, KeptPromise,
    made_up::{MadeUpConfig, named},
};

/// How good a copy should be; the paper has the middle one.
pub(super) const TARGETS: [f64; 3] = [0.8, 0.9, 0.95];
pub(super) const PAPERS: usize = 1;

/// Objects and days of the made-up sources.
const SIZE: u32 = 1000;
const DAYS: u32 = 240;
/// The paper's world, then what breaks one of its assumptions each.
const MADE_UP: [&str; 5] = ["steady", "regime-change", "weekly", "heavy-tails", "partitions"];

/// One source, as it is trained and judged.
pub(super) struct Subject {
    pub(super) copies: Copies,
    pub(super) training: usize,
    pub(super) is_made_up: bool,
}

impl Subject {
    fn new(copies: Copies, is_made_up: bool) -> anyhow::Result<Subject> {
        let training = usual_training(&copies.grid).ok_or_else(|| too_short(&copies.name, &copies.grid))?;
        Ok(Subject { copies, training, is_made_up })
    }

    fn read(directory: &Path) -> anyhow::Result<Subject> {
        let OpenedSource { name, source } = OpenedSource::read(directory)?;
        let copies = Copies::new(name, source, None);
        Subject::new(copies.map_err(|error| usage(error, "choose a source that was looked at less often"))?, false)
    }

    fn throw(name: &str, wish: &MadeUpConfig) -> anyhow::Result<Subject> {
        let world = named(name).context("a source by that name")?;
        Subject::new(Copies::new(name.to_owned(), (world.make)(wish), None)?, true)
    }

    pub(super) fn name(&self) -> &str {
        &self.copies.name
    }

    pub(super) fn experiment(&self, measure: CopyMeasure) -> CrawlExperiment<'_> {
        experiment(&self.copies.grid, self.training, measure, None)
    }
}

/// All sources, recorded ones first.
pub(super) struct Subjects(Vec<Subject>);

/// What foresights and policies came to on one source by one measure.
pub(super) struct Judged {
    pub(super) name: String,
    pub(super) is_made_up: bool,
    pub(super) measure: CopyMeasure,
    pub(super) cycle: usize,
    pub(super) foreseen: Vec<Foreseen>,
    /// Of each of [`TARGETS`].
    pub(super) kept: Vec<Vec<KeptPromise>>,
}

impl Judged {
    /// The squared error of a model.
    pub(super) fn error(&self, model: &str) -> f64 {
        self.foreseen.iter().find(|foreseen| foreseen.model == model).map_or(f64::NAN, |foreseen| foreseen.error)
    }

    pub(super) fn policy(&self, target: usize, policy: &str) -> Option<&KeptPromise> {
        self.kept[target].iter().find(|kept| kept.policy == policy)
    }

    /// The fewest crawls with which a policy keeps the promise.
    pub(super) fn fewest(&self, target: usize, policy: &str) -> Option<f64> {
        self.policy(target, policy)?.tuned.map(|(_, score)| score.crawls as f64)
    }

    /// `recall of cars`.
    pub(super) fn words(&self) -> String {
        format!("{} of {}", self.measure.name(), self.name)
    }
}

impl Subjects {
    pub(super) fn open(config: &PaperConfig) -> anyhow::Result<Subjects> {
        let recorded = side_by_side(config.objects.len() as u64, |nth| Subject::read(&config.objects[nth as usize]))?;
        let wish = MadeUpConfig {
            seed: config.run_seed.wrapping_add(1),
            size: config.pages.unwrap_or(SIZE) as usize,
            days: config.days.unwrap_or(DAYS),
            ..MadeUpConfig::default()
        };
        let made_up = MADE_UP.iter().map(|name| Subject::throw(name, &wish));
        Ok(Subjects(recorded.into_iter().map(Ok).chain(made_up).collect::<anyhow::Result<_>>()?))
    }

    pub(super) fn all(&self) -> &[Subject] {
        &self.0
    }

    /// Those that figures of the paper are made of: recorded ones if there are any.
    pub(super) fn shown(&self) -> &[Subject] {
        let recorded = self.0.iter().take_while(|subject| !subject.is_made_up).count();
        if recorded > 0 { &self.0[..recorded] } else { &self.0 }
    }

    /// Every source by both measures.
    pub(super) fn judge(&self) -> anyhow::Result<Vec<Judged>> {
        let each = self.0.len() as u64 * 2;
        side_by_side(each, |nth| {
            let subject = &self.0[nth as usize / 2];
            let experiment = subject.experiment(CopyMeasure::ALL[nth as usize % 2]);
            Ok(Judged {
                name: subject.name().to_owned(),
                is_made_up: subject.is_made_up,
                measure: experiment.measure,
                cycle: experiment.cycle,
                foreseen: experiment.foresee(),
                kept: experiment.keep(&TARGETS, BROKEN_SHARE_MAX),
            })
        })
    }
}

/// Those that were recorded, or all if none was.
pub(super) fn shown(judged: &[Judged]) -> Vec<&Judged> {
    let recorded: Vec<&Judged> = judged.iter().filter(|it| !it.is_made_up).collect();
    if recorded.is_empty() { judged.iter().collect() } else { recorded }
}
