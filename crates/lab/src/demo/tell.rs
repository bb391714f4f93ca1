//! The facts in words, for a stranger at a terminal eighty columns wide.

use super::{
    announcer::Announcer,
    check::Checked,
    learned::Learned,
    newspaper::{About, DAYS, PAGES, WORLD},
    spend::{CRON, Played, Spent},
    week::{HOURS_BETWEEN, RECAPTURES, Round},
};
use std::fmt::Write;
use tintype_vocab::{
    Time,
    amount::{bytes, counted},
};

const INDENT: &str = "   ";

/// How the policies of the table are introduced.
const INTRODUCTIONS: [(&str, &str); 3] = [
    ("uniform", "every page in turn, as cron does"),
    ("heritrix", "sooner after a change, later after none"),
    ("tintype", "what its past, listings and other sites suggest"),
];

pub(super) fn opening(site: &About) -> String {
    let mut text = "Tintype keeps web sites as they change, and learns where to look. Watch it work:\n".to_owned();
    text.push_str(&heading(1, "A newspaper that does not exist"));
    let About { url, days, pages_at_first, versions, .. } = site;
    paragraph(
        &mut text,
        &format!(
            "It is served by this machine to itself, at {url}, and has {pages_at_first} pages today. Stories appear and \
             are corrected; its clock is turned by us. Because it is made up, we know all {versions} versions that its \
             pages go through in {days} days, and can count what an archive misses."
        ),
    );
    text.push_str(&heading(2, &format!("A week of captures: one, and {RECAPTURES} more, {HOURS_BETWEEN} hours apart")));
    row(&mut text, ["site's time", "asked", "new", "changed", "same", "gone", "received", "spared", "caught"]);
    text
}

pub(super) fn round(round: &Round) -> String {
    let mut text = String::new();
    let first = round.versions == 0;
    let caught = if first { "-".to_owned() } else { percent(round.caught as f64 / round.versions as f64) };
    row(
        &mut text,
        [
            &weekday_and_hour(round.at),
            &round.requests.to_string(),
            &round.new.to_string(),
            &round.changed.to_string(),
            &round.unchanged.to_string(),
            &round.gone.to_string(),
            &bytes(round.bytes),
            &bytes(round.bytes_spared),
            &caught,
        ],
    );
    text
}

/// `Mon 01:30`.
fn weekday_and_hour(at: Time) -> String {
    // The first of January 1970 was a Thursday.
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    let day = DAYS[at.as_secs().div_euclid(86_400).rem_euclid(7) as usize];
    format!("{day} {}", &at.to_rfc3339_secs()[11..16])
}

fn row(text: &mut String, [day, asked, new, changed, same, gone, received, spared, caught]: [&str; 9]) {
    writeln!(
        text,
        "{INDENT}{day:<11} {asked:>5} {new:>5} {changed:>8} {same:>6} {gone:>5} {received:>9} {spared:>9} {caught:>7}"
    )
    .expect("strings grow");
}

pub(super) fn week(rounds: &[Round]) -> String {
    let again = rounds.get(1..).unwrap_or_default();
    let sum = |of: fn(&Round) -> u64| again.iter().map(of).sum::<u64>();
    let (asked, news) = (sum(|round| round.requests), sum(|round| round.new + round.changed));
    let (received, spared) = (sum(|round| round.bytes), sum(|round| round.bytes_spared));
    let mut text = "\n".to_owned();
    for (word, meaning) in [
        ("asked", "requests, one of them for robots.txt, the site's rules for robots"),
        ("same", "the server was told which version is held, and said \"that one\" (304)"),
        ("gone", "seen by the capture before, and not there any more"),
        ("spared", "what the same pages would have cost to receive once more"),
        ("caught", "share of versions published since the first capture that were seen"),
    ] {
        writeln!(text, "{INDENT}{word:<7} {meaning}").expect("strings grow");
    }
    let Some(last) = rounds.last() else { return text };
    text.push('\n');
    paragraph(
        &mut text,
        &format!(
            "{} recaptures, {asked} requests, {} received instead of {}. But only {} of the requests brought anything \
             new, while {} of {} versions came and went between two captures and were never seen.",
            again.len(),
            bytes(received),
            bytes(received + spared),
            percent(news as f64 / asked.max(1) as f64),
            last.versions - last.caught,
            last.versions,
        ),
    );
    text
}

pub(super) fn learned(learned: &Learned) -> String {
    let mut text = heading(3, "What that taught");
    let Learned { compared, still, liveliest, announcer } = learned;
    paragraph(
        &mut text,
        &format!(
            "{still} of the {compared} pages seen more than once never changed. The liveliest ones, with their changes per \
             day, as concluded from the captures and as they really were:"
        ),
    );
    writeln!(text, "\n{INDENT}{:<40} {:>10} {:>10}", "page", "concluded", "really").expect("strings grow");
    for page in liveliest {
        writeln!(text, "{INDENT}{:<40} {:>10.1} {:>10.1}", page.path, page.believed_per_day, page.true_per_day)
            .expect("strings grow");
    }
    if let Some(announcer) = announcer {
        text.push('\n');
        paragraph(&mut text, &announced(announcer));
    }
    text
}

fn announced(Announcer { path, listings, news, announced, spoken }: &Announcer) -> String {
    format!(
        "{listings} pages are listings, which change when what they list does. The best of them, {path}, announced \
         {announced} of the {news} other pages that were found new or changed, by naming them for the first time, in \
         other words or with another date; {} of what it announced was so. Reading it tells which visits are worth \
         making.",
        percent(*announced as f64 / (*spoken).max(1) as f64),
    )
}

pub(super) fn spent(spent: &Spent) -> String {
    let mut text = heading(4, "What it is worth to choose the next page well");
    let Spent { days, budget_per_day, versions, oracle_completeness, results, enough, .. } = spent;
    paragraph(
        &mut text,
        &format!(
            "The newspaper's next {days:.0} days bring {versions} versions. Each policy below is the code of the live \
             crawler, starts knowing nothing but the pages there are, and may make as many visits as the week of \
             captures took, {budget_per_day} a day. They differ only in which page they visit next:"
        ),
    );
    writeln!(text, "\n{INDENT}{:<56} {:>7} {:>8}", "", "caught", "behind").expect("strings grow");
    for played in results {
        let introduced = INTRODUCTIONS.iter().find(|(name, _)| *name == played.policy);
        let who = format!("{:<10} {}", played.policy, introduced.map_or("", |(_, introduction)| introduction));
        let behind = format!("{:.0} min", 60.0 * played.mean_age_hours);
        writeln!(text, "{INDENT}{who:<56} {:>7} {behind:>8}", percent(played.completeness)).expect("strings grow");
    }
    let best = "(the best that any schedule could have done)";
    writeln!(text, "{INDENT}{best:<56} {:>7}\n", percent(*oracle_completeness)).expect("strings grow");
    paragraph(&mut text, "behind: for how long, on average, the copy of a page had been out of date");
    if let Some(enough) = enough {
        text.push('\n');
        paragraph(&mut text, &saved(enough, *budget_per_day));
    }
    text
}

fn saved(enough: &Played, budget_per_day: u64) -> String {
    format!(
        "Or the same for less: to catch as much as {CRON} with copies no older, {} needs {} visits a day instead of \
         {budget_per_day}, {} fewer.",
        enough.policy,
        enough.budget_per_day,
        percent(1.0 - enough.budget_per_day as f64 / budget_per_day as f64),
    )
}

pub(super) fn closing(collection: &str, check: &Checked, spent: &Spent, seconds: f64) -> String {
    let mut text = heading(5, "What is left on disk");
    let Checked { findings, segments, bytes: size, index_lines } = check;
    let sound = match findings {
        0 => "every byte, digest and offset is in order".to_owned(),
        _ => format!("{} found, which should not happen", counted(*findings as u64, "defect")),
    };
    paragraph(
        &mut text,
        &format!(
            "{collection}: {} of WARC, the standard format of web archives ({}), and {index_lines} lines of CDXJ, their \
             index, for any tool of the field to read. Just now verified: {sound}.",
            bytes(*size),
            counted(*segments as u64, "file"),
        ),
    );
    writeln!(text, "\nThat took {seconds:.0} seconds. What to type next:\n").expect("strings grow");
    let world = format!("--world {WORLD} --pages {PAGES} --days {DAYS}");
    for (what, command) in [
        ("what changed that week, and how much it matters", format!("tintype changes -C {collection}")),
        ("check the archive yourself", format!("tintype verify -C {collection}")),
        (
            "the table above again, with every policy there is",
            format!(
                "tintype lab tournament {world} \\\n{INDENT}    --from {} --budget {}/day",
                spent.from, spent.budget_per_day
            ),
        ),
        (
            "the newspaper for your browser, an hour of its time every second",
            format!("tintype lab serve {world} --speed 3600"),
        ),
        ("capture a site of your own, politely", "tintype capture https://example.com/".to_owned()),
    ] {
        writeln!(text, "{INDENT}# {what}\n{INDENT}{command}\n").expect("strings grow");
    }
    text.pop();
    text
}

fn heading(act: u8, title: &str) -> String {
    format!("\n{act}  {title}\n\n")
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Words in lines of at most eighty columns.
fn paragraph(text: &mut String, words: &str) {
    const COLUMNS: usize = 80;
    let mut column = 0;
    for word in words.split_whitespace() {
        let width = word.chars().count();
        if column == 0 || column + 1 + width > COLUMNS {
            text.push_str(if column == 0 { "" } else { "\n" });
            text.push_str(INDENT);
            column = INDENT.len();
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_fits(text: &str) {
        assert!(text.ends_with('\n') && !text.contains("  \n"), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80 && !line.contains(char::is_control), "{line}");
        }
    }

    #[test]
    fn every_act_fits_a_terminal_and_a_pipe() {
        let policy = |name: &str| Played {
            policy: name.to_owned(),
            budget_per_day: 1000,
            visits: 21_000,
            caught: 5000,
            completeness: 1.0,
            mean_age_hours: 100.0,
            useful: 0.5,
        };
        let spent = Spent {
            from: "2026-01-12T01:30:00Z".to_owned(),
            to: "2026-02-02T00:00:00Z".to_owned(),
            days: 20.9,
            budget_per_day: 10_000,
            versions: 10_000,
            oracle_completeness: 1.0,
            results: INTRODUCTIONS.iter().map(|(name, _)| policy(name)).collect(),
            enough: Some(policy("tintype")),
        };
        let round = Round {
            at: Time::from_secs(1_767_571_200),
            site_time: "2026-01-05T00:00:00Z".to_owned(),
            requests: 1000,
            pages: 999,
            new: 111,
            changed: 222,
            unchanged: 666,
            confirmed: 600,
            gone: 9,
            bytes: 999_900,
            bytes_spared: 99_999_000,
            versions: 1000,
            caught: 1000,
        };
        assert_fits(&super::round(&round));
        assert!(super::round(&round).starts_with("   Mon 00:00 "));
        assert_fits(&week(&[round.clone(), round]));
        assert_fits(&super::spent(&spent));
        let check = Checked { findings: 1, segments: 1, bytes: 1, index_lines: 1 };
        assert_fits(&closing("tintype-demo", &check, &spent, 1.0));
    }
}
