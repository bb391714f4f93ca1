//! Figure 10: the observation interval grows, the capture does not.

use super::{
    super::part::{Claim, Part},
    ONCE, OURS_ONCE, OURS_TWICE, Played, Sweep, TWICE, least,
};
use crate::sharc::setting::SharcSetting;
use tintype_picture::{Axis, Lines};

const STRETCHES: [f64; 4] = [1.0, 2.0, 4.0, 8.0];
/// Closer than this no difference is worth a strategy.
const ALIKE: f64 = 1.05;

pub(super) fn parts(setting: &SharcSetting) -> anyhow::Result<Vec<Part>> {
    let once = [&ONCE[..], &[OURS_ONCE]].concat();
    let twice = [&TWICE[..], &[OURS_TWICE, "square-root"]].concat();
    let (once, twice) = (sweep(setting, &once)?, sweep(setting, &twice)?);
    let claims = vec![online_second(&once), vanish(&once, &ONCE)];
    Ok(vec![
        part("a", "crawling once", &once, (OURS_ONCE, "sharc-offline"), claims),
        part("b", "crawling with revisits", &twice, (OURS_TWICE, "sharc-revisits"), revisit_claims(&twice)),
    ])
}

fn sweep<'a>(setting: &SharcSetting, names: &'a [&'a str]) -> anyhow::Result<Sweep<'a>> {
    let play = |stretch: f64| Ok((stretch, Played::new(&SharcSetting { stretch, ..setting.clone() }, names)?));
    Ok(Sweep { names, at: STRETCHES.into_iter().map(play).collect::<anyhow::Result<_>>()? })
}

fn part(letter: &str, how: &str, sweep: &Sweep<'_>, (ours, reference): (&str, &str), claims: Vec<Claim>) -> Part {
    let sites = sweep.at[0].1.samples.len();
    let chart = Lines {
        title: format!("Blur and the observation interval, {how}"),
        caption: format!("Exact blur on thrown histories, mean of {sites} sites; bands are 95 % intervals."),
        x: Axis::logarithmic("Observation interval", "multiple of the capture interval"),
        y: Axis::logarithmic("Exact blur", "changes missed, summed over pages"),
        series: sweep.series(ours, reference),
    };
    Part {
        name: format!("figure-10{letter}"),
        title: format!("Figure 10({letter}): blur for observation periods, {how}"),
        text: String::new(),
        table: Some(sweep.table("observation interval")),
        picture: Some(chart.draw()),
        claims,
    }
}

fn online_second(sweep: &Sweep<'_>) -> Claim {
    let played = &sweep.at[0].1;
    let (best, blur) = least(&ONCE[2..], |name| played.exact_blur(name));
    let (offline, online) = (played.exact_blur("sharc-offline"), played.exact_blur("sharc-online"));
    Claim::new(
        "with equal intervals SHARC-offline is best, SHARC-online second, all others behind",
        offline < online && online < blur,
        format!("offline {offline:.0}, online {online:.0}, best of the others {best} {blur:.0}"),
    )
}

fn spread(played: &Played, names: &[&str]) -> f64 {
    let (_, least_blur) = least(names, |name| played.exact_blur(name));
    let most = names.iter().map(|name| played.exact_blur(name)).fold(0.0, f64::max);
    most / least_blur
}

fn vanish(sweep: &Sweep<'_>, names: &[&str]) -> Claim {
    let spreads: Vec<f64> = sweep.at.iter().map(|(_, played)| spread(played, names)).collect();
    let words: Vec<String> = spreads.iter().map(|spread| format!("{spread:.3}")).collect();
    Claim::new(
        "differences disappear as the observation interval grows",
        spreads.is_sorted_by(|a, b| a >= b) && spreads.last().is_some_and(|last| *last < ALIKE),
        format!("worst ÷ best at 1, 2, 4 and 8 times the capture: {}", words.join(", ")),
    )
}

fn revisit_claims(sweep: &Sweep<'_>) -> Vec<Claim> {
    let played = &sweep.at[0].1;
    let (best, blur) = least(&TWICE, |name| played.exact_blur(name));
    let threshold = played.exact_blur("sharc-threshold");
    let most = TWICE.iter().map(|name| played.exact_blur(name)).fold(0.0, f64::max);
    vec![
        Claim::new(
            "SHARC-revisits has the least blur of all with revisits",
            best == "sharc-revisits",
            format!("least is {best} with {blur:.0}"),
        ),
        Claim::new(
            "SHARC-threshold, made for sharp pages, is outperformed by all others",
            threshold >= most,
            format!("{threshold:.0}; the largest of all is {most:.0}"),
        ),
        vanish(sweep, &TWICE),
    ]
}
