//! Objects with certain attributes: `make=bmw,year>2002`.

use std::{fmt, str::FromStr};

/// Conditions on attributes, all of which hold. `=` and `!=` compare texts, `<`, `<=`, `>` and `>=` numbers; an attribute
/// that is no number is neither above nor below one.
#[derive(Clone, Debug, PartialEq)]
pub struct Subset(Vec<Condition>);

#[derive(Clone, Debug, PartialEq)]
struct Condition {
    attribute: String,
    test: Test,
    /// As it was written.
    value: String,
    number: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Is,
    IsNot,
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// Longer signs first: `<=` begins with `<`.
const SIGNS: [(&str, Test); 6] = [
    ("!=", Test::IsNot),
    ("<=", Test::AtMost),
    (">=", Test::AtLeast),
    ("=", Test::Is),
    ("<", Test::Below),
    (">", Test::Above),
];

/// A subset that means nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSubset {
    #[error("{0:?} is no condition; write such as make=bmw or year>2002")]
    Condition(String),
    #[error("{0:?} is compared with a number, and {1:?} is none")]
    Number(String, String),
    #[error("objects have no attribute {name:?}; there are {}", known.join(", "))]
    Attribute { name: String, known: Vec<String> },
}

impl FromStr for Subset {
    type Err = BadSubset;

    fn from_str(text: &str) -> Result<Subset, BadSubset> {
        text.split(',').map(Condition::parse).collect::<Result<_, _>>().map(Subset)
    }
}

impl Condition {
    fn parse(text: &str) -> Result<Condition, BadSubset> {
        let wrong = || BadSubset::Condition(text.to_owned());
        let place = text.find(['!', '<', '>', '=']).ok_or_else(wrong)?;
        let (attribute, rest) = (text[..place].trim(), &text[place..]);
        let (sign, test) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)).ok_or_else(wrong)?;
        let value = rest[sign.len()..].trim();
        if attribute.is_empty() || value.is_empty() {
            return Err(wrong());
        }
        let number = match test {
            Test::Is | Test::IsNot => 0.0,
            _ => number(value).ok_or_else(|| BadSubset::Number(attribute.to_owned(), value.to_owned()))?,
        };
        Ok(Condition { attribute: attribute.to_owned(), test: *test, value: value.to_owned(), number })
    }

    fn holds(&self, value: &str) -> bool {
        let compared = |test: fn(&f64, &f64) -> bool| number(value).is_some_and(|value| test(&value, &self.number));
        match self.test {
            Test::Is => value == self.value,
            Test::IsNot => value != self.value,
            Test::Below => compared(f64::lt),
            Test::AtMost => compared(f64::le),
            Test::Above => compared(f64::gt),
            Test::AtLeast => compared(f64::ge),
        }
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A subset of a source with known attributes.
#[derive(Debug)]
pub struct SubsetOf<'a>(Vec<(usize, &'a Condition)>);

impl Subset {
    /// Its conditions on objects with these attributes.
    pub fn on(&self, attributes: &[String]) -> Result<SubsetOf<'_>, BadSubset> {
        let place = |condition: &Condition| attributes.iter().position(|name| *name == condition.attribute);
        let unknown = |condition: &Condition| BadSubset::Attribute {
            name: condition.attribute.clone(),
            known: attributes.to_vec(),
        };
        let placed =
            self.0.iter().map(|condition| Ok((place(condition).ok_or_else(|| unknown(condition))?, condition)));
        placed.collect::<Result<_, _>>().map(SubsetOf)
    }
}

impl SubsetOf<'_> {
    /// Whether an object with these values is in it.
    pub fn holds(&self, values: &[String]) -> bool {
        self.0.iter().all(|(place, condition)| condition.holds(values.get(*place).map_or("", String::as_str)))
    }
}

impl fmt::Display for Subset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, condition) in self.0.iter().enumerate() {
            let sign = SIGNS.iter().find(|(_, test)| *test == condition.test).map_or("", |(sign, _)| sign);
            let comma = if nth == 0 { "" } else { "," };
            write!(f, "{comma}{}{sign}{}", condition.attribute, condition.value)?;
        }
        Ok(())
    }
}
