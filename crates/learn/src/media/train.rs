//! Training on many answers that are all known beforehand, so that they can be gone through more than once.

use super::{
    Media, MediaAnswer, Sight,
    extension::{self, Extension},
    kind::Kind,
    weights::Weights,
};

/// Times all answers are gone through. The weights after each time are averaged, but for the first.
const ROUNDS: usize = 6;
const RATE: f32 = 0.1;
/// One URL in so many is shown without its extension: what else there is about it is learned where it matters.
const STRIPPED_ONE_IN: u64 = 200;
const LOCAL_RATE: f32 = 0.3;

/// A model of what these sights turned out to be, trained on nothing else. The label says what they are.
///
/// General features are learned first, as if every domain were new; then local ones, on top of them. Learned together
/// those of a domain would explain what is true of the whole web.
pub fn train(examples: &[(Sight<'_>, MediaAnswer<'_>)], label: &str, run_seed: u64) -> Media {
    let mut media = Media { trained_on: label.to_owned(), ..Media::blank() };
    let kinds = examples.iter().map(|(sight, answer)| Kind::of(answer.media_type).map(|kind| (*sight, kind)));
    let mut sights: Vec<_> = kinds.flatten().collect();
    let mut dice = Dice(run_seed ^ 0x9e37_79b9_7f4a_7c15);
    let mut sum: Option<Weights> = None;
    for round in 0..ROUNDS {
        dice.shuffle(&mut sights);
        for (sight, kind) in &sights {
            let bare = if dice.one_in(STRIPPED_ONE_IN) { stripped(sight.url) } else { None };
            let sight = bare.as_deref().map_or(*sight, |url| Sight { url, ..*sight });
            media.learn_weights(&sight, *kind, [RATE, 0.0]);
        }
        if round > 0 {
            match &mut sum {
                None => sum = Some(media.weights.clone()),
                Some(sum) => sum.add(&media.weights),
            }
        }
    }
    if let Some(mut mean) = sum {
        mean.scale(1.0 / (ROUNDS - 1) as f32);
        media.weights = mean;
    }
    for (sight, kind) in &sights {
        media.learn_weights(sight, *kind, [0.0, LOCAL_RATE]);
    }
    for (sight, answer) in examples {
        media.learn_names(sight, answer);
    }
    media
}

/// A URL without its extension, if that names a media type.
fn stripped(url: &str) -> Option<String> {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let name = url[..end].rfind('/')? + 1;
    let dot = name + url[name..end].rfind('.')?;
    let number = |text: &str| text.bytes().fold(0, |number, byte| number << 8 | u64::from(byte.to_ascii_lowercase()));
    let extension = &url[dot + 1..end];
    let short = extension.len() <= extension::LEN_MAX;
    let names = short && matches!(extension::known(number(extension)), Extension::Names(_));
    names.then(|| format!("{}{}", &url[..dot], &url[end..]))
}

/// Seeded dice (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.roll().is_multiple_of(many)
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, (self.roll() % (at as u64 + 1)) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_taken_off_where_they_name_something() {
        assert_eq!(stripped("http://e.com/a/b.jpg?x=1").as_deref(), Some("http://e.com/a/b?x=1"));
        assert_eq!(stripped("http://e.com/a/b.php"), None);
        assert_eq!(stripped("http://e.com"), None);
    }
}
