//! What must be told, and how it ranks: dates, figures and negations, what is hidden, struck out or said beside the page.

use crate::{
    Described,
    page::{ChangedPart, Difference, Habits, Hooks, PartClass, compare},
};
use tintype_vocab::{Change, Span};

fn between(old: &str, new: &str) -> Difference {
    let described =
        Described { url: "http://site.example/a/", content_type: Some("text/html"), ..Described::default() };
    compare((&described, old.as_bytes()), (&described, new.as_bytes()), &Hooks::default()).unwrap()
}

/// A page of some length with one sentence in the middle.
fn page(sentence: &str) -> String {
    format!(
        "<html><head><title>Benefits</title></head><body><nav><a href=/>Home</a> <a href=/all>All pages</a></nav><main>\
         <h1>Benefits</h1><p>This page tells who may apply and what is needed for that.<p>{sentence}<p>Write to us \
         if anything is not clear.</main><footer>Contact and privacy</footer></body></html>"
    )
}

fn edit(old: &str, new: &str) -> Difference {
    between(&page(old), &page(new))
}

fn first(difference: &Difference) -> &ChangedPart {
    difference.changed.first().unwrap_or_else(|| panic!("nothing is told: {difference:?}"))
}

/// A misspelt word in the same place.
fn typo() -> f64 {
    edit("Payments are recieved at the office.", "Payments are received at the office.").importance
}

#[test]
fn dates_times_and_figures_are_content() {
    for (old, new) in [
        ("For those discharged after September 11, 2001.", "For those discharged after September 10, 2001."),
        ("The programme ends on Dec. 31, 2018.", "The programme ends on September 30, 2018."),
        ("Version 3.5.10 is released on July 12, 2020.", "Version 3.5.10 is released on September 4, 2020."),
        ("End of life: 2020-09-13", "End of life: 2020-09-30"),
        ("The hearing begins at 14:00 in room 2.", "The hearing begins at 13:00 in room 2."),
        ("A permit costs 40 crowns.", "A permit costs 45 crowns."),
        ("95% of all applications are granted.", "59% of all applications are granted."),
    ] {
        let difference = edit(old, new);
        assert_eq!(first(&difference).class, PartClass::Content, "{new}");
        assert!(difference.importance > 2.0 * typo(), "{new}: {} {}", difference.importance, typo());
    }
}

#[test]
fn what_calls_itself_a_stamp_is_told_and_does_not_matter() {
    for (old, new) in [
        ("Page last updated on May 4, 2020", "Page last updated on June 5, 2020"),
        ("Page generated at 10:30:01", "Page generated at 11:02:44"),
        ("© 2019 The Office", "© 2020 The Office"),
        ("Posted 5 minutes ago", "Posted 7 hours ago"),
    ] {
        let difference = edit(old, new);
        let part = first(&difference);
        assert_eq!(part.class, PartClass::Stamp, "{new}");
        assert!(part.after.split(' ').any(|word| new.contains(word)), "{part:?}");
        assert!(0.0 < difference.importance && difference.importance < f64::from(Change::IMPORTANCE_MIN), "{new}");
    }
}

#[test]
fn other_capitals_and_signs_and_notations_of_a_date_rank_below_a_typo() {
    for (old, new) in [
        (
            "A National Egg Crisis, and One Company Is Making Money",
            "A national egg crisis, and one company is making money",
        ),
        ("Rules for Covid-19 tests \"at home\"", "Rules for COVID-19 tests “at home”"),
        ("Created 2018-12-16 by the office", "Created 16-Dec-2018 by the office"),
        ("Created 8-Mar-2009 by the office", "Created 08-Mar-2009 by the office"),
        ("Proposal 0617 of the office", "Proposal 617 of the office"),
    ] {
        let difference = edit(old, new);
        assert!(difference.importance < typo() && difference.importance > 0.0, "{new}: {}", difference.importance);
    }
}

#[test]
fn a_not_that_goes_ranks_far_above_a_typo() {
    let opposite = edit("We will not share your data.", "We will share your data.");
    assert!(opposite.importance > 4.0 * typo(), "{} {}", opposite.importance, typo());
    let percent = edit("95% of all applications are granted.", "59% of all applications are granted.");
    assert!(percent.importance > 4.0 * typo(), "{} {}", percent.importance, typo());
}

#[test]
fn figures_swapped_between_two_rows_are_news() {
    let table = |one: &str, two: &str| {
        page(&format!("<table><tr><td>Basic rate of the tax<td>{one}<tr><td>Higher rate of the tax<td>{two}</table>"))
    };
    assert!(between(&table("20%", "40%"), &table("40%", "20%")).importance > typo());
}

#[test]
fn a_paragraph_that_is_divided_says_what_it_said() {
    let first = "Fees are due at the office within 30 days of the 2018 notice, and not later.";
    let second = "Whoever pays less than 95% of them by then is told so in writing, twice if need be, at no cost.";
    let [one, two] = [page(&format!("{first} {second}")), page(&format!("{first}<p>{second}"))];
    for (old, new) in [(&one, &two), (&two, &one)] {
        let difference = between(old, new);
        assert!(difference.importance < typo() && difference.importance > 0.0, "{difference:?}");
    }
}

#[test]
fn a_line_that_goes_to_another_list_takes_its_figures_along_and_is_news() {
    let list = |lines: &[&str]| lines.iter().map(|line| format!("{line}<br>")).collect::<String>();
    let [alpha, beta] = ["3.9.0 alpha 1: Tuesday, 2019-11-19", "3.9.0 beta 1: Monday, 2020-05-18"];
    let lists = |actual: &[&str], expected: &[&str]| {
        let fixed = "The dates of this release as they are known so far, or planned by its manager at this time.";
        page(&format!("Actual: {fixed} {}<p>Expected: {fixed} {}", list(actual), list(expected)))
    };
    let moved = between(&lists(&[alpha], &[beta, "3.9.0 final"]), &lists(&[alpha, beta], &["3.9.0 final"]));
    assert!(moved.importance > typo(), "{} {}", moved.importance, typo());
}

#[test]
fn many_blocks_in_another_order_are_less_than_one_other_word() {
    let listing = |n: usize, first: &str, then: &str| {
        page(
            &(0..n)
                .map(|at| format!("<h2>Example {at}</h2><pre>{first}\n{then}\nname: example-{at}</pre>"))
                .collect::<String>(),
        )
    };
    let swapped = |n| {
        let [old, new] = [listing(n, "kind: Service", "version: v1"), listing(n, "version: v1", "kind: Service")];
        between(&old, &new).importance
    };
    assert!(0.001 < swapped(1) && swapped(1) < swapped(12) && swapped(12) < typo(), "{} {}", swapped(1), swapped(12));
}

#[test]
fn an_appointment_is_content_and_the_second_a_story_was_published_is_not() {
    let moved = edit("Date: 2023-08-03 14:00:00 -0500", "Date: 2023-08-03 13:00:00 -0500");
    assert!(moved.importance > typo(), "{}", moved.importance);
    let start = edit("<p>2021-07-28T00:00:00Z<p>", "<p>2021-07-28T17:40:00Z<p>");
    assert!(start.importance > typo(), "{}", start.importance);
    let rounded = edit("<p>2021-07-30T20:13:58Z<p>", "<p>2021-07-30T00:00:00Z<p>");
    assert!(rounded.importance < f64::from(Change::IMPORTANCE_MIN), "{}", rounded.importance);
    let published = edit("Mon, 01 Mar 2021 08:10:49 GMT", "Mon, 01 Mar 2021 09:00:27 GMT");
    assert!(published.importance < f64::from(Change::IMPORTANCE_MIN), "{}", published.importance);
}

#[test]
fn another_value_of_a_field_is_news_however_many_pages_have_it() {
    let described = |url| Described { url, content_type: Some("text/html"), ..Described::default() };
    let draft = |status: &str, n: u32| {
        let rows = format!("<table><tr><th>Number<td>{n}<tr><th>Status<td>{status}<tr><th>Kind<td>Standard</table>");
        page(&format!("{rows}<p>Proposal {n} says things of its own."))
    };
    let read = |status: &str, n: u32| {
        crate::page::segment(&described("http://site.example/"), draft(status, n).as_bytes()).unwrap()
    };
    let mut habits = Habits::default();
    for n in 0..40 {
        habits.see(&format!("http://site.example/{n}"), &read(if n % 2 == 0 { "Draft" } else { "Withdrawn" }, n));
    }
    let said = habits.difference(&read("Draft", 4), &read("Withdrawn", 4), "http://site.example/4");
    assert!(said.importance > typo(), "{said:?}");
    let flag = edit("<table><tr><td>Featured<td>True</table>", "<table><tr><td>Featured<td>False</table>");
    assert!(flag.importance < said.importance / 2.0, "{} {}", flag.importance, said.importance);
}

#[test]
fn style_that_goes_by_the_hundred_stays_decoration() {
    let rules = |n: usize| (0..n).map(|at| format!(".box{at} {{ color: red; width: {at}px }}\n")).collect::<String>();
    let described =
        Described { url: "http://site.example/a.css", content_type: Some("text/css"), ..Described::default() };
    let said = compare((&described, rules(300).as_bytes()), (&described, rules(3).as_bytes()), &Hooks::default());
    assert!((0.0..=0.05).contains(&said.as_ref().unwrap().importance), "{said:?}");
}

#[test]
fn a_price_that_changes_at_every_visit_is_told_every_time() {
    let shop = |price: u32| page(&format!("Today a ticket costs ${price}.50 at the door."));
    let mut habits = Habits::default();
    let described =
        Described { url: "http://site.example/a/", content_type: Some("text/html"), ..Described::default() };
    let read = |price| crate::page::segment(&described, shop(price).as_bytes()).unwrap();
    for price in 10..40 {
        let said = habits.judge(&read(price), &read(price + 1), described.url, Span::from_secs(5), &Hooks::default());
        assert_eq!(first(&said).class, PartClass::Content, "{price}");
        assert!(said.importance > typo(), "{price}: {}", said.importance);
    }
}

#[test]
fn what_is_hidden_shown_or_struck_out_is_told() {
    let sentence = "Applications close at the end of this month for all residents.";
    for (old, new) in [
        (format!("<div>{sentence}</div>"), format!("<div hidden>{sentence}</div>")),
        (format!("<div style='display: none'>{sentence}</div>"), format!("<div>{sentence}</div>")),
        (format!("<p>{sentence}</p>"), format!("<p hidden>{sentence}</p>")),
        (format!("<span>{sentence}</span>"), format!("<span style='display:none'>{sentence}</span>")),
        (format!("<p>{sentence}"), format!("<p><s>{sentence}</s>")),
        (format!("<p>{sentence}"), format!("<p><del>{sentence}</del>")),
    ] {
        let difference = edit(&old, &new);
        assert_eq!(first(&difference).class, PartClass::Visibility, "{new}");
        assert!(difference.importance > typo(), "{new}: {} {}", difference.importance, typo());
    }
    let shown = edit(&format!("<div hidden>{sentence}</div>"), &format!("<div>{sentence}</div>"));
    assert_eq!((first(&shown).before.as_str(), first(&shown).after.as_str()), ("", sentence));
}

#[test]
fn what_a_page_says_of_itself_is_told_by_name() {
    let with = |head: &str| format!("<html lang=en><head><title>T</title>{head}</head><body><p>Words of the page.");
    for (name, old, new) in [
        ("robots", "<meta name=robots content='index, follow'>", "<meta name=robots content=noindex>"),
        ("robots", "", "<meta name=robots content=noindex>"),
        (
            "description",
            "<meta name=description content='Open to all'>",
            "<meta name=description content='Closed now'>",
        ),
        ("canonical", "<link rel=canonical href=/a>", "<link rel=canonical href=https://other.example/b>"),
    ] {
        let difference = between(&with(old), &with(new));
        let part = first(&difference);
        assert_eq!((part.class, part.name.as_str()), (PartClass::Metadata, name), "{new}");
        assert!(difference.importance >= f64::from(Change::IMPORTANCE_MIN), "{new}: {}", difference.importance);
    }
    let language = between(&with(""), &with("").replace("lang=en", "lang=fr"));
    assert_eq!(first(&language).name, "language");
    let title = between(&with(""), &with("").replace("<title>T<", "<title>Other<"));
    assert_eq!(first(&title).class, PartClass::Title);
}

#[test]
fn words_in_the_data_of_a_page_and_beside_its_pictures_are_told() {
    let state = |kind: &str, headline: &str| {
        page(&format!("<script id=__NEXT_DATA__ type='{kind}'>{{\"props\":{{\"headline\":\"{headline}\"}}}}</script>"))
    };
    for kind in ["application/json", "application/ld+json"] {
        let difference = between(&state(kind, "Minister stays in office"), &state(kind, "Minister leaves office"));
        assert!(first(&difference).after.contains("leaves"), "{difference:?}");
        assert!(difference.importance > typo(), "{}", difference.importance);
    }
    let pictured = |says: &str| page(&format!("<img src=/a.png alt='{says}'>"));
    let difference = between(&pictured("The old bridge"), &pictured("The new bridge"));
    assert_eq!(first(&difference).class, PartClass::Image);
    assert!(first(&difference).after.contains("The new bridge"), "{difference:?}");
}

#[test]
fn parts_add_up_to_the_whole_and_more_news_is_more_important() {
    let list =
        |from: u32| (from..from + 60).map(|n| format!("<li>Entry number {n} of the long list")).collect::<String>();
    let page = |from: u32| format!("<main><h1>List</h1><ul>{}</ul></main>", list(from));
    let replaced: Vec<Difference> = [1, 5, 20, 60].map(|by| between(&page(0), &page(by))).into();
    assert!(replaced.windows(2).all(|pair| pair[0].importance < pair[1].importance), "it levels off, and never ends");
    assert!(replaced.iter().all(|difference| difference.importance < 0.9995));
    for difference in replaced.iter().filter(|difference| difference.more == 0) {
        let sum: f64 = difference.changed.iter().map(|part| part.importance).sum();
        assert!((sum - difference.importance).abs() < 1e-9, "{sum} {}", difference.importance);
    }
    assert!(replaced[3].changed.len() as u32 + replaced[3].more >= 60);
}

#[test]
fn the_same_flip_in_a_footer_weighs_the_same_on_every_page() {
    let page = |paragraphs: usize, footer: &str| {
        let text = "<p>A paragraph of the page that tells something <a href=/x>with a link</a>.".repeat(paragraphs);
        format!("<main><h1>Page</h1>{text}</main><footer><p>{footer}</p></footer>")
    };
    let flips: Vec<f64> = [1, 4, 30]
        .map(|length| between(&page(length, "Open on weekdays"), &page(length, "Open on weekends")).importance)
        .into();
    assert!(flips.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 1e-9), "{flips:?}");
}
