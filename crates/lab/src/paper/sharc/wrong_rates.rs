//! Figure 11: for a share of the pages, 1 − λ is believed instead of λ.

use super::{
    super::part::{Claim, Part},
    ONCE, OURS_ONCE, OURS_TWICE, Played, Sweep, TWICE, least,
};
use crate::sharc::setting::SharcSetting;
use tintype_picture::{Axis, Lines};

const SHARES: [f64; 9] = [0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0];
/// The paper's bound of what its strategies bear.
const BORNE: f64 = 0.5;

pub(super) fn parts(setting: &SharcSetting) -> anyhow::Result<Vec<Part>> {
    let once = [&ONCE[..], &[OURS_ONCE]].concat();
    let twice = [&TWICE[..], &[OURS_TWICE]].concat();
    let (once, twice) = (sweep(setting, &once)?, sweep(setting, &twice)?);
    let claim = |sweep: &Sweep<'_>, name: &str, others: &[&str]| borne(sweep, name, others);
    let of_once = vec![claim(&once, "sharc-online", &ONCE[2..])];
    let of_twice = vec![claim(&twice, "sharc-revisits", &TWICE[2..])];
    Ok(vec![
        part("a", "crawling once", &once, (OURS_ONCE, "sharc-offline"), of_once),
        part("b", "crawling with revisits", &twice, (OURS_TWICE, "sharc-revisits"), of_twice),
    ])
}

fn sweep<'a>(setting: &SharcSetting, names: &'a [&'a str]) -> anyhow::Result<Sweep<'a>> {
    let play =
        |misestimated: f64| Ok((misestimated, Played::new(&SharcSetting { misestimated, ..setting.clone() }, names)?));
    Ok(Sweep { names, at: SHARES.into_iter().map(play).collect::<anyhow::Result<_>>()? })
}

fn part(letter: &str, how: &str, sweep: &Sweep<'_>, (ours, reference): (&str, &str), claims: Vec<Claim>) -> Part {
    let sites = sweep.at[0].1.samples.len();
    let chart = Lines {
        title: format!("Blur and wrong rates, {how}"),
        caption: format!("1 − rate is believed of a share of the pages. Exact blur, {sites} sites, 95 % bands."),
        x: Axis::linear("Wrong rates", "share of the pages").including(0.0, 1.0),
        y: Axis::linear("Exact blur", "changes missed, summed over pages"),
        series: sweep.series(ours, reference),
    };
    Part {
        name: format!("figure-11{letter}"),
        title: format!("Figure 11({letter}): change rate approximation error, {how}"),
        text: String::new(),
        table: Some(sweep.table("share wrong")),
        picture: Some(chart.draw()),
        claims,
    }
}

/// Whether a strategy beats everybody else as long as half of the rates are right.
fn borne(sweep: &Sweep<'_>, name: &str, others: &[&str]) -> Claim {
    let wins = |played: &Played| played.exact_blur(name) < least(others, |other| played.exact_blur(other)).1;
    let lost = sweep.at.iter().find(|(_, played)| !wins(played));
    let because = lost.map_or_else(
        || "it is best at every share".to_owned(),
        |(share, played)| {
            let (best, blur) = least(others, |other| played.exact_blur(other));
            format!("best below {share} wrong, where it has {:.0} and {best} {blur:.0}", played.exact_blur(name))
        },
    );
    let holds = lost.is_none_or(|(share, _)| *share > BORNE);
    Claim::new(format!("{name} is best while at least half of the rates are right"), holds, because)
}
