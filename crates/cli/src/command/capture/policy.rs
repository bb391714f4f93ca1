//! `--policy`: a name from the list, or two where one stands above the other.

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use std::ffi::OsStr;
use tintype_plan::policy;

/// Takes what [`policy::find`] finds, and lists the names that stand alone.
#[derive(Clone, Debug)]
pub(super) struct Names;

fn listed() -> impl Iterator<Item = PossibleValue> {
    policy::REGISTRY.iter().map(|entry| PossibleValue::new(entry.name).help(entry.summary))
}

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        match value.to_str().filter(|name| name.contains(':') && policy::find(name).is_some()) {
            Some(pair) => Ok(pair.to_owned()),
            None => PossibleValuesParser::new(listed()).parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(listed()))
    }
}
