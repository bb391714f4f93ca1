//! A source whose life goes faster on some days than on others.

use super::{MadeUpConfig, Source, Stay, looked_at_daily};

/// Days of the source's own life that pass from the first look to the end of each day.
struct Clock(Vec<f64>);

impl Clock {
    /// When so much of the source's life has passed. What was before the first look went at a day a day.
    fn day(&self, lived: f64) -> f64 {
        if lived <= 0.0 {
            return lived;
        }
        let day = self.0.partition_point(|passed| *passed < lived);
        let Some(&end) = self.0.get(day) else { return self.0.len() as f64 + 1.0 };
        let start = if day == 0 { 0.0 } else { self.0[day - 1] };
        day as f64 + (lived - start) / (end - start)
    }
}

/// Looks at a source in whose life `pace` days pass on each day, and whose objects come and go as `stays` says.
pub(super) fn paced(
    wish: &MadeUpConfig,
    pace: impl Fn(u32) -> f64,
    stays: impl FnOnce(&MadeUpConfig) -> Vec<Stay>,
) -> Source {
    let passed = (0..wish.days).scan(0.0, |passed, day| {
        *passed += pace(day);
        Some(*passed)
    });
    let clock = Clock(passed.collect());
    let lived = clock.0.last().map_or(0.0, |days| days.ceil());
    let stays = stays(&MadeUpConfig { days: lived as u32, ..*wish });
    let seen = |stay: Stay| Stay { born: clock.day(stay.born), dies: clock.day(stay.dies), ..stay };
    looked_at_daily(wish, &[], stays.into_iter().map(seen))
}
