//! The identity of a payload: SHA-1, written as the web-archive field writes it.

use data_encoding::BASE32;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// SHA-1 of a payload. Shown as `sha1:` and upper-case BASE32, the form every replay tool indexes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 20]);

impl Digest {
    /// The digest of nothing. Duplicate records are never written for it.
    pub const EMPTY: Digest = Digest([
        0xda, 0x39, 0xa3, 0xee, 0x5e, 0x6b, 0x4b, 0x0d, 0x32, 0x55, 0xbf, 0xef, 0x95, 0x60, 0x18, 0x90, 0xaf, 0xd8,
        0x07, 0x09,
    ]);

    /// BASE32 without the `sha1:` label, as CDXJ lines carry it.
    pub fn to_base32(self) -> String {
        BASE32.encode(&self.0)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha1:{}", BASE32.encode_display(&self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a SHA-1 in BASE32 or hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseDigestError;

impl fmt::Display for ParseDigestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a SHA-1 digest in BASE32 or hexadecimal")
    }
}

impl std::error::Error for ParseDigestError {}

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Digest, ParseDigestError> {
        let text = text.strip_prefix("sha1:").unwrap_or(text).to_ascii_uppercase();
        let bytes = match text.len() {
            32 => BASE32.decode(text.as_bytes()),
            40 => data_encoding::HEXUPPER.decode(text.as_bytes()),
            _ => return Err(ParseDigestError),
        };
        let bytes = bytes.map_err(|_| ParseDigestError)?;
        Ok(Digest(bytes.try_into().map_err(|_| ParseDigestError)?))
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_payload_has_its_well_known_name() {
        assert_eq!(Digest::EMPTY.to_base32(), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!("sha1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj".parse(), Ok(Digest::EMPTY));
        assert_eq!("da39a3ee5e6b4b0d3255bfef95601890afd80709".parse(), Ok(Digest::EMPTY));
        assert_eq!("sha1:3I42".parse::<Digest>(), Err(ParseDigestError));
        assert_eq!("1".repeat(32).parse::<Digest>(), Err(ParseDigestError));
    }
}
