//! The second reading, and what is believed after it.

use super::VisitSource;
use super::survey::{Compared, MEMORY_DAYS, PageLife, Register, Survey, survey};
use crate::{
    burst::{BurstActivity, Bursts, Interval},
    pattern::{Break, Breaks, Calendar, HourTally, PERIODS_DEFAULT, Profiles, Rhythm, Shape, Zone},
};
use tintype_vocab::{Span, Time};

/// Pages whose changes are counted by hour and day: those that changed most, 38 MB at most.
const COUNTED_MAX: usize = 50_000;
/// Pages that profiles are looked for among.
const CLUSTERED_MAX: usize = 2000;
/// Profiles are learned for the first time after so many changes, and again when there are half as many more.
const FIRST_PROFILES: f64 = 50.0;
/// Breaks that are remembered, the latest ones.
const BREAKS_MAX: usize = 1000;
/// Changes that hold the pattern of a directory to that of its site.
const DIRECTORY_STRENGTH: f64 = 100.0;
/// Changes that hold what was seen to flat: so few that gaps do not look like laws.
const SEEN_STRENGTH: f64 = 2.0;
/// Forecasts look no further ahead.
const HORIZON: Span = Span::from_days(3650);
/// How far ahead the busiest hour is looked for.
const PEAK_WITHIN: Span = Span::from_days(7);

/// What is believed of when the pages of a site change.
#[derive(Debug)]
pub struct SitePatterns {
    pub lives: Vec<PageLife>,
    /// Visits to pages beyond those looked at.
    pub passed_over: u64,
    pub zone: Option<Zone>,
    pub bursts: Option<Bursts>,
    pub profiles: Profiles,
    /// In order of time.
    pub breaks: Vec<Noticed>,
    /// By page; nothing for those that never changed.
    counted: Vec<Option<Counted>>,
}

/// What is kept of a page that changed.
#[derive(Debug)]
struct Counted {
    tally: HourTally,
    /// Evidence for silence, judged by the mean rate: bursts make every pause look long.
    silence: Breaks,
    /// Evidence for a surge, judged by what bursts let expect.
    surge: Breaks,
    activity: Option<BurstActivity>,
    last_change: Option<Time>,
    /// The latest break, until it is over: more of the same is no other.
    broke: Option<Break>,
}

/// A page that stopped keeping its habits.
#[derive(Clone, Copy, Debug)]
pub struct Noticed {
    pub page: usize,
    /// When it began: silence with the last change, a surge when it was noticed.
    pub at: Time,
    /// When a silence was over.
    pub until: Option<Time>,
    pub what: Break,
}

/// A time pattern: what is believed, and what was seen without any belief.
#[derive(Clone, Debug)]
pub struct Habit {
    pub believed: Shape,
    pub seen: Shape,
}

/// When some pages will change next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeForecast {
    /// A change by then is as likely as not; nothing if that is further off than forecasts look.
    pub even_odds: Option<Time>,
    /// When the busiest hour of the next seven days begins.
    pub busiest: Time,
}

impl SitePatterns {
    pub fn from_visits<S: VisitSource>(source: &S) -> Result<SitePatterns, S::Error> {
        let survey = survey(source)?;
        let mut reading = SecondReading::new(&survey);
        let mut register = Register::default();
        source.for_each(&mut |sight| {
            if let Some(compared) = register.observe(&sight) {
                reading.observe(&survey, &compared);
            }
        })?;
        Ok(reading.finish(survey))
    }

    pub fn calendar(&self) -> Calendar {
        self.profiles.site().calendar()
    }

    /// What one page does: its own changes, and those of pages like it while it has few.
    pub fn of_page(&self, page: usize) -> Option<Habit> {
        let tally = &self.counted[page].as_ref()?.tally;
        Some(Habit { believed: self.profiles.shape(tally), seen: seen(tally) })
    }

    /// What several pages do together; nothing if none of them changed.
    pub fn of_pages(&self, pages: &[usize]) -> Option<Habit> {
        let mut sum: Option<HourTally> = None;
        for counted in pages.iter().filter_map(|page| self.counted[*page].as_ref()) {
            sum.get_or_insert_with(|| HourTally::new(self.calendar(), MEMORY_DAYS)).merge(&counted.tally);
        }
        let sum = sum?;
        Some(Habit { believed: sum.shape(self.profiles.site(), DIRECTORY_STRENGTH), seen: seen(&sum) })
    }

    /// How much a page belongs to each profile; nothing if it never changed.
    pub fn membership(&self, page: usize) -> Option<Vec<f32>> {
        self.counted[page].as_ref().map(|counted| self.profiles.membership(&counted.tally))
    }

    /// When any of these pages will change next, if they do so in this shape.
    pub fn forecast(&self, pages: &[usize], shape: &Shape, now: Time) -> ChangeForecast {
        let pages: Vec<usize> = pages.iter().copied().filter(|page| !self.lives[*page].is_gone()).collect();
        let hazard = |to: Time| pages.iter().map(|page| self.hazard(*page, shape, now, to)).sum::<f64>();
        let enough = std::f64::consts::LN_2;
        let even_odds = (hazard(now + HORIZON) >= enough).then(|| {
            let (mut low, mut high) = (Span::ZERO, HORIZON);
            while high.as_millis() - low.as_millis() > 60_000 {
                let middle = (low + high) / 2;
                if hazard(now + middle) >= enough { high = middle } else { low = middle }
            }
            now + high
        });
        ChangeForecast { even_odds, busiest: shape.next_peak(now, PEAK_WITHIN) }
    }

    /// Minus the logarithm of the chance that a page does not change from `now` to `to`. Not the number of changes to be
    /// expected: in bursts many come at once, and none for long.
    fn hazard(&self, page: usize, shape: &Shape, now: Time, to: Time) -> f64 {
        let (rate, last) = (f64::from(self.lives[page].rate.per_day), self.lives[page].last.min(now));
        let expected = rate * shape.effective_days(now, to);
        let Some(bursts) = self.bursts else { return expected };
        let activity = self.counted[page].as_ref().and_then(|counted| counted.activity);
        let activity = bursts.passed(activity.unwrap_or(bursts.unknown()), (now - last).as_days_f64());
        let days = (to - now).as_days_f64();
        -(1.0 - bursts.chance(activity, expected / days, days)).max(f64::MIN_POSITIVE).ln()
    }

    /// Bytes that the pattern of one page takes, with its rate, its breaks and its activity.
    pub fn bytes_per_page(&self) -> usize {
        let tally = HourTally::new(self.calendar(), MEMORY_DAYS).bytes();
        tally + 2 * size_of::<Breaks>() + size_of::<BurstActivity>() + size_of::<tintype_vocab::ChangeRate>()
    }
}

fn seen(tally: &HourTally) -> Shape {
    tally.shape(&Shape::flat(tally.calendar()), SEEN_STRENGTH)
}

/// What is being learned by the site's own clock.
struct SecondReading {
    rhythm: Rhythm,
    profiles: Profiles,
    counted: Vec<Option<Counted>>,
    clustered: Vec<usize>,
    breaks: Vec<Noticed>,
    changes: f64,
    next_profiles: f64,
}

impl SecondReading {
    fn new(survey: &Survey) -> SecondReading {
        let offset = survey.zone.map_or(Span::ZERO, |zone| zone.offset);
        let calendar = Calendar::new(PERIODS_DEFAULT, offset);
        let mut liveliest: Vec<usize> =
            (0..survey.lives.len()).filter(|page| survey.lives[*page].changes > 0).collect();
        liveliest.sort_by_key(|page| std::cmp::Reverse(survey.lives[*page].changes));
        liveliest.truncate(COUNTED_MAX);
        let mut counted: Vec<Option<Counted>> = survey.lives.iter().map(|_| None).collect();
        for page in &liveliest {
            let activity = survey.bursts.map(|bursts| survey.lives[*page].activity_at_first(&bursts));
            let tally = HourTally::new(calendar, MEMORY_DAYS);
            counted[*page] = Some(Counted {
                tally,
                silence: Breaks::default(),
                surge: Breaks::default(),
                activity,
                last_change: None,
                broke: None,
            });
        }
        liveliest.truncate(CLUSTERED_MAX);
        SecondReading {
            rhythm: Rhythm::new(calendar, MEMORY_DAYS),
            profiles: Profiles::of_site(Shape::flat(calendar)),
            counted,
            clustered: liveliest,
            breaks: Vec::new(),
            changes: 0.0,
            next_profiles: FIRST_PROFILES,
        }
    }

    fn observe(&mut self, survey: &Survey, compared: &Compared) {
        let rate = f64::from(survey.lives[compared.page].rate.per_day);
        if let Some(counted) = &mut self.counted[compared.page] {
            self.profiles.test(&counted.tally, compared.from, compared.to, compared.changed(), rate);
            let was_silent = counted.broke == Some(Break::Silence);
            if was_silent && compared.changed() {
                counted.broke = None;
                let silence = self.breaks.iter_mut().rfind(|noticed| noticed.page == compared.page);
                silence.into_iter().for_each(|silence| silence.until = Some(compared.to));
            }
            if let Some(what) = counted.observe(survey.bursts, compared, rate, self.rhythm.shape()) {
                let at = if what == Break::Silence { counted.last_change } else { None };
                let at = at.unwrap_or(compared.to);
                self.breaks.push(Noticed { page: compared.page, at, until: None, what });
            }
        }
        self.rhythm.observe(compared.from, compared.to, compared.seen, rate);
        self.changes += f64::from(u8::from(compared.changed()));
        if self.changes >= self.next_profiles {
            self.next_profiles = self.changes * 1.5;
            self.learn_profiles();
        }
        if self.breaks.len() >= 2 * BREAKS_MAX {
            self.breaks.drain(..BREAKS_MAX);
        }
    }

    fn learn_profiles(&mut self) {
        let tallies = self.clustered.iter().filter_map(|page| self.counted[*page].as_ref());
        self.profiles.learn(self.rhythm.shape().clone(), tallies.map(|counted| &counted.tally));
    }

    fn finish(mut self, survey: Survey) -> SitePatterns {
        self.learn_profiles();
        let SecondReading { profiles, counted, mut breaks, .. } = self;
        breaks.drain(..breaks.len().saturating_sub(BREAKS_MAX));
        let Survey { lives, passed_over, zone, bursts } = survey;
        SitePatterns { lives, passed_over, zone, bursts, profiles, breaks, counted }
    }
}

impl Counted {
    fn observe(&mut self, bursts: Option<Bursts>, compared: &Compared, rate: f64, shape: &Shape) -> Option<Break> {
        let Compared { from, to, seen, .. } = *compared;
        let (days, steady) = (compared.days(), shape.effective_days(from, to));
        let both = bursts.zip(self.activity);
        let bursting = both.map_or(steady, |(bursts, now)| bursts.effective_days_in(shape, now, from, to));
        let visit = Interval { days, changed: compared.changed() };
        self.activity = both.map(|(bursts, now)| bursts.after(now, rate * steady / days, visit));
        if compared.changed() {
            self.last_change = Some(to);
        }
        self.tally.observe(from, to, seen, rate, shape);
        let silence = self.silence.observe(rate * steady, visit.changed).filter(|found| *found == Break::Silence);
        let surge = self.surge.observe(rate * bursting, visit.changed).filter(|found| *found == Break::Surge);
        let found = silence.or(surge)?;
        (self.broke.replace(found) != Some(found)).then_some(found)
    }
}
