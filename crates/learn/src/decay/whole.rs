//! Lists that are read back as long as they were written: what is indexed must be there.

use serde::{Deserialize, Deserializer, de::Error};

/// So many numbers.
pub(super) fn exactly<'de, const N: usize, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let numbers = Vec::deserialize(from)?;
    if numbers.len() == N {
        Ok(numbers)
    } else {
        Err(D::Error::invalid_length(numbers.len(), &"another number of them"))
    }
}

/// So many numbers, or none at all.
pub(super) fn all_or_none<'de, const N: usize, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let numbers = Vec::deserialize(from)?;
    let whole = numbers.is_empty() || numbers.len() == N;
    if whole { Ok(numbers) } else { Err(D::Error::invalid_length(numbers.len(), &"all of them or none")) }
}
