//! Undoes content codings on a copy of the body, within limits.

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::{borrow::Cow, io::Read};

/// Most codings stacked on one body.
pub const CODINGS_MAX: usize = 3;
/// Most bytes a body may decode to.
pub const DECODED_MAX: usize = 64 << 20;
/// Most bytes one coded byte may decode to, once the result is larger than [`ALWAYS_ALLOWED`].
pub const DECODED_RATIO_MAX: usize = 256;
/// A small body may be as repetitive as it likes.
const ALWAYS_ALLOWED: usize = 1 << 20;
/// Room is doubled up to here; beyond, it is made at once for all that is allowed, so that a bomb is not copied from
/// buffer to buffer. Room that is never used costs nothing.
const DOUBLED_UP_TO: usize = 8 << 20;

/// What became of a coded body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Damage {
    /// A coding we do not read, or bytes that are not in the coding named.
    pub(crate) undecodable: bool,
    /// The coded bytes end early or turn into garbage.
    pub(crate) broken: bool,
    /// Decoding stopped at a limit.
    pub(crate) too_large: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Coding {
    Gzip,
    Deflate,
}

/// The body without its content codings, as far as they could be undone; for those who want no links.
pub fn plain<'b>(content_encoding: Option<&str>, body: &'b [u8]) -> Cow<'b, [u8]> {
    undo(content_encoding, body).0
}

/// The body without its content codings, as far as they could be undone.
pub(crate) fn undo<'b>(content_encoding: Option<&str>, body: &'b [u8]) -> (Cow<'b, [u8]>, Damage) {
    let mut damage = Damage::default();
    let codings = match content_encoding.map(codings) {
        None => return (body.into(), damage),
        Some(None) => {
            damage.undecodable = true;
            return (Cow::Borrowed(&[]), damage);
        }
        Some(Some(codings)) => codings,
    };
    let mut decoded = Cow::Borrowed(body);
    for coding in codings.into_iter().rev() {
        match inflate(coding, &decoded, &mut damage) {
            Some(plain) => decoded = plain.into(),
            // Servers do label plain bytes as coded: what is there may still be readable.
            None => damage.undecodable = true,
        }
    }
    (decoded, damage)
}

/// The codings in the order they were applied, or nothing if one of them is not ours to undo.
fn codings(header: &str) -> Option<Vec<Coding>> {
    let mut codings = Vec::new();
    for name in header.split(',').map(str::trim) {
        match name.to_ascii_lowercase().as_str() {
            "" | "identity" | "none" | "utf-8" => continue,
            "gzip" | "x-gzip" => codings.push(Coding::Gzip),
            "deflate" => codings.push(Coding::Deflate),
            _ => return None,
        }
        if codings.len() > CODINGS_MAX {
            return None;
        }
    }
    Some(codings)
}

fn inflate(coding: Coding, coded: &[u8], damage: &mut Damage) -> Option<Vec<u8>> {
    match coding {
        _ if coded.is_empty() => None,
        Coding::Gzip if is_gzip(coded) => Some(gunzip(coded, damage)),
        Coding::Gzip => None,
        Coding::Deflate if is_zlib(coded) => Some(drain(ZlibDecoder::new(coded), coded.len(), limit(coded), damage)),
        Coding::Deflate => {
            let mut attempt = *damage;
            let plain = drain(DeflateDecoder::new(coded), coded.len(), limit(coded), &mut attempt);
            if plain.is_empty() && attempt.broken {
                return None;
            }
            *damage = attempt;
            Some(plain)
        }
    }
}

/// All members of a gzip stream, as far as they can be read.
pub(crate) fn gunzip(coded: &[u8], damage: &mut Damage) -> Vec<u8> {
    drain(MultiGzDecoder::new(coded), coded.len(), limit(coded), damage)
}

/// The first bytes of a gzip stream, enough to see what is inside.
pub(crate) fn gunzip_head(coded: &[u8], len: usize) -> Vec<u8> {
    drain(MultiGzDecoder::new(coded), len, len, &mut Damage::default())
}

pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b, 8])
}

fn is_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [method, flags, ..] if method & 0x0f == 8 && (u16::from(*method) << 8 | u16::from(*flags)) % 31 == 0)
}

fn limit(coded: &[u8]) -> usize {
    coded.len().saturating_mul(DECODED_RATIO_MAX).clamp(ALWAYS_ALLOWED, DECODED_MAX)
}

fn drain(mut decoder: impl Read, coded_len: usize, limit: usize, damage: &mut Damage) -> Vec<u8> {
    let most = limit + 1;
    let mut plain = Vec::with_capacity(coded_len.saturating_mul(4).clamp(1, most));
    loop {
        let room = plain.capacity() - plain.len();
        let read = decoder.by_ref().take(room as u64).read_to_end(&mut plain);
        damage.broken |= read.is_err();
        if read.is_err() || plain.len() < plain.capacity() || plain.len() >= most {
            break;
        }
        let more = if plain.len() < DOUBLED_UP_TO { plain.len() } else { most };
        plain.reserve_exact(more.min(most - plain.len()));
    }
    if plain.len() > limit {
        plain.truncate(limit);
        damage.too_large = true;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{
        Compression,
        write::{DeflateEncoder, GzEncoder, ZlibEncoder},
    };
    use std::io::Write;

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn zlib(plain: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn raw(plain: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    const FINE: Damage = Damage { undecodable: false, broken: false, too_large: false };

    #[test]
    fn every_coding_we_offer_is_undone() {
        let plain = b"<a href=x>hello</a>".repeat(100);
        let two_members = [gzip(&plain[..500]), gzip(&plain[500..])].concat();
        for (name, coded) in [
            ("gzip", gzip(&plain)),
            (" X-GZIP ", gzip(&plain)),
            ("gzip", two_members),
            ("deflate", zlib(&plain)),
            ("deflate", raw(&plain)),
            ("deflate, gzip", gzip(&zlib(&plain))),
            ("gzip, identity, deflate,gzip", gzip(&raw(&gzip(&plain)))),
            ("identity", plain.clone()),
            ("", plain.clone()),
        ] {
            assert_eq!(undo(Some(name), &coded), (plain.as_slice().into(), FINE), "{name}");
        }
    }

    #[test]
    fn codings_we_do_not_read_are_reported() {
        for name in ["br", "zstd", "gzip, br", "compress", "gzip, gzip, gzip, gzip"] {
            let (plain, damage) = undo(Some(name), b"bytes");
            assert!(plain.is_empty() && damage.undecodable, "{name}");
        }
    }

    #[test]
    fn bytes_that_are_not_in_the_coding_named_are_read_as_they_are() {
        for name in ["gzip", "deflate"] {
            let (plain, damage) = undo(Some(name), b"<a href=x>");
            assert_eq!(&*plain, b"<a href=x>", "{name}");
            assert_eq!(damage, Damage { undecodable: true, ..FINE });
        }
    }

    #[test]
    fn a_cut_stream_gives_what_decoded() {
        let plain: Vec<u8> = (0..20_000u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        for coded in [gzip(&plain), zlib(&plain)] {
            let name = if is_gzip(&coded) { "gzip" } else { "deflate" };
            let (half, damage) = undo(Some(name), &coded[..coded.len() / 2]);
            assert!(half.len() > plain.len() / 4 && plain.starts_with(&half), "{name} {}", half.len());
            assert_eq!(damage, Damage { broken: true, ..FINE });
        }
        let trailed = [gzip(&plain), b"trailing".to_vec()].concat();
        let (whole, damage) = undo(Some("gzip"), &trailed);
        assert_eq!((whole.len(), damage.undecodable), (plain.len(), false));
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let bomb = gzip(&vec![b'a'; 8 << 20]);
        let (plain, damage) = undo(Some("gzip"), &bomb);
        assert_eq!(plain.len(), bomb.len() * DECODED_RATIO_MAX);
        assert_eq!(damage, Damage { too_large: true, ..FINE });
        let stacked = gzip(&bomb);
        assert!(undo(Some("gzip, gzip"), &stacked).0.len() <= DECODED_MAX);
    }

    #[test]
    fn nothing_is_lost_where_room_is_made() {
        for len in [1, 63, 64, 65, 4095, 4096, DOUBLED_UP_TO - 1, DOUBLED_UP_TO, DOUBLED_UP_TO + 1, 3 * DOUBLED_UP_TO] {
            let plain: Vec<u8> = (0..len).map(|at| (at / 1000) as u8 ^ (at % 7) as u8).collect();
            for first_room in [1, len / 4, len] {
                let mut damage = FINE;
                assert!(drain(&plain[..], first_room.div_ceil(4), 4 * DOUBLED_UP_TO, &mut damage) == plain, "{len}");
                assert_eq!(damage, FINE, "{len}");
            }
            let mut damage = FINE;
            assert!(drain(&plain[..], 1, len - 1, &mut damage) == plain[..len - 1], "{len}");
            assert!(damage.too_large, "{len}");
        }
    }
}
