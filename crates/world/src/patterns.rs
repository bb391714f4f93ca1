//! The made-up site of the page-change-pattern paper: every page keeps a timetable, every change has an importance.
//!
//! Pages are busy in office hours, in the evening or at night (overseas), on weekends less, as much or more; pages near the
//! entrance change more and more importantly. Two models of when a change happens ([`ChangeModel`]) share the timetables. All of
//! it is a function of a [`SyntheticConfig`] and nothing else.

use crate::{
    Contents, Document, EventKind, History, Recorder, Unreadable,
    synthetic::{
        PlainTree, SyntheticConfig,
        chance::{Purpose, below, dice, gamma, happens, log_normal, poisson},
    },
};
use std::fmt::Write;
use tintype_plan::Dice;
use tintype_vocab::{Span, Time};

/// Pages an index page leads to.
const OUTDEGREE: usize = 8;
/// Mean importance of a change, before prominence.
const IMPORTANCE: f64 = 0.2;
/// How unequal pages are: standard deviations of the logarithms of importance and rate.
const IMPORTANCE_SIGMA: f64 = 0.6;
const RATE_SIGMA: f64 = 0.5;
/// Mean changes a day where they come at any moment, before prominence, and the most of any page.
const RATE_PER_DAY: f64 = 12.0;
const RATE_MAX: f64 = 96.0;
/// Importance of single changes around the page's mean: gamma of this shape, a third of the mean is one standard deviation.
const IMPORTANCE_SHAPE: f64 = 9.0;
/// What any change is worth.
const IMPORTANCE_MIN: f64 = 0.001;
/// What goes on outside busy hours, of what goes on at their height.
const FLOOR: f64 = 0.03;

/// When changes come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeModel {
    /// Every page changes at the beginning of every hour, as important as its timetable says: the paper's simulation.
    Hourly,
    /// Changes come at any moment, more of them in busy hours.
    Anytime,
}

/// A site that came true.
#[derive(Debug)]
pub struct Patterned {
    pub history: History,
    /// Importance of the change behind each row, for [`History::truth`].
    pub weights: Vec<f32>,
    /// Pages with their links, which never change.
    pub contents: Signposts,
}

/// Makes the site; the rate and the lastmod of the wish have no say.
pub fn patterned(wish: &SyntheticConfig, model: ChangeModel) -> Patterned {
    let tree = PlainTree { pages: wish.pages, outdegree: OUTDEGREE };
    let mut changes = Vec::new();
    for page in 0..wish.pages as u32 {
        let timetable = Timetable::throw(&mut dice(wish.seed, Purpose::Places, page.into()));
        let mut dice = dice(wish.seed, Purpose::Changes, page.into());
        let prominence = prominence(&tree, page);
        let importance = log_normal(&mut dice, IMPORTANCE * prominence, IMPORTANCE_SIGMA);
        match model {
            ChangeModel::Hourly => hourly(wish, &timetable, importance, &mut dice, page, &mut changes),
            ChangeModel::Anytime => {
                let rate = log_normal(&mut dice, RATE_PER_DAY * prominence, RATE_SIGMA).min(RATE_MAX);
                anytime(wish, &timetable, (rate, importance), &mut dice, page, &mut changes);
            }
        }
    }
    changes.sort_unstable_by_key(|change| (change.at, change.page));
    record(wish, &changes, tree)
}

struct Change {
    at: Time,
    page: u32,
    importance: f32,
}

fn hourly(
    wish: &SyntheticConfig,
    timetable: &Timetable,
    mean: f64,
    dice: &mut Dice,
    page: u32,
    changes: &mut Vec<Change>,
) {
    for hour in 1..(wish.days * 24.0) as i64 {
        let at = wish.from + Span::from_secs(hour * 3600);
        let importance = one(dice, mean * timetable.at(at));
        changes.push(Change { at, page, importance });
    }
}

fn anytime(
    wish: &SyntheticConfig,
    timetable: &Timetable,
    (rate, mean): (f64, f64),
    dice: &mut Dice,
    page: u32,
    changes: &mut Vec<Change>,
) {
    let peak = timetable.peak();
    let days: Vec<f64> = poisson(dice, rate * peak, 0.0, wish.days).collect();
    for day in days {
        let at = wish.from + Span::from_secs((day * 86_400.0) as i64);
        if at > wish.from && happens(dice, timetable.at(at) / peak) {
            changes.push(Change { at, page, importance: one(dice, mean) });
        }
    }
}

/// The importance of a single change.
fn one(dice: &mut Dice, mean: f64) -> f32 {
    (mean * gamma(dice, IMPORTANCE_SHAPE)).clamp(IMPORTANCE_MIN, 1.0) as f32
}

/// Pages near the entrance matter more.
fn prominence(tree: &PlainTree, page: u32) -> f64 {
    let depth = std::iter::successors(Some(page), |page| tree.parent(*page)).count();
    [2.0, 1.5, 1.1].get(depth - 1).copied().unwrap_or(0.8)
}

fn record(wish: &SyntheticConfig, changes: &[Change], tree: PlainTree) -> Patterned {
    let mut recorder = Recorder::default();
    let mut rows = Vec::with_capacity(wish.pages + changes.len());
    let mut push = |at, page: u32, kind, importance| {
        rows.push((page, importance));
        let digest = rows.len() as u64;
        let recorded = recorder.record(at, &path(page), kind, 8 << 10, digest, "text/html");
        recorded.expect("pages appear first and changes come in order of time");
    };
    (0..wish.pages as u32).for_each(|page| push(wish.from, page, EventKind::Added, 1.0));
    changes.iter().for_each(|change| push(change.at, change.page, EventKind::Modified, change.importance));
    let (pages, weights) = rows.into_iter().unzip();
    Patterned { history: recorder.finish(), weights, contents: Signposts { tree, pages } }
}

fn path(page: u32) -> String {
    match page {
        0 => "/".to_owned(),
        _ => format!("/d{}/p{page}.html", page as usize / OUTDEGREE),
    }
}

/// How busy a page is, by the hour of weekdays and of weekends; the mean over a week is 1.
#[derive(Clone, Debug)]
struct Timetable {
    hours: [[f64; 24]; 2],
}

impl Timetable {
    fn throw(dice: &mut Dice) -> Timetable {
        // Nine in twenty in office hours, five in the evening, six overseas.
        let peak = match below(dice, 20) {
            0..9 => 9.0 + 7.0 * dice.unit(),
            9..14 => 18.5 + 4.0 * dice.unit(),
            _ => 5.0 * dice.unit(),
        };
        let width = 0.8 + 1.4 * dice.unit();
        let weekend = [0.3, 1.0, 1.6][below(dice, 3)];
        let later = 3.0 * dice.unit();
        let weekday = bump(peak, width);
        Timetable { hours: [weekday, bump(peak + later, width).map(|busy| busy * weekend)] }.scaled()
    }

    fn scaled(mut self) -> Timetable {
        let [weekday, weekend] = self.hours.map(|hours| hours.iter().sum::<f64>());
        let mean = (5.0 * weekday + 2.0 * weekend) / 168.0;
        self.hours.iter_mut().flatten().for_each(|busy| *busy /= mean);
        self
    }

    fn at(&self, at: Time) -> f64 {
        let (day, hour) = (at.as_secs().div_euclid(86_400), at.as_secs().rem_euclid(86_400) / 3600);
        // 1970-01-01 was a Thursday.
        let is_weekend = (day + 3).rem_euclid(7) >= 5;
        self.hours[usize::from(is_weekend)][hour as usize]
    }

    fn peak(&self) -> f64 {
        self.hours.iter().flatten().copied().fold(0.0, f64::max)
    }
}

/// Around one hour of the day, which has no beginning.
fn bump(peak: f64, width: f64) -> [f64; 24] {
    std::array::from_fn(|hour| {
        let apart = (hour as f64 + 0.5 - peak).rem_euclid(24.0);
        let apart = apart.min(24.0 - apart);
        FLOOR + (-(apart / width).powi(2) / 2.0).exp()
    })
}

/// Prints a page as its links: up, home and down.
#[derive(Debug)]
pub struct Signposts {
    tree: PlainTree,
    /// Of every row.
    pages: Vec<u32>,
}

impl Contents for Signposts {
    fn document(&mut self, row: u32) -> Result<Option<Document>, Unreadable> {
        let page = self.pages[row as usize];
        let mut body = format!("<title>Page {page}</title><p>Version {row}</p>");
        for linked in self.tree.parent(page).into_iter().chain([0]).chain(self.tree.children(page)) {
            write!(body, "<a href=\"{}\">Page {linked}</a> ", path(linked)).expect("strings grow");
        }
        let content_type = Some("text/html; charset=utf-8".to_owned());
        Ok(Some(Document { status: 200, content_type, body: body.into_bytes(), ..Document::default() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(seed: u64) -> SyntheticConfig {
        SyntheticConfig { seed, pages: 60, days: 28.0, ..SyntheticConfig::default() }
    }

    #[test]
    fn timetables_have_a_mean_of_one_and_a_peak_above_it() {
        for seed in 0..200 {
            let timetable = Timetable::throw(&mut dice(7, Purpose::Places, seed));
            let week =
                (0..168).map(|hour| timetable.at(SyntheticConfig::default().from + Span::from_secs(hour * 3600)));
            assert!((week.sum::<f64>() / 168.0 - 1.0).abs() < 1e-9, "seed {seed}");
            assert!((1.5..14.0).contains(&timetable.peak()), "seed {seed}: {}", timetable.peak());
        }
    }

    #[test]
    fn every_page_has_a_version_an_hour_or_changes_at_any_moment() {
        let site = patterned(&wish(1), ChangeModel::Hourly);
        assert_eq!(site.history.events().len(), 60 * 28 * 24);
        assert!(site.history.events().iter().all(|event| event.at.as_secs() % 3600 == 0));
        let site = patterned(&wish(1), ChangeModel::Anytime);
        let a_day = site.history.events().len() as f64 / (60.0 * 28.0);
        assert!((8.0..20.0).contains(&a_day), "{a_day}");
        assert_eq!(site.weights.len(), site.history.events().len());
        assert!(site.weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
    }

    /// What a page was worth in each hour of weekdays follows its timetable, whichever the model.
    #[test]
    fn importance_follows_the_timetable() {
        for model in [ChangeModel::Hourly, ChangeModel::Anytime] {
            let Patterned { history, weights, .. } = patterned(&wish(2), model);
            let mut inside = 0.0;
            let all: f64 = weights[60..].iter().map(|weight| f64::from(*weight)).sum();
            for (event, weight) in history.events().iter().zip(&weights).skip(60) {
                let timetable = Timetable::throw(&mut dice(2, Purpose::Places, event.page.into()));
                inside += if timetable.at(event.at) > 1.0 { f64::from(*weight) } else { 0.0 };
            }
            assert!(inside / all > 0.75, "{model:?}: {}", inside / all);
        }
    }

    #[test]
    fn a_site_is_a_function_of_its_seed_and_links_lead_to_its_pages() {
        let [one, same, other] = [3, 3, 4].map(|seed| patterned(&wish(seed), ChangeModel::Anytime));
        assert_eq!((one.history.events(), &one.weights), (same.history.events(), &same.weights));
        assert_ne!(one.weights, other.weights);
        let Patterned { history, mut contents, .. } = one;
        let body = String::from_utf8(contents.document(0).unwrap().unwrap().body).unwrap();
        let links: Vec<&str> = body.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert_eq!(links.len(), 1 + OUTDEGREE);
        assert!(links.iter().all(|link| history.find(link).is_some()), "{links:?}");
    }
}
