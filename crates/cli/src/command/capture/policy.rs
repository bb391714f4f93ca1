//! `--policy`: a name from the list, or two where one stands above the other.

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    error::ErrorKind,
};
use std::ffi::OsStr;
use tintype_plan::policy;

/// Takes what [`policy::find`] finds, and lists the names that stand alone.
#[derive(Clone, Debug)]
pub(super) struct Names;

fn listed() -> impl Iterator<Item = PossibleValue> {
    policy::REGISTRY.iter().map(|entry| PossibleValue::new(entry.name).help(entry.summary))
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

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        match value.to_str().filter(|name| name.contains(':')) {
            Some(pair) if policy::find(pair).is_some() => Ok(pair.to_owned()),
            Some(pair) => Err(Error::raw(ErrorKind::ValueValidation, no_pair(pair)).with_cmd(command)),
            None => PossibleValuesParser::new(listed()).parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(listed()))
    }
}
