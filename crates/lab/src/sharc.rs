//! Every capture policy on the sites of the SHARC paper, or on windows of a recorded history.

mod charts;
pub(crate) mod history;
pub(crate) mod play;
pub(crate) mod player;
mod results;
pub(crate) mod setting;

pub use history::{RecordedWindows, WindowsConfig, run as run_recorded};
pub use results::SharcResults;
pub use setting::{SLOT, SharcSetting, SizeBelief};

use crate::{LabProgress, usage};

/// Captures the sites of a setting with every capture policy.
pub fn run(setting: &SharcSetting, progress: &dyn LabProgress) -> anyhow::Result<SharcResults> {
    if setting.is_too_long() {
        let problem = "that is more than a hundred million visits for each policy";
        return Err(usage(problem, "choose fewer --pages or --seeds"));
    }
    SharcResults::of(setting, &player::all(), progress)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_world::synthetic::Sharc;

    /// Golden S46, and the exact optimum's neighbour.
    #[test]
    fn table_4_comes_out_as_expected() {
        let shape = Sharc { rate_per_slot: 1.7, ..SharcSetting::default().shape };
        let setting = SharcSetting { shape, seeds: 1, ..SharcSetting::default() };
        let players = player::named(&["breadth-first --revisit", "sharc-threshold"]);
        let samples = play::sampled(&setting, &players).unwrap();
        let sharp: Vec<f64> = samples[0].iter().map(|sample| sample.sharp).collect();
        assert!((sharp[0] - 773.9).abs() < 0.05 && (sharp[1] - 874.56).abs() < 0.05, "{sharp:?}");
    }
}
