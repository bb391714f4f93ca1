//! What else is learned of the pages of a domain: whether they carry links, and how long they are.

use super::{MediaAnswer, kind::Kind};

const SLOTS: usize = 1 << 14;
/// How far one answer moves what is believed.
const LINKS_RATE: f32 = 0.5;
const BYTES_RATE: f32 = 0.3;

/// What pages with one local feature are, beyond what their kind says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shift {
    pub(super) links: f32,
    pub(super) log_bytes: f32,
    pub(super) seen: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Aside {
    /// By kind: answers, those with links, and the sum of the logarithms of their lengths.
    pub(super) kinds: [[f32; 4]; Kind::COUNT],
    pub(super) shifts: Box<[Shift]>,
}

/// What is believed of a kind at first counts like so many answers.
const PRIOR: f32 = 4.0;

impl Aside {
    pub(super) fn blank() -> Aside {
        Aside { kinds: [[0.0; 4]; Kind::COUNT], shifts: vec![Shift::default(); SLOTS].into_boxed_slice() }
    }

    /// The share of a kind that carries links.
    fn links_share(&self, kind: Kind) -> f32 {
        let [looked, links, ..] = self.kinds[kind as usize];
        (links + PRIOR * kind.links_share()) / (looked + PRIOR)
    }

    fn mean_log_bytes(&self, kind: Kind) -> f32 {
        let [.., measured, sum] = self.kinds[kind as usize];
        (sum + PRIOR * kind.log_bytes()) / (measured + PRIOR)
    }

    /// Whether anything was seen of pages with this local feature.
    pub(super) fn knows(&self, slot: u32) -> bool {
        self.shifts[slot as usize % SLOTS].seen > 0.0
    }

    /// The chance to carry links, and the logarithm of the length.
    pub(super) fn guess(&self, chances: &[f32; Kind::COUNT], local: &[u32]) -> (f32, f32) {
        let (mut links, mut log_bytes) = (0.0, 0.0);
        for (kind, chance) in Kind::ALL.into_iter().zip(chances) {
            links += chance * self.links_share(kind);
            log_bytes += chance * self.mean_log_bytes(kind);
        }
        let shift = local.iter().fold(Shift::default(), |sum, slot| {
            let shift = self.shifts[*slot as usize % SLOTS];
            Shift { links: sum.links + shift.links, log_bytes: sum.log_bytes + shift.log_bytes, seen: 0.0 }
        });
        let links = links.clamp(1e-4, 1.0 - 1e-4);
        let odds = (links / (1.0 - links)).ln() + shift.links;
        (1.0 / (1.0 + (-odds).exp()), log_bytes + shift.log_bytes)
    }

    pub(super) fn learn(&mut self, chances: &[f32; Kind::COUNT], kind: Kind, local: &[u32], answer: &MediaAnswer<'_>) {
        if answer.links.is_none() && answer.bytes.is_none() {
            return;
        }
        let (links, log_bytes) = self.guess(chances, local);
        let log = answer.bytes.map(|bytes| (bytes.max(1) as f32).ln());
        let links_error = answer.links.map_or(0.0, |found| f32::from(u8::from(found)) - links);
        let bytes_error = log.map_or(0.0, |log| log - log_bytes);
        let each = 1.0 / local.len().max(1) as f32;
        for slot in local {
            let shift = &mut self.shifts[*slot as usize % SLOTS];
            shift.seen += 1.0;
            let slower = each / shift.seen.sqrt();
            shift.links += 8.0 * LINKS_RATE * slower * links_error;
            shift.log_bytes += 2.0 * BYTES_RATE * slower * bytes_error;
        }
        let counts = &mut self.kinds[kind as usize];
        if let Some(found) = answer.links {
            counts[0] += 1.0;
            counts[1] += f32::from(u8::from(found));
        }
        if let Some(log) = log {
            counts[2] += 1.0;
            counts[3] += log;
        }
    }

    pub(super) fn merge(&mut self, other: &Aside) {
        for (kind, other) in self.kinds.iter_mut().zip(&other.kinds) {
            kind.iter_mut().zip(other).for_each(|(count, other)| *count += other);
        }
        for (shift, other) in self.shifts.iter_mut().zip(&other.shifts) {
            let seen = shift.seen + other.seen;
            if seen > 0.0 {
                let share = other.seen / seen;
                shift.links += share * (other.links - shift.links);
                shift.log_bytes += share * (other.log_bytes - shift.log_bytes);
                shift.seen = seen;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        SLOTS * size_of::<Shift>() + size_of_val(&self.kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(bytes: u64, links: bool) -> MediaAnswer<'static> {
        MediaAnswer { media_type: "text/html", bytes: Some(bytes), links: Some(links) }
    }

    #[test]
    fn pages_of_a_directory_that_carry_no_links_are_known_after_a_few() {
        let mut chances = [0.0; Kind::COUNT];
        chances[Kind::Html as usize] = 1.0;
        let mut aside = Aside::blank();
        let (before, _) = aside.guess(&chances, &[1, 2]);
        for _ in 0..10 {
            aside.learn(&chances, Kind::Html, &[1, 2], &answer(1000, false));
            aside.learn(&chances, Kind::Html, &[1, 3], &answer(100_000, true));
        }
        let ((bare, short), (rich, long)) = (aside.guess(&chances, &[1, 2]), aside.guess(&chances, &[1, 3]));
        assert!(before > 0.9 && bare < 0.4 && rich > 0.6, "{before} {bare} {rich}");
        assert!(short < 9.0 && long > 10.0, "{short} {long}");
    }
}
