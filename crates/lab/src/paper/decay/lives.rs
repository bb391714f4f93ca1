//! Figure 5: how objects come, and how long they stay.

use super::subject::{Subject, Subjects};
use crate::copy_charts as charts;
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use tintype_learn::life::{Arrivals, Cycle, Family, Fitted, KaplanMeier, Law, Lives, Profile, fits};
use tintype_vocab::Time;
use tintype_world::source::Turnover;

/// Gaps to the empirical curve that differ by less are negligible.
const NEGLIGIBLE: f64 = 0.01;
/// Arrivals and removals that hang together less than this are as good as independent.
const WEAK: f64 = 0.3;

/// What is known of the lives at a source.
struct Known<'a> {
    subject: &'a Subject,
    turnover: Vec<Turnover>,
    arrivals: Option<Arrivals>,
    lives: Lives,
    /// The best first.
    fits: Vec<Fitted>,
}

impl Known<'_> {
    fn of(subject: &Subject) -> Known<'_> {
        let turnover = subject.copies.turnover();
        let counts: Vec<u32> = turnover.iter().map(|step| step.came).collect();
        let lives = subject.copies.lives();
        Known { subject, arrivals: Arrivals::of(&counts), fits: fits(&lives), turnover, lives }
    }

    fn fit(&self, family: Family) -> Option<&Fitted> {
        self.fits.iter().find(|fit| fit.survival.family == family)
    }

    /// How far the paper's Gamma is from the steps with arrivals (Kolmogorov and Smirnov).
    fn gamma_distance(&self) -> Option<f64> {
        let gamma = self.arrivals.as_ref()?.gamma?;
        let mut some: Vec<u32> = self.turnover.iter().map(|step| step.came).filter(|count| *count > 0).collect();
        some.sort_unstable();
        Some(gamma.distance(&some))
    }

    fn weekday(&self) -> Profile {
        let counts: Vec<(Time, u32)> = self.turnover.iter().map(|step| (step.at, step.came)).collect();
        Profile::of(&counts, Cycle::Weekday)
    }

    /// How arrivals and removals of the same step hang together, -1 to 1.
    fn correlation(&self) -> f64 {
        let count = self.turnover.len() as f64;
        let pairs = || self.turnover.iter().map(|step| (f64::from(step.came), f64::from(step.left)));
        let means = pairs().fold((0.0, 0.0), |sum, (came, left)| (sum.0 + came / count, sum.1 + left / count));
        let sums = pairs().fold([0.0; 3], |[both, one, other], (came, left)| {
            let (came, left) = (came - means.0, left - means.1);
            [both + came * left, one + came * came, other + left * left]
        });
        sums[0] / (sums[1] * sums[2]).sqrt()
    }
}

pub(super) fn parts(subjects: &Subjects) -> Vec<Part> {
    let known: Vec<Known<'_>> = subjects.all().iter().map(Known::of).collect();
    let shown = subjects.shown().len();
    let mut parts = vec![arrivals(&known, shown), survival(&known, shown)];
    parts.extend(known[..shown].iter().flat_map(pictures));
    parts
}

fn arrivals(known: &[Known<'_>], shown: usize) -> Part {
    let titles = ["source", "per step", "variance ÷ mean", "empty steps", "Gamma shape", "Gamma scale", "KS distance"];
    let laws = [
        "AIC Gamma",
        "AIC Gamma with empty steps",
        "AIC negative binomial",
        "AIC Poisson",
        "with removals",
        "by weekday",
    ];
    let mut table = Table::new(titles.into_iter().chain(laws));
    for it in known {
        let Some(arrivals) = &it.arrivals else { continue };
        let gamma = arrivals.gamma;
        let aic = ["gamma", "zero-inflated-gamma", "negative-binomial", "poisson"].map(|name| {
            let fit = arrivals.fits.iter().find(|fit| fit.law.name() == name);
            Cell::maybe(fit.map(|fit| fit.aic()), 0)
        });
        let first = [
            Cell::text(it.subject.name()),
            Cell::Number(arrivals.mean, 2),
            Cell::Number(arrivals.dispersion(), 2),
            Cell::Number(arrivals.empty_share, 3),
            Cell::maybe(gamma.map(|gamma| gamma.shape), 2),
            Cell::maybe(gamma.map(|gamma| gamma.scale), 2),
            Cell::maybe(it.gamma_distance(), 3),
        ];
        table.push(
            first
                .into_iter()
                .chain(aic)
                .chain([Cell::Number(it.correlation(), 2), Cell::Number(it.weekday().explained, 2)])
                .collect(),
        );
    }
    Part {
        name: "figure-5-arrivals".to_owned(),
        title: "Figure 5, first row: arrivals".to_owned(),
        text: "The Gamma is the paper's, by maximum likelihood, of the steps in which anything came, because it cannot produce \
               an empty one. By Akaike's criterion (smaller is better) laws of whole numbers are compared on all steps; the \
               last columns are the correlation of arrivals and removals in the same step, and the share of the variation of \
               arrivals that the day of the week explains."
            .to_owned(),
        table: Some(table),
        picture: None,
        claims: arrival_claims(&known[..shown]),
    }
}

fn arrival_claims(shown: &[Known<'_>]) -> Vec<Claim> {
    let best = |it: &Known<'_>| it.arrivals.as_ref().and_then(|arrivals| Some(arrivals.fits.first()?.law));
    let is_gamma = |it: &Known<'_>| matches!(best(it), Some(Law::Gamma(_)));
    let words = |it: &Known<'_>| {
        let law = best(it).map_or("nothing came", |law| charts::law_words(&law));
        format!("{}: {law}", it.subject.name())
    };
    let together = |it: &Known<'_>| format!("{} {:+.2}", it.subject.name(), it.correlation());
    vec![
        Claim::new(
            "arrivals per step follow a Gamma distribution",
            shown.iter().all(is_gamma),
            format!("best by Akaike's criterion: {}", joined(shown, words)),
        ),
        Claim::new(
            "arrivals hardly depend on removals",
            shown.iter().all(|it| it.correlation().abs() < WEAK),
            format!("correlation in the same step: {}", joined(shown, together)),
        ),
    ]
}

fn joined(shown: &[Known<'_>], words: impl Fn(&Known<'_>) -> String) -> String {
    shown.iter().map(words).collect::<Vec<_>>().join(", ")
}

fn survival(known: &[Known<'_>], shown: usize) -> Part {
    let mut titles: Vec<String> =
        ["source", "lives", "ended", "median days", "Weibull shape"].map(str::to_owned).into();
    titles.extend(Family::ALL.iter().map(|family| format!("AIC {}", family.name())));
    titles.extend(Family::ALL.iter().map(|family| format!("gap {}", family.name())));
    let mut table = Table::new(titles);
    for it in known {
        let median = KaplanMeier::of(&it.lives).quantile(0.5);
        let shape = it.fit(Family::Weibull).map(|fit| 1.0 / fit.survival.spread);
        let counts = [it.lives.count(), it.lives.ended()].map(|count| Cell::Number(count as f64, 0));
        let aic = Family::ALL.map(|family| Cell::maybe(it.fit(family).map(Fitted::aic), 0));
        let gaps = Family::ALL.map(|family| Cell::maybe(it.fit(family).map(|fit| fit.gap), 3));
        let first = std::iter::once(Cell::text(it.subject.name())).chain(counts);
        table.push(first.chain([Cell::maybe(median, 2), Cell::maybe(shape, 2)]).chain(aic).chain(gaps).collect());
    }
    let gaps =
        |it: &Known<'_>| [Family::Exponential, Family::Weibull].map(|family| it.fit(family).map_or(1.0, |fit| fit.gap));
    let words = |it: &Known<'_>| {
        let [exponential, weibull] = gaps(it);
        format!("{} {exponential:.3} and {weibull:.3}", it.subject.name())
    };
    let shown = &known[..shown];
    Part {
        name: "figure-5-survival".to_owned(),
        title: "Figure 5, second row: survival".to_owned(),
        text: "By maximum likelihood, with lives that were still going on when watching ended; those that began before \
               watching did are left out. Gap: the largest distance to Kaplan and Meier's curve. The paper has exponential \
               and Weibull; log-normal and log-logistic are ours."
            .to_owned(),
        table: Some(table),
        picture: None,
        claims: vec![Claim::new(
            "Weibull is hardly better than exponential, so exponential will do",
            shown.iter().map(gaps).all(|[exponential, weibull]| exponential - weibull < NEGLIGIBLE),
            format!("gap of exponential and of Weibull: {}", joined(shown, words)),
        )],
    }
}

fn pictures(it: &Known<'_>) -> Vec<Part> {
    let (copies, name) = (&it.subject.copies, it.subject.name());
    let picture = |kind: &str, title: &str, picture| Part {
        name: format!("figure-5-{kind}-{name}"),
        title: format!("Figure 5: {title} {name}"),
        text: String::new(),
        table: None,
        picture: Some(picture),
        claims: Vec::new(),
    };
    let came = it
        .arrivals
        .as_ref()
        .map(|arrivals| picture("arrivals", "arrivals at", charts::arrivals(copies, &it.turnover, arrivals)));
    let stayed = picture("survival", "survival at", charts::survival(copies, &it.lives, &it.fits));
    came.into_iter().chain([stayed]).collect()
}
