//! Results for a document: the table, the numbers, and what was expected drawn against the truth.

use super::{CalibrationResults, round::Forecast, round::Round, table};
use anyhow::Context;
use std::{fs, path::Path};
use tintype_picture::{Axis, Lines, Picture, Series};

pub(super) fn write(facts: &CalibrationResults, out: &Path) -> anyhow::Result<()> {
    let put = |name: &str, bytes: &[u8]| {
        let path = out.join(name);
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
    };
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    put("calibration.json", serde_json::to_string_pretty(facts).context("results are plain data")?.as_bytes())?;
    put("calibration.txt", table::text(facts).as_bytes())?;
    let blur = draw(facts, "Blur", "changes missed", |round| round.blur);
    let sharp = draw(facts, "Sharp pages", "pages", |round| round.sharp);
    for (name, picture) in [("blur", blur), ("sharp", sharp)] {
        put(&format!("{name}.svg"), picture.svg().as_bytes())?;
        put(&format!("{name}.png"), &picture.png())?;
    }
    Ok(())
}

fn draw(facts: &CalibrationResults, what: &str, unit: &str, of: fn(&Round) -> Forecast) -> Picture {
    // What is guessed for the first capture is so wide that nothing else could be seen beside it.
    let rounds = || facts.rounds.iter().map(of).enumerate().skip(1).map(|(nth, forecast)| ((nth + 1) as f64, forecast));
    let expected = Series::new("expected, 90 % interval", rounds().map(|(nth, forecast)| (nth, forecast.expected)));
    let band = rounds().map(|(nth, forecast)| (nth, forecast.interval_90[0], forecast.interval_90[1]));
    let truth = Series::new("true", rounds().map(|(nth, forecast)| (nth, forecast.truth)));
    let held = rounds().filter(|(_, forecast)| forecast.holds()).count();
    let chart = Lines {
        title: format!("{what}, expected and true: {}", facts.history),
        caption: format!(
            "Of {} captures from the second on, {held} lie inside the interval stated before.",
            facts.rounds.len() - 1
        ),
        x: Axis::linear("Capture", "number"),
        y: Axis::linear(what, unit),
        series: vec![expected.with_band(band).emphasised(), truth.reference()],
    };
    chart.draw()
}
