//! How often what was said came true, and how sure it was said.

use serde::{Deserialize, Serialize};
use tintype_vocab::ContentType;

/// Content types there are.
pub const CONTENT_TYPES: usize = ContentType::ALL.len();
/// Where those are counted of whom nothing was said.
const NOTHING: usize = CONTENT_TYPES;

/// The likeliest content type and its chance; nothing where every chance is none.
pub fn likeliest(chances: &[f32; CONTENT_TYPES]) -> (Option<ContentType>, f32) {
    let (mut said, mut most) = (None, 0.0);
    for (class, chance) in ContentType::ALL.into_iter().zip(chances) {
        if *chance > most {
            (said, most) = (Some(class), *chance);
        }
    }
    (said, most)
}

/// Sayings with what they were about, counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MediaScore {
    /// By what was there, then by what was said.
    confusion: [[u64; CONTENT_TYPES + 1]; CONTENT_TYPES],
    pub calibration: Calibration,
}

/// Media precision, media recall and their harmonic mean for one content type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MediaClassScore {
    pub class: ContentType,
    pub precision: f64,
    pub recall: f64,
    pub f1: f64,
    pub support: u64,
}

impl MediaScore {
    pub fn add(&mut self, chances: &[f32; CONTENT_TYPES], was: ContentType) {
        let (said, chance) = likeliest(chances);
        self.confusion[was as usize][said.map_or(NOTHING, |said| said as usize)] += 1;
        self.calibration.add(chance, said == Some(was));
    }

    pub fn count(&self) -> u64 {
        self.confusion.iter().flatten().sum()
    }

    pub fn right(&self) -> u64 {
        (0..CONTENT_TYPES).map(|class| self.confusion[class][class]).sum()
    }

    /// The share that was said rightly; nothing of nothing.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.right(), self.count())
    }

    /// How often `said` was said of what was `was`; nothing said is `None`.
    pub fn told(&self, was: ContentType, said: Option<ContentType>) -> u64 {
        self.confusion[was as usize][said.map_or(NOTHING, |said| said as usize)]
    }

    /// Of those of whom there were any.
    pub fn classes(&self) -> Vec<MediaClassScore> {
        ContentType::ALL.into_iter().filter_map(|class| self.class(class)).collect()
    }

    fn class(&self, class: ContentType) -> Option<MediaClassScore> {
        let support = self.confusion[class as usize].iter().sum::<u64>();
        let right = self.told(class, Some(class));
        let said = ContentType::ALL.into_iter().map(|was| self.told(was, Some(class))).sum();
        let recall = share(right, support)?;
        let precision = share(right, said).unwrap_or(0.0);
        let f1 = share(2 * right, support + said).unwrap_or(0.0);
        Some(MediaClassScore { class, precision, recall, f1, support })
    }

    /// The mean over content types, rare ones counting as much as frequent ones.
    pub fn macro_f1(&self) -> Option<f64> {
        let classes = self.classes();
        (!classes.is_empty()).then(|| classes.iter().map(|class| class.f1).sum::<f64>() / classes.len() as f64)
    }
}

/// Equally wide stretches of chances.
const BINS: usize = 15;

/// Chances that were said, and how often they came true, by the size of the chance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    bins: [Bin; BINS],
}

/// Sayings with about the same chance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Bin {
    count: u64,
    /// The sum of chances in parts of [`ONE`]: a whole number, or what is kept as text would come back a little other.
    said: u64,
    right: u64,
}

const ONE: f64 = (1u64 << 32) as f64;

impl Bin {
    fn said(&self) -> f64 {
        self.said as f64 / ONE
    }
}

/// What was said on average in a stretch of chances, and what came true.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reliability {
    pub said: f64,
    pub found: f64,
    pub count: u64,
}

impl Calibration {
    pub fn add(&mut self, chance: f32, right: bool) {
        let bin = &mut self.bins[((chance * BINS as f32) as usize).min(BINS - 1)];
        bin.count += 1;
        bin.said += (f64::from(chance) * ONE) as u64;
        bin.right += u64::from(right);
    }

    pub fn count(&self) -> u64 {
        self.bins.iter().map(|bin| bin.count).sum()
    }

    /// What was expected to come true, and what did.
    pub fn expected_and_found(&self) -> (f64, u64) {
        (self.bins.iter().map(Bin::said).sum(), self.bins.iter().map(|bin| bin.right).sum())
    }

    /// How far what was said is from what came true, on average: the expected calibration error.
    pub fn error(&self) -> Option<f64> {
        let count = self.count();
        let apart: f64 = self.bins.iter().map(|bin| (bin.said() - bin.right as f64).abs()).sum();
        (count > 0).then(|| apart / count as f64)
    }

    /// Stretches in which anything was said, from unlikely to sure.
    pub fn reliability(&self) -> Vec<Reliability> {
        let of = |bin: &Bin| {
            let count = bin.count as f64;
            Reliability { said: bin.said() / count, found: bin.right as f64 / count, count: bin.count }
        };
        self.bins.iter().filter(|bin| bin.count > 0).map(of).collect()
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ContentType::{Image, Text, Video};

    fn sure(class: ContentType, chance: f32) -> [f32; CONTENT_TYPES] {
        let mut chances = [0.0; CONTENT_TYPES];
        chances[class as usize] = chance;
        chances
    }

    #[test]
    fn classes_are_scored_as_defined() {
        let mut score = MediaScore::default();
        for (said, was) in [(Image, Image), (Image, Image), (Image, Text), (Text, Text), (Text, Video)] {
            score.add(&sure(said, 0.8), was);
        }
        score.add(&[0.0; CONTENT_TYPES], Text);
        assert_eq!((score.count(), score.right(), score.accuracy()), (6, 3, Some(0.5)));
        let classes = score.classes();
        let image = MediaClassScore { class: Image, precision: 2.0 / 3.0, recall: 1.0, f1: 0.8, support: 2 };
        let text = MediaClassScore { class: Text, precision: 0.5, recall: 1.0 / 3.0, f1: 0.4, support: 3 };
        let video = MediaClassScore { class: Video, precision: 0.0, recall: 0.0, f1: 0.0, support: 1 };
        assert_eq!(classes, [image, text, video]);
        assert!((score.macro_f1().unwrap() - 0.4).abs() < 1e-12);
        assert_eq!((score.told(Text, None), score.told(Text, Some(Image))), (1, 1));
        assert_eq!((MediaScore::default().accuracy(), MediaScore::default().macro_f1()), (None, None));
    }

    #[test]
    fn what_is_kept_as_text_comes_back_to_the_bit() {
        let mut calibration = Calibration::default();
        for nth in 1..2_000u16 {
            calibration.add(1.0 / f32::from(nth), nth % 3 == 0);
            let kept = serde_json::to_string(&calibration).unwrap();
            assert_eq!(serde_json::from_str::<Calibration>(&kept).unwrap(), calibration, "{kept}");
        }
    }

    #[test]
    fn chances_are_held_against_what_came_true() {
        let mut calibration = Calibration::default();
        for right in [true, true, true, false] {
            calibration.add(0.75, right);
        }
        assert_eq!(calibration.error(), Some(0.0));
        for _ in 0..4 {
            calibration.add(1.0, false);
        }
        assert_eq!(calibration.error(), Some(0.5));
        assert_eq!(calibration.expected_and_found(), (7.0, 3));
        let reliability = calibration.reliability();
        assert_eq!(reliability[0], Reliability { said: 0.75, found: 0.75, count: 4 });
        assert_eq!(reliability[1], Reliability { said: 1.0, found: 0.0, count: 4 });
    }
}
