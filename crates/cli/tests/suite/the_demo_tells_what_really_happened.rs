//! The demo's figures are facts of its run: they add up, they agree with the collection it leaves, and with the lab.

use crate::bench::run;
use serde_json::Value;

fn number(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("{name} of {value}"))
}

fn rows<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("{name} of {value}"))
}

fn played<'a>(spent: &'a Value, policy: &str) -> &'a Value {
    rows(spent, "results").iter().find(|row| row["policy"] == policy).unwrap()
}

#[test]
fn every_act_is_consistent_with_the_others_and_with_the_collection() {
    let directory = tempfile::tempdir().unwrap();
    let output = run(directory.path(), &["demo", "--json", "--out", "there"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    let facts: Value = serde_json::from_slice(&output.stdout).unwrap();
    captures_add_up(&facts);
    lessons_are_near_the_truth(&facts["learned"]);
    ours_beats_cron_and_nobody_beats_the_best(&facts);

    assert_eq!((&facts["collection"], &facts["check"]["findings"]), (&"there".into(), &0.into()));
    let captures = rows(&facts, "captures");
    // They are dated as the newspaper is: a day of its time fills a segment.
    assert!((1..=captures.len()).contains(&(number(&facts["check"], "segments") as usize)));
    let requests: f64 = captures.iter().map(|capture| number(capture, "requests")).sum();
    assert_eq!(number(&facts["check"], "index_lines"), requests, "every answer is in the index");
    assert_eq!(run(directory.path(), &["verify", "-C", "there"]).status.code(), Some(0));
    the_lab_agrees(&facts);
}

fn captures_add_up(facts: &Value) {
    let captures = rows(facts, "captures");
    assert!(captures.len() > 2);
    for (nth, capture) in captures.iter().enumerate() {
        let of = |name| number(capture, name);
        assert_eq!(of("pages"), of("new") + of("changed") + of("unchanged"), "{capture}");
        assert!(of("requests") >= of("pages") && of("confirmed") <= of("unchanged"), "{capture}");
        assert!(of("caught") <= of("versions") && of("bytes") > 0.0, "{capture}");
        if nth == 0 {
            assert_eq!([of("new"), of("bytes_spared"), of("versions")], [of("pages"), 0.0, 0.0], "{capture}");
            // Everything but the site's rules, which are a page of the truth and not of a capture.
            assert_eq!(of("pages"), number(&facts["site"], "pages_at_first") - 1.0);
        } else {
            let before = &captures[nth - 1];
            assert!(of("changed") > 0.0 && of("confirmed") > 0.0 && of("bytes_spared") > of("bytes"), "{capture}");
            assert!(of("versions") > number(before, "versions") && of("caught") > number(before, "caught"));
            assert_eq!(of("pages"), number(before, "pages") + of("new") - of("gone"), "{capture}");
            // Every version seen anew is one that was published: nothing is counted twice or made up.
            let found: f64 = captures[1..=nth].iter().map(|one| number(one, "new") + number(one, "changed")).sum();
            assert_eq!(of("caught"), found, "{capture}");
        }
    }
}

fn lessons_are_near_the_truth(learned: &Value) {
    assert!(0.0 < number(learned, "still") && number(learned, "still") < number(learned, "compared"), "{learned}");
    let liveliest = rows(learned, "liveliest");
    assert_eq!(liveliest.len(), 5);
    for page in liveliest {
        let ratio = number(page, "believed_per_day") / number(page, "true_per_day");
        assert!((1.0 / 3.0..3.0).contains(&ratio), "{page}");
    }
    let announcer = &learned["announcer"];
    assert!(number(announcer, "announced") > 0.5 * number(announcer, "news"), "{announcer}");
    assert!(number(announcer, "announced") <= number(announcer, "spoken"), "{announcer}");
}

fn ours_beats_cron_and_nobody_beats_the_best(facts: &Value) {
    let spent = &facts["spent"];
    for row in rows(spent, "results") {
        let share = number(row, "caught") / number(spent, "versions");
        assert!((number(row, "completeness") - share).abs() < 1e-9, "{row}");
        assert!(share <= number(spent, "oracle_completeness"), "{row}");
        assert!(number(row, "visits") <= (number(spent, "budget_per_day") * number(spent, "days")).ceil(), "{row}");
    }
    let (cron, ours, enough) = (played(spent, "uniform"), played(spent, "tintype"), &spent["enough"]);
    assert!(number(ours, "completeness") > number(cron, "completeness"), "{spent}");
    assert!(number(ours, "mean_age_hours") < number(cron, "mean_age_hours"), "{spent}");
    assert!(number(enough, "budget_per_day") < number(spent, "budget_per_day"), "{spent}");
    assert!(number(enough, "caught") >= number(cron, "caught"), "{spent}");
    assert!(number(enough, "mean_age_hours") <= number(cron, "mean_age_hours"), "{spent}");
}

/// What the demo says to type next gives the demo's own table.
fn the_lab_agrees(facts: &Value) {
    let spent = &facts["spent"];
    let (days, budget) = (facts["site"]["days"].to_string(), format!("{}/day", spent["budget_per_day"]));
    let from = spent["from"].as_str().unwrap();
    let output = run(
        std::path::Path::new("."),
        &[
            "lab",
            "tournament",
            "--world",
            "news",
            "--pages",
            "400",
            "--days",
            &days,
            "--from",
            from,
            "--budget",
            &budget,
            "--policies",
            "uniform",
            "--seeds",
            "1",
            "--json",
        ],
    );
    let told: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    assert_eq!(told["versions"], spent["versions"], "{told}");
    let (lab, demo) = (&told["results"][0], played(spent, "uniform"));
    for name in ["completeness", "mean_age_hours"] {
        assert!((number(lab, name) - number(demo, name)).abs() < 1e-6, "{name}: {lab} {demo}");
    }
}
