//! Why nothing was captured: what failed first, and what helps.

use serde::Serialize;
use tintype_plan::{Exclusions, Objection};
use tintype_quality::FirstFailure;
use tintype_vocab::{Failure, Outcome};

/// What went wrong first, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Trouble {
    pub(crate) url: String,
    pub(crate) why: String,
    /// What to do about it.
    pub(crate) next: String,
}

impl Trouble {
    /// What failed, or else what was left out and why; nothing if nothing was even tried.
    pub(crate) fn of(failure: Option<&FirstFailure>, left_out: &Exclusions) -> Option<Trouble> {
        // What robots.txt forbids is the whole story, whatever its host answered besides.
        let telling = |objection: Objection| {
            matches!(objection, Objection::Robots | Objection::RedirectLoop | Objection::HostPause)
        };
        let objection = || left_out.iter().find(|(objection, _)| telling(*objection));
        match (failure, objection()) {
            (Some(failure), None) => Some(of_failure(failure)),
            (_, Some((objection, excluded))) => {
                let url = excluded.samples.first().cloned().unwrap_or_default();
                Some(Trouble { next: help_with(objection, &url), url, why: objection.explain().to_owned() })
            }
            (None, None) => left_out.iter().next().map(|(objection, excluded)| Trouble {
                url: excluded.samples.first().cloned().unwrap_or_default(),
                why: objection.explain().to_owned(),
                next: "see tintype capture --help".to_owned(),
            }),
        }
    }
}

fn of_failure(failure: &FirstFailure) -> Trouble {
    let why = match &failure.outcome {
        Outcome::Failed { cause } => cause.to_string(),
        Outcome::Refused { status, .. } => format!("{status} refused"),
        Outcome::Gone { status } => format!("{status} not there"),
        Outcome::Body { .. } | Outcome::NotModified | Outcome::Redirected { .. } => String::new(),
    };
    Trouble { url: failure.url.clone(), why, next: help(&failure.outcome, &failure.url) }
}

/// What failed first among pages that were had, in a line. That a page is not there needs no help.
pub(crate) fn text(failure: &FirstFailure) -> String {
    let Trouble { url, why, next } = of_failure(failure);
    match &failure.outcome {
        Outcome::Gone { .. } => format!("{url}: {why}"),
        _ => format!("{url}: {why}; {next}"),
    }
}

fn help(outcome: &Outcome, url: &str) -> String {
    let host = url.split('/').nth(2).unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    let help = match outcome {
        Outcome::Failed { cause } => match cause {
            Failure::NoSuchHost => "check the spelling of the address",
            Failure::Unreachable => {
                "check the address and its port, and that the server runs; --proxy goes another way"
            }
            Failure::PrivateAddress => {
                return format!("--allow-private {host} lets its name lead into private space, if it is yours");
            }
            Failure::Certificate(_) => {
                "--accept-invalid-certificates archives it all the same and notes what was wrong"
            }
            Failure::Tls if url.starts_with("https:") => {
                "--accept-invalid-certificates archives it all the same and notes what was wrong; or is it http?"
            }
            Failure::Tls => "check whether it is http or https",
            Failure::Timeout(_) | Failure::Disconnected | Failure::Server(_) => "run the same command later to go on",
            Failure::NotHttp | Failure::HeadTooLarge => "check the port, and whether it is http or https",
            Failure::Proxy => "check --proxy, its name and password",
            Failure::BadUrl => "check the spelling of the address",
        },
        Outcome::Refused { status: 401, .. } => "log in with --user NAME:PASSWORD, --bearer TOKEN or --cookies FILE",
        Outcome::Refused { status: 403 | 451, .. } => {
            "log in with --cookies FILE or --user NAME:PASSWORD, or ask its owner; --contact says who you are"
        }
        Outcome::Refused { status: 407, .. } => "check --proxy, its name and password",
        Outcome::Refused { .. } => "run the same command later to go on; --delay 10 asks less often",
        Outcome::Gone { .. } => "check the address",
        Outcome::Body { .. } | Outcome::NotModified | Outcome::Redirected { .. } => "run the same command again",
    };
    help.to_owned()
}

fn help_with(objection: Objection, url: &str) -> String {
    let host = url.split('/').nth(2).unwrap_or_default();
    match objection {
        Objection::Robots => format!("if you may all the same: --ignore-robots {host}"),
        Objection::RedirectLoop => {
            "it may want to know visitors: --cookies FILE or --user NAME:PASSWORD logs in".to_owned()
        }
        _ => "run the same command later to go on".to_owned(),
    }
}
