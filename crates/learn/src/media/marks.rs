//! Where in a text letters, digits and signs stand, as bits: sixteen bytes are looked at at once.

/// What is known of sixteen bytes: themselves folded, and a bit per byte for each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// Lower case, every digit a nought.
    pub(super) text: [u8; 16],
    pub(super) letter: u16,
    pub(super) capital: u16,
    pub(super) digit: u16,
    pub(super) slash: u16,
    pub(super) dot: u16,
    pub(super) question: u16,
    pub(super) hash: u16,
    /// What parts the pairs of a query: `&` or `;`.
    pub(super) ampersand: u16,
    pub(super) equals: u16,
}

#[cfg(target_arch = "x86_64")]
pub(super) use sse::marks;

#[cfg(not(target_arch = "x86_64"))]
pub(super) use plain::marks;

#[cfg(target_arch = "x86_64")]
mod sse {
    use super::Marks;
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_cvtsi128_si64, _mm_movemask_epi8,
        _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_unpackhi_epi64,
    };

    #[target_feature(enable = "sse2")]
    fn within(bytes: __m128i, first: u8, last: u8) -> __m128i {
        let above = _mm_cmpgt_epi8(bytes, _mm_set1_epi8(first as i8 - 1));
        let below = _mm_cmpgt_epi8(_mm_set1_epi8(last as i8 + 1), bytes);
        _mm_and_si128(above, below)
    }

    #[target_feature(enable = "sse2")]
    fn bits(mask: __m128i) -> u16 {
        _mm_movemask_epi8(mask) as u16
    }

    #[allow(unsafe_code)]
    pub(in super::super) fn marks(bytes: &[u8; 16]) -> Marks {
        // SAFETY: SSE2 is part of x86-64, without which this is not compiled.
        unsafe { of(bytes) }
    }

    #[target_feature(enable = "sse2")]
    fn of(bytes: &[u8; 16]) -> Marks {
        let number = u128::from_le_bytes(*bytes);
        let bytes = _mm_set_epi64x((number >> 64) as i64, number as i64);
        let equal = |byte: u8| _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8));
        let (capital, digit) = (within(bytes, b'A', b'Z'), within(bytes, b'0', b'9'));
        let lower = _mm_or_si128(bytes, _mm_and_si128(capital, _mm_set1_epi8(0x20)));
        let nought = _mm_and_si128(digit, _mm_set1_epi8(b'0' as i8));
        let folded = _mm_or_si128(_mm_andnot_si128(digit, lower), nought);
        let halves = [_mm_cvtsi128_si64(folded), _mm_cvtsi128_si64(_mm_unpackhi_epi64(folded, folded))];
        let text = u128::from(halves[0] as u64) | u128::from(halves[1] as u64) << 64;
        Marks {
            text: text.to_le_bytes(),
            letter: bits(within(lower, b'a', b'z')),
            capital: bits(capital),
            digit: bits(digit),
            slash: bits(equal(b'/')),
            dot: bits(equal(b'.')),
            question: bits(equal(b'?')),
            hash: bits(equal(b'#')),
            ampersand: bits(_mm_or_si128(equal(b'&'), equal(b';'))),
            equals: bits(equal(b'=')),
        }
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
mod plain {
    use super::Marks;

    pub(in super::super) fn marks(bytes: &[u8; 16]) -> Marks {
        let bits =
            |is: fn(u8) -> bool| bytes.iter().enumerate().fold(0, |bits, (at, byte)| bits | u16::from(is(*byte)) << at);
        Marks {
            text: bytes.map(|byte| if byte.is_ascii_digit() { b'0' } else { byte.to_ascii_lowercase() }),
            letter: bits(|byte| byte.is_ascii_alphabetic()),
            capital: bits(|byte| byte.is_ascii_uppercase()),
            digit: bits(|byte| byte.is_ascii_digit()),
            slash: bits(|byte| byte == b'/'),
            dot: bits(|byte| byte == b'.'),
            question: bits(|byte| byte == b'?'),
            hash: bits(|byte| byte == b'#'),
            ampersand: bits(|byte| matches!(byte, b'&' | b';')),
            equals: bits(|byte| byte == b'='),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sixteen_at_once_are_what_one_by_one_are(bytes in any::<[u8; 16]>()) {
            prop_assert_eq!(marks(&bytes), plain::marks(&bytes));
        }
    }

    #[test]
    fn every_byte_has_its_class() {
        for byte in 0..=u8::MAX {
            assert_eq!(marks(&[byte; 16]), plain::marks(&[byte; 16]), "{byte}");
        }
    }
}
