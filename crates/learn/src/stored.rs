//! What was learned, or is in mind, as bytes, and back: every number to the bit, nothing about names or types.
//!
//! It is postcard, because text would round numbers and take three times the room. It does not describe itself: who reads
//! must know what was written, which is what versions are for ([`crate::learner`]). What is read may come from anywhere: no
//! length is believed that the bytes could not hold.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that somebody else understands, in one piece.
#[derive(Debug, Default)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        <&[u8]>::deserialize(from).map(|bytes| Bytes(bytes.to_vec()))
    }
}

pub fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("what is kept is plain data of known length")
}

/// The value that these bytes are, all of them.
pub fn from_bytes<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Nothing,
        One(u32),
        Pair { text: String, flag: Option<bool> },
    }

    type Everything = (Vec<(u64, f32)>, i64, [f64; 3], Vec<Kind>, Option<char>, ());

    fn everything() -> Everything {
        let kinds = vec![Kind::Nothing, Kind::One(7), Kind::Pair { text: "ä/b".to_owned(), flag: Some(true) }];
        (vec![(u64::MAX, -0.0), (0, 1.5)], i64::MIN, [0.1, f64::INFINITY, -1e-300], kinds, Some('→'), ())
    }

    #[test]
    fn what_was_written_reads_back_to_the_bit() {
        let bytes = to_bytes(&everything());
        assert_eq!(from_bytes::<Everything>(&bytes), Some(everything()));
        assert!(from_bytes::<Everything>(&bytes).unwrap().0[0].1.is_sign_negative());
        assert_eq!(from_bytes::<Everything>(&[&bytes[..], &[0]].concat()), None, "something is left over");
        (0..bytes.len()).for_each(|cut| assert_eq!(from_bytes::<Everything>(&bytes[..cut]), None, "{cut}"));
    }

    #[test]
    fn a_length_that_cannot_be_is_not_believed() {
        assert_eq!(from_bytes::<Vec<u64>>(&[0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2]), None);
        assert_eq!(from_bytes::<String>(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_value_or_none(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            from_bytes::<Everything>(&bytes);
            from_bytes::<Vec<Kind>>(&bytes);
        }
    }
}
