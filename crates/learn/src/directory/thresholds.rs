//! What makes a rule.

/// How strong a correlation is, after Cohen; the paper goes by it where no threshold is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    Strong,
    Moderate,
    Weak,
}

impl Strength {
    /// The magnitude from which on a correlation has this strength, in hundredths.
    pub const fn hundredths(self) -> u8 {
        match self {
            Strength::Strong => 50,
            Strength::Moderate => 30,
            Strength::Weak => 10,
        }
    }

    /// None where there is hardly any correlation.
    pub fn of(correlation: f64) -> Option<Strength> {
        let reaches = |strength: &Strength| correlation.abs() >= f64::from(strength.hundredths()) / 100.0;
        [Strength::Strong, Strength::Moderate, Strength::Weak].into_iter().find(reaches)
    }
}

/// γ is lowered by so many hundredths.
const STEP: u8 = 5;

/// The thresholds of NEAR-Miner but for α, which is in the bitmaps already.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// β: directories that changed together in at least this share of the transitions are a pattern.
    pub frequency_of_change_min: f64,
    /// γ, the magnitude of the negative correlation wanted. If none is given it is lowered from strong towards
    /// moderate until a directory yields a rule, for each directory anew.
    pub correlation_max: Option<f64>,
    /// θ: the share of the changes of the head in which the tail did not change.
    pub confidence_min: f64,
    pub literal: Literal,
}

/// Where to follow the letter of the paper, to show what it does; each is an error or contradicts its definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Literal {
    /// Algorithm 3, lines 16 and 17 overwrite the current pattern within the loop: siblings get into the heads of the
    /// siblings after them.
    pub leaking_siblings: bool,
    /// Algorithm 3, line 19: below a child that neither extends the pattern nor yields a rule nobody looks, although
    /// Definition 10 asks for all rules.
    pub no_descent: bool,
    /// Example 4 has the correlation less than −γ, Definition 5 at most −γ.
    pub strict: bool,
    /// Algorithm 3, lines 6 to 8: `γ--` takes one away from a share, and of a γ of 0.3 or less nothing is tried at all.
    pub one_try: bool,
}

impl Literal {
    /// The paper by the letter.
    pub const ALL: Literal = Literal { leaking_siblings: true, no_descent: true, strict: true, one_try: true };
}

/// What is found on most sites: patterns of one transition in ten, and rules that hold more often than not.
impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            frequency_of_change_min: 0.1,
            correlation_max: None,
            confidence_min: 0.5,
            literal: Literal::default(),
        }
    }
}

impl Thresholds {
    /// β, γ and θ, and nothing by the letter.
    pub const fn new(frequency_of_change_min: f64, correlation_max: Option<f64>, confidence_min: f64) -> Thresholds {
        let literal = Literal { leaking_siblings: false, no_descent: false, strict: false, one_try: false };
        Thresholds { frequency_of_change_min, correlation_max, confidence_min, literal }
    }

    /// The values of γ to try, until one yields a rule: 0.50, 0.45, 0.40 and 0.35 if none is given.
    pub fn correlations(&self) -> Vec<f64> {
        let share = |hundredths: u8| f64::from(hundredths) / 100.0;
        let (strong, moderate) = (Strength::Strong.hundredths(), Strength::Moderate.hundredths());
        if self.literal.one_try {
            let only = self.correlation_max.unwrap_or(share(strong));
            return Some(only).filter(|only| *only > share(moderate)).into_iter().collect();
        }
        match self.correlation_max {
            Some(given) => vec![given],
            None => (moderate + 1..=strong).rev().step_by(usize::from(STEP)).map(share).collect(),
        }
    }

    /// Whether a correlation is as negative as γ wants.
    pub(super) fn is_negative_enough(&self, correlation: f64, wanted: f64) -> bool {
        if self.literal.strict { correlation < -wanted } else { correlation <= -wanted }
    }
}
