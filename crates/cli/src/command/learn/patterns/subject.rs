//! What there is to say about a page, a directory, a site or a cluster.

use crate::part::Part;
use serde::Serialize;
use std::collections::HashSet;
use tintype_learn::{
    burst::Bursts,
    pattern::{Break, Shape},
    site_patterns::{Habit, ImportanceSeries, Noticed, SitePatterns},
};
use tintype_vocab::{Span, Time};

/// With fewer changes, or in less time, nothing can be said about when changes come.
const HANDFUL: u64 = 5;
const SHORTEST: Span = Span::from_days(2);
/// Pages that change less often than this have a pattern by the day of the month, if any.
const SLOW_PER_DAY: f64 = 0.2;
/// One month says nothing of months.
const MONTHS: Span = Span::from_days(62);
/// Breaks and pages named per subject.
const LISTED: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Page,
    Directory,
    Site,
    Cluster,
}

/// One pattern, with everything that is shown of it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) site: String,
    pub(super) pages: u64,
    pub(super) pages_changed: u64,
    pub(super) visits: u64,
    pub(super) changes: u64,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    #[serde(skip)]
    pub(super) watched: Span,
    /// Of a page, on average.
    pub(super) changes_per_day: f64,
    /// Whose pattern is shown where this has too few changes of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shown: Option<Kind>,
    /// Nothing if too little is known of the whole site.
    pub(super) pattern: Option<Pattern>,
    /// How important changes are; nothing where there were none.
    pub(super) importance: Option<Worth>,
    /// Of [`SitePatterns::lives`].
    #[serde(skip)]
    pub(super) members: Vec<usize>,
    pub(super) time_zone: Option<Zone>,
    pub(super) next: Option<Next>,
    pub(super) breaks: Vec<Noted>,
    pub(super) breaks_in_all: usize,
    pub(super) bursts: Option<Spells>,
    /// Of a cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cluster: Option<Cluster>,
    /// Visits to pages beyond those looked at.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) visits_passed_over: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Multiples of the mean, by the site's own clock.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Pattern {
    pub(super) believed: Factors,
    /// What was seen alone, without anything believed before.
    pub(super) seen: Factors,
    /// Whether days of the month are worth a look: the pages are slow.
    pub(super) slow: bool,
}

/// How important the changes of a page are: ω_k by the hour and the series day by day.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Worth {
    /// The mean of the pattern.
    threshold: f64,
    pub(super) weekday: Vec<f64>,
    pub(super) weekend: Vec<f64>,
    pub(super) days: Vec<WorthOfDay>,
}

/// What all pages together brought on a day.
#[derive(Clone, Debug, Serialize)]
pub(super) struct WorthOfDay {
    pub(super) day: String,
    pub(super) changes: u64,
    pub(super) importance: f64,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Factors {
    pub(super) weekday: Vec<f32>,
    pub(super) weekend: Vec<f32>,
    pub(super) week: Vec<f32>,
    pub(super) month: Vec<f32>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Zone {
    pub(super) hours_ahead: i64,
    /// The chance that this is right, two hours more or less.
    pub(super) confidence: f32,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Next {
    /// A change by then is as likely as not.
    pub(super) even_odds: Option<String>,
    pub(super) busiest_hour: String,
    #[serde(skip)]
    pub(super) even_odds_at: Option<Time>,
    #[serde(skip)]
    pub(super) busiest_at: Time,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Noted {
    pub(super) page: String,
    pub(super) at: String,
    /// When a silence was over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<String>,
    pub(super) what: &'static str,
}

/// When a page is active.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Spells {
    pub(super) share_of_changes: f64,
    pub(super) share_of_time: f64,
    pub(super) days: f64,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Cluster {
    pub(super) share: f32,
    /// Profiles have foretold visits better than the site's rhythm.
    pub(super) proven: bool,
    pub(super) examples: Vec<String>,
}

/// A site of which patterns were learned.
pub(super) struct Site<'a> {
    pub(super) name: &'a str,
    pub(super) learned: &'a SitePatterns,
    pub(super) now: Time,
}

impl Site<'_> {
    /// The page of that name, the directory of that name, or the site.
    pub(super) fn parts(&self, part: Option<&Part>) -> Vec<Subject> {
        let Some(part) = part else { return vec![self.subject(self.name, Kind::Site, &self.all(None))] };
        let lives = &self.learned.lives;
        let named = |page: &usize| *lives[*page].name == *part.url();
        let page = (0..lives.len()).find(named);
        let page = page.or_else(|| (0..lives.len()).find(|page| part.is_page(&lives[*page].key)));
        let below = self.all(Some(part));
        let page_alone = page.map(|page| self.subject(&lives[page].name, Kind::Page, &[page]));
        let has_more = below.iter().any(|other| Some(*other) != page);
        let directory = has_more.then(|| self.subject(part.typed(), Kind::Directory, &below));
        page_alone.into_iter().chain(directory).collect()
    }

    /// The profiles found among the pages of a site, the largest first.
    pub(super) fn clusters(&self, part: Option<&Part>) -> Vec<Subject> {
        let mut members: Vec<Vec<(usize, f32)>> = vec![Vec::new(); self.learned.profiles.len()];
        for page in self.all(part) {
            let shares = self.learned.membership(page).unwrap_or_default();
            if let Some((profile, share)) = shares.into_iter().enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) {
                members[profile].push((page, share));
            }
        }
        let profiles = self.learned.profiles.shapes().zip(members);
        let mut clusters: Vec<_> = profiles.filter(|(_, members)| !members.is_empty()).collect();
        clusters.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
        let of = clusters.len();
        clusters
            .into_iter()
            .enumerate()
            .map(|(nth, (profile, members))| self.cluster((nth, of), profile, members))
            .collect()
    }

    fn cluster(
        &self,
        (nth, of): (usize, usize),
        (shape, share): (&Shape, f32),
        mut members: Vec<(usize, f32)>,
    ) -> Subject {
        // The surest members, and of those the liveliest.
        let weight = |(page, share): &(usize, f32)| share * (self.learned.lives[*page].changes as f32).sqrt();
        members.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        let pages: Vec<usize> = members.iter().map(|(page, _)| *page).collect();
        let mut subject = self.subject(&format!("{} cluster {} of {of}", self.name, nth + 1), Kind::Cluster, &pages);
        if let Some(pattern) = &mut subject.pattern {
            pattern.believed = Factors::of(shape);
        }
        let examples = pages.iter().take(LISTED).map(|page| self.learned.lives[*page].name.to_string()).collect();
        subject.cluster = Some(Cluster { share, proven: self.learned.profiles.is_proven(), examples });
        subject
    }

    fn all(&self, part: Option<&Part>) -> Vec<usize> {
        let lives = &self.learned.lives;
        (0..lives.len()).filter(|page| part.is_none_or(|part| part.holds(&lives[*page].key))).collect()
    }

    fn subject(&self, name: &str, kind: Kind, pages: &[usize]) -> Subject {
        let lives = || pages.iter().map(|page| &self.learned.lives[*page]);
        let changes = lives().map(|life| u64::from(life.changes)).sum();
        let (from, to) = (lives().map(|life| life.first).min(), lives().map(|life| life.last).max());
        let rate = lives().map(|life| f64::from(life.rate.per_day)).sum::<f64>() / pages.len().max(1) as f64;
        let (habit, shown) = self.habit(kind, pages);
        let shape_known = habit.is_some();
        let known: HashSet<usize> = pages.iter().copied().collect();
        let breaks: Vec<&Noticed> =
            self.learned.breaks.iter().filter(|noticed| habit.is_some() && known.contains(&noticed.page)).collect();
        Subject {
            name: name.to_owned(),
            kind,
            site: self.name.to_owned(),
            pages: pages.len() as u64,
            pages_changed: lives().filter(|life| life.changes > 0).count() as u64,
            visits: lives().map(|life| u64::from(life.visits)).sum(),
            changes,
            from: from.map(Time::to_rfc3339_secs),
            to: to.map(Time::to_rfc3339_secs),
            watched: self.watched(pages),
            changes_per_day: rate,
            shown,
            importance: None,
            members: pages.to_vec(),
            next: habit.as_ref().map(|habit| self.next(pages, &habit.believed)),
            pattern: habit.map(|habit| Pattern {
                believed: Factors::of(&habit.believed),
                seen: Factors::of(&habit.seen),
                slow: rate < SLOW_PER_DAY && self.watched(pages) >= MONTHS,
            }),
            time_zone: self
                .learned
                .zone
                .map(|zone| Zone { hours_ahead: zone.offset.as_millis() / 3_600_000, confidence: zone.confidence }),
            breaks: breaks.iter().rev().take(LISTED).map(|noticed| self.noted(noticed)).collect(),
            breaks_in_all: breaks.len(),
            bursts: self.learned.bursts.map(Spells::of).filter(|_| shape_known),
            cluster: None,
            visits_passed_over: self.learned.passed_over,
        }
    }

    /// The pattern of some pages, or of what is around them if they have too few changes, and then whose it is.
    fn habit(&self, kind: Kind, pages: &[usize]) -> (Option<Habit>, Option<Kind>) {
        if self.is_enough(pages) {
            let own = if kind == Kind::Page { self.learned.of_page(pages[0]) } else { self.learned.of_pages(pages) };
            return (own, None);
        }
        let around = pages.first().map(|page| Part::directory_of(&self.learned.lives[*page].key));
        let wider = [(Kind::Directory, around.map(|part| self.all(Some(&part)))), (Kind::Site, Some(self.all(None)))];
        let found =
            wider.into_iter().find_map(|(kind, pages)| Some((kind, pages.filter(|pages| self.is_enough(pages))?)));
        found.map_or((None, None), |(kind, pages)| (self.learned.of_pages(&pages), Some(kind)))
    }

    fn is_enough(&self, pages: &[usize]) -> bool {
        let changes = pages.iter().map(|page| u64::from(self.learned.lives[*page].changes)).sum::<u64>();
        changes >= HANDFUL && self.watched(pages) >= SHORTEST
    }

    /// From the first visit to the last.
    fn watched(&self, pages: &[usize]) -> Span {
        let lives = || pages.iter().map(|page| &self.learned.lives[*page]);
        let (from, to) = (lives().map(|life| life.first).min(), lives().map(|life| life.last).max());
        from.zip(to).map_or(Span::ZERO, |(from, to)| to - from)
    }

    fn next(&self, pages: &[usize], shape: &Shape) -> Next {
        let forecast = self.learned.forecast(pages, shape, self.now);
        Next {
            even_odds: forecast.even_odds.map(Time::to_rfc3339_secs),
            busiest_hour: forecast.busiest.to_rfc3339_secs(),
            even_odds_at: forecast.even_odds,
            busiest_at: forecast.busiest,
        }
    }

    fn noted(&self, noticed: &Noticed) -> Noted {
        let what = match noticed.what {
            Break::Silence => "silence",
            Break::Surge => "surge",
        };
        let page = self.learned.lives[noticed.page].name.to_string();
        Noted { page, at: noticed.at.to_rfc3339_secs(), until: noticed.until.map(Time::to_rfc3339_secs), what }
    }
}

impl Worth {
    pub(super) fn of(series: ImportanceSeries) -> Option<Worth> {
        let day = |day: &tintype_learn::site_patterns::ImportantDay| WorthOfDay {
            day: day.day.to_rfc3339().chars().take(10).collect(),
            changes: day.changes,
            importance: day.importance,
        };
        let threshold = series.threshold();
        let days: Vec<WorthOfDay> = series.days.iter().map(day).collect();
        let ImportanceSeries { weekday, weekend, .. } = series;
        (!days.is_empty()).then_some(Worth { threshold, weekday, weekend, days })
    }
}

impl Factors {
    fn of(shape: &Shape) -> Factors {
        let [weekday, weekend, week, month] =
            [shape.weekday(), shape.weekend(), shape.week(), shape.month()].map(<[f32]>::to_vec);
        Factors { weekday, weekend, week, month }
    }

    /// By hour of an average weekday and of an average weekend day, both against the mean of the whole week.
    pub(super) fn hours(&self) -> [Vec<f32>; 2] {
        let mean = |days: &[f32]| days.iter().sum::<f32>() / days.len().max(1) as f32;
        let (working, weekend) = self.week.split_at(self.week.len().min(5));
        let times = |hours: &[f32], by: f32| hours.iter().map(|hour| hour * by).collect();
        [times(&self.weekday, mean(working)), times(&self.weekend, mean(weekend))]
    }
}

impl Spells {
    fn of(bursts: Bursts) -> Spells {
        let [_, active, start_per_day, stop_per_day] = <[f64; 4]>::from(bursts);
        let share_of_time = start_per_day / (start_per_day + stop_per_day);
        Spells { share_of_changes: active * share_of_time, share_of_time, days: 1.0 / stop_per_day }
    }
}
