//! `--policy`: a name from the list of those that make sense for a live capture, or two where one stands above the other.

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    error::ErrorKind,
};
use std::ffi::OsStr;
use tintype_plan::policy::{self, PolicyKind, RegisteredPolicy, Use};

/// Takes what is offered for captures, and lists the names that stand alone.
#[derive(Clone, Debug)]
pub(super) struct Names;

fn listed() -> impl Iterator<Item = PossibleValue> {
    policy::offered(Use::Capture).map(|entry| PossibleValue::new(entry.name).help(entry.summary))
}

/// What can stand before and after a colon, for somebody who wrote something else.
fn no_pair(pair: &str) -> String {
    let above: Vec<&str> = policy::names().filter(|name| policy::needs_memory(name)).collect();
    let below: Vec<&str> =
        policy::names().filter(|name| policy::find(&format!("{}:{name}", above[0])).is_some()).collect();
    format!(
        "{pair} is no policy above another: before the colon goes {}, after it one of\n  {}\n",
        above.join(" or "),
        below.join(", ")
    )
}

/// What a policy is for that is none for a live capture, and what to type instead.
fn elsewhere(entry: &RegisteredPolicy) -> String {
    let name = entry.name;
    let (is_for, instead) = match entry.kind {
        PolicyKind::Continual => (
            "visits pages again and again, which a capture does not: it is for keeping a site",
            format!("see what it would do with: tintype lab tournament --policies {name}"),
        ),
        PolicyKind::Passes => (
            "is capture after capture, as cron would make them: it is for the lab",
            format!("see what that would bring with: tintype lab tournament --policies {name}"),
        ),
        PolicyKind::Informed => (
            "is told the true change rates of all pages, which nobody has of a live site: it is for the lab",
            format!("see what they would be worth with: tintype lab tournament --policies {name}"),
        ),
        PolicyKind::Capture | PolicyKind::Planned => (
            "is an order of pages to compare others with: it is for the lab",
            "see how it does with: tintype lab sharc".to_owned(),
        ),
    };
    format!("{name} {is_for}\n  {instead}\n  capture with: --policy {}\n", policy::DEFAULT)
}

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let refused = |why: String| Err(Error::raw(ErrorKind::ValueValidation, why).with_cmd(command));
        let name = value.to_str().unwrap_or_default();
        match policy::find(name) {
            Some(_) if name.contains(':') => Ok(name.to_owned()),
            None if name.contains(':') => refused(no_pair(name)),
            Some(entry) if !entry.offered.contains(&Use::Capture) => refused(elsewhere(entry)),
            _ => PossibleValuesParser::new(listed()).parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(listed()))
    }
}
