//! A capture ends by itself: at a ceiling of pages, before the disk is full, and without pressing every button of a site.

use crate::{
    bench::{capture, run},
    host::{Asked, Host, Reply, html, not_there},
};
use std::path::Path;

/// A site of numbered pages, each of which leads to the next two.
fn long() -> Host {
    Host::start(|asked: &Asked| match asked.target.strip_prefix("/page").map(str::parse::<u32>) {
        Some(Ok(number)) => {
            let word = "on".repeat(number as usize);
            html(&format!("{word} <a href=/page{}>next</a> <a href=/page{}>later</a>", number + 1, number + 2))
        }
        _ if asked.target == "/" => html("<a href=/page1>begin</a>"),
        _ => not_there(),
    })
}

#[test]
fn a_ceiling_of_pages_ends_a_capture_and_the_summary_names_it() {
    let (directory, host) = (tempfile::tempdir().unwrap(), long());
    let arguments = ["capture", &host.seed(), "--delay", "0", "--max-pages", "20"];
    let output = run(directory.path(), &arguments);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("ceiling of pages") && said.contains("--max-pages"), "{said}");
    let pages = host.asked().iter().filter(|asked| asked.target.starts_with("/page")).count();
    assert!((15..=20).contains(&pages), "{pages}");
}

#[test]
fn a_disk_that_is_nearly_full_stops_a_capture_and_room_lets_it_go_on() {
    let (directory, host) = (tempfile::tempdir().unwrap(), long());
    let capture = |more: &[&str]| {
        run(directory.path(), &[&["capture", &host.seed(), "--delay", "0", "--max-pages", "30"], more].concat())
    };
    // More than any disk has.
    let output = capture(&["--min-free", "9000000TB"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("are free on the disk") && said.contains("--min-free"), "{said}");
    assert!(host.asked().is_empty(), "nobody is asked for what cannot be kept");
    let output = capture(&["--min-free", "0"]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_keeper_waits_for_room_and_says_so() {
    let (directory, host) = (tempfile::tempdir().unwrap(), long());
    let arguments = ["keep", &host.seed(), "--delay", "0", "--once", "--budget", "20/day", "--min-free", "9000000TB"];
    let output = run(directory.path(), &arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && said.contains("are free on the disk"), "{said}");
}

/// Nine pages of a wiki with everything one can do to them.
fn wiki(asked: &Asked) -> Reply {
    let (page, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
    let Some(number) = page.strip_prefix("/wiki/").and_then(|number| number.parse::<u32>().ok()).filter(|n| *n < 9)
    else {
        return if page == "/" { html("<a href=/wiki/0>the wiki</a>") } else { not_there() };
    };
    let deeds = ["edit", "history", "diff&rev=1", "diff&rev=2", "login", "media", "backlink", "recent", "export_raw"];
    let deeds: String =
        deeds.iter().map(|deed| format!("<a rel=nofollow href='{page}?do={deed}'>{deed}</a> ")).collect();
    let pages: String = (0..9).map(|other| format!("<a href=/wiki/{other}>{other}</a> ")).collect();
    let word = "own".repeat(number as usize + 1);
    html(&format!("{word} {} {deeds} {pages}", query.replace(['=', '&'], "x")))
}

#[test]
fn forms_of_a_wiki_are_asked_for_last_counted_and_at_most_a_third_of_all() {
    let is_deed = |asked: &Asked| asked.target.contains('?');
    let deeds = |more: &[&str], directory: &Path| {
        let host = Host::start(wiki);
        let said = capture(directory, &host.seed(), more);
        let asked = host.asked();
        let pages = asked.iter().filter(|asked| asked.target.starts_with("/wiki/") && !is_deed(asked)).count();
        assert_eq!(pages, 9, "{said}");
        let first = asked.iter().position(is_deed).unwrap_or(asked.len());
        let last_page = asked.iter().rposition(|asked| asked.target.starts_with("/wiki/") && !is_deed(asked)).unwrap();
        (asked.iter().filter(|asked| is_deed(asked)).count(), asked.len(), last_page < first, said["sites"][0].clone())
    };
    let directories: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let (few, all, is_last, said) = deeds(&[], directories[0].path());
    assert!(is_last && few > 0 && 3 * few <= all, "{few} of {all}: {said}");
    let left_out = said["excluded"]["unfollowed"]["links"].as_u64().unwrap();
    assert!(left_out > 50, "{said}");
    assert_eq!(deeds(&["--nofollow", "obey"], directories[1].path()).0, 0);
    assert!(deeds(&["--nofollow", "ignore"], directories[2].path()).0 > 30);
}

/// A calendar, a shop that gives every visitor a new number, directories that contain themselves; and pages beside them.
fn trap(asked: &Asked) -> Option<Reply> {
    let target = asked.target.as_str();
    if let Some((year, month)) = target.strip_prefix("/cal/").and_then(|date| date.split_once('/')) {
        let (year, month) = (year.parse::<i32>().ok()?, month.parse::<i32>().ok()?);
        let days: String = (1..=28).map(|day| format!("<td>{day}</td>")).collect();
        let link = |year: i32, month: i32| format!("<a href=/cal/{year}/{month}>{year}-{month}</a> ");
        let near = [(year, month % 12 + 1), (year - 1, month), (year + 1, month)];
        let near: String = near.iter().map(|(year, month)| link(*year, *month)).collect();
        return Some(html(&format!("<h1>{year}-{month}</h1><table>{days}</table>{near}")));
    }
    if let Some((page, sid)) = target.strip_prefix("/shop").and_then(|rest| rest.split_once("?sid=")) {
        let turn = sid.bytes().fold(1u64, |turn, byte| turn.wrapping_mul(31).wrapping_add(byte.into()));
        let letters = |n: u64| (0..8).map(|at| char::from(b'a' + (n >> (at * 4)) as u8 % 16)).collect::<String>();
        let link =
            |to: u64| format!("<a href='/shop{to}?sid={}'>shelf</a> ", letters(turn.wrapping_mul(10).wrapping_add(to)));
        return Some(html(&format!("shop {page} visit {sid} {}", (0..5).map(link).collect::<String>())));
    }
    target.strip_prefix("/in/")?;
    let links =
        ["red", "green", "blue"].map(|name| format!("<a href='{}/{name}'>{name}</a>", target.trim_end_matches('/')));
    Some(html(&format!("you are here: {target} {}", links.concat())))
}

#[test]
fn traps_that_repeat_themselves_take_a_bounded_share_and_the_summary_names_them() {
    let entrance: String = ["/cal/2026/11", "/shop0?sid=a", "/in/red"]
        .iter()
        .map(|url| format!("<a href='{url}'>trap</a>"))
        .chain((0..12).map(|page| format!("<a href=/story{page}/>story</a>")))
        .collect();
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html(&entrance),
        target if target.starts_with("/story") => {
            html(&"word".repeat(target.len() + target.bytes().map(usize::from).sum::<usize>() % 97))
        }
        _ => trap(asked).unwrap_or_else(not_there),
    });
    let directory = tempfile::tempdir().unwrap();
    let said = capture(directory.path(), &host.seed(), &[]);
    let asked = host.asked();
    let stories = asked.iter().filter(|asked| asked.target.starts_with("/story")).count();
    assert_eq!(stories, 12, "{said}");
    assert!(asked.len() < 900, "{}", asked.len());
    let site = &said["sites"][0];
    assert_eq!(site["ending"], "complete", "{site}");
    let cut = &site["excluded"]["endless-family"];
    assert!(cut["links"].as_u64().unwrap() > 0 && cut["detail"].as_str().unwrap().contains("sid=*"), "{site}");
}
