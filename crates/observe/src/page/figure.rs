//! What single words weigh: a figure, a "not" or a name changes what is said more than another word does, and a slip of
//! the pen less.

/// Half of a word that was replaced: it came, or it went.
const WORD: f64 = 0.5;
/// The same of a number, a date, a version.
const FIGURE: f64 = 1.5;
/// The same of a price or a share of something.
const AMOUNT: f64 = 2.5;
/// The same of a word with a capital, which may be a name.
const NAME: f64 = 0.75;
/// The same of a word that turns what is said into its opposite.
const NEGATION: f64 = 5.0;
/// The same of a word that is spelled otherwise.
const TYPO: f64 = 0.1;
/// Letters that a word and its misspelling have in common, at least.
const TYPO_COMMON: usize = 4;
/// Letters that differ, at most.
const TYPO_LETTERS: usize = 2;

/// Words that deny, forbid or except, in the languages the names of months are known in.
const NEGATIONS: [&str; 36] = [
    "not", "no", "never", "none", "neither", "nor", "cannot", "without", "except", "unless", "nicht", "kein", "keine",
    "keinen", "keiner", "nie", "niemals", "ohne", "ne", "pas", "jamais", "sans", "sauf", "aucun", "aucune", "nunca",
    "sin", "ningún", "ninguna", "non", "mai", "senza", "não", "sem", "nenhum", "nenhuma",
];
/// What is said of money beside a number.
const CURRENCIES: [char; 8] = ['$', '€', '£', '¥', '₹', '₽', '₩', '%'];

/// Whether a word is a price or a share: a number with a sign that says of what.
pub(super) fn is_amount(word: &str) -> bool {
    word.contains(CURRENCIES) && word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a word is a number with signs between its digits: 2.5, 1,200, 1,234.56. Not a version or a date.
pub(super) fn is_decimal(word: &str) -> bool {
    let number = amount(word);
    let is_sign = |byte: &u8| matches!(byte, b'.' | b',');
    let signs = number.bytes().filter(is_sign).count();
    let points = number.bytes().filter(|byte| *byte == b'.').count();
    let bytes = number.as_bytes();
    signs > 0
        && points <= 1
        && bytes.iter().all(|byte| byte.is_ascii_digit() || is_sign(byte))
        && bytes.first().is_some_and(u8::is_ascii_digit)
        && bytes.last().is_some_and(u8::is_ascii_digit)
}

/// A price or a share without the signs of the sentence it is in.
pub(super) fn amount(word: &str) -> &str {
    word.trim_matches(|char: char| !char.is_alphanumeric() && !CURRENCIES.contains(&char) && char != '-')
}

/// Whether a word denies.
pub(super) fn is_negation(word: &str) -> bool {
    let bare = word.trim_matches(|char: char| !char.is_alphanumeric());
    let contracted = || bare.len() > 3 && bare.to_ascii_lowercase().replace('’', "'").ends_with("n't");
    (2..=9).contains(&bare.len()) && (NEGATIONS.iter().any(|known| known.eq_ignore_ascii_case(bare)) || contracted())
}

/// Whether swapping such a word with that of another block changes what both say.
pub(super) fn is_bound(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit()) || is_negation(word)
}

/// Whether a word is a flag of a program: what people are asked or told is a yes or a no.
fn is_flag(word: &str) -> bool {
    ["true", "false"].iter().any(|flag| flag.eq_ignore_ascii_case(word))
}

/// What it weighs that a part of a word came or went.
pub(super) fn weight(part: &str, word: &str) -> f64 {
    if is_negation(word) {
        NEGATION
    } else if is_flag(word) {
        TYPO
    } else if is_amount(word) {
        AMOUNT
    } else if part.bytes().any(|byte| byte.is_ascii_digit()) {
        FIGURE
    } else if part.chars().next().is_some_and(char::is_uppercase) {
        NAME
    } else {
        WORD
    }
}

/// What is left of the weight of two words that differ like a slip of the pen; nothing if they are two words.
pub(super) fn typo(one: &str, two: &str) -> Option<f64> {
    let is_plain = |word: &str| word.chars().all(char::is_lowercase) && !is_negation(word);
    let same = |(one, two): &(char, char)| one == two;
    let (len, other) = (one.chars().count(), two.chars().count());
    let start = one.chars().zip(two.chars()).take_while(same).count();
    let end = one.chars().rev().zip(two.chars().rev()).take_while(same).count().min(len.min(other) - start);
    // Prefixes make another word: increase and decrease, legal and illegal.
    let is_slip = start > 0 && start + end >= TYPO_COMMON && len.max(other) - start - end <= TYPO_LETTERS;
    (is_slip && is_plain(one) && is_plain(two)).then_some(TYPO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_not_weighs_more_than_a_share_than_a_number_than_a_name_than_a_word() {
        let weights = ["not", "59%", "2018", "Smith", "house"].map(|word| weight(word, word));
        assert!(weights.windows(2).all(|pair| pair[0] > pair[1]), "{weights:?}");
        for negation in ["Not", "don’t", "can't", "nicht,", "without"] {
            assert!(is_negation(negation), "{negation}");
        }
        assert!(!is_negation("note") && !is_negation("knot") && !is_negation("n't"));
    }

    #[test]
    fn a_slip_of_the_pen_is_no_other_word() {
        for (one, two) in [("recieve", "receive"), ("adress", "address"), ("comittee", "committee")] {
            assert!(typo(one, two).is_some(), "{one} {two}");
        }
        for (one, two) in [
            ("increase", "decrease"),
            ("legal", "illegal"),
            ("cat", "car"),
            ("2018", "2019"),
            ("Smith", "Smyth"),
            ("a", ""),
        ] {
            assert!(typo(one, two).is_none(), "{one} {two}");
        }
    }
}
