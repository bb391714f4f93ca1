//! The names of the media types within a kind: how often each was seen, behind an extension, behind it on one domain, and in
//! one directory.
//!
//! An extension says little that the kind does not, but it says which image an image is. Where there is none, or it lies, the
//! directory says it.

use super::{
    kind::Kind,
    names::{NameId, Names},
};
use tintype_vocab::{MediaRange, folded};

/// Extensions, and extensions of one domain, that are told apart.
const BUCKETS: usize = 1 << 13;
/// Names that are counted behind each.
const WAYS: usize = 4;
/// What the coarser count weighs beside the finer one.
const PRIOR: f32 = 1.0;
/// The share of a name among others of its kind when none was ever seen.
const UNSEEN: f32 = 0.2;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Count {
    pub(super) name: u16,
    pub(super) seen: u16,
}

/// What was seen behind one extension, or one extension of one domain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bucket {
    /// Whose counts these are; another's are no news of it.
    pub(super) owner: u32,
    pub(super) counts: [Count; WAYS],
}

/// What the names behind a URL are counted by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Keys {
    pub(super) extension: u64,
    pub(super) domain_and_extension: u64,
    /// With the extension; of the deepest directory that is told apart. Nothing above all directories.
    pub(super) directory: Option<u64>,
}

impl Keys {
    /// The keys of either table, from the coarser to the finer.
    fn by_table(self) -> [[Option<u64>; 2]; 2] {
        [[Some(self.extension), Some(self.domain_and_extension)], [self.directory, None]]
    }
}

#[derive(Clone, Debug)]
pub(super) struct Shares {
    pub(super) names: Names,
    /// By name.
    pub(super) totals: Vec<(Kind, f32)>,
    pub(super) buckets: Box<[Bucket]>,
    /// By directory, apart from the others: there are so many that they would wear those down.
    pub(super) directories: Box<[Bucket]>,
}

impl Shares {
    pub(super) fn blank() -> Shares {
        let buckets = || vec![Bucket::default(); BUCKETS].into_boxed_slice();
        Shares { names: Names::default(), totals: Vec::new(), buckets: buckets(), directories: buckets() }
    }

    /// The place of a key, and what tells it from others of the same place.
    fn place(key: u64) -> (usize, u32) {
        (key as usize % BUCKETS, (key >> 32) as u32 | 1)
    }

    /// Counts a media type and says of what kind it is; nothing if of none that is known.
    pub(super) fn see(&mut self, keys: Keys, media_type: &str) -> Option<Kind> {
        // One more name than there is room for is still of a kind.
        let Some(id) = self.name(media_type) else { return Kind::of(media_type) };
        let (kind, seen) = &mut self.totals[usize::from(id.0)];
        *seen += 1.0;
        let (kind, tables) = (*kind, [&mut self.buckets, &mut self.directories]);
        for (table, keys) in tables.into_iter().zip(keys.by_table()) {
            for key in keys.into_iter().flatten() {
                let (place, owner) = Shares::place(key);
                table[place].add(owner, id, 1);
            }
        }
        Some(kind)
    }

    pub(super) fn name(&mut self, media_type: &str) -> Option<NameId> {
        if let Some(known) = self.names.find(media_type) {
            return Some(known);
        }
        let kind = Kind::of(media_type)?;
        let id = self.names.intern(media_type)?;
        self.totals.push((kind, 0.0));
        Some(id)
    }

    /// The share of the names somebody wants among those of a kind.
    pub(super) fn share(&self, keys: Keys, kind: Kind, wanted: impl Fn(&str) -> bool) -> f32 {
        let of_kind = |id: u16| self.totals.get(usize::from(id)).is_some_and(|(other, _)| *other == kind);
        let is_wanted = |id: u16| wanted(self.names.get(NameId(id)));
        let all = (0..self.totals.len() as u16).map(|id| (id, self.totals[usize::from(id)].1));
        let mut share = refined(UNSEEN, all.filter(|(id, _)| of_kind(*id)), is_wanted);
        for (table, keys) in [&self.buckets, &self.directories].into_iter().zip(keys.by_table()) {
            for key in keys.into_iter().flatten() {
                let (place, owner) = Shares::place(key);
                let bucket = Some(&table[place]).filter(|bucket| bucket.owner == owner);
                let counts = bucket.into_iter().flat_map(|bucket| bucket.counts).filter(|count| count.seen > 0);
                let counts = counts.map(|count| (count.name, f32::from(count.seen))).filter(|(id, _)| of_kind(*id));
                share = refined(share, counts, is_wanted);
            }
        }
        share
    }

    /// Whether a kind has such a name; one that nobody saw may be of any kind it could be of.
    pub(super) fn may_have(&self, kind: Kind, wanted: &MediaRange) -> bool {
        let MediaRange::One(name) = wanted else { return true };
        Kind::of(name) == Some(kind) || Kind::of(folded(name)) == Some(kind) || kind.folds_into(name)
    }

    /// The likeliest names of all kinds.
    pub(super) fn likeliest(&self, keys: Keys, chances: &[f32; Kind::COUNT], most: usize) -> Vec<(String, f32)> {
        let named = self.names.iter().map(|(id, name)| {
            let kind = self.totals[usize::from(id.0)].0;
            let chance = chances[kind as usize];
            let share = if chance > 1e-3 { self.share(keys, kind, |other| other == name) } else { 0.0 };
            (name.to_owned(), chance * share)
        });
        let mut named: Vec<_> = named.collect();
        named.sort_by(|one, other| other.1.total_cmp(&one.1));
        named.truncate(most);
        named
    }

    pub(super) fn merge(&mut self, other: &Shares) {
        let renamed = other.names.iter().map(|(id, name)| {
            let (_, seen) = other.totals[usize::from(id.0)];
            let id = self.name(name)?;
            self.totals[usize::from(id.0)].1 += seen;
            Some(id)
        });
        let renamed: Vec<_> = renamed.collect();
        let buckets = self.buckets.iter_mut().chain(&mut self.directories);
        for (bucket, others) in buckets.zip(other.buckets.iter().chain(&other.directories)) {
            for other in others.counts.iter().filter(|other| other.seen > 0) {
                if let Some(Some(id)) = renamed.get(usize::from(other.name)) {
                    bucket.add(others.owner, *id, other.seen);
                }
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.names.bytes() + self.totals.capacity() * size_of::<(Kind, f32)>() + 2 * BUCKETS * size_of::<Bucket>()
    }
}

fn refined(coarse: f32, counts: impl Iterator<Item = (u16, f32)>, wanted: impl Fn(u16) -> bool) -> f32 {
    let (hits, all) =
        counts.fold((0.0, 0.0), |(hits, all), (id, seen)| (if wanted(id) { hits + seen } else { hits }, all + seen));
    (hits + PRIOR * coarse) / (all + PRIOR)
}

impl Bucket {
    /// Adds to the count of a name, or begins one in the place of the rarest. What grows too large is halved with its
    /// neighbours, so that the past counts less and less. A stranger wears the counts of the owner down, and moves in
    /// when nothing is left of them.
    fn add(&mut self, owner: u32, id: NameId, seen: u16) {
        if self.owner != owner {
            self.halve();
            if self.counts.iter().any(|count| count.seen > 0) {
                return;
            }
            *self = Bucket { owner, ..Bucket::default() };
        }
        let known = self.counts.iter().position(|count| count.seen > 0 && count.name == id.0);
        let at = known.unwrap_or_else(|| {
            let rarest = (0..WAYS).min_by_key(|at| self.counts[*at].seen).unwrap_or(0);
            self.counts[rarest] = Count { name: id.0, seen: 0 };
            rarest
        });
        if self.counts[at].seen.checked_add(seen).is_none() {
            self.halve();
        }
        self.counts[at].seen = self.counts[at].seen.saturating_add(seen);
    }

    fn halve(&mut self) {
        self.counts.iter_mut().for_each(|count| count.seen /= 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(extension: u64, domain_and_extension: u64) -> Keys {
        Keys { extension, domain_and_extension, directory: None }
    }

    #[test]
    fn names_are_told_apart_by_extension_and_domain() {
        let mut shares = Shares::blank();
        for _ in 0..20 {
            shares.see(keys(1, 2), "image/png");
            shares.see(keys(3, 4), "image/jpeg");
        }
        let png = |keys| shares.share(keys, Kind::Image, |name| name == "image/png");
        assert!(png(keys(1, 2)) > 0.95 && png(keys(3, 4)) < 0.05, "{} {}", png(keys(1, 2)), png(keys(3, 4)));
        assert!((png(keys(5, 6)) - 0.5).abs() < 0.1, "{}", png(keys(5, 6)));
        assert!(png(keys(1, 4)) < png(keys(1, 2)));
        assert!(shares.share(keys(1, 2), Kind::Pdf, |_| true) > 0.0);
    }

    #[test]
    fn what_stands_in_the_same_place_is_not_taken_for_its_own() {
        let mut shares = Shares::blank();
        let (one, other) = (5 | 1 << 40, 5 | 2 << 40);
        for _ in 0..50 {
            shares.see(keys(1 << 50, one), "image/png");
        }
        shares.see(keys(1 << 51, other), "image/jpeg");
        let png = |key| shares.share(keys(1 << 52, key), Kind::Image, |name| name == "image/png");
        assert!(png(one) > png(other) && png(one) > 0.95, "{} {}", png(one), png(other));
    }

    #[test]
    fn counts_never_overflow() {
        let mut shares = Shares::blank();
        for number in 0..200_000 {
            shares.see(keys(7, 7), ["application/zip", "application/gzip"][usize::from(number % 10 == 0)]);
        }
        let zip = shares.share(keys(7, 7), Kind::Binary, |name| name == "application/zip");
        assert!((zip - 0.9).abs() < 0.02, "{zip}");
    }

    #[test]
    fn names_are_told_apart_by_directory_where_nothing_else_tells() {
        let mut shares = Shares::blank();
        let within = |directory| Keys { directory: Some(directory), ..keys(1, 2) };
        for _ in 0..5 {
            shares.see(within(1 | 1 << 40), "image/png");
        }
        shares.see(within(2 | 2 << 40), "image/gif");
        let gif = |keys| shares.share(keys, Kind::Image, |name| name == "image/gif");
        assert!(gif(within(2 | 2 << 40)) > 0.5, "one answer is enough: {}", gif(within(2 | 2 << 40)));
        assert!(gif(within(1 | 1 << 40)) < 0.1 && gif(within(3 | 3 << 40)) < 0.3);
    }
}
