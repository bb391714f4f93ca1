//! What a capture skipped on purpose, in words.

use crate::amount::counted;
use tintype_learn::directory::LOSS_SHARE;
use tintype_plan::{Settings, Skipped};

/// `812 of 1034 pages: 14 directories and 23 single pages`, where so many pages were fetched.
pub(crate) fn what(skipped: &Skipped, fetched: u64) -> String {
    let directories = skipped.directories.len() as u64;
    let parts = [
        (directories, if directories == 1 { "directory" } else { "directories" }),
        (skipped.single_pages, if skipped.single_pages == 1 { "single page" } else { "single pages" }),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let parts = parts.collect::<Vec<_>>().join(" and ");
    format!("{} of {}: {parts}", skipped.pages, counted(skipped.pages + fetched, "page"))
}

/// Why a policy that may skip did not, where so many captures were known.
pub(crate) fn why_nothing(settings: &Settings, captures: usize) -> String {
    match (captures, settings.policy.starts_with("warm")) {
        (0, _) => "this is the first capture of the site, and what stays unchanged shows only by comparison".to_owned(),
        (1, _) => "only one capture came before, and what stays unchanged shows only by comparison".to_owned(),
        (_, true) => {
            format!("no rule holds by the {captures} captures before; tintype learn rules shows what is known")
        }
        (_, false) => {
            let loss = 100.0 * settings.loss.unwrap_or(LOSS_SHARE);
            let loss = (1000.0 * loss).round() / 1000.0;
            format!(
                "by the {captures} captures before, less would be expected to cost more than {loss} % of the changes"
            )
        }
    }
}

/// `1.3 of 41 changes, 0 to 4 nine times out of ten`.
pub(crate) fn expected_loss(skipped: &Skipped) -> String {
    let expected = format!("{} of {} changes", changes(skipped.expected_lost), changes(skipped.expected_changes));
    match skipped.lost_between {
        None => expected,
        Some([from, to]) if from == to => format!("{expected}, {from} nine times out of ten"),
        Some([from, to]) => format!("{expected}, {from} to {to} nine times out of ten"),
    }
}

/// An expected number of changes, no finer than it can be believed.
pub(crate) fn changes(expected: f64) -> String {
    match expected {
        none if none <= 0.0 => "0".to_owned(),
        few if few < 0.095 => format!("{:.2}", few.max(0.01)),
        some if some < 9.95 => format!("{some:.1}"),
        many => format!("{many:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_plan::SkippedDirectory;

    #[test]
    fn what_was_skipped_reads_like_a_sentence() {
        let directory = SkippedDirectory { directory: "/old".to_owned(), pages: 811, expected_lost: 1.0, rule: None };
        let mut skipped = Skipped {
            pages: 812,
            expected_lost: 1.26,
            expected_changes: 41.2,
            lost_between: None,
            drawn: 0,
            directories: vec![directory],
            single_pages: 1,
        };
        assert_eq!(what(&skipped, 222), "812 of 1034 pages: 1 directory and 1 single page");
        assert_eq!(expected_loss(&skipped), "1.3 of 41 changes");
        skipped.lost_between = Some([0, 4]);
        assert_eq!(expected_loss(&skipped), "1.3 of 41 changes, 0 to 4 nine times out of ten");
        skipped.lost_between = Some([0, 0]);
        assert_eq!(expected_loss(&skipped), "1.3 of 41 changes, 0 nine times out of ten");
        skipped.single_pages = 0;
        assert_eq!(what(&skipped, 222), "812 of 1034 pages: 1 directory");
    }

    #[test]
    fn expectations_are_told_no_finer_than_they_can_be_believed() {
        let told = [0.0, 0.000_1, 0.04, 0.5, 9.94, 41.4].map(changes);
        assert_eq!(told, ["0", "0.01", "0.04", "0.5", "9.9", "41"]);
    }
}
