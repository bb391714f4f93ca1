//! Importance as people say it.

/// What something of this importance is called.
pub fn importance_word(importance: f64) -> &'static str {
    match importance {
        x if x >= 0.5 => "major",
        x if x >= 0.15 => "notable",
        x if x >= 0.03 => "minor",
        x if x > 0.0 => "slight",
        _ => "nothing",
    }
}
