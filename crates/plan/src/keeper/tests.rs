use super::*;
use crate::Budget;
use tintype_vocab::{ChangeRate, PageId, Purpose, SiteId};

/// Sites with one page each; what a request brings grows with the time since the one before.
struct Made {
    /// Changes a day, and when it was last asked.
    sites: Vec<(f64, Time)>,
    polite: Span,
    asked: Vec<usize>,
}

impl Made {
    fn new(rates: &[f64]) -> Made {
        let sites = rates.iter().map(|rate| (*rate, Time::from_secs(0) - Span::from_days(1))).collect();
        Made { sites, polite: Span::from_secs(1), asked: Vec::new() }
    }
}

impl KeptSites for Made {
    fn ask(&mut self, site: usize, now: Time) -> Step {
        let last = &mut self.sites[site].1;
        if *last + self.polite > now {
            return Step::WaitUntil(*last + self.polite);
        }
        *last = now;
        self.asked.push(site);
        let url = "http://e.com/".to_owned();
        let (purpose, rate) = (Purpose::Visit, ChangeRate::default());
        Step::Fetch(Request { site: SiteId(0), page: PageId(0), url, purpose, attempt: 0, rate })
    }

    fn bid(&self, site: usize, now: Time) -> Bid {
        let (rate, last) = self.sites[site];
        if rate < 0.0 { Bid::Pages(-rate as usize) } else { Bid::Worth(rate * (now - last).as_days_f64()) }
    }
}

fn run(keeper: &mut Keeper, made: &mut Made, to: Time) -> Vec<Time> {
    let (mut now, mut times) = (Time::from_secs(0), Vec::new());
    while now < to {
        match keeper.next(now, made) {
            Turn::Fetch(..) => times.push(now),
            Turn::WaitUntil(until, _) => {
                assert!(until > now);
                now = until;
            }
            Turn::Idle | Turn::Over(_) => break,
        }
    }
    times
}

fn keeper(per_day: Option<u64>, sites: &[SiteTerms]) -> Keeper {
    let budget = per_day.map(|per_day| Budget { requests: Some(per_day), bytes: None });
    let start = Time::from_secs(0);
    let budget = budget.map(|budget| DayBudget::new(budget, start, DaySpending::default()));
    let mut keeper = Keeper::new(budget);
    for terms in sites {
        keeper.add(*terms);
    }
    keeper
}

const ENDLESS: SiteTerms = SiteTerms { weight: 1.0, ceiling: None, hours: None, endless: true, at_once: false };

fn share(made: &Made, site: usize) -> f64 {
    made.asked.iter().filter(|asked| **asked == site).count() as f64 / made.asked.len() as f64
}

#[test]
fn requests_go_where_they_bring_most_and_no_day_has_more_than_its_budget() {
    let mut keeper = keeper(Some(48), &[ENDLESS; 3]);
    let mut made = Made::new(&[8.0, 2.0, 2.0]);
    let times = run(&mut keeper, &mut made, Time::from_secs(10 * 86_400));
    assert_eq!(times.len(), 480);
    for day in times.chunk_by(|a, b| a.as_secs() / 86_400 == b.as_secs() / 86_400) {
        assert_eq!(day.len(), 48);
    }
    // In proportion to the rate, as near as so few slots allow: what waits is then worth the same everywhere.
    assert!((share(&made, 0) - 2.0 / 3.0).abs() < 0.1, "{}", share(&made, 0));
}

#[test]
fn weights_ceilings_and_hours_are_kept() {
    let start = Time::from_secs(0);
    let ceiling = DayBudget::new(Budget { requests: Some(6), bytes: None }, start, DaySpending::default());
    let night: DayHours = "00:00-06:00".parse().unwrap();
    let sites = [
        SiteTerms { weight: 3.0, ..ENDLESS },
        ENDLESS,
        SiteTerms { ceiling: Some(ceiling), weight: 100.0, ..ENDLESS },
        SiteTerms { hours: Some(night), weight: 100.0, ..ENDLESS },
    ];
    let mut keeper = keeper(Some(96), &sites);
    let mut made = Made::new(&[1.0; 4]);
    let times = run(&mut keeper, &mut made, Time::from_secs(5 * 86_400));
    assert_eq!(made.asked.iter().filter(|site| **site == 2).count(), 30, "six a day");
    for (at, _) in times.iter().zip(&made.asked).filter(|(_, site)| **site == 3) {
        assert!(at.as_secs() % 86_400 < 6 * 3600, "{at}");
    }
    let [first, second] = [0, 1].map(|site| share(&made, site));
    assert!(first > 2.0 * second && second > 0.0, "{first} {second}");
}

#[test]
fn without_a_budget_what_brings_next_to_nothing_is_not_asked_for() {
    let mut keeper = keeper(None, &[ENDLESS; 2]);
    let mut made = Made::new(&[1.0, 0.001]);
    let times = run(&mut keeper, &mut made, Time::from_secs(86_400));
    // A hundredth of a change takes a hundredth of a day.
    assert!((90..=101).contains(&times.len()), "{}", times.len());
    assert_eq!(share(&made, 1), 0.0);
}

#[test]
fn without_opinions_every_page_counts_the_same() {
    let mut keeper = keeper(Some(100), &[ENDLESS; 2]);
    let mut made = Made::new(&[-300.0, -100.0]);
    run(&mut keeper, &mut made, Time::from_secs(86_400));
    assert!((share(&made, 0) - 0.75).abs() < 0.02, "{}", share(&made, 0));
}

#[test]
fn among_a_thousand_sites_the_busiest_is_found() {
    let mut keeper = keeper(Some(20_000), &[ENDLESS; 1000]);
    let mut rates = vec![0.1; 1000];
    rates[777] = 100.0;
    let mut made = Made::new(&rates);
    run(&mut keeper, &mut made, Time::from_secs(86_400));
    assert!((share(&made, 777) - 0.5).abs() < 0.1, "{}", share(&made, 777));
}

#[test]
fn a_listing_is_read_at_once_and_paid_for_by_the_day() {
    let listing = SiteTerms { at_once: true, endless: false, ..ENDLESS };
    let mut keeper = keeper(Some(24), &[ENDLESS, listing]);
    let mut made = Made::new(&[1.0, 1.0]);
    let times = run(&mut keeper, &mut made, Time::from_secs(10));
    assert_eq!(share(&made, 1), 1.0, "a request every second: {times:?}");
    keeper.remove(1);
    made.asked.clear();
    let rest = run(&mut keeper, &mut made, Time::from_secs(86_400));
    assert_eq!(rest.len(), 24 - times.len());
}
