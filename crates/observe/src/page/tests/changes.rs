//! Pairs of versions and what is said about them.

use crate::{
    Described,
    html::Syntax,
    page::{
        Delta, Difference, Element, HookedPage, Hooks, Operation, PartClass, PartKind, PartWeighing, Role, Segmented,
        compare, identities,
    },
};

fn between(old: &str, new: &str) -> Difference {
    with(old, new, &Hooks::default())
}

fn with(old: &str, new: &str, hooks: &Hooks<'_>) -> Difference {
    let described =
        Described { url: "http://site.example/a/", content_type: Some("text/html"), ..Described::default() };
    compare((&described, old.as_bytes()), (&described, new.as_bytes()), hooks).unwrap()
}

/// The operations by name, with the elements they are about.
fn names(delta: &Delta) -> Vec<String> {
    let name = |operation: &Operation| match operation {
        Operation::Insert { content, .. } => format!("insert {}", content.text),
        Operation::Delete { content, .. } => format!("delete {}", content.text),
        Operation::Move { from, to, count } => format!("move {count} {from}>{to}"),
        Operation::Reshape { .. } => "reshape".to_owned(),
        Operation::Update { element, hunks, .. } => {
            let each = hunks.iter().map(|hunk| format!("{}>{}", hunk.removed, hunk.inserted)).collect::<Vec<_>>();
            format!("{element:?} {}", each.join(" | "))
        }
    };
    delta.operations.iter().map(name).collect()
}

const PARAGRAPHS: &str = "<p>The first paragraph tells of mountains.<p>A second one is about rivers.<p>Third, the sea.";

#[test]
fn paragraphs_are_inserted_deleted_updated_and_moved() {
    for (new, operations) in [
        ("<p>The first paragraph tells of mountains.<p>Third, the sea.", &["delete A second one is about rivers."][..]),
        (
            "<p>The first paragraph tells of valleys.<p>A second one is about rivers.<p>Third, the sea.",
            &["Text mountains.>valleys."],
        ),
        (
            "<p>Third, the sea.<p>The first paragraph tells of mountains.<p>A second one is about rivers.",
            &["move 1 2>0"],
        ),
        (
            "<p>New.<p>The first paragraph tells of mountains.<p>A second one is about rivers.<p>Third, the sea.",
            &["insert New."],
        ),
    ] {
        assert_eq!(names(&between(PARAGRAPHS, new).delta), operations, "{new}");
    }
}

#[test]
fn a_repeated_block_that_goes_does_not_shift_the_others() {
    let top = "<p><a href=/top>Back to the top</a>";
    let old = format!("{top}<p>alpha one{top}<p>beta two{top}<p>gamma three{top}");
    let new = format!("<p>alpha one{top}<p>beta two{top}<p>gamma three{top}");
    assert_eq!(names(&between(&old, &new).delta), ["delete Back to the top"]);
}

#[test]
fn a_repeated_block_stays_with_its_neighbour() {
    let [old, new] = [
        "one here<hr>Top<hr>two were there<hr>Top<hr>three<hr>four here",
        "one now<hr>two are there<hr>Top<hr>three<hr>four now",
    ];
    let operations = names(&between(old, new).delta);
    assert_eq!(operations, ["delete Top", "Text here>now", "Text were>are", "Text here>now"]);
}

#[test]
fn blocks_keep_their_identity_through_edits_and_moves() {
    let [old, new] = [
        "<h1>News</h1><p>Rain in the north and wind.<p>A match was played.<p>Prices rose by two per cent.",
        "<h1>News</h1><p>Prices rose by three per cent.<p>Something else.<p>Heavy rain in the north, and wind.",
    ]
    .map(|html| Segmented::of(html, Syntax::Html).layout);
    assert_eq!(identities(&old, &new), [Some(0), Some(1), Some(4), None, Some(2)]);
    assert_eq!(identities(&new, &old), [Some(0), Some(1), Some(4), None, Some(2)]);
}

#[test]
fn a_block_that_says_something_else_in_the_same_place_is_the_same_block() {
    let [old, new] = ["<main><h1>Old</h1><p>alpha beta</main>", "<main><h1>New</h1><p>gamma delta</main>"]
        .map(|html| Segmented::of(html, Syntax::Html).layout);
    assert_eq!(identities(&old, &new), [Some(0), Some(1), Some(2), Some(3)]);
}

#[test]
fn markup_alone_is_no_change() {
    for same in [
        "<p class=x>The first paragraph tells of <b>mountains</b>.</p><p>A second one is about rivers.<p>Third, the&nbsp;sea.",
        "<script>nonce = 77</script><P>The first paragraph tells\nof mountains.<P>A second one is about rivers.<!-- build 9 --><p>Third, the sea.",
        "<div><section><p>The first paragraph tells of mountains.<p>A second one is about rivers.<p>Third, the sea.</section></div>",
        "<ul><li>The first paragraph tells of mountains.<li>A second one is about rivers.<li>Third, the sea.</ul>",
    ] {
        let difference = between(PARAGRAPHS, same);
        assert_eq!((difference.importance, difference.changed.len()), (0.0, 0), "{same}");
    }
    assert!(between(PARAGRAPHS, PARAGRAPHS).delta.is_empty());
}

#[test]
fn a_page_full_of_news_is_important_and_more_news_is_more_important() {
    let new = between("", &PARAGRAPHS.repeat(9)).importance;
    assert!(0.8 < new && new < between("", &PARAGRAPHS.repeat(18)).importance, "{new}");
    let word = between(PARAGRAPHS, &PARAGRAPHS.replace("mountains", "valleys")).importance;
    let paragraph = between(PARAGRAPHS, &PARAGRAPHS.replace("The first paragraph tells of", "All of this is new"));
    assert!(0.0 < word && word < paragraph.importance && paragraph.importance < 1.0);
    let share = Hooks { weighing: PartWeighing::Shares, ..Hooks::default() };
    assert!(
        (with("<p>one two three", "<main><h1>quite other</h1><p>things here", &share).importance - 1.0).abs() < 1e-9
    );
}

#[test]
fn navigation_changes_matter_less_than_content() {
    let page = |nav: &str, main: &str| {
        format!("<nav><p>{nav} and what else is there</nav><main><p>{main} and what else is there</main>")
    };
    let old = page("alpha", "beta");
    let [nav, main] = [page("gamma", "beta"), page("alpha", "gamma")].map(|new| between(&old, &new).importance);
    assert!(nav > 0.0 && nav < main / 4.0, "{nav} {main}");
}

#[test]
fn advertisements_count_a_tenth() {
    let page = |url: &str| format!("<p>Some text with <a href='{url}'>a link</a> in it");
    let tells = |seen: &HookedPage<'_>| {
        seen.element == Element::Link && seen.url == "http://site.example/y" && seen.page == "http://site.example/a/"
    };
    for weighing in [PartWeighing::News, PartWeighing::Shares] {
        let told = Hooks { weighing, is_advertisement: &tells, ..Hooks::default() };
        let untold = Hooks { is_advertisement: &|_| false, ..told };
        let tenth = |old: &str, new: &str, hooks: &Hooks<'_>| {
            let [some, all] = [hooks, &untold].map(|hooks| with(&page(old), &page(new), hooks).importance);
            (some / all - 0.1).abs() < 0.01
        };
        assert!(tenth("/advertisement/one", "/advertisement/two", &Hooks { weighing, ..Hooks::default() }));
        assert_eq!(tenth("/x", "/y", &told), weighing == PartWeighing::Shares);
        assert!(tenth("/y", "/y?", &Hooks { is_advertisement: &|_| true, ..told }));
    }
}

#[test]
fn volatile_words_are_in_the_delta_and_do_not_matter() {
    let hooks =
        Hooks { is_volatile: &|field| field.word.bytes().all(|byte| !byte.is_ascii_alphabetic()), ..Hooks::default() };
    let page = |clock: &str| format!("<p>Some text.<p>Now {clock}");
    let difference = with(&page("12:30:01"), &page("12:30:09"), &hooks);
    assert_eq!(names(&difference.delta), ["Text 12:30:01>12:30:09"]);
    assert!(0.0 < difference.importance && difference.importance < 0.001, "{}", difference.importance);
    assert_eq!(difference.changed[0].class, PartClass::Stamp);
    assert!(with(&page("12:30:01"), &page("or never"), &hooks).importance > 0.001);
}

#[test]
fn a_new_session_is_no_new_link() {
    let page = |path: &str, session: &str| format!("<p>Go on <a href='{path};sid={session}?a=1'>here</a>");
    let hooks = Hooks { is_volatile: &|field| field.word.starts_with("x7"), ..Hooks::default() };
    let importance = |old: &str, new: &str| with(old, new, &hooks).importance;
    assert_eq!(importance(&page("/a", "x7f3"), &page("/a", "x7e9")), 0.0);
    assert!(importance(&page("/a", "x7f3"), &page("/b", "x7e9")) > 0.0);
    assert!(importance(&page("/a", "f3"), &page("/a", "e9")) > 0.0);
}

#[test]
fn the_summary_says_where_and_what() {
    let page = |what: &str| format!("<h1>Weather</h1><p>As ever.<h2>Today</h2><p>The day will be {what} until noon.");
    let difference = between(&page("rainy"), &page("sunny and warm"));
    let [changed] = &difference.changed[..] else { panic!("{:?}", difference.changed) };
    assert_eq!((changed.kind, changed.heading.as_str(), changed.landmark), (PartKind::Updated, "Today", None));
    assert_eq!([&changed.before, &changed.after], ["rainy", "sunny and warm"]);
    assert!((changed.importance - difference.importance).abs() < 1e-12);
    let gone = between(&page("rainy"), "<h1>Weather</h1><p>As ever.");
    assert!(gone.changed.iter().all(|changed| changed.kind == PartKind::Deleted));
    assert!(gone.changed.iter().any(|changed| changed.before == "The day will be rainy until noon."));
}

#[test]
fn the_summary_names_the_landmark() {
    let page = |what: &str| {
        let list = format!("<ul><li>an item of a few words<li>{what} and some more words</ul>");
        format!("<header>x</header><main><div><p>Text.{list}</div><p>More.</main>")
    };
    let difference = between(&page("alpha"), &page("beta"));
    assert_eq!((difference.changed[0].role, difference.changed[0].landmark), (Role::Item, Some(Role::Main)));
}

#[test]
fn long_texts_are_quoted_in_part() {
    let long = "é word ".repeat(1_000);
    let difference = between("<p>x", &format!("<p>x<p>{long}"));
    let after = &difference.changed[0].after;
    assert!(after.ends_with('…') && after.len() < 250, "{after}");
}

#[test]
fn what_is_no_page_is_not_compared() {
    let [page, image] = ["text/html", "image/png"]
        .map(|content_type| Described { content_type: Some(content_type), ..Described::default() });
    let coded = Described { content_encoding: Some("br"), ..page };
    for (old, new) in [(page, image), (image, page), (page, coded)] {
        assert_eq!(compare((&old, b"<p>x"), (&new, b"<p>y"), &Hooks::default()), None);
    }
}

#[test]
fn other_encodings_are_read() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let [utf16, latin1] = ["text/html; charset=utf-16le", "text/html; charset=iso-8859-1"]
        .map(|content_type| Described { content_type: Some(content_type), ..Described::default() });
    let difference = compare((&utf16, &wide("<p>café noir")), (&latin1, b"<p>caf\xe9 noir"), &Hooks::default());
    assert_eq!(difference, Some(Difference::default()));
}
