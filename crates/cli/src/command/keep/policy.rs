//! `--policy`: a name from the list of those that visit pages again and again.

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use std::ffi::OsStr;
use tintype_plan::policy::{self, Use};

/// Takes what is offered for keeping.
#[derive(Clone, Debug)]
pub(super) struct Names;

fn listed() -> impl Iterator<Item = PossibleValue> {
    policy::offered(Use::Keep).map(|entry| PossibleValue::new(entry.name).help(entry.summary))
}

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        PossibleValuesParser::new(listed()).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(listed()))
    }
}
