//! Instants as dates that people read and other programs parse, to the millisecond.

use serde::{Deserialize, Deserializer, Serializer, de::Error};
use std::borrow::Cow;
use tintype_vocab::Time;

pub(super) fn serialize<S: Serializer>(time: &Time, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&time.to_rfc3339())
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Time, D::Error> {
    Time::parse_rfc3339(&Cow::<str>::deserialize(from)?).map_err(D::Error::custom)
}

/// The same where there may be none.
pub(super) mod optional {
    use super::{Cow, Deserialize, Deserializer, Error, Serializer, Time};

    pub(in super::super) fn serialize<S: Serializer>(time: &Option<Time>, to: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => super::serialize(time, to),
            None => to.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Time>, D::Error> {
        let text = Option::<Cow<str>>::deserialize(from)?;
        text.map(|text| Time::parse_rfc3339(&text).map_err(D::Error::custom)).transpose()
    }
}
