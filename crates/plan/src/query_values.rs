//! How many values the parameters of one path have had, roughly and in little room: what tells the topics of a forum from the
//! ways to sort a list.

use serde::{Deserialize, Serialize};

/// Parameters of one path that are counted.
const NAMES_MAX: usize = 8;
/// Words of 64 values that are told apart: some four thousand values fill nearly all of them.
const WORDS: usize = 16;

/// The values each parameter had.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct QueryValues(Vec<(u64, [u64; WORDS])>);

impl QueryValues {
    pub(crate) fn add(&mut self, query: &str) {
        for part in query.split(['&', ';']) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let name = rapidhash::v3::rapidhash_v3(name.as_bytes());
            let known = self.0.iter().position(|(other, _)| *other == name);
            let known = known.or_else(|| {
                (self.0.len() < NAMES_MAX).then(|| self.0.push((name, [0; WORDS])))?;
                Some(self.0.len() - 1)
            });
            if let Some(at) = known {
                let bit = rapidhash::v3::rapidhash_v3(value.as_bytes()) as usize % (64 * WORDS);
                self.0[at].1[bit / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// Values of the parameter that had most, by linear counting; nothing once there are too many to tell.
    pub(crate) fn most(&self) -> Option<u32> {
        let all = (64 * WORDS) as f64;
        let used = self.0.iter().map(|(_, bits)| bits.iter().map(|word| word.count_ones()).sum::<u32>()).max();
        let free = all - f64::from(used.unwrap_or(0));
        // The last few places say little about how many values there were.
        (free > all / 64.0).then(|| (-all * (free / all).ln()).round() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most(values: usize) -> Option<u32> {
        let mut counted = QueryValues::default();
        (0..values).for_each(|value| counted.add(&format!("f=3;t={value}&start={}", value % 4)));
        counted.most()
    }

    #[test]
    fn the_parameter_with_most_values_is_counted_within_a_tenth_until_there_are_too_many() {
        for values in [1, 10, 100, 1000, 3000] {
            let found = f64::from(most(values).unwrap());
            assert!((found - values as f64).abs() <= 1.0 + values as f64 / 10.0, "{found} of {values}");
        }
        assert_eq!((most(0), most(20_000)), (Some(0), None));
    }

    #[test]
    fn whatever_is_asked_it_stays_small() {
        let mut counted = QueryValues::default();
        (0..1000).for_each(|name| counted.add(&format!("{name}=1")));
        assert_eq!(counted.0.len(), NAMES_MAX);
    }
}
