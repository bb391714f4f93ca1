//! Pages and the blocks people see in them.

use crate::{
    html::Syntax,
    page::{Element, Role, Segmented},
};

fn page(html: &str) -> Segmented {
    Segmented::of(html, Syntax::Html)
}

/// A line for each block: its depth in dots, its role, its text.
fn outline(html: &str) -> Vec<String> {
    let line = |block: crate::page::Block<'_>| {
        let (shape, text) = (block.shape(), block.of(Element::Text));
        format!("{}{:?} {text}", ".".repeat(shape.depth.into()), shape.role).trim_end().to_owned()
    };
    page(html).layout.blocks().map(line).collect()
}

#[test]
fn landmarks_headings_and_paragraphs_are_blocks() {
    let html = "<!doctype html><title>A  page</title><body>
        <header><p>Site <b>na</b>me</p></header>
        <nav><ul><li><a href=/a>One</a><li><a href=/b>Two</a></ul></nav>
        <main><h1>Head</h1><p>First words.<p>Second &amp; last.<h2>Sub</h2><p>Under it.</main>
        <div id=footer>Copyright</div>";
    assert_eq!(
        outline(html),
        [
            "Title A page",
            "Group",
            ".Header Site name",
            ".Navigation",
            "..List One Two",
            ".Main",
            "..Section",
            "...Heading Head",
            "...Text First words.",
            "...Text Second & last.",
            "...Section",
            "....Heading Sub",
            "....Text Under it.",
            ".Footer Copyright",
        ]
    );
}

#[test]
fn a_heading_ends_the_sections_of_its_level_and_deeper() {
    let html = "<h1>A</h1><h2>B</h2><h3>C</h3><p>c<h2>D</h2><p>d<h1>E</h1><p>e";
    assert_eq!(
        outline(html),
        [
            "Section",
            ".Heading A",
            ".Section",
            "..Heading B",
            "..Section",
            "...Heading C",
            "...Text c",
            ".Section",
            "..Heading D",
            "..Text d",
            "Section",
            ".Heading E",
            ".Text e"
        ]
    );
}

#[test]
fn short_items_are_one_menu_and_long_ones_stand_for_themselves() {
    let long = "an item of this list says rather more than a word";
    assert_eq!(outline("<ul><li>a<li>b<li>c</ul>"), ["List a b c"]);
    let list = format!("<ul><li>{long}<li>{long} twice<ul><li>x<li>y</ul><li>{long}</ul>");
    assert_eq!(
        outline(&list),
        [
            "List",
            &format!(".Item {long}"),
            ".Item",
            &format!("..Text {long} twice"),
            "..List x y",
            &format!(".Item {long}")
        ]
    );
}

#[test]
fn rows_stay_whole_and_layout_tables_are_taken_apart() {
    let cells = "<td>a name<td>and quite a few words about it to read";
    let table = format!("<table><tr>{cells}<tr>{cells}</table>");
    let row = "a name and quite a few words about it to read";
    assert_eq!(outline(&table), ["Table", &format!(".Row {row}"), &format!(".Row {row}")]);
    let layout = "<table><tr><td><ul><li>x<li>y</ul><td><h1>Head</h1><p>Text</table>";
    assert_eq!(outline(layout), ["Row", ".List x y", ".Section", "..Heading Head", "..Text Text"]);
}

#[test]
fn separators_divide_and_single_line_breaks_do_not() {
    assert_eq!(outline("one<br>two<br><br>three<hr>four"), ["Text one two", "Text three", "Text four"]);
    assert_eq!(outline("<pre>one\ntwo\n\nthree</pre>four"), ["Text one two", "Text three", "Text four"]);
}

#[test]
fn markup_inside_of_words_and_what_nobody_sees_leave_no_trace() {
    assert_eq!(outline("<p>w<b>or</b>d <i>x</i><!-- no -->y<script>no()</script>"), ["Text word xy"]);
    let hidden = "<div hidden>no<div>no</div></div><p>yes<div style='display:none'>no</div>";
    assert_eq!(outline(hidden).iter().filter(|line| line.starts_with("Text")).collect::<Vec<_>>(), ["Text yes"]);
    assert!(outline(hidden).iter().any(|line| line.trim_start() == "Hidden no"));
    assert_eq!(outline("<div><div><div>deep</div></div></div>"), ["Text deep"]);
}

#[test]
fn links_and_images_belong_to_their_block() {
    let html = "<p>a <a href=' /x\n '>link</a><img src=i.png><a href=#top>top</a><p><img src=j.png data-src=k.png>\
                <iframe src=/f>no</iframe>";
    let page = page(html);
    let seen: Vec<[&str; 3]> = page.layout.blocks().map(|block| block.all()).collect();
    assert_eq!(seen, [["a link top", "/x", "i.png"], ["", "", "k.png\n/f"]]);
    let data = format!("<img src='data:{}'>", "x".repeat(1 << 20));
    assert!(super::super::Segmented::of(&data, Syntax::Html).layout.block(0).of(Element::Image).len() < 1_100);
}

#[test]
fn importance_sums_to_one_and_prefers_what_the_page_is_for() {
    let words = "some words that are the same in every block ".repeat(3);
    let html = format!(
        "<nav><p>{words}</nav><main><h1>Head</h1><p>{words}<p><a href=/>{words}</a></main><div class=ad>{words}</div>\
         <footer>{words}</footer>"
    );
    let page = page(&html);
    let importance = page.importance(&|_| false);
    assert!((importance.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    let of = |role| page.layout.blocks().position(|block| block.shape().role == role).map(|at| importance[at]).unwrap();
    let texts: Vec<f32> = (0..page.layout.len())
        .filter(|at| page.layout.block(*at).shape().role == Role::Text)
        .map(|at| importance[at])
        .collect();
    assert!(texts[0] > 3.0 * of(Role::Navigation), "{importance:?}");
    assert!(texts[0] > 3.0 * of(Role::Footer) && of(Role::Footer) > of(Role::Advertisement), "{importance:?}");
    assert!(texts[0] > texts[1], "{importance:?}");
    assert_eq!(of(Role::Main), 0.0);
}

#[test]
fn what_the_site_repeats_matters_less() {
    let page = page("<p>the same on every page<p>only here on this page");
    let template = page.layout.block(0).fingerprint();
    let [plain, known] = [page.importance(&|_| false), page.importance(&|block| block == template)];
    assert!(known[0] < plain[0] / 2.0 && known[1] > plain[1]);
}

#[test]
fn an_empty_page_has_no_blocks_and_no_importance() {
    for html in ["", "<p>", "<!doctype html><body><div></div>", "<script>x</script>"] {
        assert!(page(html).layout.is_empty(), "{html}");
        assert!(page(html).importance(&|_| false).is_empty());
    }
}

#[test]
fn what_is_below_a_line_is_not_under_the_headings_above_it() {
    let html = "<body><h1>A</h1><p>a<h2>B</h2><p>b<hr><p>Whoever wrote this.";
    let expected = [
        "Group",
        ".Section",
        "..Heading A",
        "..Text a",
        "..Section",
        "...Heading B",
        "...Text b",
        ".Text Whoever wrote this.",
    ];
    assert_eq!(outline(html), expected);
    // Such a line only shows where the heading ends.
    for html in ["<body><h1>A</h1><hr><p>a<p>b", "<body><h1>A<hr></h1><p>a<p>b"] {
        assert_eq!(outline(html), ["Section", ".Heading A", ".Text a", ".Text b"], "{html}");
    }
}
