//! Which pages are probably of one kind, by their addresses.

/// Pages of the same kind have addresses of the same outline.
pub(crate) fn kind(url: &str) -> u64 {
    Groups::of(url).kind
}

/// Pages like this one, ever closer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Groups {
    /// Of the same host.
    pub(crate) host: u64,
    /// In the same section of it, as deep.
    pub(crate) section: u64,
    /// With an address of the same outline.
    pub(crate) kind: u64,
    /// Beside it.
    pub(crate) directory: u64,
}

impl Groups {
    pub(crate) fn of(url: &str) -> Groups {
        let address = Address::of(url);
        let hash = |parts: &[&str], shape: u64| {
            let hash = |seed, part: &&str| rapidhash::v3::rapidhash_v3(part.as_bytes()) ^ u64::rotate_left(seed, 7);
            parts.iter().fold(shape.wrapping_mul(0x9e37_79b9_7f4a_7c15), hash)
        };
        let shape = shape(address.name, address.query);
        let depth = (address.depth as u64) << 1 | 1;
        Groups {
            host: hash(&[address.host], 0),
            section: hash(&[address.host, address.section], depth),
            kind: hash(&[address.host, address.section], shape ^ depth),
            directory: hash(&[address.host, address.directory], shape),
        }
    }
}

/// The parts of a URL that pages of one kind share.
struct Address<'u> {
    host: &'u str,
    /// The first directory.
    section: &'u str,
    /// All of them.
    directory: &'u str,
    depth: usize,
    name: &'u str,
    query: &'u str,
}

impl<'u> Address<'u> {
    fn of(url: &'u str) -> Address<'u> {
        let after_scheme = url.find("://").map_or(0, |at| at + 3);
        let (place, query) = url[after_scheme..].split_once('?').unwrap_or((&url[after_scheme..], ""));
        let (host, path) = place.split_once('/').unwrap_or((place, ""));
        let path = path.trim_end_matches('/');
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let section = directory.split('/').next().unwrap_or_default();
        Address { host, section, directory, depth: directory.split('/').count(), name, query }
    }
}

/// What names of one kind have in common: words of letters stand for themselves, whatever has digits or joins several
/// words is one of many. Of a query the keys.
fn shape(name: &str, query: &str) -> u64 {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let kind = if stem.bytes().all(|byte| byte.is_ascii_digit()) {
        "0"
    } else if stem.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        stem
    } else {
        "-"
    };
    let mut hash =
        rapidhash::v3::rapidhash_v3(kind.as_bytes()) ^ rapidhash::v3::rapidhash_v3(extension.as_bytes()).rotate_left(9);
    for key in query.split('&').take(8).map(|pair| pair.split('=').next().unwrap_or(pair)) {
        hash = hash.rotate_left(5) ^ rapidhash::v3::rapidhash_v3(key.as_bytes());
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_differ_by_a_number_or_a_name_are_of_one_kind() {
        for (one, other) in [
            ("http://e.com/photo/12.jpg", "http://e.com/photo/7.jpg"),
            ("http://e.com/shows/north-3/7/notes", "http://e.com/shows/copper-9/12/notes"),
            ("http://e.com/albums/a-1/", "http://e.com/albums/b-2"),
            ("http://e.com/view.php?id=1&x=2", "http://e.com/view.php?id=5&x=3"),
        ] {
            assert_eq!(kind(one), kind(other), "{one} {other}");
        }
        for (one, other) in [
            ("http://e.com/photo/12.jpg", "http://e.com/photo/12"),
            ("http://e.com/shows/north-3/7/notes", "http://e.com/shows/north-3/7/comments"),
            ("http://e.com/albums/", "http://e.com/forum/"),
            ("http://e.com/albums/", "http://e.com/albums/?page=2"),
            ("http://e.com/albums/", "http://other.com/albums/"),
        ] {
            assert_ne!(kind(one), kind(other), "{one} {other}");
        }
    }

    #[test]
    fn odd_addresses_are_of_some_kind() {
        for odd in ["", "://", "http://", "http://e.com?", "http://e.com//?&&=", &"/%".repeat(100_000)] {
            assert_eq!(Groups::of(odd), Groups::of(odd));
        }
    }
}
