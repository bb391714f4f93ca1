//! `tintype lab paper patterns`: every figure is played again, claims and goals are judged, and machines read the same.

use crate::bench::run;
use serde_json::Value;
use std::fs;

#[test]
fn every_figure_is_played_again_and_judged() {
    let here = tempfile::tempdir().unwrap();
    let words = ["lab", "paper", "patterns", "--out", "paper", "--pages", "16", "--seeds", "1", "--days", "1"];
    // Seven days in which a page changes at noon on weekdays, and another whenever.
    let mut table = "time,path,kind,size,sha1,media_type\n".to_owned();
    for page in 0..10 {
        table += &format!("0,/p{page},A,1,{page:x},text/html\n");
    }
    for hour in 1..7 * 24 {
        let page = if hour % 24 == 12 { 1 } else { 2 + hour % 8 };
        table += &format!("{},/p{page},M,1,{:x},text/html\n", hour * 3600, hour + 100);
    }
    fs::create_dir(here.path().join("week")).unwrap();
    fs::write(here.path().join("week/events.csv"), table).unwrap();
    let output = run(here.path(), &[&words[..], &["--history", "week", "--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let index = fs::read_to_string(here.path().join("paper/index.md")).unwrap();
    for name in
        ["11-hourly", "11-anytime", "12-hourly", "13-anytime", "13-hourly-untaught", "14-week", "14-week-by-day"]
    {
        for kind in ["csv", "md", "svg", "png"] {
            let file = format!("paper/figure-{name}.{kind}");
            assert!(here.path().join(&file).metadata().unwrap().len() > 100, "{file}");
        }
        assert!(index.contains(&format!("(figure-{name}.png)")), "{name}");
    }
    assert!(index.contains("| tintype |") && index.contains("| frequency |"), "{index}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let parts = told["parts"].as_array().unwrap();
    let goals = parts.iter().find(|part| part["name"] == "goals").unwrap();
    let rows = goals["table"].as_array().unwrap();
    assert_eq!(rows.len(), 2 + 3, "two simulations, three budgets: {goals}");
    for row in rows {
        let met = row["value"].as_f64().unwrap() >= row["target"].as_f64().unwrap();
        assert_eq!(row["verdict"], if met { "met" } else { "not met" }, "{row}");
    }
    let is_by_the_hour = |part: &&Value| {
        let name = part["name"].as_str().unwrap();
        name.starts_with("figure-13") || name == "figure-14-week"
    };
    assert_eq!(parts.iter().filter(is_by_the_hour).count(), 5);
    for part in parts.iter().filter(is_by_the_hour) {
        for row in part["table"].as_array().unwrap() {
            let share = row["m_10"]["mean"].as_f64().unwrap();
            assert!(share > 0.0 && share <= 1.0 + 1e-9, "nobody beats the best possible: {row}");
        }
    }
}
