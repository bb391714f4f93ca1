//! Made-up sites whose directories change in a known relation to each other: what rules between directories can find.
//!
//! A site has sections; a section has an index page, a large directory of what is current (`now`), a small one of what was
//! (`archive`, on shelves) and a smaller one of what is fixed (`about`). What happens to them week by week is the [`Relation`]. All of it
//! is a function of a [`SyntheticConfig`] and nothing else.

use crate::{
    EventKind, History, Recorder,
    synthetic::{
        SyntheticConfig,
        chance::{Purpose, below, dice, happens},
    },
};
use std::fmt;
use tintype_plan::Dice;
use tintype_vocab::{Span, Time};

/// Pages of a section, more or less.
const SECTION: usize = 100;
/// Shares of a section's pages in `now` and `archive`; `about` has the rest.
const NOW: f64 = 0.8;
const ARCHIVE: f64 = 0.12;
/// Directories in an archive.
const SHELVES: usize = 2;
/// Share of a directory's pages that changes in a week in which it is worked on.
const WORKED_ON: f64 = 0.25;
/// The same where an archive is tidied: more of it, yet little of its section.
const TIDIED: f64 = 0.35;
/// Chance of a week in which a section's `now` is worked on and its archive is not.
const BUSY: f64 = 0.6;
/// Chance of a week in which `about` is touched.
const TOUCHED: f64 = 0.1;
/// Chance of a week in which everything in a section gets a new template.
const TEMPLATE: f64 = 0.15;
/// Share of the changes that are modifications; the others are births and deaths, in turn.
const MODIFICATIONS: f64 = 0.5;

const WEEK: Span = Span::from_secs(7 * 86_400);

/// What the directories of a site have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Nothing: each is worked on in weeks of its own.
    Independent,
    /// A section's archive is tidied only while its `now` rests.
    AntiPhase,
    /// Only `now` is worked on; the rest never changes.
    Still,
    /// Nothing, but now and then a template changes every page of a section.
    Bulk,
}

impl Relation {
    pub const ALL: [Relation; 4] = [Relation::Independent, Relation::AntiPhase, Relation::Still, Relation::Bulk];
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Independent => "independent",
            Relation::AntiPhase => "anti-phase",
            Relation::Still => "still",
            Relation::Bulk => "bulk",
        })
    }
}

/// Makes the site. Rate, lastmod and origin of the wish have no say; its pages are those that are there at any moment.
pub fn sections(wish: &SyntheticConfig, relation: Relation) -> History {
    let mut dice = dice(wish.seed, Purpose::Changes, relation as u64);
    let count = (wish.pages / SECTION).max(2);
    let mut sections: Vec<Section> = (0..count).map(|nth| Section::new(nth, wish.pages / count, &mut dice)).collect();
    let mut events = vec![Event { at: wish.from, path: "/".to_owned(), kind: EventKind::Added }];
    for section in &sections {
        let pages = section.parts.iter().flat_map(|part| part.pages.iter().cloned()).chain([section.index()]);
        events.extend(pages.map(|path| Event { at: wish.from, path, kind: EventKind::Added }));
    }
    for week in 0..(wish.days / 7.0) as i64 {
        let from = wish.from + Span::from_secs(week * WEEK.as_millis() / 1000);
        events.push(Event { at: within(from, &mut dice), path: "/".to_owned(), kind: EventKind::Modified });
        sections.iter_mut().for_each(|section| section.live(relation, from, &mut dice, &mut events));
    }
    record(events)
}

struct Event {
    at: Time,
    path: String,
    kind: EventKind,
}

fn record(mut events: Vec<Event>) -> History {
    events.sort_by_key(|event| event.at);
    let mut recorder = Recorder::default();
    for (nth, event) in events.iter().enumerate() {
        let recorded = recorder.record(event.at, &event.path, event.kind, 8 << 10, nth as u64 + 1, "text/html");
        recorded.expect("pages are born before anything else happens to them, once a week at most");
    }
    recorder.finish()
}

/// Some moment of the week that begins `from`, after its first.
fn within(from: Time, dice: &mut Dice) -> Time {
    from + Span::from_millis(1 + (dice.unit() * (WEEK.as_millis() - 1) as f64) as i64)
}

struct Section {
    path: String,
    /// `now`, `archive` and `about`.
    parts: [Part; 3],
}

struct Part {
    path: String,
    pages: Vec<String>,
    /// So many pages it has, but for one.
    size: usize,
    /// Directories its pages are in by turns; none if they are right in it.
    shelves: usize,
    /// Ever, for names.
    born: usize,
    /// Chance of being worked on in a week, where parts go their own ways.
    chance: f64,
}

impl Section {
    fn new(nth: usize, pages: usize, dice: &mut Dice) -> Section {
        let path = format!("/s{nth}");
        let of = |share: f64| ((share * pages as f64).round() as usize).max(1);
        let mut part = |name: &str, share: f64, shelves: usize| {
            Part::new(format!("{path}/{name}"), of(share), shelves, 0.2 + 0.6 * dice.unit())
        };
        let parts = [part("now", NOW, 0), part("archive", ARCHIVE, SHELVES), part("about", 1.0 - NOW - ARCHIVE, 0)];
        Section { path, parts }
    }

    fn index(&self) -> String {
        format!("{}/", self.path)
    }

    /// One week.
    fn live(&mut self, relation: Relation, from: Time, dice: &mut Dice, events: &mut Vec<Event>) {
        let is_busy = happens(dice, BUSY);
        let template = (relation == Relation::Bulk && happens(dice, TEMPLATE)).then(|| within(from, dice));
        if is_busy || template.is_some() {
            let at = template.unwrap_or_else(|| within(from, dice));
            events.push(Event { at, path: self.index(), kind: EventKind::Modified });
        }
        for (nth, part) in self.parts.iter_mut().enumerate() {
            let share = match (relation, nth) {
                (Relation::AntiPhase | Relation::Still, 0) if is_busy => WORKED_ON,
                (Relation::AntiPhase, 1) if !is_busy => TIDIED,
                (Relation::AntiPhase, 2) if happens(dice, TOUCHED) => WORKED_ON,
                (Relation::Independent | Relation::Bulk, _) if happens(dice, part.chance) => WORKED_ON,
                _ => 0.0,
            };
            match template {
                Some(at) => part.modify_all(at, events),
                None => part.change(share, from, dice, events),
            }
        }
    }
}

impl Part {
    fn new(path: String, size: usize, shelves: usize, chance: f64) -> Part {
        let mut part = Part { path, pages: Vec::new(), size, shelves, born: 0, chance };
        part.pages = (0..size).map(|_| part.name()).collect();
        part
    }

    fn modify_all(&self, at: Time, events: &mut Vec<Event>) {
        events.extend(self.pages.iter().map(|path| Event { at, path: path.clone(), kind: EventKind::Modified }));
    }

    /// About a share of the pages changes, each at most once.
    fn change(&mut self, share: f64, from: Time, dice: &mut Dice, events: &mut Vec<Event>) {
        let wanted = share * self.pages.len() as f64;
        let changes = wanted.floor() as usize + usize::from(happens(dice, wanted.fract()));
        let mut kept = Vec::new();
        for _ in 0..changes {
            let kind = match happens(dice, MODIFICATIONS) {
                true => EventKind::Modified,
                false if self.pages.len() + kept.len() > self.size => EventKind::Deleted,
                false => EventKind::Added,
            };
            let path = match kind {
                EventKind::Added => self.name(),
                _ => self.pages.swap_remove(below(dice, self.pages.len())),
            };
            if kind != EventKind::Deleted {
                kept.push(path.clone());
            }
            events.push(Event { at: within(from, dice), path, kind });
        }
        self.pages.append(&mut kept);
    }

    fn name(&mut self) -> String {
        self.born += 1;
        match self.shelves {
            0 => format!("{}/{}.html", self.path, self.born),
            shelves => format!("{}/{}/{}.html", self.path, self.born % shelves, self.born),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEEKS: i64 = 200;

    fn made(relation: Relation, seed: u64) -> History {
        sections(
            &SyntheticConfig { seed, pages: 400, days: 7.0 * WEEKS as f64, ..SyntheticConfig::default() },
            relation,
        )
    }

    /// How many pages of a directory change, week by week.
    fn weekly(history: &History, directory: &str) -> Vec<usize> {
        let mut weeks = vec![0; WEEKS as usize];
        let from = SyntheticConfig::default().from;
        for event in history.events().iter().filter(|event| event.at > from) {
            if history.path(event.page).starts_with(directory) {
                weeks[((event.at.as_millis() - from.as_millis() - 1) / WEEK.as_millis()) as usize] += 1;
            }
        }
        weeks
    }

    fn correlation(one: &[usize], other: &[usize]) -> f64 {
        let share =
            |test: &dyn Fn(usize) -> bool| (0..one.len()).filter(|week| test(*week)).count() as f64 / one.len() as f64;
        let (x, y) = (share(&|week| one[week] > 0), share(&|week| other[week] > 0));
        (share(&|week| one[week] > 0 && other[week] > 0) - x * y) / (x * (1.0 - x) * y * (1.0 - y)).sqrt()
    }

    #[test]
    fn directories_change_as_they_are_related() {
        for nth in 0..4 {
            let of = |relation: Relation, part: &str| weekly(&made(relation, 1), &format!("/s{nth}/{part}/"));
            let both = |relation: Relation| correlation(&of(relation, "now"), &of(relation, "archive"));
            assert!(both(Relation::Independent).abs() < 0.25, "{}", both(Relation::Independent));
            assert!(both(Relation::AntiPhase) < -0.8, "{}", both(Relation::AntiPhase));
            assert!(both(Relation::Bulk) > 0.0, "{}", both(Relation::Bulk));
            assert!(of(Relation::Still, "archive").iter().all(|changes| *changes == 0));
            assert!(of(Relation::Still, "now").iter().any(|changes| *changes > 0));
        }
    }

    #[test]
    fn a_template_changes_every_page_of_its_section_at_once() {
        let history = made(Relation::Bulk, 2);
        let events = history.events().iter().filter(|event| event.kind == EventKind::Modified);
        let in_section = events.filter(|event| history.path(event.page).starts_with("/s1/"));
        let (mut most, mut same, mut last) = (0, 0, SyntheticConfig::default().from);
        for event in in_section {
            same = if event.at == last { same + 1 } else { 1 };
            last = event.at;
            most = most.max(same);
        }
        assert!(most > 80, "{most}");
    }

    #[test]
    fn sites_keep_their_size_and_are_functions_of_their_seed() {
        for relation in Relation::ALL {
            let history = made(relation, 3);
            let end = SyntheticConfig::default().from + Span::from_days(7 * WEEKS);
            let alive = (0..history.pages() as u32).filter(|page| history.alive(*page, end).is_some()).count();
            assert!((390..430).contains(&alive), "{relation}: {alive}");
            assert_eq!(history.events(), made(relation, 3).events());
            assert_ne!(history.events(), made(relation, 4).events());
        }
    }

    #[test]
    fn the_smallest_site_lives_too() {
        for relation in Relation::ALL {
            assert!(
                sections(&SyntheticConfig { pages: 1, days: 700.0, ..SyntheticConfig::default() }, relation)
                    .events()
                    .len()
                    > 100
            );
        }
    }
}
